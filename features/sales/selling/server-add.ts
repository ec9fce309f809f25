// Selling a shop its first version: quote, then confirm (money.md; D1 §2-§5).

import { eq } from 'drizzle-orm'
import { balancesOf, type Movement, nextDocumentNo, post } from '#features/money/ledger/server.ts'
import { agents } from '#features/office/agents/tables.ts'
import { buyerTerms, isLateFirst } from '#features/office/prices/server.ts'
import { regionsOf } from '#features/office/regions/server.ts'
import { ORDER_REFUSALS } from '#features/sales/orders/rules.ts'
import { findQuote, markPaid, quoteOrder } from '#features/sales/orders/server.ts'
import { MERCHANT_FIELDS } from '#features/shops/merchants/fields.ts'
import { REFUSALS, refuseNewMerchant, type Source } from '#features/shops/merchants/rules.ts'
import {
  insertMerchant,
  managerOf,
  type NewMerchantRow,
  refuseField,
  refuseUnknownIndustry,
  refuseUnknownManager,
} from '#features/shops/merchants/server-new.ts'
import { configOf } from '#features/shops/merchants/server-payment.ts'
import {
  asksBranches,
  type Price,
  type PricedVersion,
  type PurchaseTerms,
  priceOf,
  refuseNumbers,
  refuseTerm,
  termFrom,
  VERSION_REFUSALS,
} from '#features/shops/versions/rules.ts'
import { isSoldBy, pricedVersion } from '#features/shops/versions/server.ts'
import { versions } from '#features/shops/versions/tables.ts'
import { type KeysIn, keysIn, picked } from '#kit/declare/fields.ts'
import type { In, Out } from '#kit/declare/op.ts'
import { amountText } from '#kit/money.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { Refusal, refuse, refuseBroken } from '#server/refuse.ts'
import { hashPassword } from '#server/secrets.ts'
import type { selling as contract } from './contract.ts'

type Form = In<typeof contract.quote>
type Sale = { row: Pick<NewMerchantRow, 'shopName'>; smsCount: number }
/** What a quote remembers for its confirm. */
type Draft = {
  row: NewMerchantRow
  /** Base64. */
  paymentConfig: string | null
  smsCount: number
  months: number | null
}

export async function quoteMerchant(ctx: Ctx, form: Form): Promise<Out<typeof contract.quote>> {
  const { version, price } = await priceForm(ctx, form)
  const draft = await draftOf(ctx, form, price)
  const orderNo = await nextDocumentNo(ctx)
  const content = contentOf(form.shopName, version.name)
  await quoteOrder(ctx, {
    orderNo,
    salesType: 'new',
    versionId: version.id,
    terms: soldTerms(version, form, price),
    price,
    content,
    draft,
  })
  ctx.object('order', orderNo)
  ctx.note(orderNo, [{ name: '店铺名称', before: null, after: form.shopName }])
  const balance = await balancesOf(ctx, ctx.actor.agentId)
  return {
    orderNo,
    versionName: version.name,
    unit: price.unit,
    unitCents: price.unitCents,
    periods: price.periods,
    shops: price.shops,
    originalCents: price.originalCents,
    discountBasisPoints: price.discountBasisPoints,
    totalCents: price.totalCents,
    offer: price.offer,
    balanceBeforeCents: balance.tokenCents,
    balanceAfterCents: balance.tokenCents - price.totalCents,
    smsCount: form.smsCount,
    smsBefore: balance.sms,
    expiresAt: termFrom(ctx.now, draft.months).expiresAt,
  }
}

export function contentOf(shopName: string, versionName: string): string {
  return `新增商户 ${shopName} ${versionName}`
}

/** How long a term is; null: for ever. */
export function monthsOf(term: PurchaseTerms['term'], periods: number): number | null {
  return term === 'lifetime' ? null : term === 'year' ? periods * 12 : periods
}

