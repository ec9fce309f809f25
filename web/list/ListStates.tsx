import { messageOf, refusalOf } from '../client/api.ts'
import { Button } from '../controls/Button.tsx'
import { EmptyState } from '../form/LoadStates.tsx'
import styles from './ListStates.module.css'
import type { ListColumn } from './list-props.ts'

type FailedProps = { error: unknown; onRetry: () => void; onClear?: () => void }

/** Why the list could not be loaded, and what helps: another try, or other conditions where these are refused. */
export function FailedList({ error, onRetry, onClear }: FailedProps) {
  const code = refusalOf(error)?.code
  return (
    <EmptyState title="列表没有加载出来" role="alert">
      <p>{messageOf(error)}</p>
      <div>
        {code === undefined || code === 'BUSY' || !onClear ? (
          <Button onClick={onRetry}>重试</Button>
        ) : (
          <Button onClick={onClear}>清除条件</Button>
        )}
      </div>
    </EmptyState>
  )
}

type EmptyProps = {
  text?: string
  action?: React.ReactNode
  page: number
  filtered: boolean
  onFirstPage: () => void
  onClear: () => void
}

/** Why the list is empty, and what to do next. */
export function EmptyList({ text = '还没有记录', action, page, filtered, onFirstPage, onClear }: EmptyProps) {
  if (page > 1)
    return (
      <EmptyState title="这一页没有记录">
        <Button onClick={onFirstPage}>回到第一页</Button>
      </EmptyState>
    )
  if (filtered)
    return (
      <EmptyState title="没有符合条件的记录">
        <p>换个关键词，或放宽筛选条件</p>
        <Button onClick={onClear}>清除条件</Button>
      </EmptyState>
    )
  return <EmptyState title={text}>{action}</EmptyState>
}

const LINES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]

/** Grey rows where rows will be; the style sheet shows them only after a moment. */
export function LoadingList<Row>({
  columns,
  phone,
}: {
  columns: readonly ListColumn<Row>[]
  phone: boolean
}) {
  const cells = phone ? columns.slice(0, 1) : columns.slice(0, 8)
  return (
    <div className={styles.listSkeleton} role="status" aria-label="加载中">
      {LINES.map(line => (
        <div key={line} className={styles.listSkeletonRow}>
          {cells.map(column => (
            <span key={column.key} />
          ))}
        </div>
      ))}
    </div>
  )
}
