import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { MARGIN_MEANING } from '#features/sales/margins/rules.ts'
import { SALES_MEANING } from '#features/sales/settlement/rules.ts'
import type { Out } from '#kit/declare/op.ts'
import { type Target, target } from '#kit/declare/pages.ts'
import { formatCents, formatCount } from '#kit/money.ts'
import { Spark } from '#web/chart/Spark.tsx'
import { api } from '#web/client/api.ts'
import { usePermission } from '#web/client/session.ts'
import { Link } from '#web/controls/Link.tsx'
import { Figure } from '#web/facts/Figure.tsx'
import { LoadFailure } from '#web/form/LoadStates.tsx'
import type { dashboard } from './contract.ts'
import styles from './HomePage.module.css'
import { monthsCompared, renewalRate, running, sinceLastMonth, type Trend } from './rules.ts'

const dashboardApi = api<typeof dashboard>('dashboard')

type Month = Out<typeof dashboard.month>
type Compared = Month['salesCents']

/** This month until today beside the same days of the last: figure, small line, difference in words. */
export function MonthBand() {
  const month = useQuery(dashboardApi.month.query())
  if (month.isError && !month.data)
    return <LoadFailure error={month.error} onRetry={() => void month.refetch()} />
  return (
    <dl className={`${styles.figures} ${styles.months}`} aria-busy={!month.data}>
      {month.data && <Figures month={month.data} />}
    </dl>
  )
}

function Figures({ month }: { month: Month }) {
  const { today, salesCents, profitFen, registered, due, renewed } = month
  const [first = today] = monthsCompared(today).now
  return (
    <>
      <Sum
        label={<span data-tip={SALES_MEANING}>本月销售额（代币）</span>}
        sum={salesCents}
        format={formatCents}
        opens={{
          permission: 'settlement.statement',
          ...target('/admin/detail/statement', { month: today.slice(0, 7) }),
        }}
      />
      {profitFen && (
        <Sum
          label={<span data-tip={MARGIN_MEANING}>本月毛利（元）</span>}
          sum={profitFen}
          format={formatCents}
          opens={{
            permission: 'margins.orders',
            ...target('/admin/detail/margins', { paidFrom: first, paidTo: today }),
          }}
        />
      )}
      {due && renewed && <Rate due={due} renewed={renewed} from={first} to={today} />}
      <Sum
        label="本月新增商户（家）"
        sum={registered}
        format={formatCount}
        opens={{
          permission: 'merchants.list',
          ...target('/admin/merchant/myMerchant', { registeredFrom: first, registeredTo: today }),
        }}
      />
    </>
  )
}

type Opens = Target & { permission: string }
type SumProps = { label: ReactNode; sum: Compared; format: (value: number) => string; opens: Opens }

function Sum({ label, sum, format, opens }: SumProps) {
  const [now, before] = [running(sum.now), running(sum.before)]
  const [value, earlier] = [now.at(-1) ?? 0, before.at(-1) ?? 0]
  return (
    <Figure label={label} value={<Opening opens={opens}>{format(value)}</Opening>}>
      <Difference {...sinceLastMonth(value, earlier)} before={`上月同期 ${format(earlier)}`} />
      <dd>
        <Spark values={now} before={before} />
      </dd>
    </Figure>
  )
}

type RateProps = { due: Compared; renewed: Compared; from: string; to: string }

/** Of the terms that ended, how many were renewed; it opens the shops that were not. */
function Rate({ due, renewed, from, to }: RateProps) {
  const ratesOf = (which: 'now' | 'before') => {
    const [ended, kept] = [running(due[which]), running(renewed[which])]
    return ended.map((shops, i) => renewalRate(kept[i] ?? 0, shops))
  }
  const [now, before] = [ratesOf('now'), ratesOf('before')]
  const [value, earlier] = [now.at(-1) ?? null, before.at(-1) ?? null]
  const text = (rate: number | null) => (rate === null ? '—' : `${rate / 10}%`)
  const points = value === null || earlier === null ? null : value - earlier
  const missing = (running(due.now).at(-1) ?? 0) - (running(renewed.now).at(-1) ?? 0)
  const opens = {
    permission: 'merchants.list',
    ...target('/admin/merchant/myMerchant', { expiresFrom: from, expiresTo: to }),
  }
  return (
    <Figure
      label={<span data-tip="本月至今到期的商户中已续费的比例">本月续费率</span>}
      value={<Opening opens={opens}>{text(value)}</Opening>}
    >
      <Difference
        trend={points === null || points === 0 ? 'same' : points > 0 ? 'up' : 'down'}
        text={
          points === null
            ? '上月同期没有商户到期'
            : points === 0
              ? '与上月同期持平'
              : `比上月同期${points > 0 ? '高' : '低'} ${Math.abs(points) / 10} 个百分点`
        }
        before={`还有 ${formatCount(missing)} 家未续费`}
      />
      <dd>
        <Spark values={now.map(rate => rate ?? 0)} before={before.map(rate => rate ?? 0)} />
      </dd>
    </Figure>
  )
}

function Opening({ opens, children }: { opens: Opens; children: ReactNode }) {
  const mayOpen = usePermission(opens.permission)
  if (!mayOpen) return children
  return (
    <Link to={opens.path} search={opens.search}>
      {children}
    </Link>
  )
}

function Difference({ trend, text, before }: { trend: Trend; text: string; before: string }) {
  return (
    <dd className={styles.difference}>
      <span className={styles.homeTrend} data-trend={trend}>
        {text}
      </span>
      <span>{before}</span>
    </dd>
  )
}
