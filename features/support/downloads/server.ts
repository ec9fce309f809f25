// Files that staff offer and everyone signed in downloads, whole or in parts (D3 §2 Downloads).
import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { keysIn, picked } from '#kit/declare/fields.ts'
import type { In, Out } from '#kit/declare/op.ts'
import { type Ctx, changesOf, type Verb } from '#server/ctx.ts'
import { isUploaded } from '#server/files.ts'
import {
  type Condition,
  containingConditions,
  filtered,
  type ListSource,
  ownColumns,
  rowsAndTotal,
  sortedBy,
} from '#server/list.ts'
import { serveReadyFile } from '#server/ready-file.ts'
import { found, refuse, refuseCommon, staffAlone } from '#server/refuse.ts'
import { serve } from '#server/serve.ts'
import { readLarge, tagOf } from '#server/storage/large-files.ts'
import { files } from '#server/tables.ts'
import { downloads as contract, downloadsDownloads } from './contract.ts'
import { DOWNLOAD_FIELDS, DOWNLOADS } from './fields.ts'
import {
  brokenIn,
  DOWNLOAD_FILE,
  DOWNLOAD_REFUSALS,
  FILE_TYPE,
  inOrder,
  refuseWithdrawal,
  SAME_DOWNLOAD_MINUTES,
} from './rules.ts'
import { downloadFiles as offered, downloadTakes as takes } from './tables.ts'

type Row = typeof offered.$inferSelect
type Input = In<typeof contract.save>

const LOGGED = picked(DOWNLOAD_FIELDS, keysIn(DOWNLOAD_FIELDS, 'log'))
const ROW = {
  ...ownColumns(offered, keysIn(DOWNLOAD_FIELDS, 'row')),
  fileId: offered.fileId,
  revision: offered.revision,
}

export async function readShown(ctx: Ctx): Promise<Out<typeof contract.shown>> {
  const rows = await ctx.db.select().from(offered).where(isNull(offered.withdrawnAt))
  return { rows: inOrder(rows) }
}

const withdrawnOnly = (on: boolean): Condition[] => [
  on
    ? { key: 'withdrawn', sql: isNotNull(offered.withdrawnAt) }
    : { key: 'offered', sql: isNull(offered.withdrawnAt) },
]

export const listFiles: Verb<typeof contract.list> = async (ctx, { search, ...input }) => {
  staffAlone(ctx)
  const { sort, order } = sortedBy(input, { createdAt: offered.createdAt }, offered.id)
  const list: ListSource = {
    name: 'download files',
    table: offered,
    conditions: [
      ...filtered(DOWNLOADS, input, { withdrawn: withdrawnOnly }, offered),
      ...(search ? containingConditions(offered.searchText, search) : []),
    ],
    sort,
    order,
  }
  return rowsAndTotal(ctx, list, input, page =>
    ctx.db
      .with(page)
      .select(ROW)
      .from(page)
      .innerJoin(offered, eq(offered.id, page.id))
      .orderBy(...order),
  )
}

async function lockFile(ctx: Ctx, id: number): Promise<Row> {
  staffAlone(ctx)
  const [row] = await ctx.db.select().from(offered).where(eq(offered.id, id)).for('update')
  return found(row)
}

const nameOf = ({ id, name, version }: Pick<Row, 'id' | 'name' | 'version'>) => `${name} ${version} (${id})`

export const save: Verb<typeof contract.save> = async (ctx, input) => {
  staffAlone(ctx)
  const before = input.id === null ? null : await lockFile(ctx, input.id)
  if (before && before.revision !== input.revision) refuseCommon('STALE')
  const [broken] = brokenIn(input)
  if (broken) refuse(broken.code, DOWNLOAD_REFUSALS, { field: broken.field })
  const values = { ...textsOf(input), ...(await fileOf(ctx, input, before)) }
  await refuseKnown(ctx, values, before)
  const id = before ? await update(ctx, before, values) : await insert(ctx, values)
  const changes = before
    ? changesOf(before, values, LOGGED)
    : changesOf({} as Row, values, LOGGED).filter(change => change.after)
  ctx.object('download', id)
  ctx.note(nameOf({ id, ...values }), changes)
  return { id }
}

function textsOf(input: Input) {
  const [system, name, version] = [input.system as Row['system'], input.name.trim(), input.version.trim()]
  return { system, name, version, notes: input.notes.trim(), link: input.link.trim() }
}

