import { listInput, outputShape } from '#kit/declare/list-input.ts'
import { errorsOf, op } from '#kit/declare/op.ts'
import { pageOf, whole } from '#kit/declare/page.ts'
import { linesText, madeText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { INBOX_SOURCE, INBOX_SOURCE_LENGTH } from '#kit/ports/inbox.ts'
import { DECIDED, DECIDED_FIELDS, INBOX, INBOX_FIELDS } from './fields.ts'
import { INBOX_LIMITS, INBOX_REFUSALS } from './rules.ts'

const source = z.string().regex(INBOX_SOURCE).max(INBOX_SOURCE_LENGTH)
const instant = z.iso.datetime({ offset: true }).nullable().default(null)
/** Each as it was seen: who had it, and until when it was put off. What a colleague made of it since is not overwritten unseen. */
const items = z
  .array(
    z.object({ source, id: whole(1), assigneeId: whole(1).nullable().default(null), snoozedUntil: instant }),
  )
  .min(1)
  .max(INBOX_LIMITS.rows)

export const InboxRow = z.object({
  /** The item among all. */
  key: z.string(),
  source,
  ...outputShape(INBOX_FIELDS, 'row'),
  merchantId: z.number().nullable(),
  agentId: z.number().nullable(),
  assigneeId: z.number().nullable(),
  about: z.string(),
  link: z.string(),
  /** How many alike stand behind this line; null: it is one thing. */
  folded: z.number().nullable(),
  /** Whether whoever looks may do it. */
  mayDecide: z.boolean(),
})

const Kinds = z.array(z.object({ label: z.string(), count: z.number(), capped: z.boolean() }))

const DecidedRow = z.object({
  key: z.string(),
  source,
  ...outputShape(DECIDED_FIELDS, 'row'),
  merchantId: z.number().nullable(),
  agentId: z.number().nullable(),
  about: z.string(),
  link: z.string(),
  /** Whether its desk shows what was done. */
  opens: z.boolean(),
})

/** What became of each; `refusal` says why nothing did: it waits no longer, or a colleague was first. */
const Done = z.object({
  rows: z.array(z.object({ source, id: z.number(), title: z.string(), refusal: z.string().nullable() })),
})

/** What is seen and may be done is said by the permissions of what waits, not by one of the inbox. */
const reads = { permission: 'session', forKeys: false } as const

export const inbox = {
  list: op(reads, { method: 'GET', path: '/inbox', summary: 'What waits for the acting account' })
    .input(z.object(listInput(INBOX)))
    .output(
      pageOf(InboxRow).extend({
        /** Of each kind that the account sees, under the same choice of whose. */
        kinds: Kinds,
      }),
    ),
  decided: op(reads, { method: 'GET', path: '/inbox/decided', summary: 'What was done, the latest first' })
    .input(z.object(listInput(DECIDED)))
    .output(pageOf(DecidedRow).extend({ kinds: Kinds })),
  count: op(reads, { method: 'GET', path: '/inbox/count', summary: 'How much waits' }).output(
    z.object({ waiting: z.number(), capped: z.boolean() }),
  ),
  /** Colleagues who may do all of these kinds. */
  people: op(reads, { method: 'GET', path: '/inbox/people', summary: 'Who may be charged with it' })
    .input(z.object({ sources: madeText.max(1_000).describe('parted by commas') }))
    .output(z.object({ rows: z.array(z.object({ id: z.number(), name: z.string() })) })),
  /** Null: nobody's again. */
  assign: op(
    { ...reads, log: '指派待办', stale: ['inbox'] },
    { method: 'POST', path: '/inbox/assignments', summary: 'Charge a colleague with what waits' },
  )
    .errors(errorsOf(INBOX_REFUSALS))
    .input(z.object({ items, accountId: whole(1).nullable() }))
    .output(Done),
  /** Until then it is out of sight; null: it is back at once. */
  snooze: op(
    { ...reads, log: '推迟待办', stale: ['inbox'] },
    { method: 'POST', path: '/inbox/snoozes', summary: 'Put off what waits' },
  )
    .errors(errorsOf(INBOX_REFUSALS))
    .input(z.object({ items, until: madeText.max(40).nullable(), reason: linesText.max(500).default('') }))
    .output(Done),
}
