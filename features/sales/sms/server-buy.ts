// SMS credit of a shop: packages that its agent pays with tokens, and credit taken back (SmsHandle of D1 §7 and D2 §7).

import { and, asc, eq, getTableColumns, inArray, isNotNull, sql } from 'drizzle-orm'
import { balancesOf, type Movement, nextDocumentNo, post } from '#features/money/ledger/server.ts'
import { ledgerAccounts } from '#features/money/ledger/tables.ts'
import { priceLine } from '#features/office/prices/rules.ts'
import { type BuyerTerms, buyerTerms, isLateFirst, priceAt } from '#features/office/prices/server.ts'
import { refuseShop } from '#features/sales/services/rules.ts'
import { pay } from '#features/sales/services/server-buy.ts'
import { findShop, lockShop } from '#features/sales/services/server-shop.ts'
import { redeemCode } from '#features/shops/messages/server-codes.ts'
import { amountText, countText } from '#kit/money.ts'
import { maskPhone } from '#kit/words/phone.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { Refusal, refuse } from '#server/refuse.ts'
import type { sms as contract } from './contract.ts'
import {
  refuseRecall,
  refuseRecallFrom,
  refuseRemark,
  SMS_ORDER_KINDS,
  SMS_REFUSALS,
  type SmsRefusal,
} from './rules.ts'
import { smsOrders, smsPackages } from './tables.ts'

type Shop = Awaited<ReturnType<typeof lockShop>>

const PRICE = priceAt('sms', smsPackages.id, 'pack')
const PACKAGE = { ...getTableColumns(smsPackages), priceCents: sql<number>`${PRICE}`.mapWith(Number) }
const SOLD = and(smsPackages.enabled, isNotNull(PRICE))

function packPrice({ id, priceCents }: { id: number; priceCents: number }, terms: BuyerTerms) {
  const line = { part: 'pack', unitCents: priceCents, count: 1 }
  return priceLine(line, terms.discountBasisPoints, terms.conditionsOf(id))
}

/** Packages at the buyer's price, and what the shop holds. */
export const packagesOf: Verb<typeof contract.packages> = async (ctx, input) => {
  const shop = await findShop(ctx, input.merchantId)
  const rows = await ctx.db
    .select(PACKAGE)
    .from(smsPackages)
    .where(SOLD)
    .orderBy(asc(smsPackages.position), asc(smsPackages.id))
  const terms = await buyerTerms(ctx, 'sms', shop.id)
  const balance = await balancesOf(ctx, ctx.actor.agentId)
  return {
    rows: rows.map(row => ({ ...row, ...packPrice(row, terms) })),
    discountBasisPoints: terms.discountBasisPoints,
    balanceCents: balance.tokenCents,
    credit: await creditOf(ctx, shop.id),
    refusal: told(refuseShop(shop, ctx.actor.agentId)),
  }
}

/** Pieces of SMS that a shop holds; 0 where it never got any. */
export async function creditOf(ctx: Ctx, merchantId: number): Promise<number> {
  return (await creditsOf(ctx, [merchantId])).get(merchantId) ?? 0
}

/** Pieces of SMS by shop; none for a shop that never got any. */
export async function creditsOf(ctx: Ctx, merchantIds: readonly number[]): Promise<Map<number, number>> {
  const accounts = await ctx.db
    .select({ merchantId: ledgerAccounts.ownerId, balance: ledgerAccounts.balance })
    .from(ledgerAccounts)
    .where(
      and(
        eq(ledgerAccounts.ownerKind, 'merchant'),
        inArray(ledgerAccounts.ownerId, [...merchantIds]),
        eq(ledgerAccounts.asset, 'sms'),
        ownRows(ctx, ledgerAccounts.agentId),
      ),
    )
  return new Map(accounts.map(({ merchantId, balance }) => [merchantId, balance ?? 0]))
}

function told(code: SmsRefusal | null) {
  return code && { code, message: SMS_REFUSALS[code] }
}

