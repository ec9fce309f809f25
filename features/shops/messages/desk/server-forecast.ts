// How long SMS credit lasts. Only who used some in the last 30 days can run out; what they used is kept as one sum each.
import { and, desc, eq, gt, type SQL, sql } from 'drizzle-orm'
import type pg from 'pg'
import { balancesOf } from '#features/money/ledger/server.ts'
import { ledgerAccounts } from '#features/money/ledger/tables.ts'
import { agents } from '#features/office/agents/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { smsDays, smsUses } from '#features/shops/messages/tables.ts'
import type { In, Out } from '#kit/declare/op.ts'
import { addDays, formatDay } from '#kit/time.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import type { messageDesk as contract } from './contract.ts'
import { FORECAST, forecastOf } from './rules.ts'
import { shopsNamed } from './server-search.ts'

type Input = In<typeof contract.forecast>

export async function listForecast(ctx: Ctx, input: Input): Promise<Out<typeof contract.forecast>> {
  const today = formatDay(ctx.now)
  const since = addDays(today, -FORECAST.days)
  const searched = await searchCondition(ctx, input)
  const lasting = lastingOf(ctx, input)
  const wanted = and(
    searched,
    input.driesUp ? sql`${lasting.daysLeft} < ${FORECAST.driesUpWithinDays}` : undefined,
  )
  const found = await pageOfLasting(ctx, input, lasting, wanted)
  // An empty page tells no totals.
  const { total, dryingUp } = found[0] ?? (await totalsOf(ctx, lasting, wanted))
  const own = await ownCredit(ctx, since, today)
  const rows = found.map(row => ({ ...row, ...(lasts(row, today) as Lasts) }))
  return { rows, total, totalCapped: false, dryingUp, own }
}

type Lasts = { perDayTenths: number; daysLeft: number; driesUp: boolean; lastDay: string }

function lasts({ balance, used }: { balance: number; used: number }, today: string): Lasts | null {
  const forecast = forecastOf(balance, used)
  return forecast && { ...forecast, lastDay: addDays(today, Math.min(forecast.daysLeft, DAYS_MAX)) }
}

/** A hundred years: calendars end. */
const DAYS_MAX = 36_500

/** Who used credit lately, with what they hold; a shop that went to another agent took its account along. */
function lastingOf(ctx: Ctx, { of, agentId }: Input) {
  const used = ctx.db
    .select({ payerId: smsUses.payerId, used: sql<number>`sum(${smsUses.used})::bigint`.as('used') })
    .from(smsUses)
    .where(
      and(
        eq(smsUses.payer, of),
        ownRows(ctx, smsUses.agentId),
        agentId === undefined ? undefined : eq(smsUses.agentId, agentId),
      ),
    )
    .groupBy(smsUses.payerId)
    .having(sql`sum(${smsUses.used}) > 0`)
    .as('uses')
  const lasting = ctx.db
    .select({
      id: used.payerId,
      used: used.used,
      agentId: ledgerAccounts.agentId,
      balance: ledgerAccounts.balance,
      // Whole numbers: a division that cuts off is the floor.
      daysLeft: sql<number>`${ledgerAccounts.balance} * ${FORECAST.days} / ${used.used}`.as('days_left'),
    })
    .from(used)
    .innerJoin(
      ledgerAccounts,
      and(
        eq(ledgerAccounts.ownerKind, of),
        eq(ledgerAccounts.ownerId, used.payerId),
        eq(ledgerAccounts.asset, 'sms'),
        ownRows(ctx, ledgerAccounts.agentId),
        agentId === undefined ? undefined : eq(ledgerAccounts.agentId, agentId),
      ),
    )
  // Read twice, for the page and its totals, and made once.
  return ctx.db.$with('lasting').as(lasting)
}
type LastingRows = ReturnType<typeof lastingOf>

