// The papers of one application as an archive, written while it is sent.
import { Readable } from 'node:stream'
import { and, eq } from 'drizzle-orm'
import { storedPapers } from '#features/care/documents/server-zip.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { formatDay } from '#kit/time.ts'
import { ownRows } from '#server/ctx.ts'
import { takeSlot } from '#server/documents/export.ts'
import { storedZip } from '#server/documents/stored-zip.ts'
import { objectKey } from '#server/operation-log.ts'
import { serveReadyFile } from '#server/ready-file.ts'
import { found, refuse } from '#server/refuse.ts'
import { applicationDownloads } from './contract.ts'
import { STEP_REFUSALS } from './rules.ts'
import { papersIn } from './server-rows.ts'
import { programApplications as applications } from './tables.ts'

export const zipDownload = serveReadyFile(applicationDownloads.zip, async (ctx, { id }) => {
  const [row] = await ctx.db
    .select({ application: applications, shopName: merchants.shopName })
    .from(applications)
    .innerJoin(merchants, eq(merchants.id, applications.merchantId))
    .where(and(eq(applications.id, id), ownRows(ctx, applications.agentId)))
  const { application, shopName } = found(row)
  const { merchantId, agentId } = application
  const ids = papersIn(application)
  refuse(ids.length === 0 ? 'NO_PAPERS' : null, STEP_REFUSALS)
  const { actor, request, services } = ctx
  return {
    name: `${merchantId}_小程序资料_${formatDay(ctx.now)}.zip`,
    type: 'application/zip',
    rows: ids.length,
    logged: {
      ...{ subject: `${shopName} (${merchantId})`, merchantId, aboutAgentId: agentId },
      objects: [objectKey('programApplication', id)],
      changes: [{ name: '份数', before: null, after: `${ids.length} 份` }],
    },
    async open() {
      const slot = takeSlot({ services, request }, actor)
      const bytes = Readable.from(storedZip(storedPapers(ctx, merchantId, ids)))
      bytes.once('close', () => slot.free())
      return { bytes }
    },
  }
})
