import { z } from 'zod'
import { fileOf, listInput, outputShape } from '#kit/list-input.ts'
import { op } from '#kit/op.ts'
import { pageOf } from '#kit/page.ts'
import { RANKING, RANKING_FIELDS } from './fields.ts'
import { HELD_KEYS, STANDING_KEYS } from './rules.ts'

const Range = z.object({ from: z.string(), to: z.string() })
const perStanding = <S extends z.ZodType>(shape: S) =>
  z.object(
    Object.fromEntries(STANDING_KEYS.map(key => [key, shape])) as Record<(typeof STANDING_KEYS)[number], S>,
  )

export const insights = {
  /** The agents of the office by what they sold in a period, beside the one before. */
  partners: op(
    { permission: 'insights.partners', forKeys: false },
    { method: 'GET', path: '/insights/partners', summary: 'Agents ranked' },
  )
    .input(z.object(listInput(RANKING)))
    .output(pageOf(z.object(outputShape(RANKING_FIELDS, 'row'))).extend({ now: Range, before: Range })),
  /** For the filter of the ranking. */
  levels: op(
    { permission: 'insights.partners', forKeys: false },
    { method: 'GET', path: '/insights/levels', summary: 'Levels of agents' },
  ).output(z.object({ rows: z.array(z.object({ id: z.number(), name: z.string() })) })),
  /** What stands on accounts by level, now and at the end of months, and what is on its way. */
  funds: op(
    { permission: 'insights.funds', forKeys: false },
    { method: 'GET', path: '/insights/funds', summary: 'Where money stands' },
  ).output(
    z.object({
      months: z.array(z.string()),
      levels: z.array(
        z.object({
          id: z.number(),
          name: z.string(),
          agents: z.number(),
          /** 1/100 token, or pieces. */
          now: perStanding(z.number()),
          /** At the end of each of the months; now, for the last one. */
          line: perStanding(z.array(z.number())),
        }),
      ),
      /** 1/100 token, or fen, as `HELD` says. */
      held: z.array(z.object({ key: z.enum(HELD_KEYS), count: z.number(), cents: z.number() })),
    }),
  ),
}

export const insightDownloads = { partners: fileOf(RANKING) }
