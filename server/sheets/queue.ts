// Heavy work in turn: one piece of a party at a time, a few of all parties, first come first served.

/** `atOnce`: pieces of all parties. `waiting`: pieces of one party that may wait behind its own; null is answered beyond them. */
export function queue({ atOnce, waiting }: { atOnce: number; waiting: number }) {
  const turns: (() => void)[] = []
  const lines = new Map<number, { last: Promise<unknown>; length: number }>()
  let running = 0

  const turn = (): Promise<void> => {
    if (running < atOnce) {
      running++
      return Promise.resolve()
    }
    return new Promise(resolve => turns.push(resolve))
  }
  const done = () => {
    const next = turns.shift()
    if (next) next()
    else running--
  }
  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    await turn()
    return work().finally(done)
  }

  return async <T>(party: number, work: () => Promise<T>): Promise<T | null> => {
    const line = lines.get(party) ?? { last: Promise.resolve(), length: 0 }
    if (line.length > waiting) return null
    line.length++
    lines.set(party, line)
    const mine = line.last.then(() => run(work))
    // Whoever comes next waits for this one, however it ends.
    line.last = mine.catch(() => undefined)
    return mine.finally(() => {
      line.length--
      if (line.length === 0) lines.delete(party)
    })
  }
}
