// The papers of one application and of the people told beside it as an archive, written while it is sent.
import { and, eq } from 'drizzle-orm'
import { STEP_REFUSALS } from '#features/acquiring/payment-applications/rules.ts'
import { papersIn } from '#features/acquiring/payment-applications/server-rows.ts'
import { paymentApplications as applications } from '#features/acquiring/payment-applications/tables.ts'
import { archiveOf } from '#features/care/documents/server-zip.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { ownRows } from '#server/ctx.ts'
import { objectKey } from '#server/operation-log.ts'
import { serveReadyFile } from '#server/ready-file.ts'
import { found, refuse } from '#server/refuse.ts'
import { onboardingDownloads } from './contract.ts'
import { PERSON_ROLES, toldOf } from './rules.ts'
import { findOnboarding, peopleOf } from './server-known.ts'
import { papersOf } from './server-people.ts'

export const zipDownload = serveReadyFile(onboardingDownloads.zip, async (ctx, { id }) => {
  const [row] = await ctx.db
    .select({ application: applications, shopName: merchants.shopName })
    .from(applications)
    .innerJoin(merchants, eq(merchants.id, applications.merchantId))
    .where(and(eq(applications.id, id), ownRows(ctx, applications.agentId)))
  const { application, shopName } = found(row)
  const { merchantId, agentId } = application
  const onboarding = await findOnboarding(ctx, id)
  const people = onboarding ? toldOf(await peopleOf(ctx, onboarding.id), onboarding.subjectKind) : []
  const papers = new Map([
    ...papersIn(application).map(paper => [paper, ''] as const),
    ...people.flatMap(person =>
      papersOf(person).map(paper => [paper, `${PERSON_ROLES[person.role]}${person.name}`] as const),
    ),
  ])
  refuse(papers.size === 0 ? 'NO_PAPERS' : null, STEP_REFUSALS)
  return archiveOf(
    ctx,
    { merchantId, agentId, shopName },
    { called: '支付申请资料', count: papers.size, papers, objects: [objectKey('paymentApplication', id)] },
  )
})
