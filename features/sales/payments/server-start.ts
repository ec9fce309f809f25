// Topping up from outside (D1 §4, postConvergePay and getConvergePayResult): what is offered, the order with its one intent,
// showing its QR anew, and how it stands.

import { randomBytes } from 'node:crypto'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { balancesOf, nextDocumentNo } from '#features/money/ledger/server.ts'
import { RECHARGE_ITEM } from '#features/office/prices/rules.ts'
import { type BuyerTerms, buyerTerms, priceAt } from '#features/office/prices/server.ts'
import { createRechargeOrder, rechargePackages } from '#features/sales/sms/server-recharge.ts'
import { smsOrders } from '#features/sales/sms/tables.ts'
import type { In, Out } from '#kit/declare/op.ts'
import { amountText, formatCents, formatCount } from '#kit/money.ts'
import type { PayChannelName } from '#kit/ports/channels.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { found, Refusal, refuse, refuseCommon } from '#server/refuse.ts'
import { SYSTEM_ACTOR } from '#server/system.ts'
import type { payments as contract } from './contract.ts'
import {
  BUSINESS_TYPES,
  LIMITS,
  OPEN,
  type PaidAsset,
  packPrice,
  pollAnswer,
  type RechargePrice,
  refuseAmount,
  refuseOver,
  refusePieces,
  refuseTokens,
  START_REFUSALS,
  smsPrice,
  tokenPrice,
} from './rules.ts'
import { channelsOf, offeredChannels, openAttempt, type Parties } from './server-attempts.ts'
import { createTokenOrder } from './server-orders.ts'
import { paymentAttempts, paymentIntents } from './tables.ts'

type Shown = Out<typeof contract.startSms>
type Intent = typeof paymentIntents.$inferSelect & { remainingSeconds: number }

const PERMISSIONS: Record<PaidAsset, string> = {
  sms: 'payments.sms',
  token: 'payments.tokens',
  // Paid by shops; the agent reads it.
  renewal: 'ledger.changes',
  deposit: 'ledger.changes',
}
/** 128 bits and more: nobody finds an address by trying. */
const TOKEN_BYTES = 24
/** How long after its end an order may still turn out to have been paid in time. */
const ENDING_SECONDS = 15

/** In fen: of a token, and of a hundred pieces of SMS where no package is chosen. */
export async function pricesOf(ctx: Ctx): Promise<{ tokenFen: number; smsHundredFen: number }> {
  const item = sql`${RECHARGE_ITEM}`
  const [prices] = await ctx.db
    .select({
      tokenFen: priceAt('recharge', item, 'token'),
      smsHundredFen: priceAt('recharge', item, 'smsHundred'),
    })
    .from(sql`(values (1)) as one`)
  const { tokenFen, smsHundredFen } = prices ?? {}
  if (tokenFen == null || smsHundredFen == null) throw new Error('the prices of tokens and SMS are missing')
  return { tokenFen, smsHundredFen }
}

/** What decides the price of an item of the book `recharge` for the acting agent now. */
const termsOf = (terms: BuyerTerms, item: number) => ({
  discountBasisPoints: terms.discountBasisPoints,
  conditions: terms.conditionsOf(item),
})
const rechargeTerms = (ctx: Ctx) => buyerTerms(ctx, 'recharge', 'no shop')

export async function offer(ctx: Ctx): Promise<Out<typeof contract.offer>> {
  const prices = await pricesOf(ctx)
  const terms = await rechargeTerms(ctx)
  const balance = await balancesOf(ctx, ctx.actor.agentId)
  return {
    sms: ctx.actor.permissions.has(PERMISSIONS.sms),
    tokens: ctx.actor.permissions.has(PERMISSIONS.token),
    packages: (await rechargePackages(ctx)).map(pack => ({ ...pack, ...termsOf(terms, pack.id) })),
    ...prices,
    ...termsOf(terms, RECHARGE_ITEM),
    limits: {
      piecesMax: LIMITS.piecesMax,
      tokenCentsMax: LIMITS.tokenCentsMax,
      amountFenMax: LIMITS.amountFenMax,
    },
    channels: await offeredChannels(ctx, ctx.actor.agentId),
    balanceCents: balance.tokenCents,
    smsBalance: balance.sms,
  }
}