async function pageOfLasting(ctx: Ctx, input: Input, lasting: LastingRows, wanted: SQL | undefined) {
  const page = ctx.db
    .select()
    .from(lasting)
    .where(wanted)
    .orderBy(lasting.daysLeft, lasting.id)
    .limit(input.size)
    .offset((input.page - 1) * input.size)
    .as('page')
  const totals = ctx.db.select(totalsIn(lasting, wanted)).from(lasting).as('totals')
  return ctx.db
    .with(lasting)
    .select({
      id: page.id,
      name: sql<string>`coalesce(${input.of === 'merchant' ? merchants.shopName : agents.companyName}, '')`,
      agentId: agents.id,
      agentName: agents.companyName,
      balance: sql<number>`${page.balance}`.mapWith(Number),
      used: sql<number>`${page.used}`.mapWith(Number),
      total: totals.total,
      dryingUp: totals.dryingUp,
    })
    .from(page)
    .innerJoin(totals, sql`true`)
    .innerJoin(agents, eq(agents.id, page.agentId))
    .leftJoin(merchants, input.of === 'merchant' ? eq(merchants.id, page.id) : sql`false`)
    .orderBy(page.daysLeft, page.id)
}

async function totalsOf(ctx: Ctx, lasting: LastingRows, wanted: SQL | undefined) {
  const [row] = await ctx.db.with(lasting).select(totalsIn(lasting, wanted)).from(lasting)
  return { total: row?.total ?? 0, dryingUp: row?.dryingUp ?? 0 }
}

function totalsIn(lasting: LastingRows, wanted: SQL | undefined) {
  const driesUp = sql`${lasting.daysLeft} < ${FORECAST.driesUpWithinDays}`
  return {
    total: sql<number>`count(*) filter (where ${wanted ?? sql`true`})`.mapWith(Number).as('total'),
    dryingUp: sql<number>`count(*) filter (where ${driesUp})`.mapWith(Number).as('drying_up'),
  }
}

async function searchCondition(ctx: Ctx, { of, search, agentId }: Input): Promise<SQL | undefined> {
  if (!search) return undefined
  if (/^\d{1,15}$/.test(search)) return sql`lasting.payer_id = ${Number(search)}`
  if (of === 'agent') {
    const rows = await ctx.db
      .select({ id: agents.id })
      .from(agents)
      .where(
        and(ownRows(ctx, agents.id), sql`position(lower(${search}) in lower(${agents.companyName})) > 0`),
      )
      .orderBy(desc(agents.id))
    return sql`lasting.payer_id = any(${sql.param(rows.map(({ id }) => id))}::bigint[])`
  }
  const { ids } = await shopsNamed(ctx, search, agentId)
  return sql`lasting.payer_id = any(${sql.param(ids)}::bigint[])`
}

async function ownCredit(ctx: Ctx, since: string, today: string) {
  const { agentId } = ctx.actor
  const { sms } = await balancesOf(ctx, agentId)
  const [row] = await ctx.db
    .select({ used: sql<number>`coalesce(sum(${smsDays.segments}), 0)`.mapWith(Number) })
    .from(smsDays)
    .where(and(eq(smsDays.payer, 'agent'), eq(smsDays.payerId, agentId), gt(smsDays.day, since)))
  const used = row?.used ?? 0
  const forecast = lasts({ balance: sms, used }, today)
  return {
    balance: sms,
    used,
    ...(forecast ?? { perDayTenths: 0, daysLeft: null, lastDay: null, driesUp: false }),
  }
}

const RECOUNTED_AT_ONCE = 1_000

/** Moves the 30 days of every payer on to today, as often as it is called. Whoever is being written stays for the next time. */
export async function recountUses(owner: pg.Pool): Promise<void> {
  for (let counted = RECOUNTED_AT_ONCE; counted === RECOUNTED_AT_ONCE; ) {
    const { rows } = await owner.query<{ counted: number }>('select recount_sms_uses($1) as counted', [
      RECOUNTED_AT_ONCE,
    ])
    counted = rows[0]?.counted ?? 0
  }
}
