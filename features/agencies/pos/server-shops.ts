// Shops as point-of-sale software reads them: one, or page after page for a copy of all.
import { and, asc, desc, eq, gt, inArray, type SQL } from 'drizzle-orm'
import { ledgerAccounts } from '#features/money/ledger/tables.ts'
import { agents } from '#features/office/agents/tables.ts'
import { merchantServices, services } from '#features/sales/services/tables.ts'
import { shownOf } from '#features/sales/shop-pages/server-page.ts'
import { shopPageVersions } from '#features/sales/shop-pages/tables.ts'
import { smsAccountOf } from '#features/shops/merchants/server-list.ts'
import { presentConfig, readConfig } from '#features/shops/merchants/server-payment.ts'
import { industries, merchants, paymentMethods } from '#features/shops/merchants/tables.ts'
import { usableSignatures } from '#features/shops/signatures/server-use.ts'
import { functionsOf } from '#features/shops/versions/server.ts'
import { versions } from '#features/shops/versions/tables.ts'
import { picked } from '#kit/declare/fields.ts'
import type { Out } from '#kit/declare/op.ts'
import { pictureAddress } from '#kit/picture.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { found } from '#server/refuse.ts'
import type { pos as contract } from './contract-pos.ts'

type Shop = Out<typeof contract.shops>['shops'][number]
type Agent = Out<typeof contract.shops>['agents'][number]

const AS_THEY_ARE = [
  ...(['id', 'revision', 'agentId', 'status', 'storeKind', 'headId', 'shopName', 'shortName'] as const),
  ...(['personName', 'account', 'shopPhone', 'provinceCode', 'cityCode', 'districtCode', 'address'] as const),
  ...(['shopsBought', 'registeredAt', 'expiresAt', 'source', 'verificationStatus', 'memberTitle'] as const),
] as const

export const listShops: Verb<typeof contract.shops> = async (ctx, { after, size }) => {
  const shops = await shopsWhere(ctx, gt(merchants.id, after), size + 1)
  const page = shops.slice(0, size)
  const answer = {
    shops: page,
    agents: await agentsOf(ctx, page),
    last: page.at(-1)?.id ?? after,
    more: shops.length > size,
  }
  ctx.request.tag(JSON.stringify(answer))
  return answer
}

export const showShop: Verb<typeof contract.shop> = (ctx, { id }) => oneShop(ctx, eq(merchants.id, id))

export const findShop: Verb<typeof contract.findShop> = (ctx, { account }) =>
  oneShop(ctx, eq(merchants.account, account))

async function oneShop(ctx: Ctx, where: SQL): Promise<Out<typeof contract.shop>> {
  const shop = found((await shopsWhere(ctx, where, 1))[0])
  const answer = { ...shop, agent: found((await agentsOf(ctx, [shop]))[0]) }
  ctx.request.tag(JSON.stringify(answer))
  return answer
}

/** In the order of their ids. */
async function shopsWhere(ctx: Ctx, where: SQL, most: number): Promise<Shop[]> {
  const rows = await ctx.db
    .select({
      shop: merchants,
      industryName: industries.name,
      version: versions,
      method: paymentMethods,
      smsBalance: ledgerAccounts.balance,
    })
    .from(merchants)
    .innerJoin(industries, eq(industries.id, merchants.industryId))
    .innerJoin(versions, eq(versions.id, merchants.versionId))
    .leftJoin(paymentMethods, eq(paymentMethods.id, merchants.paymentMethodId))
    .leftJoin(ledgerAccounts, smsAccountOf(merchants.id))
    .where(and(where, ownRows(ctx, merchants.agentId)))
    .orderBy(asc(merchants.id))
    .limit(most)
  const ids = rows.map(({ shop }) => shop.id)
  const branches = await branchesOf(ctx, ids)
  const held = await servicesOf(ctx, ids)
  const signed = await usableSignatures(ctx, ids)
  const functions = await functionsOf(
    ctx,
    rows.map(({ version }) => version),
  )
  return rows.map(({ shop, industryName, version, method, smsBalance }) => ({
    ...picked(shop, AS_THEY_ARE),
    branchIds: branches.get(shop.id) ?? [],
    industry: { id: shop.industryId, name: industryName },
    version: { ...picked(version, ['id', 'code', 'name']), functions: functions(version) },
    services: held.get(shop.id) ?? [],
    smsBalance: smsBalance ?? 0,
    signature: { text: shop.signature, usable: signed.has(shop.id) },
    payment: method && paymentOf(ctx, shop, method),
  }))
}

