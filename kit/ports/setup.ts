// What an office, or a partner, still needs to begin: the state of one step, as the feature that owns the fact reads it.

/** A setting of the environment as whoever must give it is told: full name, what it is, and a value that looks like a real one. */
export type NeededSetting = { name: string; meaning: string; example: string }

/** How an outside service is connected: by settings, by a simulator, or not at all; and what settings connect it. */
export type Connection = { by: 'settings' | 'simulator' | 'none'; needs: readonly NeededSetting[] }

/** done: nothing is left to do. open: not yet. broken: it was done or tried, and does not work. */
export const STEP_STATES = ['done', 'open', 'broken'] as const
export type StepState = (typeof STEP_STATES)[number]

export type SetupReading = {
  state: StepState
  /** What is so, what is missing and what to do, in one or two sentences. */
  words: string
  /** Path of our own page where it is done, in place of the step's own. Null: no page does it. */
  path?: string | null
  /** Settings of the environment that are missing. */
  settings?: readonly NeededSetting[]
}

/** What a step may be called, as the inbox's sources are. */
export const SETUP_STEP = /^[a-z-]+\.[a-zA-Z]+$/
export const SETUP_STEP_LENGTH = 60
