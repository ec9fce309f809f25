// What anybody sees who knows a shop's address: nothing about a person. Also read by point-of-sale clients, which ask again and again.
import { and, eq, inArray, isNull } from 'drizzle-orm'
import { ledgerAccounts } from '#features/money/ledger/tables.ts'
import { agents } from '#features/office/agents/tables.ts'
import { triesOf } from '#features/office/captcha/server-tries.ts'
import { discountOf } from '#features/office/prices/server.ts'
import { planPurchase, type Wanted } from '#features/sales/purchases/rules.ts'
import { catalogueOf, findShop, reachOf, versionIn } from '#features/sales/purchases/server-shops.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { versions } from '#features/shops/versions/tables.ts'
import type { Out } from '#kit/declare/op.ts'
import { pictureAddress } from '#kit/picture.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { Refusal, refuseCommon } from '#server/refuse.ts'
import { inTheNameOf, systemOf } from '#server/system.ts'
import type { shopPages as contract } from './contract.ts'
import { daysLeft, OWED, type PageContent, type RenewalScope, SHOP_REFUSALS, UNKNOWN_CODES } from './rules.ts'
import { offeredPrices } from './server-offer.ts'
import { faceOf, publishedContent } from './server-settings.ts'
import { shopCodes as codes, onlineRenewals as renewals } from './tables.ts'

type ShopPage = Out<typeof contract.page>
export type OpenedShop = {
  codeId: number
  agentId: number
  merchantId: number
  shopName: string
  versionId: number
  versionName: string
  expiresAt: string | null
  state: ShopPage['state']
}

export const readPage: Verb<typeof contract.page> = async (ctx, { code }) => {
  const shop = await openedBy(ctx, code)
  const page = shop.state === 'open' ? await openPage(ctx, shop) : closedPage(shop.state)
  ctx.request.tag(JSON.stringify(page))
  return page
}

/** The shop of an address that stands; NOT_FOUND for every other, and THROTTLED for a network that has tried many. */
export async function openedBy(ctx: Ctx, code: string): Promise<OpenedShop> {
  const tries = triesOf(ctx, 'shop pages', UNKNOWN_CODES.minutes)
  if (tries.count >= UNKNOWN_CODES.perNetwork) refuseCommon('THROTTLED')
  const [row] = await ctx.db
    .select({
      codeId: codes.id,
      agentId: codes.agentId,
      merchantId: merchants.id,
      shopName: merchants.shopName,
      status: merchants.status,
      versionId: merchants.versionId,
      versionName: versions.name,
      expiresAt: merchants.expiresAt,
      agentEnabled: agents.enabled,
    })
    .from(codes)
    // A shop that was moved has no address until its new agent makes one.
    .innerJoin(merchants, and(eq(merchants.id, codes.merchantId), eq(merchants.agentId, codes.agentId)))
    .innerJoin(agents, eq(agents.id, codes.agentId))
    .innerJoin(versions, eq(versions.id, merchants.versionId))
    .where(and(eq(codes.code, code), isNull(codes.revokedAt)))
  if (!row) {
    tries.count += 1
    refuseCommon('NOT_FOUND')
  }
  const { status, agentEnabled, ...shop } = row
  const state = !agentEnabled ? 'agentDisabled' : status === 'disabled' ? 'shopDisabled' : 'open'
  return { ...shop, state }
}

/** The same, refused where its page is closed. */
export async function openShop(ctx: Ctx, code: string): Promise<OpenedShop> {
  const shop = await openedBy(ctx, code)
  if (shop.state !== 'open') throw new Refusal('PAGE_CLOSED', SHOP_REFUSALS.PAGE_CLOSED)
  return shop
}

function closedPage(state: ShopPage['state']): ShopPage {
  return { state, shop: null, agent: null, blocks: [], notices: [], renewal: { offers: [], owed: [] } }
}

