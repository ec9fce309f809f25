// What the tools did: one row for the tool's own list, and the operation log's subject and changes.
import { and, desc, inArray } from 'drizzle-orm'
import { tellOfShop } from '#features/shops/merchants/server-told.ts'
import type { In, Out } from '#kit/declare/op.ts'
import type { Ctx } from '#server/ctx.ts'
import { type Condition, type ListSource, ownCondition, type PageIds, rowsAndTotal } from '#server/list.ts'
import type { FieldChange } from '#server/tables.ts'
import type { aftersales as contract } from './contract.ts'
import type { ToolKind } from './rules.ts'
import { toolActions } from './tables.ts'

type Acted = { id: number; agentId: number; shopName: string }

/** What the shop's agent hears; of a move and of an order that is taken back it is told by itself. */
const TOLD: Partial<Record<ToolKind, string>> = {
  extend: '商户已延期',
  version: '商户版本已调整',
  associate: '商户已关联连锁',
  dissolve: '商户已解除连锁',
  clearTable: '商户数据已清空',
  restoreTable: '商户数据已恢复',
}

/** Writes what a tool did to a shop, with its reason, and notes it for the operation log. */
export async function recordAction(
  ctx: Ctx,
  kind: ToolKind,
  shop: Acted,
  changes: FieldChange[],
  reason: string,
): Promise<void> {
  await ctx.db.insert(toolActions).values({
    agentId: shop.agentId,
    merchantId: shop.id,
    shopName: shop.shopName,
    kind,
    changes,
    reason,
    createdBy: ctx.actor.accountId,
    createdByName: ctx.actor.name,
    createdAt: ctx.now.toISOString(),
  })
  const title = TOLD[kind]
  if (title) await tellOfShop(ctx, shop, { title, changes, reason })
  ctx.about(shop.agentId, shop.id)
  ctx.note(`${shop.shopName} (${shop.id})`, [...changes, { name: '操作原因', before: null, after: reason }])
}

type Listed = typeof contract.extendActions

/** The verb that lists what was done of these kinds, newest first. */
export function listActions(kinds: readonly ToolKind[]) {
  return (ctx: Ctx, input: In<Listed>): Promise<Out<Listed>> => {
    const ofKinds: Condition = { key: kinds.join(), sql: inArray(toolActions.kind, [...kinds]) }
    const list: ListSource = {
      name: 'tool actions',
      table: toolActions,
      conditions: [...ownCondition(ctx, toolActions.agentId), ofKinds],
      sort: 'id',
      order: [desc(toolActions.id)],
    }
    return rowsAndTotal(ctx, list, input, (page: PageIds) =>
      ctx.db
        .with(page)
        .select()
        .from(toolActions)
        .where(and(inArray(toolActions.id, ctx.db.select({ id: page.id }).from(page))))
        .orderBy(desc(toolActions.id)),
    )
  }
}
