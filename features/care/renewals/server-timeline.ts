// A shop's timeline: what each feature wrote about it, merged by time. Reads other features' tables and writes nothing.
import { and, desc, eq, inArray, isNotNull, lte, notInArray, or, type SQL } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import { APPROVAL_KINDS, APPROVAL_STATES } from '#features/care/approvals/rules.ts'
import { approvalRequests } from '#features/care/approvals/tables.ts'
import { accounts } from '#features/office/access/tables.ts'
import { TOOL_KINDS } from '#features/sales/aftersales/rules.ts'
import { toolActions } from '#features/sales/aftersales/tables.ts'
import { contentBeside } from '#features/sales/orders/rules.ts'
import { versionOrderEffects, versionOrders } from '#features/sales/orders/tables.ts'
import { serviceOrders } from '#features/sales/services/tables.ts'
import { smsOrders } from '#features/sales/sms/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { CODE_MESSAGES, MESSAGE_KINDS } from '#features/shops/messages/rules.ts'
import { outboxMessages } from '#features/shops/messages/tables.ts'
import { durationText } from '#features/shops/versions/rules.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { literal } from '#server/list.ts'
import { found } from '#server/refuse.ts'
import { type FieldChange, operationLogs } from '#server/tables.ts'
import type { renewals as contract } from './contract.ts'
import { type EventKind, MARK_STATES } from './rules.ts'
import {
  ask,
  type Event,
  event,
  FETCHED,
  isAfter,
  place,
  SHOP,
  SHOWN,
  UNTIL,
} from './server-timeline-sources.ts'
import { renewalMarks } from './tables.ts'

type Source = (ctx: Ctx, merchantId: number, until: string) => Promise<Event[]>

/** Operations whose outcome stands on the timeline by its own row. */
const TOLD_OTHERWISE = [
  '新增商户',
  '版本购买',
  '版本购买报价',
  '批量续费',
  '批量续费报价',
  '作废待支付订单',
  '购买增值服务',
  '购买短信包',
  '回收短信',
  '赠送短信',
  '撤销订单',
  '通过撤销申请',
  '续费跟进',
  '发送续费提醒',
  '发送验证码',
  '提交审批申请',
  '撤回审批申请',
  '通过审批申请',
  '驳回审批申请',
  ...Object.values(TOOL_KINDS),
]
const STATUS_TITLES = ['启用商户', '禁用商户']

/** Orders stand on the timeline for who may see their list. */
const ORDER_LISTS: Record<string, Source> = {
  'orders.list': versionEvents,
  'services.orders': serviceEvents,
  'smsDesk.orders': smsEvents,
}

/** What was changed to what stands in the operation log, which sub-users do not read (D3 §6). */
function seesValues(ctx: Ctx): boolean {
  return ctx.actor.isOwner || ctx.actor.isVendorStaff
}

/** What stands in the operation log, which has a part for every month: it is read once where both are asked for. */
type LogKind = 'edit' | 'status'

const BESIDE_LOG: Record<Exclude<EventKind, LogKind>, Source> = {
  order: async (ctx, id, until) => {
    const lists = Object.entries(ORDER_LISTS).filter(([permission]) => ctx.actor.permissions.has(permission))
    const events: Event[] = []
    for (const [, list] of lists) events.push(...(await list(ctx, id, until)))
    return events
  },
  message: messageEvents,
  mark: markEvents,
  tool: toolEvents,
  request: requestEvents,
  login: loginEvents,
}

const SOURCES: Record<EventKind, Source> = {
  ...BESIDE_LOG,
  edit: (ctx, id, until) => logEvents(ctx, id, until, ['edit']),
  status: (ctx, id, until) => logEvents(ctx, id, until, ['status']),
}
const ALL: readonly Source[] = [
  ...Object.values(BESIDE_LOG),
  (ctx, id, until) => logEvents(ctx, id, until, ['edit', 'status']),
]

export const timelineOf: Verb<typeof contract.timeline> = async (ctx, input) => {
  const [shop] = await ask(ctx, 'shop', { merchantId: input.merchantId }, own =>
    ctx.db
      .select({ id: merchants.id })
      .from(merchants)
      .where(and(eq(merchants.id, SHOP), own(merchants.agentId))),
  )
  const merchantId = found(shop).id
  const until = input.before?.split('|')[0] ?? '9999-12-31T00:00:00.000Z'
  const events: Event[] = []
  for (const source of input.kind ? [SOURCES[input.kind]] : ALL)
    events.push(...(await source(ctx, merchantId, until)))
  const placeOf = (event: Event) => `${event.at}|${event.key}`
  const later = events
    .filter(event => input.before === undefined || placeOf(event) < input.before)
    .sort((a, b) => (placeOf(a) < placeOf(b) ? 1 : -1))
  const rows = later.slice(0, SHOWN)
  const last = rows.at(-1)
  return { rows, next: later.length > SHOWN && last ? placeOf(last) : null }
}

