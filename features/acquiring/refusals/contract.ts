import { listInput, outputShape } from '#kit/declare/list-input.ts'
import { type Out, op } from '#kit/declare/op.ts'
import { pageOf, whole } from '#kit/declare/page.ts'
import { linesText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { CAUSE_FIELDS, CAUSES } from './fields.ts'

const id = whole(1)
const Row = z.object({ ...outputShape(CAUSE_FIELDS, 'row'), revision: z.number() })

export const refusals = {
  /** `waiting`: shops that have not mended it. */
  causes: op(
    { permission: 'refusals.list', mayLag: true },
    {
      method: 'GET',
      path: '/application-refusals',
      summary: 'Why applications are refused, each cause once over all shops',
    },
  )
    .input(z.object(listInput(CAUSES)))
    .output(pageOf(Row)),
  /** Those that wait the longest first; at most 200. */
  details: op(
    { permission: 'refusals.list' },
    {
      method: 'GET',
      path: '/application-refusals/{id}',
      summary: 'One cause with the shops that have to mend it',
    },
  )
    .input(z.object({ id }))
    .output(
      Row.extend({
        shops: z.array(
          z.object({
            applicationId: z.number(),
            merchantId: z.number(),
            shopName: z.string(),
            agentName: z.string(),
            refusedAt: z.string(),
          }),
        ),
      }),
    ),
  /** Empty: there is none any more. */
  advise: op(
    { permission: 'refusals.advise', log: '修改更正建议', stale: ['refusals', 'paymentApplications'] },
    {
      method: 'PUT',
      path: '/application-refusals/{id}/advice',
      summary: 'Say how what is refused is mended, to whoever mends it',
    },
  )
    .input(z.object({ id, revision: whole(0), advice: linesText.max(1000) }))
    .output(z.object({ revision: z.number() })),
}

export type CauseRow = Out<typeof refusals.causes>['rows'][number]
