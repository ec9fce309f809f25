import { useQuery } from '@tanstack/react-query'
import { formatCount } from '#kit/money.ts'
import { addDays, addMonths, formatDay, startOfDay } from '#kit/time.ts'
import Chart from '#web/chart/Chart.tsx'
import type { ChartTone } from '#web/chart/chart-props.ts'
import { api } from '#web/client/api.ts'
import { useNavigate } from '#web/client/navigation.ts'
import { LoadFailure } from '#web/form/LoadStates.tsx'
import type { renewals } from './contract.ts'
import styles from './renewals.module.css'

const renewalsApi = api<typeof renewals>('renewals')

type Months = readonly { month: string; count: number }[]

/** Renewals due and new shops by month; each bar opens the shops that it counts. */
export default function RenewalCharts({ agentId }: { agentId: number | undefined }) {
  const months = useQuery({
    ...renewalsApi.months.query({ agentId }),
  })
  const navigate = useNavigate()
  if (months.isError) return <LoadFailure error={months.error} onRetry={() => void months.refetch()} />
  if (!months.data) return <div className={styles.deskCharts} role="status" aria-label="加载中" />
  const open = (from: 'expiresFrom' | 'registeredFrom', month: string | undefined) => {
    if (month === undefined) return
    const to = from === 'expiresFrom' ? 'expiresTo' : 'registeredTo'
    const search = { [from]: `${month}-01`, [to]: lastDayOf(month), agentId }
    void navigate({ to: '/admin/merchant/myMerchant', search })
  }
  const chart = (title: string, tone: ChartTone, rows: Months, from: 'expiresFrom' | 'registeredFrom') => (
    <Chart
      title={title}
      unit="家"
      labels={rows.map(row => row.month)}
      series={[{ name: title, tone, values: rows.map(row => row.count) }]}
      format={formatCount}
      onPick={label => open(from, rows[label]?.month)}
    />
  )
  return (
    <div className={styles.deskCharts}>
      {chart('未来12个月到期', 'attention', months.data.expiring, 'expiresFrom')}
      {chart('近12个月新增商户', 'accent', months.data.registered, 'registeredFrom')}
    </div>
  )
}

/** The last day of a month given as YYYY-MM. */
function lastDayOf(month: string): string {
  return addDays(formatDay(addMonths(startOfDay(`${month}-01`), 1)), -1)
}
