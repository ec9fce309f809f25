// A mini program that a shop has already: recorded with what it is for; its owner's authorisation is what it waits for (D2 §2 22; D3 §2).
import { and, eq } from 'drizzle-orm'
import { REFUSALS as MERCHANT_REFUSALS, refuseDisabled } from '#features/shops/merchants/rules.ts'
import { lockMerchant } from '#features/shops/merchants/server-edit.ts'
import { ownRows, type Verb } from '#server/ctx.ts'
import { found, refuse, refuseCommon } from '#server/refuse.ts'
import type { programApplications as contract } from './contract.ts'
import { APPLICATION_FIELDS } from './fields.ts'
import { APPLICATION_KINDS, FLOW_NUMBERS, PROGRAM_TYPES, STEP_REFUSALS } from './rules.ts'
import { lockApplication } from './server-decide.ts'
import { findLive } from './server-rows.ts'
import { changesOf, nameOf } from './server-save.ts'
import { programApplications as applications } from './tables.ts'

export const addExisting: Verb<typeof contract.addExisting> = async (ctx, { merchantId, programType }) => {
  const shop = await lockMerchant(ctx, merchantId)
  refuse(refuseDisabled(shop.status), MERCHANT_REFUSALS)
  if (await findLive(ctx, merchantId)) refuse('ANOTHER_STANDS', STEP_REFUSALS)
  const now = ctx.now.toISOString()
  const [row] = await ctx.db
    .insert(applications)
    .values({
      ...{ kind: 'existing', state: 'approved', programType, merchantId, agentId: shop.agentId },
      ...{ ...FLOW_NUMBERS.existing, createdAt: now, submittedAt: now, handledAt: now },
      ...{ savedBy: ctx.actor.accountId, savedByName: nameOf(ctx) },
      ...{ submittedBy: ctx.actor.accountId, submittedByName: nameOf(ctx) },
    })
    .returning()
  const { id, revision, state } = found(row)
  ctx.object('programApplication', id)
  ctx.note(`${shop.shopName} (${shop.id})`, [
    { name: APPLICATION_FIELDS.kind.label, before: null, after: APPLICATION_KINDS.existing },
    { name: APPLICATION_FIELDS.programType.label, before: null, after: PROGRAM_TYPES[programType] },
  ])
  return { id, revision, state }
}

export const setType: Verb<typeof contract.setType> = async (ctx, { id, revision, programType }) => {
  const { shop, row } = await lockApplication(ctx, id)
  refuse(row.deletedAt === null ? null : 'DELETED_ALREADY', STEP_REFUSALS)
  refuse(row.kind === 'existing' ? null : 'NOT_EXISTING', STEP_REFUSALS)
  if (row.revision !== revision) refuseCommon('STALE')
  ctx.object('programApplication', id)
  if (row.programType === programType) {
    ctx.nothingChanged()
    return { id, revision, state: row.state }
  }
  await ctx.db
    .update(applications)
    .set({ programType, revision: revision + 1 })
    .where(and(eq(applications.id, id), ownRows(ctx, applications.agentId)))
  ctx.note(`${shop.shopName} (${shop.id})`, changesOf(row, { ...row, programType }))
  return { id, revision: revision + 1, state: row.state }
}
