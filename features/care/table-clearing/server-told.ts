// A table was emptied, or brought back: the shop's phone, its timeline, the operation log and whoever asked are told.
import { eq } from 'drizzle-orm'
import { accounts } from '#features/office/access/tables.ts'
import { recordAction } from '#features/sales/aftersales/server-actions.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { queueMessages } from '#features/shops/messages/server-outbox.ts'
import { formatCount } from '#kit/money.ts'
import { formatDay } from '#kit/time.ts'
import { isMainlandMobile } from '#kit/words/phone.ts'
import type { Ctx } from '#server/ctx.ts'
import { logOperation, objectKey } from '#server/operation-log.ts'
import { found } from '#server/refuse.ts'
import { inTheNameOf, SYSTEM_ACTOR } from '#server/system.ts'
import type { FieldChange } from '#server/tables.ts'
import { tellAsker } from './server-ask.ts'
import { type Clearing, rowsText, subjectOf } from './server-rows.ts'

export async function tellEmptied(ctx: Ctx, one: Clearing): Promise<void> {
  const rows = one.emptiedRows ?? 0
  const changes: FieldChange[] = [
    { name: '数据表', before: null, after: one.tableName },
    { name: '行数', before: rowsText(rows), after: rowsText(0) },
    { name: '备份保留至', before: null, after: formatDay(one.expiresAt ?? '') },
    ...(one.decidedByName === '' ? [] : [{ name: '第二人', before: null, after: one.decidedByName }]),
  ]
  await tellAsker(
    ctx,
    one,
    '数据已清空',
    `已清空 ${rowsText(rows)}，${formatDay(one.expiresAt ?? '')} 前可恢复`,
  )
  await tell(ctx, one, {
    kind: 'clearTable',
    title: '清空数据',
    by: { id: one.askedBy, name: one.askedByName },
    changes,
    reason: one.reason,
    template: 'table-cleared',
    params: { day: formatDay(one.expiresAt ?? ''), count: formatCount(rows) },
  })
}

export async function tellRestored(ctx: Ctx, one: Clearing): Promise<void> {
  const [rows, beside] = [one.restoredRows ?? 0, one.besideRows ?? 0]
  const changes: FieldChange[] = [
    { name: '数据表', before: null, after: one.tableName },
    { name: '恢复行数', before: null, after: rowsText(rows) },
    ...(beside === 0 ? [] : [{ name: '保留的新增行数', before: null, after: rowsText(beside) }]),
  ]
  const by = { id: one.restoreBy ?? one.askedBy, name: one.restoreByName }
  await tellAsker(ctx, { ...one, askedBy: by.id }, '数据已恢复', `已恢复 ${rowsText(rows)}`)
  await tell(ctx, one, {
    kind: 'restoreTable',
    title: '恢复数据',
    by,
    changes,
    reason: one.restoreReason,
    template: 'table-restored',
    params: { count: formatCount(rows) },
  })
}

type Told = {
  kind: 'clearTable' | 'restoreTable'
  title: string
  by: { id: number; name: string }
  changes: FieldChange[]
  reason: string
  template: string
  params: Record<string, string>
}

async function tell(ctx: Ctx, one: Clearing, told: Told): Promise<void> {
  const { by, changes, reason } = told
  const [shop] = await ctx.db
    .select({ agentId: merchants.agentId, shopName: merchants.shopName, account: merchants.account })
    .from(merchants)
    .where(eq(merchants.id, one.merchantId))
  const { agentId, shopName, account } = found(shop)
  const [person] = await ctx.db
    .select({ agentId: accounts.agentId })
    .from(accounts)
    .where(eq(accounts.id, by.id))
  const actor = { ...SYSTEM_ACTOR, accountId: by.id, agentId: found(person).agentId, name: by.name }
  const named = inTheNameOf(ctx, actor).ctx
  await recordAction(named, told.kind, { id: one.merchantId, agentId, shopName }, changes, reason)
  // Where a shop's account is no phone, nobody can be told so.
  if (isMainlandMobile(account))
    await queueMessages(named, [
      {
        agentId,
        merchantId: one.merchantId,
        kind: 'shop-notice',
        phone: account,
        template: told.template,
        params: { shop: shopName, table: one.tableName, ...told.params },
      },
    ])
  await logOperation(ctx, {
    operation: '/tools/clearings work',
    title: told.title,
    subject: subjectOf(one),
    objects: [objectKey('tableClearing', one.id)],
    changes: [...changes, { name: '操作原因', before: null, after: reason }],
    by: actor,
    merchantId: one.merchantId,
    aboutAgentId: agentId,
  })
}
