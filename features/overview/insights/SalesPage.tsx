import { useQuery } from '@tanstack/react-query'
import { LaterAgentPicker } from '#features/office/agents/LaterAgentPicker.tsx'
import { ORDER_KINDS, SALES_PARTS } from '#features/sales/settlement/rules.ts'
import type { Out } from '#kit/declare/op.ts'
import type { SearchOf } from '#kit/declare/pages.ts'
import { formatCents, percentText } from '#kit/money.ts'
import { formatDay } from '#kit/time.ts'
import { api } from '#web/client/api.ts'
import { look } from '#web/controls/look.ts'
import { Figure } from '#web/facts/Figure.tsx'
import { FigureTable } from '#web/facts/FigureTable.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { useListParams } from '#web/list/useListParams.ts'
import type { insights } from './contract.ts'
import { RANKING_FIELDS } from './fields.ts'
import { partTarget } from './fields-targets.ts'
import styles from './insights.module.css'
import { Opens } from './Opens.tsx'
import { MEANINGS } from './rules.ts'
import { Section } from './Section.tsx'

const insightsApi = api<typeof insights>('insights')
type Sales = Out<typeof insights.sales>
type Sold = Sales['now']
type Params = SearchOf<'/admin/insights/sales'>

/** 销售额 of one agent on some days, and of those that they are compared with; each amount opens the orders that it sums up. */
export default function SalesPage() {
  const [{ agentId, from, to, beforeFrom, beforeTo }, setParams] = useListParams<Params>()
  const today = formatDay(new Date())
  const query = useQuery({
    ...insightsApi.sales.query({
      agentId: agentId ?? 0,
      from: from ?? `${today.slice(0, 8)}01`,
      to: to ?? today,
      ...(beforeFrom && beforeTo && { beforeFrom, beforeTo }),
    }),
    enabled: agentId !== undefined,
  })
  return (
    <div className={`${look.page} ${styles.page}`}>
      <header className={styles.salesHead}>
        <h1 className={look.pageTitle}>销售额明细</h1>
        <div className={styles.salesAgent}>
          <LaterAgentPicker
            value={agentId}
            placeholder="选择代理商"
            onChange={chosen => setParams({ agentId: chosen } as Partial<Params>)}
          />
        </div>
      </header>
      {query.data ? (
        <Compared sales={query.data} />
      ) : query.isError ? (
        <LoadFailure error={query.error} onRetry={() => void query.refetch()} />
      ) : agentId === undefined ? (
        <p className={look.quiet}>选择代理商后，这里显示其本月的销售额</p>
      ) : (
        <LoadingLines />
      )}
    </div>
  )
}

const sumOf = (sold: Sold, kinds: readonly (typeof ORDER_KINDS)[number][] = ORDER_KINDS) =>
  sold.months.reduce((sum, { cents }) => kinds.reduce((part, kind) => part + cents[kind], sum), 0)

function Compared({ sales: { agentId, now, before } }: { sales: Sales }) {
  const total = sumOf(now)
  const earlier = before && sumOf(before)
  return (
    <>
      <dl className={styles.figures}>
        <Figure label={`${now.from} 至 ${now.to}（代币）`} value={formatCents(total)} />
        {before && earlier !== null && (
          <>
            <Figure label={`${before.from} 至 ${before.to}（代币）`} value={formatCents(earlier)} />
            <Figure
              label={RANKING_FIELDS.growth.label}
              value={
                earlier > 0 ? percentText(Math.round(((total - earlier) * 10_000) / earlier), true) : '—'
              }
            />
          </>
        )}
      </dl>
      <Months agentId={agentId} sold={now} title="本期" />
      {before && <Months agentId={agentId} sold={before} title="上期" />}
      <p className={look.quiet}>{MEANINGS.sales}</p>
    </>
  )
}

function Months({ agentId, sold, title }: { agentId: number; sold: Sold; title: string }) {
  return (
    <Section label={title} title={title}>
      <FigureTable
        label={`${title}按月`}
        heads={['月份', ...ORDER_KINDS.map(kind => `${SALES_PARTS[kind].name}（代币）`), '合计（代币）']}
      >
        <tbody>
          {sold.months.map(({ month, cents, ...days }) => (
            <tr key={month}>
              <th scope="row">{month}</th>
              {ORDER_KINDS.map(kind => (
                <td key={kind}>
                  <Opens {...partTarget(kind, days, agentId)}>{formatCents(cents[kind])}</Opens>
                </td>
              ))}
              <td>{formatCents(ORDER_KINDS.reduce((sum, kind) => sum + cents[kind], 0))}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">合计</th>
            {ORDER_KINDS.map(kind => (
              <td key={kind}>
                <Opens {...partTarget(kind, sold, agentId)}>{formatCents(sumOf(sold, [kind]))}</Opens>
              </td>
            ))}
            <td>{formatCents(sumOf(sold))}</td>
          </tr>
        </tfoot>
      </FigureTable>
    </Section>
  )
}