/** An order and, where it was undone, its undoing. `totalCents`: null at a shop that did not pay it. */
function orderEvents(
  order: {
    orderNo: string
    content: string
    totalCents: number | null
    actorName: string
    remark: string
    paidAt: string | null
    undoneAt: string | null
    undoneByName: string
    undoneReason: string
  },
  until: string,
): Event[] {
  const { orderNo, paidAt, undoneAt } = order
  const events: Event[] = []
  if (paidAt !== null && !isAfter(paidAt, until))
    events.push(
      event('order', `order ${orderNo}`, paidAt, {
        title: order.content,
        detail: order.remark,
        actorName: order.actorName,
        orderNo,
        amountCents: order.totalCents === null ? null : -order.totalCents,
      }),
    )
  if (undoneAt !== null && !isAfter(undoneAt, until))
    events.push(
      event('order', `undone ${orderNo}`, undoneAt, {
        title: `撤销 ${order.content}`,
        detail: order.undoneReason,
        actorName: order.undoneByName,
        orderNo,
        amountCents: order.totalCents,
      }),
    )
  return events
}

/** So many orders of a shop are looked at; no shop has more in its life. */
const ORDERS = 200

async function versionEvents(ctx: Ctx, merchantId: number, until: string): Promise<Event[]> {
  const rows = await ask(ctx, 'orders', { merchantId }, own => {
    // Two ways to the same orders, each through its own index; together in one condition neither would be used.
    const ids = unionAll(
      ctx.db.select({ id: versionOrders.id }).from(versionOrders).where(eq(versionOrders.merchantId, SHOP)),
      ctx.db
        .select({ id: versionOrderEffects.orderId })
        .from(versionOrderEffects)
        .where(eq(versionOrderEffects.merchantId, SHOP)),
    )
    return ctx.db
      .select({ order: versionOrders, shopName: merchants.shopName, actorName: accounts.name })
      .from(versionOrders)
      .leftJoin(merchants, eq(merchants.id, SHOP))
      .leftJoin(accounts, eq(accounts.id, versionOrders.createdBy))
      .where(
        and(
          own(versionOrders.agentId),
          inArray(versionOrders.id, ids),
          inArray(versionOrders.status, ['paid', 'recycled']),
        ),
      )
      .orderBy(desc(versionOrders.id))
      .limit(literal(ORDERS))
  })
  return rows.flatMap(({ order, shopName, actorName }) =>
    orderEvents(
      {
        ...order,
        content: `${contentBeside(order.content, shopName)}，${durationText(order.term, order.periods)}`,
        actorName: actorName ?? '',
        totalCents: order.merchantId === merchantId ? order.totalCents : null,
      },
      until,
    ),
  )
}

async function serviceEvents(ctx: Ctx, merchantId: number, until: string): Promise<Event[]> {
  const rows = await ask(ctx, 'services', { merchantId }, own =>
    ctx.db
      .select()
      .from(serviceOrders)
      .where(and(eq(serviceOrders.merchantId, SHOP), own(serviceOrders.agentId)))
      .orderBy(desc(serviceOrders.id))
      .limit(literal(ORDERS)),
  )
  return rows.flatMap(order =>
    orderEvents(
      {
        ...order,
        content: `增值服务 ${order.serviceName} × ${order.quantity}`,
        actorName: order.createdByName,
      },
      until,
    ),
  )
}

async function smsEvents(ctx: Ctx, merchantId: number, until: string): Promise<Event[]> {
  const rows = await ask(ctx, 'sms', { merchantId }, own =>
    ctx.db
      .select()
      .from(smsOrders)
      .where(and(eq(smsOrders.merchantId, SHOP), own(smsOrders.agentId)))
      .orderBy(desc(smsOrders.id))
      .limit(literal(ORDERS)),
  )
  return rows.flatMap(order =>
    orderEvents(
      { ...order, content: `${order.name} ${order.pieces}条`, actorName: order.createdByName },
      until,
    ),
  )
}

async function logEvents(
  ctx: Ctx,
  merchantId: number,
  until: string,
  kinds: readonly LogKind[],
): Promise<Event[]> {
  const isStatus: SQL = inArray(operationLogs.title, STATUS_TITLES)
  const others = [...TOLD_OTHERWISE, ...(kinds.includes('status') ? [] : STATUS_TITLES)]
  const rows = await ask(ctx, kinds.join(), { merchantId, until }, own =>
    ctx.db
      .select()
      .from(operationLogs)
      .where(
        and(
          eq(operationLogs.merchantId, SHOP),
          or(own(operationLogs.agentId), own(operationLogs.aboutAgentId)),
          lte(operationLogs.createdAt, UNTIL),
          kinds.includes('edit') ? notInArray(operationLogs.title, others) : isStatus,
        ),
      )
      .orderBy(desc(operationLogs.createdAt), desc(operationLogs.id))
      .limit(literal(FETCHED)),
  )
  return rows.map(row => {
    const isOfStatus = STATUS_TITLES.includes(row.title)
    return event(isOfStatus ? 'status' : 'edit', `log ${place(row.id)}`, row.createdAt, {
      title: row.title,
      detail: isOfStatus || !seesValues(ctx) ? '' : row.changes.map(changeText).join('；'),
      actorName: row.accountName,
    })
  })
}

