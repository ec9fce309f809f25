import {
  createContext,
  type ReactNode,
  type RefObject,
  useContext,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { Button } from '../controls/Button.tsx'
import { IconDown } from '../controls/icons.tsx'
import { look } from '../controls/look.ts'
import { isReadingLayer, useKeys } from '../keys/keys.ts'
import styles from './Turns.module.css'

type Turns = {
  /** Which of how many it is, from 1. */
  place: number
  count: number
  /** Null: there is none. */
  previous: (() => void) | null
  next: (() => void) | null
}

const TurnsContext = createContext<(Turns & { holder: RefObject<string | null> }) | null>(null)

/** What is open inside is one of several: the drawer or dialog that opens first shows which, and leads to the one before and after. */
export function TurnsOf({ children, ...turns }: Turns & { children: ReactNode }) {
  const holder = useRef<string | null>(null)
  return <TurnsContext value={{ ...turns, holder }}>{children}</TurnsContext>
}

/** In the head of a drawer or dialog. `leave` asks first where something would be lost. */
export function TurnButtons({ leave = go => go() }: { leave?: (go: () => void) => void }) {
  const turns = useContext(TurnsContext)
  const id = useId()
  const [isHolder, setIsHolder] = useState(false)
  const holder = turns?.holder
  useLayoutEffect(() => {
    if (!holder) return
    holder.current ??= id
    setIsHolder(holder.current === id)
    return () => {
      if (holder.current === id) holder.current = null
    }
  }, [holder, id])
  const shown = turns && isHolder ? turns : null
  const go = (where: 'previous' | 'next') => (event: KeyboardEvent) => {
    const turn = shown?.[where]
    if (!turn) return
    event.preventDefault()
    leave(turn)
  }
  const whileReading = (where: 'previous' | 'next') => (event: KeyboardEvent) => {
    if (isReadingLayer(event)) go(where)(event)
  }
  useKeys(
    '逐项处理',
    shown
      ? [
          { press: 'Ctrl+ArrowDown', does: '下一项', act: go('next'), everywhere: true },
          { press: 'Ctrl+ArrowUp', does: '上一项', act: go('previous'), everywhere: true },
          { press: 'j', does: '下一项', act: whileReading('next'), everywhere: true },
          { press: 'k', does: '上一项', act: whileReading('previous'), everywhere: true },
        ]
      : [],
  )
  if (!shown) return null
  const { place, count, previous, next } = shown
  return (
    <div className={styles.turns}>
      <span className={`${look.quiet} ${look.number}`}>
        {place} / {count}
      </span>
      <Button
        kind="quiet"
        className={styles.up}
        icon={<IconDown />}
        aria-label="上一项"
        disabled={previous ? null : '已是第一项'}
        onClick={() => previous && leave(previous)}
      />
      <Button
        kind="quiet"
        icon={<IconDown />}
        aria-label="下一项"
        disabled={next ? null : '已是最后一项'}
        onClick={() => next && leave(next)}
      />
    </div>
  )
}
