import { and, eq, sql } from 'drizzle-orm'
import { ownRows, type Verb } from '#server/ctx.ts'
import { serve } from '#server/serve.ts'
import { workOrders as contract } from './contract.ts'
import { WORK_ORDER_PRESENCE_EVENT } from './rules.ts'
import { close, create, rate, remove, reopen, say } from './server-partner.ts'
import {
  countAll,
  countOwn,
  findSeen,
  listAll,
  listAnswers,
  listOrders,
  listPeople,
  listPresent,
  showOrder,
} from './server-rows.ts'
import { answer, assign, note, setDue, step } from './server-vendor.ts'
import { tellPresent } from './server-write.ts'
import { workOrderPresence, workOrders } from './tables.ts'

const markRead: Verb<typeof contract.read> = async (ctx, { id }) => {
  await findSeen(ctx, id)
  const { isVendorStaff } = ctx.actor
  await ctx.db
    .update(workOrders)
    .set({
      ...(isVendorStaff
        ? { vendorSeen: sql`${workOrders.lastPartnerId}` }
        : { partnerSeen: sql`${workOrders.lastVendorId}` }),
    })
    .where(and(eq(workOrders.id, id), ownRows(ctx, workOrders.agentId)))
  return { id }
}

const beHere: Verb<typeof contract.here> = async (ctx, { id, typing }) => {
  const { agentId } = await findSeen(ctx, id)
  const now = ctx.now.toISOString()
  const looked = { seenAt: now, ...(typing && { typingAt: now }), name: ctx.actor.name, agentId }
  await ctx.db
    .insert(workOrderPresence)
    .values({ workOrderId: id, accountId: ctx.actor.accountId, ...looked })
    .onConflictDoUpdate({
      target: [workOrderPresence.workOrderId, workOrderPresence.accountId],
      set: looked,
    })
  await tellPresent(ctx, id, WORK_ORDER_PRESENCE_EVENT)
  return { id }
}

export const workOrdersRouter = serve(contract, {
  list: listOrders,
  all: listAll,
  counts: countOwn,
  allCounts: countAll,
  details: showOrder,
  presence: listPresent,
  answers: listAnswers,
  people: listPeople,
  create,
  say,
  answer,
  note,
  step,
  assign,
  setDue,
  close,
  reopen,
  rate,
  remove,
  read: markRead,
  here: beHere,
})
