// The papers of one application as an archive, written while it is sent.
import { and, eq } from 'drizzle-orm'
import { archiveOf } from '#features/care/documents/server-zip.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { ownRows } from '#server/ctx.ts'
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
  const papers = new Map(papersIn(application).map(paper => [paper, '']))
  refuse(papers.size === 0 ? 'NO_PAPERS' : null, STEP_REFUSALS)
  return archiveOf(
    ctx,
    { merchantId, agentId, shopName },
    { called: '小程序资料', count: papers.size, papers, objects: [objectKey('programApplication', id)] },
  )
})
