import { fileOf, filterShape, listInput, outputShape } from '#kit/declare/list-input.ts'
import { errorsOf, op } from '#kit/declare/op.ts'
import { flag, pageOf, whole } from '#kit/declare/page.ts'
import { linesText, lineText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { ALL_WORK_ORDERS, WORK_ORDER_FIELDS, WORK_ORDERS } from './fields.ts'
import {
  ANSWER_REFUSALS,
  CHARGE_REFUSALS,
  NEW_REFUSALS,
  ORDER_KIND_KEYS,
  ORDER_SIDES,
  ORDER_STATE_KEYS,
  type OrderSide,
  type OrderState,
  PARTNER_REFUSALS,
  SAY_REFUSALS,
  SCORES,
  STEP_REFUSALS,
  URGENCY_KEYS,
} from './rules.ts'

/** Bounded above what rules.ts allows, so that the rules tell what is too long. */
const text = linesText.max(5_000)
const id = whole(1)
const revision = whole(0)
const pictures = z.array(z.uuid()).max(20).default([])
const state = z.enum(ORDER_STATE_KEYS as [OrderState, ...OrderState[]])
const STALE = ['workOrders', 'inbox']

const WorkOrderRow = z.object({
  ...outputShape(WORK_ORDER_FIELDS, 'row'),
  /** The other side has said something that nobody of one's own has seen. */
  unread: z.boolean(),
})

const Message = z.object({
  id: z.number(),
  side: z.enum(Object.keys(ORDER_SIDES) as [OrderSide, ...OrderSide[]]),
  text: z.string(),
  authorName: z.string(),
  createdAt: z.string(),
  pictures: z.array(z.string()),
  /** The other side has seen it. */
  seen: z.boolean(),
})

const Event = z.object({
  id: z.number(),
  title: z.string(),
  changes: z.array(
    z.object({ name: z.string(), before: z.string().nullable(), after: z.string().nullable() }),
  ),
  createdByName: z.string(),
  createdAt: z.string(),
})

const WorkOrder = WorkOrderRow.extend({
  revision: z.number(),
  createdBy: z.number(),
  assigneeId: z.number().nullable(),
  dueAt: z.string(),
  closedAt: z.string().nullable(),
  ratedAt: z.string().nullable(),
})

const Counts = z.object({ rows: z.array(z.object({ state, count: z.number() })) })
const people = z.array(z.object({ name: z.string(), typing: z.boolean() }))
const reads = { permission: 'workOrders.list' } as const
const handles = { permission: 'workOrders.handle' } as const
const writes = { permission: 'workOrders.write' } as const
const done = z.object({ id: z.number() })

export const workOrders = {
  list: op(reads, { method: 'GET', path: '/work-orders', summary: "The agency's own work orders" })
    .input(z.object(listInput(WORK_ORDERS)))
    .output(pageOf(WorkOrderRow)),
  all: op(
    { permission: 'workOrders.all' },
    { method: 'GET', path: '/work-orders/all', summary: 'Work orders of all agencies' },
  )
    .input(z.object(listInput(ALL_WORK_ORDERS)))
    .output(pageOf(WorkOrderRow)),
  /** Of the same filters. */
  counts: op(reads, {
    method: 'GET',
    path: '/work-orders/counts',
    summary: 'How many of the own work orders stand in each state',
  })
    .input(z.object(filterShape(WORK_ORDERS)))
    .output(Counts),
  allCounts: op(
    { permission: 'workOrders.all' },
    { method: 'GET', path: '/work-orders/all/counts', summary: 'How many work orders stand in each state' },
  )
    .input(z.object(filterShape(ALL_WORK_ORDERS)))
    .output(Counts),
  details: op(reads, {
    method: 'GET',
    path: '/work-orders/{id}',
    summary: 'One work order with what was said and done',
  })
    .input(z.object({ id }))
    .output(z.object({ order: WorkOrder, messages: z.array(Message), events: z.array(Event) })),
  presence: op(reads, {
    method: 'GET',
    path: '/work-orders/{id}/presence',
    summary: 'Who else looks at a work order now, and who is typing',
  })
    .input(z.object({ id }))
    .output(z.object({ people })),
  answers: op(handles, {
    method: 'GET',
    path: '/work-orders/answers',
    summary: 'Canned replies, those of feedback',
  }).output(z.object({ rows: z.array(z.object({ id: z.number(), name: z.string(), text: z.string() })) })),
  people: op(handles, {
    method: 'GET',
    path: '/work-orders/people',
    summary: 'Who of the vendor can be charged with a work order',
  }).output(z.object({ rows: z.array(z.object({ id: z.number(), name: z.string() })) })),
  create: op(
    { ...writes, log: '新建工单', idempotent: true, stale: STALE },
    { method: 'POST', path: '/work-orders', summary: 'Ask the vendor for something' },
  )
    .errors(errorsOf(NEW_REFUSALS))
    .input(
      z.object({
        kind: z.enum(ORDER_KIND_KEYS).nullable(),
        urgency: z.enum(URGENCY_KEYS),
        title: lineText.max(5_000),
        text,
        merchantId: id.nullable().default(null),
        pictures,
      }),
    )
    .output(done),
  say: op(
    { ...writes, log: '回复工单', idempotent: true, stale: STALE },
    { method: 'POST', path: '/work-orders/{id}/messages', summary: 'Say something to the vendor' },
  )
    .errors(errorsOf(SAY_REFUSALS))
    .input(z.object({ id, text, pictures }))
    .output(done),
  /** `revision`: what its writer has seen; what was done meanwhile refuses it. */
  answer: op(
    { ...handles, log: '答复工单', idempotent: true, stale: STALE },
    { method: 'POST', path: '/work-orders/{id}/answers', summary: 'Answer the partner' },
  )
    .errors(errorsOf(ANSWER_REFUSALS))
    .input(z.object({ id, text, pictures, revision }))
    .output(done),
  note: op(
    { ...handles, log: '添加工单备注', idempotent: true, stale: STALE },
    { method: 'POST', path: '/work-orders/{id}/notes', summary: 'Leave a note for colleagues of the vendor' },
  )
    .errors(errorsOf(SAY_REFUSALS))
    .input(z.object({ id, text }))
    .output(done),
  /** `text` is said to the partner along with it. */
  step: op(
    { ...handles, log: '处理工单', stale: STALE },
    { method: 'POST', path: '/work-orders/{id}/steps', summary: 'Take a step of the vendor’s staff' },
  )
    .errors(errorsOf(STEP_REFUSALS))
    .input(
      z.object({
        id,
        step: z.enum(['accept', 'start', 'ask', 'resume', 'finish']),
        text: text.default(''),
        revision,
      }),
    )
    .output(done),
  assign: op(
    { ...handles, log: '分配工单', stale: STALE },
    { method: 'POST', path: '/work-orders/{id}/assignee', summary: 'Say who of the vendor does it' },
  )
    .errors(errorsOf(CHARGE_REFUSALS))
    .input(z.object({ id, accountId: id.nullable(), revision }))
    .output(done),
  setDue: op(
    { ...handles, log: '修改工单截止时间', stale: STALE },
    { method: 'POST', path: '/work-orders/{id}/due', summary: 'Say by when it is done' },
  )
    .errors(errorsOf(CHARGE_REFUSALS))
    .input(z.object({ id, dueAt: z.iso.datetime({ offset: true }).nullable(), revision }))
    .output(done),
  close: op(
    { ...writes, log: '关闭工单', stale: STALE },
    { method: 'POST', path: '/work-orders/{id}/close', summary: 'End it: nothing is wanted any more' },
  )
    .errors(errorsOf(PARTNER_REFUSALS))
    .input(z.object({ id }))
    .output(done),
  reopen: op(
    { ...writes, log: '重新打开工单', stale: STALE },
    { method: 'POST', path: '/work-orders/{id}/reopen', summary: 'What was done is not yet what was asked' },
  )
    .errors(errorsOf(PARTNER_REFUSALS))
    .input(z.object({ id, reason: text }))
    .output(done),
  rate: op(
    { ...writes, log: '评价工单', stale: STALE },
    { method: 'POST', path: '/work-orders/{id}/rating', summary: 'Say how satisfied one is' },
  )
    .errors(errorsOf(PARTNER_REFUSALS))
    .input(z.object({ id, satisfaction: z.enum(SCORES), text: text.default('') }))
    .output(done),
  remove: op(
    { ...writes, log: '删除工单', stale: STALE },
    { method: 'DELETE', path: '/work-orders/{id}', summary: 'Take back a new one' },
  )
    .errors(errorsOf(PARTNER_REFUSALS))
    .input(z.object({ id }))
    .output(done),
  read: op(
    { ...reads, ephemeral: true, stale: ['workOrders'], whileSuspended: true },
    { method: 'POST', path: '/work-orders/{id}/read', summary: 'Mark what the other side said as seen' },
  )
    .input(z.object({ id }))
    .output(done),
  here: op(
    { ...reads, ephemeral: true, forKeys: false, whileSuspended: true },
    { method: 'POST', path: '/work-orders/{id}/presence', summary: 'Say that one looks at it, or types' },
  )
    .input(z.object({ id, typing: flag().default(false) }))
    .output(done),
}

export const workOrdersDownloads = { list: fileOf(WORK_ORDERS), all: fileOf(ALL_WORK_ORDERS) }
