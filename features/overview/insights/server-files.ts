// Cohorts and income as Excel and as PDF: the same numbers as on screen.
import { eq, sql } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { versions } from '#features/shops/versions/tables.ts'
import { formatCents, formatCount, percentText } from '#kit/money.ts'
import { formatDay, formatInstant } from '#kit/time.ts'
import { type ExportPlan, serveDownload } from '#server/documents/export.ts'
import { servePdf } from '#server/documents/pdf.ts'
import type { PaperRow, PaperTable } from '#server/documents/pdf-drawing.ts'
import { insightDownloads } from './contract.ts'
import {
  attainment,
  COHORT_MEASURES,
  COHORT_UNITS,
  type Cohort,
  type CohortMeasure,
  type CohortUnit,
  cohortShare,
  columnName,
  INCOME,
  INCOME_UNITS,
  kindsIn,
  MEANINGS,
  monthsBegun,
  monthsOfYear,
  planHead,
  planSum,
} from './rules.ts'
import { cohortsAsked } from './server-cohorts.ts'
import { incomeOf } from './server-income.ts'

type Cells = readonly (string | number | null)[]

/** A file of rows that are already known: a statement reads them back. */
function planOf(columns: ExportPlan['columns'], rows: readonly Cells[]): ExportPlan {
  return {
    columns,
    statement: {
      getSQL: () => sql`select value from jsonb_array_elements(${JSON.stringify(rows)}::jsonb)`,
      _: { selectedFields: { value: sql.identifier('value') } },
    },
    values: {},
    cells: ([row]) => row as Cells,
  }
}

const MEASURES = Object.keys(COHORT_MEASURES) as CohortMeasure[]
const text = (header: string, width: number) => ({ header, kind: 'text', width }) as const
const whole = (header: string) => ({ header, kind: 'integer', width: 14 }) as const
const cents = (header: string) => ({ header, kind: 'cents', width: 16 }) as const

export const cohortsDownload = serveDownload(insightDownloads.cohorts, async (ctx, asked) => {
  const cohorts = await cohortsAsked(ctx, asked)
  const share = (cohort: Cohort, at: number, measure: CohortMeasure) => {
    const cell = cohort.cells[at]
    return (cell && cohortShare(cohort, cell, measure)?.share) ?? null
  }
  return planOf(
    [
      text('注册月份', 12),
      whole('商户（家）'),
      text('注册后', 12),
      whole('留存（家）'),
      whole('流失（家）'),
      whole('应到期（家）'),
      whole('已续费（家）'),
      ...MEASURES.map(measure => cents(`${COHORT_MEASURES[measure]}（%）`)),
    ],
    cohorts.flatMap(cohort =>
      cohort.cells.map(({ lost, renewed, lapsed }, at) => [
        cohort.month,
        cohort.shops,
        columnName(asked.unit, at),
        cohort.shops - lost,
        lost,
        renewed + lapsed,
        renewed,
        ...MEASURES.map(measure => share(cohort, at, measure)),
      ]),
    ),
  )
})

/** Columns of months that fit a page. */
const PAPER_COLUMNS = 12

export const cohortsPdf = servePdf(insightDownloads.cohortsPdf, async (ctx, asked) => {
  const cohorts = await cohortsAsked(ctx, asked)
  const { versionId = null, agentId = null } = asked
  const [version] =
    versionId === null ? [] : await ctx.db.select().from(versions).where(eq(versions.id, versionId))
  const [agent] = agentId === null ? [] : await ctx.db.select().from(agents).where(eq(agents.id, agentId))
  return {
    title: '留存',
    facts: [
      ['注册月份', `${cohorts[0]?.month} 至 ${cohorts.at(-1)?.month}`],
      ['统计', COHORT_UNITS[asked.unit]],
      ...(versionId === null ? [] : [['软件版本', version?.name ?? String(versionId)] as const]),
      ...(agentId === null
        ? []
        : [['代理商', agent ? `${agent.companyName}（${agentId}）` : String(agentId)] as const]),
      ['生成时间', formatInstant(ctx.now)],
    ],
    tables: MEASURES.flatMap(measure => cohortTables(cohorts, asked.unit, measure)),
  }
})