export async function startSms(ctx: Ctx, input: In<typeof contract.startSms>): Promise<Shown> {
  const { pieces, packageId, price } =
    input.packageId === null ? await typed(ctx, input.pieces) : await packed(ctx, input.packageId)
  refuse(refuseAmount(price.amountFen), START_REFUSALS, { field: 'pieces' })
  refusePrice(price, input)
  const [channel] = await channelsFor(ctx, { agentId: ctx.actor.agentId, payeeAgentId: null })
  const orderNo = await nextDocumentNo(ctx)
  await createRechargeOrder(ctx, { orderNo, pieces, packageId, price, channel })
  const subject = `短信充值 ${withBonus(pieces, price.bonus, count => `${formatCount(count)}条`)}`
  return openOwn(ctx, { asset: 'sms', orderNo, amountFen: price.amountFen, subject })
}

async function typed(ctx: Ctx, pieces: number | null) {
  refuse(refusePieces(pieces), START_REFUSALS, { field: 'pieces' })
  const { smsHundredFen } = await pricesOf(ctx)
  const terms = termsOf(await rechargeTerms(ctx), RECHARGE_ITEM)
  return { pieces: pieces ?? 0, packageId: null, price: smsPrice(pieces ?? 0, smsHundredFen, terms) }
}

async function packed(ctx: Ctx, packageId: number) {
  const pack = (await rechargePackages(ctx)).find(({ id }) => id === packageId)
  if (!pack) throw new Refusal('PACKAGE_UNKNOWN', START_REFUSALS.PACKAGE_UNKNOWN, { field: 'packageId' })
  const terms = termsOf(await rechargeTerms(ctx), packageId)
  return { pieces: pack.pieces, packageId, price: packPrice(pack, terms) }
}

export async function startTokens(ctx: Ctx, input: In<typeof contract.startTokens>): Promise<Shown> {
  refuse(refuseTokens(input.tokenCents), START_REFUSALS, { field: 'tokenCents' })
  const tokenCents = input.tokenCents ?? 0
  const terms = termsOf(await rechargeTerms(ctx), RECHARGE_ITEM)
  const price = tokenPrice(tokenCents, (await pricesOf(ctx)).tokenFen, terms)
  refuse(refuseAmount(price.amountFen), START_REFUSALS, { field: 'tokenCents' })
  refusePrice(price, input)
  const orderNo = await nextDocumentNo(ctx)
  await createTokenOrder(ctx, { orderNo, tokenCents, price })
  const subject = `代币充值 ${withBonus(tokenCents, price.bonus, formatCents)}`
  return openOwn(ctx, { asset: 'token', orderNo, amountFen: price.amountFen, subject })
}

/** What is credited, and what of it is given. */
function withBonus(bought: number, bonus: number, textOf: (count: number) => string): string {
  return bonus === 0 ? textOf(bought) : `${textOf(bought + bonus)}（含赠送${textOf(bonus)}）`
}

function refusePrice(
  { amountFen, bonus }: RechargePrice,
  shown: { amountFen: number | null; bonus: number | null },
): void {
  const isSame = (shown.amountFen ?? amountFen) === amountFen && (shown.bonus ?? bonus) === bonus
  if (!isSame) refuse('PRICE_CHANGED', START_REFUSALS, { amountFen, bonus })
}

async function channelsFor(ctx: Ctx, parties: Parties): Promise<[PayChannelName, ...PayChannelName[]]> {
  const [first, ...others] = await channelsOf(ctx, parties)
  if (!first) throw new Refusal('NO_CHANNEL', START_REFUSALS.NO_CHANNEL)
  return [first, ...others]
}

function openOwn(
  ctx: Ctx,
  order: Pick<OrderToPay, 'asset' | 'orderNo' | 'amountFen' | 'subject'>,
): Promise<Shown> {
  const { agentId, accountId, name } = ctx.actor
  return openIntent(ctx, { ...order, agentId, accountId, accountName: name, payeeAgentId: null })
}

/** What is to be paid, by whom and to whom. */
export type OrderToPay = Pick<
  Intent,
  'asset' | 'orderNo' | 'amountFen' | 'subject' | 'agentId' | 'payeeAgentId' | 'accountId' | 'accountName'
>

/**
 * Opens the one intent of an order that its feature has made in the same transaction. Also for a public verb: a payer without
 * an account is account 0 under the name that lists are to show. Refuses AMOUNT_TOO_LARGE, NO_CHANNEL and TOO_MANY_OPEN.
 */
