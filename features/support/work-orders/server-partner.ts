// What a partner does: asks for something, says more, ends it, is not satisfied, rates it, takes it back.
import { and, eq, gte, sql } from 'drizzle-orm'
import { merchants } from '#features/shops/merchants/tables.ts'
import { formatDay, startOfDay } from '#kit/time.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { settingOf } from '#server/office/settings.ts'
import { found, refuse } from '#server/refuse.ts'
import type { workOrders as contract } from './contract.ts'
import { WORK_ORDER_FIELDS } from './fields.ts'
import {
  brokenIn,
  dueAfter,
  dueAfterWait,
  NEW_REFUSALS,
  ORDER_LIMITS,
  PARTNER_REFUSALS,
  pressingAt,
  refuseClose,
  refuseMore,
  refuseRating,
  refuseReason,
  refuseRemoval,
  refuseReopen,
  SATISFACTION_WORDS,
  SAY_REFUSALS,
  WORK_ORDER_DAYS,
  WORK_ORDER_HOURS,
  WORK_ORDERS_PER_DAY,
} from './rules.ts'
import { ofAgency } from './server-rows.ts'
import {
  addMessage,
  afterMessage,
  authorOf,
  lockOrder,
  move,
  record,
  refuseMessage,
  save,
  subjectOf,
  tellPresent,
  tellVendor,
} from './server-write.ts'
import { workOrders } from './tables.ts'

export const create: Verb<typeof contract.create> = async (ctx, input) => {
  const [broken] = brokenIn(input)
  if (broken) refuse(broken.code, NEW_REFUSALS, { field: broken.field })
  if (ctx.actor.isVendorStaff) refuse('VENDORS_OWN', NEW_REFUSALS)
  await refuseMessage(ctx, input.text, input.pictures)
  const shopName = input.merchantId === null ? '' : await shopNameOf(ctx, input.merchantId)
  await refuseMany(ctx)
  const { kind, urgency, merchantId } = input
  const createdAt = ctx.now.toISOString()
  const dueAt = dueAfter(createdAt, await settingOf(ctx, WORK_ORDER_HOURS[urgency]))
  const text = input.text.trim()
  const by = authorOf(ctx)
  const title = input.title.trim()
  const [row] = await ctx.db
    .insert(workOrders)
    .values({
      ...{ agentId: ctx.actor.agentId, merchantId, shopName, kind: kind as NonNullable<typeof kind> },
      ...{ urgency, title, state: 'new', createdBy: by.id, createdByName: by.name },
      ...{ dueAt, pressingAt: pressingAt({ state: 'new', dueAt, lastAt: createdAt }) },
      lastText: [...text].slice(0, ORDER_LIMITS.title).join(''),
      ...{ lastAt: createdAt, words: text, createdAt },
    })
    .returning()
  const order = found(row)
  const lastPartnerId = await addMessage(ctx, order, { side: 'partner', text, pictures: input.pictures })
  await save(ctx, order, { lastPartnerId })
  const changes = [
    { name: WORK_ORDER_FIELDS.title.label, before: null, after: title },
    { name: WORK_ORDER_FIELDS.urgency.label, before: null, after: WORK_ORDER_FIELDS.urgency.words[urgency] },
  ]
  await record(ctx, order, '提交了工单', changes)
  ctx.about(order.agentId, merchantId)
  ctx.object('workOrder', order.id)
  ctx.note(subjectOf(order), changes)
  await tellVendor(ctx, order, `新的${WORK_ORDER_FIELDS.urgency.words[urgency]}工单`, title)
  return { id: order.id }
}

async function shopNameOf(ctx: Ctx, id: number): Promise<string> {
  const [shop] = await ctx.db
    .select({ shopName: merchants.shopName })
    .from(merchants)
    .where(and(eq(merchants.id, id), ownRows(ctx, merchants.agentId)))
  if (!shop) refuse('SHOP_UNKNOWN', NEW_REFUSALS, { field: 'merchantId' })
  return found(shop).shopName
}

async function refuseMany(ctx: Ctx): Promise<void> {
  const today = startOfDay(formatDay(ctx.now)).toISOString()
  const [counted] = await ctx.db
    .select({ count: sql<number>`count(*)::int` })
    .from(workOrders)
    .where(and(eq(workOrders.agentId, ctx.actor.agentId), gte(workOrders.createdAt, today)))
  if (found(counted).count >= (await settingOf(ctx, WORK_ORDERS_PER_DAY)))
    refuse('ORDERS_TOO_MANY', NEW_REFUSALS)
}

