// What people do about a clearing: they look for the shop and its tables, ask, decide, take back and bring back. Nothing here speaks to the
// point of sale but the counting of its tables, which holds no connection meanwhile.

import { randomUUID } from 'node:crypto'
import { and, eq, inArray } from 'drizzle-orm'
import { notify } from '#features/office/notices/server-notify.ts'
import { shopOf } from '#features/sales/aftersales/server-shop.ts'
import { lockMerchant } from '#features/shops/merchants/server-edit.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { formatInstant } from '#kit/time.ts'
import { type Ctx, identityOf, ownRows, type Verb } from '#server/ctx.ts'
import { settingOf } from '#server/office/settings.ts'
import { askPos } from '#server/outside/pos.ts'
import { found, Refusal, refuse, refuseCommon } from '#server/refuse.ts'
import { makeCtx } from '#server/serve.ts'
import type { tableClearing as contract } from './contract.ts'
import {
  CLEARING_REFUSALS,
  changedText,
  needsSecond,
  RUNNING,
  refuseDecider,
  refuseDecision,
  refuseName,
  refuseReason,
  refuseRestore,
  refuseShown,
  refuseTable,
  runningText,
  SECOND_PERSON_ROWS,
} from './rules.ts'
import {
  findClearing,
  forStep,
  latestOf,
  noteClearing,
  refuseNow,
  rowsText,
  takeStep,
} from './server-rows.ts'
import { tableClearings as clearings } from './tables.ts'

/** The loop that does what was asked for. */
export const WORK = 'tableClearings'

export const findShop: Verb<typeof contract.find> = async (ctx, { search }) => {
  const shop = await shopOf(ctx, search, 'SHOP_ID_REQUIRED')
  return { shop, clearings: shop ? await latestOf(ctx, shop.id) : [] }
}

export const countTables: Verb<typeof contract.tables> = async (ctx, { merchantId, table, rows = 0 }) => {
  const { services, request, actor } = ctx
  const secondAbove = await services.database.read(identityOf(actor, services.walls), async lent => {
    const one = makeCtx(lent, { services, request }, actor).ctx
    const [shop] = await one.db
      .select({ id: merchants.id })
      .from(merchants)
      .where(and(eq(merchants.id, merchantId), ownRows(one, merchants.agentId)))
    found(shop)
    return settingOf(one, SECOND_PERSON_ROWS)
  })
  const tables = await askPos(services, pos => pos.tables(merchantId))
  if (table !== undefined) {
    const there = tables.find(({ key }) => key === table)
    const code = refuseShown(there, rows)
    if (code === 'TABLE_CHANGED') throw new Refusal(code, changedText(rows, there?.rows ?? 0))
    refuse(code, CLEARING_REFUSALS)
  }
  return { tables, secondAbove }
}

export const ask: Verb<typeof contract.ask> = async (ctx, input) => {
  refuse(refuseReason(input.reason), CLEARING_REFUSALS, { field: 'reason' })
  // Of two at once the second waits here, and then finds the first one's.
  const shop = await lockMerchant(ctx, input.merchantId)
  refuse(refuseName(input.shopName, shop.shopName), CLEARING_REFUSALS, { field: 'shopName' })
  await refuseRunning(ctx, input.merchantId, input.table)
  refuse(refuseTable({ rows: input.rows, isBusy: false }), CLEARING_REFUSALS)
  const isHeld = needsSecond(input.rows, await settingOf(ctx, SECOND_PERSON_ROWS), null)
  const now = ctx.now.toISOString()
  const { accountId, name } = ctx.actor
  const [made] = await ctx.db
    .insert(clearings)
    .values({
      agentId: shop.agentId,
      merchantId: shop.id,
      shopName: shop.shopName,
      tableKey: input.table,
      tableName: input.tableName,
      state: isHeld ? 'waiting' : 'asked',
      rows: input.rows,
      reason: input.reason.trim(),
      askedBy: accountId,
      askedByName: name,
      askedAt: now,
      waitingSince: isHeld ? now : null,
      lookAt: now,
      events: [{ at: now, text: isHeld ? '提交申请，等待第二人审批' : '提交申请', by: name }],
    })
    .returning()
  const one = found(made)
  noteClearing(ctx, one, [
    { name: '行数', before: null, after: rowsText(one.rows) },
    { name: '操作原因', before: null, after: one.reason },
  ])
  if (isHeld) await tellDeciders(ctx, one)
  else ctx.services.wake(WORK)
  return { id: one.id, state: one.state }
}

