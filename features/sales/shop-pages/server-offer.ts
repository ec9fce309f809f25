// What an agent's shops may renew online: whether, and the yuan that it sets for a version and years.
import { and, asc, eq, isNull } from 'drizzle-orm'
import { discountOf } from '#features/office/prices/server.ts'
import { sellingPrices } from '#features/sales/margins/tables.ts'
import { channelsOf } from '#features/sales/payments/server-attempts.ts'
import { termsOf } from '#features/shops/versions/rules.ts'
import { isSoldBy, pricedVersion, RENEWED_NOW } from '#features/shops/versions/server.ts'
import { versions } from '#features/shops/versions/tables.ts'
import type { Out } from '#kit/declare/op.ts'
import { amountText, discounted } from '#kit/money.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { refuse, refuseCommon } from '#server/refuse.ts'
import type { FieldChange } from '#server/tables.ts'
import type { shopPages as contract } from './contract.ts'
import { type OfferPrice, PRICE_REFUSALS, priceField, refuseOffer } from './rules.ts'
import { renewalOffers as offers, renewalPrices as prices } from './tables.ts'

export async function readOffer(ctx: Ctx): Promise<Out<typeof contract.offer>> {
  const { agentId } = ctx.actor
  const [offer] = await ctx.db.select().from(offers).where(eq(offers.agentId, agentId))
  const refusal = (await isPayable(ctx, agentId)) ? null : 'PAYMENT_OFF'
  return {
    enabled: offer?.enabled ?? false,
    revision: offer?.revision ?? 0,
    savedByName: offer?.savedByName ?? '',
    savedAt: offer?.savedAt ?? null,
    prices: await pricesOf(ctx, agentId),
    versions: await renewedVersions(ctx),
    refusal: refusal && { code: refusal, message: PRICE_REFUSALS[refusal] },
  }
}

/** Whether money can come to the agent's own account. */
export async function isPayable(ctx: Ctx, agentId: number): Promise<boolean> {
  return (await channelsOf(ctx, { agentId, payeeAgentId: agentId })).length > 0
}

/** What stands for this agent's shops; empty where it is switched off or cannot be paid. */
export async function offeredPrices(ctx: Ctx, agentId: number): Promise<OfferPrice[]> {
  const [offer] = await ctx.db
    .select({ enabled: offers.enabled })
    .from(offers)
    .where(eq(offers.agentId, agentId))
  if (!offer?.enabled || !(await isPayable(ctx, agentId))) return []
  return pricesOf(ctx, agentId)
}

function pricesOf(ctx: Ctx, agentId: number): Promise<OfferPrice[]> {
  return ctx.db
    .select({ versionId: prices.versionId, years: prices.years, priceFen: prices.priceFen })
    .from(prices)
    .where(eq(prices.agentId, agentId))
    .orderBy(asc(prices.versionId), asc(prices.years))
}

async function renewedVersions(ctx: Ctx) {
  const discount = await discountOf(ctx)
  const rows = await ctx.db
    .select({ version: pricedVersion(), sellingFen: sellingPrices.yearFen })
    .from(versions)
    .leftJoin(
      sellingPrices,
      and(
        eq(sellingPrices.versionId, versions.id),
        eq(sellingPrices.agentId, ctx.actor.agentId),
        isNull(sellingPrices.merchantId),
        isNull(sellingPrices.endedAt),
      ),
    )
    .where(and(RENEWED_NOW, isSoldBy(ctx.actor.agentId)))
    .orderBy(asc(versions.position))
  return rows.flatMap(({ version, sellingFen }) =>
    version.priceYearCents === null || !termsOf(version).includes('year')
      ? []
      : [
          {
            id: version.id,
            name: version.name,
            yearCents: discounted(version.priceYearCents, discount),
            sellingFen,
          },
        ],
  )
}

export const setOffer: Verb<typeof contract.setOffer> = async (ctx, input) => {
  const { agentId, name: savedByName } = ctx.actor
  const broken = refuseOffer(input)
  if (broken) refuse(broken.code, PRICE_REFUSALS, { field: broken.field })
  const known = await renewedVersions(ctx)
  const nameOf = (versionId: number) => known.find(({ id }) => id === versionId)?.name
  const unknown = input.prices.find(({ versionId }) => nameOf(versionId) === undefined)
  if (unknown) await refuseUnsold(ctx, unknown)
  if (input.enabled && !(await isPayable(ctx, agentId)))
    refuse('PAYMENT_OFF', PRICE_REFUSALS, { field: 'enabled' })
  const [before] = await ctx.db.select().from(offers).where(eq(offers.agentId, agentId)).for('update')
  if ((before?.revision ?? 0) !== input.revision) refuseCommon('STALE')
  const had = await pricesOf(ctx, agentId)
  const values = {
    enabled: input.enabled,
    revision: input.revision + 1,
    savedByName,
    savedAt: ctx.now.toISOString(),
  }
  const [kept] = await ctx.db
    .insert(offers)
    .values({ agentId, ...values })
    .onConflictDoUpdate({
      target: offers.agentId,
      set: values,
      setWhere: eq(offers.revision, input.revision),
    })
    .returning({ revision: offers.revision })
  if (!kept) refuseCommon('STALE')
  await ctx.db.delete(prices).where(eq(prices.agentId, agentId))
  if (input.prices.length > 0)
    await ctx.db.insert(prices).values(input.prices.map(price => ({ ...price, agentId })))
  const changes = offerChanges(
    { enabled: before?.enabled ?? false, prices: had },
    input,
    id => nameOf(id) ?? `版本 ${id}`,
  )
  ctx.object('setting', 'shop-renewal')
  if (changes.length === 0) ctx.nothingChanged()
  ctx.note('在线续费', changes)
  return { revision: values.revision }
}

async function refuseUnsold(ctx: Ctx, { versionId, years }: OfferPrice): Promise<void> {
  const [version] = await ctx.db
    .select({ authorised: isSoldBy(ctx.actor.agentId) })
    .from(versions)
    .where(eq(versions.id, versionId))
  const code = version?.authorised === false ? 'VERSION_NOT_AUTHORIZED' : 'VERSION_NOT_SOLD'
  refuse(code, PRICE_REFUSALS, { field: priceField(versionId, years) })
}

type Offer = { enabled: boolean; prices: readonly OfferPrice[] }

function offerChanges(before: Offer, after: Offer, nameOf: (id: number) => string): FieldChange[] {
  const onOff = (enabled: boolean) => (enabled ? '启用' : '停用')
  const changes: FieldChange[] =
    before.enabled === after.enabled
      ? []
      : [{ name: '在线续费', before: onOff(before.enabled), after: onOff(after.enabled) }]
  const keyed = (prices: readonly OfferPrice[]) =>
    new Map(prices.map(one => [priceField(one.versionId, one.years), one]))
  const [was, is] = [keyed(before.prices), keyed(after.prices)]
  for (const key of new Set([...was.keys(), ...is.keys()])) {
    const [old, now] = [was.get(key), is.get(key)]
    const one = now ?? old
    if (!one || old?.priceFen === now?.priceFen) continue
    const text = (price?: OfferPrice) => (price ? amountText(price.priceFen, '元') : null)
    changes.push({ name: `${nameOf(one.versionId)} ${one.years} 年`, before: text(old), after: text(now) })
  }
  return changes
}
