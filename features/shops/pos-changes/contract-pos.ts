import { z } from 'zod'
import { errorsOf, op } from '#kit/declare/op.ts'
import { whole } from '#kit/declare/page.ts'
import { CHANGE_REFUSALS, PAGE_MOST, TOPIC_KEYS } from './rules.ts'

export const posChanges = {
  changes: op(
    { permission: 'pos.read', forKeys: 'only', unlogged: true },
    {
      method: 'GET',
      path: '/v1/changes',
      summary:
        'What has changed since a number, in order; without one the last number alone, to be read before the first copy of all shops',
    },
  )
    .errors(errorsOf(CHANGE_REFUSALS))
    .input(z.object({ after: whole(0).optional(), size: whole(1, PAGE_MOST).default(PAGE_MOST) }))
    .output(
      z.object({
        changes: z.array(
          z.object({
            seq: z.number(),
            at: z.string().describe('ISO 8601, UTC'),
            topic: z.enum(TOPIC_KEYS),
            /** Whose shop it is, or, of a shop that left, was. */
            agentId: z.number(),
            /** Null: of the agency. */
            shopId: z.number().nullable(),
            data: z.record(z.string(), z.unknown()),
          }),
        ),
        /** What the next page begins after. */
        last: z.number(),
        more: z.boolean(),
      }),
    ),
}
