import { sql } from 'drizzle-orm'
import { boolean, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { agents } from '#features/office/agents/tables.ts'
import type { PayChannelName } from '#kit/ports/channels.ts'
import { bytes, id, instant, whole } from '#server/columns.ts'
import type { CheckResult } from './rules.ts'

/**
 * An agent's own account with a channel. Another merchant is another row: the old one is `replaced`, offers nothing any more,
 * and keeps what its payments under way and its refunds need.
 */
// In no list: settings, on their own page.
export const paymentSettings = pgTable(
  'payment_settings',
  {
    id: id(),
    agentId: whole('agent_id')
      .notNull()
      .references(() => agents.id),
    channel: text('channel').$type<PayChannelName>().notNull(),
    /** Part of the address of its callbacks; unguessable. */
    callbackKey: text('callback_key').notNull(),
    enabled: boolean('enabled').notNull().default(false),
    /** When it was last switched off, or replaced while on. */
    offAt: instant('off_at'),
    /** Counts what is saved. */
    version: integer('version').notNull().default(1),
    /** Which version was checked last, and what came of it. */
    checkedVersion: integer('checked_version'),
    checkedAt: instant('checked_at'),
    checkResult: text('check_result').$type<CheckResult>(),
    checkWords: text('check_words').notNull().default(''),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    replacedAt: instant('replaced_at'),
  },
  table => [
    uniqueIndex('payment_settings_current').on(table.agentId, table.channel).where(sql`replaced_at is null`),
    uniqueIndex('payment_settings_callback_key').on(table.callbackKey),
  ],
)

/** One thing that was given, in the open or sealed; who set it when is all that is ever told of a sealed one. */
// In no list: settings, on their own page.
export const paymentSettingValues = pgTable(
  'payment_setting_values',
  {
    settingsId: whole('settings_id')
      .notNull()
      .references(() => paymentSettings.id),
    agentId: whole('agent_id').notNull(),
    name: text('name').notNull(),
    open: text('open'),
    sealed: bytes('sealed'),
    setAt: instant('set_at').notNull(),
    setByName: text('set_by_name').notNull(),
  },
  table => [primaryKey({ columns: [table.settingsId, table.name] })],
)

/** The documents' sign key of an agent (sv_distributor_payconfig_signkey), sealed. */
// In no list: settings, on their own page.
export const paymentSignKeys = pgTable('payment_sign_keys', {
  agentId: whole('agent_id')
    .primaryKey()
    .references(() => agents.id),
  sealed: bytes('sealed').notNull(),
  setAt: instant('set_at').notNull(),
  setByName: text('set_by_name').notNull(),
})
