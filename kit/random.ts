// Repeatable chance, for made-up data and measurements; never for secrets.

export type Random = {
  next(): number
  whole(below: number): number
  pick<T>(from: readonly T[]): T
  chance(share: number): boolean
}

/** Mulberry32: small, fast, repeatable. */
export function makeRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const whole = (below: number) => Math.floor(next() * below)
  return { next, whole, pick: from => from[whole(from.length)] as never, chance: share => next() < share }
}
