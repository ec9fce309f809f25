import { useQuery } from '@tanstack/react-query'
import type { Out } from '#kit/declare/op.ts'
import { formatCents, formatCount } from '#kit/money.ts'
import { CHANNEL_NAMES } from '#kit/ports/channels.ts'
import { api } from '#web/client/api.ts'
import { Link } from '#web/controls/Link.tsx'
import { Permit } from '#web/controls/Permit.tsx'
import { Figure } from '#web/facts/Figure.tsx'
import { LoadFailure } from '#web/form/LoadStates.tsx'
import type { dashboard } from './contract.ts'
import styles from './HomePage.module.css'

const dashboardApi = api<typeof dashboard>('dashboard')

type Office = Out<typeof dashboard.office>
type Paid = Office['paid'][number]

/** Money in by channel, each figure leading to its payments, and what the last look at the ledger found. */
export function OfficeBand() {
  const office = useQuery(dashboardApi.office.query())
  if (office.isError && !office.data)
    return <LoadFailure error={office.error} onRetry={() => void office.refetch()} />
  return (
    <dl className={`${styles.figures} ${styles.offices}`} aria-busy={!office.data}>
      {office.data && <Figures office={office.data} />}
    </dl>
  )
}

function Figures({ office: { today, paid, drift, driftAmong } }: { office: Office }) {
  const first = `${today.slice(0, 8)}01`
  return (
    <>
      <MoneyIn label="今日收款（元）" paid={paid} of="today" from={today} to={today} />
      <MoneyIn label="本月收款（元）" paid={paid} of="month" from={first} to={today} />
      <Figure
        label="账目核对"
        value={drift === 0 ? '一致' : `${formatCount(drift)} 处不符`}
        tone={drift === 0 ? undefined : 'problem'}
      >
        <dd>
          <Permit permission="ledger.changes">
            <Link to="/admin/detail/personalDetails">最近 {formatCount(driftAmong)} 条分录</Link>
          </Permit>
        </dd>
      </Figure>
    </>
  )
}

type MoneyInProps = { label: string; paid: readonly Paid[]; of: 'today' | 'month'; from: string; to: string }

function MoneyIn({ label, paid, of, from, to }: MoneyInProps) {
  const amountOf = (row: Paid) => (of === 'today' ? row.todayFen : row.monthFen)
  const countOf = (row: Paid) => (of === 'today' ? row.todayCount : row.monthCount)
  const search = { status: 'paid', from, to } as const
  return (
    <Figure
      label={label}
      value={
        <Link to="/admin/operations/payments" search={search}>
          {formatCents(paid.reduce((sum, row) => sum + amountOf(row), 0))}
        </Link>
      }
    >
      <dd className={styles.difference}>
        {paid.map(row => (
          <Link
            key={row.channel}
            to="/admin/operations/payments"
            search={{ ...search, channel: row.channel }}
          >
            {CHANNEL_NAMES[row.channel]} {formatCents(amountOf(row))}（{formatCount(countOf(row))} 笔）
          </Link>
        ))}
      </dd>
    </Figure>
  )
}
