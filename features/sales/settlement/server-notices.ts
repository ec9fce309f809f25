// Who is told of an undo: whoever may decide on it, whoever asked for it, and the agent whose order others took back.
import { eq } from 'drizzle-orm'
import { accounts } from '#features/office/access/tables.ts'
import { notify } from '#features/office/notices/server-notify.ts'
import type { Ctx } from '#server/ctx.ts'
import { decidedWords, PENDING_REQUESTS, requestedWords, type UndoTold, undoneWords } from './rules.ts'

export async function tellRequested(ctx: Ctx, undo: UndoTold, reason: string): Promise<void> {
  await notify(ctx, {
    ...requestedWords(undo, ctx.actor, reason),
    vendor: 'staff',
    holding: 'settlement.approve',
    exceptActor: true,
    topic: 'Undo_Notify',
    link: PENDING_REQUESTS,
    args: { kind: undo.kind, orderNo: undo.orderNo, state: 'pending' },
  })
}

export async function tellDecided(
  ctx: Ctx,
  undo: UndoTold,
  state: 'approved' | 'rejected',
  { requestedBy, decision }: { requestedBy: number; decision: string },
): Promise<void> {
  const { kind, orderNo } = undo
  await notify(ctx, {
    ...decidedWords(undo, state, decision),
    accountIds: [requestedBy],
    topic: 'Undo_Notify',
    link: `/admin/order/${orderNo}`,
    args: { kind, orderNo, state },
  })
}

/** Tells the agent whose order it was, unless one of its own accounts asked for it. */
export async function tellUndone(
  ctx: Ctx,
  undo: UndoTold & { agentId: number; merchantId: number | null; askedBy: number },
  reason: string,
): Promise<void> {
  const { kind, orderNo, agentId, merchantId, askedBy } = undo
  const [asker] = await ctx.db
    .select({ agentId: accounts.agentId })
    .from(accounts)
    .where(eq(accounts.id, askedBy))
  if (asker?.agentId === agentId) return
  await notify(ctx, {
    ...undoneWords(undo, ctx.actor.name, reason),
    agentId,
    merchantId,
    holding: 'settlement.bills',
    topic: 'OrderUndone_Notify',
    link: `/admin/order/${orderNo}`,
    args: { kind, orderNo },
  })
}
