// The files of demands: what they are for, and attachments, which are handed out as files.
import { Readable } from 'node:stream'
import { and, eq } from 'drizzle-orm'
import type { Verb } from '#server/ctx.ts'
import { type FilePurposes, isUploaded, PDF_TYPE } from '#server/files.ts'
import { asPng } from '#server/pictures.ts'
import { serveReadyFile } from '#server/ready-file.ts'
import { found, refuse } from '#server/refuse.ts'
import { FILE_ROW, readBytes } from '#server/storage/file-bytes.ts'
import { files } from '#server/tables.ts'
import { type demands as contract, demandsDownloads } from './contract.ts'
import {
  DEMAND_FILE,
  DEMAND_FILE_KB,
  DEMAND_LIMITS,
  DEMAND_PICTURE,
  LINK_REFUSALS,
  refuseChange,
} from './rules.ts'
import { lockDemand, readDemand, record, subjectOf } from './server-rows.ts'
import { demandFiles } from './tables.ts'

export const DEMAND_FILES: FilePurposes = {
  [DEMAND_PICTURE]: {
    permission: 'demands.edit',
    log: '上传需求图片',
    shared: false,
    usedBy: [{ table: 'demand_pictures', column: 'file_id' }],
  },
  [DEMAND_FILE]: {
    permission: 'demands.edit',
    log: '上传需求附件',
    shared: false,
    sealed: true,
    most: DEMAND_FILE_KB,
    usedBy: [{ table: 'demand_files', column: 'file_id' }],
  },
}

export const addFile: Verb<typeof contract.addFile> = async (ctx, { id, fileId, name }) => {
  const demand = await lockDemand(ctx, id)
  refuse(refuseChange(demand), LINK_REFUSALS)
  refuse(name === '' ? 'FILE_NAME_REQUIRED' : null, LINK_REFUSALS, { field: 'name' })
  const count = await ctx.db.$count(demandFiles, eq(demandFiles.demandId, id))
  refuse(count >= DEMAND_LIMITS.files ? 'FILES_TOO_MANY' : null, LINK_REFUSALS)
  if (!(await isUploaded(ctx, fileId, DEMAND_FILE)))
    refuse('FILE_UNKNOWN', LINK_REFUSALS, { field: 'fileId' })
  const [file] = await ctx.db.select({ mime: files.mime }).from(files).where(eq(files.id, fileId))
  const [row] = await ctx.db
    .insert(demandFiles)
    .values({
      ...{ demandId: id, fileId, name: name.slice(0, DEMAND_LIMITS.fileName) },
      isPdf: found(file).mime === PDF_TYPE,
      createdByName: ctx.actor.name,
      createdAt: ctx.now.toISOString(),
    })
    .returning({ id: demandFiles.id })
  const change = { name: '附件', before: null, after: name }
  await record(ctx, id, { title: '新增了附件', changes: [change] })
  ctx.object('demand', id)
  ctx.object('file', fileId)
  ctx.note(subjectOf(demand), [change])
  return { id: found(row).id }
}

/** The row goes; the file follows within a day. */
export const removeFile: Verb<typeof contract.removeFile> = async (ctx, { id, fileId }) => {
  const demand = await lockDemand(ctx, id)
  refuse(refuseChange(demand), LINK_REFUSALS)
  const [gone] = await ctx.db
    .delete(demandFiles)
    .where(and(eq(demandFiles.id, fileId), eq(demandFiles.demandId, id)))
    .returning()
  const change = { name: '附件', before: found(gone).name, after: '已移除' }
  await record(ctx, id, { title: '移除了附件', changes: [change] })
  ctx.object('demand', id)
  ctx.note(subjectOf(demand), [change])
  return { id }
}

/** As it was uploaded where it is a PDF; a picture as PNG, which everything opens. */
export const fileDownload = serveReadyFile(demandsDownloads.file, async (ctx, { id, fileId }) => {
  await readDemand(ctx, id)
  const [row] = await ctx.db
    .select({ name: demandFiles.name, isPdf: demandFiles.isPdf, file: FILE_ROW })
    .from(demandFiles)
    .innerJoin(files, eq(files.id, demandFiles.fileId))
    .where(and(eq(demandFiles.id, fileId), eq(demandFiles.demandId, id)))
  const { name, isPdf, file } = found(row)
  return {
    name: `${name}.${isPdf ? 'pdf' : 'png'}`,
    type: isPdf ? PDF_TYPE : 'image/png',
    rows: 0,
    async open() {
      const kept = found((await readBytes(ctx.services, file)) ?? undefined)
      const bytes = isPdf ? kept : await asPng(kept)
      return { byteSize: bytes.length, bytes: Readable.from([bytes]) }
    },
  }
})