async function openPage(ctx: Ctx, shop: OpenedShop): Promise<ShopPage> {
  const { agentId, merchantId, expiresAt } = shop
  const content = await publishedContent(ctx, agentId)
  const [credit] = await ctx.db
    .select({ balance: ledgerAccounts.balance })
    .from(ledgerAccounts)
    .where(
      and(
        eq(ledgerAccounts.ownerKind, 'merchant'),
        eq(ledgerAccounts.ownerId, merchantId),
        eq(ledgerAccounts.asset, 'sms'),
      ),
    )
  return {
    state: shop.state,
    shop: {
      name: shop.shopName,
      versionName: shop.versionName,
      expiresAt,
      daysLeft: expiresAt === null ? null : daysLeft(expiresAt, ctx.now),
      smsBalance: credit?.balance ?? 0,
    },
    agent: await faceOf(ctx, agentId),
    ...shownOf(content),
    renewal: { offers: await offersFor(ctx, shop), owed: await owedBy(ctx, shop) },
  }
}

/** What of a content shops see: blocks that are switched on, without what is only the editor's. */
export function shownOf(content: PageContent | null): Pick<ShopPage, 'blocks' | 'notices'> {
  return {
    blocks: (content?.blocks ?? [])
      .filter(({ enabled }) => enabled)
      .map(({ type, text, pictureId, skips, link }) => ({
        type,
        text,
        picture: pictureId === null ? null : pictureAddress(pictureId),
        link: skips ? link : null,
      })),
    notices: [...(content?.notices ?? [])],
  }
}

/** Paid, and neither renewed nor given back. */
function owedBy(ctx: Ctx, { merchantId, agentId }: OpenedShop) {
  return ctx.db
    .select({ orderNo: renewals.orderNo, state: renewals.state, paidAt: renewals.paidAt })
    .from(renewals)
    .where(
      and(
        eq(renewals.merchantId, merchantId),
        eq(renewals.agentId, agentId),
        inArray(renewals.state, [...OWED]),
      ),
    )
    .orderBy(renewals.id)
}

export const wantedOf = (years: number, scope: RenewalScope): Wanted => ({
  ...{ scope, term: 'year', periods: years, shops: 1 },
})

/**
 * What the shop may renew now, by the rules that its agent buys by, for the agent's own prices: a chain's head with all its branches
 * where they can be renewed together, else the shop alone.
 */
export async function offersFor(ctx: Ctx, shop: OpenedShop): Promise<ShopPage['renewal']['offers']> {
  const offered = await offeredPrices(ctx, shop.agentId)
  const prices = offered.filter(({ versionId }) => versionId === shop.versionId)
  if (prices.length === 0) return []
  const named = inTheNameOf(ctx, systemOf(shop)).ctx
  const facts = await findShop(named, shop.merchantId)
  const catalogue = await catalogueOf(named)
  const reach = await reachOf(named, facts, 'all', [])
  // A branch of another version would take this one: that is its agent's to ask for.
  const together = reach.branches.every(({ versionId }) => versionId === shop.versionId)
  const scopes: RenewalScope[] = reach.branchCount > 0 && together ? ['all', 'head'] : ['head']
  const version = versionIn(catalogue, shop.versionId)
  const discountBasisPoints = await discountOf(named)
  const now = ctx.now.toISOString()
  return prices.flatMap(({ versionId, years, priceFen }) => {
    const plans = scopes.flatMap(scope => {
      const wanted = wantedOf(years, scope)
      const planned = planPurchase({
        ...{ shop: facts, ...reach, presentOf: () => version, version, wanted, discountBasisPoints, now },
      })
      return 'plan' in planned ? [{ scope, ...planned.plan }] : []
    })
    const [best] = plans
    if (!best) return []
    const { scope, price, effects } = best
    return [
      {
        versionId,
        versionName: version.name,
        years,
        scope,
        branches: scope === 'all' ? reach.branches.length : 0,
        branchesLeft: scope === 'all' ? 0 : reach.branchCount,
        shops: price.shops,
        amountFen: priceFen * price.shops,
        expiresAfter: effects[0]?.expiresAfter ?? null,
      },
    ]
  })
}
