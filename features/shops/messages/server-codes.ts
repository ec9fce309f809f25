// Codes sent to a shop's phone: each is kept as a keyed hash, valid for minutes, for one purpose and one use.

import { randomInt, timingSafeEqual } from 'node:crypto'
import { and, desc, eq, isNull } from 'drizzle-orm'
import { redeemPass } from '#features/office/captcha/server-pass.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { countText } from '#kit/money.ts'
import { formatDay, startOfDay } from '#kit/time.ts'
import { maskPhone } from '#kit/words/phone.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { settingOf } from '#server/office/settings.ts'
import { logOperation } from '#server/operation-log.ts'
import { found, Refusal, refuse, refuseCommon } from '#server/refuse.ts'
import type { messages as contract } from './contract.ts'
import {
  CODE_KINDS,
  CODE_LIMITS,
  CODE_PERMISSIONS,
  CODE_REFUSALS,
  CODE_RESEND,
  CODES_PER_DAY,
  CODES_PER_HOUR,
  type CodePurpose,
  codeSubject,
  refuseReceiver,
  refuseTypedCode,
  SEND_REFUSALS,
  secondsUntilResend,
} from './rules.ts'
import { queueMessages } from './server-outbox.ts'
import { verificationCodes } from './tables.ts'

/** What a code of each purpose opens, in words. */
const CODE_USES: Record<CodePurpose, string> = {
  phone: '修改手机号',
  recovery: '回收短信',
  identity: '核实实名资料',
  shop: '门店页面登录',
  ownerEntry: '店主填写资料',
  ownerSignature: '店主签名',
}

/** The text of each. */
const TEMPLATES = {
  ...CODE_KINDS,
  identity: 'identity-code',
  ownerEntry: 'owner-entry-code',
  ownerSignature: 'owner-signature-code',
} as const

export const sendCode: Verb<typeof contract.sendCode> = async (ctx, input) => {
  const { merchantId, purpose, captcha } = input
  if (!ctx.actor.permissions.has(CODE_PERMISSIONS[purpose])) refuseCommon('FORBIDDEN')
  await redeemPass(ctx, { scene: 'code', subject: codeSubject(merchantId, purpose), token: captcha })
  const shop = await lockReceiver(ctx, merchantId)
  // The phone of its data need not be the one that it signs in with.
  const account = purpose === 'identity' ? (input.phone ?? '') : shop.account
  const phone = await sendCodeTo(ctx, { ...shop, account, id: merchantId }, purpose)
  ctx.about(shop.agentId, merchantId)
  ctx.note(`${shop.shopName} (${merchantId})`, [{ name: '手机号', before: null, after: maskPhone(phone) }])
  return {
    phone: maskPhone(phone),
    secondsLeft: await settingOf(ctx, CODE_RESEND),
    inboxUrl: ctx.services.providers.inboxUrl,
  }
}

type Receiver = Awaited<ReturnType<typeof lockReceiver>> & { id: number }

/** Past the puzzle: queues a fresh code for the shop's present phone, which it answers. The shop is locked. */
export async function sendCodeTo(ctx: Ctx, shop: Receiver, purpose: CodePurpose): Promise<string> {
  refuse(refuseReceiver(shop), SEND_REFUSALS)
  const { id: merchantId, account: phone } = shop
  await refuseCodeTo(ctx, phone)
  const code = String(randomInt(10 ** CODE_LIMITS.digits)).padStart(CODE_LIMITS.digits, '0')
  const now = ctx.now.getTime()
  const expiresAt = new Date(now + CODE_LIMITS.validMinutes * 60_000).toISOString()
  await ctx.db.insert(verificationCodes).values({
    agentId: shop.agentId,
    merchantId,
    purpose,
    phone,
    codeHash: hashOf(ctx, { merchantId, purpose, phone }, code),
    createdAt: new Date(now).toISOString(),
    expiresAt,
  })
  await queueMessages(ctx, [
    {
      agentId: shop.agentId,
      merchantId,
      kind: CODE_KINDS[purpose],
      phone,
      template: TEMPLATES[purpose],
      params: { code, shop: shop.shopName },
      expiresAt,
    },
  ])
  return phone
}

/**
 * Consumes the code that was last sent to the shop's present phone (or `phone`) for this purpose, or refuses with a code of
 * CODE_REFUSALS and `field: 'code'`. A wrong try is counted although the caller is refused, and what the caller wrote
 * before is kept with it: call it before anything is written.
 */
