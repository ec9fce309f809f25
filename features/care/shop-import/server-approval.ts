// What an agency may take back of an import by itself, and what staff decide beyond that: asked for before it begins, or after.
import { and, desc, eq, gte, inArray, lte, notExists, sql } from 'drizzle-orm'
import { accounts } from '#features/office/access/tables.ts'
import { agents } from '#features/office/agents/tables.ts'
import { notify } from '#features/office/notices/server-notify.ts'
import { refuseUndoReason, UNDO_DAYS, UNDO_REFUSALS } from '#features/sales/orders/rules.ts'
import {
  endOfRequests,
  REQUEST_CLOSED,
  refuseDecider,
  refuseDecision,
  SETTLEMENT_REFUSALS,
  UNDO_COUNT,
  UNDO_REQUEST_DAYS,
} from '#features/sales/settlement/rules.ts'
import { approvalCentsOf } from '#features/sales/settlement/server-pending.ts'
import { undoneThisMonth } from '#features/sales/settlement/server-undo.ts'
import { amountText, countText } from '#kit/money.ts'
import { formatDay, startOfDay } from '#kit/time.ts'
import type { Ctx, InboxSource, Services, Verb } from '#server/ctx.ts'
import { isWord } from '#server/office/inbox.ts'
import { settingOf } from '#server/office/settings.ts'
import { found, refuse } from '#server/refuse.ts'
import { actAsSystem } from '#server/system.ts'
import type { shopImport as contract } from './contract.ts'
import {
  BACK_REQUEST_STEPS,
  backNeeds,
  covers,
  type Extent,
  IMPORT_REFUSALS,
  LINE_STEPS,
  type OwnLimits,
  refuseRollBack,
  refuseStep,
} from './rules.ts'
import { type Import, WORK } from './server-lines.ts'
import { findImport, noteImport, takeStep } from './server-list.ts'
import { rehearsed } from './server-rehearsal.ts'
import { shopImports as imports, shopImportRows as lines, shopImportRequests as requests } from './tables.ts'

type BackRequest = typeof requests.$inferSelect

/** Why this cannot be taken back alone, or null, and what was last asked about it. */
export async function backOffer(ctx: Ctx, one: Pick<Import, 'id' | 'mode' | 'agentId'>, of: Extent) {
  const request = await lastRequest(ctx, one.id)
  const approval = await approvalFor(ctx, one, of, request)
  const now = ctx.now.toISOString()
  return {
    approval,
    request: request && {
      ...request,
      refusal: request.state === 'pending' ? decideRefusal(request, ctx.actor.accountId, now) : null,
    },
  }
}

function decideRefusal(request: BackRequest, accountId: number, now: string): string | null {
  const code = refuseDecider(request, accountId, now)
  return code && SETTLEMENT_REFUSALS[code]
}

async function approvalFor(
  ctx: Ctx,
  { mode }: Pick<Import, 'mode'>,
  of: Extent,
  request: BackRequest | null,
): Promise<string | null> {
  if (ctx.actor.isVendorStaff || mode === 'takeover') return null
  if (request?.state === 'approved' && covers(request, of)) return null
  return backNeeds(of, await ownLimits(ctx))
}

/** Shops that imports took back this month count as orders that were undone, but for what staff approved. */
async function ownLimits(ctx: Ctx): Promise<OwnLimits> {
  const month = startOfDay(`${formatDay(ctx.now).slice(0, 7)}-01`).toISOString()
  const own = ctx.db.select({ id: accounts.id }).from(accounts).where(eq(accounts.agentId, ctx.actor.agentId))
  const approved = ctx.db
    .select({ one: sql`1` })
    .from(requests)
    .where(and(eq(requests.importId, imports.id), eq(requests.state, 'approved')))
  const [counted] = await ctx.db
    .select({ shops: sql<number>`coalesce(sum(${imports.takenBack}), 0)::int` })
    .from(imports)
    .where(
      and(
        eq(imports.agentId, ctx.actor.agentId),
        gte(imports.rollBackAt, month),
        inArray(imports.rollBackBy, own),
        notExists(approved),
      ),
    )
  const undone = (await undoneThisMonth(ctx)) + (counted?.shops ?? 0)
  return { approvalCents: await approvalCentsOf(ctx), left: (await settingOf(ctx, UNDO_COUNT)) - undone }
}

async function lastRequest(ctx: Ctx, importId: number): Promise<BackRequest | null> {
  const [last] = await ctx.db
    .select()
    .from(requests)
    .where(eq(requests.importId, importId))
    .orderBy(desc(requests.id))
    .limit(1)
  return last ?? null
}

export const extentOf = ({ totalCents, created }: Import): Extent => ({ totalCents, shops: created })

