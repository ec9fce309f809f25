import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { AGENT_OPTIONS } from '#features/office/agents/AgentOptions.tsx'
import { PeriodBar } from '#features/sales/settlement/PeriodBar.tsx'
import type { Out } from '#kit/declare/op.ts'
import { formatCents, formatCount, percentText } from '#kit/money.ts'
import { formatDay } from '#kit/time.ts'
import { api } from '#web/client/api.ts'
import { useMayOpen } from '#web/client/session.ts'
import { Count, Money } from '#web/controls/format.tsx'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { List } from '#web/list/List.tsx'
import { useListParams } from '#web/list/useListParams.ts'
import type { insights } from './contract.ts'
import { RANKING } from './fields.ts'
import { rankingTargets } from './fields-targets.ts'
import styles from './insights.module.css'
import { Opens } from './Opens.tsx'
import { MEANINGS, SPENDING_DAYS } from './rules.ts'

const insightsApi = api<typeof insights>('insights')
type Asked = Parameters<typeof insightsApi.partners>[0]
type Answer = Out<typeof insights.partners>

/** Rows that know what they were asked for: while others come they are still shown, and lead to what they count. */
function told({ period = 'month', spending = SPENDING_DAYS[0] }: Asked, answer: Answer) {
  const { now, before } = answer
  const asked = { compared: { now, before }, days: spending, today: formatDay(new Date()) }
  return { ...answer, period, rows: answer.rows.map(row => ({ ...row, asked })) }
}
type Told = ReturnType<typeof told>
type Row = Told['rows'][number]

const ranked = Object.assign(async (asked: Asked) => told(asked, await insightsApi.partners(asked)), {
  early: (asked: Asked) => {
    const answer = insightsApi.partners.early(asked)
    return answer && told(asked, answer)
  },
})

/** The filter's choices, the vendor's own agencies among them. */
const LEVEL_OPTIONS = {
  useRows: (wanted: boolean) => useQuery({ ...insightsApi.levels.query(), enabled: wanted }).data?.rows,
}

/** Agents by what they sell, keep and hold; each number opens what it counts. */
export default function RankingPage() {
  const [params] = useListParams(RANKING)
  const today = formatDay(new Date())
  const month = params.month ?? today.slice(0, 7)
  return (
    <List
      of={RANKING}
      from={ranked}
      options={{ levelId: LEVEL_OPTIONS, parentId: AGENT_OPTIONS }}
      cells={CELLS}
      summary={answer => <Compared month={month} today={today} answer={answer} />}
    />
  )
}

type BarProps = {
  month: string
  today: string
  answer: Pick<Told, 'now' | 'before' | 'period'>
}

/** Which period is told of, and with which it is compared. */
function Compared({ month, today, answer }: BarProps) {
  const [{ period = 'month' }, setParams] = useListParams(RANKING)
  const { now, before } = answer
  return (
    <PeriodBar {...{ period, month, today }} shown={answer} onChange={setParams}>
      {now.from} 至 {now.to}，与 {before.from} 至 {before.to} 相比
    </PeriodBar>
  )
}

/** Each number leads to what it counts. */
function counted(row: Row, key: keyof ReturnType<typeof rankingTargets>, shown: ReactNode) {
  const { compared, days, today } = row.asked
  return <Opens {...rankingTargets(row, compared, days, today)[key]}>{shown}</Opens>
}

const money = (
  key: 'salesCents' | 'versionCents' | 'serviceCents' | 'smsCents' | 'tokenCents' | 'spentCents',
) => ({
  copy: (row: Row) => formatCents(row[key]),
  render: (row: Row) => counted(row, key, <Money cents={row[key]} />),
})
const count = (key: 'renewed' | 'shops' | 'shopSms') => ({
  copy: (row: Row) => String(row[key]),
  render: (row: Row) => counted(row, key, <Count value={row[key]} />),
})

function PartnerName({ id, companyName }: Row) {
  const mayOpen = useMayOpen(`/admin/operations/agents/${id}`)
  if (!mayOpen) return companyName
  return (
    <Link className={styles.opens} to="/admin/operations/agents/$id" params={{ id: String(id) }}>
      {companyName}
    </Link>
  )
}

const CELLS = {
  companyName: {
    copy: (row: Row) => row.companyName,
    render: (row: Row) => <PartnerName {...row} />,
  },
  salesCents: money('salesCents'),
  beforeCents: (row: Row) => counted(row, 'beforeCents', `上期 ${formatCents(row.beforeCents)}`),
  growth: {
    copy: (row: Row) => (row.growth === null ? '' : percentText(row.growth, true)),
    render: (row: Row) => counted(row, 'growth', <Growth value={row.growth} />),
  },
  versionCents: money('versionCents'),
  serviceCents: money('serviceCents'),
  smsCents: money('smsCents'),
  renewalRate: {
    copy: (row: Row) => (row.renewalRate === null ? '' : percentText(row.renewalRate)),
    render: (row: Row) =>
      row.renewalRate === null ? (
        <span className={look.quiet}>—</span>
      ) : (
        counted(row, 'renewalRate', <span className={look.number}>{percentText(row.renewalRate)}</span>)
      ),
  },
  renewed: count('renewed'),
  lapsed: (row: Row) =>
    row.lapsed === 0 ? '无未续' : counted(row, 'lapsed', `未续 ${formatCount(row.lapsed)}`),
  tokenCents: money('tokenCents'),
  smsPieces: (row: Row) => counted(row, 'smsPieces', `${formatCount(row.smsPieces)} 条`),
  daysLeft: {
    copy: (row: Row) => (row.daysLeft === null ? '' : String(row.daysLeft)),
    render: (row: Row) =>
      row.daysLeft === null ? (
        <span className={look.quiet} data-tip="近期没有消耗">
          —
        </span>
      ) : (
        counted(row, 'daysLeft', <Count value={row.daysLeft} />)
      ),
  },
  spentCents: money('spentCents'),
  shops: count('shops'),
  shopSms: count('shopSms'),
  boughtOn: (row: Row) => (row.boughtOn === null ? '从未购买' : counted(row, 'boughtOn', row.boughtOn)),
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
