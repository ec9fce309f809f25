// The monthly statement: opening balance, movements by kind, closing balance, of tokens and of SMS credit.
import { and, eq, gte, lte, type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { ASSETS, type Asset, TRANSFER_KINDS } from '#features/money/ledger/rules.ts'
import { ledgerAccounts, ledgerDays, ledgerEntries } from '#features/money/ledger/tables.ts'
import { agentLevels, agents } from '#features/office/agents/tables.ts'
import type { In, Out } from '#kit/declare/op.ts'
import { endOfDay, formatDay, startOfDay } from '#kit/time.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { together } from '#server/db.ts'
import { found } from '#server/refuse.ts'
import type { settlement as contract } from './contract.ts'
import { CHART_MONTHS, daysOfMonth, monthAfter, monthsUntil, movementName, ORDER_KINDS } from './rules.ts'
import { salesByMonth } from './server-sales.ts'

export type Statement = Out<typeof contract.statement>

/** In the order in which their names are known. */
const KINDS = sql.param(Object.keys(TRANSFER_KINDS))

/** Names of the lines that are no kind of movement. */
const OPENING = 'opening'
const TOTAL = 'total'
const CLOSING = 'closing'
const NO_MOVEMENT = [OPENING, TOTAL, CLOSING]

/** Without an agent the acting agent's; without a month the last whole one. Refuses NOT_FOUND for an agent that is not seen. */
export async function findStatement(ctx: Ctx, input: In<typeof contract.statement>): Promise<Statement> {
  const createdAt = ctx.now.toISOString()
  const month = input.month ?? monthAfter(formatDay(createdAt).slice(0, 7), -1)
  const agentId = input.agentId ?? ctx.actor.agentId
  const { first, last } = daysOfMonth(month)
  const [[agent], rows, sales] = await together([
    agentOf(ctx, agentId),
    readLines(ctx, agentId, month),
    salesOf(ctx, agentId, month),
  ])
  const named = found(agent)
  return {
    ...named,
    month,
    from: first,
    to: last,
    createdAt,
    // Deposits where its shops have any.
    sections: ASSETS.filter(asset => asset !== 'deposit' || rows.some(line => line.asset === 'deposit')).map(
      asset => sectionOf(asset, rows),
    ),
    sales,
  }
}

function agentOf(ctx: Ctx, agentId: number) {
  const key = `statement_agent ${scopeOf(ctx)}`
  return ctx
    .prepared(key, db =>
      db
        .select({
          agentId: agents.id,
          companyName: agents.companyName,
          logoId: agents.logoId,
          levelName: agentLevels.name,
        })
        .from(agents)
        .innerJoin(agentLevels, eq(agentLevels.id, agents.levelId))
        .where(and(eq(agents.id, sql.placeholder('agentId')), acting(ctx, agents.id)))
        .prepare(key),
    )
    .execute({ agentId, actingAgentId: ctx.actor.agentId })
}

const scopeOf = (ctx: Ctx) => (ownRows(ctx, agents.id) ? 'own' : 'all')

/** As `ownRows`, of a statement that is kept for whoever acts. */
const acting = (ctx: Ctx, column: PgColumn) =>
  ownRows(ctx, column) && eq(column, sql.placeholder('actingAgentId'))

function readLines(ctx: Ctx, agentId: number, month: string): Promise<Line[]> {
  const key = `statement_lines ${scopeOf(ctx)}`
  const columns = {
    asset: sql<Asset>`asset`,
    item: sql<string>`item`,
    count: sql<string>`count`,
    income: sql<string>`income`,
    spent: sql<string>`spent`,
    balance: sql<string | null>`balance`,
  }
  return ctx
    .prepared(key, db => {
      const given = {
        agentId: sql.placeholder('agentId'),
        since: sql.placeholder('since'),
        until: sql.placeholder('until'),
        first: sql.placeholder('first'),
        last: sql.placeholder('last'),
      }
      const lines = linesText(given, column => acting(ctx, column))
      return db.select(columns).from(sql`(${lines}) as lines`).prepare(key)
    })
    .execute({ ...ofMonth(agentId, month), actingAgentId: ctx.actor.agentId })
}

type Line = {
  asset: Asset
  item: string
  count: string
  income: string
  spent: string
  balance: string | null
}

function sectionOf(asset: Asset, lines: readonly Line[]): Statement['sections'][number] {
  const own = lines.filter(line => line.asset === asset)
  const balanceOf = (item: string) => Number(own.find(line => line.item === item)?.balance ?? 0)
  const movements = own
    .filter(({ item }) => !NO_MOVEMENT.includes(item))
    .map(line => {
      const moved = { kind: line.item, income: Number(line.income), spent: Number(line.spent) }
      return { ...moved, name: movementName(moved), count: Number(line.count) }
    })
  const income = movements.reduce((sum, line) => sum + line.income, 0)
  const spent = movements.reduce((sum, line) => sum + line.spent, 0)
  const opening = balanceOf(OPENING)
  const closing = balanceOf(CLOSING)
  return { asset, opening, closing, income, spent, addsUp: opening + income - spent === closing, movements }
}

/** A value, or the placeholder of one. */
type Given<Value> = Value | Placeholder
type Asked = Record<'since' | 'until' | 'first' | 'last', Given<string>> & { agentId: Given<number> }

function ofMonth(agentId: number, month: string) {
  const { first, last } = daysOfMonth(month)
  return { agentId, first, last, since: startOfDay(first).toISOString(), until: endOfDay(last).toISOString() }
}

/**
 * The statement's lines in their order, read in one moment: opening balance, movements by kind, their total, closing balance.
 * None for an agent that is not seen. Fields: agent, asset, item, count, income, spent, balance.
 */
export function linesOf(ctx: Ctx, agentId: number, month: string): SQL {
  return linesText(ofMonth(agentId, month), column => ownRows(ctx, column))
}

/** `own`: that the rows are the acting agent's. */
function linesText(
  { agentId, since, until, first, last }: Asked,
  own: (column: PgColumn) => SQL | undefined,
): SQL {
  return sql`
    with seen as (
      select ${agents.id} as agent_id, ${agents.companyName} as agent from ${agents} where ${and(eq(agents.id, agentId), own(agents.id))}
    ), wallets as (
      select seen.agent, assets.asset, assets.place, ${walletOf(own)} as account_id
      from seen cross join (values ('token', 1), ('sms', 2)) as assets (asset, place)
    ), moved as (
      select ${ledgerDays.asset} as asset, ${ledgerDays.kind} as kind, sum(${ledgerDays.transfers})::bigint as count,
        sum(${ledgerDays.income})::bigint as income, sum(${ledgerDays.spent})::bigint as spent
      from ${ledgerDays}
      where ${and(
        eq(ledgerDays.agentId, agentId),
        own(ledgerDays.agentId),
        gte(ledgerDays.day, first),
        lte(ledgerDays.day, last),
      )}
      group by 1, 2
    )
    select agent, asset, item, count, income, spent, balance from (
      select wallets.agent, wallets.place, 0 as line, wallets.asset, ${OPENING}::text as item, null::bigint as count,
        null::bigint as income, null::bigint as spent, ${balanceBefore(since)} as balance from wallets
      union all
      select wallets.agent, wallets.place, 1, wallets.asset, moved.kind, moved.count, moved.income, moved.spent, null
      from wallets join moved on moved.asset = wallets.asset
      union all
      select wallets.agent, wallets.place, 2, wallets.asset, ${TOTAL}::text, coalesce(sum(moved.count), 0)::bigint,
        coalesce(sum(moved.income), 0)::bigint, coalesce(sum(moved.spent), 0)::bigint, null
      from wallets left join moved on moved.asset = wallets.asset group by 1, 2, 4
      union all
      select wallets.agent, wallets.place, 3, wallets.asset, ${CLOSING}::text, null, null, null, ${balanceBefore(until)} from wallets
      union all
      select seen.agent, 3, own.line, 'deposit', own.item, own.count, own.income, own.spent, own.balance
      from seen cross join deposit_lines(seen.agent_id, ${since}::timestamptz, ${until}::timestamptz) as own
    ) as lines order by place, line, array_position(${KINDS}::text[], item), item`
}

function walletOf(own: (column: PgColumn) => SQL | undefined): SQL {
  return sql`(select ${ledgerAccounts.id} from ${ledgerAccounts} where ${and(
    eq(ledgerAccounts.ownerKind, 'agent'),
    sql`${ledgerAccounts.ownerId} = seen.agent_id`,
    sql`${ledgerAccounts.asset} = assets.asset`,
    eq(ledgerAccounts.book, ''),
    own(ledgerAccounts.agentId),
  )})`
}

/** The balance after the last entry before an instant; written like the index of an account's entries. */
function balanceBefore(instant: Given<string>): SQL {
  return sql`coalesce((select ${ledgerEntries.balanceAfter} from ${ledgerEntries}
    where ${ledgerEntries.accountId} = wallets.account_id and ${ledgerEntries.createdAt} < ${instant}::timestamptz
    order by ${ledgerEntries.createdAt} desc nulls last, ${ledgerEntries.id} desc nulls last limit 1), 0)`
}

async function salesOf(ctx: Ctx, agentId: number, until: string): Promise<Statement['sales']> {
  const months = monthsUntil(until, CHART_MONTHS)
  const [first, last] = [daysOfMonth(months[0] ?? until).first, daysOfMonth(until).last]
  const rows = await salesByMonth(ctx, { agentId, from: first, to: last })
  return months.map(month => ({
    month,
    cents: ORDER_KINDS.map(kind => rows.find(row => row.month === month && row.kind === kind)?.cents ?? 0),
  }))
}
