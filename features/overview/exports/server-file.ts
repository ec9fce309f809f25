import { and, eq } from 'drizzle-orm'
import { formatDay } from '#kit/time.ts'
import { XLSX_TYPE } from '#server/documents/xlsx.ts'
import { serveReadyFile } from '#server/ready-file.ts'
import { found, refuse } from '#server/refuse.ts'
import { exportDownloads } from './contract.ts'
import { REFUSALS, refuseFetch } from './rules.ts'
import { ownJobs } from './server.ts'
import { exportKey } from './server-write.ts'
import { exportJobs } from './tables.ts'

/** The finished file, for the account that asked for it. */
export const exportFileDownload = serveReadyFile(exportDownloads.file, async (ctx, { id }) => {
  const [job] = await ctx.db
    .select()
    .from(exportJobs)
    .where(and(ownJobs(ctx), eq(exportJobs.id, id)))
  const { state, expiresAt, createdAt, title, rowsWritten } = found(job)
  refuse(refuseFetch(state, expiresAt === null ? null : Date.parse(expiresAt), ctx.now.getTime()), REFUSALS)
  return {
    name: `${title}-${formatDay(new Date(createdAt))}.xlsx`,
    type: XLSX_TYPE,
    rows: rowsWritten,
    async open() {
      const file = await ctx.services.storage.get(exportKey(id))
      if (!file) refuse('FILE_GONE', REFUSALS)
      return file as NonNullable<typeof file>
    },
  }
})
