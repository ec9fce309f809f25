// An account's own factors, and who must have one. Proofs are in server-prove.ts.

import { randomBytes } from 'node:crypto'
import { and, asc, eq, isNull, ne, sql } from 'drizzle-orm'
import { endSessions, renewToken } from '#features/office/access/server-sessions.ts'
import { notify } from '#features/office/notices/server-notify.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { found, Refusal, refuse } from '#server/refuse.ts'
import { serve } from '#server/serve.ts'
import type { FieldChange } from '#server/tables.ts'
import { factors as contract } from './contract.ts'
import {
  FACTOR_REFUSALS,
  type GivenRule,
  kindsOf,
  RECOVERY_CODES,
  RECOVERY_LENGTH,
  RULE_NAMES,
  recoveryCodeOf,
  refuseName,
  refuseRules,
} from './rules.ts'
import { openChallenge, takeChallenge } from './server-challenges.ts'
import { beginRegistration, finishRegistration, PRODUCT, relyingParty } from './server-passkeys.ts'
import { askProof, hasFactor, markProven, passPassword, passProof, recoveryHash } from './server-prove.ts'
import { base32, makeSecret, stepOf, totpAddress } from './server-totp.ts'
import {
  factorChallenges,
  factorFailures,
  factorRules,
  factorTotps,
  passkeys,
  recoveryCodes,
} from './tables.ts'

const standing: Verb<typeof contract.standing> = async ctx => {
  const { accountId } = ctx.actor
  const [totp] = await ctx.db
    .select({ since: factorTotps.createdAt })
    .from(factorTotps)
    .where(eq(factorTotps.accountId, accountId))
  const { id, name, createdAt, lastUsedAt } = passkeys
  const keys = await ctx.db
    .select({ id, name, createdAt, lastUsedAt })
    .from(passkeys)
    .where(eq(passkeys.accountId, accountId))
    .orderBy(asc(passkeys.id))
  const recoveryLeft = await ctx.db.$count(
    recoveryCodes,
    and(eq(recoveryCodes.accountId, accountId), isNull(recoveryCodes.usedAt)),
  )
  return {
    totpSince: totp?.since ?? null,
    passkeys: keys,
    recoveryLeft,
    passkeyOrigin: relyingParty(ctx.services)?.origin ?? null,
  }
}

const startTotp: Verb<typeof contract.startTotp> = async ctx => {
  const secret = makeSecret()
  const { accountId, loginName } = ctx.actor
  const token = await openChallenge(ctx, { purpose: 'totp', accountId, value: secret.toString('hex') })
  return { token, secret: base32(secret), address: totpAddress(secret, loginName, PRODUCT) }
}

/** The code that shows it works is used by that. */
const addTotp: Verb<typeof contract.addTotp> = async (ctx, { token, code }) => {
  const { accountId, agentId, loginName } = ctx.actor
  const challenge = await takeChallenge(ctx, token, 'totp', accountId)
  if (!challenge) refuse('FACTOR_EXPIRED', FACTOR_REFUSALS)
  const hex = challenge?.value ?? ''
  const lastStep = stepOf(Buffer.from(hex, 'hex'), code.replaceAll(' ', ''), ctx.now.getTime(), 0)
  // The secret waits for another try.
  if (lastStep === null) throw new Refusal('CODE_WRONG', FACTOR_REFUSALS.CODE_WRONG, { field: 'code' })
  const secret = ctx.services.secrets.encrypt(hex)
  await ctx.db.delete(factorTotps).where(eq(factorTotps.accountId, accountId))
  await ctx.db.insert(factorTotps).values({ accountId, agentId, secret, lastStep, createdAt: sql`now()` })
  ctx.note(loginName, [{ name: '验证器', before: null, after: '已设置' }])
  return added(ctx, '验证器')
}

const removeTotp: Verb<typeof contract.removeTotp> = async ctx => {
  const [removed] = await ctx.db
    .delete(factorTotps)
    .where(eq(factorTotps.accountId, ctx.actor.accountId))
    .returning({ accountId: factorTotps.accountId })
  found(removed)
  await forgetWithoutFactor(ctx)
  ctx.note(ctx.actor.loginName, [{ name: '验证器', before: '已设置', after: null }])
  await tell(ctx, ctx.actor.accountId, '二次验证方式已移除', '您的验证器已移除。')
  return { removed: true }
}

