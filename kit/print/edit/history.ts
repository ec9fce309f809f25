// Owns undo and redo: what was before, what was undone, and how both survive a reload. Knows nothing of labels.

/** `key` names what the last step changed, so that typing makes one step and not one for each letter. */
export type History<T> = {
  past: readonly T[]
  now: T
  future: readonly T[]
  key: string | null
  at: number
}

export const STEPS_MAX = 100
/** Two changes of the same thing within this time are one step. */
const ONE_STEP_MS = 1_500

export const begun = <T>(now: T): History<T> => ({ past: [], now, future: [], key: null, at: 0 })

export function changed<T>(
  history: History<T>,
  next: T,
  { key = null, at = 0 }: { key?: string | null; at?: number } = {},
): History<T> {
  if (next === history.now) return history
  const joins = key !== null && key === history.key && at - history.at <= ONE_STEP_MS
  const past = joins ? history.past : [...history.past, history.now].slice(-STEPS_MAX)
  return { past, now: next, future: [], key, at }
}

export function undone<T>(history: History<T>): History<T> {
  const before = history.past.at(-1)
  if (before === undefined) return history
  return {
    past: history.past.slice(0, -1),
    now: before,
    future: [history.now, ...history.future],
    key: null,
    at: 0,
  }
}

export function redone<T>(history: History<T>): History<T> {
  const [after, ...future] = history.future
  if (after === undefined) return history
  return { past: [...history.past, history.now], now: after, future, key: null, at: 0 }
}

type Kept = { objects: unknown[]; past: number[]; now: number; future: number[] }

/**
 * A history as text. What steps share is written once: most steps differ by one thing out of many. Null where even the
 * present alone is longer than `most`; steps that are longest ago are left out first.
 */
export function textOf<T extends object>(history: History<T>, most: number): string | null {
  for (let { past, future } = history; ; ) {
    const text = JSON.stringify(keptOf({ ...history, past, future }))
    if (text.length <= most) return text
    if (past.length === 0 && future.length === 0) return null
    past = past.slice(Math.ceil(past.length / 2))
    future = past.length === 0 ? [] : future
  }
}

function keptOf<T extends object>({ past, now, future }: History<T>): Kept {
  const objects: unknown[] = []
  const places = new Map<object, number>()
  const placeOf = (value: object): number => {
    const known = places.get(value)
    if (known !== undefined) return known
    const flat = Array.isArray(value)
      ? value.map(reference)
      : Object.fromEntries(Object.entries(value).map(([key, one]) => [key, reference(one)]))
    objects.push(flat)
    places.set(value, objects.length - 1)
    return objects.length - 1
  }
  const reference = (value: unknown) =>
    typeof value === 'object' && value !== null ? { $: placeOf(value) } : value
  return { past: past.map(placeOf), now: placeOf(now), future: future.map(placeOf), objects }
}

/** The history that a text tells of; null where it does not, or where a state is none that `isState` knows. */
export function historyOf<T>(
  text: string | null,
  isState: (value: unknown) => value is T,
): History<T> | null {
  if (text === null) return null
  try {
    const kept = JSON.parse(text) as Kept
    const made: unknown[] = []
    const unfold = (value: unknown) =>
      typeof value === 'object' && value !== null ? made[(value as { $: number }).$] : value
    for (const flat of kept.objects)
      made.push(
        Array.isArray(flat)
          ? flat.map(unfold)
          : Object.fromEntries(Object.entries(flat as object).map(([key, one]) => [key, unfold(one)])),
      )
    const states = [...kept.past, kept.now, ...kept.future].map(at => made[at])
    if (!states.every(isState)) return null
    const past = states.slice(0, kept.past.length)
    const now = states[kept.past.length]
    return now === undefined
      ? null
      : { past, now, future: states.slice(kept.past.length + 1), key: null, at: 0 }
  } catch {
    return null
  }
}