function changeText({ name, before, after }: FieldChange): string {
  return before === null ? `${name}：${after || '空'}` : `${name}：${before || '空'} → ${after || '空'}`
}

async function messageEvents(ctx: Ctx, merchantId: number, until: string): Promise<Event[]> {
  const rows = await ask(ctx, 'messages', { merchantId, until }, own =>
    ctx.db
      .select()
      .from(outboxMessages)
      .where(
        and(
          eq(outboxMessages.merchantId, SHOP),
          own(outboxMessages.agentId),
          lte(outboxMessages.createdAt, UNTIL),
        ),
      )
      .orderBy(desc(outboxMessages.id))
      .limit(literal(FETCHED)),
  )
  const seesTexts = seesValues(ctx) || ctx.actor.permissions.has('smsDesk.orders')
  return rows.map(row =>
    event('message', `message ${place(row.id)}`, row.createdAt, {
      title: MESSAGE_KINDS[row.kind],
      // A code is nobody's to read but the phone's owner.
      detail: !seesTexts || CODE_MESSAGES.includes(row.kind) ? '' : row.text,
      actorName: row.createdByName,
    }),
  )
}

async function markEvents(ctx: Ctx, merchantId: number, until: string): Promise<Event[]> {
  const rows = await ask(ctx, 'marks', { merchantId, until }, own =>
    ctx.db
      .select()
      .from(renewalMarks)
      .where(
        and(eq(renewalMarks.merchantId, SHOP), own(renewalMarks.agentId), lte(renewalMarks.createdAt, UNTIL)),
      )
      .orderBy(desc(renewalMarks.id))
      .limit(literal(FETCHED)),
  )
  return rows.map(row =>
    event('mark', `mark ${place(row.id)}`, row.createdAt, {
      title: MARK_STATES[row.state],
      detail: [row.note, row.nextOn === null ? '' : `下次跟进 ${row.nextOn}`].filter(Boolean).join('；'),
      actorName: row.createdByName,
    }),
  )
}

async function toolEvents(ctx: Ctx, merchantId: number, until: string): Promise<Event[]> {
  const rows = await ask(ctx, 'tools', { merchantId, until }, own =>
    ctx.db
      .select()
      .from(toolActions)
      .where(
        and(eq(toolActions.merchantId, SHOP), own(toolActions.agentId), lte(toolActions.createdAt, UNTIL)),
      )
      .orderBy(desc(toolActions.id))
      .limit(literal(FETCHED)),
  )
  return rows.map(row =>
    event('tool', `tool ${place(row.id)}`, row.createdAt, {
      title: TOOL_KINDS[row.kind],
      detail: seesValues(ctx) ? [...row.changes.map(changeText), row.reason].join('；') : '',
      actorName: row.createdByName,
    }),
  )
}

/** That it was asked for, and what came of it. */
async function requestEvents(ctx: Ctx, merchantId: number, until: string): Promise<Event[]> {
  const rows = await ask(ctx, 'requests', { merchantId, until }, own =>
    ctx.db
      .select()
      .from(approvalRequests)
      .where(
        and(
          eq(approvalRequests.merchantId, SHOP),
          own(approvalRequests.agentId),
          lte(approvalRequests.createdAt, UNTIL),
        ),
      )
      .orderBy(desc(approvalRequests.id))
      .limit(literal(FETCHED)),
  )
  return rows.flatMap(row => {
    const title = `${APPROVAL_KINDS[row.kind]}「${row.content}」`
    const asked = event('request', `request ${place(row.id)}`, row.createdAt, {
      title: `申请${title}`,
      detail: row.note,
      actorName: row.createdByName,
    })
    if (row.handledAt === null || isAfter(row.handledAt, until)) return [asked]
    const handled = event('request', `handled ${place(row.id)}`, row.handledAt, {
      title: `${title}${APPROVAL_STATES[row.state]}`,
      detail: [row.reason, row.advice].filter(Boolean).join('；'),
      actorName: row.handledByName,
    })
    return [asked, handled]
  })
}

/** Logins are the shop's own program's; of them the last is known. */
async function loginEvents(ctx: Ctx, merchantId: number, until: string): Promise<Event[]> {
  const [row] = await ask(ctx, 'login', { merchantId }, own =>
    ctx.db
      .select({ at: merchants.lastLoginAt, personName: merchants.personName })
      .from(merchants)
      .where(and(eq(merchants.id, SHOP), own(merchants.agentId), isNotNull(merchants.lastLoginAt))),
  )
  if (!row?.at || isAfter(row.at, until)) return []
  return [event('login', 'login', row.at, { title: '最近登录', actorName: row.personName })]
}
