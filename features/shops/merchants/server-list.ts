// Lists of merchants: the ids of one page first, through the index that fits, then their rows (performance.md).
import {
  and,
  asc,
  between,
  desc,
  eq,
  gt,
  gte,
  isNull,
  lt,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { ledgerAccounts } from '#features/money/ledger/tables.ts'
import { accounts, managerLabels } from '#features/office/access/tables.ts'
import { agents } from '#features/office/agents/tables.ts'
import { versions } from '#features/shops/versions/tables.ts'
import { keysIn } from '#kit/declare/fields.ts'
import type { In, Out } from '#kit/declare/op.ts'
import { day } from '#kit/declare/page.ts'
import { endOfDay, formatDay, startOfDay } from '#kit/time.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import {
  type Condition,
  containingConditions,
  filtered,
  type ListSource,
  ownColumns,
  ownCondition,
  type PageIds,
  pageOfRows,
  rowsAndTotal,
  skewedBy,
  valuesOf,
} from '#server/list.ts'
import { found, refuse, refuseCommon } from '#server/refuse.ts'
import type { merchants as contract } from './contract.ts'
import { MERCHANT_FIELDS, MY_MERCHANTS } from './fields.ts'
import { FIND_REFUSALS, OVERDUE_PREVIEW, OVERDUE_SINCE, REFUSALS } from './rules.ts'
import { industries, merchantCounts, merchantDays, merchants, SEARCHED_TEXT } from './tables.ts'

type ListInput = In<typeof contract.list>
export type Filters = Omit<ListInput, 'page' | 'size' | 'total' | 'sort' | 'order'>
export type Sorting = Pick<ListInput, 'sort' | 'order'>

const managers = alias(accounts, 'managers')

export const ROW = {
  ...ownColumns(merchants, keysIn(MERCHANT_FIELDS, 'row')),
  agentName: agents.companyName,
  versionName: versions.name,
  industryName: industries.name,
  managerName: managers.name,
  managerLabel: managerLabels.name,
  source: merchants.source,
  /** A shop without an account has none. */
  smsBalance: sql<number>`coalesce(${ledgerAccounts.balance}, 0)`
    .mapWith(ledgerAccounts.balance)
    .as('sms_balance'),
}

/** Where a shop's SMS credit is kept. */
export function smsAccountOf(merchantId: SQLWrapper): SQL | undefined {
  return and(
    eq(ledgerAccounts.ownerKind, 'merchant'),
    eq(ledgerAccounts.ownerId, merchantId),
    eq(ledgerAccounts.asset, 'sms'),
  )
}

export async function listMerchants(ctx: Ctx, input: ListInput): Promise<Out<typeof contract.list>> {
  const list = listOf(ctx, conditionsOf(ctx, input), input)
  const rows = selectRows(ctx, input)
  if (!input.total) return { rows: await pageOfRows(ctx, list, input, rows), total: 0, totalCapped: false }
  return rowsAndTotal(ctx, list, input, rows)
}

export const listOverdue: Verb<typeof contract.overdue> = async (ctx, input) => {
  return rowsAndTotal(ctx, listOf(ctx, overdueConditions(ctx, input), input), input, selectRows(ctx, input))
}

export async function overduePreview(ctx: Ctx): Promise<Out<typeof contract.overduePreview>> {
  const conditions = overdueConditions(ctx, {})
  const sorting = { sort: 'expiresAt', order: 'desc' } as const
  const asked = { page: 1, size: OVERDUE_PREVIEW }
  return rowsAndTotal(ctx, listOf(ctx, conditions, sorting), asked, selectRows(ctx, sorting))
}

export const findMerchants: Verb<typeof contract.find> = async (ctx, input) => {
  if (ctx.actor.isVendorStaff && lengthOf(input.search) < 2) return { rows: [] }
  const conditions = conditionsOf(ctx, { search: input.search })
  const sorting = { sort: 'registeredAt', order: 'desc' } as const
  const asked = { page: 1, size: 8 }
  const rows = await pageOfRows(ctx, listOf(ctx, conditions, sorting), asked, selectRows(ctx, sorting))
  return { rows }
}

export function overdueConditions(ctx: Ctx, filters: Filters): Condition[] {
  return [...conditionsOf(ctx, filters), overdueCondition(ctx)]
}

/** Expired since 2017-01-01 and before now. */
function overdueCondition({ now }: Ctx): Condition {
  return {
    key: 'overdue',
    onePlan: true,
    sql: and(
      gte(merchants.expiresAt, sql.placeholder('overdueSince')),
      lt(merchants.expiresAt, sql.placeholder('overdueUntil')),
    ),
    values: { overdueSince: startOfDay(OVERDUE_SINCE).toISOString(), overdueUntil: now.toISOString() },
  }
}

