import { useEffect } from 'react'
import { io, type Socket } from 'socket.io-client'
import { goToLogin } from '#web/client/api.ts'
import { busyWhile } from '#web/client/ready.ts'
import { readAgain } from '#web/client/reread.ts'
import { type Session, useSession } from '#web/client/session.ts'
import { NoticeCards } from '#web/shell/NoticeCards.tsx'
import { showNotice } from '#web/shell/notice-cards.ts'
import { NOTICES_PATH, useReadNotices } from './NoticeBell.tsx'
import {
  CARD_LASTS_MS,
  CONFIRM_EVENT,
  NOTICE_EVENT,
  type NoticeMessage,
  READ_EVENT,
  RECONNECT_AFTER_MS,
  REGISTER_EVENT,
  TOPICS,
  type Topic,
} from './rules.ts'

/** Failures in a row after which it is tried less often. */
const PATIENT_AFTER = 15
const PATIENT_MS = 10_000

const NONE: readonly string[] = []
const NO_EVENTS = {}

/** What a topic makes stale: features and their operations. */
export type TopicQueries = Partial<Record<Topic, readonly string[]>>

type Props = {
  queriesOf: TopicQueries
  /** What any notice may have made stale. */
  always?: readonly string[]
  /** What else is pushed, by its event: what it makes stale. */
  events?: Readonly<Record<string, readonly string[]>>
}

/** Hears of notices as long as it stands, which is as long as somebody is signed in; shows and confirms them (D1 §4). */
export default function NoticeChannel({ queriesOf, always = NONE, events = NO_EVENTS }: Props) {
  const session = useSession()
  useEffect(() => {
    return openChannel(session, {
      heard: topic => readAgain('notices', ...(queriesOf[topic] ?? []), ...always),
      read: () => readAgain('notices'),
      events,
    })
  }, [session, queriesOf, always, events])
  const read = useReadNotices()
  return (
    <NoticeCards
      lastsMs={CARD_LASTS_MS}
      allPath={NOTICES_PATH}
      onFollowed={({ key }) => void read({ traceId: key })}
    />
  )
}

type Listener = { heard: (topic: Topic) => void; read: () => void; events: NonNullable<Props['events']> }

function openChannel(session: Session, { heard, read, events }: Listener): () => void {
  const socket = io({
    path: '/realtime',
    transports: ['websocket'],
    reconnectionDelay: RECONNECT_AFTER_MS,
    reconnectionDelayMax: RECONNECT_AFTER_MS,
  })
  let failures = 0
  let wasOpen = false
  let again: ReturnType<typeof setTimeout> | undefined
  socket.on('connect', () => {
    failures = 0
    pace(socket, RECONNECT_AFTER_MS)
    // What is pushed without a notice is not delivered again.
    if (wasOpen) for (const stale of Object.values(events)) readAgain(...stale)
    wasOpen = true
    // The shape of the documents; the server believes the session alone.
    socket.emit(REGISTER_EVENT, {
      UserId: `FeedBack_${session.accountId}`,
      AppType: 'PcWeb',
      IsMaster: session.userType === 0,
      ClientId: socket.id,
    })
  })
  socket.on(NOTICE_EVENT, (message: NoticeMessage) => {
    const { traceId, topicName, title, body, link, createdAt: at } = message
    const isNew = showNotice({ key: traceId, at, label: TOPICS[topicName] ?? '消息', title, body, link })
    // Its confirmation may have been lost: it is given again.
    socket.emit(CONFIRM_EVENT, traceId, true)
    if (isNew) heard(topicName)
  })
  socket.on(READ_EVENT, read)
  for (const [event, stale] of Object.entries(events)) socket.on(event, () => readAgain(...stale))
  socket.on('connect_error', () => {
    failures++
    if (failures === PATIENT_AFTER) pace(socket, PATIENT_MS)
    if (failures === 1 || failures % PATIENT_AFTER === 0) void leaveIfEnded(socket)
  })
  socket.on('disconnect', reason => {
    if (reason !== 'io server disconnect') return
    // Cut off on purpose: the session ended, or this page is one too many.
    again = setTimeout(() => socket.connect(), RECONNECT_AFTER_MS)
    void leaveIfEnded(socket)
  })
  return () => {
    clearTimeout(again)
    socket.close()
  }
}

function pace(socket: Socket, delayMs: number): void {
  socket.io.reconnectionDelayMax(delayMs)
  socket.io.reconnectionDelay(delayMs)
}

/** A refused socket does not say why; the session's own address does. Asked quietly: a server that is away is no news. */
async function leaveIfEnded(socket: Socket): Promise<void> {
  const answer = await busyWhile(fetch('/api/session')).catch(() => null)
  if (answer?.status !== 401) return
  socket.close()
  goToLogin()
}
