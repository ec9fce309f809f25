// The second pair of eyes: requests to undo, and the account that approves or rejects them, never the one that asked.
import { and, desc, eq, inArray } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { keysIn } from '#kit/declare/fields.ts'
import { formatCents } from '#kit/money.ts'
import { type Ctx, type InboxSource, ownRows, type Verb } from '#server/ctx.ts'
import { equal, filtered, type ListSource, ownColumns, ownCondition, rowsAndTotal } from '#server/list.ts'
import { isWord } from '#server/office/inbox.ts'
import { refuseSecond } from '#server/office/second.ts'
import { found, refuse } from '#server/refuse.ts'
import type { settlement as contract } from './contract.ts'
import { REQUEST_FIELDS, UNDO_REQUESTS } from './fields.ts'
import { refuseDecider, refuseDecision, SETTLEMENT_REFUSALS, UNDO_REQUEST_STEPS } from './rules.ts'
import { tellDecided } from './server-notices.ts'
import {
  noteUndo,
  performUndo,
  previewsOf,
  refuseNothingLeft,
  tellTaken,
  tokensBackOf,
} from './server-undo.ts'
import { undoRequests } from './tables.ts'

const ROW = {
  ...ownColumns(undoRequests, keysIn(REQUEST_FIELDS, 'row')),
  agentName: agents.companyName,
  requestedBy: undoRequests.requestedBy,
}

export const listUndoRequests: Verb<typeof contract.undoRequests> = async (ctx, input) => {
  const list: ListSource = {
    name: 'undo requests',
    table: undoRequests,
    conditions: [
      ...ownCondition(ctx, undoRequests.agentId),
      ...equal('agentId', undoRequests.agentId, input.agentId),
      ...filtered(UNDO_REQUESTS, input, { state: undoRequests.state }),
    ],
    sort: 'id',
    order: [desc(undoRequests.id)],
  }
  return rowsAndTotal(ctx, list, input, page =>
    ctx.db
      .with(page)
      .select(ROW)
      .from(page)
      .innerJoin(undoRequests, eq(undoRequests.id, page.id))
      .innerJoin(agents, eq(agents.id, undoRequests.agentId))
      .orderBy(desc(undoRequests.id)),
  )
}

async function findRequest(ctx: Ctx, id: number) {
  const [request] = await ctx.db
    .select(ROW)
    .from(undoRequests)
    .innerJoin(agents, eq(agents.id, undoRequests.agentId))
    .where(and(eq(undoRequests.id, id), ownRows(ctx, undoRequests.agentId)))
  return found(request)
}

export const requestPreview: Verb<typeof contract.requestPreview> = async (ctx, { id }) => {
  const request = await findRequest(ctx, id)
  return { ...request, previews: await previewsOf(ctx, request, request.requestedAt) }
}

/** Undoes the order with all rules again; its 15 days count to the day it was asked for. */
export const approveUndo: Verb<typeof contract.approveUndo> = async (ctx, { id, decision }) => {
  const request = await decide(ctx, id, 'approve', decision)
  refuseNothingLeft(await previewsOf(ctx, request, request.requestedAt))
  const previews = await performUndo(ctx, request, request.requestedAt)
  await tellDecided(ctx, { ...request, cents: tokensBackOf(previews) }, 'approved', {
    requestedBy: request.requestedBy,
    decision: decision.trim(),
  })
  await tellTaken(ctx, request, previews, request.requestedBy)
  noteUndo(ctx, request.kind, request.orderNo, previews, [
    { name: '撤销原因', before: null, after: request.reason },
    { name: '审批', before: '待审批', after: '已通过' },
    { name: '审批意见', before: null, after: decision.trim() },
  ])
  return { state: 'undone', previews }
}

export const rejectUndo: Verb<typeof contract.rejectUndo> = async (ctx, { id, decision }) => {
  const request = await decide(ctx, id, 'reject', decision)
  await tellDecided(ctx, { ...request, cents: request.totalCents }, 'rejected', {
    requestedBy: request.requestedBy,
    decision: decision.trim(),
  })
  ctx.object('order', request.orderNo)
  ctx.about(request.agentId)
  ctx.note(`${request.agentName} (${request.agentId})`, [
    { name: '订单号', before: null, after: request.orderNo },
    { name: '审批', before: '待审批', after: '已驳回' },
    { name: '驳回原因', before: null, after: decision.trim() },
  ])
  return { id }
}

/** Locks the request, so that of two who decide at once the second finds it decided, and marks it. */
async function decide(ctx: Ctx, id: number, action: 'approve' | 'reject', decision: string) {
  const own = and(eq(undoRequests.id, id), ownRows(ctx, undoRequests.agentId))
  await ctx.db.select({ id: undoRequests.id }).from(undoRequests).where(own).for('update')
  const request = await findRequest(ctx, id)
  const now = ctx.now.toISOString()
  const { from, to } = UNDO_REQUEST_STEPS[action]
  const code = refuseDecider(request, ctx.actor.accountId, now)
  if (code === 'REQUEST_DECIDED')
    await refuseSecond(ctx, code, SETTLEMENT_REFUSALS, { name: request.decidedByName })
  refuse(code, SETTLEMENT_REFUSALS)
  refuse(refuseDecision(action, decision), SETTLEMENT_REFUSALS, { field: 'decision' })
  await ctx.db
    .update(undoRequests)
    .set({
      state: to,
      decidedBy: ctx.actor.accountId,
      decidedByName: ctx.actor.name,
      decidedAt: now,
      decision: decision.trim(),
    })
    .where(and(own, inArray(undoRequests.state, from)))
  return request
}

/** Requests that wait, as the inbox shows them. */
export const inbox: readonly InboxSource[] = [
  {
    key: 'settlement.undo',
    label: '审批撤销',
    isMoney: true,
    permission: 'settlement.approve',
    table: undoRequests,
    id: undoRequests.id,
    since: undoRequests.requestedAt,
    waits: ({ own }) => and(own(undoRequests.agentId), isWord(undoRequests.state, 'pending')),
    decided: {
      is: ({ own }) => and(own(undoRequests.agentId), isWord(undoRequests.state, 'approved', 'rejected')),
      at: undoRequests.decidedAt,
      byName: undoRequests.decidedByName,
      order: undoRequests.id,
    },
    async shown(ctx, ids) {
      const rows = await ctx.db
        .select({
          id: undoRequests.id,
          orderNo: undoRequests.orderNo,
          totalCents: undoRequests.totalCents,
          reason: undoRequests.reason,
          by: undoRequests.requestedByName,
          agentId: undoRequests.agentId,
          agentName: agents.companyName,
        })
        .from(undoRequests)
        .innerJoin(agents, eq(agents.id, undoRequests.agentId))
        .where(inArray(undoRequests.id, [...ids]))
      return rows.map(({ id, orderNo, totalCents, reason, by, agentId, agentName }) => ({
        id,
        title: `撤销订单 ${orderNo}，退回 ${formatCents(totalCents)} 代币`,
        detail: `${by}：${reason}`,
        merchantId: null,
        shopName: '',
        agentId,
        agentName,
        link: '/admin/detail/billingDetails?view=requests&state=pending',
      }))
    },
  },
]
