// What the operator looks at first: money from outside, and whether the ledger is sound.
import { and, eq, gte, isNull, sql } from 'drizzle-orm'
import { NEWEST_ENTRIES, readDrift } from '#features/money/ledger/server-figures.ts'
import { paymentIntents } from '#features/sales/payments/tables.ts'
import type { Out } from '#kit/declare/op.ts'
import { PAY_CHANNELS } from '#kit/ports/channels.ts'
import { formatDay, startOfDay } from '#kit/time.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import type { dashboard as contract } from './contract.ts'

export async function officeOfDay(ctx: Ctx): Promise<Out<typeof contract.office>> {
  const today = formatDay(ctx.now)
  const isToday = sql`${paymentIntents.createdAt} >= ${startOfDay(today).toISOString()}`
  const sumOf = (when?: typeof isToday) =>
    sql<number>`coalesce(sum(${paymentIntents.amountFen})${when ? sql` filter (where ${when})` : sql``}, 0)`.mapWith(
      Number,
    )
  const rows = await ctx.db
    .select({
      channel: paymentIntents.paidBy,
      todayFen: sumOf(isToday),
      todayCount: sql<number>`count(*) filter (where ${isToday})`.mapWith(Number),
      monthFen: sumOf(),
      monthCount: sql<number>`count(*)`.mapWith(Number),
    })
    .from(paymentIntents)
    .where(
      and(
        ownRows(ctx, paymentIntents.agentId),
        eq(paymentIntents.status, 'paid'),
        // What agents' own accounts were paid is not the vendor's.
        isNull(paymentIntents.payeeAgentId),
        gte(paymentIntents.createdAt, startOfDay(`${today.slice(0, 8)}01`).toISOString()),
      ),
    )
    .groupBy(paymentIntents.paidBy)
  const none = { todayFen: 0, todayCount: 0, monthFen: 0, monthCount: 0 }
  const drift = await readDrift(ctx.client)
  return {
    today,
    paid: PAY_CHANNELS.map(channel => ({ ...none, ...rows.find(row => row.channel === channel), channel })),
    drift: Object.values(drift).reduce((sum, places) => sum + places, 0),
    driftAmong: NEWEST_ENTRIES,
  }
}