export async function openIntent(ctx: Ctx, order: OrderToPay): Promise<Shown> {
  if (!ctx.services.paid[order.asset]) throw new Error(`no feature credits ${order.asset}`)
  if (!Number.isSafeInteger(order.amountFen) || order.amountFen < 1)
    throw new Error(`${order.amountFen} fen cannot be paid`)
  refuse(refuseAmount(order.amountFen), START_REFUSALS)
  const channels = await channelsFor(ctx, order)
  const { payeeAgentId } = order
  const waiting = await ctx.db.$count(
    paymentIntents,
    and(
      eq(paymentIntents.agentId, order.agentId),
      // What strangers leave unpaid at an agent's own account keeps the agent from nothing.
      payeeAgentId === null
        ? isNull(paymentIntents.payeeAgentId)
        : eq(paymentIntents.payeeAgentId, payeeAgentId),
      eq(paymentIntents.status, 'waiting'),
      sql`${paymentIntents.expiresAt} > now()`,
    ),
  )
  if (waiting >= LIMITS.openOrders) refuse('TOO_MANY_OPEN', START_REFUSALS)
  const [intent] = await ctx.db
    .insert(paymentIntents)
    .values({
      ...order,
      id: await nextDocumentNo(ctx),
      businessType: BUSINESS_TYPES[order.asset],
      token: randomBytes(TOKEN_BYTES).toString('base64url'),
      displayUntil: displayUntil(),
      status: 'waiting',
      createdAt: sql`now()`,
      expiresAt: sql`now() + make_interval(secs => ${LIMITS.orderSeconds})`,
    })
    .returning()
  const made = { ...found(intent), remainingSeconds: LIMITS.orderSeconds }
  const [only] = channels.length === 1 ? channels : []
  if (only) await openAttempt(ctx, made, only)
  ctx.object('order', order.orderNo)
  ctx.object('payment', made.id)
  ctx.about(order.agentId)
  const changes = [
    { name: '支付单号', before: null, after: made.id },
    { name: '金额', before: null, after: amountText(order.amountFen, '元') },
  ]
  const by = order.accountId === 0 ? { ...SYSTEM_ACTOR, name: order.accountName } : undefined
  ctx.note(`${order.subject} (${order.orderNo})`, changes, by)
  return shown(ctx, made, channels, null)
}

const displayUntil = () => sql`now() + make_interval(secs => ${LIMITS.displaySeconds})`

function shown(ctx: Ctx, intent: Intent, channels: readonly PayChannelName[], codeUrl: string | null): Shown {
  return {
    queryId: intent.id,
    orderNo: intent.orderNo,
    subject: intent.subject,
    amountFen: intent.amountFen,
    payUrl: `${ctx.services.baseUrl()}/c/${intent.token}`,
    expired: LIMITS.displaySeconds,
    expiresAt: intent.expiresAt,
    remainingSeconds: intent.remainingSeconds,
    channels: [...channels],
    mode: channels.length === 1 ? 'native' : 'both',
    codeUrl: channels.length === 1 ? codeUrl : null,
    phoneUrl: ctx.services.providers.phoneUrl,
  }
}

/** The intent of this agent with the seconds that are left by the database's clock, if the account may see such. */
async function findIntent(ctx: Ctx, queryId: string): Promise<Intent> {
  const [intent] = await ctx.db
    .select({ intent: paymentIntents, remainingSeconds: remaining() })
    .from(paymentIntents)
    .where(and(eq(paymentIntents.id, queryId), ownRows(ctx, paymentIntents.agentId)))
  const { intent: row, remainingSeconds } = found(intent)
  if (!ctx.actor.permissions.has(PERMISSIONS[row.asset])) refuseCommon('FORBIDDEN')
  return { ...row, remainingSeconds }
}

/** Seconds until an order ends, rounded up; 0 once it has. */
export function remaining() {
  return sql<number>`greatest(0, ceil(extract(epoch from ${paymentIntents.expiresAt} - now())))`.mapWith(
    Number,
  )
}

