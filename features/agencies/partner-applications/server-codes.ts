// Codes to the phones of applicants: whoever sends the form has the phone in hand.
import { randomInt, timingSafeEqual } from 'node:crypto'
import { desc, eq } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { redeemPass } from '#features/office/captcha/server-pass.ts'
import { CODE_LIMITS, CODE_REFUSALS, CODE_RESEND } from '#features/shops/messages/rules.ts'
import { refuseCodeTo } from '#features/shops/messages/server-codes.ts'
import { queueMessages } from '#features/shops/messages/server-outbox.ts'
import { maskPhone } from '#kit/words/phone.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { settingOf } from '#server/office/settings.ts'
import { Refusal, refuse } from '#server/refuse.ts'
import { SYSTEM_ACTOR } from '#server/system.ts'
import type { partnerApplications as contract } from './contract.ts'
import { APPLICATION_REFUSALS, refuseMobile } from './rules.ts'
import { partnerApplicationCodes as codes } from './tables.ts'

/** Answers alike whether the phone has applied, is a partner's, or neither. */
export const sendCode: Verb<typeof contract.sendCode> = async (ctx, input) => {
  const mobile = input.mobile.trim()
  refuse(refuseMobile(mobile), APPLICATION_REFUSALS, { field: 'mobile' })
  await redeemPass(ctx, { scene: 'partner', subject: mobile, token: input.captcha })
  await refuseCodeTo(ctx, mobile)
  const code = String(randomInt(10 ** CODE_LIMITS.digits)).padStart(CODE_LIMITS.digits, '0')
  const now = ctx.now.getTime()
  const expiresAt = new Date(now + CODE_LIMITS.validMinutes * 60_000).toISOString()
  await ctx.db.insert(codes).values({
    mobile,
    codeHash: hashOf(ctx, mobile, code),
    createdAt: new Date(now).toISOString(),
    expiresAt,
  })
  await queueMessages(asProgram(ctx), [
    {
      agentId: await operatorId(ctx),
      merchantId: null,
      kind: 'account-code',
      phone: mobile,
      template: 'partner-code',
      params: { code },
      expiresAt,
    },
  ])
  ctx.note(maskPhone(mobile), [{ name: '手机号', before: null, after: maskPhone(mobile) }], SYSTEM_ACTOR)
  return { secondsLeft: await settingOf(ctx, CODE_RESEND), inboxUrl: ctx.services.providers.inboxUrl }
}

/** Uses the code that was last sent to this phone; a wrong try is counted although it is refused. */
export async function redeemCode(ctx: Ctx, mobile: string, typed: string): Promise<void> {
  const [sent] = await ctx.db
    .select()
    .from(codes)
    .where(eq(codes.mobile, mobile))
    .orderBy(desc(codes.createdAt), desc(codes.id))
    .limit(1)
    .for('update')
  const wrong = (code: 'CODE_WRONG' | 'CODE_SPENT', keepsWrites = false) =>
    new Refusal(code, CODE_REFUSALS[code], { field: 'code' }, keepsWrites)
  if (!sent || sent.usedAt !== null || Date.parse(sent.expiresAt) <= ctx.now.getTime())
    throw wrong('CODE_WRONG')
  if (sent.failures >= CODE_LIMITS.wrongTries) throw wrong('CODE_SPENT')
  if (!timingSafeEqual(hashOf(ctx, mobile, typed), sent.codeHash)) {
    const failures = sent.failures + 1
    await ctx.db.update(codes).set({ failures }).where(eq(codes.id, sent.id))
    throw wrong(failures >= CODE_LIMITS.wrongTries ? 'CODE_SPENT' : 'CODE_WRONG', true)
  }
  await ctx.db.update(codes).set({ usedAt: ctx.now.toISOString() }).where(eq(codes.id, sent.id))
}

function hashOf(ctx: Ctx, mobile: string, code: string): Buffer {
  return ctx.services.secrets.digest(`partner application code ${mobile} ${code}`)
}

/** Of nobody's agent: the operator's messages, nobody's in an office without one. */
export async function operatorId(ctx: Ctx): Promise<number> {
  const [operator] = await ctx.db
    .select({ id: agents.id })
    .from(agents)
    .where(eq(agents.isOperator, true))
    .limit(1)
  return operator?.id ?? 0
}

/** A public operation has no actor; what it writes, the program does. */
export function asProgram(ctx: Ctx): Ctx {
  return Object.create(ctx, { actor: { value: SYSTEM_ACTOR } }) as Ctx
}
