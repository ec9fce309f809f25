// Shops by the month of their registration and how many stayed: of the whole office from sums that triggers keep, of one agent
// from its shops and terms by their indexes.
import { type SQL, sql } from 'drizzle-orm'
import { daysOfMonth, monthsUntil } from '#features/sales/settlement/rules.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import type { In } from '#kit/declare/op.ts'
import { endOfDay, formatDay, startOfDay } from '#kit/time.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import type { insights as contract } from './contract.ts'
import { type Cohort, type CohortKind, cohortsOf } from './rules.ts'
import { insightCohorts, renewedTerms } from './tables.ts'

type Asked = In<typeof contract.cohorts>

export const findCohorts: Verb<typeof contract.cohorts> = async (ctx, asked) => ({
  rows: await cohortsAsked(ctx, asked),
})

export async function cohortsAsked(ctx: Ctx, asked: Asked): Promise<Cohort[]> {
  const thisMonth = formatDay(ctx.now).slice(0, 7)
  const months = monthsUntil(thisMonth, asked.rows)
  const from = months[0] ?? thisMonth
  // Sums of the whole office know no agent: whoever does not see all is told of its own.
  const agentId = asked.agentId ?? (ctx.actor.isVendorStaff ? undefined : ctx.actor.agentId)
  const counted =
    agentId === undefined ? ofAll(asked, from) : ofAgent(ctx, { ...asked, agentId }, from, thisMonth)
  const { rows } = await ctx.db.execute<{
    month: string
    kind: CohortKind
    ends: string | null
    shops: string
  }>(counted)
  const sums = rows.map(row => ({ ...row, shops: Number(row.shops) }))
  return cohortsOf(sums, months, asked.unit, thisMonth)
}

const MONTH = sql.raw(`'YYYY-MM'`)

function ofAll({ versionId }: Asked, from: string): SQL {
  const ofVersion = versionId === undefined ? sql`true` : sql`version_id = ${versionId}`
  return sql`select to_char(month, ${MONTH}) as month, kind, to_char(ends, ${MONTH}) as ends, sum(shops)::bigint as shops
    from ${insightCohorts} where month >= ${`${from}-01`}::date and ${ofVersion}
    group by 1, 2, 3 having sum(shops) <> 0`
}

/** Whatever the agent has or, of renewed terms, renewed. */
function ofAgent(ctx: Ctx, { agentId, versionId }: Asked, from: string, to: string): SQL {
  const registered = sql`${merchants.registeredAt} >= ${startOfDay(`${from}-01`).toISOString()}::timestamptz
    and ${merchants.registeredAt} < ${endOfDay(daysOfMonth(to).last).toISOString()}::timestamptz
    and ${versionId === undefined ? sql`true` : sql`${merchants.versionId} = ${versionId}`}`
  const own = (column: typeof merchants.agentId | typeof renewedTerms.agentId) =>
    sql`${column} = ${agentId} and ${ownRows(ctx, column) ?? sql`true`}`
  const month = sql`to_char(shanghai_day(${merchants.registeredAt}), ${MONTH})`
  return sql`select ${month} as month, 'ends' as kind, to_char(shanghai_day(${merchants.expiresAt}), ${MONTH}) as ends, count(*) as shops
      from ${merchants} where ${own(merchants.agentId)} and ${registered} group by 1, 3
    union all
    select ${month}, 'renewed', to_char(${renewedTerms.day}, ${MONTH}), count(*)
      from ${renewedTerms} join ${merchants} on ${merchants.id} = ${renewedTerms.merchantId}
      where ${own(renewedTerms.agentId)} and ${renewedTerms.orders} > 0 and ${renewedTerms.day} >= ${`${from}-01`}::date and ${registered} group by 1, 3`
}
