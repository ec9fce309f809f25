import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type { Placeholder } from '#kit/words/placeholders.ts'
import { id, instant, whole } from '#server/columns.ts'
import type { Topic } from './rules.ts'

/** One notice to one account; it is delivered until the account's page confirms it. Written by notify_accounts. */
export const notices = pgTable(
  'notices',
  {
    id: id(),
    /** What the page confirms; the same for all accounts that are told the same thing. */
    // No field: notes of its delivery.
    traceId: text('trace_id').notNull(),
    agentId: whole('agent_id').notNull(),
    accountId: whole('account_id').notNull(),
    topic: text('topic').$type<Topic>().notNull(),
    title: text('title').notNull(),
    body: text('body').notNull(),
    /** Path of our own page that the notice leads to; empty: none. */
    // No field: where it leads.
    link: text('link').notNull().default(''),
    // No field: where it leads.
    args: jsonb('args').$type<Record<string, unknown>>().notNull(),
    /** The same key is told an account once. */
    // No field: notes of its delivery.
    onceKey: text('once_key'),
    createdAt: instant('created_at').notNull(),
    /** How often it went out again, and when it does next while nobody confirms it. */
    // No field: notes of its delivery.
    repeats: integer('repeats').notNull().default(0),
    // No field: notes of its delivery.
    repeatAt: instant('repeat_at').notNull(),
    // No field: notes of its delivery.
    confirmedAt: instant('confirmed_at'),
    // No field: shown as weight.
    readAt: instant('read_at'),
  },
  table => [
    uniqueIndex('notices_trace').on(table.accountId, table.traceId),
    uniqueIndex('notices_once').on(table.accountId, table.onceKey),
    index('notices_account_id').on(table.accountId, table.id),
    index('notices_unread').on(table.accountId, table.id).where(sql`read_at is null`),
    index('notices_unconfirmed').on(table.accountId, table.id).where(sql`confirmed_at is null`),
  ],
)

/** What an account does not want to be shown as it comes; absent: it does. The notice centre keeps it as read. */
// In no list: settings, in their own dialogs.
export const noticePreferences = pgTable(
  'notice_preferences',
  {
    accountId: whole('account_id').notNull(),
    agentId: whole('agent_id').notNull(),
    topic: text('topic').$type<Topic>().notNull(),
    enabled: boolean('enabled').notNull(),
  },
  table => [primaryKey({ columns: [table.accountId, table.topic] })],
)

/** When an account is warned; null: never. Absent: as the rules say. */
// In no list: settings, in their own dialogs.
export const noticeThresholds = pgTable('notice_thresholds', {
  accountId: whole('account_id').primaryKey(),
  agentId: whole('agent_id').notNull(),
  tokenCents: whole('token_cents'),
  sms: whole('sms'),
  expiringDays: integer('expiring_days'),
})

/** Texts that the operator words, with what is filled into them. */
// In no list: in the one editor of reference data, which is made of declarations.
export const noticeTexts = pgTable('notice_texts', {
  key: text('key').primaryKey(),
  name: text('name').notNull(),
  title: text('title').notNull(),
  /** With ${name} where something is filled in. */
  body: text('body').notNull(),
  variables: jsonb('variables').$type<Placeholder[]>().notNull(),
  position: integer('position').notNull(),
})
