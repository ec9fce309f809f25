import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { agents } from '#features/office/agents/tables.ts'
import type { ChangeData, ChangeTopic } from '#features/shops/pos-changes/rules.ts'
import { bytes, id, instant, whole } from '#server/columns.ts'
import type { DeliveryState, DeliveryTopic, OffReason } from './rules.ts'

/** Where an agency is told of changes. */
export const webhookEndpoints = pgTable(
  'webhook_endpoints',
  {
    id: id(),
    agentId: whole('agent_id')
      .notNull()
      .references(() => agents.id),
    url: text('url').notNull(),
    // No field: shown as topicText.
    topics: text('topics').array().$type<ChangeTopic[]>().notNull(),
    /** Sealed; told once. Null: there is none yet, and nothing is sent. */
    // No field: sealed, told once.
    secret: bytes('secret'),
    secretEnd: text('secret_end').notNull().default(''),
    /** The secret before, which signs too until then. */
    // No field: sealed, told once.
    previousSecret: bytes('previous_secret'),
    previousUntil: instant('previous_until'),
    // No field: shown as state.
    enabled: boolean('enabled').notNull().default(true),
    // No field: shown as state.
    offReason: text('off_reason').$type<OffReason>(),
    offAt: instant('off_at'),
    /** Since when nothing has arrived. */
    failingSince: instant('failing_since'),
    lastDeliveredAt: instant('last_delivered_at'),
    createdByName: text('created_by_name').notNull(),
    createdAt: instant('created_at').notNull(),
    // No field: what is removed is not shown.
    removedAt: instant('removed_at'),
  },
  table => [
    index('webhook_endpoints_agent_id').on(table.agentId, table.id),
    uniqueIndex('webhook_endpoints_url').on(table.agentId, table.url).where(sql`removed_at is null`),
  ],
)

/** One change for one endpoint. Of a shop an earlier one that waits holds the later ones back. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: id(),
    // No field: shown as url.
    endpointId: whole('endpoint_id')
      .notNull()
      .references(() => webhookEndpoints.id),
    agentId: whole('agent_id').notNull(),
    merchantId: whole('merchant_id'),
    /** The number of the change; null: a test. */
    seq: whole('seq'),
    topic: text('topic').$type<DeliveryTopic>().notNull(),
    // No field: shown in the details.
    data: jsonb('data').$type<ChangeData>().notNull(),
    /** When it changed. */
    at: instant('at').notNull(),
    state: text('state').$type<DeliveryState>().notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** When it was first to be sent, or sent again. */
    queuedAt: instant('queued_at').notNull(),
    dueAt: instant('due_at').notNull(),
    /** An instance sends it until then. */
    // No field: the sender's own note.
    leasedUntil: instant('leased_until'),
    triedAt: instant('tried_at'),
    httpCode: integer('http_code'),
    // No field: shown in the details.
    answer: text('answer').notNull().default(''),
    problem: text('problem').notNull().default(''),
    tookMs: integer('took_ms'),
    deliveredAt: instant('delivered_at'),
  },
  table => [
    uniqueIndex('webhook_deliveries_seq').on(table.endpointId, table.seq),
    index('webhook_deliveries_due').on(table.endpointId, table.dueAt).where(sql`state = 'pending'`),
    index('webhook_deliveries_held')
      .on(table.endpointId, sql`coalesce(${table.merchantId}, 0)`, table.seq)
      .where(sql`state = 'pending'`),
    index('webhook_deliveries_agent_id').on(table.agentId, table.queuedAt, table.id),
    index('webhook_deliveries_endpoint_id').on(table.endpointId, table.queuedAt, table.id),
    index('webhook_deliveries_queued_at').on(table.queuedAt),
  ],
)

/** One row: the last change for which deliveries were written. */
// In no list: how far the program is.
export const webhookCursor = pgTable('webhook_cursor', {
  id: whole('id').primaryKey(),
  seq: whole('seq').notNull(),
})
