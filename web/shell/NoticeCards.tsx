import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { IconClose, IconDown } from '../controls/icons.tsx'
import { usePhone } from '../theme/usePhone.ts'
import styles from './notice-cards.module.css'
import { dismissNotice, dismissNotices, type NoticeCard, noticeCardStore } from './notice-cards.ts'

type Props = {
  lastsMs: number
  /** Where all notices are. */
  allPath: string
  /** Somebody goes where the card leads. */
  onFollowed: (card: NoticeCard) => void
}

/**
 * Notices as they come, read aloud: cards in the corner, on a phone the latest as a line above the page, which it does not
 * cover. One that is looked at or has the focus stays.
 */
export function NoticeCards({ lastsMs, allPath, onFollowed }: Props) {
  const { cards, hidden } = useSyncExternalStore(noticeCardStore.subscribe, noticeCardStore.read)
  const phone = usePhone()
  const more = phone ? hidden + cards.length - 1 : hidden
  const all = more > 0 && (
    <Link className={styles.noticeCardsMore} to={allPath} onClick={dismissNotices}>
      另有 {more} 条消息，查看全部
    </Link>
  )
  return (
    <section className={styles.noticeCards} aria-label="新消息">
      {!phone && all}
      <div className={styles.noticeCardsLive} aria-live="polite">
        {cards.map(card => (
          <Card
            key={card.key}
            card={card}
            lastsMs={lastsMs}
            onFollowed={onFollowed}
            shown={!phone || card === cards.at(-1)}
            line={phone ? { more, all } : null}
          />
        ))}
      </div>
    </section>
  )
}

type CardProps = Omit<Props, 'allPath'> & {
  card: NoticeCard
  /** Its time runs also where a newer one stands in its place. */
  shown: boolean
  /** A line that opens, and what it says of the others; null: all of it at once. */
  line: { more: number; all: ReactNode } | null
}

function Card({ card, lastsMs, onFollowed, shown, line }: CardProps) {
  const [held, setHeld] = useState(false)
  const [open, setOpen] = useState(false)
  const close = () => dismissNotice(card.key)
  useEffect(() => {
    if (held || open) return
    const timer = setTimeout(() => dismissNotice(card.key), lastsMs)
    return () => clearTimeout(timer)
  }, [card, held, open, lastsMs])
  if (!shown) return null
  return (
    <article
      className={styles.noticeCard}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <header>
        {line ? (
          <button
            type="button"
            className={styles.noticeCardLine}
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            <span>{card.label}</span>
            <b>{card.title}</b>
            {line.more > 0 && <span aria-hidden="true">+{line.more}</span>}
            <IconDown />
          </button>
        ) : (
          <span>{card.label}</span>
        )}
        <button
          type="button"
          className={styles.noticeCardClose}
          aria-label={`关闭消息：${card.title}`}
          onClick={close}
        >
          <IconClose />
        </button>
      </header>
      {!line && <b>{card.title}</b>}
      {(open || !line) && (
        <>
          {card.body && <p>{card.body}</p>}
          {card.link && (
            <Link
              to={card.link}
              onClick={() => {
                close()
                onFollowed(card)
              }}
            >
              查看详情
            </Link>
          )}
          {line?.all}
        </>
      )}
    </article>
  )
}
