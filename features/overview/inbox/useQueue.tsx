import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { usePageSearch } from '#web/client/navigation.ts'
import { changesMade, reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { TurnsOf } from '#web/form/Turns.tsx'
import type { InboxRow } from './inboxApi.tsx'
import { OpenedItem } from './OpenedItem.tsx'
import { nextAfter } from './rules.ts'

/** A case as it was opened: its place in the list, and what this page had changed by then. */
type Opened = { row: InboxRow; at: number; changes: number }

type Queue = {
  openKey: string | null
  open: (row: InboxRow) => void
  /** Belongs where the list's answer is: what follows is taken from it. */
  onward: (rows: readonly InboxRow[]) => ReactNode
  /** The case that is open; belongs into the page. */
  opened: ReactNode
}

const AT_FIRST = { open: 'first' } as const

/**
 * From case to case: once one was done by this page, the one that took its place opens by itself. What a colleague did meanwhile closes
 * nothing. `?open=first` in the address opens the first.
 */
export function useQueue(unfold: (row: InboxRow, asked: typeof AT_FIRST | undefined) => void): Queue {
  const queries = useQueryClient()
  const [opened, setOpened] = useState<Opened | null>(null)
  const current = useRef(opened)
  current.current = opened
  /** As they were read last; not those of what was asked before. */
  const rowsNow = () =>
    queries
      .getQueriesData<{ rows: InboxRow[] }>({ queryKey: ['inbox', 'list'], type: 'active' })
      .flatMap(([, answer]) => (answer ? [answer.rows] : []))
      .at(-1)
  const set = (next: Opened | null) => {
    current.current = next
    setOpened(next)
  }
  const open = (row: InboxRow) => {
    if (row.folded !== null) {
      // From a case the way goes on with the first of them.
      const isQueue = current.current !== null
      set(null)
      unfold(row, isQueue ? AT_FIRST : undefined)
      return
    }
    const at = rowsNow()?.findIndex(({ key }) => key === row.key) ?? 0
    set({ row, at: Math.max(at, 0), changes: changesMade() })
  }
  const follow = (done: Opened) => {
    const rows = rowsNow()
    if (!rows || rows.some(({ key }) => key === done.row.key)) return
    const next = nextAfter(rows, done.at)
    if (next !== null) {
      current.current = done
      open(next)
      return
    }
    set(null)
    toast.success('这里的待办已全部处理')
  }
  const close = async (key: string) => {
    const left = current.current
    // It was closed already, and another is open in its place.
    if (left?.row.key !== key) return
    set(null)
    if (changesMade() === left.changes) return
    await reread()
    if (current.current === null) follow(left)
  }
  const turn = (by: number) => {
    const rows = rowsNow() ?? []
    const at = rows.findIndex(({ key }) => key === opened?.row.key)
    const next = at < 0 ? undefined : rows[at + by]
    if (!next) return null
    return () => open(next)
  }
  const rows = rowsNow() ?? []
  const place = rows.findIndex(({ key }) => key === opened?.row.key) + 1
  return {
    openKey: opened?.row.key ?? null,
    open,
    onward: shown => (
      <Onward
        rows={shown}
        onRead={() => {
          const done = current.current
          // A dialog of the case's own is answered first.
          const isAlone = document.querySelectorAll('dialog[open]').length <= 1
          if (done && isAlone && changesMade() > done.changes) follow(done)
        }}
        onFirst={() => {
          const first = rowsNow()?.[0]
          if (first?.folded === null) open(first)
          else if (first) unfold(first, AT_FIRST)
        }}
        isRead={() => rowsNow() !== undefined}
      />
    ),
    opened: opened && (
      <TurnsOf
        key={opened.row.key}
        place={Math.max(place, 1)}
        count={Math.max(rows.length, 1)}
        previous={turn(-1)}
        next={turn(1)}
      >
        <OpenedItem row={opened.row} onClose={() => void close(opened.row.key)} />
      </TurnsOf>
    ),
  }
}

type OnwardProps = {
  rows: readonly InboxRow[]
  onRead: () => void
  onFirst: () => void
  isRead: () => boolean
}

/** Hears that the list was read again, and that the address asks for its first case. */
function Onward({ rows, onRead, onFirst, isRead }: OnwardProps) {
  const [asked, ask] = usePageSearch<'/admin/inbox'>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: as often as other rows were read, whatever is drawn between.
  useEffect(onRead, [rows])
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the rows that were asked for are there.
  useEffect(() => {
    if (asked.open !== AT_FIRST.open || !isRead()) return
    ask({ open: undefined }, { replace: true })
    onFirst()
  }, [asked.open, rows])
  return null
}
