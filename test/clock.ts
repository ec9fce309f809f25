// The clock of an office under test: its program's and its database's, which stand in the same moment.
import type { Clock } from '#server/clock.ts'
import { CLOCK_PATH } from './database.ts'
import { momentOf, movedMs } from './runner/day.ts'

export type OfficeClock = {
  clock: Clock
  /** How far its database's clock stands from the server's, in ms. */
  clockMs: number
}

/** One that stands at a moment of Shanghai ("2026-11-26", its morning, or "2026-12-31 23:50") and goes on; that of the tests without. */
export function clockAt(on: string | undefined): OfficeClock {
  const aheadMs = on === undefined ? 0 : momentOf(on).getTime() - Date.now()
  const clockMs = movedMs() + aheadMs
  const now = () => new Date(Date.now() + aheadMs)
  return { clock: { now, sqlPath: clockMs === 0 ? undefined : CLOCK_PATH }, clockMs }
}
