import { REFUSALS as MERCHANT_REFUSALS } from '#features/shops/merchants/rules.ts'
import { listInput } from '#kit/declare/list-input.ts'
import { errorsOf, op } from '#kit/declare/op.ts'
import { day, pageOf, whole } from '#kit/declare/page.ts'
import { linesText, madeText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { RENEWAL_DESK } from './fields.ts'
import {
  DESK_ORDERS,
  EVENT_KINDS,
  type EventKind,
  MARK_STATES,
  type MarkState,
  RENEWAL_REFUSALS,
  WINDOWS,
} from './rules.ts'

const markState = z.enum(Object.keys(MARK_STATES) as [MarkState, ...MarkState[]])
const eventKind = z.enum(Object.keys(EVENT_KINDS) as [EventKind, ...EventKind[]])

const Mark = z.object({
  id: z.number(),
  state: markState,
  note: z.string(),
  nextOn: z.string().nullable(),
  createdByName: z.string(),
  createdAt: z.string(),
})

export const DeskRow = z.object({
  id: z.number(),
  agentId: z.number(),
  agentName: z.string(),
  shopName: z.string(),
  personName: z.string(),
  /** The shop's phone: its account. */
  account: z.string(),
  shopPhone: z.string(),
  storeKind: z.enum(['head', 'branch']),
  versionId: z.number(),
  versionName: z.string(),
  shopsBought: z.number(),
  /** A year of its version for all its shops at its agent's discount, in 1/100 token; null where it is not sold by the year. */
  yearCents: z.number().nullable(),
  expiresAt: z.string(),
  /** Below 0: expired so many days ago. */
  daysLeft: z.number(),
  lastLoginAt: z.string().nullable(),
  managerName: z.string().nullable(),
  score: z.number(),
  /** Why it stands where it stands, most telling first. */
  reasons: z.array(z.string()),
  mark: Mark.nullable(),
})

export const renewals = {
  /** Shops whose term ends in a window, by its end or ranked; of the 2,000 nearest to their end where there are more. */
  desk: op(
    { permission: 'renewals.desk', mayLag: true },
    { method: 'GET', path: '/renewals', summary: 'Shops to renew, ranked with the reasons' },
  )
    .errors(errorsOf({ SEARCH_TOO_SHORT: MERCHANT_REFUSALS.SEARCH_TOO_SHORT }))
    .input(
      z.object({
        ...listInput(RENEWAL_DESK),
        window: z.enum(WINDOWS).default('30'),
        orderBy: z.enum(DESK_ORDERS).default('date'),
      }),
    )
    .output(pageOf(DeskRow)),
  /** Counts of the windows, and of an agent's managers within the asked one. */
  counts: op(
    { permission: 'renewals.desk' },
    { method: 'GET', path: '/renewals/counts', summary: 'Counts of the windows and of managers' },
  )
    .input(z.object({ agentId: whole(1).optional(), window: z.enum(WINDOWS).default('30') }))
    .output(
      z.object({
        windows: z.array(z.object({ window: z.enum(WINDOWS), count: z.number(), capped: z.boolean() })),
        /** Empty where no agent is chosen. */
        managers: z.array(
          z.object({
            /** 0: without a manager. */
            managerId: z.number(),
            managerName: z.string(),
            due: z.number(),
            contacted: z.number(),
            promised: z.number(),
            lost: z.number(),
          }),
        ),
      }),
    ),
  /** New shops of the last 12 months and shops whose term ends in the next 12; months as YYYY-MM. */
  months: op(
    { permission: 'renewals.desk' },
    { method: 'GET', path: '/renewals/months', summary: 'New shops and renewals due by month' },
  )
    .input(z.object({ agentId: whole(1).optional() }))
    .output(
      z.object({
        registered: z.array(z.object({ month: z.string(), count: z.number() })),
        expiring: z.array(z.object({ month: z.string(), count: z.number() })),
      }),
    ),
  marks: op(
    { permission: 'renewals.desk' },
    { method: 'GET', path: '/merchants/{merchantId}/renewal-marks', summary: 'What was agreed with a shop' },
  )
    .input(z.object({ merchantId: whole(1) }))
    .output(z.object({ rows: z.array(Mark) })),
  mark: op(
    { permission: 'renewals.mark', log: '续费跟进', idempotent: true, stale: ['renewals'] },
    {
      method: 'POST',
      path: '/merchants/{merchantId}/renewal-marks',
      summary: 'Note what was agreed with a shop',
    },
  )
    .errors(errorsOf(RENEWAL_REFUSALS))
    .input(
      z.object({ merchantId: whole(1), state: markState, note: linesText.max(500), nextOn: day.nullable() }),
    )
    .output(Mark),
  /** Everything that happened with a shop, newest first, 30 at a time. `before` is the answer's `next`. */
  timeline: op(
    { permission: 'merchants.details' },
    {
      method: 'GET',
      path: '/merchants/{merchantId}/timeline',
      summary: 'Everything that happened with a shop',
    },
  )
    .input(
      z.object({ merchantId: whole(1), kind: eventKind.optional(), before: madeText.max(80).optional() }),
    )
    .output(
      z.object({
        rows: z.array(
          z.object({
            key: z.string(),
            kind: eventKind,
            at: z.string(),
            title: z.string(),
            detail: z.string(),
            actorName: z.string(),
            /** Tokens of an order in 1/100; null where none moved. */
            amountCents: z.number().nullable(),
            orderNo: z.string().nullable(),
          }),
        ),
        next: z.string().nullable(),
      }),
    ),
}
