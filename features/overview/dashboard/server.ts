// The start page's numbers: one small statement each over sums that triggers keep, never over orders, shops or messages.
import { and, between, eq, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { OrderKind } from '#features/sales/settlement/rules.ts'
import { orderDays } from '#features/sales/settlement/tables.ts'
import { merchantDays } from '#features/shops/merchants/tables.ts'
import type { Out } from '#kit/declare/op.ts'
import { addDays, formatDay } from '#kit/time.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import type { Db } from '#server/db.ts'
import { serve } from '#server/serve.ts'
import { dashboard as contract } from './contract.ts'
import { CHART_DAYS } from './rules.ts'
import { monthOfDay } from './server-month.ts'
import { officeOfDay } from './server-office.ts'
import { todoOfDay } from './server-todo.ts'
import { smsAgentDays } from './tables.ts'

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
  const today = formatDay(ctx.now)
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
  const today = formatDay(ctx.now)
  const first = addDays(today, 1 - CHART_DAYS)
  const name = nameOf(ctx, 'dashboard_charts')
  const [answer] = await ctx
    .prepared(name, db => selectChartsAtOnce(ctx, db).prepare(name))
    .execute({ agentId: ctx.actor.agentId, from: first, today, to: addDays(today, CHART_DAYS - 1) })
  const none = () => Array<number>(CHART_DAYS).fill(0)
  const past = { version: none(), service: none(), sms: none(), merchant: none(), segment: none() }
  const [rechargeFen, expiring] = [none(), none()]
  for (const [summed, place, one, other] of answer?.sums ?? []) {
    if (place < CHART_DAYS) past[summed][place] = one
    if (summed === 'sms') rechargeFen[place] = other
    // Its days begin where the others end.
    if (summed === 'merchant' && place >= CHART_DAYS - 1) expiring[place - CHART_DAYS + 1] = other
  }
  return {
    today,
    versionCents: past.version,
    serviceCents: past.service,
    smsCents: past.sms,
    rechargeFen,
    registered: past.merchant,
    segments: past.segment,
    expiring,
  }
}

type Sums = [summed: OrderKind | 'merchant' | 'segment', place: number, first: number, second: number]

/** All sums as one value: hundreds of small rows cost more to take in than to add up. */
function selectChartsAtOnce(ctx: Ctx, db: Db) {
  const days = selectCharts(ctx, db).as('days')
  const place = sql`${days.day} - ${sql.placeholder('from')}::date`
  const row = sql`json_build_array(${days.summed}, ${place}, ${days.first}, ${days.second})`
  return db.select({ sums: sql<Sums[]>`coalesce(json_agg(${row}), '[]')` }).from(days)
}

/** `first` and `second` of an order are its tokens and its yuan, of a shop its registration and its term's end. */
function selectCharts(ctx: Ctx, db: Db) {
  return db
    .select({
      summed: sql<string>`${orderDays.kind}`.as('summed'),
      day: orderDays.day,
      first: sumOf(orderDays.cents).as('first'),
      second: sumOf(orderDays.fen).as('second'),
    })
    .from(orderDays)
    .where(ofDays(ctx, orderDays.agentId, orderDays.day, 'from', 'today'))
    .groupBy(orderDays.kind, orderDays.day)
    .unionAll(
      db
        .select({
          summed: text('merchant').as('summed'),
          day: merchantDays.day,
          first: sumOf(merchantDays.registered).as('first'),
          second: sumOf(merchantDays.expiring).as('second'),
        })
        .from(merchantDays)
        .where(ofDays(ctx, merchantDays.agentId, merchantDays.day, 'from', 'to'))
        .groupBy(merchantDays.day),
    )
    .unionAll(
      db
        .select({
          summed: text('segment').as('summed'),
          day: smsAgentDays.day,
          first: sumOf(smsAgentDays.segments).as('first'),
          second: sql<number>`0::bigint`.as('second'),
        })
        .from(smsAgentDays)
        .where(ofDays(ctx, smsAgentDays.agentId, smsAgentDays.day, 'from', 'today'))
        .groupBy(smsAgentDays.day),
    )
}

export const dashboardRouter = serve(contract, {
  todo: todoOfDay,
  figures: figuresOfDay,
  month: monthOfDay,
  office: officeOfDay,
  charts: chartsOfDays,
})
