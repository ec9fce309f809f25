import { type ReactNode, useEffect, useRef } from 'react'
import { pictureAddress } from '#kit/picture.ts'
import { formatInstant } from '#kit/time.ts'
import { look } from '../controls/look.ts'
import styles from './talk.module.css'

export type TalkMessage = {
  id: number
  text: string
  authorName: string
  createdAt: string
  pictures: readonly string[]
  /** The other side has seen it. */
  seen: boolean
}

/** How a message is shown: by the program, by the other side, by one's own, or left for colleagues. */
export type Standing = 'system' | 'theirs' | 'ours' | 'note'

type Props<M> = {
  messages: readonly M[]
  standingOf: (message: M) => Standing
  /** What its author is, behind the name. */
  sideText: (message: M) => string | null
  /** Nothing is known of who has seen what. */
  seenUnknown?: boolean
  /** Below what the program said. */
  below?: (message: M) => ReactNode
}

/** What was said, the latest in sight. */
export function Messages<M extends TalkMessage>({ messages, ...shown }: Props<M>) {
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
          <Message key={message.id} message={message} {...shown} onGrown={showEnd} />
        ))}
        <li ref={end} aria-hidden="true" className={styles.end} />
      </ol>
    </section>
  )
}

type MessageProps<M> = Omit<Props<M>, 'messages'> & {
  message: M
  /** A picture has come, and what is below has moved. */
  onGrown: () => void
}

function Message<M extends TalkMessage>(props: MessageProps<M>) {
  const { message, standingOf, sideText, seenUnknown, below, onGrown } = props
  const { text, authorName, createdAt, pictures, seen } = message
  const standing = standingOf(message)
  const side = sideText(message)
  if (standing === 'system')
    return (
      <li className={styles.system}>
        <p>{text}</p>
        <time className={look.number} dateTime={createdAt}>
          {formatInstant(createdAt)}
        </time>
        {below?.(message)}
      </li>
    )
  return (
    <li className={styles.message} data-standing={standing}>
      <p className={styles.by}>
        <span>
          {authorName}
          {side !== null && ` · ${side}`}
        </span>
        <time className={look.number} dateTime={createdAt}>
          {formatInstant(createdAt)}
        </time>
        {standing !== 'note' && !seenUnknown && <span>{seen ? '已读' : '未读'}</span>}
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

/** Who else looks at it, or types. */
export function PresenceLine({ text }: { text: string }) {
  return (
    <p className={styles.presence} aria-live="polite">
      {text}
    </p>
  )
}
