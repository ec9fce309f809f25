// Keeps calls apart, so that a service that counts them in each second never has cause to refuse one.
import { setTimeout as pauseFor } from 'node:timers/promises'

type Pace = { perSecond: number; now?: () => number; pause?: (ms: number) => Promise<unknown> }

/** Waits until it is this call's turn; turns are given in the order in which they were asked for. */
export function makePace({ perSecond, now = () => performance.now(), pause = pauseFor }: Pace) {
  const gapMs = 1000 / perSecond
  let nextAt = Number.NEGATIVE_INFINITY
  return async (): Promise<void> => {
    const at = Math.max(now(), nextAt)
    nextAt = at + gapMs
    const waitMs = at - now()
    if (waitMs > 0) await pause(waitMs)
  }
}
