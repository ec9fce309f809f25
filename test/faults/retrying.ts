// People of one agent while the office behind an address is being killed: callers who ask once more where no answer came, and pages that listen.
import { randomUUID } from 'node:crypto'
import { Agent } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { io, type Socket } from 'socket.io-client'
import { REALTIME_PATH } from '#server/realtime/realtime.ts'
import { sent } from './callers.ts'
import { FIRST_SHOP } from './one-agent.ts'

const SHOPS = 200
const REST_MS = 20
const MARK = { state: 'contacted', nextOn: null }
const BACK_WITHIN_MS = 5_000
/** As the page waits before it comes back. */
const COMES_BACK = { reconnectionDelay: 500, reconnectionDelayMax: 2_000 }

export type Found = { calls: number; retried: number; changes: number; kills: number }
export type People = { url: string; cookie: string; found: Found; breaches: string[]; isOpen: () => boolean }

export function openPage({ url, cookie }: Pick<People, 'url' | 'cookie'>): Socket {
  return io(url, {
    ...{ path: REALTIME_PATH, transports: ['websocket'], forceNew: true, ...COMES_BACK },
    extraHeaders: { cookie, origin: url },
  })
}

/** How long it took until each page was connected. */
export async function areBack(pages: readonly Socket[], breaches: string[]): Promise<number> {
  const began = performance.now()
  // Those of the killed process hear of it first.
  await pause(100)
  while (!pages.every(({ connected }) => connected)) {
    if (performance.now() - began > BACK_WITHIN_MS) {
      breaches.push(`${pages.filter(({ connected }) => !connected).length} pages did not come back`)
      break
    }
    await pause(REST_MS)
  }
  return Math.round(performance.now() - began)
}

/** By turns three lists and a change, on a connection that is kept as a proxy keeps it. */
export async function callOn({ url, cookie, found, breaches, isOpen }: People, nth: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (let turn = 0; isOpen(); turn++) {
    const isChange = turn % 4 === 3
    const path = isChange
      ? `/api/merchants/${FIRST_SHOP + (nth % SHOPS)}/renewal-marks`
      : '/api/merchants?page=1&size=10'
    const body = isChange ? JSON.stringify({ ...MARK, note: `${nth}-${turn}` }) : undefined
    const headers = { cookie, 'x-requested-with': 'partner-office', 'idempotency-key': randomUUID() }
    const send = () => sent(new URL(path, url), { agent, headers, method: isChange ? 'POST' : 'GET', body })
    found.calls++
    let failure = await send()
    if (failure !== null) {
      found.retried++
      failure = await send()
    }
    if (failure !== null) breaches.push(`a retry was answered with ${failure}`)
    else if (isChange) found.changes++
    await pause(REST_MS)
  }
  agent.destroy()
}

/** Each leaves one row, however often it was sent. */
export async function changesIn(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>('select count(*)::int as count from renewal_marks')
  return rows[0]?.count ?? 0
}
