import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { OrderLink } from '#features/money/ledger/useOpenOrder.tsx'
import type { Out } from '#kit/declare/op.ts'
import { formatCents } from '#kit/money.ts'
import { formatDay, formatInstant } from '#kit/time.ts'
import { api } from '#web/client/api.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { Choice } from '#web/form/Choice.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import type { renewals } from './contract.ts'
import styles from './renewals.module.css'
import { EVENT_KINDS, type EventKind } from './rules.ts'

const renewalsApi = api<typeof renewals>('renewals')

type Event = Out<typeof renewals.timeline>['rows'][number]
type Shown = EventKind | 'all'

const ALL = [{ value: 'all' as Shown, label: '全部' }]
const KINDS = (Object.keys(EVENT_KINDS) as EventKind[]).map(value => ({
  value: value as Shown,
  label: EVENT_KINDS[value],
}))

/** Everything that happened with a shop on one axis, newest first: orders, edits, messages, marks, logins. */
export default function MerchantTimeline({ merchantId }: { merchantId: number }) {
  const [shown, setShown] = useState<Shown>('all')
  const kind = shown === 'all' ? undefined : shown
  const events = useInfiniteQuery({
    queryKey: ['renewals', 'timeline', merchantId, shown],
    queryFn: ({ pageParam }) => renewalsApi.timeline({ merchantId, kind, before: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: last => last.next ?? undefined,
  })
  const rows = events.data?.pages.flatMap(page => page.rows) ?? []
  return (
    <section className={styles.timeline} aria-label="商户动态">
      <Choice
        id="timeline-kind"
        label="动态类型"
        options={[...ALL, ...KINDS]}
        value={shown}
        onChange={setShown}
      />
      {events.isError && rows.length === 0 ? (
        <LoadFailure error={events.error} onRetry={() => void events.refetch()} />
      ) : !events.data ? (
        <LoadingLines />
      ) : rows.length === 0 ? (
        <p className={styles.timelineNone}>{kind ? `没有${EVENT_KINDS[kind]}动态` : '还没有动态'}</p>
      ) : (
        daysOf(rows).map(([day, dayRows]) => (
          <section key={day} aria-label={day}>
            <h3 className={`${styles.timelineDay} ${look.number}`}>{day}</h3>
            <ol>
              {dayRows.map(row => (
                <EventRow key={row.key} event={row} />
              ))}
            </ol>
          </section>
        ))
      )}
      {events.hasNextPage && (
        <Button
          className={styles.timelineMore}
          busy={events.isFetchingNextPage}
          onClick={() => void events.fetchNextPage()}
        >
          {events.isFetchNextPageError ? '加载失败，重试' : '加载更多'}
        </Button>
      )}
    </section>
  )
}

/** Rows by their day of Asia/Shanghai; they come newest first. */
function daysOf(rows: readonly Event[]): [day: string, rows: Event[]][] {
  const days = new Map<string, Event[]>()
  for (const row of rows) {
    const day = formatDay(row.at)
    days.set(day, [...(days.get(day) ?? []), row])
  }
  return [...days]
}

function EventRow({ event }: { event: Event }) {
  return (
    <li className={styles.event} data-kind={event.kind}>
      <span className={styles.eventMark} aria-hidden="true">
        {GLYPHS[event.kind]}
      </span>
      <div className={styles.eventBody}>
        <div className={styles.eventHead}>
          <span className={styles.eventKind}>{EVENT_KINDS[event.kind]}</span>
          <span className={styles.eventTitle}>{event.title}</span>
          {event.amountCents !== null && (
            <span className={`${styles.eventAmount} ${look.number}`}>{signed(event.amountCents)} 代币</span>
          )}
        </div>
        {event.detail !== '' && <p className={styles.eventDetail}>{event.detail}</p>}
        <p className={styles.eventFoot}>
          <time className={look.number} dateTime={event.at}>
            {formatInstant(event.at)}
          </time>
          {event.actorName !== '' && <span>{event.actorName}</span>}
          {event.orderNo !== null && (
            <span>
              订单 <OrderLink orderNo={event.orderNo} />
            </span>
          )}
        </p>
      </div>
    </li>
  )
}

const GLYPHS: Record<EventKind, ReactNode> = {
  order: <Glyph d="M3.5 2.5h9v11l-2.2-1.3L8 13.5l-2.3-1.3-2.2 1.3zM6 6h4M6 8.7h4" />,
  edit: <Glyph d="m3 13 .6-2.6 7-7 2 2-7 7zM9.3 4.7l2 2" />,
  status: <Glyph d="M8 2.5v5M5 4.2a5 5 0 1 0 6 0" />,
  message: <Glyph d="M2.5 3.5h11v8H7l-2.7 2v-2H2.5z" />,
  mark: <Glyph d="M4 13.5v-11h8l-1.8 2.8L12 8H4" />,
  tool: <Glyph d="M9.5 6.5 3.3 12.7M13 5.4A3.3 3.3 0 0 1 8.7 3l-.2 2.4 2.1 2.1z" />,
  request: <Glyph d="M3.5 2.5h9v11h-9zM5.8 8l1.6 1.6 2.9-3.2" />,
  login: <Glyph d="M9 3h4v10H9M3 8h6.5m0 0L7 5.5M9.5 8 7 10.5" />,
}

function Glyph({ d }: { d: string }) {
  return (
    <svg
      viewBox="0 0 16 16"
      width={16}
      height={16}
      fill="none"
      stroke="currentColor"
      strokeWidth={1.4}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={d} />
    </svg>
  )
}

/** Tokens that were taken, or came back. */
function signed(cents: number): string {
  if (cents === 0) return formatCents(0)
  return `${cents > 0 ? '+' : '−'}${formatCents(Math.abs(cents))}`
}
