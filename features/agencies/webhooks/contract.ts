import { TOPIC_KEYS } from '#features/shops/pos-changes/rules.ts'
import { listInput, outputShape } from '#kit/declare/list-input.ts'
import { errorsOf, type Out, op } from '#kit/declare/op.ts'
import { pageOf, whole } from '#kit/declare/page.ts'
import { lineText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { DELIVERIES, DELIVERY_FIELDS, ENDPOINT_FIELDS, ENDPOINTS } from './fields.ts'
import { WEBHOOK_REFUSALS } from './rules.ts'

const done = z.object({ done: z.literal(true) })
const id = whole(1)
const topics = z.array(z.enum(TOPIC_KEYS))

/** Bounded far above what rules allow, so that the rules tell what is wrong. */
const form = { url: lineText.max(2_000), topics: topics.max(100) }
/** Told once, and never again. */
const Given = z.object({ id: z.number(), secret: z.string() })

const reads = { permission: 'webhooks.list', forKeys: false } as const
const sends = { permission: 'webhooks.edit', stale: ['webhooks'], forKeys: false } as const
/** Where shops' data go, and what it is signed with. */
const changes = { ...sends, stepUp: true } as const
const errors = errorsOf(WEBHOOK_REFUSALS)

export const webhooks = {
  /** Of the acting agency. */
  list: op(reads, { method: 'GET', path: '/webhooks', summary: 'Endpoints that are told of changes' })
    .input(z.object(listInput(ENDPOINTS)))
    .output(pageOf(z.object(outputShape(ENDPOINT_FIELDS, 'row')).extend({ topics, enabled: z.boolean() }))),
  /** All of them by name, for choices. */
  options: op(reads, { method: 'GET', path: '/webhooks-options', summary: 'Endpoints by name' }).output(
    z.object({ rows: z.array(z.object({ id: z.number(), name: z.string() })) }),
  ),
  add: op(
    { ...changes, log: '新建回调地址' },
    { method: 'POST', path: '/webhooks', summary: 'Add an endpoint' },
  )
    .errors(errors)
    .input(z.object(form))
    .output(Given),
  edit: op(
    { ...changes, log: '修改回调地址' },
    { method: 'PATCH', path: '/webhooks/{id}', summary: 'Change the address and topics of an endpoint' },
  )
    .errors(errors)
    .input(z.object({ id, ...form }))
    .output(done),
  setEnabled: op(
    { ...changes, log: '启用或停用回调地址' },
    { method: 'PUT', path: '/webhooks/{id}/enabled', summary: 'Switch an endpoint on or off' },
  )
    .errors(errors)
    .input(z.object({ id, enabled: z.boolean() }))
    .output(done),
  /** Another secret; the one before signs beside it for a while. */
  rotate: op(
    { ...changes, log: '轮换回调密钥' },
    { method: 'POST', path: '/webhooks/{id}/rotate', summary: 'Give an endpoint another secret' },
  )
    .errors(errors)
    .input(z.object({ id, overlapHours: z.number().int() }))
    .output(Given),
  endPrevious: op(
    { ...changes, log: '停用旧回调密钥' },
    { method: 'DELETE', path: '/webhooks/{id}/previous', summary: 'End the secret before the last' },
  )
    .errors(errors)
    .input(z.object({ id }))
    .output(done),
  remove: op(
    { ...changes, log: '删除回调地址' },
    { method: 'DELETE', path: '/webhooks/{id}', summary: 'Remove an endpoint and what waits for it' },
  )
    .errors(errors)
    .input(z.object({ id }))
    .output(done),
  sendTest: op(
    { ...sends, log: '发送测试回调' },
    { method: 'POST', path: '/webhooks/{id}/test', summary: 'Send a test event to an endpoint' },
  )
    .errors(errors)
    .input(z.object({ id }))
    .output(z.object({ deliveryId: z.number() })),
  /** Everything since a time once more, also what changed while the endpoint was off. */
  replay: op(
    { ...sends, log: '重放回调' },
    { method: 'POST', path: '/webhooks/{id}/replay', summary: 'Send all changes since a time once more' },
  )
    .errors(errors)
    .input(z.object({ id, since: z.iso.datetime() }))
    .output(z.object({ queued: z.number() })),
  deliveries: op(reads, { method: 'GET', path: '/webhook-deliveries', summary: 'What was sent to endpoints' })
    .input(z.object(listInput(DELIVERIES)))
    .output(pageOf(z.object(outputShape(DELIVERY_FIELDS, 'row')).extend({ enabled: z.boolean() }))),
  delivery: op(reads, {
    method: 'GET',
    path: '/webhook-deliveries/{id}',
    summary: 'What was sent and what was answered',
  })
    .input(z.object({ id }))
    .output(z.object({ messageId: z.string(), body: z.string(), answer: z.string() })),
  resend: op(
    { ...sends, log: '重新投递回调' },
    { method: 'POST', path: '/webhook-deliveries/{id}/resend', summary: 'Send a delivery once more' },
  )
    .errors(errors)
    .input(z.object({ id }))
    .output(done),
}

export type DeliveryRow = Out<typeof webhooks.deliveries>['rows'][number]

export type EndpointRow = Out<typeof webhooks.list>['rows'][number]
