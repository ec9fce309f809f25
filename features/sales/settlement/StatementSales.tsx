import { lazy } from 'react'
import type { Out } from '#kit/declare/op.ts'
import { formatCents } from '#kit/money.ts'
import { useNavigate } from '#web/client/navigation.ts'
import { allows, useSession } from '#web/client/session.ts'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { Figure } from '#web/facts/Figure.tsx'
import type { settlement } from './contract.ts'
import { daysOfMonth, ORDER_KINDS, SALES_MEANING, SALES_PARTS } from './rules.ts'
import styles from './settlement.module.css'

const Chart = lazy(() => import('#web/chart/Chart.tsx'))
const TONES = { version: 'accent', service: 'done', sms: 'attention' } as const

type Statement = Out<typeof settlement.statement>

/** 销售额 of the month by its parts and of the months before; each figure and bar opens the orders that it sums up. */
export function StatementSales({ statement }: { statement: Statement }) {
  const session = useSession()
  const navigate = useNavigate()
  const mayOpen = ORDER_KINDS.every(kind => allows(session, SALES_PARTS[kind].permission))
  const searchOf = (kind: (typeof ORDER_KINDS)[number], month: string) => {
    const { first, last } = daysOfMonth(month)
    const agent = session.isVendorStaff ? { agentId: statement.agentId } : {}
    return { ...SALES_PARTS[kind].filters(first, last), ...agent }
  }
  const open = (index: number, of: number) => {
    const [month, kind] = [statement.sales[index]?.month, ORDER_KINDS[of]]
    if (month && kind) void navigate({ to: SALES_PARTS[kind].path, search: searchOf(kind, month) })
  }
  const cents = statement.sales.at(-1)?.cents ?? []
  return (
    <section className={styles.statementSection} aria-label="销售额">
      <h2 className={look.sectionTitle}>
        销售额<span className={look.quiet}>（代币）</span>
      </h2>
      <dl className={styles.statementSales}>
        <Figure label="本月合计" value={formatCents(cents.reduce((sum, part) => sum + part, 0))} />
        {ORDER_KINDS.map((kind, index) => (
          <Figure
            key={kind}
            label={SALES_PARTS[kind].name}
            value={
              mayOpen ? (
                <Link to={SALES_PARTS[kind].path} search={searchOf(kind, statement.month)}>
                  {formatCents(cents[index] ?? 0)}
                </Link>
              ) : (
                formatCents(cents[index] ?? 0)
              )
            }
          />
        ))}
      </dl>
      <Suspense fallback={<div className={styles.statementChartWait} />}>
        <Chart
          title="近 12 个月销售额"
          unit="代币"
          hint={SALES_MEANING}
          withTotal
          stacked
          labels={statement.sales.map(({ month }) => month)}
          series={ORDER_KINDS.map((kind, index) => ({
            name: SALES_PARTS[kind].name,
            tone: TONES[kind],
            values: statement.sales.map(month => month.cents[index] ?? 0),
          }))}
          format={formatCents}
          onPick={mayOpen ? open : undefined}
        />
      </Suspense>
    </section>
  )
}
