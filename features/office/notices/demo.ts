// How the demo of other features tells people something.
import { createHash } from 'node:crypto'
import type { Person } from '#features/office/access/demo.ts'
import { type Demo, later } from '#server/demo.ts'
import { KEPT_DAYS, type Topic } from './rules.ts'
import { notices } from './tables.ts'

const DAY_MS = 86_400_000
/** What is newer has not been read yet. */
const UNREAD_DAYS = 1.5

export type Told = {
  topic: Topic
  title: string
  body: string
  link: `/admin/${string}`
  args: Record<string, unknown>
}

/** Older ones than are kept are not told. */
export function tell(demo: Demo, to: Person, at: string, told: Told): void {
  const days = (demo.now.getTime() - Date.parse(at)) / DAY_MS
  if (days > KEPT_DAYS.initial) return
  const { id: accountId, agentId } = to
  const trace = createHash('sha256')
    .update(`${accountId} ${at} ${told.title} ${told.body}`)
    .digest('base64url')
  demo.history.add(notices, {
    ...told,
    traceId: trace,
    agentId,
    accountId,
    createdAt: at,
    repeatAt: at,
    confirmedAt: later(demo, at, 0.001),
    readAt: days > UNREAD_DAYS ? later(demo, at, 2) : null,
  })
}