const addPasskey: Verb<typeof contract.addPasskey> = async (ctx, given) => {
  refuse(refuseName(given.name), FACTOR_REFUSALS, { field: 'name' })
  await finishRegistration(ctx, given)
  const name = given.name.trim()
  ctx.note(name, [{ name: '通行密钥', before: null, after: name }])
  return added(ctx, `通行密钥“${name}”`)
}

const renamePasskey: Verb<typeof contract.renamePasskey> = async (ctx, given) => {
  refuse(refuseName(given.name), FACTOR_REFUSALS, { field: 'name' })
  const mine = and(eq(passkeys.id, given.id), eq(passkeys.accountId, ctx.actor.accountId))
  const [key] = await ctx.db.select({ name: passkeys.name }).from(passkeys).where(mine).for('update')
  const before = found(key).name
  const name = given.name.trim()
  ctx.note(before, [{ name: '通行密钥', before, after: name }])
  if (name === before) ctx.nothingChanged()
  else await ctx.db.update(passkeys).set({ name }).where(mine)
  return { renamed: true }
}

const removePasskey: Verb<typeof contract.removePasskey> = async (ctx, { id }) => {
  const [removed] = await ctx.db
    .delete(passkeys)
    .where(and(eq(passkeys.id, id), eq(passkeys.accountId, ctx.actor.accountId)))
    .returning({ name: passkeys.name })
  const { name } = found(removed)
  await forgetWithoutFactor(ctx)
  ctx.note(name, [{ name: '通行密钥', before: name, after: null }])
  await tell(ctx, ctx.actor.accountId, '二次验证方式已移除', `您的通行密钥“${name}”已移除。`)
  return { removed: true }
}

/** Whoever adds a factor has shown it: this session has proven it. */
async function added(ctx: Ctx, what: string): Promise<{ recoveryCodes: string[] | null }> {
  const { accountId, sessionId } = ctx.actor
  await markProven(ctx, sessionId)
  await tell(
    ctx,
    accountId,
    '二次验证方式已添加',
    `您的账号添加了${what}。如非本人操作，请立即修改密码并下线其他设备。`,
  )
  const has = await ctx.db.$count(recoveryCodes, eq(recoveryCodes.accountId, accountId))
  return { recoveryCodes: has > 0 ? null : await makeRecoveryCodes(ctx) }
}

/** Recovery codes are no factor of their own. */
async function forgetWithoutFactor(ctx: Ctx): Promise<void> {
  const { accountId } = ctx.actor
  if (!(await hasFactor(ctx, accountId)))
    await ctx.db.delete(recoveryCodes).where(eq(recoveryCodes.accountId, accountId))
}

const SALT_BYTES = 16

async function makeRecoveryCodes(ctx: Ctx): Promise<string[]> {
  const { accountId, agentId } = ctx.actor
  const codes = Array.from({ length: RECOVERY_CODES }, () => recoveryCodeOf(randomBytes(RECOVERY_LENGTH)))
  const salt = randomBytes(SALT_BYTES)
  const hashes: Buffer[] = []
  // Each takes its place once the one before has left it: all at once, the last would wait for longer than a place is waited for.
  for (const code of codes) hashes.push(await recoveryHash(ctx, code, salt))
  await ctx.db.delete(recoveryCodes).where(eq(recoveryCodes.accountId, accountId))
  await ctx.db.insert(recoveryCodes).values(hashes.map(codeHash => ({ accountId, agentId, codeHash, salt })))
  return codes
}

const renewRecoveryCodes: Verb<typeof contract.renewRecoveryCodes> = async ctx => {
  if (!(await hasFactor(ctx, ctx.actor.accountId))) refuse('NO_FACTOR', FACTOR_REFUSALS)
  ctx.note(ctx.actor.loginName, [{ name: '恢复码', before: null, after: '已重新生成' }])
  return { recoveryCodes: await makeRecoveryCodes(ctx) }
}

/** Noted first, so that a wrong one stands in the log too. */
const prove: Verb<typeof contract.prove> = async (ctx, proof) => {
  const { accountId, sessionId, loginName } = ctx.actor
  ctx.note(loginName)
  if ('password' in proof) await passPassword(ctx, accountId, proof.password)
  else await passProof(ctx, accountId, proof)
  await markProven(ctx, sessionId, 'password' in proof ? 'password' : 'factor')
  await renewToken(ctx)
  return { proven: true }
}

