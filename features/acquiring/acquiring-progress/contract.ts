import { MONTH_PATTERN, PERIOD_KEYS } from '#features/sales/settlement/rules.ts'
import { REFUSALS as MERCHANT_REFUSALS } from '#features/shops/merchants/rules.ts'
import { fileOf, listInput, outputShape } from '#kit/declare/list-input.ts'
import { errorsOf, op } from '#kit/declare/op.ts'
import { pageOf, whole } from '#kit/declare/page.ts'
import * as z from '#kit/declare/z.ts'
import { PROGRESS_FIELDS as FIELDS, PROGRESS } from './fields.ts'
import { REFUSALS, STEP_KEYS, TIMES_BY_KEYS } from './rules.ts'

const Row = z.object({
  ...outputShape(FIELDS, 'row'),
  /** Hours that were promised of its step; null: none. */
  hours: z.number().nullable(),
  isOverdue: z.boolean(),
  /** Why the shop cannot be reminded now; null: it can, or it is not its turn. */
  remindRefusal: z.string().nullable(),
  /** It is with the owner, and the link can no longer be opened. */
  isLinkExpired: z.boolean(),
})
const Counts = z.object({
  ...{ staff: z.number(), agent: z.number(), shop: z.number(), provider: z.number() },
  overdue: z.number(),
})
const TIMES = {
  ...{ opened: z.number(), paid: z.number(), decided: z.number(), refused: z.number() },
  /** Days; null: nothing is known. */
  ...{ medianDays: z.number().nullable(), p90Days: z.number().nullable() },
  paidMedianDays: z.number().nullable(),
}

export const acquiringProgress = {
  list: op(
    { permission: 'acquiringProgress.list' },
    {
      method: 'GET',
      path: '/acquiring-progress',
      summary: 'Where shops stand on their way to being paid, and whose turn it is',
    },
  )
    .errors(errorsOf({ SEARCH_TOO_SHORT: MERCHANT_REFUSALS.SEARCH_TOO_SHORT }))
    .input(z.object(listInput(PROGRESS)))
    .output(pageOf(Row).extend({ shopsCapped: z.boolean() })),
  /** Over all that one may see; up to 10,000 each. */
  counts: op(
    { permission: 'acquiringProgress.list' },
    {
      method: 'GET',
      path: '/acquiring-progress/counts',
      summary: 'How many wait for whom on the way to being paid, and how many longer than promised',
    },
  ).output(Counts),
  /** Days from papers handed in to being paid, and first tries that were refused, of a period; this month where none is asked for. */
  times: op(
    { permission: 'acquiringProgress.list' },
    {
      method: 'GET',
      path: '/acquiring-progress/times',
      summary: 'How long shops took to be paid, and how many first tries were refused',
    },
  )
    .input(
      z.object({
        period: z.enum(PERIOD_KEYS).optional(),
        /** In the period, YYYY-MM. */
        month: z.string().regex(MONTH_PATTERN).optional(),
        by: z.enum(TIMES_BY_KEYS).default('channel'),
      }),
    )
    .output(
      z.object({
        now: z.object({ from: z.string(), to: z.string() }),
        total: z.object(TIMES),
        /** The most first; key: channel, reviewer's name or agent's number. */
        rows: z.array(z.object({ ...TIMES, key: z.string(), name: z.string() })),
        /** Only the first of them are told. */
        rowsCapped: z.boolean(),
        /** Of first refusals, the most frequent first; to agents the field alone, since reasons are in the words of other shops. */
        causes: z.array(
          z.object({
            causeId: z.number().nullable(),
            label: z.string(),
            reason: z.string(),
            times: z.number(),
          }),
        ),
      }),
    ),
  /** By SMS, with the link of what it is to do. `step`: as it was seen. */
  remind: op(
    {
      permission: 'acquiringProgress.remind',
      log: '短信发送收款开通提醒',
      stale: ['acquiringProgress', 'ownerPapers', 'inbox'],
    },
    {
      method: 'POST',
      path: '/acquiring-progress/{id}/reminder',
      summary: 'Remind a shop by SMS of what it is to do to be paid',
    },
  )
    .errors(errorsOf({ ...REFUSALS, MERCHANT_DISABLED: MERCHANT_REFUSALS.MERCHANT_DISABLED }))
    .input(z.object({ id: whole(1), step: z.enum(STEP_KEYS) }))
    .output(z.object({ id: z.number(), phone: z.string() })),
}

export const progressDownloads = { list: fileOf(PROGRESS) }
