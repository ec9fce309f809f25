import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { agents } from '#features/office/agents/tables.ts'
import type { UndoRequestState } from '#features/sales/settlement/rules.ts'
import { bytes, id, instant, whole } from '#server/columns.ts'
import type {
  Cells,
  Defaults,
  Duplicate,
  Duplicates,
  Fault,
  Head,
  ImportForm,
  ImportMode,
  ImportState,
  KeptPrice,
  Remains,
  RowState,
} from './rules.ts'

/** A file of shops that come from another system: what was read of it, and how far it is. */
export const shopImports = pgTable(
  'shop_imports',
  {
    id: id(),
    /** Whose shops they become. */
    agentId: whole('agent_id')
      .notNull()
      .references(() => agents.id),
    fileName: text('file_name').notNull(),
    mode: text('mode').$type<ImportMode>().notNull(),
    /** Why terms are taken over without charge. */
    reason: text('reason').notNull().default(''),
    state: text('state').$type<ImportState>().notNull(),
    /** D3: one that is of no more use is put away. */
    active: boolean('active').notNull().default(true),
    remark: text('remark').notNull().default(''),
    // No field: asked for on the page of one import.
    heads: jsonb('heads').$type<Head[]>().notNull(),
    /** What of the file was not as it seems: another sheet than the first, what is hidden, merged cells. */
    // No field: asked for on the page of one import.
    notes: jsonb('notes').$type<string[]>().notNull().default([]),
    // No field: asked for on the page of one import.
    defaults: jsonb('defaults').$type<Defaults>().notNull(),
    // No field: asked for on the page of one import.
    duplicates: jsonb('duplicates').$type<Duplicates>().notNull(),
    /** What each kind of purchase costs, as it was shown when the import began. */
    // No field: shown by the rehearsal.
    prices: jsonb('prices').$type<KeptPrice[]>().notNull().default([]),
    rows: integer('rows').notNull(),
    created: integer('created').notNull().default(0),
    failed: integer('failed').notNull().default(0),
    skipped: integer('skipped').notNull().default(0),
    takenBack: integer('taken_back').notNull().default(0),
    /** What was paid, in 1/100 token, and given in pieces. */
    totalCents: whole('total_cents').notNull().default(0),
    sms: whole('sms').notNull().default(0),
    /** Why it stands still. */
    // No field: facts of the details.
    problem: text('problem').notNull().default(''),
    createdBy: whole('created_by').notNull(),
    createdByName: text('created_by_name').notNull(),
    createdAt: instant('created_at').notNull(),
    // No field: shown by name.
    startedBy: whole('started_by'),
    // No field: facts of the details.
    startedByName: text('started_by_name').notNull().default(''),
    // No field: facts of the details.
    startedAt: instant('started_at'),
    finishedAt: instant('finished_at'),
    // No field: shown by name.
    rollBackBy: whole('roll_back_by'),
    // No field: facts of the details.
    rollBackByName: text('roll_back_by_name').notNull().default(''),
    // No field: facts of the details.
    rollBackReason: text('roll_back_reason').notNull().default(''),
    // No field: facts of the details.
    rollBackAt: instant('roll_back_at'),
  },
  table => [
    index('shop_imports_agent_id').on(table.agentId, table.id),
    index('shop_imports_at_work').on(table.id).where(sql`state in ('running', 'rolling')`),
  ],
)

/** One line of the file. */
// In no list: lines of what is shown whole, and what is remembered of their heads.
export const shopImportRows = pgTable(
  'shop_import_rows',
  {
    id: id(),
    importId: whole('import_id')
      .notNull()
      .references(() => shopImports.id),
    agentId: whole('agent_id').notNull(),
    /** From 1, in the order of the file. */
    position: integer('position').notNull(),
    /** As a spreadsheet counts it. */
    line: integer('line').notNull(),
    /** What was read, encrypted since a password may be among it; emptied once the import began. */
    raw: bytes('raw'),
    /** Texts by column, as they were read or mended; the password is in none. */
    cells: jsonb('cells').$type<Cells>().notNull(),
    faults: jsonb('faults').$type<Fault[]>().notNull(),
    isFaulty: boolean('is_faulty').notNull(),
    /** What a new shop is made of; null while something is wrong. */
    form: jsonb('form').$type<ImportForm>(),
    account: text('account').notNull(),
    duplicate: text('duplicate').$type<Duplicate>(),
    skip: boolean('skip').notNull().default(false),
    /** Encrypted: as it was brought, then as it was given, until it was handed over. */
    password: bytes('password'),
    state: text('state').$type<RowState>().notNull(),
    problem: text('problem').notNull().default(''),
    merchantId: whole('merchant_id'),
    orderNo: text('order_no'),
    totalCents: whole('total_cents').notNull().default(0),
    /** Of a shop that was taken back: it and its order stand nowhere else any more. */
    remains: jsonb('remains').$type<Remains>(),
  },
  table => [
    uniqueIndex('shop_import_rows_position').on(table.importId, table.position),
    index('shop_import_rows_state').on(table.importId, table.state, table.position),
    index('shop_import_rows_account').on(table.importId, table.account),
    index('shop_import_rows_merchant_id').on(table.merchantId).where(sql`merchant_id is not null`),
  ],
)

/** What heads a partner's files have, and which column each is. */
// In no list: lines of what is shown whole, and what is remembered of their heads.
export const shopImportMappings = pgTable('shop_import_mappings', {
  agentId: whole('agent_id')
    .primaryKey()
    .references(() => agents.id),
  columns: jsonb('columns').$type<Record<string, string>>().notNull(),
  changedAt: instant('changed_at').notNull(),
})

/** Above what an agency may take back alone, staff decide; asked for before the import begins or after. */
// In no list: what waits of them stands in the inbox, what was decided at its import.
export const shopImportRequests = pgTable(
  'shop_import_requests',
  {
    id: id(),
    importId: whole('import_id')
      .notNull()
      .references(() => shopImports.id),
    agentId: whole('agent_id').notNull(),
    /** Before it began: what is approved is that the agency may take so much back later. */
    isAhead: boolean('is_ahead').notNull(),
    /** What it covers. */
    totalCents: whole('total_cents').notNull(),
    shops: integer('shops').notNull(),
    reason: text('reason').notNull(),
    state: text('state').$type<UndoRequestState>().notNull(),
    requestedBy: whole('requested_by').notNull(),
    requestedByName: text('requested_by_name').notNull(),
    requestedAt: instant('requested_at').notNull(),
    decidedBy: whole('decided_by'),
    decidedByName: text('decided_by_name').notNull().default(''),
    decidedAt: instant('decided_at'),
    decision: text('decision').notNull().default(''),
  },
  table => [
    uniqueIndex('shop_import_requests_pending').on(table.importId).where(sql`state = 'pending'`),
    index('shop_import_requests_import_id').on(table.importId, table.id),
  ],
)
