import { ORDER_KINDS } from '#features/sales/settlement/rules.ts'
import { fileOf, listInput, outputShape } from '#kit/declare/list-input.ts'
import { download, errorsOf, op } from '#kit/declare/op.ts'
import { day, pageOf, whole } from '#kit/declare/page.ts'
import * as z from '#kit/declare/z.ts'
import { RANKING, RANKING_FIELDS, RENEWED, RENEWED_FIELDS } from './fields.ts'
import {
  COHORT_ROWS,
  COHORT_ROWS_FIRST,
  COHORT_UNITS,
  type CohortUnit,
  HELD_KEYS,
  INCOME_KINDS,
  PLAN_REFUSALS,
  STANDING_KEYS,
} from './rules.ts'

const Range = z.object({ from: z.string(), to: z.string() })
const perKey = <K extends string, S extends z.ZodType>(keys: readonly K[], shape: S) =>
  z.object(Object.fromEntries(keys.map(key => [key, shape])) as Record<K, S>)

const year = whole(2000, 2099)
const incomeKind = z.enum(INCOME_KINDS)
/** In 1/100 of the kind's unit; null: nothing is planned. */
const plan = z.number().nullable()
const IncomeMonth = z.object({ entries: z.number(), cents: z.number(), planCents: plan })

const sold = {
  agentId: whole(1),
  from: day,
  to: day,
}
const Sold = z.object({
  from: z.string(),
  to: z.string(),
  /** Newest last; 1/100 token. */
  months: z.array(
    z.object({ month: z.string(), from: z.string(), to: z.string(), cents: perKey(ORDER_KINDS, z.number()) }),
  ),
})

const cohorts = z.object({
  unit: z.enum(Object.keys(COHORT_UNITS) as [CohortUnit, ...CohortUnit[]]).default('month'),
  /** Months of registration, the running one last. */
  rows: whole(1)
    .refine(rows => (COHORT_ROWS as readonly number[]).includes(rows))
    .default(COHORT_ROWS_FIRST),
  versionId: whole(0).optional(),
  agentId: whole(1).optional(),
})
const toldOfCohorts = ({ unit, rows, versionId, agentId }: z.infer<typeof cohorts>) => [
  ['范围', `近 ${rows} 个注册月份，${COHORT_UNITS[unit]}`] as const,
  ...(versionId === undefined ? [] : [['软件版本编号', String(versionId)] as const]),
  ...(agentId === undefined ? [] : [['代理商编号', String(agentId)] as const]),
]
const toldOfYear = (asked: { year: number }) => [['年份', String(asked.year)] as const]

