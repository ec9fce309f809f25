// What staff write about a partner, and keep of what was signed: the partner itself sees none of it.
import { Readable } from 'node:stream'
import { and, desc, eq, getTableColumns, lt, type SQL, sql } from 'drizzle-orm'
import type { Ctx, Verb } from '#server/ctx.ts'
import { isUploaded, PDF_TYPE } from '#server/files.ts'
import { asPng } from '#server/pictures.ts'
import { serveReadyFile } from '#server/ready-file.ts'
import { found, refuse, refuseBroken, refuseCommon } from '#server/refuse.ts'
import { FILE_ROW, readBytes } from '#server/storage/file-bytes.ts'
import { files } from '#server/tables.ts'
import { type partnerDesk as contract, partnerDeskDownloads } from './contract.ts'
import { NOTE, PAPER_FIELDS } from './fields.ts'
import { DESK_REFUSALS, LIMITS, PAGE_ROWS, PAPER_FILE, PAPER_KINDS, refusePaper } from './rules.ts'
import { known, pageOfRows } from './server-people.ts'
import { partnerNotes as notes, partnerPapers as papers } from './tables.ts'

/** First wall: they are the vendor's, whoever they are about. */
function staffOnly(ctx: Ctx): SQL | undefined {
  return ctx.actor.isVendorStaff || !ctx.services.walls.explicitScope ? undefined : sql`false`
}

const subjectOf = ({ id, companyName }: { id: number; companyName: string }) => `${companyName} (${id})`

export const listNotes: Verb<typeof contract.notes> = async (ctx, { id, before }) => {
  await known(ctx, id)
  const rows = await ctx.db
    .select(getTableColumns(notes))
    .from(notes)
    .where(
      and(eq(notes.agentId, id), staffOnly(ctx), before === undefined ? undefined : lt(notes.id, before)),
    )
    .orderBy(desc(notes.id))
    .limit(PAGE_ROWS + 1)
  return pageOfRows(rows)
}

export const writeNote: Verb<typeof contract.writeNote> = async (ctx, { id, text }) => {
  if (!ctx.actor.isVendorStaff) refuseCommon('NOT_FOUND')
  refuseBroken(NOTE, { text })
  const agent = await known(ctx, id)
  const [row] = await ctx.db
    .insert(notes)
    .values({ agentId: id, text, ...by(ctx) })
    .returning({ id: notes.id })
  // Not `about` the partner: its own log would show what it is not to see.
  ctx.object('agent', id)
  ctx.note(subjectOf(agent), [{ name: '备注', before: null, after: text }])
  return { id: found(row).id }
}

function by(ctx: Ctx) {
  return {
    createdBy: ctx.actor.accountId,
    createdByName: ctx.actor.name,
    createdAt: ctx.now.toISOString(),
  }
}

export const listPapers: Verb<typeof contract.papers> = async (ctx, { id }) => {
  await known(ctx, id)
  const rows = await ctx.db
    .select({ ...getTableColumns(papers), mime: files.mime, byteSize: files.byteSize })
    .from(papers)
    .innerJoin(files, eq(files.id, papers.fileId))
    .where(and(eq(papers.agentId, id), staffOnly(ctx)))
    .orderBy(desc(papers.id))
    .limit(LIMITS.papers)
  return { rows: rows.map(row => ({ ...row, isPdf: row.mime === PDF_TYPE })) }
}

export const addPaper: Verb<typeof contract.addPaper> = async (ctx, { id, kind, name, fileId }) => {
  if (!ctx.actor.isVendorStaff) refuseCommon('NOT_FOUND')
  const broken = refusePaper({ name, fileId })
  if (broken) refuse(broken.code, DESK_REFUSALS, { field: broken.field })
  const agent = await known(ctx, id)
  await ctx.client.query(`select pg_advisory_xact_lock(hashtextextended('papers of a partner', $1))`, [id])
  const kept = await ctx.db.$count(papers, eq(papers.agentId, id))
  refuse(kept >= LIMITS.papers ? 'PAPERS_TOO_MANY' : null, DESK_REFUSALS)
  const file = fileId ?? ''
  if (!(await isUploaded(ctx, file, PAPER_FILE)))
    refuse('PAPER_FILE_UNKNOWN', DESK_REFUSALS, { field: 'fileId' })
  const [row] = await ctx.db
    .insert(papers)
    .values({ agentId: id, kind, name, fileId: file, ...by(ctx) })
    .returning({ id: papers.id })
  ctx.object('agent', id)
  ctx.object('file', file)
  ctx.note(subjectOf(agent), [
    { name: PAPER_FIELDS.name.label, before: null, after: `${PAPER_KINDS[kind]}：${name}` },
  ])
  return { id: found(row).id }
}

/** The row goes; the file follows within a day. */
export const removePaper: Verb<typeof contract.removePaper> = async (ctx, { id, paperId }) => {
  const agent = await known(ctx, id)
  const [gone] = await ctx.db
    .delete(papers)
    .where(and(eq(papers.id, paperId), eq(papers.agentId, id), staffOnly(ctx)))
    .returning()
  const { name, fileId } = found(gone)
  ctx.object('agent', id)
  ctx.object('file', fileId)
  ctx.note(subjectOf(agent), [{ name: PAPER_FIELDS.name.label, before: name, after: '已移除' }])
  return { removed: true }
}

/** As it was uploaded where it is a PDF; a picture as PNG, which everything opens. */
export const paperDownload = serveReadyFile(partnerDeskDownloads.paper, async (ctx, { id, paperId }) => {
  const agent = await known(ctx, id)
  const [row] = await ctx.db
    .select({ name: papers.name, mime: files.mime, file: FILE_ROW })
    .from(papers)
    .innerJoin(files, eq(files.id, papers.fileId))
    .where(and(eq(papers.id, paperId), eq(papers.agentId, id), staffOnly(ctx)))
  const { name, mime, file } = found(row)
  const isPdf = mime === PDF_TYPE
  return {
    name: `${agent.companyName}-${name}.${isPdf ? 'pdf' : 'png'}`,
    type: isPdf ? PDF_TYPE : 'image/png',
    rows: 0,
    async open() {
      const kept = found((await readBytes(ctx.services, file)) ?? undefined)
      const bytes = isPdf ? kept : await asPng(kept)
      return { byteSize: bytes.length, bytes: Readable.from([bytes]) }
    },
  }
})
