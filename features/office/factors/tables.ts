import { boolean, index, integer, pgTable, text, unique, uniqueIndex } from 'drizzle-orm/pg-core'
import { accounts, sessions } from '#features/office/access/tables.ts'
import { bytes, id, instant, whole } from '#server/columns.ts'
import type { ChallengePurpose, RuleKind, TriedKind } from './rules.ts'

const accountId = () =>
  whole('account_id')
    .notNull()
    .references(() => accounts.id)

/** The authenticator app of an account. */
// In no list: what an account proves itself with, on its own page of security.
export const factorTotps = pgTable('factor_totps', {
  accountId: accountId().primaryKey(),
  agentId: whole('agent_id').notNull(),
  /** Encrypted. */
  secret: bytes('secret').notNull(),
  /** Of the last code that was taken; none up to it is taken again. */
  lastStep: whole('last_step').notNull(),
  createdAt: instant('created_at').notNull(),
})

// In no list: what an account proves itself with, on its own page of security.
export const passkeys = pgTable(
  'passkeys',
  {
    id: id(),
    accountId: accountId(),
    agentId: whole('agent_id').notNull(),
    name: text('name').notNull(),
    credentialId: text('credential_id').notNull(),
    publicKey: bytes('public_key').notNull(),
    /** How often it has signed, where it counts. */
    counter: whole('counter').notNull(),
    transports: text('transports').array().notNull(),
    createdAt: instant('created_at').notNull(),
    lastUsedAt: instant('last_used_at'),
  },
  table => [
    uniqueIndex('passkeys_credential_id').on(table.credentialId),
    index('passkeys_account_id').on(table.accountId),
  ],
)

/** Kept as passwords are. A used one stays until they are made anew. */
// In no list: what an account proves itself with, on its own page of security.
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    id: id(),
    accountId: accountId(),
    agentId: whole('agent_id').notNull(),
    codeHash: bytes('code_hash').notNull(),
    /** Of the account's ten alike. Null: kept as a keyed hash alone, before they were salted. */
    salt: bytes('salt'),
    usedAt: instant('used_at'),
  },
  table => [uniqueIndex('recovery_codes_code').on(table.accountId, table.codeHash)],
)

/** When a session last proved its factor, or its password alone. */
// In no list: what an account proves itself with, on its own page of security.
export const factorProofs = pgTable('factor_proofs', {
  sessionId: whole('session_id')
    .primaryKey()
    .references(() => sessions.id, { onDelete: 'cascade' }),
  provedAt: instant('proved_at').notNull(),
  byPassword: boolean('by_password').notNull().default(false),
})

/** What waits for an answer, for a few minutes and once: a sign-in, a secret, a key. */
// In no list: what an account proves itself with, on its own page of security.
export const factorChallenges = pgTable(
  'factor_challenges',
  {
    tokenHash: bytes('token_hash').primaryKey(),
    purpose: text('purpose').$type<ChallengePurpose>().notNull(),
    /** Nobody's yet where a passkey is to say whose. */
    accountId: whole('account_id').references(() => accounts.id),
    /** What the key signs, or the secret; encrypted. */
    value: bytes('value').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  table => [index('factor_challenges_expires').on(table.expiresAt)],
)

/** Wrong codes, for their limit. */
// In no list: what an account proves itself with, on its own page of security.
export const factorFailures = pgTable(
  'factor_failures',
  {
    id: id(),
    accountId: accountId(),
    createdAt: instant('created_at').notNull(),
    kind: text('kind').$type<TriedKind>().notNull().default('code'),
    /** What was tried, unreadable: the same again at once is no other try. */
    digest: bytes('digest'),
  },
  table => [index('factor_failures_account').on(table.accountId, table.createdAt)],
)

/** Which accounts must have a factor: those of all agents by the operator, an agent's own staff by its owner. */
// In no list: what an account proves itself with, on its own page of security.
export const factorRules = pgTable(
  'factor_rules',
  {
    id: id(),
    agentId: whole('agent_id').notNull(),
    kind: text('kind').$type<RuleKind>().notNull(),
    since: instant('since').notNull(),
    graceDays: integer('grace_days').notNull(),
  },
  table => [unique('factor_rules_kind').on(table.agentId, table.kind)],
)
