import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { programApplications } from '#features/programs/program-applications/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { bytes, id, instant, whole } from '#server/columns.ts'
import type { AuditState, Deed, Known } from './rules.ts'

const ofShop = () => ({
  id: id(),
  agentId: whole('agent_id').notNull(),
  merchantId: whole('merchant_id')
    .notNull()
    .references(() => merchants.id),
  applicationId: whole('application_id')
    .notNull()
    .references(() => programApplications.id),
})

/** What a deed is about: a template, words for the reviewers, a version to go back to. */
export type DeedArgs = {
  templateId?: number
  feedback?: string
  appVersion?: number
  version?: string
  byName?: string
  /** Whoever asked tells what comes of it. */
  isQuiet?: boolean
}

/** Of an application: the code of its mini program, and what is asked of the platform about it. One row each; it goes along with a shop that moves (trigger). */
// In no list: told beside its application.
export const programCodes = pgTable(
  'program_codes',
  {
    ...ofShop(),
    appid: text('appid').notNull(),
    /** Empty: nothing was set yet. */
    version: text('version').notNull().default(''),
    templateId: integer('template_id'),
    committedAt: instant('committed_at'),
    /** As it was read last. */
    known: jsonb('known').$type<Known>(),
    readAt: instant('read_at'),
    /** What the platform, or why it could not be asked, said last; empty: nothing is wrong. */
    message: text('message').notNull().default(''),
    /** What is asked for now; empty: nothing. */
    deed: text('deed').$type<Deed | ''>().notNull().default(''),
    args: jsonb('args').$type<DeedArgs>().notNull().default({}),
    /** Rounds since something was asked for that have had no answer. */
    tries: integer('tries').notNull().default(0),
    /** Whoever asks the platform now. */
    claim: text('claim').notNull().default(''),
    /** When the platform is asked next; null: no more. */
    nextAt: instant('next_at'),
    askedAt: instant('asked_at'),
  },
  table => [
    uniqueIndex('program_codes_application_id').on(table.applicationId),
    index('program_codes_appid').on(table.appid),
    index('program_codes_due').on(table.nextAt, table.id),
    index('program_codes_read_at').on(table.readAt),
    index('program_codes_merchant_id').on(table.merchantId, table.id),
    index('program_codes_agent_id').on(table.agentId, table.id),
  ],
)

/** Audits of code that were handed in, one row each. They go along with a shop that moves (trigger). */
// In no list: told beside its application.
export const programAudits = pgTable(
  'program_audits',
  {
    ...ofShop(),
    appid: text('appid').notNull(),
    /** The platform's number. */
    auditId: whole('audit_id').notNull(),
    version: text('version').notNull(),
    state: text('state').$type<AuditState>().notNull(),
    /** The newest of its mini program. */
    isCurrent: boolean('is_current').notNull(),
    isSpedUp: boolean('is_sped_up').notNull().default(false),
    /** Whoever handed it in tells what comes of it. */
    isQuiet: boolean('is_quiet').notNull().default(false),
    reason: text('reason').notNull().default(''),
    /** Encrypted JSON: pictures of what the reviewer saw, in base64; null: there are none. */
    screenshots: bytes('screenshots'),
    submittedByName: text('submitted_by_name').notNull(),
    submittedAt: instant('submitted_at').notNull(),
    /** When it was passed, refused or withdrawn. */
    endedAt: instant('ended_at'),
    /** By us: the platform counts them. */
    withdrawnAt: instant('withdrawn_at'),
    releasedAt: instant('released_at'),
  },
  table => [
    uniqueIndex('program_audits_audit_id').on(table.appid, table.auditId),
    uniqueIndex('program_audits_current').on(table.applicationId).where(sql`is_current`),
    index('program_audits_application_id').on(table.applicationId, table.id),
    index('program_audits_waiting').on(table.state, table.endedAt, table.id).where(sql`is_current`),
    index('program_audits_submitted_at').on(table.submittedAt),
    index('program_audits_merchant_id').on(table.merchantId, table.id),
    index('program_audits_agent_id').on(table.agentId, table.id),
  ],
)

/** Who may open the trial version, as far as we have added them. They go along with a shop that moves (trigger). */
// In no list: told beside its application.
export const programTesters = pgTable(
  'program_testers',
  {
    ...ofShop(),
    appid: text('appid').notNull(),
    /** Encrypted. */
    wechat: bytes('wechat').notNull(),
    wechatMasked: text('wechat_masked').notNull(),
    /** The platform's own name of the person. */
    userString: text('user_string').notNull(),
    addedByName: text('added_by_name').notNull(),
    addedAt: instant('added_at').notNull(),
  },
  table => [
    uniqueIndex('program_testers_user_string').on(table.appid, table.userString),
    index('program_testers_application_id').on(table.applicationId, table.id),
    index('program_testers_merchant_id').on(table.merchantId, table.id),
    index('program_testers_agent_id').on(table.agentId, table.id),
  ],
)
