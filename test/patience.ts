// How long tests wait for what is to come: longer, the busier the machine is. Such a limit measures nothing; who waits goes on as soon
// as it has come.
import assert from 'node:assert/strict'
import { availableParallelism, loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'

const MOST = 6
const LOOK_EVERY_MS = 20
const WITHIN_MS = 10_000

/** For a client whose answer is to come: longer than any machine is busy. */
export const ANSWERED_WITHIN_MS = 120_000
/** For a client that is to give up, at a service that answers nothing. */
export const GIVEN_UP_AFTER_MS = 50

/** What runs for each processor, as the system has it of the last minute: at least 1, at most 6. `TEST_PATIENCE` says it instead. */
export function patience(): number {
  const given = Number(process.env.TEST_PATIENCE)
  if (given >= 1) return given
  const [load = 0] = loadavg()
  return Math.min(Math.max(load / availableParallelism(), 1), MOST)
}

/** So long on a machine with nothing else to do, and as many times longer as this one is busy now. */
export function patient(ms: number): number {
  return Math.ceil(ms * patience())
}

/** Whether it comes true in time; the machine may become busier meanwhile. */
export async function comesTrue(
  isTrue: () => boolean | Promise<boolean>,
  withinMs = WITHIN_MS,
): Promise<boolean> {
  const startedAt = performance.now()
  for (;;) {
    if (await isTrue()) return true
    if (performance.now() - startedAt > patient(withinMs)) return false
    await pause(LOOK_EVERY_MS)
  }
}

/** Waits until it is true, and fails where it does not become so in time. */
export async function until(
  isTrue: () => boolean | Promise<boolean>,
  message = 'it never came',
  withinMs = WITHIN_MS,
): Promise<void> {
  assert.ok(await comesTrue(isTrue, withinMs), message)
}

/**
 * Until a service has met the fault that a client gave up at: the question may reach it after that, and must not meet what is set for
 * the next.
 */
export async function untilMet(faults: { times: number }[]): Promise<void> {
  await comesTrue(() => faults.every(({ times }) => times === 0))
  faults.length = 0
}

/** Runs `work` once so long has passed, counted by the machine's load from then to then. Answers how to call it off. */
export function afterPatience(ms: number, work: () => void): () => void {
  const startedAt = performance.now()
  let timer: NodeJS.Timeout
  const look = () => {
    const left = patient(ms) - (performance.now() - startedAt)
    if (left <= 0) work()
    else timer = setTimeout(look, left)
  }
  timer = setTimeout(look, patient(ms))
  return () => clearTimeout(timer)
}