/** What was uploaded for this, or is its file already. */
async function fileOf(ctx: Ctx, { fileId, fileName }: Input, before: Row | null) {
  if (fileId === null) return { fileId, fileName: '', byteSize: 0, sha256: '' }
  if (fileId !== before?.fileId && !(await isUploaded(ctx, fileId, DOWNLOAD_FILE)))
    refuse('FILE_UNKNOWN', DOWNLOAD_REFUSALS, { field: 'fileId' })
  const [file] = await ctx.db.select().from(files).where(eq(files.id, fileId))
  const { byteSize, sha256 } = found(file)
  return { fileId, fileName: fileName.trim(), byteSize, sha256: sha256 ?? '' }
}

type Values = ReturnType<typeof textsOf> & Awaited<ReturnType<typeof fileOf>>

async function refuseKnown(ctx: Ctx, { system, name, version }: Values, before: Row | null): Promise<void> {
  const [known] = await ctx.db
    .select({ id: offered.id })
    .from(offered)
    .where(and(eq(offered.system, system), eq(offered.name, name), eq(offered.version, version)))
  if (known && known.id !== before?.id) refuse('VERSION_KNOWN', DOWNLOAD_REFUSALS, { field: 'version' })
}

async function insert(ctx: Ctx, values: Values): Promise<number> {
  const by = { createdByName: ctx.actor.name, createdAt: ctx.now.toISOString() }
  const [row] = await ctx.db
    .insert(offered)
    .values({ ...values, ...by })
    .onConflictDoNothing()
    .returning({ id: offered.id })
  if (!row) refuse('VERSION_KNOWN', DOWNLOAD_REFUSALS, { field: 'version' })
  return found(row).id
}

async function update(ctx: Ctx, { id, revision }: Row, values: Values): Promise<number> {
  await ctx.db
    .update(offered)
    .set({ ...values, revision: revision + 1 })
    .where(eq(offered.id, id))
  return id
}

export const withdraw: Verb<typeof contract.withdraw> = async (ctx, { id, on }) => {
  const before = await lockFile(ctx, id)
  refuse(refuseWithdrawal(before.withdrawnAt, on), DOWNLOAD_REFUSALS)
  const after = { withdrawnAt: on ? ctx.now.toISOString() : null }
  await ctx.db
    .update(offered)
    .set({ ...after, revision: before.revision + 1 })
    .where(eq(offered.id, id))
  ctx.object('download', id)
  ctx.note(nameOf(before), changesOf(before, after, LOGGED))
  return { id }
}

/** Staff may still take what is withdrawn. */
export const fileDownload = serveReadyFile(
  downloadsDownloads.file,
  async (ctx, { id }) => {
    const isOffered = ctx.actor.isVendorStaff ? undefined : isNull(offered.withdrawnAt)
    const [row] = await ctx.db
      .select()
      .from(offered)
      .where(and(eq(offered.id, id), isNotNull(offered.fileId), isOffered))
    const file = found(row)
    const fileId = file.fileId ?? ''
    return {
      name: file.fileName,
      type: FILE_TYPE,
      rows: 0,
      logged: { subject: nameOf(file), objects: [`download:${id}`] },
      whole: { byteSize: file.byteSize, tag: tagOf({ id: fileId, sha256: file.sha256 }) },
      open: async part => ({ bytes: await readLarge(ctx.services.storage, fileId, part) }),
    }
  },
  (ctx, { id }) => countTake(ctx, id),
)

/** Counts it, unless the account began it a moment ago: that download broke off. */
async function countTake(ctx: Ctx, downloadId: number): Promise<boolean> {
  const { accountId, agentId } = ctx.actor
  const counted = await ctx.db
    .insert(takes)
    .values({ downloadId, accountId, agentId, takenAt: ctx.now.toISOString() })
    .onConflictDoUpdate({
      target: [takes.downloadId, takes.accountId],
      set: { takenAt: sql`excluded.taken_at` },
      setWhere: sql`${takes.takenAt} < excluded.taken_at - make_interval(mins => ${SAME_DOWNLOAD_MINUTES})`,
    })
    .returning({ downloadId: takes.downloadId })
  if (counted.length === 0) return false
  await ctx.db
    .update(offered)
    .set({ downloads: sql`${offered.downloads} + 1` })
    .where(eq(offered.id, downloadId))
  return true
}

export const downloadsRouter = serve(contract, { shown: readShown, list: listFiles, save, withdraw })
