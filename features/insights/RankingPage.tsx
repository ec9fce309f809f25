import { useQuery } from '@tanstack/react-query'
import { AGENT_OPTIONS } from '#features/agents/AgentOptions.tsx'
import { monthAfter, SALES_PARTS } from '#features/settlement/rules.ts'
import { formatCents, formatCount } from '#kit/money.ts'
import type { Out } from '#kit/op.ts'
import { formatDay } from '#kit/time.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/Button.tsx'
import { Count, Money } from '#web/format.tsx'
import { List } from '#web/list/List.tsx'
import { useListParams } from '#web/list/useListParams.ts'
import { look } from '#web/look.ts'
import type { insights } from './contract.ts'
import { RANKING } from './fields.ts'
import styles from './insights.module.css'
import { Opens } from './Opens.tsx'
import {
  comparedPeriods,
  MEANINGS,
  PERIOD_KEYS,
  PERIODS,
  percentText,
  periodText,
  type Range,
} from './rules.ts'

const insightsApi = api<typeof insights>('insights')
type Row = Out<typeof insights.partners>['rows'][number]

const LEVEL_OPTIONS = {
  useRows: (wanted: boolean) => useQuery({ ...insightsApi.levels.query(), enabled: wanted }).data?.rows,
}

/** Agents by what they sell, keep and hold; each number opens what it counts. */
export default function RankingPage() {
  const [params] = useListParams(RANKING)
  const today = formatDay(new Date())
  const month = params.month ?? today.slice(0, 7)
  const { now } = comparedPeriods(params.period ?? 'month', month, today)
  return (
    <List
      of={RANKING}
      from={insightsApi.partners}
      options={{ levelId: LEVEL_OPTIONS, parentId: AGENT_OPTIONS }}
      cells={cellsOf(now)}
      summary={answer => <PeriodBar month={month} today={today} answer={answer} />}
    />
  )
}

type BarProps = {
  month: string
  today: string
  answer: Pick<Out<typeof insights.partners>, 'now' | 'before'>
}

/** Which period is told of, and with which it is compared. */
function PeriodBar({ month, today, answer: { now, before } }: BarProps) {
  const [{ period = 'month' }, setParams] = useListParams(RANKING)
  const step = { month: 1, quarter: 3, year: 12 }[period]
  return (
    <div className={styles.periodBar}>
      <fieldset className={styles.periods} aria-label="周期">
        {PERIOD_KEYS.map(key => (
          <Button
            key={key}
            changes={false}
            kind={key === period ? 'primary' : 'plain'}
            aria-pressed={key === period}
            onClick={() => setParams({ period: key === 'month' ? undefined : key })}
          >
            {PERIODS[key]}
          </Button>
        ))}
      </fieldset>
      <div className={styles.stepper}>
        <Button aria-label="上一期" onClick={() => setParams({ month: monthAfter(month, -step) })}>
          ‹
        </Button>
        <b>{periodText(period, now.from)}</b>
        <Button
          aria-label="下一期"
          disabled={now.to >= today ? '之后还没有数据' : null}
          onClick={() => setParams({ month: monthAfter(month, step) })}
        >
          ›
        </Button>
      </div>
      <span className={look.quiet}>
        {now.from} 至 {now.to}，与 {before.from} 至 {before.to} 相比
      </span>
    </div>
  )
}

function cellsOf(now: Range) {
  const part = (kind: keyof typeof SALES_PARTS, key: 'versionCents' | 'serviceCents' | 'smsCents') => ({
    copy: (row: Row) => formatCents(row[key]),
    render: (row: Row) => (
      <Opens
        path={SALES_PARTS[kind].path}
        search={{ ...SALES_PARTS[kind].filters(now.from, now.to), agentId: row.id }}
      >
        <Money cents={row[key]} />
      </Opens>
    ),
  })
  const orders = (row: Row) => ({ ...SALES_PARTS.version.filters(now.from, now.to), agentId: row.id })
  return {
    companyName: {
      copy: (row: Row) => row.companyName,
      render: (row: Row) => (
        <Opens path={`/admin/operations/agents/${row.id}`} search={{}}>
          {row.companyName}
        </Opens>
      ),
    },
    salesCents: {
      copy: (row: Row) => formatCents(row.salesCents),
      render: (row: Row) => (
        <Opens path="/admin/detail/statement" search={{ agentId: row.id, month: now.to.slice(0, 7) }}>
          <Money cents={row.salesCents} />
        </Opens>
      ),
    },
    beforeCents: (row: Row) => <>上期 {formatCents(row.beforeCents)}</>,
    growth: {
      copy: (row: Row) => (row.growth === null ? '' : percentText(row.growth, true)),
      render: (row: Row) => <Growth value={row.growth} />,
    },
    versionCents: part('version', 'versionCents'),
    serviceCents: part('service', 'serviceCents'),
    smsCents: part('sms', 'smsCents'),
    renewalRate: {
      copy: (row: Row) => (row.renewalRate === null ? '' : percentText(row.renewalRate)),
      render: (row: Row) =>
        row.renewalRate === null ? (
          <span className={look.quiet}>—</span>
        ) : (
          <Opens path={SALES_PARTS.version.path} search={{ ...orders(row), salesType: 'renew' }}>
            <span className={look.number}>{percentText(row.renewalRate)}</span>
          </Opens>
        ),
    },
    lapsed: (row: Row) =>
      row.lapsed === 0 ? (
        '无未续'
      ) : (
        <Opens
          path="/admin/merchant/myMerchant"
          search={{ agentId: row.id, expiresFrom: now.from, expiresTo: now.to }}
        >
          未续 {formatCount(row.lapsed)}
        </Opens>
      ),
    tokenCents: {
      copy: (row: Row) => formatCents(row.tokenCents),
      render: (row: Row) => (
        <Opens path="/admin/detail/personalDetails" search={{ agentId: row.id }}>
          <Money cents={row.tokenCents} />
        </Opens>
      ),
    },
    smsPieces: (row: Row) => (
      <Opens path="/admin/detail/merchantMsgChanges" search={{ agentId: row.id }}>
        {formatCount(row.smsPieces)} 条
      </Opens>
    ),
    shops: {
      copy: (row: Row) => String(row.shops),
      render: (row: Row) => (
        <Opens path="/admin/merchant/myMerchant" search={{ agentId: row.id }}>
          <Count value={row.shops} />
        </Opens>
      ),
    },
    boughtOn: (row: Row) =>
      row.boughtOn === null ? (
        '从未购买'
      ) : (
        <Opens path={SALES_PARTS.version.path} search={{ agentId: row.id, status: 'paid' }}>
          {row.boughtOn}
        </Opens>
      ),
  }
}

function Growth({ value }: { value: number | null }) {
  if (value === null)
    return (
      <span className={look.quiet} data-tip="上期没有销售额">
        —
      </span>
    )
  return (
    <span className={look.number} data-sign={value < 0 ? 'minus' : 'plus'} data-tip={MEANINGS.growth}>
      {percentText(value, true)}
    </span>
  )
}
