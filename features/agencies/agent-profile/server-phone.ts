// The number of one's own account: changed with a code to the old one and a code to the new one, and both are told.
import { randomInt, timingSafeEqual } from 'node:crypto'
import { and, desc, eq } from 'drizzle-orm'
import { updateAccount } from '#features/office/access/server-people.ts'
import { AGENT_FIELDS } from '#features/office/agents/fields.ts'
import { lockOwnAgent, updateOwnAgent } from '#features/office/agents/server-own.ts'
import { redeemPass } from '#features/office/captcha/server-pass.ts'
import { notify } from '#features/office/notices/server-notify.ts'
import { CODE_LIMITS, CODE_RESEND } from '#features/shops/messages/rules.ts'
import { queueMessages } from '#features/shops/messages/server.ts'
import { refuseCodeTo } from '#features/shops/messages/server-codes.ts'
import { isMainlandMobile, maskPhone } from '#kit/words/phone.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { settingOf } from '#server/office/settings.ts'
import { Refusal, refuse } from '#server/refuse.ts'
import type { agentProfile as contract } from './contract.ts'
import {
  PHONE_REFUSALS,
  type PhoneRefusal,
  type PhoneStep,
  phoneSubject,
  refuseNewPhone,
  refusePhoneForm,
} from './rules.ts'
import { phoneChangeCodes } from './tables.ts'

export const sendPhoneCode: Verb<typeof contract.sendPhoneCode> = async (ctx, { step, phone, captcha }) => {
  const { accountId, agentId, loginName, name, mobile } = ctx.actor
  const to = step === 'old' ? mobile : phone.trim()
  if (step === 'new') refuse(refuseNewPhone(to, mobile), PHONE_REFUSALS, { field: 'phone' })
  else refuse(isMainlandMobile(to) ? null : 'OLD_UNREACHABLE', PHONE_REFUSALS, { field: 'oldCode' })
  await redeemPass(ctx, { scene: 'code', subject: phoneSubject(accountId, step), token: captcha })
  await refuseCodeTo(ctx, to)
  const code = String(randomInt(10 ** CODE_LIMITS.digits)).padStart(CODE_LIMITS.digits, '0')
  const now = ctx.now.getTime()
  const expiresAt = new Date(now + CODE_LIMITS.validMinutes * 60_000).toISOString()
  await ctx.db.insert(phoneChangeCodes).values({
    ...{ agentId, accountId, step, phone: to, expiresAt },
    codeHash: hashOf(ctx, step, to, code),
    createdAt: new Date(now).toISOString(),
  })
  await queueMessages(ctx, [
    {
      ...{
        agentId,
        merchantId: null,
        kind: 'account-code',
        phone: to,
        template: 'own-phone-code',
        expiresAt,
      },
      params: { code },
    },
  ])
  ctx.object('account', accountId)
  ctx.note(`${name}（${loginName}）`, [{ name: '手机号', before: null, after: maskPhone(to) }])
  const { inboxUrl } = ctx.services.providers
  return { phone: maskPhone(to), secondsLeft: await settingOf(ctx, CODE_RESEND), inboxUrl }
}

export const changePhone: Verb<typeof contract.changePhone> = async (ctx, form) => {
  const broken = refusePhoneForm(form)
  if (broken) refuse(broken.code, PHONE_REFUSALS, { field: broken.field })
  const { actor } = ctx
  const { accountId, agentId, mobile } = actor
  const phone = form.phone.trim()
  refuse(refuseNewPhone(phone, mobile), PHONE_REFUSALS, { field: 'phone' })
  const changes = [{ name: '手机号', before: maskPhone(mobile), after: maskPhone(phone) }]
  const subject = `${actor.name}（${actor.loginName}）`
  ctx.object('account', accountId)
  // Stands in the log as refused where a code is wrong.
  ctx.note(subject, changes)
  const codes = [
    await checkCode(ctx, { step: 'old', field: 'oldCode', phone: mobile, typed: form.oldCode }),
    await checkCode(ctx, { step: 'new', field: 'newCode', phone, typed: form.newCode }),
  ]
  for (const id of codes)
    await ctx.db
      .update(phoneChangeCodes)
      .set({ usedAt: ctx.now.toISOString() })
      .where(eq(phoneChangeCodes.id, id))
  await updateAccount(ctx, accountId, { mobile: phone })
  // The agency is reached where the account that owns it is.
  if (actor.isOwner) {
    const agent = await lockOwnAgent(ctx)
    await updateOwnAgent(ctx, { mobile: phone })
    ctx.object('agent', agentId)
    const { label } = AGENT_FIELDS.mobile
    if (agent.mobile !== phone)
      changes.push({ name: `公司${label}`, before: maskPhone(agent.mobile), after: maskPhone(phone) })
  }
  ctx.note(subject, changes)
  await tell(ctx, [mobile, phone], phone)
  return { phone: maskPhone(phone) }
}

/** Both numbers by SMS, which the vendor pays, and the account's pages. */
async function tell(ctx: Ctx, phones: readonly string[], phone: string): Promise<void> {
  const { accountId, agentId, loginName } = ctx.actor
  const shown = maskPhone(phone)
  await notify(ctx, {
    accountIds: [accountId],
    topic: 'SignIn_Notify',
    title: '手机号已更换',
    body: `账号 ${loginName} 的手机号已更换为 ${shown}。如非本人操作，请立即修改密码并联系厂商`,
    link: '/admin/account/personalData',
  })
  await queueMessages(
    ctx,
    phones.map(to => ({
      ...({
        agentId,
        merchantId: null,
        phone: to,
        kind: 'account-notice',
        template: 'own-phone-changed',
      } as const),
      params: { account: loginName, phone: shown },
    })),
  )
}

type Asked = { step: PhoneStep; field: string; phone: string; typed: string }

/** The id of the code that was last sent to this number, if it was typed; a wrong try is counted although it is refused. */
async function checkCode(ctx: Ctx, { step, field, phone, typed }: Asked): Promise<number> {
  const [sent] = await ctx.db
    .select()
    .from(phoneChangeCodes)
    .where(and(eq(phoneChangeCodes.accountId, ctx.actor.accountId), eq(phoneChangeCodes.step, step)))
    .orderBy(desc(phoneChangeCodes.id))
    .limit(1)
    .for('update')
  const refused = (code: PhoneRefusal, keepsWrites = false) =>
    new Refusal(code, PHONE_REFUSALS[code], { field }, keepsWrites)
  if (
    !sent ||
    sent.phone !== phone ||
    sent.usedAt !== null ||
    Date.parse(sent.expiresAt) <= ctx.now.getTime()
  )
    throw refused('CODE_WRONG')
  if (sent.failures >= CODE_LIMITS.wrongTries) throw refused('CODE_SPENT')
  if (!timingSafeEqual(hashOf(ctx, step, phone, typed.trim()), sent.codeHash)) {
    const failures = sent.failures + 1
    await ctx.db.update(phoneChangeCodes).set({ failures }).where(eq(phoneChangeCodes.id, sent.id))
    throw refused(failures >= CODE_LIMITS.wrongTries ? 'CODE_SPENT' : 'CODE_WRONG', true)
  }
  return sent.id
}

function hashOf(ctx: Ctx, step: PhoneStep, phone: string, code: string): Buffer {
  return ctx.services.secrets.digest(`own phone ${ctx.actor.accountId} ${step} ${phone} ${code}`)
}