const challenge: Verb<typeof contract.challenge> = async ctx => {
  const { accountId } = ctx.actor
  return { ...(await askProof(ctx, accountId)), password: !(await hasFactor(ctx, accountId)) }
}

const rules: Verb<typeof contract.rules> = async ctx => ({ rules: await rulesOf(ctx) })

async function rulesOf(ctx: Ctx): Promise<GivenRule[]> {
  const { isOperator, agentId } = ctx.actor
  const kept = await ctx.db
    .select()
    .from(factorRules)
    .where(isOperator ? ne(factorRules.kind, 'ownStaff') : eq(factorRules.agentId, agentId))
  return kindsOf(ctx.actor).map(kind => {
    const rule = kept.find(one => one.kind === kind)
    return { kind, required: rule !== undefined, graceDays: rule?.graceDays ?? GRACE_DAYS }
  })
}

const GRACE_DAYS = 7

/** A rule that stays keeps the day it was made on. */
const setRules: Verb<typeof contract.setRules> = async (ctx, { rules: given }) => {
  const refused = refuseRules(given, ctx.actor)
  if (refused) refuse(refused.code, FACTOR_REFUSALS, { field: refused.field })
  const { agentId, isOperator } = ctx.actor
  const before = await rulesOf(ctx)
  const changes: FieldChange[] = []
  for (const { kind, required, graceDays } of given) {
    const earlier = before.find(rule => rule.kind === kind)
    const told = (rule: GivenRule | undefined) =>
      rule?.required ? `必须，宽限 ${rule.graceDays} 天` : '不要求'
    const after = told({ kind, required, graceDays })
    if (told(earlier) === after) continue
    changes.push({ name: RULE_NAMES[kind], before: told(earlier), after })
    const same = isOperator
      ? eq(factorRules.kind, kind)
      : and(eq(factorRules.kind, kind), eq(factorRules.agentId, agentId))
    if (!required) await ctx.db.delete(factorRules).where(same)
    else if (earlier?.required) await ctx.db.update(factorRules).set({ graceDays }).where(same)
    else await ctx.db.insert(factorRules).values({ agentId, kind, since: sql`now()`, graceDays })
  }
  if (changes.length === 0) ctx.nothingChanged()
  ctx.note('二次验证', changes)
  return { kept: true }
}

/**
 * Takes all factors of an account away and ends its sessions, for whoever lost them: the next sign-in needs the password alone.
 * Whoever calls it has looked whether the acting account may, and notes it in the log.
 */
export async function resetFactors(ctx: Ctx, accountId: number): Promise<void> {
  const mine = { totp: eq(factorTotps.accountId, accountId), keys: eq(passkeys.accountId, accountId) }
  const totps = await ctx.db.delete(factorTotps).where(mine.totp).returning({ id: factorTotps.accountId })
  const keys = await ctx.db.delete(passkeys).where(mine.keys).returning({ id: passkeys.id })
  if (totps.length + keys.length === 0) refuse('NO_FACTOR', FACTOR_REFUSALS)
  await ctx.db.delete(recoveryCodes).where(eq(recoveryCodes.accountId, accountId))
  await ctx.db.delete(factorFailures).where(eq(factorFailures.accountId, accountId))
  await ctx.db.delete(factorChallenges).where(eq(factorChallenges.accountId, accountId))
  await endSessions(ctx, accountId)
  await tell(ctx, accountId, '二次验证已重置', `${ctx.actor.name}重置了您的二次验证，请重新设置。`)
}

async function tell(ctx: Ctx, accountId: number, title: string, body: string): Promise<void> {
  await notify(ctx, {
    accountIds: [accountId],
    topic: 'Security_Notify',
    title,
    body,
    link: '/admin/account/security',
  })
}

export const factorsRouter = serve(contract, {
  standing,
  startTotp,
  addTotp,
  removeTotp,
  startPasskey: beginRegistration,
  addPasskey,
  renamePasskey,
  removePasskey,
  renewRecoveryCodes,
  challenge,
  prove,
  rules,
  setRules,
})
