import { useInfiniteQuery } from '@tanstack/react-query'
import { api } from '#web/client/api.ts'
import { Button } from '#web/controls/Button.tsx'
import { Instant } from '#web/controls/format.tsx'
import { look } from '#web/controls/look.ts'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import type { signIn } from './contract.ts'
import styles from './history.module.css'
import { OUTCOMES, type Outcome } from './rules.ts'

const signInApi = api<typeof signIn>('signIn')

const TONES = {
  done: 'done',
  password: 'problem',
  factor: 'problem',
  disabled: 'problem',
  changed: 'neutral',
  reset: 'neutral',
} as const satisfies Record<Outcome, string>

/** The last times that somebody came to the door of this account, and what came of it. */
export function SignInHistory() {
  const history = useInfiniteQuery({
    queryKey: ['signIn', 'history'],
    queryFn: ({ pageParam }) => signInApi.history({ before: pageParam }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: page => (page.more ? page.rows.at(-1)?.id : undefined),
  })
  if (history.isPending) return <LoadingLines lines={4} />
  if (history.isError) return <LoadFailure error={history.error} onRetry={() => void history.refetch()} />
  const rows = history.data.pages.flatMap(page => page.rows)
  if (rows.length === 0) return <p className={look.quiet}>还没有登录记录，下次登录起会记在这里</p>
  return (
    <>
      <ul className={styles.history} aria-label="登录记录">
        {rows.map(row => (
          <li key={row.id}>
            <span className={styles.at}>
              <Instant at={row.createdAt} />
            </span>
            <span>{row.device}</span>
            <span className={look.number}>
              {row.place} {row.ip}
            </span>
            <StatusTag tone={TONES[row.outcome]}>{OUTCOMES[row.outcome]}</StatusTag>
          </li>
        ))}
      </ul>
      {history.hasNextPage && (
        <Button busy={history.isFetchingNextPage} onClick={() => void history.fetchNextPage()}>
          更早的记录
        </Button>
      )}
    </>
  )
}
