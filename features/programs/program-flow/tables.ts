import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { programApplications } from '#features/programs/program-applications/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import type { BasicInfo } from '#kit/ports/mini-programs.ts'
import { bytes, id, instant, whole } from '#server/columns.ts'
import type { FlowState } from './rules.ts'

/**
 * Of an application, once something was done for it: where its mini program stands at the platform. One row each; it goes along with a shop that
 * moves (trigger).
 */
// In no list: told beside its application.
export const programFlows = pgTable(
  'program_flows',
  {
    id: id(),
    agentId: whole('agent_id').notNull(),
    merchantId: whole('merchant_id')
      .notNull()
      .references(() => merchants.id),
    applicationId: whole('application_id')
      .notNull()
      .references(() => programApplications.id),
    state: text('state').$type<FlowState>().notNull(),
    /** What the platform, or why it could not be asked, said last; empty: nothing is wrong. */
    message: text('message').notNull().default(''),
    /** Encrypted: what was handed in for its creation, as the platform is asked about it. */
    registration: bytes('registration'),
    /** Of the same, keyed: by which what the platform tells finds it. */
    registrationKey: text('registration_key').notNull().default(''),
    /** When it was handed in, or tried to be. */
    handedInAt: instant('handed_in_at'),
    /** Null: not known yet. */
    appid: text('appid'),
    isAuthorized: boolean('is_authorized').notNull().default(false),
    /** Encrypted: a code of an owner's authorisation, to be traded. */
    authCode: bytes('auth_code'),
    /** Keyed, of the last code that came: one that comes again changes nothing. */
    authCodeHash: text('auth_code_hash').notNull().default(''),
    authorizedAt: instant('authorized_at'),
    scopes: jsonb('scopes').$type<readonly number[]>().notNull().default([]),
    /** Somebody has asked to have the authorisation verified. */
    isVerifying: boolean('is_verifying').notNull().default(false),
    basicInfo: jsonb('basic_info').$type<BasicInfo>(),
    basicInfoAt: instant('basic_info_at'),
    /** What users have, and what was set behind it and is not released, as the platform told them last; empty: none. */
    liveVersion: text('live_version').notNull().default(''),
    newVersion: text('new_version').notNull().default(''),
    remark: text('remark').notNull().default(''),
    /** Rounds since something was asked for that have had no answer. */
    tries: integer('tries').notNull().default(0),
    /** Whoever asks the platform now. */
    claim: text('claim').notNull().default(''),
    /** When the platform is asked next; null: no more. */
    nextAt: instant('next_at'),
    askedAt: instant('asked_at'),
    /** Since when it stands so. */
    changedAt: instant('changed_at').notNull(),
  },
  table => [
    uniqueIndex('program_flows_application_id').on(table.applicationId),
    uniqueIndex('program_flows_appid').on(table.appid),
    index('program_flows_registration_key').on(table.registrationKey),
    index('program_flows_waiting')
      .on(table.state, table.changedAt, table.id, table.agentId)
      .where(sql`state in ('profile', 'code')`),
    index('program_flows_to_go_on')
      .on(table.changedAt, table.id, table.agentId)
      .where(sql`state in ('creationRefused', 'authorized')`),
    index('program_flows_due').on(table.nextAt, table.id),
    index('program_flows_merchant_id').on(table.merchantId, table.id),
    index('program_flows_agent_id').on(table.agentId, table.id),
  ],
)

/** What was asked of the platform and what it answered or told, in words; never changed. They go along with a shop that moves (trigger). */
// In no list: told beside its application.
export const programFlowAnswers = pgTable(
  'program_flow_answers',
  {
    id: id(),
    agentId: whole('agent_id').notNull(),
    merchantId: whole('merchant_id')
      .notNull()
      .references(() => merchants.id),
    applicationId: whole('application_id')
      .notNull()
      .references(() => programApplications.id),
    at: instant('at').notNull(),
    /** What was asked or told. */
    title: text('title').notNull(),
    /** The platform's number; empty: it has none. */
    code: text('code').notNull().default(''),
    words: text('words').notNull(),
    advice: text('advice').notNull().default(''),
    isTrouble: boolean('is_trouble').notNull(),
  },
  table => [
    index('program_flow_answers_application_id').on(table.applicationId, table.id),
    index('program_flow_answers_merchant_id').on(table.merchantId, table.id),
    index('program_flow_answers_agent_id').on(table.agentId, table.id),
  ],
)
