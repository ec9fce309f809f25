// The simulated WeChat Pay's callbacks: encrypted, signed, and repeated on the documented schedule until they are kept.
import { randomUUID } from 'node:crypto'
import type { Control } from '#providers/simulator.ts'
import { encryptFor, type Party } from './simulator-keys.ts'
import { shanghai } from './simulator-orders.ts'

/** 15s/15s/30s/3m/10m/20m/30m x3/60m/3h x3/6h x2 */
const GAPS_SECONDS = [
  15, 15, 30, 180, 600, 1200, 1800, 1800, 1800, 3600, 10_800, 10_800, 10_800, 21_600, 21_600,
]
const ANSWER_MAX_MS = 5000
const HELD_MAX_MS = 1000

export type NoticeName = 'notify' | 'refund-notify'
export type Notice = {
  id: string
  name: NoticeName
  eventType: string
  url: string
  body: string
  attempts: number
  kept: boolean
}
export type Outbox = {
  notices: Notice[]
  send(name: NoticeName, eventType: string, url: string, party: Party, contents: unknown): void
  stop(): void
}
type Options = {
  /** Real seconds per second of the schedule. */
  scale: number
  /** One delivery in so many carries a signature that must be refused; 0: none. */
  probeEvery: number
  sign(body: string, flaw: 'wrong-signature' | 'stale-timestamp' | 'probe' | null): Record<string, string>
  control(): Control
}

export function makeOutbox(options: Options): Outbox {
  const notices: Notice[] = []
  const timers = new Set<NodeJS.Timeout>()
  const held: (() => void)[] = []
  let deliveries = 0
  let stopped = false

  function later(ms: number, work: () => void): void {
    if (stopped) return
    const timer = setTimeout(() => {
      timers.delete(timer)
      work()
    }, ms)
    timers.add(timer.unref())
  }

  const isProbe = () => options.probeEvery > 0 && ++deliveries % options.probeEvery === 0

  function release(): void {
    for (const work of held.splice(0)) work()
  }

  async function deliver(notice: Notice): Promise<void> {
    if (stopped) return
    const control = options.control()
    const attempt = notice.attempts++
    const next = () => {
      const gap = GAPS_SECONDS[attempt]
      if (!notice.kept && gap !== undefined) later(gap * 1000 * options.scale, () => void deliver(notice))
    }
    const go = async (isReleasing: boolean) => {
      await post(notice, options, isProbe())
      if (control.take('callback-duplicate', notice.name)) await post(notice, options, isProbe())
      next()
      if (isReleasing) release()
    }
    const delay = control.take('callback-delay', notice.name)
    if (control.take('callback-drop', notice.name)) next()
    else if (delay) later(delay.ms, () => void go(true))
    else if (control.take('callback-reorder', notice.name)) {
      held.push(() => void go(false))
      later(HELD_MAX_MS, release)
    } else await go(true)
  }

  return {
    notices,
    send(name, eventType, url, party, contents) {
      const kind = name === 'notify' ? 'transaction' : 'refund'
      const body = JSON.stringify({
        id: randomUUID(),
        create_time: shanghai(options.control().now()),
        resource_type: 'encrypt-resource',
        event_type: eventType,
        summary: name === 'notify' ? '支付成功' : '退款结果',
        resource: { original_type: kind, ...encryptFor(party.apiV3Key, kind, JSON.stringify(contents)) },
      })
      const { id } = JSON.parse(body) as { id: string }
      const notice: Notice = { id, name, eventType, url, body, attempts: 0, kept: false }
      notices.push(notice)
      later(0, () => void deliver(notice))
    },
    stop() {
      stopped = true
      for (const timer of timers) clearTimeout(timer)
    },
  }
}

/** Sends it once, and notes whether it was kept. */
async function post(notice: Notice, options: Options, isProbe: boolean): Promise<void> {
  const control = options.control()
  const flaw = control.take('wrong-signature', notice.name)
    ? 'wrong-signature'
    : control.take('stale-timestamp', notice.name)
      ? 'stale-timestamp'
      : isProbe
        ? 'probe'
        : null
  const body = control.take('malformed', notice.name) ? '{"half":' : notice.body
  const isKept = await fetch(notice.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...options.sign(body, flaw) },
    body,
    signal: AbortSignal.timeout(ANSWER_MAX_MS),
  })
    .then(async response => {
      await response.arrayBuffer()
      return response.status === 200 || response.status === 204
    })
    // Whoever does not answer whole did not keep it.
    .catch(() => false)
  notice.kept ||= isKept
}