/** What the vendor waits for goes on once it is said. */
export const say: Verb<typeof contract.say> = async (ctx, { id, text, pictures }) => {
  await refuseMessage(ctx, text, pictures)
  const order = await lockOrder(ctx, id, ofAgency(ctx))
  refuse(refuseMore(order.state), SAY_REFUSALS)
  const messageId = await addMessage(ctx, order, { side: 'partner', text, pictures })
  const shown = afterMessage(ctx, text)
  const said = { ...shown, lastPartnerId: messageId, partnerSeen: order.lastVendorId }
  if (order.state === 'waiting') {
    const dueAt = dueAfterWait(order.dueAt, order.stoppedAt, shown.lastAt)
    const changed = { ...said, dueAt, stoppedAt: null }
    await move(ctx, order, { step: 'resume', title: '补充了说明', changed })
  } else {
    await save(ctx, order, said)
    await tellPresent(ctx, id)
    ctx.note(subjectOf(order), [{ name: '回复', before: null, after: text }])
  }
  await tellVendor(ctx, order, '代理商回复了工单', `${order.title}：${text}`)
  return { id: messageId }
}

export const close: Verb<typeof contract.close> = async (ctx, { id }) => {
  const order = await lockOrder(ctx, id, ofAgency(ctx))
  refuse(refuseClose(order.state), PARTNER_REFUSALS)
  const closedAt = ctx.now.toISOString()
  await move(ctx, order, { step: 'close', title: '关闭了工单', changed: { closedAt, stoppedAt: null } })
  await tellVendor(ctx, order, '代理商关闭了工单', order.title)
  return { id }
}

/** What was not solved is said; the clock begins anew, and so does the rating. */
export const reopen: Verb<typeof contract.reopen> = async (ctx, { id, reason }) => {
  refuse(refuseReason(reason), PARTNER_REFUSALS, { field: 'reason' })
  const order = await lockOrder(ctx, id, ofAgency(ctx))
  refuse(refuseReopen(order, ctx.now.getTime(), await settingOf(ctx, WORK_ORDER_DAYS)), PARTNER_REFUSALS)
  const lastPartnerId = await addMessage(ctx, order, { side: 'partner', text: reason })
  const shown = afterMessage(ctx, reason)
  await move(ctx, order, {
    step: 'reopen',
    title: '重新打开了工单',
    changed: {
      ...{ ...shown, lastPartnerId, partnerSeen: order.lastVendorId, doneAt: null },
      dueAt: dueAfter(shown.lastAt, await settingOf(ctx, WORK_ORDER_HOURS[order.urgency])),
      ...{ satisfaction: null, ratingText: '', ratedAt: null },
    },
    changes: [{ name: '原因', before: null, after: reason }],
  })
  await tellVendor(ctx, order, '代理商重新打开了工单', `${order.title}：${reason}`)
  return { id }
}

export const rate: Verb<typeof contract.rate> = async (ctx, { id, satisfaction, text }) => {
  const order = await lockOrder(ctx, id, ofAgency(ctx))
  refuse(refuseRating(order, text), PARTNER_REFUSALS, { field: 'text' })
  await save(ctx, order, { satisfaction, ratingText: text, ratedAt: ctx.now.toISOString() })
  const words = SATISFACTION_WORDS[satisfaction]
  const changes = [
    { name: WORK_ORDER_FIELDS.satisfaction.label, before: null, after: words },
    ...(text === '' ? [] : [{ name: WORK_ORDER_FIELDS.ratingText.label, before: null, after: text }]),
  ]
  await record(ctx, order, '评价了工单', changes)
  ctx.note(subjectOf(order), changes)
  await tellPresent(ctx, id)
  await tellVendor(ctx, order, `代理商评价了工单：${words}`, text === '' ? order.title : text)
  return { id }
}

/** It is shown to nobody any more; its row stays, as the log names it. */
export const remove: Verb<typeof contract.remove> = async (ctx, { id }) => {
  const order = await lockOrder(ctx, id, ofAgency(ctx))
  refuse(refuseRemoval(order, ctx.actor.accountId), PARTNER_REFUSALS)
  await save(ctx, order, { deletedAt: ctx.now.toISOString(), deletedByName: authorOf(ctx).name })
  ctx.note(subjectOf(order), [{ name: '工单', before: order.title, after: '已删除' }])
  await tellPresent(ctx, id)
  return { id }
}
