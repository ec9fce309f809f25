import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import { daysOfMonth } from '#features/sales/settlement/rules.ts'
import type { Out } from '#kit/declare/op.ts'
import type { SearchOf } from '#kit/declare/pages.ts'
import { formatCents, formatCount, percentText } from '#kit/money.ts'
import { formatDay } from '#kit/time.ts'
import { api } from '#web/client/api.ts'
import { useNavigate } from '#web/client/navigation.ts'
import { useOpenable, usePermission } from '#web/client/session.ts'
import { Button, buttonLook } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { FigureTable } from '#web/facts/FigureTable.tsx'
import { FileLink } from '#web/form/files/FileLink.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { useListParams } from '#web/list/useListParams.ts'
import type { insights } from './contract.ts'
import { incomeTarget } from './fields-targets.ts'
import styles from './income.module.css'
import { Opens } from './Opens.tsx'
import {
  attainment,
  INCOME,
  INCOME_KINDS,
  INCOME_UNITS,
  type IncomeKind,
  kindsIn,
  MEANINGS,
  monthsBegun,
  monthsOfYear,
  planHead,
  planSum,
} from './rules.ts'
import { Section, TitleSelect } from './Section.tsx'

const insightsApi = api<typeof insights>('insights')
const Chart = lazy(() => import('#web/chart/Chart.tsx'))
const PlanDialog = lazy(() => import('./PlanDialog.tsx'))

type Income = Out<typeof insights.income>
type OfKind = Income['kinds'][number]
type Sum = OfKind['months'][number]
type Params = SearchOf<'/admin/insights/income'>

const EARLIEST = 2020

/** What came in by kind and month against what was planned; each amount opens its orders. */
export default function IncomePage() {
  const [params, setParams] = useListParams<Params>()
  const thisYear = Number(formatDay(new Date()).slice(0, 4))
  const year = params.year ?? thisYear
  const [planned, setPlanned] = useState<IncomeKind | null>(null)
  const query = useQuery({ ...insightsApi.income.query({ year }), placeholderData: keepPreviousData })
  return (
    <div className={`${look.page} ${styles.page}`}>
      <header className={styles.head}>
        <h1 className={look.pageTitle}>收入</h1>
        <div className={styles.files}>
          <FileLink href={`/api/insights/income.xlsx?year=${year}`} rows={null}>
            导出 Excel
          </FileLink>
          <a className={buttonLook()} href={`/api/insights/income.pdf?year=${year}`} download>
            导出 PDF
          </a>
        </div>
      </header>
      <div className={styles.stepper}>
        <Button
          aria-label="上一年"
          disabled={year <= EARLIEST ? '更早没有数据' : null}
          onClick={() => setParams({ year: year - 1 })}
        >
          ‹
        </Button>
        <b>{year} 年</b>
        <Button
          aria-label="下一年"
          disabled={year > thisYear ? '只能计划到下一年' : null}
          onClick={() => setParams({ year: year + 1 })}
        >
          ›
        </Button>
        <span className={look.quiet}>{MEANINGS.income}</span>
      </div>
      {query.isError ? (
        <LoadFailure error={query.error} onRetry={() => void query.refetch()} />
      ) : !query.data ? (
        <LoadingLines lines={12} />
      ) : (
        <>
          <Kinds income={query.data} onPlan={setPlanned} />
          <Course
            income={query.data}
            kind={params.kind}
            onKind={kind => setParams({ kind } as Partial<Params>)}
          />
          {INCOME_UNITS.map(unit => (
            <Months key={unit} income={query.data} unit={unit} />
          ))}
        </>
      )}
      <Suspense>
        {planned && <PlanDialog key={planned} kind={planned} year={year} onClose={() => setPlanned(null)} />}
      </Suspense>
    </div>
  )
}

const ofKinds = (income: Income, kinds: readonly IncomeKind[]) =>
  income.kinds.filter(({ kind }) => kinds.includes(kind))
const came = (sums: readonly Sum[]) => sums.reduce((total, { cents }) => total + cents, 0)
const plan = (sums: readonly Sum[]) => planSum(sums.map(({ planCents }) => planCents))
const wholeYear = (year: number) => ({ from: `${year}-01-01`, to: `${year}-12-31` })

/** More or less than planned, and how much of it. */
function Against({ sums }: { sums: readonly Sum[] }) {
  const planCents = plan(sums)
  const { difference, share } = attainment(came(sums), planCents)
  return (
    <>
      <td>{planCents === null ? '—' : formatCents(planCents)}</td>
      <td>
        {difference === null ? (
          '—'
        ) : (
          <span className={look.number} data-sign={difference < 0 ? 'minus' : 'plus'}>
            {difference > 0 && '+'}
            {formatCents(difference).replace('-', '−')}
          </span>
        )}
      </td>
      <td>{share === null ? '—' : percentText(share)}</td>
    </>
  )
}

function InUnit({ of, unit }: { of: string; unit: string }) {
  return (
    <>
      {of}
      <span className={look.quiet}>（{unit}）</span>
    </>
  )
}

