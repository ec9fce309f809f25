import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api, messageOf } from '#web/client/api.ts'
import { Button } from '#web/controls/Button.tsx'
import styles from './content.module.css'
import type { content } from './contract.ts'

export const contentApi = api<typeof content>('content')

/** What staff tell all partners; the three parts of the dashboard share one request. */
export function useShown() {
  return useQuery({ ...contentApi.shown.query(), staleTime: 60_000 })
}

type Props = { emptyText: string; isEmpty: boolean; children: ReactNode }

/** One part's rows: a skeleton while they come, or why there are none. */
export function ShownPart({ emptyText, isEmpty, children }: Props) {
  const shown = useShown()
  if (shown.isError)
    return (
      <div className={styles.shownNone} role="alert">
        <p>{messageOf(shown.error)}</p>
        <Button onClick={() => void shown.refetch()}>重试</Button>
      </div>
    )
  if (shown.isPending) return <div className={styles.shownWait} role="status" aria-label="加载中" />
  return isEmpty ? <p className={styles.shownNone}>{emptyText}</p> : children
}
