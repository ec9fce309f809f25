// The work of one export, done by a program of its own: rows through a cursor into a file, slowly enough to disturb nobody.

import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { readAccountActor } from '#features/office/access/server.ts'
import {
  type Actor,
  type CallContext,
  type ExportHandler,
  identityOf,
  NO_CALLER,
  type Services,
} from '#server/ctx.ts'
import { isLinkFailure } from '#server/db.ts'
import { fileChanges } from '#server/documents/export.ts'
import { type OpenRows, openRows, type Pace } from '#server/documents/export-rows.ts'
import { writeXlsx } from '#server/documents/xlsx.ts'
import { logOperation } from '#server/operation-log.ts'
import { Refusal } from '#server/refuse.ts'
import { makeCtx } from '#server/serve.ts'
import { HALF, type Page } from '#server/storage/storage.ts'
import { FAILURES } from './rules.ts'
import {
  beat,
  type Claim,
  failExport,
  fetchable,
  findClaimed,
  finishExport,
  type Progress,
} from './server-queue.ts'

const BATCH = 500
const BEAT_MS = 1_000
/** Rest after each batch, in parts of the time that it took. */
const REST = 1
const MIB = 1_048_576
const EXPORTS = 'exports/'
const HOUR_MS = 3_600_000

type Job = NonNullable<Awaited<ReturnType<typeof findClaimed>>>

/** Expected: what the person is told. */
class ExportFailure extends Error {}

/** Cancelled, or taken over by another beginning. */
class Unwanted extends Error {}

/** Where the finished file lies in the storage. */
export function exportKey(id: number): string {
  return `${EXPORTS}${id}.xlsx`
}

/** Where this machine writes it before. */
export function halfFile(dataDir: string, { id, attempt }: Claim): string {
  return join(exportFolder(dataDir), `${id}.${attempt}${HALF}`)
}

function exportFolder(dataDir: string): string {
  return join(dataDir, 'exports')
}

type Shelf = Pick<Services, 'database' | 'env' | 'storage'>

/** Removes files that nobody may fetch any more, and halves that were left behind on this machine. */
export async function removePastFiles({ database, env, storage }: Shelf): Promise<void> {
  // One that was finished just now has its row in a moment.
  // The system’s clock: the age of files, as the disk or the bucket says when they were written.
  const past = Date.now() - HOUR_MS
  for (let after: string | null = ''; after !== null; ) {
    const page: Page = await storage.list(EXPORTS, after)
    const idOf = (key: string) => Number(/^(\d+)\.xlsx$/.exec(key.slice(EXPORTS.length))?.[1] ?? 0)
    const wanted = await fetchable({ database }, page.kept.map(({ key }) => idOf(key)).filter(Boolean))
    for (const { key, modifiedAt } of page.kept)
      if (modifiedAt.getTime() < past && !wanted.has(idOf(key))) await storage.delete(key)
    after = page.next
  }
  const folder = exportFolder(env.dataDir)
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    if (name.endsWith(HALF) && (await stat(path)).mtimeMs < past) await rm(path, { force: true })
  }
}

/** Writes the file of a claimed export and ends its row. What is not the export's own fault is thrown, to be tried again. */
export async function writeExport(services: Services, claim: Claim): Promise<void> {
  const job = await findClaimed(services, claim)
  if (!job) return
  const half = halfFile(services.env.dataDir, claim)
  try {
    await mkdir(exportFolder(services.env.dataDir), { recursive: true })
    await writeFile(services, job, claim, half)
  } catch (error) {
    if (error instanceof Unwanted) return
    if (isLinkFailure(error)) throw error
    const told = error instanceof ExportFailure || error instanceof Refusal
    await failExport(services, claim, told ? error.message : FAILURES.broken)
    if (!told) throw error
  } finally {
    await rm(half, { force: true })
  }
}