/** The year by kinds, each with the way to its plan. */
function Kinds({ income, onPlan }: { income: Income; onPlan: (kind: IncomeKind) => void }) {
  const maySet = usePermission('insights.plan')
  const begun = monthsBegun(income.year, income.today)
  return INCOME_UNITS.map(unit => {
    const own = ofKinds(income, kindsIn(unit))
    const all = own.flatMap(({ months }) => months)
    return (
      <Section
        key={unit}
        label={`按类别（${unit}）`}
        title={<InUnit of={unit === '元' ? '充值收款' : '销售收入'} unit={unit} />}
      >
        <FigureTable
          label={`按类别的收入（${unit}）`}
          heads={['类别', '笔数', '实际', planHead(begun), '差额', '达成率', '操作']}
        >
          <tbody>
            {own.map(({ kind, months }) => (
              <tr key={kind}>
                <th scope="row">{INCOME[kind].name}</th>
                <td>
                  <Opens {...incomeTarget(kind, wholeYear(income.year))}>
                    {formatCount(months.reduce((sum, { entries }) => sum + entries, 0))}
                  </Opens>
                </td>
                <td>
                  <Opens {...incomeTarget(kind, wholeYear(income.year))}>{formatCents(came(months))}</Opens>
                </td>
                <Against sums={months.slice(0, begun)} />
                <td>
                  <Button
                    kind="link"
                    aria-label={`${maySet ? '修改' : '查看'}${INCOME[kind].name}的计划`}
                    onClick={() => onPlan(kind)}
                  >
                    {maySet ? '修改' : '查看'}
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">合计</th>
              <td>{formatCount(all.reduce((sum, { entries }) => sum + entries, 0))}</td>
              <td>{formatCents(came(all))}</td>
              <Against sums={own.flatMap(({ months }) => months.slice(0, begun))} />
              <td />
            </tr>
          </tfoot>
        </FigureTable>
      </Section>
    )
  })
}

type CourseProps = {
  income: Income
  /** All that is paid in tokens where none is chosen. */
  kind: IncomeKind | undefined
  onKind: (kind: IncomeKind | undefined) => void
}

/** What came in and what was planned, month by month; a bar opens the orders of its kind. */
function Course({ income, kind, onKind }: CourseProps) {
  const navigate = useNavigate()
  const openable = useOpenable()
  const known = kind !== undefined && INCOME_KINDS.includes(kind) ? kind : undefined
  const own = ofKinds(income, known ? [known] : kindsIn('代币'))
  const months = monthsOfYear(income.year)
  const sums = months.map((_, at) => own.flatMap(one => one.months[at] ?? []))
  const open = (at: number) => {
    const month = months[at]
    if (!known || month === undefined) return
    const { first: from, last: to } = daysOfMonth(month)
    const { path, search } = incomeTarget(known, { from, to })
    void navigate({ to: path, search })
  }
  return (
    <Section
      label="实际与计划"
      title={
        <>
          实际与计划
          <TitleSelect
            label="类别"
            all="全部销售收入"
            options={INCOME_KINDS.map(key => ({ value: key, text: INCOME[key].name }))}
            value={known}
            onChange={onKind}
          />
        </>
      }
    >
      <Suspense fallback={<div className={styles.chartWait} />}>
        <Chart
          title={known ? INCOME[known].name : '全部销售收入'}
          unit={known ? INCOME[known].unit : '代币'}
          labels={months}
          series={[
            { name: '实际', tone: 'accent', values: sums.map(came) },
            { name: '计划', tone: 'neutral', values: sums.map(of => plan(of) ?? 0) },
          ]}
          format={formatCents}
          onPick={known && openable(INCOME[known].path) ? open : undefined}
        />
      </Suspense>
    </Section>
  )
}

/** Each month of each kind: what came in, and beneath it how much of the plan that is. */
function Months({ income, unit }: { income: Income; unit: (typeof INCOME_UNITS)[number] }) {
  const own = ofKinds(income, kindsIn(unit))
  const months = monthsOfYear(income.year)
  return (
    <Section
      label={`按月（${unit}）`}
      title={<InUnit of={unit === '元' ? '充值收款按月' : '销售收入按月'} unit={unit} />}
    >
      <FigureTable
        label={`按月的收入（${unit}）`}
        heads={['月份', ...own.map(({ kind }) => INCOME[kind].name), '合计']}
      >
        <tbody>
          {months.map((month, at) => {
            const { first: from, last: to } = daysOfMonth(month)
            const sums = own.flatMap(one => one.months[at] ?? [])
            const isBegun = from <= income.today
            return (
              <tr key={month}>
                <th scope="row">{month}</th>
                {own.map(({ kind, months: of }) => (
                  <td key={kind}>
                    <Opens {...incomeTarget(kind, { from, to })}>{formatCents(of[at]?.cents ?? 0)}</Opens>
                    <OfPlan sums={of.slice(at, at + 1)} isBegun={isBegun} />
                  </td>
                ))}
                <td>
                  {formatCents(came(sums))}
                  <OfPlan sums={sums} isBegun={isBegun} />
                </td>
              </tr>
            )
          })}
        </tbody>
      </FigureTable>
    </Section>
  )
}

/** Of a month that has not begun the plan alone. */
function OfPlan({ sums, isBegun }: { sums: readonly Sum[]; isBegun: boolean }) {
  const planCents = plan(sums)
  const { difference, share } = attainment(came(sums), planCents)
  if (planCents === null || difference === null) return null
  return (
    <small className={styles.ofPlan}>
      计划 {formatCents(planCents)}
      {share !== null && isBegun && (
        <>
          {' · '}
          <span className={look.number} data-sign={difference < 0 ? 'minus' : 'plus'}>
            {percentText(share)}
          </span>
        </>
      )}
    </small>
  )
}
