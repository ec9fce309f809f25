// The queue of exports: taken one by one by any instance, and by another when nothing is heard of one.
import { and, asc, eq, inArray, lt, or, sql } from 'drizzle-orm'
import type { Ctx, Services } from '#server/ctx.ts'
import { SYSTEM } from '#server/db.ts'
import { settingInSql } from '#server/office/settings.ts'
import {
  ATTEMPTS_MAX,
  EXPORT_STEPS,
  type ExportState,
  FAILURES,
  KEPT_HOURS,
  SILENT_SECONDS,
} from './rules.ts'
import { exportJobs } from './tables.ts'

/** One beginning of an export. A later one takes the row away from it. */
export type Claim = { id: number; attempt: number }

type Queue = Pick<Services, 'database'>

const silent = and(
  eq(exportJobs.state, 'running'),
  lt(exportJobs.heartbeatAt, sql`now() - make_interval(secs => ${SILENT_SECONDS})`),
)

/** The oldest export that waits or has fallen silent, now running for the caller; null when there is none. */
export async function claimExport({ database }: Queue): Promise<Claim | null> {
  return database.write(SYSTEM, async ({ db }) => {
    const [next] = await db
      .select({ id: exportJobs.id, attempts: exportJobs.attempts })
      .from(exportJobs)
      .where(or(eq(exportJobs.state, 'queued'), silent))
      .orderBy(asc(exportJobs.id))
      .limit(1)
      .for('update', { skipLocked: true })
    if (!next) return null
    const isSpent = next.attempts >= ATTEMPTS_MAX
    const { from, to } = EXPORT_STEPS[isSpent ? 'fail' : 'begin']
    await db
      .update(exportJobs)
      .set(
        isSpent
          ? { state: to, error: FAILURES.interrupted, finishedAt: sql`now()` }
          : {
              state: to,
              attempts: next.attempts + 1,
              startedAt: sql`coalesce(started_at, now())`,
              heartbeatAt: sql`now()`,
              rowsWritten: 0,
            },
      )
      .where(and(eq(exportJobs.id, next.id), inArray(exportJobs.state, from)))
    return isSpent ? null : { id: next.id, attempt: next.attempts + 1 }
  })
}

export async function findClaimed({ database }: Queue, claim: Claim) {
  return database.read(SYSTEM, async ({ db }) => {
    const [job] = await db.select().from(exportJobs).where(held(claim))
    return job ?? null
  })
}

export type Progress = { rowsWritten: number; rowsExpected: number | null; peakMib: number }

/** Tells how far it is. False when the export is no longer wanted, or somebody else's. */
export async function beat({ database }: Queue, claim: Claim, progress: Progress): Promise<boolean> {
  return database.write(SYSTEM, async ({ db }) => {
    const beaten = await db
      .update(exportJobs)
      .set({ ...progress, heartbeatAt: sql`now()` })
      .where(held(claim))
      .returning({ id: exportJobs.id })
    return beaten.length > 0
  })
}

/** Ends it with its file, on the connection of the log row that goes with it. False when it was no longer wanted. */
export async function finishExport(
  { db }: Pick<Ctx, 'db'>,
  claim: Claim,
  made: { rowsWritten: number; peakMib: number; byteSize: number },
): Promise<boolean> {
  const finished = await db
    .update(exportJobs)
    .set({
      ...made,
      rowsExpected: made.rowsWritten,
      state: EXPORT_STEPS.finish.to,
      finishedAt: sql`now()`,
      expiresAt: sql`now() + make_interval(hours => ${sql.raw(settingInSql(KEPT_HOURS))})`,
    })
    .where(held(claim, EXPORT_STEPS.finish.from))
    .returning({ id: exportJobs.id })
  return finished.length > 0
}

export async function failExport({ database }: Queue, claim: Claim, error: string): Promise<void> {
  const { from, to } = EXPORT_STEPS.fail
  await database.write(SYSTEM, ({ db }) =>
    db.update(exportJobs).set({ state: to, error, finishedAt: sql`now()` }).where(held(claim, from)),
  )
}

/** Puts back what ended without a word. An orderly stop does not count as a beginning. */
export async function releaseExport({ database }: Queue, claim: Claim, isOrderly: boolean): Promise<void> {
  const wasLast = !isOrderly && claim.attempt >= ATTEMPTS_MAX
  const { from, to } = EXPORT_STEPS[wasLast ? 'fail' : 'putBack']
  await database.write(SYSTEM, ({ db }) =>
    db
      .update(exportJobs)
      .set(
        wasLast
          ? { state: to, error: FAILURES.interrupted, finishedAt: sql`now()` }
          : { state: to, attempts: isOrderly ? claim.attempt - 1 : claim.attempt },
      )
      .where(held(claim, from)),
  )
}

function held({ id, attempt }: Claim, from: readonly ExportState[] = EXPORT_STEPS.finish.from) {
  return and(eq(exportJobs.id, id), inArray(exportJobs.state, from), eq(exportJobs.attempts, attempt))
}

/** Of these exports, those whose file may still be fetched. */
export async function fetchable({ database }: Queue, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const rows = await database.read(SYSTEM, ({ db }) =>
    db
      .select({ id: exportJobs.id })
      .from(exportJobs)
      .where(and(inArray(exportJobs.id, [...ids]), sql`${exportJobs.expiresAt} > now()`)),
  )
  return new Set(rows.map(({ id }) => id))
}
