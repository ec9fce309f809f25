// The owner's signature: sealed as papers are, and shown with a mark of who looks.
import { Readable } from 'node:stream'
import { and, eq } from 'drizzle-orm'
import { marked } from '#features/care/documents/server-watermark.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { formatInstant } from '#kit/time.ts'
import { ownRows } from '#server/ctx.ts'
import { objectKey } from '#server/operation-log.ts'
import { serveReadyFile } from '#server/ready-file.ts'
import { found } from '#server/refuse.ts'
import { FILE_ROW, readBytes } from '#server/storage/file-bytes.ts'
import { files } from '#server/tables.ts'
import { ownerPapersDownloads } from './contract.ts'
import { ownerPapers as table } from './tables.ts'

export const signatureDownload = serveReadyFile(ownerPapersDownloads.signature, async (ctx, { id }) => {
  const [row] = await ctx.db
    .select({
      ...{ shopName: merchants.shopName, merchantId: table.merchantId, agentId: table.agentId },
      file: FILE_ROW,
    })
    .from(table)
    .innerJoin(merchants, eq(merchants.id, table.merchantId))
    .innerJoin(files, eq(files.id, table.signatureId))
    .where(and(eq(table.id, id), ownRows(ctx, table.agentId)))
  const { shopName, merchantId, agentId, file } = found(row)
  const { name, loginName } = ctx.actor
  const mark = `${name} ${loginName} ${formatInstant(ctx.now)} 支付进件`
  return {
    name: `${shopName}-店主签名-${id}.png`,
    type: 'image/png',
    rows: 0,
    logged: {
      ...{ subject: `${shopName} (${merchantId})`, merchantId, aboutAgentId: agentId },
      objects: [objectKey('merchant', merchantId)],
    },
    async open() {
      const bytes = await marked(found((await readBytes(ctx.services, file)) ?? undefined), mark)
      return { byteSize: bytes.length, bytes: Readable.from([bytes]) }
    },
  }
})
