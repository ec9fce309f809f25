// What a change made stale is read again: its operation's declaration says what. Names are of features or of their operations.
import type { QueryClient } from '@tanstack/react-query'
import { listenToAnswers, noteHeard } from './api.ts'

let ask: (name: string) => Promise<unknown> = () => Promise.resolve()
let reading: Promise<unknown> = Promise.resolve()
let changes = 0

/** `always`: what any change may have made stale. */
export function rereadAfterChanges(queries: QueryClient, always: readonly string[]): void {
  ask = name => queries.invalidateQueries({ queryKey: name.split('.') })
  listenToAnswers(stale => {
    if (stale.length === 0) return
    changes++
    readAgain(...new Set([...stale, ...always]))
  })
}

/** What is on the page of these is asked for anew: for what became stale without a change of this page. */
export function readAgain(...names: readonly string[]): void {
  if (names.length === 0) return
  noteHeard()
  reading = Promise.all(names.map(ask))
}

/** How many changes this page has made so far: whether one came between is told by comparing. */
export const changesMade = (): number => changes

/** Until what became stale last has been read again. */
export async function reread(): Promise<void> {
  await reading
}