/** Of one table one clearing runs at a time; whoever comes second is told who was first. */
async function refuseRunning(ctx: Ctx, merchantId: number, table: string): Promise<void> {
  const [other] = await ctx.db
    .select()
    .from(clearings)
    .where(
      and(
        eq(clearings.merchantId, merchantId),
        eq(clearings.tableKey, table),
        inArray(clearings.state, [...RUNNING]),
        ownRows(ctx, clearings.agentId),
      ),
    )
  if (!other) return
  const isBack = other.state === 'restoring'
  const byName = isBack ? other.restoreByName : other.askedByName
  const since = formatInstant(isBack ? (other.events.at(-1)?.at ?? other.askedAt) : other.askedAt)
  throw new Refusal('RUNNING_ALREADY', runningText({ byName, state: other.state, since }))
}

type Asked = Awaited<ReturnType<typeof findClearing>>

/** Those of the staff who may decide. */
export async function tellDeciders(ctx: Ctx, one: Asked): Promise<void> {
  await notify(ctx, {
    ...{ vendor: 'staff', holding: 'tableClearing.approve', exceptActor: true },
    topic: 'Clearing_Notify',
    title: '清空数据待审批',
    body: `${one.askedByName}申请清空「${one.shopName}」的${one.tableName}（${rowsText(one.rows)}）：${one.reason}`,
    link: `/admin/tool/clearings?id=${one.id}`,
    args: { id: one.id },
  })
}

export const approve: Verb<typeof contract.approve> = async (ctx, { id, rows }) => {
  const one = await findClearing(ctx, id, true)
  await refuseNow(ctx, one, refuseDecider(one, ctx.actor.accountId))
  if (one.rows !== rows) refuseCommon('STALE')
  await takeStep(ctx, one, 'approve', {
    text: '同意清空',
    decidedBy: ctx.actor.accountId,
    decidedByName: ctx.actor.name,
    decidedAt: ctx.now.toISOString(),
    waitingSince: null,
  })
  noteClearing(ctx, one, [
    { name: '行数', before: null, after: rowsText(rows) },
    { name: '审批', before: '待审批', after: '已同意' },
  ])
  ctx.services.wake(WORK)
  return { id }
}

export const reject: Verb<typeof contract.reject> = async (ctx, { id, decision }) => {
  const one = await findClearing(ctx, id, true)
  await refuseNow(ctx, one, refuseDecider(one, ctx.actor.accountId))
  refuse(refuseDecision(decision), CLEARING_REFUSALS, { field: 'decision' })
  await takeStep(ctx, one, 'reject', {
    text: `驳回申请：${decision.trim()}`,
    decidedBy: ctx.actor.accountId,
    decidedByName: ctx.actor.name,
    decidedAt: ctx.now.toISOString(),
    decision: decision.trim(),
    waitingSince: null,
  })
  noteClearing(ctx, one, [
    { name: '审批', before: '待审批', after: '已驳回' },
    { name: '驳回原因', before: null, after: decision.trim() },
  ])
  await tellAsker(ctx, one, '清空数据被驳回', decision.trim())
  return { id }
}

/** Whoever asked is told what became of it. */
export async function tellAsker(ctx: Ctx, one: Asked, title: string, what: string): Promise<void> {
  await notify(ctx, {
    accountIds: [one.askedBy],
    topic: 'Clearing_Notify',
    title,
    body: `${one.shopName}的${one.tableName}：${what}`,
    link: `/admin/tool/clearings?id=${one.id}`,
    args: { id: one.id },
  })
}

export const cancel: Verb<typeof contract.cancel> = async (ctx, { id }) => {
  const one = await forStep(ctx, id, 'cancel')
  await takeStep(ctx, one, 'cancel', { text: '取消申请，没有清空任何数据', waitingSince: null })
  return { id }
}

export const restore: Verb<typeof contract.restore> = async (ctx, { id, reason }) => {
  refuse(refuseReason(reason), CLEARING_REFUSALS, { field: 'reason' })
  const seen = await findClearing(ctx, id)
  // The shop first, as whoever asks for another clearing does.
  await lockMerchant(ctx, seen.merchantId)
  const one = await findClearing(ctx, id, true)
  await refuseNow(ctx, one, refuseRestore(one, ctx.now.toISOString()))
  await refuseRunning(ctx, one.merchantId, one.tableKey)
  await takeStep(ctx, one, 'restore', {
    text: '申请恢复',
    restoreAct: randomUUID(),
    restoreBy: ctx.actor.accountId,
    restoreByName: ctx.actor.name,
    restoreReason: reason.trim(),
  })
  noteClearing(ctx, one, [{ name: '恢复原因', before: null, after: reason.trim() }])
  ctx.services.wake(WORK)
  return { id }
}
