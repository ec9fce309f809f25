import { Messages, type Standing } from '#web/talk/Messages.tsx'
import { MESSAGE_SIDES, type MessageSide, RATING_QUESTIONS, RESOLUTIONS, SATISFACTIONS } from './rules.ts'
import styles from './threads.module.css'
import type { ShownMessage } from './threadsApi.tsx'

/** Whoever answers reads what the office says as its own. */
const STANDING: Readonly<Record<MessageSide, Standing>> = {
  shop: 'theirs',
  agent: 'ours',
  vendor: 'ours',
  system: 'system',
  note: 'note',
}

export function Conversation({ messages, isOlder }: { messages: readonly ShownMessage[]; isOlder: boolean }) {
  return (
    <Messages
      messages={messages}
      standingOf={({ side }) => STANDING[side]}
      sideText={({ side }) => (side === 'shop' ? null : MESSAGE_SIDES[side])}
      seenUnknown={isOlder}
      below={message => message.rates && <Rating message={message} />}
    />
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
