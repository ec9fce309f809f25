// One's own password: changed by whoever knows the old one, or made anew with a code to the account's phone.
import { randomInt, timingSafeEqual } from 'node:crypto'
import { and, desc, eq, gt, isNull, sql } from 'drizzle-orm'
import { setPassword } from '#features/office/access/server-passwords.ts'
import { accounts } from '#features/office/access/tables.ts'
import { agents } from '#features/office/agents/tables.ts'
import { redeemPass } from '#features/office/captcha/server-pass.ts'
import { CODE_LIMITS, CODE_RESEND, CODES_PER_DAY } from '#features/shops/messages/rules.ts'
import { queueMessages } from '#features/shops/messages/server-outbox.ts'
import { isMainlandMobile } from '#kit/words/phone.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { settingOf } from '#server/office/settings.ts'
import { found, Refusal, refuse } from '#server/refuse.ts'
import { verifyPassword } from '#server/secrets.ts'
import { actAsSystem } from '#server/system.ts'
import type { signIn as contract } from './contract.ts'
import {
  knownWords,
  PASSWORD_REFUSALS,
  RESET_MESSAGES,
  RESET_REFUSALS,
  refusePasswordChange,
  refuseReset,
} from './rules.ts'
import { recordSignIn, rememberDevice } from './server-devices.ts'
import { countTry, refuseThrottled, type Subject } from './server-limits.ts'
import { refuseGuessed } from './server-strength.ts'
import { accountCodes, loginFailures } from './tables.ts'

const CHANGED = [{ name: '登录密码', before: null, after: '已修改' }]

export const changePassword: Verb<typeof contract.changePassword> = async (ctx, change) => {
  const broken = refusePasswordChange(change)
  if (broken) refuse(broken.code, PASSWORD_REFUSALS, { field: broken.field })
  const { actor } = ctx
  const { accountId, agentId, sessionId } = actor
  // Whoever holds a session only must not find the password by it.
  const subjects: Subject[] = [{ by: 'device', subject: `password ${accountId}` }]
  await refuseThrottled(ctx, subjects)
  const [account] = await ctx.db
    .select({ passwordHash: accounts.passwordHash })
    .from(accounts)
    .where(eq(accounts.id, accountId))
  const matches = await verifyPassword(change.oldPassword, found(account).passwordHash)
  await countTry(ctx, subjects)
  ctx.note(actor.loginName)
  if (!matches)
    throw new Refusal('PASSWORD_WRONG', PASSWORD_REFUSALS.PASSWORD_WRONG, { field: 'oldPassword' }, true)
  await ctx.db.delete(loginFailures).where(eq(loginFailures.subject, `password ${accountId}`))
  await refuseGuessed(change.newPassword, knownWords(actor))
  await setPassword(ctx, {
    accountId,
    password: change.newPassword,
    mustChange: false,
    keepSession: sessionId,
  })
  await rememberDevice(ctx, { accountId, agentId })
  await recordSignIn(ctx, { accountId, agentId }, 'changed')
  ctx.note(actor.loginName, CHANGED)
  return { changed: true }
}

/** Answers alike, and as quickly, whether there is such an account: what is sent is sent after the answer. */
export const sendResetCode: Verb<typeof contract.sendResetCode> = async (ctx, { loginName, captcha }) => {
  refuse(loginName === '' ? 'LOGIN_NAME_REQUIRED' : null, RESET_REFUSALS)
  await redeemPass(ctx, { scene: 'reset', subject: loginName, token: captcha })
  refuse(ctx.services.providers.sms === null ? 'CODES_UNCONNECTED' : null, RESET_REFUSALS)
  const [account] = await ctx.db
    .select({ id: accounts.id, agentId: accounts.agentId, phone: accounts.mobile })
    .from(accounts)
    .innerJoin(agents, eq(agents.id, accounts.agentId))
    .where(and(eq(accounts.loginName, loginName), accounts.enabled, agents.enabled))
  const code = String(randomInt(10 ** CODE_LIMITS.digits)).padStart(CODE_LIMITS.digits, '0')
  const now = ctx.now.getTime()
  const expiresAt = new Date(now + CODE_LIMITS.validMinutes * 60_000).toISOString()
  await ctx.db.insert(accountCodes).values({
    subjectHash: subjectHash(ctx, loginName),
    accountId: account?.id ?? null,
    phone: account?.phone ?? null,
    codeHash: codeHash(ctx, loginName, code),
    createdAt: new Date(now).toISOString(),
    expiresAt,
  })
  const { services } = ctx
  ctx.afterCommit(async () => {
    if (!account || !isMainlandMobile(account.phone)) return
    await actAsSystem(services, 'signIn.sendResetCode', async system => {
      if (await sentOften(system, account.phone)) return
      await queueMessages(system, [
        {
          agentId: account.agentId,
          merchantId: null,
          kind: 'account-code',
          phone: account.phone,
          template: 'account-code',
          params: { code },
          expiresAt,
        },
      ])
    })
  })
  return { secondsLeft: await settingOf(ctx, CODE_RESEND), inboxUrl: services.providers.inboxUrl }
}