export const buyPackage: Verb<typeof contract.buy> = async (ctx, input) => {
  refuse(refuseRemark(input.remark), SMS_REFUSALS, { field: 'remark' })
  const shop = await lockShop(ctx, input.merchantId)
  refuse(refuseShop(shop, ctx.actor.agentId), SMS_REFUSALS)
  const [pack] = await ctx.db
    .select(PACKAGE)
    .from(smsPackages)
    .where(and(eq(smsPackages.id, input.packageId), SOLD))
  if (!pack) throw new Refusal('PACKAGE_UNKNOWN', SMS_REFUSALS.PACKAGE_UNKNOWN)
  const terms = await buyerTerms(ctx, 'sms', shop.id)
  const { totalCents, offer = '' } = packPrice(pack, terms)
  const isLate = await isLateFirst(ctx, { book: 'sms', item: pack.id, offer, shopId: shop.id })
  if (totalCents !== input.totalCents || isLate) refuse('PRICE_CHANGED', SMS_REFUSALS, { totalCents })
  const { tokenCents } = await balancesOf(ctx, ctx.actor.agentId)
  if (totalCents > tokenCents)
    refuse('INSUFFICIENT', SMS_REFUSALS, { balance: tokenCents, missing: totalCents - tokenCents })
  const orderNo = await nextDocumentNo(ctx)
  ctx.object('order', orderNo)
  ctx.about(shop.agentId, shop.id)
  ctx.note(`${shop.shopName} (${shop.id})`, [
    { name: '订单号', before: null, after: orderNo },
    { name: '短信', before: null, after: countText(pack.pieces, '条') },
    { name: '结算', before: null, after: amountText(totalCents, '代币') },
  ])
  const posted = await pay(ctx, packageMovements(ctx, shop, { ...pack, orderNo, totalCents }))
  const order = await writeOrder(ctx, shop, posted, {
    orderNo,
    kind: 'package',
    packageId: pack.id,
    name: pack.name,
    pieces: pack.pieces,
    originalCents: pack.priceCents,
    discountBasisPoints: terms.discountBasisPoints,
    offer,
    totalCents,
    remark: input.remark,
  })
  const after = await balancesOf(ctx, ctx.actor.agentId)
  return { orderNo, totalCents, ...order, balanceAfterCents: after.tokenCents }
}

type Sale = { orderNo: string; pieces: number; totalCents: number; name: string }

/** The tokens to the vendor, and the credit that the vendor's supplier gives to the shop. */
function packageMovements(ctx: Ctx, shop: Shop, { orderNo, pieces, totalCents, name }: Sale): Movement[] {
  const { agentId } = ctx.actor
  const common = {
    kind: 'sms-package',
    document: orderNo,
    merchantId: shop.id,
    payMethod: 'balance',
    agentId,
    description: `${name} ${shop.shopName}`,
  } as const
  const credit: Movement = {
    ...common,
    asset: 'sms',
    amount: pieces,
    from: { kind: 'vendor', book: 'sms-supplier' },
    to: { kind: 'merchant', id: shop.id },
  }
  const price: Movement = {
    ...common,
    asset: 'token',
    amount: totalCents,
    from: { kind: 'agent', id: agentId },
    to: { kind: 'vendor', book: 'revenue' },
  }
  return [price, credit]
}

type OrderRow = Pick<
  typeof smsOrders.$inferInsert,
  | 'orderNo'
  | 'kind'
  | 'packageId'
  | 'name'
  | 'pieces'
  | 'originalCents'
  | 'discountBasisPoints'
  | 'offer'
  | 'totalCents'
  | 'remark'
>

/**
 * Written after the posting, since only the posting knows the shop's credit before and after: other movements of the
 * shop's credit do not wait for its row. The last transfer is the one of the credit.
 */
