// Uploaded pictures and papers: their rows in `files`, their bytes in the storage by a random id, papers sealed. What nothing uses a
// day after it came is removed (storage/clear-files.ts).
import { and, eq, inArray, notInArray, or, type SQL } from 'drizzle-orm'
import type { Access } from '#kit/declare/op.ts'
import type { Setting } from '#kit/declare/settings.ts'
import { bytesOf, mostOf, PICTURE_KB, PICTURE_REFUSALS, pictureRefusalText } from '#kit/picture.ts'
import { type Actor, type CallContext, type Ctx, identityOf, ownRows, type Services } from './ctx.ts'
import { SYSTEM } from './db.ts'
import { settingOf } from './office/settings.ts'
import { logOperation } from './operation-log.ts'
import { encodePicture, type Picture, type PictureLimits } from './pictures.ts'
import { found, Refusal, refuseCommon } from './refuse.ts'
import { admit, makeCtx } from './serve.ts'
import { placesOf, readPlain, sha256Of, writeBytes } from './storage/file-bytes.ts'
import { files } from './tables.ts'

export type FilePurpose = {
  /** Who may upload. */
  permission: Access
  /** Title of the operation log's row. */
  log: string
  /** Every agent may look at it; otherwise only the agent that sent it, and vendor staff. */
  shared: boolean
  /** Whoever knows its id may look at it, without a session: for pages that people without an account see. */
  public?: true
  /**
   * Papers: a PDF is taken too, as it is, and the bytes lie encrypted. Nobody reads one by its id alone: its feature hands it out, and
   * logs it.
   */
  sealed?: true
  /** How many KB may come in, where it is not PICTURE_KB. */
  most?: Setting
  /** Pixels of a side that are kept, where they are fewer than usual. */
  side?: number
  /** Large files that are kept as they came (storage/large-files.ts); no pictures. */
  streamed?: Streamed
  /** The columns that hold ids of such files. */
  usedBy: readonly { table: string; column: string }[]
}
export type FilePurposes = Readonly<Record<string, FilePurpose>>

export type Streamed = {
  /** How many MB may come in. */
  most: Setting
  /** What a file is by its first bytes; null: none that is taken. */
  typeOf(first: Buffer): string | null
  /** What is said then. */
  refusal: string
  /** It is shown by its id, as a picture is; otherwise its feature hands it out. */
  shown?: true
}

export const PDF_TYPE = 'application/pdf'
const PDF_BEGINS = Buffer.from('%PDF-')
const PDF_ENDS = Buffer.from('%%EOF')
/** What comes after the mark of its end: programs leave a line or two. */
const PDF_TAIL = 1_024

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Who uploads, before a byte of the body is read. Refuses an unknown purpose, a missing session or permission. */
export async function admitUpload(
  purposes: FilePurposes,
  context: CallContext,
  purpose: unknown,
  streamed = false,
): Promise<Actor> {
  const known = typeof purpose === 'string' && Object.hasOwn(purposes, purpose) ? purposes[purpose] : null
  const isMeant = Boolean(known?.streamed) === streamed
  // What keeps the picture is refused where it may not be kept.
  const permission = known?.permission ?? 'session'
  // A program uploads what its verbs are for; a large file comes in parts, to a page that goes on with it.
  const meta = { permission, whileSuspended: true, ...(streamed && { forKeys: false }) } as const
  const actor = await admit(meta, context, true)
  if (!actor || !known || !isMeant) refuseCommon('INPUT_INVALID', { field: 'purpose' })
  return actor
}

export type Stored = { id: string; width: number; height: number; byteSize: number }

/** Keeps a picture of its own making from these bytes, with its row and the log's. Refuses as `encodePicture` does. */
export async function storePicture(
  purposes: FilePurposes,
  context: CallContext,
  actor: Actor,
  upload: { purpose: string; bytes: Buffer },
): Promise<Stored> {
  const { purpose } = upload
  const maxBytes = await mostBytesFor(purposes, context, actor, purpose)
  const declared = purposes[purpose] as FilePurpose
  const picture = await kept(declared, upload.bytes, { maxBytes, agentId: actor.agentId })
  const { id, sealedKey } = await writeBytes(context.services, picture.bytes, declared)
  const { width, height } = picture
  const byteSize = picture.bytes.length
  try {
    await context.services.database.write(identityOf(actor, context.services.walls), async lent => {
      const { ctx } = makeCtx(lent, context, actor)
      await ctx.db.insert(files).values({
        id,
        agentId: actor.agentId,
        purpose,
        mime: picture.mime,
        width,
        height,
        byteSize,
        sealedKey,
        sha256: sha256Of(picture.bytes),
        createdBy: actor.accountId,
        createdAt: ctx.now.toISOString(),
      })
      const size = picture.mime === PDF_TYPE ? 'PDF' : `${width}×${height}`
      const changes = [{ name: '大小', before: null, after: `${size}，${byteSize} 字节` }]
      await logOperation(ctx, { operation: '/files', title: declared.log, subject: id, changes, by: actor })
    })
  } catch (error) {
    await forget(context.services, id)
    throw error
  }
  return { id, width, height, byteSize }
}

type Kept = Omit<Picture, 'mime'> & { mime: Picture['mime'] | typeof PDF_TYPE }

/** What is written of an upload: a picture of our own making; where papers are taken, a PDF as it came. */
async function kept(
  { sealed, side }: FilePurpose,
  bytes: Buffer,
  { maxBytes, agentId }: Required<Pick<PictureLimits, 'maxBytes' | 'agentId'>>,
): Promise<Kept> {
  if (!sealed || !bytes.subarray(0, PDF_BEGINS.length).equals(PDF_BEGINS))
    return encodePicture(bytes, { maxBytes, side, agentId })
  if (bytes.length > maxBytes)
    throw new Refusal('PICTURE_TOO_LARGE', pictureRefusalText('PICTURE_TOO_LARGE', maxBytes))
  if (!bytes.subarray(-PDF_TAIL).includes(PDF_ENDS))
    throw new Refusal('PICTURE_BROKEN', PICTURE_REFUSALS.PICTURE_BROKEN)
  return { mime: PDF_TYPE, bytes, width: 0, height: 0 }
}

