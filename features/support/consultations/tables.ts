import { sql } from 'drizzle-orm'
import { boolean, index, pgTable, text } from 'drizzle-orm/pg-core'
import { bytes, id, instant } from '#server/columns.ts'

/** Who asked to be called on the public website. */
export const consultations = pgTable(
  'consultations',
  {
    id: id(),
    name: text('name').notNull(),
    mobile: text('mobile').notNull(),
    address: text('address').notNull().default(''),
    content: text('content').notNull().default(''),
    // No field: kept for the limits.
    ipHash: bytes('ip_hash').notNull(),
    createdAt: instant('created_at').notNull(),
    contacted: boolean('contacted').notNull().default(false),
    contactedAt: instant('contacted_at'),
    contactedByName: text('contacted_by_name').notNull().default(''),
    searchText: text('search_text').notNull().generatedAlwaysAs(sql`lower(name || chr(31) || address)`),
  },
  table => [
    index('consultations_contacted').on(table.contacted, table.createdAt, table.id),
    index('consultations_created').on(table.createdAt, table.id),
    index('consultations_ip').on(table.ipHash, table.createdAt),
    index('consultations_mobile').on(table.mobile, table.createdAt),
    index('consultations_search').using('gin', sql`bigrams(${table.searchText})`),
  ],
)