export async function writeOrder(ctx: Ctx, shop: Shop, posted: number[], row: OrderRow) {
  const now = ctx.now.toISOString()
  const balance = (column: 'balance_before' | 'balance_after') => sql<number>`(
    select e.${sql.identifier(column)} from ledger_entries e join ledger_accounts a on a.id = e.account_id
    where e.transfer_id = ${posted.at(-1)} and a.owner_kind = 'merchant' and a.owner_id = ${shop.id})`
  const [written] = await ctx.db
    .insert(smsOrders)
    .values({
      ...row,
      agentId: shop.agentId,
      merchantId: shop.id,
      payMethod: row.kind === 'gift' ? 'gift' : 'balance',
      status: 'paid',
      smsBefore: balance('balance_before'),
      smsAfter: balance('balance_after'),
      createdBy: ctx.actor.accountId,
      createdByName: ctx.actor.name,
      createdAt: now,
      paidAt: now,
      ...(row.kind === 'recall'
        ? { changedAt: now, changeBefore: balance('balance_before'), changeAfter: balance('balance_after') }
        : {}),
    })
    .returning({ smsBefore: smsOrders.smsBefore, smsAfter: smsOrders.smsAfter })
  if (written?.smsBefore == null || written.smsAfter == null)
    throw new Error(`order ${row.orderNo} of shop ${shop.id} found no entry of its credit`)
  return { smsBefore: written.smsBefore, smsAfter: written.smsAfter }
}

/** What can be recalled from the shop. */
export const recallable: Verb<typeof contract.recallable> = async (ctx, input) => {
  const shop = await findShop(ctx, input.merchantId)
  const balance = await balancesOf(ctx, ctx.actor.agentId)
  return {
    credit: await creditOf(ctx, shop.id),
    needsRecoveryCode: shop.needsRecoveryCode,
    phone: maskPhone(shop.account),
    agentSms: balance.sms,
    refusal: told(refuseRecallFrom(shop, ctx.actor.agentId)),
  }
}

/** Takes pieces back from the shop to its agent; refuses more than it holds, and a wrong code where it asks for one. */
export const recallCredit: Verb<typeof contract.recall> = async (ctx, input) => {
  const shop = await lockShop(ctx, input.merchantId)
  refuse(refuseRecallFrom(shop, ctx.actor.agentId), SMS_REFUSALS)
  const credit = await creditOf(ctx, shop.id)
  const code = refuseRecall(input, { credit, needsRecoveryCode: shop.needsRecoveryCode })
  refuse(code, SMS_REFUSALS, { field: code?.startsWith('RECALL_') ? 'pieces' : 'code', credit })
  if (shop.needsRecoveryCode)
    await redeemCode(ctx, { merchantId: shop.id, purpose: 'recovery', code: input.code })
  const orderNo = await nextDocumentNo(ctx)
  ctx.object('order', orderNo)
  ctx.about(shop.agentId, shop.id)
  ctx.note(`${shop.shopName} (${shop.id})`, [
    { name: '订单号', before: null, after: orderNo },
    { name: '回收', before: null, after: countText(input.pieces, '条') },
  ])
  const posted = await takeBack(ctx, shop, orderNo, input.pieces)
  const order = await writeOrder(ctx, shop, posted, {
    orderNo,
    kind: 'recall',
    name: SMS_ORDER_KINDS.recall,
    pieces: input.pieces,
    originalCents: 0,
    discountBasisPoints: 10_000,
    totalCents: 0,
  })
  const after = await balancesOf(ctx, ctx.actor.agentId)
  return { orderNo, ...order, agentSms: after.sms }
}

async function takeBack(ctx: Ctx, shop: Shop, orderNo: string, pieces: number): Promise<number[]> {
  try {
    return await post(ctx, [
      {
        kind: 'sms-recall',
        asset: 'sms',
        amount: pieces,
        from: { kind: 'merchant', id: shop.id },
        to: { kind: 'agent', id: shop.agentId },
        document: orderNo,
        merchantId: shop.id,
        payMethod: 'balance',
        agentId: shop.agentId,
        description: `${SMS_ORDER_KINDS.recall} ${shop.shopName}`,
      },
    ])
  } catch (error) {
    // Used between the look at the credit and the posting.
    if (!(error instanceof Refusal) || error.code !== 'SMS_INSUFFICIENT') throw error
    throw new Refusal('RECALL_TOO_MANY', SMS_REFUSALS.RECALL_TOO_MANY, { field: 'pieces' })
  }
}
