// What the operator changes of a partner that is there: its terms, and whether it may act.
import { and, desc, eq } from 'drizzle-orm'
import {
  type Agent,
  depthBelow,
  lockAgent,
  lockTree,
  markResumed,
  markSuspended,
  updateTerms,
} from '#features/office/agents/server-operator.ts'
import { agents } from '#features/office/agents/tables.ts'
import { notify } from '#features/office/notices/server-notify.ts'
import { noticeText } from '#features/office/notices/server-texts.ts'
import { saveChannels } from '#features/sales/payments/server-manage.ts'
import { agentPayChannels } from '#features/sales/payments/tables.ts'
import { saveOfferedMethods } from '#features/shops/merchants/server-payment.ts'
import { agentPaymentMethods } from '#features/shops/merchants/tables.ts'
import { holdMessages, releaseMessages } from '#features/shops/messages/server-held.ts'
import { PAY_CHANNELS } from '#kit/ports/channels.ts'
import { maskPhone } from '#kit/words/phone.ts'
import { type Ctx, changesOf, ownRows, type Verb } from '#server/ctx.ts'
import { found, refuse } from '#server/refuse.ts'
import type { partners as contract } from './contract.ts'
import {
  brokenTerms,
  type Channels,
  invitationState,
  refuseResuming,
  refuseSuspension,
  refuseSuspensionReason,
  SUSPENSION_REFUSALS,
} from './rules.ts'
import { tellOfParent } from './server-parent.ts'
import { checkTerms, LOGGED, refuseField, termsOf, toldTerms } from './server-take-on.ts'
import { partnerInvitations as invitations } from './tables.ts'

const DONE = { done: true } as const

export const showTerms: Verb<typeof contract.terms> = async (ctx, { id }) => {
  const [agent] = await ctx.db
    .select()
    .from(agents)
    .where(and(eq(agents.id, id), ownRows(ctx, agents.id)))
  const [last] = await ctx.db
    .select()
    .from(invitations)
    .where(and(eq(invitations.agentId, id), eq(invitations.isReset, false)))
    .orderBy(desc(invitations.id))
    .limit(1)
  return {
    ...(await termsAt(ctx, found(agent))),
    isOperator: found(agent).isOperator,
    status: found(agent).status,
    suspendedFor: found(agent).suspendedFor,
    invitation: last
      ? {
          state: invitationState(last, ctx.now.getTime()),
          phone: maskPhone(last.phone),
          createdAt: last.createdAt,
          expiresAt: last.expiresAt,
        }
      : null,
  }
}

/** A partner's terms as its row and the lists beside it have them. */
async function termsAt(ctx: Ctx, agent: Agent) {
  const methods = await ctx.db
    .select({ id: agentPaymentMethods.paymentMethodId })
    .from(agentPaymentMethods)
    .where(eq(agentPaymentMethods.agentId, agent.id))
  const set = await ctx.db.select().from(agentPayChannels).where(eq(agentPayChannels.agentId, agent.id))
  const channels = Object.fromEntries(
    PAY_CHANNELS.map(channel => [channel, set.find(one => one.channel === channel)?.enabled ?? null]),
  ) as Channels
  return { ...termsOf(agent), methodIds: methods.map(({ id }) => id), channels }
}

export const edit: Verb<typeof contract.edit> = async (ctx, { id, ...input }) => {
  const [broken] = brokenTerms(input)
  if (broken) refuseField(broken.code, broken.field)
  await lockTree(ctx)
  const agent = await lockAgent(ctx, id)
  const before = await termsAt(ctx, agent)
  const { isVendorStaff, parentId, districtCode } = agent
  await checkTerms(ctx, input, {
    ...{ id, isVendorStaff, parentId, districtCode },
    depthBelow: await depthBelow(ctx, id),
  })
  const told = await toldTerms(ctx, input)
  const changes = changesOf((await toldTerms(ctx, before)) as Record<string, unknown>, told, LOGGED)
  ctx.about(id)
  ctx.note(`${agent.companyName} (${id})`, changes)
  if (changes.length === 0) ctx.nothingChanged()
  else {
    const isTaken = (await updateTerms(ctx, id, termsOf(input))) === 'taken'
    refuseField(isTaken ? 'COMPANY_TAKEN' : null, 'companyName')
    await saveOfferedMethods(ctx, id, input.methodIds)
    await saveChannels(ctx, id, input.channels)
    if (parentId !== input.parentId) await tellOfParent(ctx, agent, input.parentId)
  }
  return DONE
}

export const suspend: Verb<typeof contract.suspend> = async (ctx, { id, reason }) => {
  refuse(refuseSuspensionReason(reason), SUSPENSION_REFUSALS, { field: 'reason' })
  const agent = await lockAgent(ctx, id)
  refuse(refuseSuspension(agent), SUSPENSION_REFUSALS)
  await markSuspended(ctx, id, reason)
  await holdMessages(ctx, id)
  ctx.about(id)
  ctx.note(`${agent.companyName} (${id})`, [
    { name: '状态', before: '正常', after: '已暂停' },
    { name: '原因', before: null, after: reason },
  ])
  await tell(ctx, id, await noticeText(ctx, 'suspended', { reason }))
  return DONE
}

export const resume: Verb<typeof contract.resume> = async (ctx, { id }) => {
  const agent = await lockAgent(ctx, id)
  refuse(refuseResuming(agent.status), SUSPENSION_REFUSALS)
  await markResumed(ctx, id)
  await releaseMessages(ctx, id)
  ctx.about(id)
  ctx.note(`${agent.companyName} (${id})`, [{ name: '状态', before: '已暂停', after: '正常' }])
  await tell(ctx, id, await noticeText(ctx, 'resumed'))
  return DONE
}

async function tell(ctx: Ctx, agentId: number, text: { title: string; body: string }): Promise<void> {
  await notify(ctx, { agentId, ...text, topic: 'Security_Notify', link: '/admin/index' })
}
