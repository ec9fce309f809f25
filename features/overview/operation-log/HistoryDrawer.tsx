import { useInfiniteQuery } from '@tanstack/react-query'
import type { HistoryOf } from '#features/office/access/slots.tsx'
import { api } from '#web/client/api.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { Drawer, DrawerBody } from '#web/form/Drawer.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import type { operationLog } from './contract.ts'
import { LogEntry } from './LogEntry.tsx'
import styles from './operation-log.module.css'
import { OBJECT_KINDS, type ObjectKind } from './rules.ts'

const logApi = api<typeof operationLog>('operationLog')

type Props = { of: HistoryOf; onClose: () => void }

/** What was done with one object, the latest first, over the page that shows it. */
export default function HistoryDrawer({ of, onClose }: Props) {
  const kind = of.kind as ObjectKind
  const id = String(of.id)
  const history = useInfiniteQuery({
    queryKey: ['operationLog', 'history', kind, id],
    queryFn: ({ pageParam }) => logApi.history({ kind, id, before: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: last => last.next ?? undefined,
  })
  const rows = history.data?.pages.flatMap(page => page.rows) ?? []
  return (
    <Drawer title="操作记录" onClose={onClose}>
      <DrawerBody>
        <p className={styles.about}>
          {OBJECT_KINDS[kind]} <b>{of.name}</b>
        </p>
        {history.isError && rows.length === 0 ? (
          <LoadFailure error={history.error} onRetry={() => void history.refetch()} />
        ) : !history.data ? (
          <LoadingLines />
        ) : rows.length === 0 ? (
          <p className={look.quiet}>还没有操作记录</p>
        ) : (
          <ol className={styles.history}>
            {rows.map(row => (
              <li key={row.id}>
                <LogEntry row={row} among={of.name} />
              </li>
            ))}
          </ol>
        )}
        {history.hasNextPage && (
          <Button busy={history.isFetchingNextPage} onClick={() => void history.fetchNextPage()}>
            {history.isFetchNextPageError ? '加载失败，重试' : '加载更多'}
          </Button>
        )}
      </DrawerBody>
    </Drawer>
  )
}
