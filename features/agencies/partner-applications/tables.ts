import { sql } from 'drizzle-orm'
import { date, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { agents } from '#features/office/agents/tables.ts'
import { bytes, id, instant, whole } from '#server/columns.ts'
import { files } from '#server/tables.ts'
import type { ApplicationState } from './rules.ts'

/** Companies that want to become partners; of no agent until one is. */
export const partnerApplications = pgTable(
  'partner_applications',
  {
    id: id(),
    companyName: text('company_name').notNull(),
    contactName: text('contact_name').notNull(),
    mobile: text('mobile').notNull(),
    // No field: shown as regionName.
    districtCode: text('district_code').notNull(),
    /** As it was called on the day. */
    regionName: text('region_name').notNull(),
    address: text('address').notNull().default(''),
    sells: text('sells').notNull(),
    remark: text('remark').notNull().default(''),
    // No field: a picture of the details.
    licenceId: uuid('licence_id').references(() => files.id),
    // No field: kept for the limits.
    ipHash: bytes('ip_hash').notNull(),
    state: text('state').$type<ApplicationState>().notNull(),
    reason: text('reason').notNull().default(''),
    handledByName: text('handled_by_name').notNull().default(''),
    handledAt: instant('handled_at'),
    /** The partner that it became. */
    // No field: the partner that it became.
    agentId: whole('agent_id').references(() => agents.id),
    createdAt: instant('created_at').notNull(),
    /** Until when the applicant was promised a call; null of those who came before there was a calendar. */
    dueOn: date('due_on'),
    searchText: text('search_text')
      .notNull()
      .generatedAlwaysAs(sql`lower(company_name || chr(31) || contact_name)`),
  },
  table => [
    uniqueIndex('partner_applications_open').on(table.mobile).where(sql`state in ('new', 'contacting')`),
    index('partner_applications_created').on(table.createdAt, table.id),
    index('partner_applications_waiting')
      .on(table.createdAt, table.id)
      .where(sql`state in ('new', 'contacting')`),
    index('partner_applications_state').on(table.state, table.createdAt, table.id),
    index('partner_applications_mobile').on(table.mobile, table.createdAt),
    index('partner_applications_ip').on(table.ipHash, table.createdAt),
    index('partner_applications_search').using('gin', sql`bigrams(${table.searchText})`),
  ],
)

/** What staff wrote while they spoke with an applicant. */
export const partnerApplicationNotes = pgTable(
  'partner_application_notes',
  {
    id: id(),
    // No field: told by the details.
    applicationId: whole('application_id')
      .notNull()
      .references(() => partnerApplications.id),
    text: text('text').notNull(),
    createdBy: whole('created_by').notNull(),
    createdByName: text('created_by_name').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  table => [index('partner_application_notes_application_id').on(table.applicationId, table.id)],
)

/** Codes to the phones of applicants, as keyed hashes. */
export const partnerApplicationCodes = pgTable(
  'partner_application_codes',
  {
    id: id(),
    mobile: text('mobile').notNull(),
    // No field: kept for the limits.
    codeHash: bytes('code_hash').notNull(),
    // No field: kept for the limits.
    failures: integer('failures').notNull().default(0),
    createdAt: instant('created_at').notNull(),
    // No field: kept for the limits.
    expiresAt: instant('expires_at').notNull(),
    // No field: kept for the limits.
    usedAt: instant('used_at'),
  },
  table => [index('partner_application_codes_mobile').on(table.mobile, table.createdAt)],
)
