// Files too large to be held in memory: they come and go as streams, are kept as they came, and are handed out in parts.
import { createHash, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { and, eq, inArray } from 'drizzle-orm'
import { type Actor, type CallContext, identityOf } from '../ctx.ts'
import { type FilePurposes, forget, type Streamed } from '../files.ts'
import { settingOf } from '../office/settings.ts'
import { logOperation } from '../operation-log.ts'
import { found, Refusal, refuseCommon } from '../refuse.ts'
import { admit, asAnswer, makeCtx } from '../serve.ts'
import { files } from '../tables.ts'
import { plainPlace } from './file-bytes.ts'
import type { Part, Storage } from './storage.ts'

const MB = 1_048_576
/** By so many a file is known. */
const FIRST_BYTES = 16
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

export type KeptLarge = { id: string; byteSize: number; sha256: string }

/** How many bytes the operator lets in for a purpose. */
export async function mostStreamed(
  purposes: FilePurposes,
  { services }: CallContext,
  actor: Actor,
  purpose: string,
): Promise<number> {
  const { most } = streamedOf(purposes, purpose)
  const mb = await services.database.read(identityOf(actor, services.walls), ({ client }) =>
    settingOf({ client, services }, most),
  )
  return mb * MB
}

/**
 * Keeps what comes, with its row and the log's. No connection is held meanwhile, and no more of it is in memory than a piece. Refuses
 * what is none of its kind, empty, or more than `maxBytes`; what was kept of it is removed again.
 */
export async function storeLarge(
  purposes: FilePurposes,
  context: CallContext,
  actor: Actor,
  upload: { purpose: string; bytes: Readable; maxBytes: number },
): Promise<KeptLarge> {
  const { services } = context
  const { purpose, maxBytes } = upload
  const declared = streamedOf(purposes, purpose)
  const id = randomUUID()
  const measured = measuring(upload.bytes, { maxBytes, declared })
  try {
    await services.storage.put(plainPlace(id), Readable.from(measured.bytes, { objectMode: false }))
    const { byteSize, sha256, mime } = measured.told()
    await services.database.write(identityOf(actor, services.walls), async lent => {
      const { ctx } = makeCtx(lent, context, actor)
      const [width, height] = [0, 0]
      await ctx.db.insert(files).values({
        ...{ id, purpose, mime, width, height, byteSize, sha256 },
        agentId: actor.agentId,
        createdBy: actor.accountId,
        createdAt: ctx.now.toISOString(),
      })
      const changes = [{ name: '大小', before: null, after: `${byteSize} 字节` }]
      const title = purposes[purpose]?.log ?? ''
      await logOperation(ctx, { operation: '/files', title, subject: id, changes, by: actor })
    })
    return { id, byteSize, sha256 }
  } catch (error) {
    await forget(services, id)
    throw error
  }
}

function streamedOf(purposes: FilePurposes, purpose: string): Streamed {
  const { streamed } = purposes[purpose] ?? {}
  if (!streamed) throw new Error(`${purpose} takes no large files`)
  return streamed
}

/** Passes bytes on and knows in the end what they were. */
function measuring(coming: Readable, { maxBytes, declared }: { maxBytes: number; declared: Streamed }) {
  const hash = createHash('sha256')
  let byteSize = 0
  let first = Buffer.alloc(0)
  let mime: string | null = null
  const know = () => {
    mime = declared.typeOf(first)
    if (mime === null) throw new Refusal('FILE_FORMAT', declared.refusal)
  }
  async function* pass() {
    for await (const chunk of coming as AsyncIterable<Buffer>) {
      byteSize += chunk.length
      if (byteSize > maxBytes) throw new Refusal('FILE_TOO_LARGE', tooLargeText(maxBytes))
      hash.update(chunk)
      if (first.length < FIRST_BYTES) {
        first = Buffer.concat([first, chunk.subarray(0, FIRST_BYTES)])
        if (first.length >= FIRST_BYTES) know()
      }
      yield chunk
    }
    if (byteSize === 0) throw new Refusal('FILE_EMPTY', '文件是空的，请重新选择')
    if (mime === null) know()
  }
  return { bytes: pass(), told: () => ({ byteSize, sha256: hash.digest('hex'), mime: mime ?? '' }) }
}

export function tooLargeText(maxBytes: number): string {
  return `文件大小不能超过${Math.round(maxBytes / MB)}MB`
}

/** What `readLarge` needs of a row: by its feature's own statement, or by `findShown`. */
export type LargeRow = { id: string; mime: string; byteSize: number; sha256: string | null }

/** A file of a purpose that is shown, which the acting account may look at; NOT_FOUND for any other id. */
export async function findShown(purposes: FilePurposes, context: CallContext, id: string): Promise<LargeRow> {
  try {
    const actor = await admit({ permission: 'session' }, context, false)
    const shown = Object.keys(purposes).filter(name => purposes[name]?.streamed?.shown)
    if (!actor || !ID.test(id) || shown.length === 0) refuseCommon('NOT_FOUND')
    const { services } = context
    return await services.database.read(identityOf(actor, services.walls), async ({ db }) => {
      const [row] = await db
        .select({ id: files.id, mime: files.mime, byteSize: files.byteSize, sha256: files.sha256 })
        .from(files)
        .where(and(eq(files.id, id), inArray(files.purpose, shown)))
      return found(row)
    })
  } catch (error) {
    throw asAnswer(error)
  }
}

/** What its bytes are known by, as an entity tag. */
export function tagOf({ id, sha256 }: Pick<LargeRow, 'id' | 'sha256'>): string {
  return `"${sha256 ?? id}"`
}

/** Its bytes, or a part of them. Whoever is given the stream reads or destroys it. */
export async function readLarge(storage: Storage, id: string, part: Part | null): Promise<Readable> {
  const opened = await storage.get(plainPlace(id), part ?? undefined)
  return found(opened).bytes
}
