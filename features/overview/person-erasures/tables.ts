import { sql } from 'drizzle-orm'
import { boolean, date, index, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { bytes, id, instant, whole } from '#server/columns.ts'
import type { Block, Channel, ErasureState, Fate, Kind, Match, Reason } from './rules.ts'

/** What somebody asked who is to be forgotten. Once it is done, nothing of it says who. */
export const personErasures = pgTable(
  'person_erasures',
  {
    id: id(),
    /** Its certificate's, and of its line in the list that a restore reads: no two offices of one backup give the same. */
    number: text('number').notNull(),
    state: text('state').$type<ErasureState>().notNull(),
    /** A keyed hash of the phone while it is under way: one request at a time. Null once it has ended. */
    // No field: against a second request.
    phoneHash: bytes('phone_hash'),
    /** Phone, name and number of the identity card, encrypted; null once it has ended. */
    // No field: shown masked.
    keys: bytes('keys'),
    phoneMasked: text('phone_masked').notNull(),
    nameMasked: text('name_masked').notNull(),
    // No field: a fact of the details.
    idNumberMasked: text('id_number_masked').notNull(),
    reason: text('reason').notNull().default(''),
    askedOn: date('asked_on', { mode: 'string' }),
    channel: text('channel').$type<Channel>(),
    createdBy: whole('created_by').notNull(),
    createdByName: text('created_by_name').notNull(),
    createdAt: instant('created_at').notNull(),
    // No field: a fact of the details.
    requestedBy: whole('requested_by'),
    requestedByName: text('requested_by_name').notNull().default(''),
    // No field: a fact of the details.
    requestedAt: instant('requested_at'),
    approvedByName: text('approved_by_name').notNull().default(''),
    // No field: a fact of the details.
    approvedAt: instant('approved_at'),
    /** Why a second person said no. */
    // No field: a fact of the details.
    answer: text('answer').notNull().default(''),
    /** What keeps it from going on. */
    // No field: a fact of the details.
    problem: text('problem').notNull().default(''),
    /** The part that is done last. */
    // No field: the program's own notes.
    step: text('step').notNull().default(''),
    finishedAt: instant('finished_at'),
    /** What is certified, as it was signed. */
    // No field: a fact of the details.
    certificate: text('certificate').notNull().default(''),
    // No field: a fact of the details.
    signature: text('signature').notNull().default(''),
  },
  table => [
    uniqueIndex('person_erasures_number').on(table.number),
    uniqueIndex('person_erasures_phone_hash').on(table.phoneHash).where(sql`phone_hash is not null`),
    index('person_erasures_created_at').on(table.createdAt, table.id),
    index('person_erasures_asked').on(table.requestedAt, table.id).where(sql`state = 'asked'`),
    index('person_erasures_at_work').on(table.id).where(sql`state in ('looking', 'running')`),
  ],
)

/** What was found of a person: a row, or all rows of a table that have nothing but the number. Holds nothing personal. */
// In no list: shown with what somebody asked.
export const personErasureItems = pgTable(
  'person_erasure_items',
  {
    erasureId: whole('erasure_id')
      .notNull()
      .references(() => personErasures.id),
    /** `table:id`, or the table where it stands for many rows; with what it hangs on where it does. */
    key: text('key').notNull(),
    kind: text('kind').$type<Kind>().notNull(),
    tableName: text('table_name').notNull(),
    /** Null: of many rows. */
    rowId: text('row_id'),
    /** The item that it goes with. */
    hangsOn: text('hangs_on'),
    agentId: whole('agent_id'),
    merchantId: whole('merchant_id'),
    matched: text('matched').array().$type<Match[]>().notNull(),
    rows: whole('rows').notNull(),
    fate: text('fate').$type<Fate>().notNull(),
    reason: text('reason').$type<Reason>(),
    block: text('block').$type<Block>(),
    chosen: boolean('chosen').notNull(),
    /** Somebody says whether it is the person's. */
    choosable: boolean('choosable').notNull(),
    /** Rows that it was done to. */
    done: whole('done'),
  },
  table => [primaryKey({ columns: [table.erasureId, table.key] })],
)
