// Shops as the tools show, find and lock them.
import { and, asc, eq, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { agents } from '#features/office/agents/tables.ts'
import { lockMerchant } from '#features/shops/merchants/server-edit.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { versions } from '#features/shops/versions/tables.ts'
import type { Out } from '#kit/declare/op.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { refuse, refuseCommon } from '#server/refuse.ts'
import type { aftersales as contract } from './contract.ts'
import { TOOL_REFUSALS, type ToolRefusal } from './rules.ts'

export type ToolShop = NonNullable<Out<typeof contract.extendFind>['shop']>
export type LockedShop = Awaited<ReturnType<typeof lockMerchant>>

const branches = alias(merchants, 'branches')

function selectShops(ctx: Ctx, where: SQL | undefined) {
  return ctx.db
    .select({
      id: merchants.id,
      agentId: merchants.agentId,
      agentName: agents.companyName,
      shopName: merchants.shopName,
      personName: merchants.personName,
      account: merchants.account,
      storeKind: merchants.storeKind,
      headId: merchants.headId,
      status: merchants.status,
      versionId: merchants.versionId,
      versionName: versions.name,
      shopsBought: merchants.shopsBought,
      branches: branchCount(ctx),
      registeredAt: merchants.registeredAt,
      expiresAt: merchants.expiresAt,
      revision: merchants.revision,
    })
    .from(merchants)
    .innerJoin(agents, eq(agents.id, merchants.agentId))
    .innerJoin(versions, eq(versions.id, merchants.versionId))
    .where(and(where, ownRows(ctx, merchants.agentId)))
    .orderBy(asc(merchants.id))
}

function branchCount(ctx: Ctx): SQL<number> {
  const counted = ctx.db
    .select({ number: sql`count(*)` })
    .from(branches)
    .where(and(eq(branches.headId, merchants.id), ownRows(ctx, branches.agentId)))
  return sql<number>`(${counted})`.mapWith(Number)
}

/** The shop of this id, or of this account; null when there is none of the acting agent's. */
export async function shopOf(
  ctx: Ctx,
  search: string | undefined,
  required: ToolRefusal,
): Promise<ToolShop | null> {
  if (!search) refuse(required, TOOL_REFUSALS, { field: 'search' })
  const text = search ?? ''
  const byId = /^\d{1,15}$/.test(text) ? eq(merchants.id, Number(text)) : undefined
  const found = await selectShops(ctx, or(byId, eq(merchants.account, text)))
  // An account of eight digits may be another shop's id: the id is meant.
  return found.find(({ id }) => String(id) === text) ?? found[0] ?? null
}

export async function shopWithId(ctx: Ctx, id: number): Promise<ToolShop | null> {
  const [shop] = await selectShops(ctx, eq(merchants.id, id))
  return shop ?? null
}

export function branchesOf(ctx: Ctx, headId: number): Promise<ToolShop[]> {
  return selectShops(ctx, eq(merchants.headId, headId))
}

/** The shop, locked, as it was seen when this was confirmed; STALE when it changed since, so that a second press does nothing. */
export async function lockSeen(ctx: Ctx, seen: { id: number; revision: number }): Promise<LockedShop> {
  const shop = await lockMerchant(ctx, seen.id)
  if (shop.revision !== seen.revision) refuseCommon('STALE')
  return shop
}
