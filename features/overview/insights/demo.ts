// Demo rows of the plan: for the year that runs and the one before, a little more than the year before that would let one expect,
// and what was corrected of it in spring.
import { demoOperator } from '#features/office/access/demo.ts'
import { formatDay } from '#kit/time.ts'
import type { Demo } from '#server/demo.ts'
import { INCOME_KINDS } from './rules.ts'

/** Of what came in on average in a month of the year, in whole hundreds. */
const PLANNED = `
  insert into insight_plans (kind, month, cents, set_by, set_by_name, set_at)
  select kind, month::date, ceil(average * (0.85 + 0.025 * extract(month from month)) / 10000) * 10000, $3, $4, $5
  from (select kind, sum(amount) / count(distinct month) as average from insight_sums
    where kind = any($1) and month between make_date($2, 1, 1) and make_date($2, 12, 1) group by kind) as came,
    generate_series(make_date($2, 1, 1), make_date($2, 12, 1), interval '1 month') as month
  order by kind, month`
const CORRECTED = `
  insert into insight_plans (kind, month, cents, set_by, set_by_name, set_at)
  select kind, month, ceil(cents * 1.1 / 10000) * 10000, $2, $3, $4 from insight_plans
  where kind = 'version-renew' and month between make_date($1, 7, 1) and make_date($1, 9, 1) order by month`

export async function afterwards(demo: Demo): Promise<void> {
  const { id, name } = demoOperator(demo)
  const thisYear = Number(formatDay(demo.now).slice(0, 4))
  for (const year of [thisYear - 1, thisYear]) {
    await demo.client.query(PLANNED, [INCOME_KINDS, year, id, name, `${year - 1}-12-18T02:30:00Z`])
    const corrected = `${year}-03-20T06:15:00Z`
    if (corrected < demo.now.toISOString()) await demo.client.query(CORRECTED, [year, id, name, corrected])
  }
}
