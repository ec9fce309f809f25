// Rooms for work that fills a processor: few places each, a line of each party before them, so that what one agent has done leaves
// processors to everybody's lists, and its next piece waits behind the first of another.
import { availableParallelism } from 'node:os'
import { refuseCommon } from './refuse.ts'
import { fairShares, NoPlaceError, type ShareLimits, type Shares } from './shares.ts'

/** Half of the machine for each kind of work. */
const PLACES = Math.max(1, Math.floor(availableParallelism() / 2))

export type Room = {
  /** Does the work in the party's turn, one piece of a party at a time. Refuses where too many of its pieces wait, or for too long. */
  run<T>(party: Party, work: () => Promise<T>): Promise<T>
  /** The same; null where there is no place. */
  tryRun<T>(party: Party, work: () => Promise<T>): Promise<T | null>
}
type Party = string | number

export function room(limits: Pick<ShareLimits, 'waiting' | 'waitMs' | 'holdMs'>): Room {
  const shares = fairShares({ atOnce: PLACES, alone: 1, beside: 1, ...limits })
  return {
    run: (party, work) => placed(placeFor(shares, party), work),
    async tryRun(party, work) {
      const place = await placeOrNull(shares, party)
      return place && placed(place, work)
    },
  }
}

async function placed<T>(place: Promise<() => void> | (() => void), work: () => Promise<T>): Promise<T> {
  const free = await place
  try {
    return await work()
  } finally {
    free()
  }
}

async function placeOrNull(shares: Shares, party: Party): Promise<(() => void) | null> {
  try {
    return await shares.take(party)
  } catch (error) {
    if (error instanceof NoPlaceError) return null
    throw error
  }
}

/** A place of the party's; refuses in words where there is none. */
export async function placeFor(shares: Shares, party: Party, weight = 1): Promise<() => void> {
  try {
    return await shares.take(party, weight)
  } catch (error) {
    if (!(error instanceof NoPlaceError)) throw error
    refuseCommon(error.why === 'others' ? 'BUSY' : 'TOO_MANY_AT_ONCE', { secondsLeft: 1 })
  }
}

const SOON_MS = 4_000
const LATER_MS = 30_000
const HELD_BACK_MS = 1_000

/** Papers and pictures, each drawn in a thread. */
export const drawingRoom = room({ waiting: 60, waitMs: LATER_MS, holdMs: HELD_BACK_MS })
/** Tables that people bring, each read by a program of its own. */
export const sheetRoom = room({ waiting: 4, waitMs: 4 * LATER_MS, holdMs: HELD_BACK_MS })

/** Places for hashes of passwords. */
export const hashing = fairShares({
  atOnce: PLACES,
  alone: PLACES,
  beside: PLACES,
  waiting: 200,
  waitMs: SOON_MS,
})
/** Who asks is bounded by its connections already, so that they come in the order in which they were asked for. */
export const hashingRoom = async <T>(work: () => Promise<T>): Promise<T> =>
  placed((await placeOrNull(hashing, '')) ?? refuseCommon('BUSY'), work)
