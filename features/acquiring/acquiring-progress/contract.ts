import { z } from 'zod'
import { REFUSALS as MERCHANT_REFUSALS } from '#features/shops/merchants/rules.ts'
import { fileOf, listInput, outputShape } from '#kit/declare/list-input.ts'
import { errorsOf, op } from '#kit/declare/op.ts'
import { pageOf, whole } from '#kit/declare/page.ts'
import { PROGRESS_FIELDS as FIELDS, PROGRESS } from './fields.ts'
import { REFUSALS, STEP_KEYS } from './rules.ts'

const Row = z.object({
  ...outputShape(FIELDS, 'row'),
  /** Hours that were promised of its step; null: none. */
  hours: z.number().nullable(),
  isOverdue: z.boolean(),
  /** Why the shop cannot be reminded now; null: it can, or it is not its turn. */
  remindRefusal: z.string().nullable(),
})
const Counts = z.object({
  ...{ staff: z.number(), agent: z.number(), shop: z.number(), provider: z.number() },
  overdue: z.number(),
})

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