export const insights = {
  /** The agents of the office by what they sold in a period, beside the one before. */
  partners: op(
    { permission: 'insights.partners', forKeys: false, mayLag: true },
    { method: 'GET', path: '/insights/partners', summary: 'Agents ranked' },
  )
    .input(z.object(listInput(RANKING)))
    .output(pageOf(z.object(outputShape(RANKING_FIELDS, 'row'))).extend({ now: Range, before: Range })),
  /** For the filter of the ranking. */
  levels: op(
    { permission: 'insights.partners', forKeys: false, mayLag: true },
    { method: 'GET', path: '/insights/levels', summary: 'Levels of agents' },
  ).output(z.object({ rows: z.array(z.object({ id: z.number(), name: z.string() })) })),
  /** 销售额 of one agent on some days by month and part, and of the days that they are compared with. */
  sales: op(
    { permission: 'insights.partners', forKeys: false, mayLag: true },
    { method: 'GET', path: '/insights/sales', summary: 'Sales of an agent by month and part' },
  )
    .input(z.object({ ...sold, beforeFrom: day.optional(), beforeTo: day.optional() }))
    .output(z.object({ agentId: z.number(), companyName: z.string(), now: Sold, before: Sold.nullable() })),
  /** Shops by the month of their registration, and how many of them stayed. */
  cohorts: op(
    { permission: 'insights.cohorts', forKeys: false, mayLag: true },
    { method: 'GET', path: '/insights/cohorts', summary: 'Cohorts of shops' },
  )
    .input(cohorts)
    .output(
      z.object({
        /** The oldest first. */
        rows: z.array(
          z.object({
            month: z.string(),
            shops: z.number(),
            cells: z.array(z.object({ lost: z.number(), renewed: z.number(), lapsed: z.number() })),
          }),
        ),
      }),
    ),
  /** Terms that were renewed, one by one. */
  renewals: op(
    { permission: 'insights.cohorts', forKeys: false, mayLag: true },
    { method: 'GET', path: '/insights/renewals', summary: 'Terms that were renewed' },
  )
    .input(z.object(listInput(RENEWED)))
    .output(pageOf(z.object(outputShape(RENEWED_FIELDS, 'row')))),
  /** What came in by kind and month of a year, and what was planned. */
  income: op(
    { permission: 'insights.income', forKeys: false, mayLag: true },
    { method: 'GET', path: '/insights/income', summary: 'Income by kind and month against plan' },
  )
    .input(z.object({ year: year.optional() }))
    .output(
      z.object({
        year: z.number(),
        today: z.string(),
        kinds: z.array(z.object({ kind: incomeKind, months: z.array(IncomeMonth).length(12) })),
      }),
    ),
  /** What is planned of a kind in a year, and how it came to be, the latest first. */
  plan: op(
    { permission: 'insights.income', forKeys: false },
    {
      method: 'GET',
      path: '/insights/plans/{kind}/{year}',
      summary: 'Plan of a kind of income and its history',
    },
  )
    .input(z.object({ kind: incomeKind, year }))
    .output(
      z.object({
        months: z.array(plan).length(12),
        /** The number of the latest change; 0 where there is none. */
        revision: z.number(),
        changes: z.array(
          z.object({
            id: z.number(),
            month: z.string(),
            beforeCents: plan,
            cents: plan,
            setByName: z.string(),
            setAt: z.string(),
          }),
        ),
      }),
    ),
  setPlan: op(
    { permission: 'insights.plan', log: '修改收入计划', forKeys: false, stale: ['insights'] },
    { method: 'PUT', path: '/insights/plans/{kind}/{year}', summary: 'Plan a kind of income for a year' },
  )
    .errors(errorsOf(PLAN_REFUSALS))
    .input(z.object({ kind: incomeKind, year, months: z.array(plan).length(12), revision: whole(0) }))
    .output(z.object({ changed: z.number() })),
  /** What stands on accounts by level, now and at the end of months, and what is on its way. */
  funds: op(
    { permission: 'insights.funds', forKeys: false, mayLag: true },
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
          now: perKey(STANDING_KEYS, z.number()),
          /** At the end of each of the months; now, for the last one. */
          line: perKey(STANDING_KEYS, z.array(z.number())),
        }),
      ),
      /** 1/100 token, or fen, as `HELD` says. */
      held: z.array(z.object({ key: z.enum(HELD_KEYS), count: z.number(), cents: z.number() })),
    }),
  ),
}

const papers = <S extends z.ZodType>(
  path: string,
  permission: string,
  name: string,
  input: S,
  told: (asked: z.infer<S>) => readonly (readonly [string, string])[],
) => ({
  file: download({
    permission,
    log: `导出${name}`,
    path: `${path}.xlsx` as `/${string}`,
    fileName: name,
    input,
    told,
  }),
  pdf: download({
    permission,
    log: `导出${name}（PDF）`,
    path: `${path}.pdf` as `/${string}`,
    format: 'pdf',
    fileName: name,
    input,
    told,
  }),
})
const ofCohorts = papers('/insights/cohorts', 'insights.cohorts', '留存', cohorts, toldOfCohorts)
const ofIncome = papers('/insights/income', 'insights.income', '收入', z.object({ year }), toldOfYear)

export const insightDownloads = {
  partners: fileOf(RANKING),
  renewals: fileOf(RENEWED),
  cohorts: ofCohorts.file,
  cohortsPdf: ofCohorts.pdf,
  income: ofIncome.file,
  incomePdf: ofIncome.pdf,
}