async function writeFile(services: Services, job: Job, claim: Claim, half: string): Promise<void> {
  const { handler, actor, filter } = await settle(services, job)
  const context = contextOf(services, job.id)
  const progress: Progress = { rowsWritten: 0, rowsExpected: job.rowsExpected, peakMib: 0 }
  const unwanted = new AbortController()
  const key = exportKey(job.id)
  const heart = watch(services, claim, progress, unwanted)
  try {
    const opening = openRows(handler, context, actor, filter as never, paceOf(progress))
    await pourRows(await Promise.race([opening, heart.stopped]), job.title, half, progress, unwanted.signal)
    // A bucket may be far away: the heart goes on beating.
    await services.storage.put(key, createReadStream(half, { signal: unwanted.signal }))
  } catch (error) {
    throw unwanted.signal.aborted ? unwanted.signal.reason : error
  } finally {
    heart.stop()
  }
  const { size } = await stat(half)
  const { rowsWritten, peakMib } = progress
  const isWanted = await services.database.write(identityOf(actor, services.walls), async lent => {
    const made = { rowsWritten, peakMib: Math.max(peakMib, residentMib()), byteSize: size }
    if (!(await finishExport(lent, claim, made))) return false
    await logMade(makeCtx(lent, context, actor).ctx, handler, actor, filter, rowsWritten)
    return true
  })
  if (!isWanted) await services.storage.delete(key)
}

/** Small batches, one after the other, and a rest after each: the database's share of the work cannot be put last otherwise. */
function paceOf(progress: Progress): Pace {
  return {
    batch: BATCH,
    readsAhead: false,
    counted:
      progress.rowsExpected === null ? rows => Object.assign(progress, { rowsExpected: rows }) : undefined,
    rest: async tookMs => {
      await pause(tookMs * REST)
    },
  }
}

async function pourRows(
  rows: OpenRows,
  sheetName: string,
  path: string,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  try {
    const file = writeXlsx({ sheetName, columns: rows.columns, rows: counted(rows.batches, progress) })
    await pipeline(file, createWriteStream(path), { signal })
  } finally {
    rows.end()
  }
}

/** Who exports what, as it stands now: rights may have been taken since it was asked for. */
async function settle(services: Services, job: Job) {
  const actor = await readAccountActor(services, job.accountId)
  if (!actor) throw new ExportFailure(FAILURES.account)
  const handler = services.exports.find(candidate => candidate.download.path === job.path)
  if (!handler) throw new ExportFailure(FAILURES.broken)
  const { permission, input } = handler.download
  if (permission !== 'session' && !actor.permissions.has(permission))
    throw new ExportFailure(FAILURES.permission)
  const parsed = input.safeParse(job.query)
  if (!parsed.success) throw new ExportFailure(FAILURES.broken)
  return { actor, handler, filter: parsed.data }
}

function contextOf(services: Services, id: number): CallContext {
  return {
    services,
    request: {
      id: `export-${id}`,
      ip: '',
      userAgent: '',
      ...NO_CALLER,
      setSession: () => undefined,
      setView: () => undefined,
      setDevice: () => undefined,
    },
  }
}

async function* counted(
  batches: OpenRows['batches'],
  progress: { rowsWritten: number },
): OpenRows['batches'] {
  for await (const batch of batches) {
    yield batch
    progress.rowsWritten += batch.length
  }
}

/** Tells every second how far it is, and ends the work that nobody wants any more. */
function watch(
  services: Services,
  claim: Claim,
  progress: Progress,
  unwanted: AbortController,
): { stop(): void; stopped: Promise<never> } {
  let isBeating = false
  const timer = setInterval(async () => {
    progress.peakMib = Math.max(progress.peakMib, residentMib())
    if (isBeating) return
    isBeating = true
    try {
      if (!(await beat(services, claim, progress))) unwanted.abort(new Unwanted())
    } catch (error) {
      // One beat that fails is made up for by the next; a lost link ends the cursor as well.
      if (!isLinkFailure(error)) unwanted.abort(error)
    } finally {
      isBeating = false
    }
  }, BEAT_MS)
  const stopped = new Promise<never>((_, reject) => {
    unwanted.signal.addEventListener('abort', () => reject(unwanted.signal.reason))
  })
  // Whoever waits for it hears; afterwards nobody does.
  stopped.catch(() => undefined)
  return { stop: () => clearInterval(timer), stopped }
}

function residentMib(): number {
  return Math.ceil(process.memoryUsage.rss() / MIB)
}

/** The same row as a file that is fetched at once leaves, with how much it held. */
async function logMade(
  ctx: Parameters<typeof logOperation>[0],
  handler: ExportHandler,
  by: Actor,
  filter: unknown,
  rows: number,
): Promise<void> {
  const { path, log, fileName } = handler.download
  const changes = fileChanges(handler.download, filter, rows)
  await logOperation(ctx, { operation: path, title: log, subject: fileName, changes, by })
}
