import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { merchants } from '#features/shops/merchants/tables.ts'
import { id, instant, whole } from '#server/columns.ts'
import { files } from '#server/tables.ts'
import type { ApprovalKind, ApprovalState } from './rules.ts'

/** What shops ask to be called. Of a shop that moves, those that wait go along (trigger); what was decided stays with its agent. */
export const approvalRequests = pgTable(
  'approval_requests',
  {
    id: id(),
    agentId: whole('agent_id').notNull(),
    merchantId: whole('merchant_id')
      .notNull()
      .references(() => merchants.id),
    kind: text('kind').$type<ApprovalKind>().notNull(),
    content: text('content').notNull(),
    /** What the shop had when it asked. */
    contentBefore: text('content_before').notNull(),
    note: text('note').notNull().default(''),
    pictureId: uuid('picture_id').references(() => files.id),
    /** Whether the shop is told by SMS what was decided. */
    bySms: boolean('by_sms').notNull().default(false),
    /** As the shop was called when it asked. */
    shopName: text('shop_name').notNull(),
    state: text('state').$type<ApprovalState>().notNull(),
    reason: text('reason').notNull().default(''),
    /** What the shop is told to do about it. */
    advice: text('advice').notNull().default(''),
    createdBy: whole('created_by').notNull(),
    createdByName: text('created_by_name').notNull(),
    createdAt: instant('created_at').notNull(),
    /** Of the vendor's staff: who let it pass, whatever SMS services or the shop made of it then. */
    // No field: shown by name.
    approvedBy: whole('approved_by'),
    approvedByName: text('approved_by_name').notNull().default(''),
    approvedAt: instant('approved_at'),
    /** Who ended it: whoever decided, an SMS service, or whoever withdrew or replaced it. */
    // No field: shown by name.
    handledBy: whole('handled_by'),
    handledByName: text('handled_by_name').notNull().default(''),
    handledAt: instant('handled_at'),
    /** Of a signature: what the SMS services had said when they decided, in their own words; for the vendor's staff. */
    serviceAnswer: text('service_answer').notNull().default(''),
    searchText: text('search_text')
      .notNull()
      .generatedAlwaysAs(sql`lower(merchant_id::text || chr(31) || shop_name || chr(31) || content)`),
  },
  table => [
    uniqueIndex('approval_requests_open')
      .on(table.merchantId, table.kind)
      .where(sql`state in ('pending', 'reviewing')`),
    index('approval_requests_kind').on(table.kind, table.createdAt, table.id),
    index('approval_requests_state').on(table.kind, table.state, table.createdAt, table.id),
    index('approval_requests_merchant_id').on(table.merchantId, table.id),
    index('approval_requests_agent_id').on(table.agentId, table.createdAt, table.id),
    index('approval_requests_picture_id').on(table.pictureId).where(sql`picture_id is not null`),
    index('approval_requests_search').using('gin', sql`bigrams(${table.searchText})`),
  ],
)

/** Reasons for which requests are rejected, each with what the shop is told to do; another may be typed. */
// In no list: in the one editor of reference data, which is made of declarations.
export const approvalReasons = pgTable(
  'approval_reasons',
  {
    id: integer('id').primaryKey(),
    kind: text('kind').$type<ApprovalKind>().notNull(),
    name: text('name').notNull(),
    advice: text('advice').notNull().default(''),
    position: integer('position').notNull(),
    /** From then on it is offered no more. */
    retiredAt: instant('retired_at'),
  },
  table => [index('approval_reasons_kind').on(table.kind, table.position)],
)