function cohortTables(cohorts: readonly Cohort[], unit: CohortUnit, measure: CohortMeasure): PaperTable[] {
  const columns = Math.max(0, ...cohorts.map(({ cells }) => cells.length))
  const parts = Array.from({ length: Math.ceil(columns / PAPER_COLUMNS) }, (_, at) => at * PAPER_COLUMNS)
  return parts.map(first => {
    const shown = Array.from({ length: Math.min(PAPER_COLUMNS, columns - first) }, (_, at) => first + at)
    return {
      title: `${COHORT_MEASURES[measure]}${parts.length > 1 ? `（${columnName(unit, first)}起）` : ''}`,
      columns: [
        { header: '月份', width: 2 },
        { header: '家数', width: 1.4, align: 'right' },
        ...shown.map(at => ({
          header: unit === 'year' ? columnName(unit, at) : String(at),
          width: 1.3,
          align: 'right' as const,
        })),
      ],
      rows: cohorts
        .filter(({ cells }) => cells.length > first)
        .map((cohort): PaperRow => {
          const cell = (at: number) => {
            const counted = cohort.cells[at]
            const found = counted && cohortShare(cohort, counted, measure)
            return found ? String(Math.round(found.share / 10) / 10) : ''
          }
          return { cells: [cohort.month, formatCount(cohort.shops), ...shown.map(cell)] }
        }),
      note: `单位：%。${unit === 'month' ? '列为注册后的月数。' : ''}${MEANINGS.cohorts}`,
    }
  })
}

export const incomeDownload = serveDownload(insightDownloads.income, async (ctx, { year }) => {
  const { kinds } = await incomeOf(ctx, year)
  const months = monthsOfYear(year)
  return planOf(
    [
      text('类别', 14),
      text('月份', 10),
      text('单位', 8),
      whole('笔数（笔）'),
      cents('实际'),
      cents('计划'),
      cents('差额'),
      cents('达成率（%）'),
    ],
    kinds.flatMap(({ kind, months: sums }) =>
      sums.map(({ entries, cents: came, planCents }, at) => {
        const { difference, share } = attainment(came, planCents)
        const { name, unit } = INCOME[kind]
        return [name, months[at] ?? '', unit, entries, came, planCents, difference, share]
      }),
    ),
  )
})

/** The column of the plan, whose head names the months that it sums up. */
const PLAN_AT = 2
const PLAN_WIDTH = 2.5

export const incomePdf = servePdf(insightDownloads.incomePdf, async (ctx, { year }) => {
  const { kinds, today } = await incomeOf(ctx, year)
  const begun = monthsBegun(year, today)
  return {
    title: '收入',
    facts: [
      ['年份', `${year} 年`],
      ['截至', today.startsWith(String(year)) ? formatDay(ctx.now) : `${year}-12-31`],
      ['生成时间', formatInstant(ctx.now)],
    ],
    tables: INCOME_UNITS.flatMap(unit => {
      const own = kinds.filter(({ kind }) => kindsIn(unit).includes(kind))
      const total = (of: (sum: (typeof own)[number]['months'][number]) => number) =>
        own.flatMap(({ months }) => months.map(of)).reduce((sum, value) => sum + value, 0)
      const line = (name: string, sums: readonly (typeof own)[number]['months'][number][]): PaperRow => {
        const came = sums.reduce((sum, month) => sum + month.cents, 0)
        const plan = planSum(sums.map(({ planCents }) => planCents))
        const { difference, share } = attainment(came, plan)
        const shown = (value: number | null) => (value === null ? '—' : formatCents(value))
        const entries = sums.reduce((sum, month) => sum + month.entries, 0)
        return {
          cells: [
            name,
            formatCount(entries),
            formatCents(came),
            shown(plan),
            shown(difference),
            share === null ? '—' : percentText(share),
          ],
        }
      }
      const table = (title: string, first: string, rows: PaperRow[]): PaperTable => ({
        title: `${title}（${unit}）`,
        columns: [
          { header: first, width: 2.2 },
          ...['笔数', '实际', planHead(begun), '差额', '达成率'].map((header, at) => ({
            header,
            width: at === PLAN_AT ? PLAN_WIDTH : 2,
            align: 'right' as const,
          })),
        ],
        rows: [
          ...rows,
          {
            ...line(
              '合计',
              own.flatMap(({ months }) => months.slice(0, begun)),
            ),
            strong: true,
          },
        ],
        note: MEANINGS.income,
      })
      if (total(({ entries }) => entries) === 0 && total(({ planCents }) => planCents ?? 0) === 0) return []
      return [
        table(
          '按类别',
          '类别',
          own.map(({ kind, months }) => line(INCOME[kind].name, months.slice(0, begun))),
        ),
        table(
          '按月',
          '月份',
          monthsOfYear(year)
            .slice(0, begun)
            .map((month, at) =>
              line(
                month,
                own.flatMap(({ months }) => months[at] ?? []),
              ),
            ),
        ),
      ]
    }),
  }
})