/** The same intent and attempts with a longer display: a slow payer pays what was first shown. */
export async function refresh(ctx: Ctx, input: In<typeof contract.refresh>): Promise<Shown> {
  const intent = await findIntent(ctx, input.queryId)
  refuse(refuseOver(intent), START_REFUSALS)
  const [moved] = await ctx.db
    .update(paymentIntents)
    .set({ displayUntil: displayUntil() })
    .where(and(eq(paymentIntents.id, intent.id), eq(paymentIntents.status, 'waiting')))
    .returning({ id: paymentIntents.id })
  if (!moved) refuse('ORDER_PAID', START_REFUSALS)
  const channels = await channelsOf(ctx, intent)
  if (channels.length === 0) refuse('NO_CHANNEL', START_REFUSALS)
  ctx.afterCommit(() => ctx.services.wake('payments'))
  return shown(ctx, intent, channels, await codeOf(ctx, intent.id))
}

async function codeOf(ctx: Ctx, intentId: string): Promise<string | null> {
  const attempts = await ctx.db
    .select({ codeUrl: paymentAttempts.codeUrl })
    .from(paymentAttempts)
    .where(and(eq(paymentAttempts.intentId, intentId), inArray(paymentAttempts.status, OPEN)))
  return attempts.length === 1 ? (attempts[0]?.codeUrl ?? null) : null
}

/** Changes nothing; whoever looks has the background look too, which asks a channel at most every 3 s. */
export const result: Verb<typeof contract.result> = async (ctx, input) => {
  const intent = await findIntent(ctx, input.queryId)
  const isOpen = intent.status === 'waiting' || intent.status === 'expired'
  if (isOpen) ctx.services.wake('payments')
  return {
    ...pollAnswer(intent.status, intent.status === 'expired' && (await isBeingEnded(ctx, intent.id))),
    state: intent.status,
    remainingSeconds: intent.status === 'waiting' ? intent.remainingSeconds : 0,
    codeUrl: intent.status === 'waiting' ? await codeOf(ctx, intent.id) : null,
    askedAt: intent.askedAt,
  }
}

async function isBeingEnded(ctx: Ctx, intentId: string): Promise<boolean> {
  const [open] = await ctx.db
    .select({ id: paymentAttempts.id })
    .from(paymentAttempts)
    .innerJoin(paymentIntents, eq(paymentIntents.id, paymentAttempts.intentId))
    .where(
      and(
        eq(paymentAttempts.intentId, intentId),
        inArray(paymentAttempts.status, OPEN),
        sql`${paymentIntents.expiresAt} > now() - make_interval(secs => ${ENDING_SECONDS})`,
      ),
    )
    .limit(1)
  return open !== undefined
}

/** What the channels say of an SMS order that is not complete: they are asked now, in the background. */
export const check: Verb<typeof contract.check> = async (ctx, input) => {
  const [row] = await ctx.db
    .select({ id: paymentIntents.id, status: paymentIntents.status, askedAt: paymentIntents.askedAt })
    .from(smsOrders)
    .innerJoin(paymentIntents, eq(paymentIntents.orderNo, smsOrders.orderNo))
    .where(and(eq(smsOrders.orderNo, input.orderNo), ownRows(ctx, smsOrders.agentId)))
  const intent = found(row)
  if (intent.status === 'paid')
    return { queryId: intent.id, result: 1, asking: false, askedAt: intent.askedAt }
  const asked = await askNow(ctx, intent.id, 'patiently')
  return { queryId: intent.id, result: 0, asking: asked > 0, askedAt: intent.askedAt }
}

/**
 * Has the channels of an intent asked at once; 'patiently' not more often than every 3 s. Answers how many attempts there
 * are to ask about.
 */
export async function askNow(ctx: Ctx, intentId: string, how: 'patiently' | 'at once'): Promise<number> {
  const askable = and(
    eq(paymentAttempts.intentId, intentId),
    inArray(paymentAttempts.status, ['waiting', 'unknown', 'closed', 'failed']),
  )
  const attempts = await ctx.db.select({ id: paymentAttempts.id }).from(paymentAttempts).where(askable)
  if (attempts.length === 0) return 0
  const isRested = sql`${paymentAttempts.updatedAt} < now() - make_interval(secs => ${LIMITS.queryEveryMs / 1_000})`
  await ctx.db
    .update(paymentAttempts)
    .set({ askAt: sql`now()` })
    .where(and(askable, how === 'patiently' ? isRested : undefined))
  ctx.afterCommit(() => ctx.services.wake('payments'))
  return attempts.length
}
