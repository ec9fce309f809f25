// Rows that go once they are old. A feature says of which table, by which column and after how long (`clearing` in feature.ts); they go in
// steps, each a transaction of its own, so that nobody waits for more than one of them. What stays, and why, says app/keeping.ts.
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { Setting } from '#kit/declare/settings.ts'
import { settingInSql } from './office/settings.ts'

/** How long rows are kept: as the operator sets it, or so long. */
export type Term = Setting | { [unit in keyof typeof UNITS]?: number }

export type Cleared = {
  table: string
  /** The column that their age is told by, or where that is read, in SQL. */
  at: string
  /** How long after it; without, then. */
  after?: Term
  /** Which rows alone, in SQL. */
  only?: string
  /** A column that rises with their age, where no index begins with `at`: the lowest are looked at, and nothing else. */
  oldestBy?: string
  /** Columns that lose what they hold, where the rows stay. */
  empties?: readonly string[]
  /** The job that does it, where more is to be done than to delete. */
  job?: string
}

/** Units of a term, as settings name them. */
const UNITS = { seconds: '秒', minutes: '分钟', hours: '小时', days: '天', months: '个月' } as const
type Unit = keyof typeof UNITS
const intervalUnit = (unit: Unit) => (unit === 'minutes' ? 'mins' : unit === 'seconds' ? 'secs' : unit)

const ROWS_AT_ONCE = 5_000
/** Of one table in one run: others have their turn, and the next run goes on. */
const STEPS_MOST = 200
const REST_MOST_MS = 1_000

const isSetting = (term: Term): term is Setting => 'key' in term

/** A term as a number of its unit; of a setting what holds until the operator sets it. */
export function partsOf(term: Term): { unit: Unit; count: number; setting: Setting | null } {
  const units = Object.keys(UNITS) as Unit[]
  const unit = isSetting(term)
    ? units.find(name => UNITS[name] === term.unit)
    : units.find(name => term[name] !== undefined)
  if (!unit) throw new Error(`no unit of time is known for ${JSON.stringify(term)}`)
  return isSetting(term)
    ? { unit, count: term.initial, setting: term }
    : { unit, count: term[unit] ?? 0, setting: null }
}

/** The same as an interval of PostgreSQL. */
export function intervalOf(term: Term): string {
  const { unit, count, setting } = partsOf(term)
  return `make_interval(${intervalUnit(unit)} => ${setting ? settingInSql(setting) : count})`
}

/** Takes at most $1 of them; rows that somebody has locked stay for another time. */
export function stepOf({ table, at, after, only, oldestBy, empties }: Cleared): string {
  const past = `${at} < now()${after ? ` - ${intervalOf(after)}` : ''}`
  const lowest = oldestBy && `${oldestBy} in (select ${oldestBy} from ${table} order by ${oldestBy} limit $1)`
  const full = empties && `(${empties.map(column => `${column} is not null`).join(' or ')})`
  const which = [past, only && `(${only})`, full, lowest].filter(Boolean).join(' and ')
  // With another condition beside it, the order would lead past the index of that condition.
  const order = only || full || !/^\w+$/.test(at) ? '' : ` order by ${at}`
  const deed = empties
    ? `update ${table} set ${empties.map(column => `${column} = null`).join(', ')}`
    : `delete from ${table}`
  return `${deed} where ctid = any (array(
    select ctid from ${table} where ${which}${order} limit $1 for update skip locked))`
}

/** What is past of each, in steps. Answers how many rows went; what fails with one is told once the others are done. */
export async function clearPast(
  owner: Pick<pg.Pool, 'query'>,
  cleared: readonly Cleared[],
  atOnce = ROWS_AT_ONCE,
): Promise<number> {
  let gone = 0
  const failures: unknown[] = []
  for (const one of cleared.filter(({ job }) => job === undefined))
    try {
      gone += await clearTable(owner, one, atOnce)
    } catch (error) {
      failures.push(new Error(`rows of ${one.table} could not be cleared`, { cause: error }))
    }
  if (failures.length > 0) throw failures[0]
  return gone
}

async function clearTable(owner: Pick<pg.Pool, 'query'>, one: Cleared, atOnce: number): Promise<number> {
  const step = stepOf(one)
  let all = 0
  for (let steps = 0; steps < STEPS_MOST; steps++) {
    const startedMs = performance.now()
    const gone = (await owner.query(step, [atOnce])).rowCount ?? 0
    all += gone
    if (gone < atOnce) break
    await pause(Math.min(performance.now() - startedMs, REST_MOST_MS))
  }
  return all
}
