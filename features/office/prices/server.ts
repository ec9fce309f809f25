// What is in force: the price of an item at a moment, and what decides it for a buyer. Asked of the book, so that what was set for
// a moment holds from it on without any job. And the one place where a price is written down.
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { levelOfAt } from '#features/office/agents/server-levels.ts'
import { agents } from '#features/office/agents/tables.ts'
import type { Ctx } from '#server/ctx.ts'
import { found } from '#server/refuse.ts'
import { type Book, type Campaign, type Conditions, offersFor, type PriceKind } from './rules.ts'
import { prices } from './tables.ts'

const NOW = sql`now()`

/** The list price of an item by a part, as a column; null where it is not sold so. */
export function priceAt(
  book: Book,
  item: SQLWrapper,
  part: string,
  moment: SQLWrapper = NOW,
): SQL<number | null> {
  return sql<
    number | null
  >`price_at(${sql.raw(`'${book}'`)}, ${item}, ${sql.raw(`'${part}'`)}, ${moment})`.mapWith(Number)
}

/** What of the list price an agent pays now, in 1/10,000, as a column beside `agents`. */
export function discountNow(book: Book = 'version', of: typeof agents = agents): SQL<number> {
  return sql<number>`discount_at(${of.id}, ${levelOfAt(of)}, ${sql.raw(`'${book}'`)}, now())`.mapWith(Number)
}

/** What decides the prices of a book for a buyer now, beside the list prices. */
export type BuyerTerms = {
  discountBasisPoints: number
  conditionsOf(item: number): Conditions
}

/** For whom is bought: a shop, one that is about to be opened, or several or none, for whom nothing is a first purchase. */
export type BoughtFor = number | 'new shop' | 'no shop'

type TermsRow = {
  level: number
  discount: number
  moment: Date
  minimums: { item: number; part: string; cents: number | null }[]
  campaigns: (Campaign & { bought: number[] | null })[]
}

/** The acting agent's terms. */
export async function buyerTerms(ctx: Ctx, book: Book, boughtFor: BoughtFor): Promise<BuyerTerms> {
  const { agentId } = ctx.actor
  const shopId = typeof boughtFor === 'number' ? boughtFor : null
  const { rows } = await ctx.client.query<TermsRow>({
    name: 'buyer_terms',
    text: TERMS,
    values: [book, agentId, shopId],
  })
  const { level, discount, moment, minimums, campaigns } = found(rows[0])
  const buyer = { agentId, levelId: level }
  const isFirst = ({ firstOf, bought }: TermsRow['campaigns'][number], item: number) =>
    firstOf === 'shop' && shopId === null ? boughtFor === 'new shop' : !bought?.includes(item)
  return {
    discountBasisPoints: discount,
    conditionsOf: item => {
      const least = minimums.filter(row => row.item === item)
      return {
        minimums: Object.fromEntries(
          least.flatMap(({ part, cents }) => (cents === null ? [] : [[part, cents]])),
        ),
        offers: campaigns.flatMap(one => {
          const bought = !isFirst(one, item)
          const by = { shop: bought, agent: bought }
          return offersFor([one], { book, item }, buyer, moment.toISOString(), by)
        }),
      }
    },
  }
}

const TERMS = `
  select level_at(a.id, a.level_id, now()) as level, now() as moment,
    discount_at(a.id, level_at(a.id, a.level_id, now()), $1, now()) as discount,
    (select coalesce(json_agg(m), '[]') from (
      select distinct on (item, part) item, part, cents from prices
      where book = $1 and kind = 'minimum' and withdrawn_at is null and starts_at <= now()
      order by item, part, starts_at desc) as m) as minimums,
    (select coalesce(json_agg(c), '[]') from (
      select name, book, items, part, level_ids as "levelIds", agent_ids as "agentIds", basis_points as "basisPoints",
        cents, bonus_basis_points as "bonusBasisPoints", bonus_pieces as "bonusPieces", first_of as "firstOf",
        starts_at as "startsAt", ends_at as "endsAt", ended_at as "endedAt",
        case when first_of is not null then bought_items(book, first_of, a.id, $3::bigint) end as bought
      from price_campaigns
      where book = $1 and starts_at <= now() and (ends_at is null or ends_at > now()) and ended_at is null
      order by id) as c) as campaigns
  from agents a where a.id = $2`

/** What the acting agent pays of a book's list prices. */
export async function discountOf(ctx: Ctx, book: Book = 'version'): Promise<number> {
  return (await buyerTerms(ctx, book, 'no shop')).discountBasisPoints
}

/** Cut and not rounded to the milliseconds that are kept: what begins now has begun. */
// Behind a lock: a price begins after the one that was waited for.
export const NOW_ON = sql<string>`date_trunc('milliseconds', clock_timestamp())`

export type NewPrice = {
  book: Book
  item: number
  part: string
  kind?: PriceKind
  cents: number | null
  /** Left out: from now on. */
  startsAt?: string
}

/**
 * Writes a price down. One that begins now begins after every other that was written for the item: writers of a book wait for each
 * other. 'taken': another begins at that very moment.
 */
export async function beginPrice(ctx: Ctx, wanted: NewPrice): Promise<'begun' | 'taken'> {
  const { kind = 'list', startsAt, ...price } = wanted
  await ctx.client.query('select pg_advisory_xact_lock(hashtext($1))', [`prices ${wanted.book}`])
  const begun = await ctx.db
    .insert(prices)
    .values({
      ...price,
      kind,
      startsAt: startsAt ?? NOW_ON,
      createdBy: ctx.actor.accountId,
      createdByName: ctx.actor.name,
      // Behind a lock: a price begins after the one that was waited for.
      createdAt: sql`clock_timestamp()`,
    })
    .onConflictDoNothing()
    .returning({ id: prices.id })
  return begun.length > 0 ? 'begun' : 'taken'
}

/**
 * Whether an offer that a purchase is about to have was for a first purchase that is none any more. From then on no other purchase of
 * the acting agent with such an offer comes between.
 */
export async function isLateFirst(
  ctx: Ctx,
  of: { book: Book; item: number; offer: string; shopId: number | null },
): Promise<boolean> {
  if (of.offer === '') return false
  const named = 'from price_campaigns where book = $1 and name = $2 and first_of is not null'
  const { rowCount } = await ctx.client.query(`select 1 ${named}`, [of.book, of.offer])
  if (!rowCount) return false
  await ctx.client.query('select pg_advisory_xact_lock(hashtext($1))', [
    `first purchase ${ctx.actor.agentId}`,
  ])
  const { rows } = await ctx.client.query<{ late: boolean }>(
    `select bool_or($3::bigint = any(bought_items(book, first_of, $4, $5))) as late ${named}
     and not (first_of = 'shop' and $5::bigint is null)`,
    [of.book, of.offer, of.item, ctx.actor.agentId, of.shopId],
  )
  return rows[0]?.late === true
}
