// What staff make of an application, and how one is deleted and brought back.
import { and, eq, inArray } from 'drizzle-orm'
import { anotherMay } from '#features/office/access/server-holders.ts'
import { notify } from '#features/office/notices/server-notify.ts'
import { lockMerchant } from '#features/shops/merchants/server-edit.ts'
import type { Out } from '#kit/declare/op.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { found, Refusal, refuse, refuseCommon } from '#server/refuse.ts'
import type { programApplications as contract } from './contract.ts'
import { APPLICATION_FIELDS } from './fields.ts'
import {
  FLOW_NUMBERS,
  PROGRAM_APPLICATION_STATES,
  PROGRAM_APPLICATION_STEPS,
  refuseReason,
  STEP_REFUSALS,
  undecidableText,
} from './rules.ts'
import { type Application, findLive } from './server-rows.ts'
import { nameOf } from './server-save.ts'
import { programApplications as applications } from './tables.ts'

type Shop = Awaited<ReturnType<typeof lockMerchant>>
type Saved = Out<typeof contract.approve>
type Decided = { id: number; revision: number; step: 'approve' | 'reject'; reason: string }

export const approve: Verb<typeof contract.approve> = (ctx, input) =>
  decide(ctx, { ...input, step: 'approve', reason: '' })

export const reject: Verb<typeof contract.reject> = (ctx, input) => {
  refuse(refuseReason(input.reason), STEP_REFUSALS, { field: 'reason' })
  return decide(ctx, { ...input, step: 'reject' })
}

async function decide(ctx: Ctx, { id, revision, step, reason }: Decided): Promise<Saved> {
  const { shop, row } = await lockApplication(ctx, id)
  const text = undecidableText(row, step)
  if (text !== null) throw new Refusal('HANDLED_ALREADY', text)
  if (row.revision !== revision) refuseCommon('STALE')
  await refuseOwn(ctx, row)
  const { from, to } = PROGRAM_APPLICATION_STEPS[step]
  await ctx.db
    .update(applications)
    .set({
      ...{ state: to, reason, revision: revision + 1 },
      ...(step === 'approve' ? FLOW_NUMBERS.reviewed : {}),
      ...{ handledBy: ctx.actor.accountId, handledByName: nameOf(ctx), handledAt: ctx.now.toISOString() },
    })
    .where(
      and(
        eq(applications.id, id),
        inArray(applications.state, [...from]),
        ownRows(ctx, applications.agentId),
      ),
    )
  ctx.object('programApplication', id)
  ctx.note(`${shop.shopName} (${shop.id})`, [
    {
      name: APPLICATION_FIELDS.state.label,
      before: PROGRAM_APPLICATION_STATES[row.state],
      after: PROGRAM_APPLICATION_STATES[to],
    },
    ...(reason === '' ? [] : [{ name: APPLICATION_FIELDS.reason.label, before: null, after: reason }]),
  ])
  await notify(ctx, {
    ...{ agentId: shop.agentId, merchantId: shop.id, holding: 'merchants.list', exceptActor: true },
    topic: 'Approval_Notify',
    title: step === 'approve' ? '小程序申请已通过审核' : '小程序申请未通过审核',
    body: reason === '' ? shop.shopName : `${shop.shopName}：${reason}`,
    link: `/admin/schedule/appApplication?id=${id}`,
    args: { merchantId: shop.id },
  })
  return { id, revision: revision + 1, state: to }
}

/** Nobody decides on what they handed in where another could. */
async function refuseOwn(ctx: Ctx, row: Application): Promise<void> {
  const isOwn = row.submittedBy === ctx.actor.accountId
  if (isOwn && (await anotherMay(ctx, ['programApplications.decide', 'programApplications.list'])))
    refuse('OWN_SUBMISSION', STEP_REFUSALS)
}

/** The shop first, as whoever hands in does. */
export async function lockApplication(ctx: Ctx, id: number): Promise<{ shop: Shop; row: Application }> {
  const own = and(eq(applications.id, id), ownRows(ctx, applications.agentId))
  const [of] = await ctx.db.select({ merchantId: applications.merchantId }).from(applications).where(own)
  const shop = await lockMerchant(ctx, found(of).merchantId)
  const [row] = await ctx.db.select().from(applications).where(own)
  return { shop, row: found(row) }
}

export const remove: Verb<typeof contract.remove> = (ctx, input) => setDeleted(ctx, input, true)
export const restore: Verb<typeof contract.restore> = (ctx, input) => setDeleted(ctx, input, false)

type Seen = { id: number; revision: number }

/** As the documents have it, the row stays and is brought back as it was; its papers stay in use. */
async function setDeleted(ctx: Ctx, { id, revision }: Seen, isDeleted: boolean): Promise<Saved> {
  const { shop, row } = await lockApplication(ctx, id)
  ctx.object('programApplication', id)
  if ((row.deletedAt !== null) === isDeleted) {
    ctx.nothingChanged()
    return { id, revision: row.revision, state: row.state }
  }
  if (row.revision !== revision) refuseCommon('STALE')
  if (!isDeleted && (await findLive(ctx, row.merchantId))) refuse('ANOTHER_STANDS', STEP_REFUSALS)
  await ctx.db
    .update(applications)
    .set({
      revision: revision + 1,
      ...(isDeleted
        ? { deletedAt: ctx.now.toISOString(), deletedByName: nameOf(ctx) }
        : { deletedAt: null, deletedByName: '' }),
    })
    .where(and(eq(applications.id, id), ownRows(ctx, applications.agentId)))
  const name = row.programName || APPLICATION_FIELDS.programName.label
  ctx.note(`${shop.shopName} (${shop.id})`, [
    { name, before: isDeleted ? '使用中' : '已删除', after: isDeleted ? '已删除' : '使用中' },
  ])
  return { id, revision: revision + 1, state: row.state }
}
