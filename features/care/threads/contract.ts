import { fileOf, listInput, outputShape } from '#kit/declare/list-input.ts'
import { errorsOf, op } from '#kit/declare/op.ts'
import { flag, pageOf, whole } from '#kit/declare/page.ts'
import { linesText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { ALL_THREADS, THREAD_FIELDS, THREADS } from './fields.ts'
import {
  ANSWER_REFUSALS,
  MESSAGE_SIDES,
  type MessageSide,
  RESOLUTIONS,
  type Resolution,
  SATISFACTIONS,
  type Satisfaction,
  STEP_REFUSALS,
  THREAD_DESKS,
  type ThreadDesk,
} from './rules.ts'

/** Bounded above what rules.ts allows, so that the rules tell what is too long. */
const text = linesText.max(5_000)
const id = whole(1)
const desk = z.enum(Object.keys(THREAD_DESKS) as [ThreadDesk, ...ThreadDesk[]])
const STALE = ['threads', 'dashboard']

const ThreadRow = z.object({
  ...outputShape(THREAD_FIELDS, 'row'),
  /** Of GET /api/files/{id}. */
  pictureId: z.string().nullable(),
  /** The shop has said something that nobody of the office has seen. */
  unread: z.boolean(),
})

const Message = z.object({
  id: z.number(),
  side: z.enum(Object.keys(MESSAGE_SIDES) as [MessageSide, ...MessageSide[]]),
  text: z.string(),
  authorName: z.string(),
  createdAt: z.string(),
  pictures: z.array(z.string()),
  /** The other side has seen it. */
  seen: z.boolean(),
  rates: z.boolean(),
  satisfaction: z.enum(Object.keys(SATISFACTIONS) as [Satisfaction, ...Satisfaction[]]).nullable(),
  resolution: z.enum(Object.keys(RESOLUTIONS) as [Resolution, ...Resolution[]]).nullable(),
})

const Thread = ThreadRow.extend({
  revision: z.number(),
  assigneeId: z.number().nullable(),
  /** The shop is the vendor's own. */
  ofVendor: z.boolean(),
  /** Of who wrote an older feedback. */
  phone: z.string(),
  olderId: z.number().nullable(),
  waitingSince: z.string().nullable(),
})

const reads = { permission: 'threads.list' } as const
const done = z.object({ id: z.number() })

export const threads = {
  list: op(reads, { method: 'GET', path: '/threads', summary: "Feedback of the agency's own shops" })
    .input(z.object(listInput(THREADS)))
    .output(pageOf(ThreadRow)),
  all: op(
    { permission: 'threads.all' },
    { method: 'GET', path: '/threads/all', summary: 'Feedback that lies with the vendor' },
  )
    .input(z.object(listInput(ALL_THREADS)))
    .output(pageOf(ThreadRow)),
  details: op(reads, { method: 'GET', path: '/threads/{id}', summary: 'One thread with what was said' })
    .input(z.object({ id }))
    .output(z.object({ thread: Thread, messages: z.array(Message) })),
  /** Colleagues, without the acting account. */
  presence: op(reads, {
    method: 'GET',
    path: '/threads/{id}/presence',
    summary: 'Who else looks at a thread now, and who is typing',
  })
    .input(z.object({ id }))
    .output(z.object({ people: z.array(z.object({ name: z.string(), typing: z.boolean() })) })),
  answers: op(
    { permission: 'threads.reply' },
    { method: 'GET', path: '/threads/answers', summary: 'Canned replies' },
  ).output(z.object({ rows: z.array(z.object({ id: z.number(), name: z.string(), text: z.string() })) })),
  people: op(reads, {
    method: 'GET',
    path: '/threads/people',
    summary: 'Who of the own agency a thread can be assigned to',
  }).output(z.object({ rows: z.array(z.object({ id: z.number(), name: z.string() })) })),
  /** Of the last 30 days; null: nothing was answered. */
  figures: op(
    { permission: 'threads.all' },
    { method: 'GET', path: '/threads/figures', summary: 'How soon shops got their first answer' },
  ).output(
    z.object({
      answered: z.number(),
      averageMinutes: z.number().nullable(),
      medianMinutes: z.number().nullable(),
      withinPromise: z.number(),
      hours: z.number(),
    }),
  ),
  /** `revision`: what its writer has seen; an answer that came meanwhile refuses it. */
  reply: op(
    { permission: 'threads.reply', log: '回复商户反馈', idempotent: true, stale: [...STALE, 'feedback'] },
    { method: 'POST', path: '/threads/{id}/replies', summary: 'Answer the shop' },
  )
    .errors(errorsOf(ANSWER_REFUSALS))
    .input(z.object({ id, text, pictures: z.array(z.uuid()).max(20).default([]), revision: whole(0) }))
    .output(done),
  note: op(
    { permission: 'threads.reply', log: '添加反馈备注', idempotent: true, stale: STALE },
    { method: 'POST', path: '/threads/{id}/notes', summary: 'Leave a note for colleagues; no shop sees it' },
  )
    .errors(errorsOf(ANSWER_REFUSALS))
    .input(z.object({ id, text }))
    .output(done),
  close: op(
    { permission: 'threads.reply', log: '关闭商户反馈', stale: STALE },
    { method: 'POST', path: '/threads/{id}/close', summary: 'End a thread; the shop is asked to rate it' },
  )
    .errors(errorsOf(STEP_REFUSALS))
    .input(z.object({ id }))
    .output(done),
  reopen: op(
    { permission: 'threads.reopen', log: '重新打开商户反馈', stale: STALE },
    { method: 'POST', path: '/threads/{id}/reopen', summary: 'Open an ended thread anew, with a reason' },
  )
    .errors(errorsOf(STEP_REFUSALS))
    .input(z.object({ id, reason: text }))
    .output(done),
  assign: op(
    { permission: 'threads.reply', log: '分配商户反馈', stale: STALE },
    { method: 'POST', path: '/threads/{id}/assignee', summary: 'Say who of the own agency answers' },
  )
    .errors(errorsOf(STEP_REFUSALS))
    /** `seenId`: whom it was seen to be assigned to; what a colleague has done since is not overwritten. */
    .input(z.object({ id, accountId: id.nullable(), seenId: id.nullable().optional() }))
    .output(done),
  passOn: op(
    { permission: 'threads.reply', log: '转交商户反馈', stale: STALE },
    { method: 'POST', path: '/threads/{id}/desk', summary: 'Pass a thread on to the vendor, or back' },
  )
    .errors(errorsOf({ ...STEP_REFUSALS, CONTENT_TOO_LONG: ANSWER_REFUSALS.CONTENT_TOO_LONG }))
    .input(z.object({ id, to: desk, note: text.default('') }))
    .output(done),
  read: op(
    { permission: 'threads.list', ephemeral: true, stale: ['threads'], whileSuspended: true },
    { method: 'POST', path: '/threads/{id}/read', summary: 'Mark what the shop said as seen' },
  )
    .input(z.object({ id }))
    .output(done),
  here: op(
    { permission: 'threads.list', ephemeral: true, forKeys: false, whileSuspended: true },
    { method: 'POST', path: '/threads/{id}/presence', summary: 'Say that one looks at a thread, or types' },
  )
    .input(z.object({ id, typing: flag().default(false) }))
    .output(done),
}

export const threadsDownloads = { list: fileOf(THREADS), all: fileOf(ALL_THREADS) }
