import { useQuery } from '@tanstack/react-query'
import { formatCount } from '#kit/money.ts'
import { roving } from '#web/keys/roving.ts'
import { useListParams } from '#web/list/useListParams.ts'
import { ALL_WORK_ORDERS, WORK_ORDERS } from './fields.ts'
import { ORDER_STATES, type OrderState } from './rules.ts'
import styles from './work-orders.module.css'
import { workOrdersApi } from './workOrdersApi.tsx'

type Counts = { rows: readonly { state: OrderState; count: number }[] } | undefined

/** How many stand in each state of what is filtered; each leads to them. */
export function OwnStates() {
  const [params, setParams] = useListParams(WORK_ORDERS)
  const { page: _page, size: _size, sort: _sort, order: _order, state, ...filters } = params
  const { data } = useQuery({ ...workOrdersApi.counts.query(filters), placeholderData: before => before })
  return <States counts={data} state={state} onChoose={chosen => setParams({ state: chosen })} />
}

export function AllStates() {
  const [params, setParams] = useListParams(ALL_WORK_ORDERS)
  const { page: _page, size: _size, sort: _sort, order: _order, state, ...filters } = params
  const { data } = useQuery({ ...workOrdersApi.allCounts.query(filters), placeholderData: before => before })
  return <States counts={data} state={state} onChoose={chosen => setParams({ state: chosen })} />
}

type Props = {
  counts: Counts
  state: OrderState | undefined
  onChoose: (state: OrderState | undefined) => void
}

function States({ counts, state, onChoose }: Props) {
  const rows = counts?.rows ?? []
  const all = rows.reduce((sum, { count }) => sum + count, 0)
  const shown = [
    { key: undefined, label: '全部', count: all },
    ...rows.map(row => ({ key: row.state, label: ORDER_STATES[row.state], count: row.count })),
  ]
  return (
    <nav {...roving} className={styles.states} aria-label="按状态筛选">
      {shown.map(({ key, label, count }) => (
        <button
          key={label}
          type="button"
          className={styles.stateOne}
          aria-pressed={state === key}
          onClick={() => onChoose(key)}
        >
          {label} <b>{counts ? formatCount(count) : '—'}</b>
        </button>
      ))}
    </nav>
  )
}
