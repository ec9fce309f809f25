import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type { CategoryLevel, Certificate } from '#features/programs/program-applications/rules.ts'
import { programApplications } from '#features/programs/program-applications/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import type { BasicInfo, CategoryStandings } from '#kit/ports/mini-programs.ts'
import { id, instant, whole } from '#server/columns.ts'
import type { ChangeState, ProfilePart } from './rules.ts'

const ofShop = () => ({
  id: id(),
  agentId: whole('agent_id').notNull(),
  merchantId: whole('merchant_id')
    .notNull()
    .references(() => merchants.id),
  applicationId: whole('application_id')
    .notNull()
    .references(() => programApplications.id),
  appid: text('appid').notNull(),
})

/** What stands at the platform, as it was read last. */
export type KnownProfile = { info: BasicInfo; categories: CategoryStandings }
/** Beside its value: the papers that are handed in with a name or a category, and the category from its first level down. */
export type ChangeArgs = {
  documentId?: number
  papers?: readonly Certificate[]
  levels?: readonly CategoryLevel[]
  /** Of a category: it is taken away there. */
  isRemoval?: boolean
}

/** Of an application: what its mini program shows of itself, and when the platform is asked about it. One row each; it goes along with a shop that moves (trigger). */
// In no list: told beside its application.
export const programProfiles = pgTable(
  'program_profiles',
  {
    ...ofShop(),
    known: jsonb('known').$type<KnownProfile>(),
    readAt: instant('read_at'),
    /** Why it could not be read or handed in; empty: nothing is wrong. */
    message: text('message').notNull().default(''),
    /** Rounds since something was asked for that have had no answer. */
    tries: integer('tries').notNull().default(0),
    /** Whoever asks the platform now. */
    claim: text('claim').notNull().default(''),
    /** When the platform is asked next; null: no more. */
    nextAt: instant('next_at'),
    askedAt: instant('asked_at'),
  },
  table => [
    uniqueIndex('program_profiles_application_id').on(table.applicationId),
    index('program_profiles_due').on(table.nextAt, table.id),
    index('program_profiles_merchant_id').on(table.merchantId, table.id),
    index('program_profiles_agent_id').on(table.agentId, table.id),
  ],
)

/** Changes of it that were handed in, one row each. They go along with a shop that moves (trigger). */
// In no list: told beside its application.
export const programProfileChanges = pgTable(
  'program_profile_changes',
  {
    ...ofShop(),
    part: text('part').$type<ProfilePart>().notNull(),
    /** Of a category: the platform's number of its second level; else 0. */
    secondId: integer('second_id').notNull().default(0),
    /** The name, the intro, or the category's levels; empty for a picture. */
    value: text('value').notNull(),
    args: jsonb('args').$type<ChangeArgs>().notNull().default({}),
    state: text('state').$type<ChangeState>().notNull(),
    /** The newest of its part and category. */
    isCurrent: boolean('is_current').notNull(),
    /** It was tried, and nobody knows what came of it. */
    isUncertain: boolean('is_uncertain').notNull().default(false),
    /** Of a name that people review. */
    auditId: text('audit_id').notNull().default(''),
    /** What stood there before: a picture is known by another address alone. */
    before: text('before').notNull().default(''),
    reason: text('reason').notNull().default(''),
    submittedByName: text('submitted_by_name').notNull(),
    submittedAt: instant('submitted_at').notNull(),
    endedAt: instant('ended_at'),
  },
  table => [
    uniqueIndex('program_profile_changes_current')
      .on(table.applicationId, table.part, table.secondId)
      .where(sql`is_current`),
    index('program_profile_changes_application_id').on(table.applicationId, table.id),
    index('program_profile_changes_waiting').on(table.state, table.endedAt, table.id).where(sql`is_current`),
    index('program_profile_changes_merchant_id').on(table.merchantId, table.id),
    index('program_profile_changes_agent_id').on(table.agentId, table.id),
  ],
)
