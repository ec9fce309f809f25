import { and, eq, sql } from 'drizzle-orm'
import { setHead } from '#features/shops/merchants/server-changes.ts'
import { lockMerchant } from '#features/shops/merchants/server-edit.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import type { In } from '#kit/declare/op.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { refuse, refuseBroken } from '#server/refuse.ts'
import type { aftersales as contract } from './contract.ts'
import { TOOL } from './fields.ts'
import { refuseAssociate, refuseDissolve, TOOL_REFUSALS } from './rules.ts'
import { recordAction } from './server-actions.ts'
import { branchesOf, lockSeen, shopOf, shopWithId } from './server-shop.ts'

export const findChain: Verb<typeof contract.chainFind> = async (ctx, { search }) => {
  const shop = await shopOf(ctx, search, 'SHOP_ID_REQUIRED')
  if (!shop) return { shop, head: null, branches: [] }
  const head = shop.headId === null ? shop : await shopWithId(ctx, shop.headId)
  return { shop, head, branches: head ? await branchesOf(ctx, head.id) : [] }
}

export const associate: Verb<typeof contract.associate> = async (ctx, input) => {
  refuseBroken(TOOL, { reason: input.reason })
  const { head, branch } = await lockBoth(ctx, input)
  const joined = { ...branch, branches: await countBranches(ctx, branch.id) }
  const leading = { ...head, branches: await countBranches(ctx, head.id) }
  refuse(refuseAssociate(leading, joined), TOOL_REFUSALS)
  await setHead(ctx, branch.id, head.id)
  const after = `${head.shopName} (${head.id})`
  const changes = [
    { name: '总店', before: null, after },
    { name: '门店类型', before: '总店', after: '分店' },
  ]
  await recordAction(ctx, 'associate', branch, changes, input.reason)
  return { id: branch.id, headId: head.id }
}

/** Locks both shops in the order of their ids, as everything that locks several does. */
async function lockBoth(ctx: Ctx, input: In<typeof contract.associate>) {
  if (input.headId === input.id) refuse('SAME_SHOP', TOOL_REFUSALS)
  if (input.headId < input.id) {
    const head = await lockMerchant(ctx, input.headId)
    return { head, branch: await lockSeen(ctx, input) }
  }
  const branch = await lockSeen(ctx, input)
  return { head: await lockMerchant(ctx, input.headId), branch }
}

async function countBranches(ctx: Ctx, headId: number): Promise<number> {
  const [counted] = await ctx.db
    .select({ number: sql<number>`count(*)`.mapWith(Number) })
    .from(merchants)
    .where(and(eq(merchants.headId, headId), ownRows(ctx, merchants.agentId)))
  return counted?.number ?? 0
}

export const dissolve: Verb<typeof contract.dissolve> = async (ctx, input) => {
  refuseBroken(TOOL, { reason: input.reason })
  const branch = await lockSeen(ctx, input)
  refuse(refuseDissolve(branch), TOOL_REFUSALS)
  const head = await shopWithId(ctx, branch.headId as number)
  await setHead(ctx, branch.id, null)
  const before = head ? `${head.shopName} (${head.id})` : String(branch.headId)
  const changes = [
    { name: '总店', before, after: null },
    { name: '门店类型', before: '分店', after: '总店' },
  ]
  await recordAction(ctx, 'dissolve', branch, changes, input.reason)
  return { id: branch.id }
}