/** The chosen version and its price for the acting agent; refuses what cannot be bought, in the order of D1 §5. */
async function priceForm(ctx: Ctx, form: Form) {
  const [chosen] = await ctx.db
    .select({
      version: pricedVersion(),
      authorised: isSoldBy(agents.id),
      format: agents.accountFormat,
    })
    .from(versions)
    .innerJoin(agents, eq(agents.id, ctx.actor.agentId))
    .where(eq(versions.id, form.versionId))
  refuse(refuseOnAdd(chosen), VERSION_REFUSALS, { field: 'versionId' })
  if (!chosen) throw new Error('unreachable')
  const unsold = refuseTerm(chosen.version, form.term)
  if (unsold) refuse(unsold, VERSION_REFUSALS, { field: TERM_FIELDS[unsold] ?? 'term' })
  const refusal = refuseNewMerchant(form, chosen.format)
  if (refusal) refuse(refusal.code, REFUSALS, { field: refusal.field })
  refuseBroken(MERCHANT_FIELDS, form)
  const broken = refuseNumbers(chosen.version, form)
  if (broken) refuse(broken, VERSION_REFUSALS, { field: TERM_FIELDS[broken] })
  const terms = await buyerTerms(ctx, 'version', 'new shop')
  const version = { ...chosen.version, conditions: terms.conditionsOf(chosen.version.id) }
  const price = priceOf(version, form, terms.discountBasisPoints)
  if (!price) throw new Refusal('TERM_REQUIRED', VERSION_REFUSALS.TERM_REQUIRED, { field: 'term' })
  return { version: chosen.version, price }
}

type Offered = Pick<typeof versions.$inferSelect, 'enabled' | 'offeredOnAdd'>

/** Why a version is not sold to a new shop by the acting agent, or null. */
export function refuseOnAdd(chosen: { version: Offered; authorised: boolean } | undefined) {
  if (!chosen) return 'VERSION_REQUIRED'
  if (!chosen.authorised) return 'VERSION_NOT_AUTHORIZED'
  if (!chosen.version.enabled) return 'VERSION_RETIRED'
  return chosen.version.offeredOnAdd ? null : 'VERSION_REQUIRED'
}

const TERM_FIELDS: Partial<Record<keyof typeof VERSION_REFUSALS, string>> = {
  YEARS_OUT_OF_RANGE: 'periods',
  MONTHS_OUT_OF_RANGE: 'periods',
  SHOPS_TOO_FEW: 'shops',
  SHOPS_TOO_MANY: 'shops',
  BRANCHES_TOO_FEW: 'branches',
  BRANCHES_TOO_MANY: 'branches',
  VERSION_UNPRICED: 'versionId',
}

/** The terms as they are priced: what the version does not ask for is not taken from the form. */
function soldTerms(version: PricedVersion, form: Form, price: Price): PurchaseTerms {
  const perBranch = asksBranches(version)
  return {
    term: form.term,
    periods: price.periods,
    shops: perBranch ? 1 : form.shops,
    branches: perBranch ? form.branches : 0,
  }
}

async function draftOf(ctx: Ctx, form: Form, price: Price): Promise<Draft> {
  const { path, managerId } = await placeOf(ctx, form)
  const paymentConfig = await configOf(ctx, form.paymentMethodId, form.paymentConfig, {})
  return {
    row: await rowOf(ctx, { ...form, managerId }, path, {
      shops: price.shops,
      payEnabled: paymentConfig !== null,
      source: 'backOffice',
    }),
    paymentConfig: paymentConfig?.toString('base64') ?? null,
    smsCount: form.smsCount,
    months: monthsOf(form.term, price.periods),
  }
}

/** Where the shop lies and who looks after it; refuses what is not there, and an account that is taken. */
export async function placeOf(
  ctx: Ctx,
  form: Pick<Form, 'industryId' | 'districtCode' | 'account' | 'managerId'>,
) {
  await refuseUnknownIndustry(ctx, form.industryId)
  const regions = await regionsOf(ctx)
  const path = regions.isOffered(form.districtCode) ? regions.pathOf(form.districtCode) : null
  if (!path) refuseField('DIVISION_REQUIRED', 'districtCode')
  await refuseTakenAccount(ctx, form.account)
  const managerId = managerOf(ctx, form.managerId)
  await refuseUnknownManager(ctx, managerId)
  return { path, managerId }
}

