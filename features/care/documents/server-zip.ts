// The papers of a shop as one archive. It is written while it is sent: one picture is held at a time, and no connection between two.
import { Readable } from 'node:stream'
import { and, asc, eq, gt, inArray, ne } from 'drizzle-orm'
import { merchants } from '#features/shops/merchants/tables.ts'
import { formatDay } from '#kit/time.ts'
import { type Ctx, identityOf, ownRows } from '#server/ctx.ts'
import { takeSlot } from '#server/documents/export.ts'
import { type StoredFile, storedZip } from '#server/documents/stored-zip.ts'
import { asJpeg } from '#server/pictures.ts'
import { serveReadyFile } from '#server/ready-file.ts'
import { found, Refusal } from '#server/refuse.ts'
import { drawingRoom } from '#server/rooms.ts'
import { makeCtx } from '#server/serve.ts'
import { FILE_ROW, readBytes } from '#server/storage/file-bytes.ts'
import { files } from '#server/tables.ts'
import { documentDownloads } from './contract.ts'
import { DOCUMENT_REFUSALS, paperName, ZIP_PAPERS_MOST } from './rules.ts'
import { documents } from './tables.ts'

/** Papers whose rows are read at once. */
const PAGE = 100

export const zipDownload = serveReadyFile(documentDownloads.zip, async (ctx, { merchantId }) => {
  const [shop] = await ctx.db
    .select({ agentId: merchants.agentId, shopName: merchants.shopName })
    .from(merchants)
    .where(and(eq(merchants.id, merchantId), ownRows(ctx, merchants.agentId)))
  const { agentId, shopName } = found(shop)
  const count = await ctx.db.$count(documents, kept(ctx, merchantId, 0))
  if (count === 0) throw new Refusal('NO_DOCUMENTS', DOCUMENT_REFUSALS.NO_DOCUMENTS)
  if (count > ZIP_PAPERS_MOST) throw new Refusal('ZIP_TOO_MANY', DOCUMENT_REFUSALS.ZIP_TOO_MANY)
  return archiveOf(ctx, { merchantId, agentId, shopName }, { called: '证件资料', count })
})

type Archive = {
  /** What the file is called. */
  called: string
  count: number
  /** These alone, each by its id with whose it is beside the shop's; empty: the shop's own. */
  papers?: ReadonlyMap<number, string>
  /** Which object's history tells of it. */
  objects?: readonly string[]
}

/** The answer of a download of papers of one shop, written while it is sent. */
export function archiveOf(
  ctx: Ctx,
  { merchantId, agentId, shopName }: { merchantId: number; agentId: number; shopName: string },
  { called, count, papers, objects }: Archive,
) {
  const { actor, request, services } = ctx
  return {
    name: `${merchantId}_${called}_${formatDay(ctx.now)}.zip`,
    type: 'application/zip',
    rows: count,
    logged: {
      ...{ subject: `${shopName} (${merchantId})`, merchantId, aboutAgentId: agentId },
      ...(objects && { objects }),
      changes: [{ name: '份数', before: null, after: `${count} 份` }],
    },
    async open() {
      const slot = await takeSlot({ services, request }, actor)
      const bytes = Readable.from(storedZip(storedPapers(ctx, merchantId, papers)))
      bytes.once('close', () => slot.free())
      return { bytes }
    },
  }
}

function kept(ctx: Ctx, merchantId: number, after: number) {
  return and(
    eq(documents.merchantId, merchantId),
    ne(documents.state, 'erased'),
    gt(documents.id, after),
    ownRows(ctx, documents.agentId),
  )
}

/** Read page by page as whoever asks may at that moment; what is erased meanwhile is not in it. */
async function* storedPapers(
  { services, request, actor }: Ctx,
  merchantId: number,
  only: Archive['papers'],
): AsyncGenerator<StoredFile> {
  const taken = new Set<string>()
  for (let after = 0; ; ) {
    const rows = await services.database.read(identityOf(actor, services.walls), lent => {
      const { ctx } = makeCtx(lent, { services, request }, actor)
      return ctx.db
        .select({ id: documents.id, kind: documents.kind, createdAt: documents.createdAt, file: FILE_ROW })
        .from(documents)
        .innerJoin(files, eq(files.id, documents.fileId))
        .where(and(kept(ctx, merchantId, after), only && inArray(documents.id, [...only.keys()])))
        .orderBy(asc(documents.id))
        .limit(PAGE)
    })
    for (const { id, kind, createdAt, file } of rows) {
      after = id
      const bytes = await readBytes(services, file)
      if (!bytes) continue
      yield {
        name: paperName({ merchantId, kind, whose: only?.get(id) ?? '', day: formatDay(createdAt) }, taken),
        bytes: await drawingRoom.run(actor.agentId, () => asJpeg(bytes)),
        modifiedAt: new Date(createdAt),
      }
    }
    if (rows.length < PAGE) return
  }
}
