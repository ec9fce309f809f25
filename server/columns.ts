// Column types that every table shares.
import { bigint, customType, text } from 'drizzle-orm/pg-core'

/**
 * An instant: timestamptz in the database, ISO 8601 text in UTC with three digits of a second in the
 * program, the shape of `toISOString`: texts of one shape sort as their instants do. The database writes
 * no zeros at the end of a second; its sessions are in UTC.
 */
export const instant = customType<{ data: string; driverData: string | Date }>({
  dataType: () => 'timestamptz(3)',
  fromDriver: value =>
    typeof value === 'string'
      ? `${value.slice(0, 10)}T${value.slice(11, 19)}.${value.slice(20, -3).padEnd(3, '0')}Z`
      : value.toISOString(),
})

/** Raw bytes. */
export const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })

/** A 64-bit integer as a number: ids and amounts in the smallest unit stay below 2^53. */
export const whole = (name: string) => bigint(name, { mode: 'number' })

export const id = () => whole('id').primaryKey().generatedByDefaultAsIdentity()

/** What was said in a conversation, by whom and when; author 0 is no account. */
export const saidColumns = () => ({
  text: text('text').notNull(),
  authorId: whole('author_id').notNull(),
  authorName: text('author_name').notNull(),
  createdAt: instant('created_at').notNull(),
})

/** Who looks at a conversation, and types. */
export const presenceColumns = () => ({
  accountId: whole('account_id').notNull(),
  agentId: whole('agent_id').notNull(),
  name: text('name').notNull(),
  seenAt: instant('seen_at').notNull(),
  typingAt: instant('typing_at'),
})
