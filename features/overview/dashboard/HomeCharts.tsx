import { useQuery } from '@tanstack/react-query'
import { type OrderKind, SALES_MEANING, SALES_PARTS } from '#features/sales/settlement/rules.ts'
import type { Out } from '#kit/declare/op.ts'
import type { Path, SearchOf } from '#kit/declare/pages.ts'
import { formatCents, formatCount } from '#kit/money.ts'
import Chart from '#web/chart/Chart.tsx'
import type { ChartSeries, ChartTone } from '#web/chart/chart-props.ts'
import { api } from '#web/client/api.ts'
import { useNavigate } from '#web/client/navigation.ts'
import { allows, useSession } from '#web/client/session.ts'
import { LoadFailure } from '#web/form/LoadStates.tsx'
import type { dashboard } from './contract.ts'
import styles from './HomePage.module.css'
import { comingDays, pastDays, TILE_LISTS } from './rules.ts'

const dashboardApi = api<typeof dashboard>('dashboard')

type Charts = Out<typeof dashboard.charts>
/** What a bar of a day leads to. */
type Opens = { path: Path; permission: string; filters: (day: string) => SearchOf<Path> }
type Shown = ChartSeries & { opens: Opens }

function salesOf(kind: OrderKind, tone: ChartTone, values: number[]): Shown {
  const { name, path, permission, filters } = SALES_PARTS[kind]
  return { name, tone, values, opens: { path, permission, filters: day => filters(day, day) } }
}
const RECHARGES: Opens = {
  ...TILE_LISTS.sms,
  filters: (day): SearchOf<typeof TILE_LISTS.sms.path> => ({
    ...TILE_LISTS.sms.filters(day),
    kind: 'recharge',
  }),
}
const SENT: Opens = {
  path: '/admin/merchant/smsSendLog',
  permission: 'messageDesk.log',
  filters: (day): SearchOf<'/admin/merchant/smsSendLog'> => ({ from: day, to: day }),
}
const EXPIRING: Opens = {
  path: '/admin/merchant/myMerchant',
  permission: 'merchants.list',
  filters: (day): SearchOf<'/admin/merchant/myMerchant'> => ({ expiresFrom: day, expiresTo: day }),
}

/** 30 days of sales, recharges, new shops and SMS use, and the shops whose term ends in the next 30. */
export default function HomeCharts() {
  const query = useQuery(dashboardApi.charts.query())
  if (query.isError && !query.data)
    return <LoadFailure error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data) return <div className={styles.homeCharts} role="status" aria-label="加载中" />
  return <ChartsOf charts={query.data} />
}

function ChartsOf({ charts }: { charts: Charts }) {
  const [past, coming] = [pastDays(charts.today), comingDays(charts.today)]
  return (
    <div className={styles.homeCharts}>
      <DayChart
        title="近30天销售额"
        hint={SALES_MEANING}
        emptyText="近30天没有销售"
        unit="代币"
        days={past}
        format={formatCents}
        series={[
          salesOf('version', 'accent', charts.versionCents),
          salesOf('service', 'done', charts.serviceCents),
          salesOf('sms', 'attention', charts.smsCents),
        ]}
      />
      <DayChart
        title="近30天新增商户"
        emptyText="近30天没有新增商户"
        unit="家"
        days={past}
        format={formatCount}
        series={[
          { name: '新增商户', tone: 'accent', values: charts.registered, opens: TILE_LISTS.merchants },
        ]}
      />
      <DayChart
        title="未来30天到期商户"
        emptyText="未来30天没有商户到期"
        unit="家"
        days={coming}
        format={formatCount}
        series={[{ name: '到期商户', tone: 'attention', values: charts.expiring, opens: EXPIRING }]}
      />
      <DayChart
        title="近30天短信使用"
        emptyText="近30天没有发送短信"
        unit="条"
        days={past}
        format={formatCount}
        series={[{ name: '计费条数', tone: 'accent', values: charts.segments, opens: SENT }]}
      />
      <DayChart
        title="近30天短信充值"
        emptyText="近30天没有短信充值"
        unit="元"
        days={past}
        format={formatCents}
        series={[{ name: '充值金额', tone: 'done', values: charts.rechargeFen, opens: RECHARGES }]}
      />
    </div>
  )
}

type DayChartProps = {
  title: string
  hint?: string
  emptyText: string
  unit: string
  days: readonly string[]
  series: readonly Shown[]
  format: (value: number) => string
}

/** Each bar opens the list of its day, where the account may see the lists of all its series. */
function DayChart({ title, hint, emptyText, unit, days, series, format }: DayChartProps) {
  const session = useSession()
  const navigate = useNavigate()
  const mayOpen = series.every(({ opens }) => allows(session, opens.permission))
  const open = (index: number, of: number) => {
    const [day, opens] = [days[index], series[of]?.opens]
    if (day && opens) void navigate({ to: opens.path, search: opens.filters(day) })
  }
  return (
    <Chart
      title={title}
      {...(hint && { hint })}
      emptyText={emptyText}
      unit={unit}
      labels={days.map(day => day.slice(5))}
      series={series}
      stacked={series.length > 1}
      withTotal
      format={format}
      onPick={mayOpen ? open : undefined}
    />
  )
}