/** Begins at once where the agency may, and is asked for otherwise, as the undo of such a purchase is. */
export const rollBack: Verb<typeof contract.rollBack> = async (ctx, { id, reason }) => {
  const one = await findImport(ctx, id, true)
  refuse(refuseUndoReason(reason), UNDO_REFUSALS, { field: 'reason' })
  refuse(await rollBackRefusal(ctx, one), IMPORT_REFUSALS)
  const last = await lastRequest(ctx, id)
  if (await approvalFor(ctx, one, extentOf(one), last)) {
    await ask(ctx, one, { ...extentOf(one), isAhead: false, reason: reason.trim() })
    return { id, state: 'pending' }
  }
  const { accountId: by, name } = ctx.actor
  await begin(ctx, one, { by, name, at: ctx.now.toISOString(), reason: reason.trim() })
  await closeRequests(ctx, id, '已由厂商撤回')
  return { id, state: 'rolling' }
}

/** Before it begins: that it may be taken back later without asking again. */
export const askRollBack: Verb<typeof contract.askRollBack> = async (ctx, { id, reason }) => {
  const one = await findImport(ctx, id, true)
  refuse(refuseStep(one.state, 'start'), IMPORT_REFUSALS)
  refuse(refuseUndoReason(reason), UNDO_REFUSALS, { field: 'reason' })
  const { totalCents, shops } = await rehearsed(ctx, one)
  const needed = await approvalFor(ctx, one, { totalCents, shops }, await lastRequest(ctx, id))
  refuse(needed ? null : 'ROLL_BACK_ALONE', IMPORT_REFUSALS)
  await ask(ctx, one, { totalCents, shops, isAhead: true, reason: reason.trim() })
  return { id }
}

async function ask(
  ctx: Ctx,
  one: Import,
  wanted: Extent & { isAhead: boolean; reason: string },
): Promise<void> {
  const now = ctx.now.toISOString()
  await closeRequests(ctx, one.id, REQUEST_CLOSED.expired, endOfRequests(now))
  const written = await ctx.db
    .insert(requests)
    .values({
      importId: one.id,
      agentId: one.agentId,
      ...wanted,
      state: 'pending',
      requestedBy: ctx.actor.accountId,
      requestedByName: ctx.actor.name,
      requestedAt: now,
    })
    .onConflictDoNothing()
    .returning({ id: requests.id })
  refuse(written.length === 0 ? 'ROLL_BACK_ASKED' : null, IMPORT_REFUSALS)
  noteImport(ctx, one, [...extentChanges(wanted), { name: '审批', before: null, after: '待审批' }])
  await notify(ctx, {
    ...noticeOf(one),
    title: '撤回导入待审批',
    body: `${ctx.actor.companyName} ${ctx.actor.name} 申请${wanted.isAhead ? '导入后可自行撤回' : '撤回导入'}「${one.fileName}」，${extentText(wanted)}。原因：${wanted.reason}`,
    vendor: 'staff',
    holding: 'settlement.approve',
    exceptActor: true,
  })
}

const extentText = ({ totalCents, shops }: Extent) =>
  `${countText(shops, '家')}店铺，${amountText(totalCents, '代币')}`

function extentChanges({ reason, ...of }: Extent & { reason: string }) {
  return [
    { name: '店铺', before: null, after: countText(of.shops, '家') },
    { name: '结算', before: null, after: amountText(of.totalCents, '代币') },
    { name: '撤回原因', before: null, after: reason },
  ]
}

const noticeOf = ({ id }: Pick<Import, 'id'>) =>
  ({
    topic: 'Import_Notify',
    link: `/admin/merchant/merchantImportDetail?id=${id}`,
    args: { id },
  }) as const

/** Staff say yes, and what was asked for afterwards begins in the name of whoever asked; or no, and why. */
export const decideRollBack: Verb<typeof contract.decideRollBack> = async (
  ctx,
  { id, approves, decision },
) => {
  const one = await findImport(ctx, id, true)
  const request = found(await lastRequest(ctx, id))
  const now = ctx.now.toISOString()
  const action = approves ? 'approve' : 'reject'
  refuse(refuseDecider(request, ctx.actor.accountId, now), SETTLEMENT_REFUSALS)
  refuse(refuseDecision(action, decision), SETTLEMENT_REFUSALS, { field: 'decision' })
  if (approves && !request.isAhead) {
    const days = await settingOf(ctx, UNDO_DAYS)
    refuse(refuseRollBack(one, { isVendorStaff: true }, { now: request.requestedAt, days }), IMPORT_REFUSALS)
    const { requestedBy: by, requestedByName: name, requestedAt: at, reason } = request
    await begin(ctx, one, { by, name, at, reason })
  }
  const { from, to } = BACK_REQUEST_STEPS[action]
  await ctx.db
    .update(requests)
    .set({
      state: to,
      decidedBy: ctx.actor.accountId,
      decidedByName: ctx.actor.name,
      decidedAt: now,
      decision: decision.trim(),
    })
    .where(and(eq(requests.id, request.id), inArray(requests.state, from)))
  noteImport(ctx, one, [
    ...extentChanges(request),
    { name: '审批', before: '待审批', after: approves ? '已通过' : '已驳回' },
    { name: approves ? '审批意见' : '驳回原因', before: null, after: decision.trim() },
  ])
  const said = decision.trim() && `。${approves ? '审批意见' : '驳回原因'}：${decision.trim()}`
  await notify(ctx, {
    ...noticeOf(one),
    title: approves ? '撤回导入的申请已通过' : '撤回导入的申请被驳回',
    body: `${one.fileName}${approves ? (request.isAhead ? '：导入后可自行撤回' : '：已开始撤回') : ''}${said}`,
    accountIds: [request.requestedBy],
  })
  return { id }
}