export async function redeemCode(
  ctx: Ctx,
  {
    merchantId,
    purpose,
    code,
    phone: to,
  }: { merchantId: number; purpose: CodePurpose; code: string; phone?: string },
): Promise<void> {
  refuse(refuseTypedCode(purpose, code), CODE_REFUSALS, { field: 'code' })
  const { account, shopName } = await lockReceiver(ctx, merchantId)
  const phone = to ?? account
  const [sent] = await ctx.db
    .select()
    .from(verificationCodes)
    .where(
      and(
        eq(verificationCodes.merchantId, merchantId),
        eq(verificationCodes.purpose, purpose),
        ownRows(ctx, verificationCodes.agentId),
      ),
    )
    .orderBy(desc(verificationCodes.id))
    .limit(1)
    .for('update')
  if (
    !sent ||
    sent.phone !== phone ||
    sent.usedAt !== null ||
    Date.parse(sent.expiresAt) <= ctx.now.getTime()
  )
    refuse('CODE_WRONG', CODE_REFUSALS, { field: 'code' })
  else if (sent.failures >= CODE_LIMITS.wrongTries) refuse('CODE_SPENT', CODE_REFUSALS, { field: 'code' })
  else {
    const typed = hashOf(ctx, { merchantId, purpose, phone }, code.trim())
    if (!timingSafeEqual(typed, sent.codeHash)) await countWrongTry(ctx, sent, shopName)
    await ctx.db
      .update(verificationCodes)
      .set({ usedAt: ctx.now.toISOString() })
      .where(and(eq(verificationCodes.id, sent.id), isNull(verificationCodes.usedAt)))
  }
}

/** Kept with its row of the operation log although the caller is refused. */
async function countWrongTry(
  ctx: Ctx,
  sent: typeof verificationCodes.$inferSelect,
  shopName: string,
): Promise<never> {
  const failures = sent.failures + 1
  await ctx.db.update(verificationCodes).set({ failures }).where(eq(verificationCodes.id, sent.id))
  await logOperation(ctx, {
    operation: '/messages redeemCode',
    title: '验证码错误',
    subject: `${shopName} (${sent.merchantId})`,
    changes: [
      { name: '用途', before: null, after: CODE_USES[sent.purpose] },
      { name: '错误次数', before: null, after: countText(failures, '次') },
    ],
    by: ctx.actor,
    merchantId: sent.merchantId,
    outcome: 'refused',
  })
  const code = failures >= CODE_LIMITS.wrongTries ? 'CODE_SPENT' : 'CODE_WRONG'
  throw new Refusal(code, CODE_REFUSALS[code], { field: 'code' }, true)
}

type CodeOwner = { merchantId: number; purpose: CodePurpose; phone: string }

function hashOf(ctx: Ctx, { merchantId, purpose, phone }: CodeOwner, code: string): Buffer {
  return ctx.services.secrets.digest(`code ${purpose} ${merchantId} ${phone} ${code}`)
}

/** The shop, locked so that two calls for it come one after the other; NOT_FOUND where it is not the acting agent's. */
export async function lockReceiver(ctx: Ctx, merchantId: number) {
  const [shop] = await ctx.db
    .select({
      agentId: merchants.agentId,
      shopName: merchants.shopName,
      account: merchants.account,
      status: merchants.status,
    })
    .from(merchants)
    .where(and(eq(merchants.id, merchantId), ownRows(ctx, merchants.agentId)))
    .for('update')
  return found(shop)
}

/**
 * Refuses where no code would arrive, or too many have. Counted over all agents, shops and purposes: the phone is the same whoever
 * sends, and carriers count so too.
 */
export async function refuseCodeTo(ctx: Ctx, phone: string): Promise<void> {
  refuse(ctx.services.providers.sms === null ? 'CODES_UNCONNECTED' : null, SEND_REFUSALS)
  const today = startOfDay(formatDay(ctx.now)).toISOString()
  const { rows } = await ctx.client.query<{ sent: number; in_hour: number; last_ms: number | null }>({
    name: 'codes_sent',
    text: `select sent::int, sent_in_hour::int as in_hour, (extract(epoch from last_at) * 1000)::float8 as last_ms
      from codes_sent_to($1, $2)`,
    values: [phone, today],
  })
  const [{ sent, in_hour: inHour, last_ms: lastMs } = { sent: 0, in_hour: 0, last_ms: null }] = rows
  if (sent >= (await settingOf(ctx, CODES_PER_DAY))) refuse('CODE_TOO_MANY', SEND_REFUSALS)
  if (inHour >= (await settingOf(ctx, CODES_PER_HOUR))) refuse('CODE_TOO_MANY_NOW', SEND_REFUSALS)
  const secondsLeft = secondsUntilResend(lastMs, ctx.now.getTime(), await settingOf(ctx, CODE_RESEND))
  if (secondsLeft > 0) refuse('CODE_TOO_SOON', SEND_REFUSALS, { secondsLeft })
}
