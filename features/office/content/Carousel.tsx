import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import type { Out } from '#kit/declare/op.ts'
import { pictureAddress } from '#kit/picture.ts'
import { useOpenable } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { IconClose } from '#web/controls/icons.tsx'
import styles from './content.module.css'
import type { content } from './contract.ts'
import { OwnLink } from './OwnLink.tsx'
import { CAROUSEL_SECONDS } from './rules.ts'
import { useShown } from './Shown.tsx'

type Card = Out<typeof content.shown>['carousel'][number]

const DISMISSED = 'carousel-dismissed'

/**
 * The carousel of D1 §2 as one line: the next card every three seconds, unless somebody reads it or wants no motion. A card of a
 * page that the account may not open is not for it; who closes the line sees it again once there is another card.
 */
export default function Carousel() {
  const shown = useShown()
  const mayOpen = useOpenable()
  const [dismissed, setDismissed] = useState(() => localStorage.getItem(DISMISSED))
  if (shown.isPending) return <div className={styles.carouselWait} role="status" aria-label="加载中" />
  const cards = (shown.data?.carousel ?? []).filter(card => card.link === '' || mayOpen(card.link))
  const key = cards.map(card => card.id).join()
  if (cards.length === 0 || key === dismissed) return null
  const dismiss = () => {
    localStorage.setItem(DISMISSED, key)
    setDismissed(key)
  }
  return <Cards key={key} cards={cards} onDismiss={dismiss} />
}

function Cards({ cards, onDismiss }: { cards: readonly Card[]; onDismiss: () => void }) {
  const rail = useRef<HTMLUListElement>(null)
  const [at, show] = useCurrent(rail, cards.length)
  const [stopped, setStopped] = useState(wantsNoMotion)
  const [held, setHeld] = useState(false)
  const runs = cards.length > 1 && !stopped && !held
  useEffect(() => {
    if (!runs) return
    const timer = setInterval(() => {
      if (!document.hidden) show((at + 1) % cards.length)
    }, CAROUSEL_SECONDS * 1_000)
    return () => clearInterval(timer)
  }, [runs, at, cards.length, show])
  return (
    <section
      className={styles.carousel}
      aria-roledescription="轮播"
      aria-label="推荐"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={event => {
        if (!event.currentTarget.contains(event.relatedTarget)) setHeld(false)
      }}
    >
      <ul
        ref={rail}
        className={styles.carouselRail}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard.
        tabIndex={0}
        aria-label="卡片"
        aria-live={runs ? 'off' : 'polite'}
      >
        {cards.map((card, i) => (
          <li key={card.id} aria-label={`第 ${i + 1} 张，共 ${cards.length} 张`} inert={i !== at}>
            <Slide card={card} />
          </li>
        ))}
      </ul>
      <div className={styles.carouselControls}>
        {cards.length > 1 && (
          <Controls cards={cards} at={at} show={show} stopped={stopped} onStop={() => setStopped(!stopped)} />
        )}
        <Button kind="quiet" aria-label="不再显示" icon={<IconClose />} onClick={onDismiss} />
      </div>
    </section>
  )
}

type ControlsProps = {
  cards: readonly Card[]
  at: number
  show: (index: number) => void
  stopped: boolean
  onStop: () => void
}

function Controls({ cards, at, show, stopped, onStop }: ControlsProps) {
  const turn = (by: number) => show((at + by + cards.length) % cards.length)
  return (
    <>
      <Button kind="quiet" aria-label="上一张" icon={<Chevron turned />} onClick={() => turn(-1)} />
      {cards.map((card, i) => (
        <button
          key={card.id}
          type="button"
          className={styles.carouselDot}
          aria-label={`第 ${i + 1} 张：${card.title}`}
          aria-current={i === at || undefined}
          onClick={() => show(i)}
        />
      ))}
      <Button kind="quiet" aria-label="下一张" icon={<Chevron />} onClick={() => turn(1)} />
      <Button
        kind="quiet"
        aria-label={stopped ? '自动播放' : '暂停播放'}
        icon={<PlayMark stopped={stopped} />}
        onClick={onStop}
      />
    </>
  )
}

/** The card that is in view, also after a swipe, and a way to bring another into view. */
function useCurrent(
  rail: RefObject<HTMLUListElement | null>,
  count: number,
): [at: number, show: (index: number) => void] {
  const [at, setAt] = useState(0)
  useEffect(() => {
    const box = rail.current
    if (!box) return
    const settle = () => {
      const seen = Math.round(box.scrollLeft / Math.max(box.clientWidth, 1))
      setAt(Math.min(Math.max(seen, 0), count - 1))
    }
    box.addEventListener('scroll', settle, { passive: true })
    return () => box.removeEventListener('scroll', settle)
  }, [rail, count])
  const [show] = useState(() => (index: number) => {
    const box = rail.current
    box?.scrollTo({ left: index * box.clientWidth, behavior: wantsNoMotion() ? 'instant' : 'smooth' })
  })
  return [at, show]
}

function wantsNoMotion(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}

function Slide({ card }: { card: Card }) {
  const inner: ReactNode = (
    <>
      {card.pictureId && <img src={pictureAddress(card.pictureId)} alt="" draggable={false} loading="lazy" />}
      <span className={styles.carouselWords}>
        <b>{card.title}</b>
        {card.body && <span>{card.body}</span>}
        {card.link && <em>查看详情</em>}
      </span>
    </>
  )
  if (!card.link) return <div className={styles.carouselCard}>{inner}</div>
  return (
    <OwnLink href={card.link} className={styles.carouselCard}>
      {inner}
    </OwnLink>
  )
}

const line = {
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 1.4,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const

function Chevron({ turned }: { turned?: boolean }) {
  return (
    <svg viewBox="0 0 16 16" width={16} height={16} aria-hidden="true" {...line}>
      <path d={turned ? 'm10 4-4 4 4 4' : 'm6 4 4 4-4 4'} />
    </svg>
  )
}

function PlayMark({ stopped }: { stopped: boolean }) {
  return (
    <svg viewBox="0 0 16 16" width={16} height={16} aria-hidden="true" {...line}>
      <path d={stopped ? 'M5.5 3.8v8.4l6.5-4.2Z' : 'M6 4v8m4-8v8'} />
    </svg>
  )
}
