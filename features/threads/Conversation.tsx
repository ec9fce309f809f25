import { useEffect, useRef } from 'react'
import { pictureAddress } from '#kit/picture.ts'
import { formatInstant } from '#kit/time.ts'
import { look } from '#web/look.ts'
import { MESSAGE_SIDES, RATING_QUESTIONS, RESOLUTIONS, SATISFACTIONS } from './rules.ts'
import styles from './threads.module.css'
import type { ShownMessage } from './threadsApi.tsx'

/** What was said, the latest in sight. */
export function Conversation({ messages, isOlder }: { messages: readonly ShownMessage[]; isOlder: boolean }) {
  const end = useRef<HTMLLIElement>(null)
  const last = messages.at(-1)?.id
  const showEnd = () => end.current?.scrollIntoView({ block: 'end' })
  useEffect(() => {
    if (last !== undefined) end.current?.scrollIntoView({ block: 'end' })
  }, [last])
  return (
    <section aria-label="对话">
      <ol className={styles.messages}>
        {messages.map(message => (
          <Message key={message.id} message={message} isOlder={isOlder} onGrown={showEnd} />
        ))}
        <li ref={end} aria-hidden="true" className={styles.end} />
      </ol>
    </section>
  )
}

type MessageProps = {
  message: ShownMessage
  isOlder: boolean
  /** A picture has come, and what is below has moved. */
  onGrown: () => void
}

function Message({ message, isOlder, onGrown }: MessageProps) {
  const { side, text, authorName, createdAt, pictures, seen, rates } = message
  if (side === 'system')
    return (
      <li className={styles.system}>
        <p>{text}</p>
        <time className={look.number} dateTime={createdAt}>
          {formatInstant(createdAt)}
        </time>
        {rates && <Rating message={message} />}
      </li>
    )
  return (
    <li className={styles.message} data-side={side}>
      <p className={styles.by}>
        <span>
          {authorName}
          {side !== 'shop' && ` · ${MESSAGE_SIDES[side]}`}
        </span>
        <time className={look.number} dateTime={createdAt}>
          {formatInstant(createdAt)}
        </time>
        {side !== 'note' && !isOlder && <span>{seen ? '已读' : '未读'}</span>}
      </p>
      <p className={styles.text}>{text}</p>
      {pictures.length > 0 && (
        <ul className={styles.pictures}>
          {pictures.map((id, at) => (
            <li key={id}>
              <a href={pictureAddress(id)} target="_blank" rel="noreferrer">
                <img src={pictureAddress(id)} alt={`${authorName}发送的图片 ${at + 1}`} onLoad={onGrown} />
              </a>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

function Rating({ message: { satisfaction, resolution } }: { message: ShownMessage }) {
  if (satisfaction === null) return <p>等待商户评价</p>
  return (
    <dl className={styles.rating}>
      <div>
        <dt>{RATING_QUESTIONS.satisfaction}</dt>
        <dd>{SATISFACTIONS[satisfaction]}</dd>
      </div>
      {resolution && (
        <div>
          <dt>{RATING_QUESTIONS.resolution}</dt>
          <dd>{RESOLUTIONS[resolution]}</dd>
        </div>
      )}
    </dl>
  )
}
