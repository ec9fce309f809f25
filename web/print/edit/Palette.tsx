import { type KeyboardEvent, type PointerEvent, type RefObject, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { LABEL_GROUPS, LABEL_ITEMS, type LabelEntry } from '#kit/print/label-items.ts'
import { roving } from '../../keys/roving.ts'
import styles from './side.module.css'

type Place = { x: number; y: number }
type Props = {
  /** Where it was let go, or null: it was chosen and stands where new items stand. */
  onAdd: (entry: LabelEntry, at: Place | null) => void
  board: RefObject<HTMLElement | null>
  full: boolean
}

const GROUPS = Object.entries(LABEL_GROUPS) as [keyof typeof LABEL_GROUPS, string][]
const SHAKE_PX = 4

/** All that can be put on a label: chosen to stand at its place, or pulled to where it shall stand. */
export function Palette({ onAdd, board, full }: Props) {
  const [pulled, setPulled] = useState<{ entry: LabelEntry; at: Place } | null>(null)
  const from = useRef<Place | null>(null)
  /** The click that ends a pull is none. */
  const wasPulled = useRef(false)
  const handlers = (entry: LabelEntry) => ({
    onPointerDown: (event: PointerEvent<HTMLButtonElement>) => {
      if (event.button !== 0 || event.pointerType === 'touch') return
      from.current = { x: event.clientX, y: event.clientY }
      wasPulled.current = false
      event.currentTarget.setPointerCapture(event.pointerId)
    },
    onPointerMove: (event: PointerEvent) => {
      const at = { x: event.clientX, y: event.clientY }
      const start = from.current
      if (start && (pulled || Math.hypot(at.x - start.x, at.y - start.y) > SHAKE_PX)) setPulled({ entry, at })
    },
    onPointerUp: (event: PointerEvent) => {
      from.current = null
      if (!pulled) return
      wasPulled.current = true
      setPulled(null)
      const at = { x: event.clientX, y: event.clientY }
      if (board.current && isIn(board.current.getBoundingClientRect(), at)) onAdd(entry, at)
    },
    onPointerCancel: () => {
      from.current = null
      setPulled(null)
    },
    onClick: () => {
      if (!wasPulled.current) onAdd(entry, null)
      wasPulled.current = false
    },
  })
  return (
    <div className={styles.palette}>
      {GROUPS.map(([group, name]) => (
        <section key={group}>
          <h3>{name}</h3>
          <div
            className={styles.entries}
            role="toolbar"
            aria-label={name}
            ref={roving.ref}
            onKeyDown={stepIn}
          >
            {LABEL_ITEMS.filter(entry => entry.group === group).map(entry => (
              <button
                key={entry.key}
                type="button"
                aria-disabled={full || undefined}
                data-kind={entry.kind}
                {...(!full && handlers(entry))}
              >
                {entry.name}
              </button>
            ))}
          </div>
        </section>
      ))}
      {pulled &&
        createPortal(
          <span className={styles.pulled} style={{ left: pulled.at.x, top: pulled.at.y }}>
            {pulled.entry.name}
          </span>,
          document.body,
        )}
    </div>
  )
}

/** Two stand in a row. */
const ROWS: Readonly<Record<string, number>> = { ArrowUp: -2, ArrowDown: 2 }

/** Each group is one stop of Tab: arrows go on to its entries. */
function stepIn(event: KeyboardEvent<HTMLElement>): void {
  const by = ROWS[event.key]
  if (by === undefined) {
    roving.onKeyDown(event)
    return
  }
  event.preventDefault()
  const entries = [...event.currentTarget.querySelectorAll('button')]
  const from = entries.indexOf(document.activeElement as HTMLButtonElement)
  const to = entries[from + by]
  if (!to) return
  for (const entry of entries) entry.tabIndex = entry === to ? 0 : -1
  to.focus()
}

const isIn = (box: DOMRect, { x, y }: Place) =>
  x >= box.left && x <= box.right && y >= box.top && y <= box.bottom
