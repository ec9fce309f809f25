// Fair shares of what all have in common and few can use at once. A party is whoever takes its share: an agent, or an address.
import { setTimeout as pause } from 'node:timers/promises'

type Party = string | number

/** Whoever had anything within that time is there: what it does next is not to wait behind others. */
const THERE_MS = 3_000

export type ShareLimits = {
  /** Pieces of all parties. */
  atOnce: number
  /** Pieces of one party while no other is there. */
  alone: number
  /** Pieces of one party beside others. */
  beside: number
  /** Pieces of one party that may wait. */
  waiting: number
  /** How long one may wait, in ms. */
  waitMs: number
  /** Whether a place rests as long as its piece took, where its party has more waiting and others are there: half of the time is theirs. */
  rests?: true
  /** How long a refusal for a full line is held back, in ms: whoever asks again at once is not refused at once. */
  holdMs?: number
}

/** Its own line is full, or it waited too long behind its own pieces; or behind those of others. */
export type NoPlace = 'own' | 'others'
export class NoPlaceError extends Error {
  readonly why: NoPlace
  constructor(why: NoPlace) {
    super(`no place behind ${why}`)
    this.why = why
  }
}

export type Shares = {
  /**
   * A place, at once where there is one; whoever has it calls it when done. Rejects with `NoPlaceError`. `weight`: how many times the
   * share of others the party has.
   */
  take(party: Party, weight?: number): (() => void) | Promise<() => void>
  waiting(): number
}

const REST_MOST_MS = 500
/** More are refused at once: each that is held back holds its request. */
const HELD_BACK_MOST = 2_000

type Waiter = { give: (free: () => void) => void; refuse: (error: NoPlaceError) => void; until: number }
type Line = { weight: number; held: number; waiters: Waiter[]; lastMs: number }

/** Places for pieces of work, given to each party in its turn. */
export function fairShares({
  atOnce,
  alone,
  beside,
  waiting,
  waitMs,
  rests,
  holdMs = 0,
}: ShareLimits): Shares {
  const lines = new Map<Party, Line>()
  /** Those in which somebody waits; whose turn is next stands first. */
  const turns: Line[] = []
  let running = 0
  let heldBack = 0
  let sweptMs = 0
  let isClearing = false

  function sweep(now: number): void {
    if (now - sweptMs < THERE_MS / 10) return
    sweptMs = now
    for (const [party, { held, waiters, lastMs }] of lines)
      if (held === 0 && waiters.length === 0 && now - lastMs > THERE_MS) lines.delete(party)
  }

  const mayRun = ({ held, weight }: Line) =>
    running < atOnce && held < (lines.size > 1 ? beside * weight : alone)

  function place(line: Line): () => void {
    running++
    line.held++
    const beganMs = performance.now()
    let isHeld = true
    const rested = () => {
      line.held--
      serve()
    }
    return () => {
      if (!isHeld) return
      isHeld = false
      running--
      line.lastMs = performance.now()
      const isRest = rests && line.waiters.length > 0 && lines.size > 1
      const restMs = isRest ? Math.min(line.lastMs - beganMs, REST_MOST_MS) : 0
      if (restMs < 1) return rested()
      setTimeout(rested, restMs)
      serve()
    }
  }

  /** One piece of each party in its turn. */
  function serve(): void {
    for (let passed = 0; passed < turns.length && running < atOnce; ) {
      const line = turns.shift() as Line
      const waiter = mayRun(line) ? line.waiters.shift() : undefined
      passed = waiter ? 0 : passed + 1
      if (line.waiters.length > 0) turns.push(line)
      waiter?.give(place(line))
    }
  }

  /** Whoever stands first in a line has waited longest. */
  function clear(): void {
    isClearing = false
    const now = performance.now()
    let next = Number.POSITIVE_INFINITY
    for (const line of [...turns]) {
      while (line.waiters[0] && line.waiters[0].until <= now)
        line.waiters.shift()?.refuse(new NoPlaceError(line.held > 0 ? 'own' : 'others'))
      if (line.waiters[0]) next = Math.min(next, line.waiters[0].until)
      else turns.splice(turns.indexOf(line), 1)
    }
    if (turns.length > 0) clearIn(next - now)
  }
  function clearIn(ms: number): void {
    if (isClearing) return
    isClearing = true
    setTimeout(clear, Math.max(1, ms)).unref()
  }

  async function refuseLater(): Promise<never> {
    if (holdMs > 0 && heldBack < HELD_BACK_MOST) {
      heldBack++
      await pause(holdMs)
      heldBack--
    }
    throw new NoPlaceError('own')
  }

  function lineOf(party: Party, weight: number, now: number): Line {
    const known = lines.get(party)
    if (known) return known
    const made = { weight, held: 0, waiters: [], lastMs: now }
    lines.set(party, made)
    return made
  }

  return {
    take(party, weight = 1) {
      const now = performance.now()
      sweep(now)
      const line = lineOf(party, weight, now)
      line.lastMs = now
      const { waiters } = line
      if (waiters.length === 0 && mayRun(line)) return place(line)
      if (waiters.length >= waiting * weight) return refuseLater()
      if (waiters.length === 0) turns.push(line)
      clearIn(waitMs)
      return new Promise((give, refuse) => {
        waiters.push({ give, refuse, until: now + waitMs })
      })
    },
    waiting: () => turns.reduce((sum, { waiters }) => sum + waiters.length, 0),
  }
}

