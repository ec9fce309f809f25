// Which kinds an account sees, and the statements over all of them: one page by age, and how many there are.
import { createHash } from 'node:crypto'
import { and, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { accounts } from '#features/office/access/tables.ts'
import { type Ctx, type InboxSource, ownRows } from '#server/ctx.ts'
import { literal } from '#server/list.ts'
import type { InboxAsked } from '#server/office/inbox.ts'
import { rankOf, stakeOf, type Whose } from './rules.ts'
import { inboxItems as items } from './tables.ts'

/** The kinds that the acting account sees. */
export function sourcesFor(ctx: Ctx): InboxSource[] {
  const { permissions, isVendorStaff } = ctx.actor
  return ctx.services.inbox.filter(
    source =>
      permissions.has(source.permission) &&
      (source.for === undefined || (source.for === 'staff') === isVendorStaff),
  )
}

export const mayDecide = (ctx: Ctx, { permission, decides = permission }: InboxSource) =>
  ctx.actor.permissions.has(decides)

/** The agency that the inbox is of. All of the vendor's staff share one. */
export async function houseOf(ctx: Ctx): Promise<number> {
  const { actor } = ctx
  if (!actor.isVendorStaff || actor.isOperator) return actor.agentId
  const { rows } = await ctx.client.query<{ id: string }>(
    'select id from agents where is_operator order by id limit 1',
  )
  return Number(rows[0]?.id ?? actor.agentId)
}

/** Placeholders of every statement here. */
type Values = { agentId: number; accountId: number; house: number; now: string }

export async function valuesOf(ctx: Ctx): Promise<Values> {
  const { agentId, accountId } = ctx.actor
  return { agentId, accountId, house: await houseOf(ctx), now: ctx.now.toISOString() }
}

const NOW = sql`${sql.placeholder('now')}::timestamptz`
const ME = sql`${sql.placeholder('accountId')}::bigint`
const AGENCY = sql`${sql.placeholder('agentId')}::bigint`
const HOUSE = sql`${sql.placeholder('house')}::bigint`

export function askedBy(ctx: Ctx): InboxAsked {
  const is = (column: PgColumn) => sql`${column} = ${AGENCY}`
  return { own: column => (ownRows(ctx, column) ? is(column) : undefined), agency: is, now: NOW, me: ME }
}

/** Whoever is gone or locked out does nothing any more: what was theirs is nobody's. */
const IS_TAKEN = sql`exists (select from ${accounts} a where a.id = i.assignee_id and a.enabled)`
const IS_SNOOZED = sql`i.snoozed_until > ${NOW}`

/** Of a kind, what is shown of those that wait. What the inbox has noted are few rows: they are looked up, or lead. */
function chosen(source: InboxSource, whose: Whose): SQL | undefined {
  const noted = (condition: SQL) =>
    sql`from ${items} i where i.agent_id = ${HOUSE} and i.source = ${sql.raw(`'${source.key}'`)} and ${condition}`
  const none = (condition: SQL) =>
    sql`not exists (select ${noted(sql`i.item_id = ${source.id} and (${condition})`)})`
  const among = (condition: SQL) => sql`${source.id} = any(array(select i.item_id ${noted(condition)}))`
  switch (whose) {
    case 'waiting':
      return none(sql`${IS_SNOOZED} or i.assignee_id <> ${ME} and ${IS_TAKEN}`)
    case 'mine':
      return among(sql`i.assignee_id = ${ME} and (${IS_SNOOZED}) is not true`)
    case 'free':
      return none(sql`${IS_SNOOZED} or ${IS_TAKEN}`)
    case 'all':
      return none(IS_SNOOZED)
    case 'snoozed':
      return among(IS_SNOOZED)
  }
}

function whereOf(ctx: Ctx, source: InboxSource, whose: Whose): SQL {
  return and(source.waits(askedBy(ctx)), chosen(source, whose)) ?? sql`true`
}

/** PostgreSQL tells statements apart by their first 63 characters only. */
export function nameOf(ctx: Ctx, what: string, sources: readonly InboxSource[]): string {
  const shape = [
    what,
    ownRows(ctx, items.agentId) ? 'own' : 'all',
    ctx.actor.isVendorStaff,
    ...sources.map(({ key }) => key),
  ]
  return `inbox ${createHash('sha256').update(shape.join(' ')).digest('base64url').slice(0, 24)}`
}

export type Found = { source: string; id: number; since: string }
export type Order = 'asc' | 'desc'
export type Sort = 'stake' | 'since'

/** How many of a kind are read: the page's rows, or the one that stands for all alike. */
type Asked = {
  whose: Whose
  sort: Sort
  order: Order
  page: number
  size: number
  /** Keys of the kinds that are one line. */
  folded: ReadonlySet<string>
  /** By key, within how many hours an answer was promised. */
  hours: ReadonlyMap<string, number>
}

/**
 * One page over all kinds: of each no more rows are read than the page can show. By stake: money, then what was promised, the first to
 * be due first, then by age.
 */
export async function pageOfItems(ctx: Ctx, sources: readonly InboxSource[], asked: Asked): Promise<Found[]> {
  if (sources.length === 0) return []
  const { whose, sort, order, page, size, folded, hours } = asked
  const way = sql.raw(order)
  const branch = (source: InboxSource, at: number) => {
    // Of what is one line the one that waits longest stands for all, whichever way is sorted.
    const isLine = folded.has(source.key)
    const within = isLine ? sql.raw('asc') : way
    const due = sql`${source.since} + make_interval(hours => ${sql.placeholder(`hours${at}`)}::int)`
    const byStake = sort === 'stake'
    return sql`(select ${sql.raw(`'${source.key}'`)} as source, ${source.id} as id, ${source.since} as since,
      ${literalOf(byStake ? rankOf(stakeOf(source)) : 0)} as rank, ${byStake && hours.has(source.key) ? due : source.since} as at
      from ${source.table} where ${whereOf(ctx, source, whose)}
      order by ${source.order ?? source.since} ${within}, ${source.id} ${within} limit ${literalOf(isLine ? 1 : page * size)})`
  }
  const union = () => sql.join(sources.map(branch), sql` union all `)
  const promised = Object.fromEntries(sources.map(({ key }, at) => [`hours${at}`, hours.get(key) ?? 0]))
  const lines = sources.map(({ key }) => [folded.has(key), hours.has(key)].map(Number).join('')).join()
  const key = nameOf(ctx, `page ${whose} ${sort} ${order} ${page} ${size} ${lines}`, sources)
  return ctx
    .prepared(key, db =>
      db
        .select({
          source: sql<string>`w.source`,
          id: sql<number>`w.id`.mapWith(Number),
          since: sql<string>`w.since`.mapWith(items.changedAt),
        })
        .from(sql`(${union()}) w`)
        .orderBy(sql`w.rank ${way}`, sql`w.at ${way}`, sql`w.source`, sql`w.id ${way}`)
        .limit(literal(size))
        .offset(literal((page - 1) * size))
        // Later pages are planned for themselves: statements are kept as long as their connection.
        .prepare(page === 1 ? key : ''),
    )
    .execute({ ...(await valuesOf(ctx)), ...promised })
}

export type Counted = { source: string; count: number }

/** Of each kind, counted up to one more than `most`. */
export const countItems = (
  ctx: Ctx,
  sources: readonly InboxSource[],
  whose: Whose,
  most: number,
): Promise<Counted[]> =>
  countFew(
    ctx,
    `count ${whose} ${most}`,
    sources,
    source =>
      sql`(select from ${source.table} where ${whereOf(ctx, source, whose)} limit ${literalOf(most + 1)})`,
  )

/** How many rows of each kind `few` gives, in one statement; `name` says what is counted. */
export async function countFew<S extends InboxSource>(
  ctx: Ctx,
  name: string,
  sources: readonly S[],
  few: (source: S) => SQL,
): Promise<Counted[]> {
  if (sources.length === 0) return []
  const key = nameOf(ctx, name, sources)
  const union = () =>
    sql.join(
      sources.map(
        source =>
          sql`(select ${sql.raw(`'${source.key}'`)} as source, count(*)::int as count from ${few(source)} few)`,
      ),
      sql` union all `,
    )
  return ctx
    .prepared(key, db =>
      db
        .select({ source: sql<string>`w.source`, count: sql<number>`w.count` })
        .from(sql`(${union()}) w`)
        .prepare(key),
    )
    .execute(await valuesOf(ctx))
}

/** Which of these still wait, in the acting account's sight. */
export async function stillWaiting(ctx: Ctx, source: InboxSource, ids: readonly number[]): Promise<number[]> {
  const wanted = sql`${source.id} in (${sql.join(
    ids.map(id => sql`${id}`),
    sql`, `,
  )})`
  const rows = await ctx.db
    .select({ id: sql<number>`w.id`.mapWith(Number) })
    .from(
      sql`(select ${source.id} as id from ${source.table} where ${and(source.waits(askedBy(ctx)), wanted)}) w`,
    )
    .prepare('')
    .execute(await valuesOf(ctx))
  return rows.map(({ id }) => id)
}

/** Inside the statement's text: a kept plan is trusted only where it is known how few rows are wanted. */
export const literalOf = (whole: number) => sql.raw(String(Math.trunc(whole)))
