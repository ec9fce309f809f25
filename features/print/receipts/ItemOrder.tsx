import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { catalogueItem, type ReceiptItem } from '#kit/print/receipt.ts'
import { Button } from '#web/controls/Button.tsx'
import { IconDrag } from '#web/controls/icons.tsx'
import { look } from '#web/controls/look.ts'
import styles from './items.module.css'
import { moved } from './rules.ts'

type Props = {
  items: readonly ReceiptItem[]
  mayEdit: boolean
  onArrange: (items: ReceiptItem[]) => void
  /** What is said of an item beside its handle. */
  children: (item: ReceiptItem) => ReactNode
}

const nameOf = ({ id }: ReceiptItem) => catalogueItem(id)?.name ?? ''

/** Items in the order in which they are printed: moved by their handles, by pointer or with the arrows. */
export function ItemOrder({ items, mayEdit, onArrange, children }: Props) {
  const list = useRef<HTMLUListElement>(null)
  const [drag, setDrag] = useState<{ id: number; to: number } | null>(null)
  const [said, setSaid] = useState({ id: 0, text: '' })
  // A row that changed its place has lost the focus.
  useLayoutEffect(() => {
    if (said.id) list.current?.querySelector<HTMLElement>(`[data-handle="${said.id}"]`)?.focus()
  }, [said])
  const move = (item: ReceiptItem, to: number) => {
    const from = items.indexOf(item)
    if (to < 0 || to >= items.length || from === to) return
    onArrange(moved(items, from, to))
    setSaid({ id: item.id, text: `${nameOf(item)} 已移到第 ${to + 1} 位` })
  }
  /** The row at this height, or the nearest. */
  const rowAt = (y: number) => {
    const rows = [...(list.current?.children ?? [])]
    const at = rows.findIndex(row => y < row.getBoundingClientRect().bottom)
    return at < 0 ? rows.length - 1 : at
  }
  const handlers = (item: ReceiptItem, at: number) => ({
    onPointerDown: (event: PointerEvent) => {
      event.currentTarget.setPointerCapture(event.pointerId)
      setDrag({ id: item.id, to: at })
    },
    onPointerMove: (event: PointerEvent) => {
      if (drag) setDrag({ ...drag, to: rowAt(event.clientY) })
    },
    onPointerUp: () => {
      if (drag) move(item, drag.to)
      setDrag(null)
    },
    onPointerCancel: () => setDrag(null),
    onKeyDown: (event: KeyboardEvent) => {
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
      if (!step) return
      event.preventDefault()
      move(item, at + step)
    },
  })
  return (
    <>
      <ul className={styles.order} ref={list}>
        {items.map((item, at) => (
          <li
            key={item.id}
            data-dragged={drag?.id === item.id || undefined}
            data-over={drag && drag.id !== item.id && drag.to === at ? sideOf(items, drag) : undefined}
          >
            {mayEdit && (
              <Button
                className={styles.handle}
                kind="quiet"
                icon={<IconDrag />}
                data-handle={item.id}
                data-tip="拖动，或按 ↑ / ↓ 排序"
                aria-label={`移动${nameOf(item)}`}
                aria-keyshortcuts="ArrowUp ArrowDown"
                {...handlers(item, at)}
              />
            )}
            {children(item)}
          </li>
        ))}
      </ul>
      <p className={look.visuallyHidden} aria-live="polite">
        {said.text}
      </p>
    </>
  )
}

/** What is dragged up comes to stand above the row, what is dragged down below it. */
function sideOf(items: readonly ReceiptItem[], { id, to }: { id: number; to: number }): 'above' | 'below' {
  return items.findIndex(item => item.id === id) < to ? 'below' : 'above'
}
