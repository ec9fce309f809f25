import { sql } from 'drizzle-orm'
import { boolean, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { accounts } from '#features/office/access/tables.ts'
import { agents } from '#features/office/agents/tables.ts'
import { bytes, id, instant, whole } from '#server/columns.ts'

/** Whoever opens the address of one sets the password of an account; at most one of an account is open. */
// In no list: the way in, told beside the terms of a partner.
export const partnerInvitations = pgTable(
  'partner_invitations',
  {
    id: id(),
    agentId: whole('agent_id')
      .notNull()
      .references(() => agents.id),
    accountId: whole('account_id')
      .notNull()
      .references(() => accounts.id),
    /** Of the token in the address. */
    tokenHash: bytes('token_hash').notNull(),
    phone: text('phone').notNull(),
    createdAt: instant('created_at').notNull(),
    /** The token, encrypted, so that who made the link finds it again; gone once it is used or revoked. */
    sealedToken: bytes('sealed_token'),
    /** Null: of before it was kept. */
    createdBy: whole('created_by'),
    createdByName: text('created_by_name').notNull(),
    /** Of an owner who is here and has lost the password. */
    isReset: boolean('is_reset').notNull().default(false),
    expiresAt: instant('expires_at').notNull(),
    acceptedAt: instant('accepted_at'),
    revokedAt: instant('revoked_at'),
  },
  table => [
    uniqueIndex('partner_invitations_token_hash').on(table.tokenHash),
    uniqueIndex('partner_invitations_open')
      .on(table.accountId)
      .where(sql`accepted_at is null and revoked_at is null`),
    index('partner_invitations_agent_id').on(table.agentId, table.id),
  ],
)
