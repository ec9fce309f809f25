// What came in by kind and month, of sums that triggers keep, against what was planned; and the plan itself, which is set anew and
// never written over.
import { and, between, desc, eq, inArray, sql } from 'drizzle-orm'
import type { Out } from '#kit/declare/op.ts'
import { formatCents } from '#kit/money.ts'
import { formatDay } from '#kit/time.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { together } from '#server/db.ts'
import { refuse, refuseCommon } from '#server/refuse.ts'
import type { insights as contract } from './contract.ts'
import { INCOME, INCOME_KINDS, type IncomeKind, monthsOfYear, PLAN_REFUSALS, refusePlan } from './rules.ts'
import { insightPlans, insightSums } from './tables.ts'

const monthOf = (column: typeof insightSums.month | typeof insightPlans.month) =>
  sql<string>`to_char(${column}, 'YYYY-MM')`
const inYear = (column: typeof insightSums.month | typeof insightPlans.month, year: number) =>
  between(column, `${year}-01-01`, `${year}-12-01`)

export async function incomeOf(ctx: Ctx, year: number): Promise<Out<typeof contract.income>> {
  const [sums, plans] = await together([summed(ctx, year), planned(ctx, year)])
  const kinds = INCOME_KINDS.map(kind => ({
    kind,
    months: monthsOfYear(year).map(month => {
      const sum = sums.find(one => one.kind === kind && one.month === month)
      const plan = plans.find(one => one.kind === kind && one.month === month)
      return { entries: sum?.entries ?? 0, cents: sum?.cents ?? 0, planCents: plan?.cents ?? null }
    }),
  }))
  return { year, today: formatDay(ctx.now), kinds }
}

export const findIncome: Verb<typeof contract.income> = (ctx, { year }) =>
  incomeOf(ctx, year ?? Number(formatDay(ctx.now).slice(0, 4)))

function summed(ctx: Ctx, year: number) {
  return ctx.db
    .select({
      kind: insightSums.kind,
      month: monthOf(insightSums.month),
      entries: sql<number>`sum(${insightSums.entries})`.mapWith(Number),
      cents: sql<number>`sum(${insightSums.amount})`.mapWith(Number),
    })
    .from(insightSums)
    .where(
      and(
        inArray(insightSums.kind, INCOME_KINDS),
        inYear(insightSums.month, year),
        ownRows(ctx, insightSums.agentId),
      ),
    )
    .groupBy(insightSums.kind, insightSums.month)
}

/** What was set last of each kind and month. */
function planned(ctx: Ctx, year: number) {
  return ctx.db
    .selectDistinctOn([insightPlans.kind, insightPlans.month], {
      kind: insightPlans.kind,
      month: monthOf(insightPlans.month),
      cents: insightPlans.cents,
    })
    .from(insightPlans)
    .where(inYear(insightPlans.month, year))
    .orderBy(insightPlans.kind, insightPlans.month, desc(insightPlans.id))
}

/** More than is ever read of a year. */
const CHANGES_SHOWN = 500

export const findPlan: Verb<typeof contract.plan> = async (ctx, { kind, year }) => {
  const rows = await ctx.db
    .select({
      id: insightPlans.id,
      month: monthOf(insightPlans.month),
      beforeCents: sql<
        number | null
      >`lag(${insightPlans.cents}) over (partition by ${insightPlans.month} order by ${insightPlans.id})`.mapWith(
        insightPlans.cents,
      ),
      cents: insightPlans.cents,
      setByName: insightPlans.setByName,
      setAt: insightPlans.setAt,
    })
    .from(insightPlans)
    .where(and(eq(insightPlans.kind, kind), inYear(insightPlans.month, year)))
    .orderBy(desc(insightPlans.id))
    .limit(CHANGES_SHOWN)
  return {
    months: monthsOfYear(year).map(month => rows.find(row => row.month === month)?.cents ?? null),
    revision: rows[0]?.id ?? 0,
    changes: rows,
  }
}

/** Writes the months that change; refused where somebody else changed the plan meanwhile. */
export const setPlan: Verb<typeof contract.setPlan> = async (ctx, { kind, year, months, revision }) => {
  for (const cents of months) refuse(refusePlan(cents), PLAN_REFUSALS, { field: 'months' })
  await ctx.client.query(`select pg_advisory_xact_lock(hashtext('insight_plans'))`)
  const before = await findPlan(ctx, { kind, year })
  if (before.revision !== revision) refuseCommon('STALE')
  const changed = monthsOfYear(year).flatMap((month, at) => {
    const [was = null, cents = null] = [before.months[at], months[at]]
    return was === cents ? [] : [{ month, was, cents }]
  })
  if (changed.length > 0)
    await ctx.db.insert(insightPlans).values(
      changed.map(({ month, cents }) => ({
        kind,
        month: `${month}-01`,
        cents,
        setBy: ctx.actor.accountId,
        setByName: ctx.actor.name,
        setAt: ctx.now.toISOString(),
      })),
    )
  ctx.object('setting', `plan ${kind} ${year}`)
  ctx.note(
    `${year} 年 ${INCOME[kind].name}`,
    changed.map(({ month, was, cents }) => ({
      name: month,
      before: told(kind, was),
      after: told(kind, cents),
    })),
  )
  return { changed: changed.length }
}

const told = (kind: IncomeKind, cents: number | null) =>
  cents === null ? null : `${formatCents(cents)} ${INCOME[kind].unit}`
