// The licence of an applicant: sealed as the papers of shops are, and shown with a mark of who looks.
import { Readable } from 'node:stream'
import { and, eq } from 'drizzle-orm'
import { marked } from '#features/care/documents/server-watermark.ts'
import { formatInstant } from '#kit/time.ts'
import { objectKey } from '#server/operation-log.ts'
import { serveReadyFile } from '#server/ready-file.ts'
import { found } from '#server/refuse.ts'
import { FILE_ROW, readBytes } from '#server/storage/file-bytes.ts'
import { files } from '#server/tables.ts'
import { partnerApplicationDownloads } from './contract.ts'
import { staffOnly } from './server.ts'
import { partnerApplications as rows } from './tables.ts'

export const licenceDownload = serveReadyFile(partnerApplicationDownloads.licence, async (ctx, { id }) => {
  const [row] = await ctx.db
    .select({ companyName: rows.companyName, file: FILE_ROW })
    .from(rows)
    .innerJoin(files, eq(files.id, rows.licenceId))
    .where(and(eq(rows.id, id), staffOnly(ctx)))
  const { companyName, file } = found(row)
  const { name, loginName } = ctx.actor
  const mark = `${name} ${loginName} ${formatInstant(ctx.now)} 合作申请`
  return {
    name: `${companyName}-营业执照-${id}.png`,
    type: 'image/png',
    rows: 0,
    logged: { subject: `${companyName} (${id})`, objects: [objectKey('application', id)] },
    async open() {
      const bytes = await marked(found((await readBytes(ctx.services, file)) ?? undefined), mark)
      return { byteSize: bytes.length, bytes: Readable.from([bytes]) }
    },
  }
})
