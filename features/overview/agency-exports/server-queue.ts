// The queue of archives: made one by one by any instance, and by another when nothing is heard of one.
import { and, asc, eq, inArray, lt, or, sql } from 'drizzle-orm'
import type { Claim } from '#features/overview/exports/server-queue.ts'
import type { Ctx, Services } from '#server/ctx.ts'
import { SYSTEM } from '#server/db.ts'
import { settingInSql } from '#server/office/settings.ts'
import {
  AGENCY_EXPORT_STEPS,
  type AgencyExportState,
  ATTEMPTS_MAX,
  FAILURES,
  KEPT_DAYS,
  SILENT_SECONDS,
} from './rules.ts'
import { agencyExports } from './tables.ts'

type Queue = Pick<Services, 'database'>

const silent = and(
  eq(agencyExports.state, 'making'),
  lt(agencyExports.heartbeatAt, sql`now() - make_interval(secs => ${SILENT_SECONDS})`),
)

/** The oldest that waits or has fallen silent, now made by the caller; null when there is none. */
export async function claimAgencyExport({ database }: Queue): Promise<Claim | null> {
  return database.write(SYSTEM, async ({ db }) => {
    const [next] = await db
      .select({ id: agencyExports.id, attempts: agencyExports.attempts })
      .from(agencyExports)
      .where(or(eq(agencyExports.state, 'queued'), silent))
      .orderBy(asc(agencyExports.id))
      .limit(1)
      .for('update', { skipLocked: true })
    if (!next) return null
    const isSpent = next.attempts >= ATTEMPTS_MAX
    const { from, to } = AGENCY_EXPORT_STEPS[isSpent ? 'fail' : 'begin']
    await db
      .update(agencyExports)
      .set(
        isSpent
          ? { state: to, error: FAILURES.interrupted, finishedAt: sql`now()` }
          : {
              state: to,
              attempts: next.attempts + 1,
              heartbeatAt: sql`now()`,
              rowsWritten: 0,
              filesWritten: 0,
            },
      )
      .where(and(eq(agencyExports.id, next.id), inArray(agencyExports.state, from)))
    return isSpent ? null : { id: next.id, attempt: next.attempts + 1 }
  })
}

export async function findClaimed({ database }: Queue, claim: Claim) {
  return database.read(SYSTEM, async ({ db }) => {
    const [row] = await db.select().from(agencyExports).where(held(claim))
    return row ?? null
  })
}

export type Progress = {
  rowsWritten: number
  filesWritten: number
  rowsExpected: number | null
  peakMib: number
}

/** Tells how far it is. False when it is somebody else's. */
export async function beat({ database }: Queue, claim: Claim, progress: Progress): Promise<boolean> {
  return database.write(SYSTEM, async ({ db }) => {
    const beaten = await db
      .update(agencyExports)
      .set({ ...progress, heartbeatAt: sql`now()` })
      .where(held(claim))
      .returning({ id: agencyExports.id })
    return beaten.length > 0
  })
}

export type Finished = Omit<Progress, 'rowsExpected'> & {
  byteSize: number
  sha256: string
  certificate: string
  sealedKey: Buffer
}

/** Ends it with its archive, on the connection of the log row that goes with it. False when it was no longer the caller's. */
export async function finishAgencyExport(
  { db }: Pick<Ctx, 'db'>,
  claim: Claim,
  made: Finished,
): Promise<boolean> {
  const { from, to } = AGENCY_EXPORT_STEPS.finish
  const finished = await db
    .update(agencyExports)
    .set({
      ...made,
      rowsExpected: made.rowsWritten,
      state: to,
      error: '',
      finishedAt: sql`now()`,
      expiresAt: sql`now() + make_interval(days => ${sql.raw(settingInSql(KEPT_DAYS))})`,
    })
    .where(held(claim, from))
    .returning({ id: agencyExports.id })
  return finished.length > 0
}

export async function failAgencyExport({ database }: Queue, claim: Claim, error: string): Promise<void> {
  const { from, to } = AGENCY_EXPORT_STEPS.fail
  await database.write(SYSTEM, ({ db }) =>
    db.update(agencyExports).set({ state: to, error, finishedAt: sql`now()` }).where(held(claim, from)),
  )
}

/** Puts back what ended without a word. An orderly stop does not count as a beginning. */
export async function releaseAgencyExport(
  { database }: Queue,
  claim: Claim,
  isOrderly: boolean,
): Promise<void> {
  const wasLast = !isOrderly && claim.attempt >= ATTEMPTS_MAX
  const { from, to } = AGENCY_EXPORT_STEPS[wasLast ? 'fail' : 'putBack']
  await database.write(SYSTEM, ({ db }) =>
    db
      .update(agencyExports)
      .set(
        wasLast
          ? { state: to, error: FAILURES.interrupted, finishedAt: sql`now()` }
          : { state: to, attempts: isOrderly ? claim.attempt - 1 : claim.attempt },
      )
      .where(held(claim, from)),
  )
}

function held({ id, attempt }: Claim, from: readonly AgencyExportState[] = AGENCY_EXPORT_STEPS.finish.from) {
  return and(
    eq(agencyExports.id, id),
    inArray(agencyExports.state, from),
    eq(agencyExports.attempts, attempt),
  )
}

/** Takes the keys of those whose time is over, so that no copy of their bytes opens; answers whose bytes are still wanted. */
export async function deletePast({ database }: Queue): Promise<{ id: number; attempts: number }[]> {
  const { from, to } = AGENCY_EXPORT_STEPS.delete
  return database.write(SYSTEM, async ({ db }) => {
    await db
      .update(agencyExports)
      .set({ state: to, sealedKey: null })
      .where(and(inArray(agencyExports.state, from), sql`${agencyExports.expiresAt} <= now()`))
    return db
      .select({ id: agencyExports.id, attempts: agencyExports.attempts })
      .from(agencyExports)
      .where(inArray(agencyExports.state, ['making', 'done']))
  })
}
