import { index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { accounts } from '#features/office/access/tables.ts'
import { bytes, id, instant, whole } from '#server/columns.ts'
import type { Outcome } from './rules.ts'

export const loginFailures = pgTable(
  'login_failures',
  {
    id: id(),
    subject: text('subject').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  table => [index('login_failures_subject').on(table.subject, table.createdAt)],
)

/** Who came to the door, and what came of it. What was typed for an account that does not exist stands nowhere. */
export const signIns = pgTable(
  'sign_ins',
  {
    id: id(),
    /** Null: no account has the name that was typed. */
    accountId: whole('account_id').references(() => accounts.id),
    agentId: whole('agent_id'),
    outcome: text('outcome').$type<Outcome>().notNull(),
    ip: text('ip').notNull(),
    /** In words, as the browser called itself. */
    device: text('device').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  table => [
    index('sign_ins_account_id').on(table.accountId, table.id),
    index('sign_ins_created_at').on(table.createdAt),
    index('sign_ins_agent_id').on(table.agentId, table.id),
  ],
)

/** Browsers that somebody signed in with to an account, by the keyed hash of what they keep. */
export const signInDevices = pgTable(
  'sign_in_devices',
  {
    id: id(),
    accountId: whole('account_id')
      .notNull()
      .references(() => accounts.id),
    agentId: whole('agent_id').notNull(),
    deviceHash: bytes('device_hash').notNull(),
    device: text('device').notNull(),
    /** Null once the password has changed, until somebody signs in with it again: limits count it as a stranger's. */
    trustedAt: instant('trusted_at'),
    createdAt: instant('created_at').notNull(),
    lastUsedAt: instant('last_used_at').notNull(),
  },
  table => [uniqueIndex('sign_in_devices_account_id').on(table.accountId, table.deviceHash)],
)

/** Codes to the phone of an account, as keyed hashes; also for names that no account has, so that both are answered alike. */
export const accountCodes = pgTable(
  'account_codes',
  {
    id: id(),
    subjectHash: bytes('subject_hash').notNull(),
    accountId: whole('account_id').references(() => accounts.id),
    phone: text('phone'),
    codeHash: bytes('code_hash').notNull(),
    failures: integer('failures').notNull().default(0),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
  },
  table => [
    index('account_codes_subject').on(table.subjectHash, table.id),
    index('account_codes_phone').on(table.phone, table.createdAt),
  ],
)
