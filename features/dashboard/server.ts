// The start page's numbers: one small statement each over sums that triggers keep, never over orders, shops or messages.
import { and, between, eq, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { merchantDays } from '#features/merchants/tables.ts'
import type { Out } from '#kit/op.ts'
import { addDays, formatDay } from '#kit/time.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import type { Db } from '#server/db.ts'
import { serve } from '#server/serve.ts'
import { dashboard as contract } from './contract.ts'
import { comingDays, type OrderKind, pastDays } from './rules.ts'
import { orderDays, smsAgentDays } from './tables.ts'

const text = (word: string) => sql<string>`${sql.raw(`'${word}'`)}::text`
const sumOf = (column: PgColumn) => sql<number>`sum(${column})::bigint`.mapWith(Number)

/** The acting agent's rows, all for vendor staff, of the days from the placeholder `from` to the placeholder `to`. */
function ofDays(ctx: Ctx, agentId: PgColumn, day: PgColumn, from: string, to: string): SQL | undefined {
  const own = ownRows(ctx, agentId) ? eq(agentId, sql.placeholder('agentId')) : undefined
  return and(own, between(day, sql.placeholder(from), sql.placeholder(to)))
}

/** A statement's name: the acting agent's rows and those of all are two statements. */
function nameOf(ctx: Ctx, statement: string): string {
  return `${statement}_${ownRows(ctx, orderDays.agentId) ? 'own' : 'all'}`
}

export async function figuresOfDay(ctx: Ctx): Promise<Out<typeof contract.figures>> {
  const today = formatDay(new Date())
  const yesterday = addDays(today, -1)
  const name = nameOf(ctx, 'dashboard_figures')
  const rows = await ctx
    .prepared(name, db => selectFigures(ctx, db).prepare(name))
    .execute({ agentId: ctx.actor.agentId, from: yesterday, to: today })
  const countOf = (counted: OrderKind | 'merchant', day: string) =>
    rows.find(row => row.counted === counted && row.day === day)?.count ?? 0
  const tileOf = (counted: OrderKind | 'merchant') => ({
    today: countOf(counted, today),
    yesterday: countOf(counted, yesterday),
  })
  return {
    today,
    yesterday,
    tiles: {
      sms: tileOf('sms'),
      merchants: tileOf('merchant'),
      versions: tileOf('version'),
      services: tileOf('service'),
    },
  }
}

function selectFigures(ctx: Ctx, db: Db) {
  return db
    .select({ counted: sql<string>`${orderDays.kind}`, day: orderDays.day, count: sumOf(orderDays.orders) })
    .from(orderDays)
    .where(ofDays(ctx, orderDays.agentId, orderDays.day, 'from', 'to'))
    .groupBy(orderDays.kind, orderDays.day)
    .unionAll(
      db
        .select({ counted: text('merchant'), day: merchantDays.day, count: sumOf(merchantDays.registered) })
        .from(merchantDays)
        .where(ofDays(ctx, merchantDays.agentId, merchantDays.day, 'from', 'to'))
        .groupBy(merchantDays.day),
    )
}

export async function chartsOfDays(ctx: Ctx): Promise<Out<typeof contract.charts>> {
  const today = formatDay(new Date())
  const [past, coming] = [pastDays(today), comingDays(today)]
  const name = nameOf(ctx, 'dashboard_charts')
  const rows = await ctx
    .prepared(name, db => selectCharts(ctx, db).prepare(name))
    .execute({ agentId: ctx.actor.agentId, from: past[0], today, to: coming.at(-1) })
  const found = new Map(rows.map(row => [`${row.summed} ${row.day}`, row]))
  const valuesOf = (days: readonly string[], summed: string, sum: 'first' | 'second') =>
    days.map(day => found.get(`${summed} ${day}`)?.[sum] ?? 0)
  return {
    past,
    coming,
    versionCents: valuesOf(past, 'version', 'first'),
    serviceCents: valuesOf(past, 'service', 'first'),
    smsCents: valuesOf(past, 'sms', 'first'),
    rechargeFen: valuesOf(past, 'sms', 'second'),
    registered: valuesOf(past, 'merchant', 'first'),
    segments: valuesOf(past, 'segment', 'first'),
    expiring: valuesOf(coming, 'merchant', 'second'),
  }
}

/** `first` and `second` of an order are its tokens and its yuan, of a shop its registration and its term's end. */
function selectCharts(ctx: Ctx, db: Db) {
  return db
    .select({
      summed: sql<string>`${orderDays.kind}`,
      day: orderDays.day,
      first: sumOf(orderDays.cents),
      second: sumOf(orderDays.fen),
    })
    .from(orderDays)
    .where(ofDays(ctx, orderDays.agentId, orderDays.day, 'from', 'today'))
    .groupBy(orderDays.kind, orderDays.day)
    .unionAll(
      db
        .select({
          summed: text('merchant'),
          day: merchantDays.day,
          first: sumOf(merchantDays.registered),
          second: sumOf(merchantDays.expiring),
        })
        .from(merchantDays)
        .where(ofDays(ctx, merchantDays.agentId, merchantDays.day, 'from', 'to'))
        .groupBy(merchantDays.day),
    )
    .unionAll(
      db
        .select({
          summed: text('segment'),
          day: smsAgentDays.day,
          first: sumOf(smsAgentDays.segments),
          second: sql<number>`0::bigint`.mapWith(Number),
        })
        .from(smsAgentDays)
        .where(ofDays(ctx, smsAgentDays.agentId, smsAgentDays.day, 'from', 'today'))
        .groupBy(smsAgentDays.day),
    )
}

export const dashboardRouter = serve(contract, { figures: figuresOfDay, charts: chartsOfDays })