type Added = Pick<Form, KeysIn<typeof MERCHANT_FIELDS, 'add'>>

/** What a new shop of the acting agent begins as. */
export async function rowOf(
  ctx: Ctx,
  form: Added & Pick<Form, 'versionId' | 'password'>,
  path: Awaited<ReturnType<typeof placeOf>>['path'],
  sold: Sold,
): Promise<NewMerchantRow> {
  return newRow(ctx, form, path, sold, await hashPassword(form.password))
}

type Sold = { shops: number; payEnabled: boolean; source: Source }

/** The same where the password was hashed before. */
export function newRow(
  ctx: Ctx,
  form: Added & Pick<Form, 'versionId'>,
  path: Awaited<ReturnType<typeof placeOf>>['path'],
  sold: Sold,
  passwordHash: string,
): NewMerchantRow {
  return {
    agentId: ctx.actor.agentId,
    storeKind: 'head',
    ...picked(form, keysIn(MERCHANT_FIELDS, 'add')),
    ...path,
    industryId: form.industryId as number,
    passwordHash,
    versionId: form.versionId,
    shopsBought: sold.shops,
    status: 'normal',
    verificationStatus: 'unverified',
    payEnabled: sold.payEnabled,
    source: sold.source,
  }
}

export const addMerchant: Verb<typeof contract.add> = async (ctx, input) => {
  const quote = await findQuote(ctx, input.orderNo, 'new')
  const { offer, versionId: item } = quote.order
  const isLate = await isLateFirst(ctx, { book: 'version', item, offer, shopId: null })
  refuse(refuseOnAdd(quote), VERSION_REFUSALS)
  if (isLate) refuse('QUOTE_STALE', ORDER_REFUSALS)
  const draft = quote.order.draft as Draft
  const { now } = ctx
  const term = termFrom(now, draft.months)
  const id = await insertMerchant(ctx, draft, now, term)
  await markPaid(ctx, input.orderNo, id)
  ctx.object('order', input.orderNo)
  ctx.about(ctx.actor.agentId, id)
  ctx.note(`${draft.row.shopName} (${id})`, [
    { name: '订单号', before: null, after: input.orderNo },
    { name: '结算', before: null, after: amountText(quote.order.totalCents, '代币') },
  ])
  await post(ctx, movementsOf(ctx, { id, orderNo: input.orderNo, totalCents: quote.order.totalCents, draft }))
  return { id, orderNo: input.orderNo, totalCents: quote.order.totalCents, expiresAt: term.expiresAt }
}

/** What a new shop moves: its price in tokens, and the pieces of SMS that it begins with. */
export function movementsOf(
  ctx: Ctx,
  sale: { id: number; orderNo: string; totalCents: number; draft: Sale },
): Movement[] {
  const { agentId } = ctx.actor
  const common = { document: sale.orderNo, merchantId: sale.id, payMethod: 'balance', agentId } as const
  const description = `新增商户 ${sale.draft.row.shopName}`
  return [
    {
      ...common,
      kind: 'version-new',
      asset: 'token',
      amount: sale.totalCents,
      from: { kind: 'agent', id: agentId },
      to: { kind: 'vendor', book: 'revenue' },
      description,
    },
    {
      ...common,
      kind: 'sms-open',
      asset: 'sms',
      amount: sale.draft.smsCount,
      from: { kind: 'agent', id: agentId },
      to: { kind: 'merchant', id: sale.id },
      description: `${description} 短信`,
    },
  ]
}

async function refuseTakenAccount(ctx: Ctx, account: string): Promise<void> {
  // Account numbers are unique over all agents, which the acting agent's rows alone cannot show.
  const { rows } = await ctx.client.query<{ taken: boolean }>('select merchant_account_taken($1) as taken', [
    account,
  ])
  if (rows[0]?.taken) refuseField('ACCOUNT_TAKEN', 'account')
}
