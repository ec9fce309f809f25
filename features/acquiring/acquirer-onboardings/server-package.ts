// What is brought to an acquirer by hand: its form as it asks it, and the pictures by the names that it gives them. Written while it is
// sent: one picture is held at a time, and no connection between two.
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { and, eq, ne } from 'drizzle-orm'
import { documents } from '#features/care/documents/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { ACQUIRER_NAMES, type AskedLine, acquirerOf, picturesFor } from '#kit/ports/acquirers.ts'
import { formatDay } from '#kit/time.ts'
import { type Ctx, identityOf, ownRows } from '#server/ctx.ts'
import { takeSlot } from '#server/documents/export.ts'
import { type StoredFile, storedZip } from '#server/documents/stored-zip.ts'
import { writeXlsx } from '#server/documents/xlsx.ts'
import { objectKey } from '#server/operation-log.ts'
import { asJpeg } from '#server/pictures.ts'
import { serveReadyFile } from '#server/ready-file.ts'
import { found, refuse } from '#server/refuse.ts'
import { drawingRoom } from '#server/rooms.ts'
import { makeCtx } from '#server/serve.ts'
import { FILE_ROW, readBytes } from '#server/storage/file-bytes.ts'
import { files } from '#server/tables.ts'
import { acquirerDownloads } from './contract.ts'
import { REFUSALS } from './rules.ts'
import { type AcquirerOnboarding, gather, lineValue, wholeKnown } from './server-known.ts'
import { findOnboarding } from './server-rows.ts'

export const packageDownload = serveReadyFile(acquirerDownloads.package, async (ctx, { id }) => {
  const row = await findOnboarding(ctx, id)
  refuse(row.approvalState === 'approved' ? null : 'NOT_APPROVED', REFUSALS)
  const { merchantId, agentId, channel } = row
  const [shop] = await ctx.db
    .select({ shopName: merchants.shopName })
    .from(merchants)
    .where(and(eq(merchants.id, merchantId), ownRows(ctx, merchants.agentId)))
  const { shopName } = found(shop)
  const { actor, request, services } = ctx
  return {
    name: `${merchantId}_${ACQUIRER_NAMES[channel]}进件_${formatDay(ctx.now)}.zip`,
    type: 'application/zip',
    rows: 1,
    logged: {
      subject: `${shopName} (${merchantId}) ${ACQUIRER_NAMES[channel]}`,
      ...{ merchantId, aboutAgentId: agentId },
      objects: [objectKey('acquirerOnboarding', id)],
    },
    async open() {
      const slot = await takeSlot({ services, request }, actor)
      const bytes = Readable.from(storedZip(packed(ctx, row)))
      bytes.once('close', () => slot.free())
      return { bytes }
    },
  }
})

async function* packed(
  { services, request, actor, now }: Ctx,
  row: AcquirerOnboarding,
): AsyncGenerator<StoredFile> {
  const identity = identityOf(actor, services.walls)
  const { form, lines } = acquirerOf(row.channel)
  const { known, payType, district } = await services.database.write(identity, async lent => {
    const { ctx } = makeCtx(lent, { services, request }, actor)
    const gathered = await gather(ctx, row)
    const { payType, district } = gathered
    return { known: await wholeKnown(ctx, gathered), payType, district }
  })
  const values = lines.map(line => [line.name, lineValue(known, line)] as const)
  const written = (line: AskedLine) => [
    line.name,
    line.written ? line.written(known, district) : lineValue(known, line),
  ]
  yield {
    name: `${form.fileName}.${form.as}`,
    bytes:
      form.as === 'json'
        ? Buffer.from(`${JSON.stringify(Object.fromEntries(lines.map(written)), null, 2)}\n`)
        : await sheetOf(form.fileName, values),
    modifiedAt: now,
  }
  for (const { fileName, paper } of picturesFor(row.channel, payType)) {
    const documentId = row.papers[paper]
    if (documentId === undefined) continue
    const file = await services.database.read(identity, async lent => {
      const { ctx } = makeCtx(lent, { services, request }, actor)
      const [one] = await ctx.db
        .select({ file: FILE_ROW })
        .from(documents)
        .innerJoin(files, eq(files.id, documents.fileId))
        .where(
          and(eq(documents.id, documentId), ne(documents.state, 'erased'), ownRows(ctx, documents.agentId)),
        )
      return one?.file
    })
    const bytes = file && (await readBytes(services, file))
    if (bytes)
      yield {
        name: `${fileName}.jpg`,
        bytes: await drawingRoom.run(actor.agentId, () => asJpeg(bytes)),
        modifiedAt: now,
      }
  }
}

function sheetOf(sheetName: string, values: readonly (readonly [string, string])[]): Promise<Buffer> {
  async function* rows() {
    yield [values.map(([, value]) => value)]
  }
  return buffer(
    writeXlsx({
      sheetName,
      columns: values.map(([header]) => ({ header, kind: 'text' as const })),
      rows: rows(),
    }),
  )
}
