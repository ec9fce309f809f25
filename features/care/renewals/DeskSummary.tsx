import { lazy, useEffect, useRef, useState } from 'react'
import { formatCount } from '#kit/money.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { roving } from '#web/keys/roving.ts'
import styles from './renewals.module.css'
import { RANK_WORDS, WINDOW_NAMES, WINDOWS, type Window } from './rules.ts'
import { useDeskCounts } from './useDeskCounts.tsx'

const RenewalCharts = lazy(() => import('./RenewalCharts.tsx'))

type Props = {
  agentId: number | undefined
  window: Window
  managerId: number | undefined
  onChange: (changed: { window?: Window; managerId?: number | undefined }) => void
  /** The keys of the focused row. */
  keys: string
}

/** The windows with their counts, what each manager has due, and the months as charts when asked for. */
export function DeskSummary({ agentId, window, managerId, onChange, keys }: Props) {
  const counts = useDeskCounts(agentId, window)
  const [charts, setCharts] = useState(false)
  const strip = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another window moves its button into view.
  useEffect(() => {
    const current = strip.current?.querySelector<HTMLElement>('[aria-current]')
    if (!strip.current || !current) return
    // Only the strip moves; scrollIntoView would move the page with it.
    strip.current.scrollLeft = current.offsetLeft - (strip.current.clientWidth - current.offsetWidth) / 2
  }, [window])
  const countOf = (name: Window) => counts.data?.windows.find(row => row.window === name)
  return (
    <div className={styles.deskSummary}>
      <div className={styles.deskTop}>
        <nav ref={strip} className={styles.deskWindows} aria-label="到期范围">
          {WINDOWS.map(name => {
            const found = countOf(name)
            return (
              <button
                key={name}
                type="button"
                aria-current={name === window ? 'true' : undefined}
                onClick={() => onChange({ window: name })}
              >
                {WINDOW_NAMES[name]}
                <span
                  className={styles.deskCount}
                  data-tone={name === 'lapsed' && found && found.count > 0 ? 'problem' : undefined}
                >
                  {found ? `${formatCount(found.count)}${found.capped ? '+' : ''}` : '…'}
                </span>
              </button>
            )
          })}
        </nav>
        <Button kind="quiet" aria-expanded={charts} onClick={() => setCharts(!charts)}>
          {charts ? '收起趋势' : '查看趋势'}
        </Button>
      </div>
      {charts && (
        <p className={styles.deskKeys}>
          {RANK_WORDS}
          <span className={look.notPhone}>。选中一行后可用键盘：↑↓ 换行 · 回车 详情 · {keys}</span>
        </p>
      )}
      {(!counts.data || counts.data.managers.length > 0) && (
        <div className={styles.deskManagers}>
          <span id="desk-managers">按客户经理</span>
          <div {...roving} role="toolbar" aria-labelledby="desk-managers">
            {counts.data?.managers.map(manager => (
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
                <span>
                  已联系 <b>{formatCount(manager.contacted)}</b>
                </span>
                <span>
                  已承诺 <b>{formatCount(manager.promised)}</b>
                </span>
                <span>
                  已流失 <b>{formatCount(manager.lost)}</b>
                </span>
              </button>
            ))}
          </div>
        </div>
      )}
      {charts && (
        <Suspense fallback={<div className={styles.deskCharts} />}>
          <RenewalCharts agentId={agentId} />
        </Suspense>
      )}
    </div>
  )
}
