import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { merchants } from '#features/shops/merchants/tables.ts'
import { id, instant, whole } from '#server/columns.ts'
import type { ClearingEvent, ClearingState } from './rules.ts'

/** One table of a shop's data at the point of sale that was, or is to be, emptied. */
export const tableClearings = pgTable(
  'table_clearings',
  {
    id: id(),
    /** The shop's agent when it was asked for. */
    agentId: whole('agent_id').notNull(),
    merchantId: whole('merchant_id')
      .notNull()
      .references(() => merchants.id),
    shopName: text('shop_name').notNull(),
    /** The service's own key and name of the table. */
    // No field: the service's own name of the table.
    tableKey: text('table_key').notNull(),
    tableName: text('table_name').notNull(),
    state: text('state').$type<ClearingState>().notNull(),
    /** As it was last counted. */
    rows: integer('rows').notNull(),
    reason: text('reason').notNull(),
    // No field: shown by name.
    askedBy: whole('asked_by').notNull(),
    askedByName: text('asked_by_name').notNull(),
    askedAt: instant('asked_at').notNull(),
    /** Since when a second person is waited for. */
    // No field: the program's own notes.
    waitingSince: instant('waiting_since'),
    // No field: shown by name.
    decidedBy: whole('decided_by'),
    decidedByName: text('decided_by_name').notNull().default(''),
    decidedAt: instant('decided_at'),
    decision: text('decision').notNull().default(''),
    /** By these the service knows what it was given to do; each is made before it is first sent. */
    // No field: the program's own notes.
    backupAct: text('backup_act'),
    // No field: the program's own notes.
    emptyAct: text('empty_act'),
    // No field: the program's own notes.
    restoreAct: text('restore_act'),
    // No field: the program's own notes.
    backups: integer('backups').notNull().default(0),
    // No field: the program's own notes.
    backupId: text('backup_id'),
    backupRows: integer('backup_rows'),
    // No field: facts of the details.
    checksum: text('checksum'),
    // No field: the program's own notes.
    keptUntil: instant('kept_until'),
    // No field: the program's own notes.
    backedUpAt: instant('backed_up_at'),
    emptiedRows: integer('emptied_rows'),
    emptiedAt: instant('emptied_at'),
    /** It can be brought back until then. */
    expiresAt: instant('expires_at'),
    // No field: shown by name.
    restoreBy: whole('restore_by'),
    restoreByName: text('restore_by_name').notNull().default(''),
    restoreReason: text('restore_reason').notNull().default(''),
    restoredRows: integer('restored_rows'),
    /** Rows that came since and stand beside those that were brought back. */
    besideRows: integer('beside_rows'),
    restoredAt: instant('restored_at'),
    /** Why it stands still or has failed. */
    problem: text('problem').notNull().default(''),
    /** How often in a row the service did not answer. */
    // No field: the program's own notes.
    silences: integer('silences').notNull().default(0),
    // No field: facts of the details.
    percent: integer('percent').notNull().default(0),
    /** Not looked at before, neither by another instance. */
    // No field: the program's own notes.
    lookAt: instant('look_at').notNull(),
    // No field: facts of the details.
    events: jsonb('events').$type<ClearingEvent[]>().notNull().default([]),
  },
  table => [
    uniqueIndex('table_clearings_running')
      .on(table.merchantId, table.tableKey)
      .where(sql`state in ('waiting', 'asked', 'backingUp', 'backedUp', 'emptying', 'restoring')`),
    index('table_clearings_at_work')
      .on(table.lookAt)
      .where(sql`state in ('asked', 'backingUp', 'backedUp', 'emptying', 'restoring')`),
    index('table_clearings_waiting').on(table.waitingSince, table.id).where(sql`state = 'waiting'`),
    index('table_clearings_expiring').on(table.expiresAt).where(sql`state = 'emptied'`),
    index('table_clearings_merchant_id').on(table.merchantId, table.id),
    index('table_clearings_agent_id').on(table.agentId, table.id),
    index('table_clearings_state').on(table.state, table.id),
    index('table_clearings_asked_at').on(table.askedAt, table.id),
  ],
)
