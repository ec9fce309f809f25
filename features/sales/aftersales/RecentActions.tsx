import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Out } from '#kit/declare/op.ts'
import { formatCount } from '#kit/money.ts'
import { api } from '#web/client/api.ts'
import { Button } from '#web/controls/Button.tsx'
import { Instant } from '#web/controls/format.tsx'
import { look } from '#web/controls/look.ts'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import type { aftersales } from './contract.ts'
import { TOOL_KINDS } from './rules.ts'
import styles from './tools.module.css'

const toolsApi = api<typeof aftersales>('aftersales')
const SIZE = 10

type Listed = 'cancelActions' | 'chainActions' | 'adjustActions' | 'extendActions'
type Action = Out<typeof aftersales.extendActions>['rows'][number]

/** What the tool did lately, newest first. */
export function RecentActions({ of }: { of: Listed }) {
  const [page, setPage] = useState(1)
  const actions = useQuery({
    queryKey: ['aftersales', of, page],
    queryFn: () => toolsApi[of]({ page, size: SIZE }),
    placeholderData: keepPreviousData,
  })
  const pages = Math.max(1, Math.ceil((actions.data?.total ?? 0) / SIZE))
  return (
    <section className={styles.toolRecent} aria-labelledby="tool-recent-title">
      <h2 id="tool-recent-title" className={look.sectionTitle}>
        最近操作
      </h2>
      {actions.isError ? (
        <LoadFailure error={actions.error} onRetry={() => void actions.refetch()} />
      ) : !actions.data ? (
        <LoadingLines lines={3} />
      ) : actions.data.rows.length === 0 ? (
        <p className={look.quiet}>还没有操作记录</p>
      ) : (
        <ol>
          {actions.data.rows.map(action => (
            <OneAction key={action.id} action={action} />
          ))}
        </ol>
      )}
      {pages > 1 && (
        <nav className={styles.toolPages} aria-label="操作记录分页">
          <Button disabled={page <= 1} onClick={() => setPage(page - 1)}>
            上一页
          </Button>
          <span className={look.number}>
            {formatCount(page)} / {formatCount(pages)}
          </span>
          <Button disabled={page >= pages} onClick={() => setPage(page + 1)}>
            下一页
          </Button>
        </nav>
      )}
    </section>
  )
}

function OneAction({ action }: { action: Action }) {
  return (
    <li>
      <p className={styles.toolActionHead}>
        <StatusTag tone="neutral">{TOOL_KINDS[action.kind]}</StatusTag>
        <b>{action.shopName}</b>
        <span className={`${look.quiet} ${look.number}`}>{action.merchantId}</span>
        <span className={`${look.quiet} ${styles.toolActionBy}`}>
          {action.createdByName} <Instant at={action.createdAt} />
        </span>
      </p>
      <p>
        {action.changes.map(change => (
          <span key={change.name} className={styles.toolActionChange}>
            {change.name} {change.before !== null && <>{textOf(change.before)} → </>}
            {textOf(change.after)}
          </span>
        ))}
      </p>
      <p className={look.quiet}>原因：{action.reason}</p>
    </li>
  )
}

function textOf(value: unknown): string {
  return value === null || value === undefined ? '无' : String(value)
}
