// The address of a shop's page: unguessable, made when it is first wanted, revoked by making another.
import { randomBytes } from 'node:crypto'
import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { merchants } from '#features/shops/merchants/tables.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { found, refuse } from '#server/refuse.ts'
import type { shopPages as contract } from './contract.ts'
import { LIMITS, LINK_REFUSALS } from './rules.ts'
import { shopCodes as codes, shopSessions as sessions } from './tables.ts'

/** 192 bits: nobody finds a page by trying. */
const CODE_BYTES = 24

export const readLink: Verb<typeof contract.link> = async (ctx, { merchantId }) => {
  const shop = await shopOf(ctx, merchantId)
  const rows = await ctx.db
    .select()
    .from(codes)
    .where(
      and(eq(codes.merchantId, merchantId), eq(codes.agentId, shop.agentId), ownRows(ctx, codes.agentId)),
    )
    .orderBy(desc(codes.id))
    .limit(LIMITS.versionsShown)
  const standing = rows.find(({ revokedAt }) => revokedAt === null)
  return { link: standing ? { ...standing, url: urlOf(ctx, standing.code) } : null, history: rows }
}

export const makeLink: Verb<typeof contract.makeLink> = async (ctx, { merchantId }) => {
  const shop = await ownShop(ctx, merchantId)
  const [standing] = await ctx.db.select({ id: codes.id }).from(codes).where(stands(shop))
  if (standing) refuse('LINK_STANDS', LINK_REFUSALS)
  const url = await addCode(ctx, shop)
  noteLink(ctx, shop, [{ name: '门店页面链接', before: null, after: '已生成' }])
  return { url }
}

/** Whoever signed in by the old one is signed out with it. */
export const renewLink: Verb<typeof contract.renewLink> = async (ctx, { merchantId }) => {
  const shop = await ownShop(ctx, merchantId)
  const [revoked] = await ctx.db
    .update(codes)
    .set({ revokedAt: sql`now()`, revokedByName: ctx.actor.name })
    .where(stands(shop))
    .returning({ id: codes.id })
  if (!revoked) refuse('LINK_GONE', LINK_REFUSALS)
  else await ctx.db.delete(sessions).where(eq(sessions.codeId, revoked.id))
  const url = await addCode(ctx, shop)
  noteLink(ctx, shop, [{ name: '门店页面链接', before: '原链接', after: '新链接，原链接已失效' }])
  return { url }
}

type Shop = Awaited<ReturnType<typeof shopOf>>

const stands = (shop: Shop) =>
  and(eq(codes.merchantId, shop.id), eq(codes.agentId, shop.agentId), isNull(codes.revokedAt))

async function shopOf(ctx: Ctx, merchantId: number, lock = false) {
  const query = ctx.db
    .select({
      id: merchants.id,
      agentId: merchants.agentId,
      shopName: merchants.shopName,
      status: merchants.status,
    })
    .from(merchants)
    .where(and(eq(merchants.id, merchantId), ownRows(ctx, merchants.agentId)))
  const [shop] = await (lock ? query.for('update') : query)
  return found(shop)
}

/** Locked, so that one is made at a time. */
async function ownShop(ctx: Ctx, merchantId: number): Promise<Shop> {
  const shop = await shopOf(ctx, merchantId, true)
  if (shop.agentId !== ctx.actor.agentId) refuse('NOT_OWN_SHOP', LINK_REFUSALS)
  if (shop.status === 'disabled') refuse('MERCHANT_DISABLED', LINK_REFUSALS)
  return shop
}

async function addCode(ctx: Ctx, { id: merchantId, agentId }: Shop): Promise<string> {
  const code = randomBytes(CODE_BYTES).toString('base64url')
  const { accountId: createdBy, name: createdByName } = ctx.actor
  await ctx.db
    .insert(codes)
    .values({ agentId, merchantId, code, createdBy, createdByName, createdAt: sql`now()` })
  return urlOf(ctx, code)
}

function urlOf(ctx: Ctx, code: string): string {
  return `${ctx.services.baseUrl()}/s/${code}`
}

function noteLink(ctx: Ctx, shop: Shop, changes: Parameters<Ctx['note']>[1]): void {
  ctx.about(shop.agentId, shop.id)
  ctx.note(`${shop.shopName} (${shop.id})`, changes)
}
