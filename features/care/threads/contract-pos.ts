import { REFUSALS } from '#features/shops/merchants/rules.ts'
import { errorsOf, op } from '#kit/declare/op.ts'
import { whole } from '#kit/declare/page.ts'
import { bytesInBase64, entered, fileId, numbered, said } from '#kit/declare/said.ts'
import * as z from '#kit/declare/z.ts'
import { PICTURE_REFUSALS } from '#kit/picture.ts'
import {
  RATING_REFUSALS,
  RESOLUTIONS,
  type Resolution,
  SATISFACTIONS,
  type Satisfaction,
  THREAD_LIMITS,
  THREAD_PICTURE_KB,
  THREAD_STATES,
  type ThreadState,
  WRITE_REFUSALS,
} from './rules.ts'

const id = whole(1)
const text = entered({ as: 'lines', most: THREAD_LIMITS.text, least: 1 })
const pictures = said(z.array(fileId()).max(20), { maxItems: THREAD_LIMITS.pictures }).default([])
/** A picture in base64, and a little. */
const PICTURE_BODY = Math.ceil((THREAD_PICTURE_KB.max * 1_024 * 4) / 3)
const instant = z.string().describe('ISO 8601, UTC')
const state = z.enum(Object.keys(THREAD_STATES) as [ThreadState, ...ThreadState[]])
const satisfaction = z.enum(Object.keys(SATISFACTIONS) as [Satisfaction, ...Satisfaction[]])
const resolution = z.enum(Object.keys(RESOLUTIONS) as [Resolution, ...Resolution[]])
const writes = { permission: 'pos.write', forKeys: 'only', idempotent: true } as const
const reads = { permission: 'pos.read', forKeys: 'only', unlogged: true } as const
const REFUSED = { ...WRITE_REFUSALS, MERCHANT_DISABLED: REFUSALS.MERCHANT_DISABLED }
const made = z.object({ id: z.number() })

const Thread = z.object({
  id: z.number(),
  title: z.string(),
  state,
  createdAt: instant,
  lastAt: instant,
  /** The office has said something that the shop has not seen. */
  unread: z.boolean(),
  satisfaction: satisfaction.nullable(),
  resolution: resolution.nullable(),
})

export const threadsAtPos = {
  ofShop: op(reads, {
    method: 'GET',
    path: '/v1/shops/{id}/feedback',
    summary: "A shop's feedback, the latest first",
  })
    .input(z.strictObject({ id }))
    .output(z.object({ threads: z.array(Thread) })),
  thread: op(reads, {
    method: 'GET',
    path: '/v1/feedback/{id}',
    summary: 'What was said in one feedback, the earliest first',
  })
    .input(z.strictObject({ id }))
    .output(
      Thread.extend({
        shopId: z.number(),
        messages: z.array(
          z.object({
            id: z.number(),
            from: z.enum(['shop', 'office', 'system']),
            name: z.string(),
            text: z.string(),
            /** Of GET /v1/feedback-pictures/{id}. */
            pictures: z.array(z.string()),
            at: instant,
            /** The other side has seen it. */
            seen: z.boolean(),
            /** What the shop is asked to rate, once; null: nothing. */
            rating: z
              .object({
                questions: z.object({ satisfaction: z.string(), resolution: z.string() }),
                satisfaction: satisfaction.nullable(),
                resolution: resolution.nullable(),
              })
              .nullable(),
          }),
        ),
      }),
    ),
  picture: op(
    { ...reads, detached: true },
    { method: 'GET', path: '/v1/feedback-pictures/{id}', summary: 'A picture of a feedback' },
  )
    .input(z.strictObject({ id: fileId() }))
    .output(z.object({ type: z.string(), data: z.string().describe('base64') })),
  /** JPEG or PNG; what is kept is written anew. One that no message names within a day is removed. */
  keepPicture: op(
    {
      permission: 'pos.write',
      forKeys: 'only',
      log: '上传反馈图片',
      detached: true,
      bodyMost: PICTURE_BODY + 4_096,
    },
    {
      method: 'POST',
      path: '/v1/shops/{id}/feedback-pictures',
      summary: `Send a picture, before the message that names it; up to ${THREAD_LIMITS.pictures} a message`,
    },
  )
    .errors(errorsOf(PICTURE_REFUSALS))
    .input(
      z.strictObject({
        id,
        data: bytesInBase64(PICTURE_BODY, 'A JPEG or PNG of up to 500 KB, or what the operator allows'),
      }),
    )
    .output(z.object({ id: z.string(), width: z.number(), height: z.number() })),
  file: op(
    { ...writes, log: '提交商户反馈' },
    { method: 'POST', path: '/v1/shops/{id}/feedback', summary: "File a shop's feedback" },
  )
    .errors(errorsOf(REFUSED))
    .input(z.strictObject({ id, text, pictures }))
    .output(made),
  answer: op(
    { ...writes, log: '商户回复反馈' },
    { method: 'POST', path: '/v1/feedback/{id}/messages', summary: 'Say more in a feedback that is open' },
  )
    .errors(errorsOf(REFUSED))
    .input(z.strictObject({ id, text, pictures }))
    .output(made),
  rate: op(
    { ...writes, log: '商户评价反馈' },
    { method: 'POST', path: '/v1/feedback/{id}/rating', summary: 'Rate what a message asks for, once' },
  )
    .errors(errorsOf(RATING_REFUSALS))
    .input(z.strictObject({ id, messageId: numbered(), satisfaction, resolution }))
    .output(made),
  read: op(
    { permission: 'pos.write', forKeys: 'only', ephemeral: true, unlogged: true },
    { method: 'POST', path: '/v1/feedback/{id}/read', summary: 'Mark what the office said as seen' },
  )
    .input(z.strictObject({ id, upTo: numbered().describe('The id of the last message that is shown') }))
    .output(made),
}