/** Several accounts may have one phone. */
async function sentOften(ctx: Ctx, phone: string): Promise<boolean> {
  const { phone: to, createdAt } = accountCodes
  const sent = await ctx.db.$count(
    accountCodes,
    and(eq(to, phone), gt(createdAt, sql`now() - interval '1 day'`)),
  )
  return sent > (await settingOf(ctx, CODES_PER_DAY))
}

export const resetPassword: Verb<typeof contract.resetPassword> = async (ctx, reset) => {
  const broken = refuseReset(reset)
  if (broken) refuse(broken.code, RESET_MESSAGES, { field: broken.field })
  const loginName = reset.loginName.trim()
  const accountId = await redeemResetCode(ctx, loginName, reset.code.trim())
  const { account, agent } = await standingOf(ctx, accountId)
  if (!account.enabled || !agent.enabled) refuse('ACCOUNT_DISABLED', RESET_REFUSALS)
  await refuseGuessed(reset.newPassword, knownWords({ ...account, companyName: agent.companyName }))
  const owner = { accountId, agentId: account.agentId }
  await setPassword(ctx, { accountId, password: reset.newPassword, mustChange: false })
  await rememberDevice(ctx, owner)
  await recordSignIn(ctx, owner, 'reset')
  ctx.note(loginName, CHANGED, { ...owner, name: account.name })
  return { changed: true }
}

async function standingOf(ctx: Ctx, accountId: number) {
  const [row] = await ctx.db
    .select({ account: accounts, agent: agents })
    .from(accounts)
    .innerJoin(agents, eq(agents.id, accounts.agentId))
    .where(eq(accounts.id, accountId))
  return found(row)
}

/** Uses the code that was last asked for under this name; a wrong try is counted although it is refused. */
async function redeemResetCode(ctx: Ctx, loginName: string, typed: string): Promise<number> {
  const [sent] = await ctx.db
    .select()
    .from(accountCodes)
    .where(eq(accountCodes.subjectHash, subjectHash(ctx, loginName)))
    .orderBy(desc(accountCodes.id))
    .limit(1)
    .for('update')
  const wrong = (code: 'CODE_WRONG' | 'CODE_SPENT', keepsWrites = false) =>
    new Refusal(code, RESET_REFUSALS[code], { field: 'code' }, keepsWrites)
  if (!sent || sent.usedAt !== null || Date.parse(sent.expiresAt) <= ctx.now.getTime())
    throw wrong('CODE_WRONG')
  if (sent.failures >= CODE_LIMITS.wrongTries) throw wrong('CODE_SPENT')
  const isRight = timingSafeEqual(codeHash(ctx, loginName, typed), sent.codeHash)
  if (!isRight || sent.accountId === null) {
    const failures = sent.failures + 1
    await ctx.db.update(accountCodes).set({ failures }).where(eq(accountCodes.id, sent.id))
    if (sent.accountId !== null) {
      const { id, agentId, name } = (await standingOf(ctx, sent.accountId)).account
      ctx.note(loginName, [], { accountId: id, agentId, name })
    }
    throw wrong(failures >= CODE_LIMITS.wrongTries ? 'CODE_SPENT' : 'CODE_WRONG', true)
  }
  await ctx.db
    .update(accountCodes)
    .set({ usedAt: ctx.now.toISOString() })
    .where(and(eq(accountCodes.id, sent.id), isNull(accountCodes.usedAt)))
  return sent.accountId
}

function subjectHash(ctx: Ctx, loginName: string): Buffer {
  return ctx.services.secrets.digest(`account code ${loginName}`)
}

function codeHash(ctx: Ctx, loginName: string, code: string): Buffer {
  return ctx.services.secrets.digest(`account code ${loginName} ${code}`)
}
