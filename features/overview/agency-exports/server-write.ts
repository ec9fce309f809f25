// The work of one archive, done by a program of its own: read, sealed and put into the storage as one stream, so that none of it ever lies
// in the open; then its row, its certificate and its place in the log.
import { randomBytes } from 'node:crypto'
import { pipeline, Readable } from 'node:stream'
import { eq } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import type { Claim } from '#features/overview/exports/server-queue.ts'
import { countText } from '#kit/money.ts'
import { formatDay } from '#kit/time.ts'
import { sealStream } from '#server/backup/seal-stream.ts'
import type { Ctx, Services } from '#server/ctx.ts'
import { isLinkFailure, isOutOfSpace, SYSTEM } from '#server/db.ts'
import { logOperation } from '#server/operation-log.ts'
import { found } from '#server/refuse.ts'
import { actAsSystem, SYSTEM_ACTOR } from '#server/system.ts'
import { exportNo, FAILURES } from './rules.ts'
import type { Counted } from './server-archive.ts'
import type { Outer } from './server-certificate.ts'
import { makeArchive } from './server-make.ts'
import { beat, failAgencyExport, findClaimed, finishAgencyExport, type Progress } from './server-queue.ts'
import { archiveKey } from './server-shelf.ts'
import { weigh } from './server-weigh.ts'

const BEAT_MS = 1_000
const MIB = 1_048_576
/** Rest after each piece that is read, in parts of the time that it took. */
const REST = 1

type Row = NonNullable<Awaited<ReturnType<typeof findClaimed>>>

/** Taken over by another beginning. */
class Unwanted extends Error {}

/** Makes the archive of a claimed row and ends the row. What is not its own fault is thrown, to be tried again. */
export async function writeAgencyExport(services: Services, claim: Claim): Promise<void> {
  const row = await findClaimed(services, claim)
  if (!row) return
  try {
    await make(services, row, claim)
  } catch (error) {
    if (error instanceof Unwanted) return
    if (isLinkFailure(error)) throw error
    await failAgencyExport(services, claim, isOutOfSpace(error) ? FAILURES.full : FAILURES.broken)
    throw error
  }
}

async function make(services: Services, row: Row, claim: Claim): Promise<void> {
  const { id, agentId, reason, createdByName: by, createdAt } = row
  const companyName = await companyOf(services, agentId)
  const subject = { agentId, companyName, number: exportNo(id, formatDay(createdAt)), reason, by }
  const counted: Counted = { rows: 0, files: 0, missing: 0 }
  const expected = await services.database.read(SYSTEM, ({ client }) => weigh(client, agentId))
  const unwanted = new AbortController()
  const heart = watch(services, claim, { counted, rowsExpected: expected.rows }, unwanted)
  const sealedWith = randomBytes(32).toString('hex')
  const key = archiveKey(id, claim.attempt)
  try {
    const { outer, certificate } = await makeArchive(
      services,
      { subject, counted, pace: { rest: REST } },
      bytes => services.storage.put(key, sealed(bytes, sealedWith, key, unwanted.signal)),
    )
    const isWanted = await actAsSystem(services, `agency-export-${id}`, async ctx => {
      const isFinished = await finishAgencyExport(ctx, claim, {
        rowsWritten: counted.rows,
        filesWritten: counted.files,
        peakMib: Math.max(heart.peakMib(), residentMib()),
        byteSize: outer.bytes,
        sha256: outer.sha256,
        certificate,
        sealedKey: services.secrets.encrypt(sealedWith),
      })
      if (isFinished) await logMade(ctx, outer)
      return isFinished
    })
    if (!isWanted) await services.storage.delete(key)
  } catch (error) {
    throw unwanted.signal.aborted ? unwanted.signal.reason : error
  } finally {
    heart.stop()
  }
}

function sealed(bytes: AsyncIterable<Buffer>, key: string, name: string, signal: AbortSignal): Readable {
  const seal = sealStream(key, name)
  // What goes wrong on the way is met by whoever reads the sealed bytes.
  return pipeline(Readable.from(bytes, { signal }), seal, () => undefined)
}

async function companyOf(services: Services, agentId: number): Promise<string> {
  const [agent] = await services.database.read(SYSTEM, ({ db }) =>
    db.select({ companyName: agents.companyName }).from(agents).where(eq(agents.id, agentId)),
  )
  return found(agent).companyName
}

/** So that the agency's own log tells it, too. */
export async function logMade(ctx: Ctx, { agency, number, rows, files, reason, by }: Outer): Promise<void> {
  await logOperation(ctx, {
    operation: '/agency-exports made',
    title: '生成移交数据',
    subject: `${agency.name} (${agency.id})`,
    changes: [
      { name: '移交编号', before: null, after: number },
      { name: '移交原因', before: null, after: reason },
      { name: '办理人', before: null, after: by },
      { name: '内容', before: null, after: `${countText(rows, '条记录')}，${countText(files, '个文件')}` },
    ],
    by: SYSTEM_ACTOR,
    aboutAgentId: agency.id,
  })
}

/** Tells every second how far it is, and ends the work that is another's by now. */
function watch(
  services: Services,
  claim: Claim,
  { counted, rowsExpected }: { counted: Counted; rowsExpected: number },
  unwanted: AbortController,
): { stop(): void; peakMib(): number } {
  let isBeating = false
  let peakMib = residentMib()
  const timer = setInterval(async () => {
    peakMib = Math.max(peakMib, residentMib())
    if (isBeating) return
    isBeating = true
    try {
      const progress: Progress = {
        ...{ rowsWritten: counted.rows, filesWritten: counted.files, rowsExpected, peakMib },
      }
      if (!(await beat(services, claim, progress))) unwanted.abort(new Unwanted())
    } catch (error) {
      // One beat that fails is made up for by the next; a lost link ends the reading as well.
      if (!isLinkFailure(error)) unwanted.abort(error)
    } finally {
      isBeating = false
    }
  }, BEAT_MS)
  return { stop: () => clearInterval(timer), peakMib: () => peakMib }
}

function residentMib(): number {
  return Math.ceil(process.memoryUsage.rss() / MIB)
}
