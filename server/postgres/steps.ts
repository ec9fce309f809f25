// Migrations that are no transaction: their file begins with `-- outside of a transaction`. Each statement is one of its own and may find its
// work done, since what was cut off is begun again. A statement behind `-- in steps: table.key 5000` is run for so many rows at a time, with
// $1 and $2 as the bounds of the key (a whole number); where it stands is kept, and it rests as long as a step took.
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { again, type LockLimits } from './lock-tables.ts'

const OUTSIDE = /^-- outside of a transaction\b/
const IN_STEPS = /^-- in steps: (\w+)\.(\w+) (\d+)$/m
const INDEX = /^create (?:unique )?index concurrently (?:if not exists )?"?(\w+)"?/im
const REST_MOST_MS = 1_000

export const isOutside = (sql: readonly string[]): boolean => OUTSIDE.test(sql[0]?.trimStart() ?? '')

/** Where each backfill stands. */
const KEPT =
  'create table if not exists drizzle.steps (migration bigint not null, statement int not null, done_to bigint not null, primary key (migration, statement))'

/** Runs the statements of one migration, known by when it was made. */
export async function runOutside(
  owner: pg.Client,
  statements: readonly string[],
  { migration, limits }: { migration: number; limits: LockLimits },
): Promise<void> {
  await owner.query(KEPT)
  for (const [statement, text] of statements.entries()) {
    const [, table, key, size] = IN_STEPS.exec(text) ?? []
    if (table && key)
      await runInSteps(owner, { table, key, size: Number(size), text, migration, statement, limits })
    else await again(owner, limits, () => runOnce(owner, text, limits))
  }
  await owner.query('delete from drizzle.steps where migration = $1', [migration])
}

async function runOnce(owner: pg.Client, text: string, { locksMs }: LockLimits): Promise<void> {
  const index = INDEX.exec(text)?.[1]
  if (index) {
    const { rows } = await owner.query<{ valid: boolean }>(
      'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
      [pg.escapeIdentifier(index)],
    )
    if (rows[0]?.valid) return
    // What was cut off is left behind, is written by everybody and read by nobody.
    if (rows[0]) await owner.query(`drop index concurrently ${pg.escapeIdentifier(index)}`)
    // It waits for transactions that began before it, and holds up none.
    await owner.query('set lock_timeout = 0')
  }
  try {
    await owner.query(text)
  } finally {
    if (index) await owner.query(`set lock_timeout = ${locksMs}`)
  }
}

type Steps = {
  table: string
  key: string
  size: number
  text: string
  migration: number
  statement: number
  limits: LockLimits
}

async function runInSteps(owner: pg.Client, steps: Steps): Promise<void> {
  const { migration, statement, limits } = steps
  const place = [migration, statement]
  const { rows } = await owner.query<{ done_to: string }>(
    'select done_to from drizzle.steps where migration = $1 and statement = $2',
    place,
  )
  let doneTo: string | null = rows[0]?.done_to ?? '-9223372036854775808'
  while (doneTo !== null) {
    const from: string = doneTo
    const startedMs = performance.now()
    doneTo = await again(
      owner,
      limits,
      () => runStep(owner, steps, from),
      () => owner.query('rollback'),
    )
    await pause(Math.min(performance.now() - startedMs, REST_MOST_MS))
  }
}

/** Answers up to which key it is done, or null where none was left. */
async function runStep(
  owner: pg.Client,
  { table, key, size, text, migration, statement }: Steps,
  from: string,
): Promise<string | null> {
  const [name, column] = [pg.escapeIdentifier(table), pg.escapeIdentifier(key)]
  await owner.query('begin')
  const { rows } = await owner.query<{ last: string | null }>(
    `select max(${column}) as last from (select ${column} from ${name} where ${column} > $1 order by ${column} limit ${size}) as step`,
    [from],
  )
  const last = rows[0]?.last ?? null
  if (last !== null) {
    await owner.query(text, [from, last])
    await owner.query(
      `insert into drizzle.steps (migration, statement, done_to) values ($1, $2, $3)
       on conflict (migration, statement) do update set done_to = excluded.done_to`,
      [migration, statement, last],
    )
  }
  await owner.query('commit')
  return last
}
