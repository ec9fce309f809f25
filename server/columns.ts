// Column types that every table shares.
import { bigint, customType } from 'drizzle-orm/pg-core'

/** An instant: timestamptz in the database, ISO 8601 text in UTC in the program. */
export const instant = customType<{ data: string; driverData: string | Date }>({
  dataType: () => 'timestamptz(3)',
  fromDriver: value =>
    typeof value === 'string'
      ? `${value.slice(0, 10)}T${value.slice(11).replace(/\+00$/, 'Z')}`
      : value.toISOString(),
})

/** Raw bytes. */
export const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })

/** A 64-bit integer as a number: ids and amounts in the smallest unit stay below 2^53. */
export const whole = (name: string) => bigint(name, { mode: 'number' })

export const id = () => whole('id').primaryKey().generatedByDefaultAsIdentity()
