import { useMutation, useQuery } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import { formatCount } from '#kit/money.ts'
import { messageOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { usePermission } from '#web/client/session.ts'
import { Button, buttonLook } from '#web/controls/Button.tsx'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { toast } from '#web/controls/toast.ts'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { useListParams } from '#web/list/useListParams.ts'
import { BoardCard } from './BoardCard.tsx'
import styles from './demands.module.css'
import { type DemandRow, demandsApi, LIST_PATH, OWNER_OPTIONS } from './demandsApi.tsx'
import { DEMANDS } from './fields.ts'
import { DEMAND_LIMITS, STATUS_KEYS, STATUSES, type Status } from './rules.ts'

const ListFilters = lazy(() => import('#web/list/ListFilters.tsx'))

/** Filters of the list that mean something here: what stands where is the board itself. */
const { status: _status, deleted: _deleted, ...FILTERS } = DEMANDS.filters
const BOARD = { ...DEMANDS, filters: FILTERS }

/** Demands by their status, the heaviest first; moved by dragging, by keys, or by the menu of each card. */
export default function DemandBoardPage() {
  const [params, setParams] = useListParams(DEMANDS)
  const { page: _p, size: _s, sort: _o, order: _d, status: _w, deleted: _x, ...filters } = params
  const [unfolded, setUnfolded] = useState(false)
  const board = useQuery({ ...demandsApi.board.query(filters), placeholderData: before => before })
  const moves = useMoves()
  const set = Object.values(filters).filter(value => value !== undefined).length
  return (
    <section className={`${look.page} ${styles.board}`} aria-labelledby="board-title">
      <header className={styles.boardHead}>
        <h1 id="board-title" className={look.pageTitle}>
          需求看板
        </h1>
        <div className={styles.main}>
          <Button aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
            筛选{set > 0 && `（${set}）`}
          </Button>
          <Link className={buttonLook()} to={LIST_PATH} search={filters}>
            列表
          </Link>
        </div>
      </header>
      {unfolded && (
        <Suspense>
          <ListFilters
            list={BOARD}
            options={{ ownerId: OWNER_OPTIONS }}
            params={params}
            onChange={changed => setParams(changed as never)}
          />
        </Suspense>
      )}
      {board.isError && !board.data ? (
        <LoadFailure error={board.error} onRetry={() => void board.refetch()} />
      ) : !board.data ? (
        <LoadingLines lines={12} />
      ) : (
        <Columns rows={board.data.rows} counts={board.data.counts} moves={moves} filters={filters} />
      )}
      <p className={look.visuallyHidden} aria-live="polite">
        {moves.said}
      </p>
    </section>
  )
}

type Moves = ReturnType<typeof useMoves>

/** Where cards were put, shown at once and taken back where it is refused. */
function useMoves() {
  const mayEdit = usePermission('demands.edit')
  const [moved, setMoved] = useState<ReadonlyMap<number, Status>>(new Map())
  const [said, setSaid] = useState('')
  const move = useMutation({
    mutationFn: ({ row, to }: { row: DemandRow; to: Status }) =>
      demandsApi.change({ ids: [row.id], status: to }),
    onMutate: ({ row, to }) => setMoved(known => new Map([...known, [row.id, to]])),
    onSuccess: (answer, { row, to }) => {
      const refusal = answer.rows[0]?.refusal
      if (refusal) toast.warning(refusal)
      else setSaid(`${row.title} 已移到${STATUSES[to]}`)
    },
    onError: error => {
      toast.error(messageOf(error))
      readAgain('demands')
    },
    onSettled: async (_answer, _error, { row, to }) => {
      await reread()
      // Put elsewhere meanwhile, it stays where it was put.
      setMoved(known => new Map([...known].filter(([id, at]) => id !== row.id || at !== to)))
    },
  })
  return {
    mayEdit,
    moved,
    said,
    put: (row: DemandRow, to: Status) => {
      if (mayEdit && row.status !== to) move.mutate({ row, to })
    },
  }
}

type ColumnsProps = {
  rows: readonly DemandRow[]
  counts: readonly { status: Status; count: number }[]
  moves: Moves
  filters: object
}

function Columns({ rows, counts, moves, filters }: ColumnsProps) {
  const [over, setOver] = useState<Status | null>(null)
  const statusOf = (row: DemandRow) => moves.moved.get(row.id) ?? row.status
  const take = (status: Status, text: string) => {
    setOver(null)
    const row = rows.find(({ id }) => String(id) === text)
    if (row) moves.put(row, status)
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard.
    <section className={styles.columns} tabIndex={0} aria-label="看板">
      {STATUS_KEYS.map(status => {
        const own = rows.filter(row => statusOf(row) === status)
        const count = counts.find(one => one.status === status)?.count ?? 0
        return (
          <section
            key={status}
            className={styles.column}
            aria-label={STATUSES[status]}
            data-over={over === status || undefined}
            onDragOver={event => {
              event.preventDefault()
              setOver(status)
            }}
            onDragLeave={() => setOver(null)}
            onDrop={event => {
              event.preventDefault()
              take(status, event.dataTransfer.getData('text/plain'))
            }}
          >
            <h2 className={styles.columnTitle}>
              {STATUSES[status]} <span className={look.quiet}>{formatCount(count)}</span>
            </h2>
            <ul>
              {own.map(row => (
                <li key={row.id}>
                  <BoardCard
                    row={row}
                    status={status}
                    mayMove={moves.mayEdit}
                    onMove={to => moves.put(row, to)}
                  />
                </li>
              ))}
            </ul>
            {own.length === 0 && <p className={look.quiet}>没有需求</p>}
            {count > DEMAND_LIMITS.boardRows && (
              <Link className={look.inText} to={LIST_PATH} search={{ ...filters, status }}>
                查看全部 {formatCount(count)} 个
              </Link>
            )}
          </section>
        )
      })}
    </section>
  )
}