/** What a page asks for at once. */
const BURST = 32
/** Beside others, a party that asks for ever more begins so many in a second. */
const PER_SECOND = 500
const LOOK_EVERY_MS = 2
/** While no other is there, so many begin before the event loop looks for one. */
const PER_TURN = 8

type Bucket = { credit: number; atMs: number; line: { begin: () => void; weight: number }[] }

/** What a body costs the event loop, as it is read and taken apart: so many bytes as much as one request without. */
const BYTES_OF_ONE = 4_096
/** However large, it holds up no more of its party's requests than these. */
const WEIGHT_MOST = 250

/** How many of those without a body a request is as dear as. `bodyBytes`: as it declares, where it does. */
export function weightOf(bodyBytes: number): number {
  return Math.min(WEIGHT_MOST, 1 + Math.max(0, Math.floor(bodyBytes / BYTES_OF_ONE)))
}

/**
 * Begins requests as they come, and those of a party that sends hundreds at once a few at a time, beside others at a pace: the event loop
 * is free for everybody in between, however little each of the requests takes.
 */
export function paces(): (party: Party, begin: () => void, weight?: number) => void {
  const buckets = new Map<Party, Bucket>()
  let lastParty: Party | undefined
  let sharedUntilMs = 0
  let sweptMs = 0
  let isLooking = false

  function fill(bucket: Bucket, now: number): void {
    bucket.credit = Math.min(BURST, bucket.credit + ((now - bucket.atMs) * PER_SECOND) / 1_000)
    bucket.atMs = now
  }

  /** What is dearer than all that is ever in hand is paid for afterwards. */
  const mayBegin = ({ credit }: Bucket, { weight }: { weight: number }) => credit >= Math.min(weight, BURST)

  function sweep(now: number): void {
    if (now - sweptMs < THERE_MS) return
    sweptMs = now
    for (const [party, { line, atMs }] of buckets)
      if (line.length === 0 && now - atMs > THERE_MS) buckets.delete(party)
  }

  function lookSoon(isShared: boolean): void {
    if (isLooking) return
    isLooking = true
    if (isShared) setTimeout(look, LOOK_EVERY_MS)
    else setImmediate(look)
  }
  function look(): void {
    isLooking = false
    const now = performance.now()
    const isShared = now < sharedUntilMs
    for (const bucket of buckets.values()) {
      if (bucket.line.length === 0) continue
      fill(bucket, now)
      for (
        let begun = 0;
        bucket.line[0] && (isShared ? mayBegin(bucket, bucket.line[0]) : begun < PER_TURN);
        begun++
      ) {
        const { begin, weight } = bucket.line.shift() as Bucket['line'][number]
        bucket.credit = isShared ? bucket.credit - weight : Math.max(0, bucket.credit - 1)
        begin()
      }
      if (bucket.line.length > 0) lookSoon(isShared)
    }
  }

  return (party, begin, weight = 1) => {
    const now = performance.now()
    if (party !== lastParty) {
      sharedUntilMs = lastParty === undefined ? 0 : now + THERE_MS
      lastParty = party
      sweep(now)
    }
    let bucket = buckets.get(party)
    if (!bucket) {
      bucket = { credit: BURST, atMs: now, line: [] }
      buckets.set(party, bucket)
    }
    fill(bucket, now)
    if (bucket.line.length === 0 && mayBegin(bucket, { weight })) {
      bucket.credit -= weight
      return begin()
    }
    bucket.line.push({ begin, weight })
    lookSoon(now < sharedUntilMs)
  }
}
