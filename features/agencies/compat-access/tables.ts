import { index, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { apiKeys } from '#features/agencies/api-keys/tables.ts'
import { accounts } from '#features/office/access/tables.ts'
import { agents } from '#features/office/agents/tables.ts'
import { bytes, id, instant, whole } from '#server/columns.ts'

/** Accounts that may sign in by the documents' signature: what it is checked with, sealed, and the API key that bounds what they do. */
// In no list: told on one's own page of security.
export const compatAccesses = pgTable(
  'compat_accesses',
  {
    accountId: whole('account_id')
      .primaryKey()
      .references(() => accounts.id),
    agentId: whole('agent_id')
      .notNull()
      .references(() => agents.id),
    keyId: whole('key_id')
      .notNull()
      .references(() => apiKeys.id),
    /** MD5 of the password, encrypted. */
    verifier: bytes('verifier').notNull(),
    /** A keyed hash of the stored password hash: once that is another, the verifier is void. */
    passwordDigest: bytes('password_digest').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  table => [
    index('compat_accesses_agent_id').on(table.agentId),
    index('compat_accesses_key_id').on(table.keyId),
  ],
)

/** Tokens that are given out to them; of each its hash alone. */
// In no list: what programs hold.
export const compatTokens = pgTable(
  'compat_tokens',
  {
    tokenHash: bytes('token_hash').primaryKey(),
    keyId: whole('key_id')
      .notNull()
      .references(() => apiKeys.id),
    agentId: whole('agent_id').notNull(),
    accountId: whole('account_id').notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  table => [
    index('compat_tokens_account_id').on(table.accountId),
    index('compat_tokens_expires_at').on(table.expiresAt),
  ],
)

/** Nonces of an account, so that each is taken once. */
// In no list: kept for the sign-in alone.
export const compatNonces = pgTable(
  'compat_nonces',
  {
    accountId: whole('account_id').notNull(),
    agentId: whole('agent_id').notNull(),
    nonceHash: bytes('nonce_hash').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  table => [
    primaryKey({ columns: [table.accountId, table.nonceHash] }),
    index('compat_nonces_created_at').on(table.createdAt),
  ],
)

/** Who has made which call, how often and when last. */
export const compatUses = pgTable(
  'compat_uses',
  {
    id: id(),
    agentId: whole('agent_id')
      .notNull()
      .references(() => agents.id),
    accountId: whole('account_id')
      .notNull()
      .references(() => accounts.id),
    call: text('call').notNull(),
    calls: whole('calls').notNull(),
    lastUsedAt: instant('last_used_at').notNull(),
    lastIp: text('last_ip').notNull(),
  },
  table => [
    uniqueIndex('compat_uses_call').on(table.call, table.accountId),
    index('compat_uses_last_used_at').on(table.lastUsedAt),
    index('compat_uses_agent_id').on(table.agentId),
    index('compat_uses_account_id').on(table.accountId),
  ],
)

/** Calls that the operator has closed, for everybody. */
// In no list: shown as state.
export const compatClosedCalls = pgTable('compat_closed_calls', {
  call: text('call').primaryKey(),
  closedAt: instant('closed_at').notNull(),
  closedBy: whole('closed_by').notNull(),
})

/** What was sent without a key a moment ago, so that what is sent again is known for the same act. Not logged: it counts for seconds. */
// In no list: kept for the door alone.
export const compatActs = pgTable('compat_acts', {
  digest: text('digest').primaryKey(),
  key: text('key').notNull(),
  begunAt: instant('begun_at').notNull(),
})