function listOf(ctx: Ctx, conditions: Condition[], sorting: Sorting): ListSource {
  return {
    name: 'merchants',
    table: merchants,
    conditions,
    sort: `${sorting.sort} ${sorting.order}`,
    order: orderOf(sorting),
    reversed: orderOf(reversed(sorting)),
    keptTotal: () => keptTotal(ctx),
    ...(sorting.sort !== 'lastLoginAt' && { daysBefore: daysBefore(ctx, sorting.sort) }),
  }
}

/** Shops by the day on which they were registered or their term ends; those whose term never ends have no day, and stand behind all. */
function daysBefore(ctx: Ctx, sort: 'registeredAt' | 'expiresAt'): NonNullable<ListSource['daysBefore']> {
  const counted = sort === 'registeredAt' ? merchantDays.registered : merchantDays.expiring
  return async place => {
    const ofDay = ctx.db
      .select({ day: merchantDays.day, shops: sql<number>`sum(${counted})`.as('shops') })
      .from(merchantDays)
      .where(and(ownRows(ctx, merchantDays.agentId), sql`${counted} <> 0`))
      .groupBy(merchantDays.day)
      .as('of_day')
    const upTo = ctx.db
      .select({
        day: ofDay.day,
        shops: ofDay.shops,
        until: sql<number>`sum(${ofDay.shops}) over (order by ${ofDay.day})`.as('until'),
      })
      .from(ofDay)
      .as('up_to')
    const [reached] = await ctx.db
      .select({ day: upTo.day, before: sql<number>`${upTo.until} - ${upTo.shops}`.mapWith(Number) })
      .from(upTo)
      .where(gt(upTo.until, place))
      .orderBy(asc(upTo.day))
      .limit(1)
    if (!reached) return null
    const values = { fromDay: startOfDay(reached.day).toISOString() }
    const from = { key: 'fromDay', sql: gte(merchants[sort], sql.placeholder('fromDay')), values }
    return { from, rows: reached.before }
  }
}

/** The shown columns of the page's rows. */
export function selectRows(ctx: Ctx, sorting: Sorting) {
  return (page: PageIds) =>
    ctx.db
      .with(page)
      .select(ROW)
      .from(page)
      .innerJoin(merchants, eq(merchants.id, page.id))
      .innerJoin(agents, eq(agents.id, merchants.agentId))
      .innerJoin(versions, eq(versions.id, merchants.versionId))
      .innerJoin(industries, eq(industries.id, merchants.industryId))
      .leftJoin(managers, eq(managers.id, merchants.managerId))
      .leftJoin(managerLabels, eq(managerLabels.id, managers.labelId))
      .leftJoin(ledgerAccounts, smsAccountOf(merchants.id))
      .orderBy(...orderOf(sorting))
}

/** Every row that fits the conditions, in the list's order, as a statement for a cursor. */
export function selectForExport(ctx: Ctx, conditions: readonly Condition[], sorting: Sorting) {
  const statement = ctx.db
    .select(ROW)
    .from(merchants)
    .innerJoin(agents, eq(agents.id, merchants.agentId))
    .innerJoin(versions, eq(versions.id, merchants.versionId))
    .innerJoin(industries, eq(industries.id, merchants.industryId))
    .leftJoin(managers, eq(managers.id, merchants.managerId))
    .leftJoin(managerLabels, eq(managerLabels.id, managers.labelId))
    .leftJoin(ledgerAccounts, smsAccountOf(merchants.id))
    .where(and(...conditions.map(condition => condition.sql)))
    .orderBy(...orderOf(sorting))
  return { statement, values: valuesOf(conditions) }
}

/** `column` and `id` stand for the shop's own where its rows were already read once. */
export function orderOf(
  { sort, order }: Sorting,
  column: SQLWrapper = merchants[sort],
  id: SQLWrapper = merchants.id,
): SQL[] {
  // "Never logged in" is older than any login, "never expires" later than any end; the indexes are written the same way.
  if (sort === 'lastLoginAt')
    return order === 'asc'
      ? [sql`${column} asc nulls first`, asc(id)]
      : [sql`${column} desc nulls last`, desc(id)]
  return order === 'asc' ? [asc(column), asc(id)] : [desc(column), desc(id)]
}

export function reversed({ sort, order }: Sorting): Sorting {
  return { sort, order: order === 'asc' ? 'desc' : 'asc' }
}

