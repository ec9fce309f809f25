import { Link } from '@tanstack/react-router'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { IconClose } from './icons.tsx'
import { dismissNotice, dismissNotices, type NoticeCard, noticeCardStore } from './notice-cards.ts'
import { usePhone } from './usePhone.ts'
import './notice-cards.css'

type Props = {
  lastsMs: number
  /** Where all notices are. */
  allPath: string
  /** Somebody goes where the card leads. */
  onFollowed: (card: NoticeCard) => void
}

/** Notices as they come, in the corner, read aloud; one that is looked at or has the focus stays. */
export function NoticeCards({ lastsMs, allPath, onFollowed }: Props) {
  const { cards, hidden } = useSyncExternalStore(noticeCardStore.subscribe, noticeCardStore.read)
  const phone = usePhone()
  // More than one would cover a phone's page.
  const shown = phone ? cards.slice(-1) : cards
  const more = hidden + cards.length - shown.length
  return (
    <section className="notice-cards" aria-label="新消息">
      {more > 0 && (
        <Link className="notice-cards-more" to={allPath} onClick={dismissNotices}>
          另有 {more} 条消息，查看全部
        </Link>
      )}
      <div className="notice-cards-live" aria-live="polite">
        {shown.map(card => (
          <Card key={card.key} card={card} lastsMs={lastsMs} onFollowed={onFollowed} />
        ))}
      </div>
    </section>
  )
}

type CardProps = Omit<Props, 'allPath'> & { card: NoticeCard }

function Card({ card, lastsMs, onFollowed }: CardProps) {
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (held) return
    const timer = setTimeout(() => dismissNotice(card.key), lastsMs)
    return () => clearTimeout(timer)
  }, [card, held, lastsMs])
  const close = () => dismissNotice(card.key)
  return (
    <article
      className="notice-card"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <header>
        <span>{card.label}</span>
        <button type="button" aria-label={`关闭消息：${card.title}`} onClick={close}>
          <IconClose />
        </button>
      </header>
      <b>{card.title}</b>
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
    </article>
  )
}
