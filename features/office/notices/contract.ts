import { listInput, rowShape } from '#kit/declare/list-input.ts'
import { errorsOf, op } from '#kit/declare/op.ts'
import { pageOf } from '#kit/declare/page.ts'
import { madeText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { NOTICE_FIELDS, NOTICES } from './fields.ts'
import { REFUSALS, TOPIC_KEYS, type Topic } from './rules.ts'

const topic = z.enum(TOPIC_KEYS as [Topic, ...Topic[]])

const Notice = z.object({
  ...rowShape(NOTICE_FIELDS),
  id: z.number(),
  /** Names the notice where it is read or confirmed. */
  traceId: z.string(),
  /** Path of our own page; empty: none. */
  link: z.string(),
  readAt: z.string().nullable(),
  /** Id of the newer notice of the same thing on this page; none: it is the newest. */
  behind: z.number().nullable(),
  /** How many older ones of the same thing are on this page. */
  others: z.number(),
  /** It or one of these was not read. */
  unread: z.boolean(),
})

/** `enabled`: a notice of it is brought to open pages; else the centre keeps it as read. */
const topics = z.array(z.object({ topic, enabled: z.boolean() })).max(TOPIC_KEYS.length)
/** A threshold in hundredths of a token, pieces or days. Null: never warned. */
const threshold = z.number().nullable()

const Preferences = z.object({
  topics,
  thresholds: z.object({ tokenCents: threshold, sms: threshold, expiringDays: threshold }),
})

export const notices = {
  list: op(
    { permission: 'session' },
    { method: 'GET', path: '/notices', summary: "The account's notices, the newest first" },
  )
    .input(z.object(listInput(NOTICES)))
    .output(pageOf(Notice)),
  unread: op(
    { permission: 'session' },
    { method: 'GET', path: '/notices/unread', summary: 'How many notices were not read, at most 100' },
  ).output(z.object({ count: z.number() })),
  /** `traceId` null: all; `ofThing`: with it all about the same thing. Read again stays read. */
  read: op(
    { permission: 'session', ephemeral: true, stale: ['notices'], whileSuspended: true },
    { method: 'POST', path: '/notices/read', summary: 'Mark one notice or all as read' },
  )
    .input(z.object({ traceId: madeText.max(64).nullable(), ofThing: z.boolean().default(false) }))
    .output(z.object({ count: z.number() })),
  preferences: op(
    { permission: 'session' },
    {
      method: 'GET',
      path: '/notices/preferences',
      summary: 'Topics the account hears of, and when it is warned',
    },
  ).output(Preferences),
  setPreferences: op(
    { permission: 'session', log: '修改消息设置', stale: ['notices'], whileSuspended: true },
    { method: 'PUT', path: '/notices/preferences', summary: 'Choose topics and when to be warned' },
  )
    .errors(errorsOf(REFUSALS))
    .input(Preferences)
    .output(Preferences),
}