/** What waits for these, or has waited since before an instant, waits no more. */
export async function closeRequests(
  ctx: Ctx,
  importId: number,
  decision: string,
  before?: string,
): Promise<void> {
  const { from, to } = BACK_REQUEST_STEPS.reject
  await ctx.db
    .update(requests)
    .set({ state: to, decidedAt: ctx.now.toISOString(), decision })
    .where(
      and(
        eq(requests.importId, importId),
        inArray(requests.state, from),
        before === undefined ? undefined : lte(requests.requestedAt, before),
      ),
    )
}

/** Rejects what nobody decided in time, and tells whoever asked. */
export async function endUndecided(services: Services): Promise<void> {
  const { from, to } = BACK_REQUEST_STEPS.reject
  const decision = REQUEST_CLOSED.expired
  await actAsSystem(services, 'close-import-requests', async ctx => {
    const now = ctx.now.toISOString()
    const ended = await ctx.db
      .update(requests)
      .set({ state: to, decidedAt: now, decision })
      .where(and(lte(requests.requestedAt, endOfRequests(now)), inArray(requests.state, from)))
      .returning()
    for (const { importId, requestedBy } of ended) {
      const one = await findImport(ctx, importId)
      await notify(ctx, {
        ...noticeOf(one),
        title: '撤回导入的申请已过期',
        body: `${one.fileName}：${UNDO_REQUEST_DAYS}天内无人审批，申请已关闭，可重新申请`,
        accountIds: [requestedBy],
      })
    }
  })
}

async function begin(
  ctx: Ctx,
  one: Import,
  { by, name, at, reason }: { by: number; name: string; at: string; reason: string },
): Promise<void> {
  // What still waits never becomes a shop.
  await ctx.db
    .update(lines)
    .set({ state: LINE_STEPS.skip.to, password: null })
    .where(and(eq(lines.importId, one.id), inArray(lines.state, LINE_STEPS.skip.from)))
  await takeStep(ctx, one.id, 'rollBack', {
    problem: '',
    rollBackBy: by,
    rollBackByName: name,
    rollBackReason: reason,
    rollBackAt: at,
  })
  ctx.services.wake(WORK)
  noteImport(ctx, one, extentChanges({ ...extentOf(one), reason }))
}

/** Why it cannot be taken back as a whole at all, whoever would have to agree. */
export async function rollBackRefusal(ctx: Ctx, of: Import) {
  const days = await settingOf(ctx, UNDO_DAYS)
  return refuseRollBack(of, ctx.actor, { now: ctx.now.toISOString(), days })
}

/** Requests that wait, as the inbox shows them. */
export const inbox: readonly InboxSource[] = [
  {
    key: 'shop-import.rollBack',
    label: '审批撤回导入',
    isMoney: true,
    permission: 'settlement.approve',
    table: requests,
    id: requests.id,
    since: requests.requestedAt,
    waits: ({ own }) => and(own(requests.agentId), isWord(requests.state, 'pending')),
    decided: {
      is: ({ own }) => and(own(requests.agentId), isWord(requests.state, 'approved', 'rejected')),
      at: requests.decidedAt,
      byName: requests.decidedByName,
      order: requests.id,
    },
    async shown(ctx, ids) {
      const rows = await ctx.db
        .select({ request: requests, fileName: imports.fileName, agentName: agents.companyName })
        .from(requests)
        .innerJoin(imports, eq(imports.id, requests.importId))
        .innerJoin(agents, eq(agents.id, requests.agentId))
        .where(inArray(requests.id, [...ids]))
      return rows.map(({ request, fileName, agentName }) => ({
        id: request.id,
        title: `${request.isAhead ? '导入后可自行撤回' : '撤回导入'}「${fileName}」，${extentText(request)}`,
        detail: `${request.requestedByName}：${request.reason}`,
        merchantId: null,
        shopName: '',
        agentId: request.agentId,
        agentName,
        link: noticeOf({ id: request.importId }).link,
      }))
    },
  },
]
