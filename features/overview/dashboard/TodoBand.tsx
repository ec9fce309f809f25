import { useQuery } from '@tanstack/react-query'
import { APPROVAL_HOURS } from '#features/care/approvals/rules.ts'
import { useWaiting } from '#features/overview/inbox/inboxApi.tsx'
import type { Out } from '#kit/declare/op.ts'
import { formatCents, formatCount } from '#kit/money.ts'
import { api } from '#web/client/api.ts'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { LoadFailure } from '#web/form/LoadStates.tsx'
import { useOfficeLimit } from '#web/shell/limit.ts'
import type { dashboard } from './contract.ts'
import { type DutyShown, isBalance, MORNING_DUTIES, promiseText, waitedText } from './rules.ts'
import styles from './TodoBand.module.css'

const dashboardApi = api<typeof dashboard>('dashboard')
const AGAIN_AFTER_MS = 60_000

type Item = Out<typeof dashboard.todo>['items'][number]

export function useTodo() {
  return useQuery({ ...dashboardApi.todo.query(), refetchInterval: AGAIN_AFTER_MS })
}

/** What waits for whoever looks, with the money that hangs on it; each opens exactly the rows that it counts. */
export function TodoBand() {
  const todo = useTodo()
  if (todo.isError && !todo.data)
    return <LoadFailure error={todo.error} onRetry={() => void todo.refetch()} />
  if (!todo.data) return <div className={styles.todos} role="status" aria-label="加载中" />
  const { today, isFresh, items } = todo.data
  if (isFresh)
    return <p className={styles.none}>还没有商户。有了商户和订单，每天要办的事会列在这里，连同牵涉的金额。</p>
  if (items.length === 0) return <Done />
  return (
    <ul className={styles.todos}>
      {items.map(item => (
        <li key={item.key}>
          <TodoLink item={item} today={today} />
        </li>
      ))}
    </ul>
  )
}

/** Of what the inbox holds, some belongs to no day. */
function Done() {
  const waiting = useWaiting(true)
  return waiting > 0 ? (
    <p className={styles.none}>
      今天要办的都处理好了，还有 <Link to="/admin/inbox">{formatCount(waiting)} 项待办</Link>。
    </p>
  ) : (
    <p className={styles.none}>都处理好了，今天没有等您办的事。祝您一天顺利。</p>
  )
}

function TodoLink({ item, today }: { item: Item; today: string }) {
  const { name, unit, money, path, hash, within, filters }: DutyShown = MORNING_DUTIES[item.key]
  const hours = useOfficeLimit(within ?? APPROVAL_HOURS, within !== undefined)
  const promise = within && item.oldestAt ? promiseText(item.oldestAt, hours, new Date()) : null
  const shown = isBalance(item.key, 'tokens') ? formatCents(item.count) : formatCount(item.count)
  const facts = [
    money && item.cents !== null && `${money.name} ${formatCents(item.cents)} ${money.unit}`,
    item.oldestAt && !promise && `最久等待 ${waitedText(item.oldestAt, new Date())}`,
    promise?.text,
    isBalance(item.key) && '低于您设置的提醒值',
  ].filter(Boolean)
  return (
    <Link to={path} search={filters(today)} {...(hash && { hash })} className={styles.todo}>
      <span className={styles.name}>{name}</span>
      <span className={styles.count}>
        <b className={look.number}>
          {shown}
          {item.capped && '+'}
        </b>{' '}
        {unit}
      </span>
      <span className={styles.facts} data-past={promise?.isPast || undefined}>
        {facts.join(' · ') || '查看明细'}
      </span>
    </Link>
  )
}