/** The bytes of a picture that lie there already, before anything is written of them; `forget` removes them again. */
export type WrittenPicture = {
  row: Pick<
    typeof files.$inferInsert,
    'id' | 'mime' | 'width' | 'height' | 'byteSize' | 'sealedKey' | 'sha256'
  >
  forget(): Promise<void>
}

/**
 * Writes a picture that came within an operation, as its purpose has it. To be called when no connection is held; `keepWritten` then
 * keeps it in the operation's transaction, or it is forgotten. Refuses as `encodePicture` does.
 */
export async function writePicture(
  services: Services,
  upload: { bytes: Buffer; limits: PictureLimits; sealed?: true },
): Promise<WrittenPicture> {
  const { bytes, mime, width, height } = await encodePicture(upload.bytes, upload.limits)
  const { id, sealedKey } = await writeBytes(services, bytes, upload)
  const row = { id, mime, width, height, byteSize: bytes.length, sealedKey, sha256: sha256Of(bytes) }
  return { row, forget: () => forget(services, id) }
}

/** The row of a picture that was written; the operation's own row of the log says so. */
export async function keepWritten(
  ctx: Pick<Ctx, 'db' | 'now'>,
  { row }: WrittenPicture,
  of: { purpose: string; agentId: number; createdBy: number },
): Promise<string> {
  await ctx.db.insert(files).values({ ...row, ...of, createdAt: ctx.now.toISOString() })
  return row.id
}

/** Of an upload that did not come about. What stands in the way is told to the log: its caller has a reason already. */
export async function forget({ storage, onProblem }: Services, id: string): Promise<void> {
  for (const place of placesOf(id)) await storage.delete(place).catch(onProblem)
}

/** How many bytes may ever come in for any purpose; `storePicture` refuses what is too much for its own. */
export function mostBytes(purposes: FilePurposes): number {
  return Math.max(mostOf(PICTURE_KB), ...Object.values(purposes).map(({ most }) => (most ? mostOf(most) : 0)))
}

/** How many bytes the operator lets in for a purpose. */
export async function mostBytesFor(
  purposes: FilePurposes,
  { services }: CallContext,
  actor: Actor,
  purpose: string,
): Promise<number> {
  const most = purposes[purpose]?.most ?? PICTURE_KB
  const kb = await services.database.read(identityOf(actor, services.walls), ({ client }) =>
    settingOf({ client, services }, most),
  )
  return bytesOf(kb)
}

type Shown = { mime: string; bytes: Buffer; isPublic: boolean }

/** The bytes of a picture that is public or that the acting account may look at; NOT_FOUND for any other id. */
export async function readPicture(purposes: FilePurposes, context: CallContext, id: string): Promise<Shown> {
  const file = ID.test(id) ? await findPublic(purposes, context.services, id) : undefined
  if (file) return { ...file, isPublic: true }
  return { ...(await readOwn(purposes, context, id)), isPublic: false }
}

async function findPublic(purposes: FilePurposes, services: Services, id: string) {
  const open = Object.keys(purposes).filter(name => purposes[name]?.public)
  const [row] = await services.database.read(SYSTEM, ({ db }) =>
    db
      .select({ mime: files.mime })
      .from(files)
      .where(and(eq(files.id, id), inArray(files.purpose, open))),
  )
  return row && { mime: row.mime, bytes: await foundBytes(services, id) }
}

/** The bytes of a picture that a row of the caller's names; null where there is none any more. Of a paper: `readBytes`. */
export function pictureBytes({ storage }: Pick<Services, 'storage'>, id: string): Promise<Buffer | null> {
  return readPlain(storage, id)
}

async function foundBytes(services: Services, id: string): Promise<Buffer> {
  return (await pictureBytes(services, id)) ?? refuseCommon('NOT_FOUND')
}

async function readOwn(
  purposes: FilePurposes,
  context: CallContext,
  id: string,
): Promise<Omit<Shown, 'isPublic'>> {
  const actor = await admit({ permission: 'session', forKeys: true }, context, false)
  if (!actor || !ID.test(id)) refuseCommon('NOT_FOUND')
  const { services } = context
  const row = await services.database.read(identityOf(actor, services.walls), async lent => {
    const { ctx } = makeCtx(lent, context, actor)
    const [file] = await ctx.db
      .select({ mime: files.mime })
      .from(files)
      .where(and(eq(files.id, id), readable(ctx, purposes)))
    return found(file)
  })
  return { mime: row.mime, bytes: await foundBytes(services, id) }
}

function readable(ctx: Ctx, purposes: FilePurposes): SQL | undefined {
  const own = ownRows(ctx, files.agentId)
  const shared = Object.keys(purposes).filter(name => purposes[name]?.shared)
  const apart = Object.keys(purposes).filter(name => purposes[name]?.sealed || purposes[name]?.streamed)
  return and(own && or(own, inArray(files.purpose, shared)), notInArray(files.purpose, apart))
}

/** Whether `id` is an upload for this purpose that the acting agent made; vendor staff may use any agent's. */
export async function isUploaded(ctx: Ctx, id: string, purpose: string): Promise<boolean> {
  const rows = await ctx.db
    .select({ id: files.id })
    .from(files)
    .where(and(eq(files.id, id), eq(files.purpose, purpose), ownRows(ctx, files.agentId)))
  return rows.length > 0
}
