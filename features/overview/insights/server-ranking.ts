// Agents ranked: one statement over sums that are kept per agent and month, and per day where a month is not whole.
import { eq, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { GIVEN_BACK, SPENDING } from '#features/money/ledger/rules.ts'
import { ledgerAccounts, ledgerDays } from '#features/money/ledger/tables.ts'
import { agentMatches } from '#features/office/agents/server.ts'
import { agentLevels, agents } from '#features/office/agents/tables.ts'
import {
  type Compared,
  comparedPeriods,
  MONTH_PATTERN,
  type Range,
} from '#features/sales/settlement/rules.ts'
import { orderDays } from '#features/sales/settlement/tables.ts'
import { merchantCounts, merchantDays } from '#features/shops/merchants/tables.ts'
import type { DownloadIn } from '#kit/declare/op.ts'
import { addDays, formatDay } from '#kit/time.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { fileColumns, serveDownload } from '#server/documents/export.ts'
import { refuseCommon } from '#server/refuse.ts'
import { type insights as contract, insightDownloads } from './contract.ts'
import { RANKING } from './fields.ts'
import { OWN_LEVEL, partsOf, SALES_KINDS, SPENDING_DAYS, STANDING, type SumKind } from './rules.ts'
import { insightSums, renewedTerms } from './tables.ts'

type Asked = Omit<DownloadIn<typeof insightDownloads.partners>, 'columns'>
type Row = Awaited<ReturnType<Verb<typeof contract.partners>>>['rows'][number]

const parents = alias(agents, 'parents')

/** By the keys of the fields, in the order of the statement. */
const COLUMNS = {
  id: sql`${agents.id}`,
  companyName: sql`${agents.companyName}`,
  levelName: sql`${agentLevels.name}`,
  parentName: sql`coalesce(${parents.companyName}, '')`,
  salesCents: sql`coalesce(sold.cents, 0)`,
  beforeCents: sql`coalesce(earlier.cents, 0)`,
  growth: sql`round((coalesce(sold.cents, 0) - earlier.cents) * 10000.0 / nullif(greatest(earlier.cents, 0), 0))::bigint`,
  versionCents: sql`coalesce(sold.version, 0)`,
  serviceCents: sql`coalesce(sold.service, 0)`,
  smsCents: sql`coalesce(sold.sms, 0)`,
  renewalRate: sql`round(coalesce(ended.renewed, 0) * 10000.0 / nullif(ended.renewed + ended.lapsed, 0))::bigint`,
  renewed: sql`coalesce(ended.renewed, 0)`,
  lapsed: sql`coalesce(ended.lapsed, 0)`,
  tokenCents: sql`coalesce(wallet.balance, 0)`,
  smsPieces: sql`coalesce(pieces.balance, 0)`,
  shopSms: sql`coalesce(stood.pieces, 0)`,
  spentCents: sql`coalesce(spending.cents, 0)`,
  daysLeft: sql`case when spending.cents > 0 then floor(coalesce(wallet.balance, 0) * spending.days / spending.cents)::bigint end`,
  shops: sql`coalesce(${merchantCounts.total}, 0)`,
  boughtOn: sql`bought.day::text`,
  idleDays: sql`bought.idle`,
}

const TEXTS: readonly string[] = ['companyName', 'levelName', 'parentName', 'boughtOn']

export const rankPartners: Verb<typeof contract.partners> = async (ctx, { page, size, ...asked }) => {
  const compared = periodsOf(ctx, asked)
  const statement = sql`${rankingOf(ctx, asked, compared, sql`, count(*) over () as total`)} limit ${size} offset ${(page - 1) * size}`
  const { rows } = await ctx.db.execute<Record<string, string | null> & { total: string }>(statement)
  return {
    ...compared,
    rows: rows.map(rowOf),
    total: Number(rows[0]?.total ?? 0),
    totalCapped: false,
  }
}

function rowOf(row: Record<string, string | null>): Row {
  const entries = Object.keys(COLUMNS).map((key): [string, unknown] => {
    const value = row[key] ?? null
    return [key, value === null || TEXTS.includes(key) ? value : Number(value)]
  })
  return Object.fromEntries(entries) as Row
}

/** The period that is asked for; this month where none is. */
function periodsOf(ctx: Ctx, { period, month }: Pick<Asked, 'period' | 'month'>): Compared {
  const today = formatDay(ctx.now)
  if (month !== undefined && !MONTH_PATTERN.test(month)) refuseCommon('INPUT_INVALID')
  return comparedPeriods(period ?? 'month', month ?? today.slice(0, 7), today)
}

function rankingOf(ctx: Ctx, asked: Asked, { now, before }: Compared, more = sql``): SQL {
  const today = formatDay(ctx.now)
  const days = asked.spending ?? SPENDING_DAYS[0]
  const columns = Object.entries(COLUMNS).map(([key, value]) => sql`${value} as ${sql.identifier(key)}`)
  const conditions = [
    whoseAgents(asked),
    ownRows(ctx, agents.id),
    agentMatches(asked.search),
    asked.levelId === undefined || asked.levelId === OWN_LEVEL
      ? undefined
      : eq(agents.levelId, asked.levelId),
    asked.parentId === undefined ? undefined : eq(agents.parentId, asked.parentId),
    asked.idle === undefined ? undefined : sql`coalesce(bought.idle, ${asked.idle}) >= ${asked.idle}`,
  ].filter(condition => condition !== undefined)
  return sql`
    with sold as (${soldIn(now)}), earlier as (${soldIn(before)}), ended as (${endedIn(now)}),
      stood as (select agent_id, sum(amount)::bigint as pieces from ${insightSums} where kind = ${STANDING.shopSms.kind} group by agent_id)
    select ${sql.join(columns, sql`, `)}${more}
    from ${agents}
      join ${agentLevels} on ${agentLevels.id} = ${agents.levelId}
      left join ${agents} as ${sql.identifier('parents')} on ${parents.id} = ${agents.parentId}
      left join sold on sold.agent_id = ${agents.id}
      left join earlier on earlier.agent_id = ${agents.id}
      left join ended on ended.agent_id = ${agents.id}
      left join ${merchantCounts} on ${merchantCounts.agentId} = ${agents.id}
      left join ${ledgerAccounts} as wallet on wallet.owner_kind = 'agent' and wallet.owner_id = ${agents.id} and wallet.asset = 'token' and wallet.book = ''
      left join ${ledgerAccounts} as pieces on pieces.owner_kind = 'agent' and pieces.owner_id = ${agents.id} and pieces.asset = 'sms' and pieces.book = ''
      left join stood on stood.agent_id = ${agents.id}
      left join lateral (${spentBy(today, days)}) as spending on true
      left join lateral (${lastBought(today)}) as bought on true
    where ${sql.join(conditions, sql` and `)}
    order by ${sql.identifier(asked.sort)} ${sql.raw(asked.order === 'asc' ? 'asc' : 'desc')} nulls last, ${agents.id}`
}

/** The vendor's own agencies are ranked with nobody, unless they are asked for. */
function whoseAgents({ levelId, own }: Asked): SQL {
  if (levelId === OWN_LEVEL) return sql`${agents.isVendorStaff}`
  return own ? sql`true` : sql`not ${agents.isVendorStaff}`
}

const listed = (kinds: readonly string[]) =>
  sql`(${sql.join(
    kinds.map(kind => sql`${kind}`),
    sql`, `,
  )})`

/** 销售额 by agent, whole and by its parts: kept per month, and per day for the rest. */
function soldIn(range: Range): SQL {
  const { months, days } = partsOf(range)
  const parts = Object.entries(SALES_KINDS).map(
    ([part, kinds]) =>
      sql`sum(cents) filter (where kind in ${listed([part, ...kinds])})::bigint as ${sql.identifier(part)}`,
  )
  const sources = [
    months &&
      sql`select agent_id, kind, amount as cents from ${insightSums}
        where kind in ${listed(Object.values(SALES_KINDS).flat())} and month between ${months.from} and ${months.to}`,
    days && sql`select agent_id, kind, cents from ${orderDays} where day between ${days.from} and ${days.to}`,
  ].filter(source => source !== null)
  return sql`select agent_id, sum(cents)::bigint as cents, ${sql.join(parts, sql`, `)}
    from (${sql.join(sources, sql` union all `)}) as sums group by agent_id`
}

/** Shops whose term ended by agent, and those that were renewed in time: kept per month, and per day for the rest. */
function endedIn(range: Range): SQL {
  const { months, days } = partsOf(range)
  const ofMonths = (kind: SumKind) =>
    months &&
    sql`select agent_id, kind, entries from ${insightSums}
      where kind = ${kind} and month between ${months.from} and ${months.to}`
  const sources = [
    ofMonths('renewed'),
    ofMonths('expiring'),
    days &&
      sql`select agent_id, 'renewed', count(*) from ${renewedTerms}
        where day between ${days.from} and ${days.to} and orders > 0 group by agent_id`,
    days &&
      sql`select agent_id, 'expiring', expiring from ${merchantDays} where day between ${days.from} and ${days.to}`,
  ].filter(source => source !== null)
  return sql`select agent_id, coalesce(sum(entries) filter (where kind = 'renewed'), 0)::bigint as renewed,
      coalesce(sum(entries) filter (where kind = 'expiring'), 0)::bigint as lapsed
    from (${sql.join(sources, sql` union all `)}) as sums (agent_id, kind, entries) group by agent_id`
}

/** The day of an agent's last order of 销售额 that stands, beside `agents`, and how many days ago it was. */
export function lastBought(today: string): SQL {
  return sql`select day, ${today}::date - day as idle from ${orderDays}
    where ${orderDays.agentId} = ${agents.id} and ${orderDays.orders} > 0 and (${orderDays.kind} <> 'sms' or ${orderDays.cents} > 0)
    order by ${orderDays.day} desc limit 1`
}

/** Of an agent's own tokens on the last days, today included, beside `agents`. */
export function spentBy(today: string, days: number): SQL {
  return sql`select ${days}::bigint as days,
      sum(case when kind = ${GIVEN_BACK} then -income else spent end)::bigint as cents from ${ledgerDays}
    where ${ledgerDays.agentId} = ${agents.id} and ${ledgerDays.day} between ${addDays(today, 1 - days)} and ${today}
      and asset = 'token' and kind in ${listed([...SPENDING, GIVEN_BACK])}`
}

export const partnersDownload = serveDownload(
  insightDownloads.partners,
  (ctx, { columns, ...asked }: DownloadIn<typeof insightDownloads.partners>) => ({
    statement: {
      getSQL: () => rankingOf(ctx, asked, periodsOf(ctx, asked)),
      _: {
        selectedFields: Object.fromEntries(Object.keys(COLUMNS).map(key => [key, sql.identifier(key)])),
      },
    },
    values: {},
    ...fileColumns(RANKING, COLUMNS, columns),
  }),
)
