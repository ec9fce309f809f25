import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { accounts } from '#features/office/access/tables.ts'
import { bytes, id, instant, whole } from '#server/columns.ts'
import type { PhoneStep } from './rules.ts'

/** Codes to the old and to the new number of an account, as keyed hashes. */
// In no list: only the program reads them whole.
export const phoneChangeCodes = pgTable(
  'phone_change_codes',
  {
    id: id(),
    agentId: whole('agent_id').notNull(),
    accountId: whole('account_id')
      .notNull()
      .references(() => accounts.id),
    step: text('step').$type<PhoneStep>().notNull(),
    phone: text('phone').notNull(),
    codeHash: bytes('code_hash').notNull(),
    failures: integer('failures').notNull().default(0),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
  },
  table => [
    index('phone_change_codes_account_id').on(table.accountId, table.step, table.id),
    index('phone_change_codes_phone').on(table.phone, table.createdAt),
  ],
)
