// People who look at their list all the while: what each look took, and when, so that two times of one run can be compared.
import { setTimeout as pause } from 'node:timers/promises'

const REST_MS = 40
const REFUSED_REST_MS = 250
const ANSWER_MS = 15_000

type Look = { at: number; ms: number; failure: string | null }
export type Readers = {
  /** Looks that began within these moments; those in `except` are left out. */
  within(from: number, to: number, except?: readonly (readonly [number, number])[]): Look[]
  /** Looks that were under way at any of these moments, once each has ended. */
  during(from: number, to: number): Promise<Look[]>
  stop(): Promise<void>
}

/** `count` people take `addresses` in turn until they are stopped. */
export function readLists(addresses: readonly string[], cookie: string, count: number): Readers {
  const looks: Look[] = []
  const underWay = new Set<number>()
  let open = true
  const reader = async (nth: number) => {
    for (let turn = nth; open; turn++) {
      const at = Date.now()
      underWay.add(at)
      const began = performance.now()
      const failure = await look(addresses[turn % addresses.length] as string, cookie)
      looks.push({ at, ms: performance.now() - began, failure })
      underWay.delete(at)
      await pause(failure === null ? REST_MS : REFUSED_REST_MS)
    }
  }
  const reading = Promise.all(Array.from({ length: count }, (_, nth) => reader(nth)))
  return {
    within: (from, to, except = []) =>
      looks.filter(
        ({ at }) => at >= from && at < to && !except.some(([start, end]) => at >= start && at < end),
      ),
    async during(from, to) {
      while ([...underWay].some(at => at < to)) await pause(REST_MS)
      return looks.filter(({ at, ms }) => at < to && at + ms >= from)
    },
    async stop() {
      open = false
      await reading
    },
  }
}

/** Null, or what came instead of the list. */
async function look(address: string, cookie: string): Promise<string | null> {
  try {
    const answer = await fetch(address, {
      headers: { cookie, 'x-requested-with': 'partner-office' },
      signal: AbortSignal.timeout(ANSWER_MS),
    })
    const text = await answer.text()
    return answer.ok ? null : `${answer.status} ${text.slice(0, 200)}`
  } catch (error) {
    if (error instanceof Error) return error.message
    throw error
  }
}

/** What half of the looks took at most, and what all but one in twenty did. */
export function quantilesOf(looks: readonly Look[]): { half: number; most: number } {
  const sorted = looks.map(({ ms }) => ms).sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0
  return { half: at(0.5), most: at(0.95) }
}
