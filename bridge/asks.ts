// Pages that ask to be paired, until the person at the desk allows or refuses them on the program's own page.
import { randomInt, randomUUID } from 'node:crypto'
import { PAIRING } from '#kit/print/bridge/bridge.ts'

/** `code`: four digits that the page shows too, so that a person sees which page it is. `until` in ms since 1970. */
export type Ask = { id: string; origin: string; office: string; code: string; until: number }
type Answered = 'allowed' | 'refused' | 'late'

/** In memory alone: an end of the program refuses all of them. One of an origin at a time, the newest. */
export function openAsks(now: () => number) {
  const asks = new Map<string, { ask: Ask; answer: (answered: Answered) => void; late: NodeJS.Timeout }>()
  const end = (id: string, answered: Answered): boolean => {
    const found = asks.get(id)
    if (!found) return false
    asks.delete(id)
    clearTimeout(found.late)
    found.answer(answered)
    return true
  }
  return {
    list: (): Ask[] => [...asks.values()].map(({ ask }) => ask),
    /** `answer` is told once how it ended, unless it is taken back first. */
    add(origin: string, office: string, answer: (answered: Answered) => void): Ask {
      for (const { ask } of asks.values()) if (ask.origin === origin) end(ask.id, 'late')
      const ms = PAIRING.askMinutes * 60_000
      const id = randomUUID()
      const code = String(randomInt(10_000)).padStart(4, '0')
      const ask = { id, origin, office, code, until: now() + ms }
      asks.set(id, { ask, answer, late: setTimeout(() => end(id, 'late'), ms).unref() })
      return ask
    },
    /** False where nobody asks so any more. */
    decide: (id: string, allows: boolean) => end(id, allows ? 'allowed' : 'refused'),
    /** Whoever asked has gone. */
    takeBack(id: string): void {
      clearTimeout(asks.get(id)?.late)
      asks.delete(id)
    },
  }
}
