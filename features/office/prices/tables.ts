import { sql } from 'drizzle-orm'
import { bigint, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { agentLevels, agents } from '#features/office/agents/tables.ts'
import { id, instant, whole } from '#server/columns.ts'
import type { Book, First, PriceKind } from './rules.ts'

/** Who wrote it down and when. Rows are never changed, but one that has not begun may be withdrawn. */
const written = {
  createdBy: whole('created_by').notNull(),
  createdByName: text('created_by_name').notNull(),
  createdAt: instant('created_at').notNull(),
}
const withdrawn = {
  withdrawnAt: instant('withdrawn_at'),
  withdrawnByName: text('withdrawn_by_name').notNull().default(''),
}

/** From a moment on, what one of an item costs by one of its parts (docs/decisions/0028). */
// In no list: the books, with their history.
export const prices = pgTable(
  'prices',
  {
    id: id(),
    book: text('book').$type<Book>().notNull(),
    item: whole('item').notNull(),
    part: text('part').notNull(),
    kind: text('kind').$type<PriceKind>().notNull(),
    /** Null: not sold so from then on, or no minimum. Of the book `recharge` in fen, of all others in 1/100 token. */
    cents: whole('cents'),
    startsAt: instant('starts_at').notNull(),
    ...written,
    ...withdrawn,
  },
  table => [
    uniqueIndex('prices_in_force')
      .on(table.book, table.item, table.part, table.kind, table.startsAt)
      .where(sql`withdrawn_at is null`),
    index('prices_history').on(table.book, table.item, table.id),
  ],
)

/** From a moment on, the share of the list price that a level or an agent pays. */
// In no list: the books, with their history.
export const discounts = pgTable(
  'discounts',
  {
    id: id(),
    levelId: integer('level_id').references(() => agentLevels.id),
    agentId: whole('agent_id').references(() => agents.id),
    /** Null: every book that levels have a discount on. */
    book: text('book').$type<Book>(),
    /** Null, of an agent alone: its level's holds again. */
    basisPoints: integer('basis_points'),
    startsAt: instant('starts_at').notNull(),
    ...written,
    ...withdrawn,
  },
  table => [
    index('discounts_level_id').on(table.levelId, table.startsAt),
    index('discounts_agent_id').on(table.agentId, table.startsAt),
  ],
)

/** Offers with a name and an end, for items or a whole book, for some levels and agents or all. */
// In no list: the books, with their history.
export const priceCampaigns = pgTable(
  'price_campaigns',
  {
    id: id(),
    name: text('name').notNull(),
    book: text('book').$type<Book>().notNull(),
    items: bigint('items', { mode: 'number' }).array(),
    part: text('part'),
    levelIds: integer('level_ids').array(),
    agentIds: bigint('agent_ids', { mode: 'number' }).array(),
    basisPoints: integer('basis_points'),
    cents: whole('cents'),
    bonusBasisPoints: integer('bonus_basis_points'),
    /** Of SMS, with each package. */
    bonusPieces: integer('bonus_pieces'),
    firstOf: text('first_of').$type<First>(),
    startsAt: instant('starts_at').notNull(),
    endsAt: instant('ends_at'),
    ...written,
    endedAt: instant('ended_at'),
    endedByName: text('ended_by_name').notNull().default(''),
  },
  table => [index('price_campaigns_book').on(table.book, table.startsAt)],
)

/** That somebody of the vendor looked prices and levels through: until then those that a fresh database starts with are examples. */
// In no list: the last one stands on the page of prices.
export const priceReviews = pgTable('price_reviews', {
  id: id(),
  reviewedAt: instant('reviewed_at').notNull(),
  reviewedBy: whole('reviewed_by').notNull(),
  reviewedByName: text('reviewed_by_name').notNull(),
})