function paymentOf(
  ctx: Ctx,
  shop: typeof merchants.$inferSelect,
  method: typeof paymentMethods.$inferSelect,
): Shop['payment'] {
  const { paymentConfig, paymentSecretsSet } = presentConfig(ctx, method.fields, shop.paymentConfig)
  return {
    methodId: method.id,
    name: method.name,
    enabled: shop.payEnabled,
    config: paymentConfig,
    secretKeys: paymentSecretsSet,
  }
}

async function branchesOf(ctx: Ctx, headIds: readonly number[]): Promise<Map<number | null, number[]>> {
  if (headIds.length === 0) return new Map()
  const rows = await ctx.db
    .select({ id: merchants.id, headId: merchants.headId })
    .from(merchants)
    .where(and(inArray(merchants.headId, [...headIds]), ownRows(ctx, merchants.agentId)))
    .orderBy(asc(merchants.id))
  return listed(rows, ({ headId, id }) => [headId, id])
}

async function servicesOf(ctx: Ctx, shopIds: readonly number[]) {
  if (shopIds.length === 0) return new Map<number, Shop['services']>()
  const rows = await ctx.db
    .select({
      shopId: merchantServices.merchantId,
      code: services.code,
      name: services.name,
      quantity: merchantServices.quantity,
      expiresAt: merchantServices.expiresAt,
    })
    .from(merchantServices)
    .innerJoin(services, eq(services.id, merchantServices.serviceId))
    .where(and(inArray(merchantServices.merchantId, [...shopIds]), ownRows(ctx, merchantServices.agentId)))
    .orderBy(asc(services.position), asc(services.id))
  return listed(rows, ({ shopId, ...service }) => [shopId, service])
}

function listed<R, K, V>(rows: readonly R[], of: (row: R) => readonly [K, V]): Map<K, V[]> {
  const lists = new Map<K, V[]>()
  for (const row of rows) {
    const [key, value] = of(row)
    lists.set(key, [...(lists.get(key) ?? []), value])
  }
  return lists
}

/** The agents of these shops as they present themselves to them, each once. */
async function agentsOf(ctx: Ctx, shops: readonly Pick<Shop, 'agentId'>[]): Promise<Agent[]> {
  const ids = [...new Set(shops.map(({ agentId }) => agentId))]
  if (ids.length === 0) return []
  const rows = await ctx.db
    .select({ id: agents.id, name: agents.companyName, logoId: agents.logoId })
    .from(agents)
    .where(inArray(agents.id, ids))
    .orderBy(asc(agents.id))
  const published = await ctx.db
    .selectDistinctOn([shopPageVersions.agentId])
    .from(shopPageVersions)
    .where(inArray(shopPageVersions.agentId, ids))
    .orderBy(asc(shopPageVersions.agentId), desc(shopPageVersions.number))
  const contents = new Map(published.map(({ agentId, content }) => [agentId, content]))
  const whole = (address: string | null) => (address === null ? null : `${ctx.services.baseUrl()}${address}`)
  return rows.map(({ id, name, logoId }) => {
    const { blocks, notices } = shownOf(contents.get(id) ?? null)
    return {
      ...{ id, name, notices },
      logo: whole(logoId === null ? null : pictureAddress(logoId)),
      blocks: blocks.map(block => ({ ...block, picture: whole(block.picture) })),
    }
  })
}

export const readSecrets: Verb<typeof contract.paymentSecrets> = async (ctx, { id }) => {
  const [row] = await ctx.db
    .select({
      agentId: merchants.agentId,
      shopName: merchants.shopName,
      paymentMethodId: merchants.paymentMethodId,
      paymentConfig: merchants.paymentConfig,
    })
    .from(merchants)
    .where(and(eq(merchants.id, id), ownRows(ctx, merchants.agentId)))
  const { agentId, shopName, paymentMethodId, paymentConfig } = found(row)
  ctx.about(agentId, id)
  ctx.note(`${shopName} (${id})`)
  return { shopId: id, methodId: paymentMethodId, config: readConfig(ctx, paymentConfig) }
}