/** Shops of the acting agent, or of all for vendor staff. */
export async function keptTotal(ctx: Ctx): Promise<number> {
  const scope = ownRows(ctx, merchantCounts.agentId)
  const key = `merchants kept total ${scope ? 'own' : 'all'}`
  const [row] = await ctx
    .prepared(key, db =>
      db
        .select({ total: sql<number>`coalesce(sum(${merchantCounts.total}), 0)`.mapWith(Number) })
        .from(merchantCounts)
        .where(scope ? eq(merchantCounts.agentId, sql.placeholder('agentId')) : undefined)
        .prepare(key),
    )
    .execute({ agentId: ctx.actor.agentId })
  return row?.total ?? 0
}

/** The rows of the acting agent that are filtered. */
export function conditionsOf(ctx: Ctx, filters: Filters): Condition[] {
  return [...ownCondition(ctx, merchants.agentId), ...filterConditions(ctx, filters)]
}

/** What is filtered alone, without whose rows they are. */
export function filterConditions(ctx: Ctx, filters: Filters): Condition[] {
  const others = {
    registered: merchants.registeredAt,
    expires: merchants.expiresAt,
    lastLoginDays: (days: number) => [lastLoginCondition(ctx, days)],
    lastsPast: (day: string) => [lastsPast(day)],
    smsLeft: (pieces: number) => [smsLeftCondition(pieces)],
    regionCode: (code: number) => [inRegion(String(code))],
    verificationStatus: skewedBy('verificationStatus', merchants.verificationStatus),
    source: skewedBy('source', merchants.source),
  }
  const conditions = filtered(MY_MERCHANTS, filters, others, merchants)
  return filters.search
    ? [...conditions, ...searchConditions(ctx, filters.search, filters.agentId)]
    : conditions
}

function lastsPast(text: string): Condition {
  const parsed = day.safeParse(text)
  if (!parsed.success) refuseCommon('INPUT_INVALID')
  return {
    key: 'lastsPast',
    sql: or(isNull(merchants.expiresAt), gte(merchants.expiresAt, sql.placeholder('lastsPast'))),
    values: { lastsPast: endOfDay(parsed.data).toISOString() },
  }
}

/** Less SMS credit than that, or none at all. */
function smsLeftCondition(pieces: number): Condition {
  const account = and(smsAccountOf(merchants.id), gte(ledgerAccounts.balance, sql.placeholder('smsLeft')))
  return {
    key: 'smsLeft',
    sql: sql`not exists (select 1 from ${ledgerAccounts} where ${account})`,
    values: { smsLeft: Math.max(pieces, 1) },
  }
}

/** A province, a city or a district, by its two, four or six digits. */
export function inRegion(code: string): Condition {
  return {
    key: 'region',
    sql: between(merchants.districtCode, sql.placeholder('regionFrom'), sql.placeholder('regionTo')),
    values: { regionFrom: code.padEnd(6, '0'), regionTo: code.padEnd(6, '9') },
  }
}

function lastLoginCondition({ now }: Ctx, days: number): Condition {
  const today = startOfDay(formatDay(now))
  if (days === 0)
    return {
      key: 'loginToday',
      sql: gte(merchants.lastLoginAt, sql.placeholder('lastLogin')),
      values: { lastLogin: today.toISOString() },
    }
  const limit = new Date(today.getTime() - (days - 1) * 86_400_000)
  return {
    key: 'noLogin',
    sql: or(lt(merchants.lastLoginAt, sql.placeholder('lastLogin')), isNull(merchants.lastLoginAt)),
    values: { lastLogin: limit.toISOString() },
  }
}

/** Characters as the database counts them: those beyond the first plane are one, not two. */
export function lengthOf(search: string): number {
  return [...search].length
}

/** Two or more characters ask the bigram index; one character reads the rows of one agent. */
function searchConditions(ctx: Ctx, search: string, agentId: number | undefined): Condition[] {
  const isShort = lengthOf(search) < 2
  const all = ctx.actor.isVendorStaff && agentId === undefined
  if (isShort && all) refuse('SEARCH_TOO_SHORT', REFUSALS)
  return containingConditions(SEARCHED_TEXT, search)
}

/** The shop that an account belongs to, of those that whoever asks may see; refuses with ACCOUNT_UNKNOWN at `account`. */
export async function findByAccount(ctx: Ctx, { account }: { account: string }) {
  const [shop] = await ctx.db
    .select({ merchantId: merchants.id, shopName: merchants.shopName, agentName: agents.companyName })
    .from(merchants)
    .innerJoin(agents, eq(agents.id, merchants.agentId))
    .where(and(eq(merchants.account, account), ownRows(ctx, merchants.agentId)))
  if (!shop) refuse('ACCOUNT_UNKNOWN', FIND_REFUSALS, { field: 'account' })
  return found(shop)
}
