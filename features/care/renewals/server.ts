import { and, desc, eq } from 'drizzle-orm'
import { merchants } from '#features/shops/merchants/tables.ts'
import { formatDay } from '#kit/time.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { found, refuse } from '#server/refuse.ts'
import { serve } from '#server/serve.ts'
import { renewals as contract } from './contract.ts'
import { MARK_STATES, RENEWAL_REFUSALS, refuseMark } from './rules.ts'
import { countsOfDesk, monthsOfDesk } from './server-counts.ts'
import { listDesk } from './server-desk.ts'
import { timelineOf } from './server-timeline.ts'
import { renewalMarks } from './tables.ts'

const MARK = {
  id: renewalMarks.id,
  state: renewalMarks.state,
  note: renewalMarks.note,
  nextOn: renewalMarks.nextOn,
  createdByName: renewalMarks.createdByName,
  createdAt: renewalMarks.createdAt,
}

/** The shop, where it is the caller's to see; NOT_FOUND otherwise. */
async function findShop(ctx: Ctx, merchantId: number) {
  const [shop] = await ctx.db
    .select({ id: merchants.id, agentId: merchants.agentId, shopName: merchants.shopName })
    .from(merchants)
    .where(and(eq(merchants.id, merchantId), ownRows(ctx, merchants.agentId)))
  return found(shop)
}

export const listMarks: Verb<typeof contract.marks> = async (ctx, input) => {
  const shop = await findShop(ctx, input.merchantId)
  const rows = await ctx.db
    .select(MARK)
    .from(renewalMarks)
    .where(and(eq(renewalMarks.merchantId, shop.id), ownRows(ctx, renewalMarks.agentId)))
    .orderBy(desc(renewalMarks.id))
    .limit(50)
  return { rows }
}

export const markShop: Verb<typeof contract.mark> = async (ctx, input) => {
  const { now } = ctx
  const code = refuseMark(input, formatDay(now))
  refuse(code, RENEWAL_REFUSALS, { field: code === 'NEXT_IN_PAST' ? 'nextOn' : 'note' })
  const shop = await findShop(ctx, input.merchantId)
  const [mark] = await ctx.db
    .insert(renewalMarks)
    .values({
      agentId: shop.agentId,
      merchantId: shop.id,
      state: input.state,
      note: input.note.trim(),
      nextOn: input.nextOn,
      createdBy: ctx.actor.accountId,
      createdByName: ctx.actor.name,
      createdAt: now.toISOString(),
    })
    .returning(MARK)
  ctx.about(shop.agentId, shop.id)
  ctx.note(`${shop.shopName} (${shop.id})`, [
    { name: '跟进', before: null, after: MARK_STATES[input.state] },
    { name: '说明', before: null, after: input.note.trim() },
    { name: '下次跟进', before: null, after: input.nextOn },
  ])
  return mark as NonNullable<typeof mark>
}

export const renewalsRouter = serve(contract, {
  desk: listDesk,
  counts: countsOfDesk,
  months: monthsOfDesk,
  marks: listMarks,
  mark: markShop,
  timeline: timelineOf,
})
