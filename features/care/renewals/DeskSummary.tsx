import { lazy, type ReactNode, useState } from 'react'
import { formatCount } from '#kit/money.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { CloseButton, Dialog } from '#web/form/Dialog.tsx'
import { roving } from '#web/keys/roving.ts'
import { usePhone } from '#web/theme/usePhone.ts'
import styles from './renewals.module.css'
import {
  DESK_ORDER_NAMES,
  DESK_ORDERS,
  type DeskOrder,
  RANK_WORDS,
  WINDOW_NAMES,
  WINDOWS,
  type Window,
} from './rules.ts'
import { useDeskCounts } from './useDeskCounts.tsx'

const RenewalCharts = lazy(() => import('./RenewalCharts.tsx'))

type Props = {
  agentId: number | undefined
  window: Window
  orderBy: DeskOrder
  managerId: number | undefined
  onChange: (changed: { managerId?: number | undefined }) => void
  onWindow: (window: Window) => void
  onOrder: (order: DeskOrder) => void
  /** The keys of the focused row. */
  keys: string
}

type Counts = ReturnType<typeof useDeskCounts>['data']

/** The windows with their counts, the order, what each manager has due, and the months as charts when asked for. */
export function DeskSummary(props: Props) {
  const counts = useDeskCounts(props.agentId, props.window).data
  const phone = usePhone()
  return phone ? <OnPhone {...props} counts={counts} /> : <OnDesk {...props} counts={counts} />
}

type Shown = Props & { counts: Counts }

function countText(counts: Counts, name: Window): string {
  const found = counts?.windows.find(row => row.window === name)
  return found ? `${formatCount(found.count)}${found.capped ? '+' : ''}` : '…'
}

function OnDesk({ counts, keys, ...props }: Shown) {
  const { agentId, window, onWindow } = props
  const [charts, setCharts] = useState(false)
  const lapsed = counts?.windows.find(row => row.window === 'lapsed')
  return (
    <div className={styles.deskSummary}>
      <div {...roving} className={styles.deskTop}>
        <nav className={styles.deskWindows} aria-label="到期范围">
          {WINDOWS.map(name => (
            <button
              key={name}
              type="button"
              aria-current={name === window ? 'true' : undefined}
              onClick={() => onWindow(name)}
            >
              {WINDOW_NAMES[name]}
              <span
                className={styles.deskCount}
                data-tone={name === 'lapsed' && lapsed && lapsed.count > 0 ? 'problem' : undefined}
              >
                {countText(counts, name)}
              </span>
            </button>
          ))}
        </nav>
        <div className={styles.deskOrder}>
          <OrderSelect {...props} />
          <Button kind="quiet" aria-expanded={charts} onClick={() => setCharts(!charts)}>
            {charts ? '收起趋势' : '查看趋势'}
          </Button>
        </div>
      </div>
      {charts && <p className={styles.deskKeys}>选中一行后可用键盘：↑↓ 换行 · 回车 详情 · {keys}</p>}
      <Managers {...props} counts={counts} />
      {charts && (
        <Suspense fallback={<div className={styles.deskCharts} />}>
          <RenewalCharts agentId={agentId} />
        </Suspense>
      )}
    </div>
  )
}

/** One line; the rest is a sheet. */
function OnPhone({ counts, ...props }: Shown) {
  const { agentId, window, managerId, onWindow } = props
  const [open, setOpen] = useState(false)
  return (
    <div className={styles.deskTop}>
      <select
        className={`${look.select} ${styles.deskWindow}`}
        aria-label="到期范围"
        value={window}
        onChange={event => onWindow(event.target.value as Window)}
      >
        {WINDOWS.map(name => (
          <option key={name} value={name}>
            {WINDOW_NAMES[name]} {countText(counts, name)}
          </option>
        ))}
      </select>
      <OrderSelect {...props} />
      <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {managerId === undefined ? '更多' : '更多 ·'}
      </Button>
      {open && (
        <Dialog title="客户经理和趋势" onClose={() => setOpen(false)} footer={<CloseButton />}>
          <div className={styles.deskSheet}>
            <Managers {...props} counts={counts} />
            <Suspense fallback={<div className={styles.deskCharts} />}>
              <RenewalCharts agentId={agentId} />
            </Suspense>
          </div>
        </Dialog>
      )}
    </div>
  )
}

function OrderSelect({ orderBy, onOrder }: Pick<Props, 'orderBy' | 'onOrder'>): ReactNode {
  return (
    <select
      className={look.select}
      aria-label="排列"
      data-tip={orderBy === 'rank' ? RANK_WORDS : '最近到期的在前'}
      value={orderBy}
      onChange={event => onOrder(event.target.value as DeskOrder)}
    >
      {DESK_ORDERS.map(order => (
        <option key={order} value={order}>
          {DESK_ORDER_NAMES[order]}
        </option>
      ))}
    </select>
  )
}

/** In a strip, where each word counts. */
const MANAGER_WORDS = { contacted: '已联系', promised: '已承诺', lost: '已流失' } as const

function Managers({
  counts,
  window,
  managerId,
  onChange,
}: Pick<Shown, 'counts' | 'window' | 'managerId' | 'onChange'>) {
  if (counts?.managers.length === 0) return null
  return (
    <div className={styles.deskManagers}>
      <span id="desk-managers">按客户经理</span>
      <div {...roving} role="toolbar" aria-labelledby="desk-managers">
        {counts?.managers.map(manager => (
          <button
            key={manager.managerId}
            type="button"
            aria-pressed={manager.managerId === managerId}
            data-tip={`${WINDOW_NAMES[window]}的商户，和其中最近的跟进结果`}
            onClick={() =>
              onChange({ managerId: manager.managerId === managerId ? undefined : manager.managerId })
            }
          >
            <span className={styles.deskManagerName}>{manager.managerName}</span>
            <span>
              <b>{formatCount(manager.due)}</b> 家{window === 'lapsed' ? '已过期' : '到期'}
            </span>
            {(['contacted', 'promised', 'lost'] as const)
              .filter(state => manager[state] > 0)
              .map(state => (
                <span key={state}>
                  {MANAGER_WORDS[state]} <b>{formatCount(manager[state])}</b>
                </span>
              ))}
          </button>
        ))}
      </div>
    </div>
  )
}
