import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { merchants } from '#features/shops/merchants/tables.ts'
import { id, instant, presenceColumns, saidColumns, whole } from '#server/columns.ts'
import { type FieldChange, files } from '#server/tables.ts'
import type { OrderKind, OrderSide, OrderState, Score, Urgency } from './rules.ts'

const LIVE = sql`deleted_at is null`

/** Requests of an agency to the vendor. They stay with the agency that asked, also where the shop they are about moves. */
export const workOrders = pgTable(
  'work_orders',
  {
    id: id(),
    agentId: whole('agent_id').notNull(),
    merchantId: whole('merchant_id').references(() => merchants.id),
    /** As the shop was called then. */
    shopName: text('shop_name').notNull().default(''),
    kind: text('kind').$type<OrderKind>().notNull(),
    urgency: text('urgency').$type<Urgency>().notNull(),
    title: text('title').notNull(),
    state: text('state').$type<OrderState>().notNull(),
    // No field: shown by name.
    createdBy: whole('created_by').notNull(),
    createdByName: text('created_by_name').notNull(),
    // No field: shown by name.
    assigneeId: whole('assignee_id'),
    assigneeName: text('assignee_name').notNull().default(''),
    dueAt: instant('due_at').notNull(),
    /** Since when the partner is waited for: the due time moves by as much. */
    // No field: shown as pressingAt while it runs, and in the details.
    stoppedAt: instant('stopped_at'),
    /** `pressingAt` of rules.ts. */
    pressingAt: instant('pressing_at').notNull(),
    doneAt: instant('done_at'),
    // No field: facts of the details.
    closedAt: instant('closed_at'),
    lastText: text('last_text').notNull().default(''),
    lastAt: instant('last_at').notNull(),
    /** The latest message of either side, and up to where the other has read. */
    // No field: shown as unread, and as seen of each message.
    lastPartnerId: whole('last_partner_id').notNull().default(0),
    // No field: shown as unread, and as seen of each message.
    lastVendorId: whole('last_vendor_id').notNull().default(0),
    // No field: shown as unread, and as seen of each message.
    partnerSeen: whole('partner_seen').notNull().default(0),
    // No field: shown as unread, and as seen of each message.
    vendorSeen: whole('vendor_seen').notNull().default(0),
    /** Counts what was done with it: a step names the one that its page has seen. */
    revision: integer('revision').notNull().default(0),
    // No field: told to whoever comes second.
    changedByName: text('changed_by_name').notNull().default(''),
    firstAnsweredAt: instant('first_answered_at'),
    satisfaction: text('satisfaction').$type<Score>(),
    ratingText: text('rating_text').notNull().default(''),
    // No field: facts of the details.
    ratedAt: instant('rated_at'),
    /** What was said, for the search; no notes. */
    // No field: for the search.
    words: text('words').notNull().default(''),
    createdAt: instant('created_at').notNull(),
    // No field: what is deleted is shown to nobody, and told by the log.
    deletedAt: instant('deleted_at'),
    // No field: what is deleted is shown to nobody, and told by the log.
    deletedByName: text('deleted_by_name').notNull().default(''),
    searchText: text('search_text')
      .notNull()
      .generatedAlwaysAs(
        sql`lower(id::text || chr(31) || coalesce(merchant_id::text, '') || chr(31) || shop_name || chr(31) || created_by_name || chr(31) || title || chr(31) || words)`,
      ),
  },
  table => [
    index('work_orders_agent_id').on(table.agentId, table.lastAt, table.id).where(LIVE),
    index('work_orders_agent_state').on(table.agentId, table.state, table.lastAt, table.id).where(LIVE),
    index('work_orders_last_at').on(table.lastAt, table.id).where(LIVE),
    index('work_orders_pressing_at').on(table.pressingAt, table.id).where(LIVE),
    index('work_orders_state').on(table.state, table.pressingAt, table.id).where(LIVE),
    index('work_orders_created').on(table.agentId, table.createdAt),
    index('work_orders_merchant_id').on(table.merchantId),
    index('work_orders_new')
      .on(table.createdAt, table.id)
      .where(sql`deleted_at is null and state = 'new' and assignee_id is null`),
    index('work_orders_assignee')
      .on(table.assigneeId, table.createdAt, table.id)
      .where(sql`deleted_at is null and state in ('new', 'accepted', 'working')`),
    index('work_orders_due')
      .on(table.dueAt, table.id)
      .where(sql`deleted_at is null and state in ('new', 'accepted', 'working')`),
    index('work_orders_done').on(table.doneAt).where(sql`state = 'done'`),
    index('work_orders_search').using('gin', sql`bigrams(${table.searchText})`),
  ],
)

const ofOrder = () =>
  whole('work_order_id')
    .notNull()
    .references(() => workOrders.id)

/** What was said; of the side `note` no agency reads a row (policy). */
// In no list: the conversation and the history of a work order.
export const workOrderMessages = pgTable(
  'work_order_messages',
  {
    id: id(),
    agentId: whole('agent_id').notNull(),
    workOrderId: ofOrder(),
    side: text('side').$type<OrderSide>().notNull(),
    ...saidColumns(),
  },
  table => [index('work_order_messages_work_order_id').on(table.workOrderId, table.id)],
)

/** Their files belong to the agency of the work order, whoever sent them (trigger). */
// In no list: the conversation and the history of a work order.
export const workOrderPictures = pgTable(
  'work_order_pictures',
  {
    messageId: whole('message_id')
      .notNull()
      .references(() => workOrderMessages.id),
    position: integer('position').notNull(),
    agentId: whole('agent_id').notNull(),
    workOrderId: ofOrder(),
    fileId: uuid('file_id')
      .notNull()
      .references(() => files.id),
  },
  table => [
    primaryKey({ columns: [table.messageId, table.position] }),
    index('work_order_pictures_file_id').on(table.fileId),
    index('work_order_pictures_work_order_id').on(table.workOrderId),
  ],
)

/** What was done with it, in words. */
// In no list: the conversation and the history of a work order.
export const workOrderEvents = pgTable(
  'work_order_events',
  {
    id: id(),
    agentId: whole('agent_id').notNull(),
    workOrderId: ofOrder(),
    title: text('title').notNull(),
    changes: jsonb('changes').$type<FieldChange[]>().notNull().default([]),
    createdBy: whole('created_by').notNull(),
    createdByName: text('created_by_name').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  table => [index('work_order_events_work_order_id').on(table.workOrderId, table.id)],
)

// In no list: the conversation and the history of a work order.
export const workOrderPresence = pgTable(
  'work_order_presence',
  { workOrderId: ofOrder(), ...presenceColumns() },
  table => [
    primaryKey({ columns: [table.workOrderId, table.accountId] }),
    index('work_order_presence_seen_at').on(table.seenAt),
  ],
)
