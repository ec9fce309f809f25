import { sql } from 'drizzle-orm'
import { doublePrecision, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { accounts } from '#features/office/access/tables.ts'
import { agents } from '#features/office/agents/tables.ts'
import { bytes, id, instant, whole } from '#server/columns.ts'
import type { EndedBy } from './rules.ts'

/** Keys that programs come in with. Of a token its SHA-256 alone is kept, and its last letters to know it by. */
export const apiKeys = pgTable(
  'api_keys',
  {
    id: id(),
    agentId: whole('agent_id')
      .notNull()
      .references(() => agents.id),
    /** Who made it: it never does more than this account may at the moment. */
    accountId: whole('account_id')
      .notNull()
      .references(() => accounts.id),
    name: text('name').notNull(),
    // No field: secrets, told once and noted by their ends.
    tokenHash: bytes('token_hash').notNull(),
    tokenEnd: text('token_end').notNull(),
    // No field: shown as verbs.
    nodeIds: integer('node_ids').array().notNull(),
    /** Addresses and networks it may be used from; none: from anywhere. */
    addresses: text('addresses').array().notNull(),
    perMinute: integer('per_minute').notNull(),
    // No field: shown as expiresOn.
    expiresAt: instant('expires_at').notNull(),
    createdAt: instant('created_at').notNull(),
    /** The token before this one, which works until then. */
    // No field: secrets, told once and noted by their ends.
    previousHash: bytes('previous_hash'),
    // No field: noted in the log.
    previousEnd: text('previous_end'),
    previousUntil: instant('previous_until'),
    // No field: shown as state.
    endedAt: instant('ended_at'),
    // No field: shown as state.
    endedBy: text('ended_by').$type<EndedBy>(),
  },
  table => [
    uniqueIndex('api_keys_token_hash').on(table.tokenHash),
    uniqueIndex('api_keys_previous_hash').on(table.previousHash),
    index('api_keys_agent_id').on(table.agentId, table.id),
    uniqueIndex('api_keys_name').on(table.agentId, table.name).where(sql`${table.endedAt} is null`),
    index('api_keys_account_id').on(table.accountId),
    index('api_keys_expires_at').on(table.expiresAt).where(sql`${table.endedAt} is null`),
  ],
)

/** What changes with every call: the key's bucket of tokens, and its last use. Apart, so that a call is no change of access. */
export const apiKeyUses = pgTable('api_key_uses', {
  // No field: names the row.
  keyId: whole('key_id')
    .primaryKey()
    .references(() => apiKeys.id),
  agentId: whole('agent_id').notNull(),
  // No field: kept for the limits.
  tokens: doublePrecision('tokens').notNull(),
  // No field: kept for the limits.
  filledAt: instant('filled_at').notNull(),
  calls: whole('calls').notNull(),
  lastUsedAt: instant('last_used_at'),
  lastIp: text('last_ip'),
  previousUsedAt: instant('previous_used_at'),
  /** When it last came from an address that is not its own. */
  // No field: kept for the limits.
  foreignAt: instant('foreign_at'),
})
