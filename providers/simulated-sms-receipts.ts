// Pushes receipts of a simulated SMS service to one address, at most a hundred a call, and again after 1, 5 and 10 minutes
// (scaled) while they are not kept. Faults named `receipts` or `*` apply: callback-*, and for lack of any signature
// wrong-signature goes to a wrong address while stale-timestamp reports times of yesterday.

import type { KeptMessage } from './simulated-sms-store.ts'
import type { Control } from './simulator.ts'

const BATCH_MAX = 100
const AT_ONCE_MAX = 4
const LOOK_MS = 50
const REORDER_MS = 300
const ANSWER_MS = 5000
const MINUTE_MS = 60_000
const RETRY_MINUTES = [1, 5, 10]
const NAME = 'receipts'
const DAY_MS = 86_400_000

export type ReceiptForms = {
  /** The body for these messages; their report is so many milliseconds old. */
  bodyOf(messages: KeptMessage[], ageMs: number): string
  isKept(answer: Record<string, unknown>): boolean
}
export type ReceiptOptions = ReceiptForms & {
  url: string | null
  carrierMs: number
  /** Minutes of the schedule are multiplied by this. */
  scale: number
  queueMax: number
  get(sequence: number): KeptMessage | null
}

export function makeReceiptPusher(options: ReceiptOptions) {
  let url = options.url
  let control: Control | null = null
  let queue: number[] = []
  let head = 0
  let atOnce = 0
  let looking: NodeJS.Timeout | undefined
  const stopping = new AbortController()
  const timers = new Set<NodeJS.Timeout>()
  const counts = { kept: 0, pushes: 0, failedPushes: 0, dropped: 0, abandoned: 0 }

  const later = (ms: number, run: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      run()
    }, ms).unref()
    timers.add(timer)
  }

  async function post(address: string, batch: number[], ageMs: number): Promise<boolean> {
    const messages = batch.flatMap(sequence => options.get(sequence) ?? [])
    counts.pushes++
    try {
      const response = await fetch(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json; charset=utf-8' },
        body: options.bodyOf(messages, ageMs),
        signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(ANSWER_MS)]),
      })
      return response.status === 200 && options.isKept((await response.json()) as Record<string, unknown>)
    } catch {
      // No answer, or none that can be read, is an answer too: push again.
      return false
    }
  }

  async function push(batch: number[], attempt: number): Promise<void> {
    if (url === null || stopping.signal.aborted) return
    const address = control?.take('wrong-signature', NAME) ? `${url}x` : url
    const ageMs = control?.take('stale-timestamp', NAME) ? DAY_MS : 0
    const isTwice = control?.take('callback-duplicate', NAME)
    atOnce++
    const isKept = await post(address, batch, ageMs)
    if (isTwice) await post(address, batch, ageMs)
    atOnce--
    if (isKept) counts.kept += batch.length
    else retry(batch, attempt)
    look()
  }

  function retry(batch: number[], attempt: number): void {
    counts.failedPushes++
    const minutes = RETRY_MINUTES[attempt]
    if (minutes === undefined) counts.abandoned += batch.length
    else if (!stopping.signal.aborted)
      later(minutes * MINUTE_MS * options.scale, () => void push(batch, attempt + 1))
  }

  /** The next messages whose carrier has reported. */
  function takeDue(nowMs: number): number[] {
    const batch: number[] = []
    while (batch.length < BATCH_MAX && head < queue.length) {
      const message = options.get(queue[head] as number)
      if (message && message.sentAtMs + options.carrierMs > nowMs) break
      head++
      if (message) batch.push(message.sequence)
    }
    if (head > 10_000 || head === queue.length) {
      queue = queue.slice(head)
      head = 0
    }
    return batch
  }

  function look(): void {
    while (control && !stopping.signal.aborted && atOnce < AT_ONCE_MAX) {
      const batch = takeDue(control.now().getTime())
      if (batch.length === 0) return
      if (control.take('callback-drop', NAME)) {
        counts.dropped += batch.length
        continue
      }
      const delay = control.take('callback-delay', NAME)
      const isReordered = control.take('callback-reorder', NAME) !== null
      if (isReordered) batch.reverse()
      if (delay || isReordered) later(delay?.ms ?? REORDER_MS, () => void push(batch, 0))
      else void push(batch, 0)
    }
  }

  return {
    counts,
    start(started: Control) {
      control = started
      looking = setInterval(look, LOOK_MS).unref()
    },
    stop() {
      stopping.abort()
      clearInterval(looking)
      for (const timer of timers) clearTimeout(timer)
    },
    setUrl(address: string | null) {
      url = address
    },
    add(sequence: number) {
      if (url === null) return
      queue.push(sequence)
      if (queue.length - head > options.queueMax) head = queue.length - options.queueMax
    },
  }
}
