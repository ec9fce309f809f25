import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { documents } from '#features/care/documents/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { bytes, id, instant, whole } from '#server/columns.ts'
import type { ApplicationKind, ApplicationState, CategoryLevel, Certificate, ProgramType } from './rules.ts'

const paper = (name: string) => whole(name).references(() => documents.id)

/**
 * Applications of shops for a mini program: a draft, or as handed in. A shop has one that is not deleted. They go along with a shop that
 * moves (trigger).
 */
export const programApplications = pgTable(
  'program_applications',
  {
    id: id(),
    agentId: whole('agent_id').notNull(),
    merchantId: whole('merchant_id')
      .notNull()
      .references(() => merchants.id),
    kind: text('kind').$type<ApplicationKind>().notNull(),
    state: text('state').$type<ApplicationState>().notNull(),
    /** The documents' numbers of where it stands on its way to a release. */
    // No field: the flow's own.
    // No steps: a number of the documents, set with the state.
    flowStatus: integer('flow_status').notNull(),
    // No field: the flow's own.
    flowStep: integer('flow_step').notNull(),
    // No field: the flow's own.
    // No steps: as above.
    submitStatus: integer('submit_status').notNull().default(0),
    /** Counts what is saved, handed in, decided and deleted. */
    revision: integer('revision').notNull().default(1),
    companyName: text('company_name').notNull().default(''),
    companyCode: text('company_code').notNull().default(''),
    /** Encrypted; null: none was given. */
    legalPersonWechat: bytes('legal_person_wechat'),
    legalPersonWechatMasked: text('legal_person_wechat_masked').notNull().default(''),
    legalPersonName: text('legal_person_name').notNull().default(''),
    servicePhone: text('service_phone').notNull().default(''),
    programName: text('program_name').notNull().default(''),
    programType: text('program_type').$type<ProgramType>(),
    intro: text('intro').notNull().default(''),
    /** The platform's number of the last level. */
    // No field: told by name.
    categoryId: integer('category_id'),
    /** From the first level down, as the list named them then. */
    // No field: told by name.
    categoryLevels: jsonb('category_levels').$type<readonly CategoryLevel[]>().notNull().default([]),
    categoryName: text('category_name').notNull().default(''),
    /** Which of the category's sets of papers is brought, from 0. */
    // No field: told with the certificates.
    alternative: integer('alternative').notNull().default(0),
    // No field: papers of the details.
    certificates: jsonb('certificates').$type<readonly Certificate[]>().notNull().default([]),
    // No field: papers of the details.
    headImageId: paper('head_image_id'),
    // No field: papers of the details.
    idFrontId: paper('id_front_id'),
    // No field: papers of the details.
    idBackId: paper('id_back_id'),
    // No field: papers of the details.
    licenceId: paper('licence_id'),
    reason: text('reason').notNull().default(''),
    createdAt: instant('created_at').notNull(),
    // No field: told by the log.
    savedBy: whole('saved_by').notNull(),
    // No field: told by the log.
    savedByName: text('saved_by_name').notNull(),
    // No field: shown by name.
    submittedBy: whole('submitted_by'),
    submittedByName: text('submitted_by_name').notNull().default(''),
    submittedAt: instant('submitted_at'),
    // No field: shown by name.
    handledBy: whole('handled_by'),
    handledByName: text('handled_by_name').notNull().default(''),
    handledAt: instant('handled_at'),
    deletedAt: instant('deleted_at'),
    deletedByName: text('deleted_by_name').notNull().default(''),
  },
  table => [
    uniqueIndex('program_applications_live').on(table.merchantId).where(sql`deleted_at is null`),
    index('program_applications_merchant_id').on(table.merchantId, table.id),
    index('program_applications_to_create')
      .on(table.handledAt, table.id, table.agentId)
      .where(sql`state = 'approved' and flow_status = 1 and flow_step = 2 and deleted_at is null`),
    // With the agent, which the policy asks for: what is counted is counted without reading the rows.
    index('program_applications_state')
      .on(table.state, table.submittedAt, table.id, table.agentId)
      .where(sql`deleted_at is null`),
    index('program_applications_agent_state')
      .on(table.agentId, table.state, table.handledAt, table.id)
      .where(sql`deleted_at is null`),
    index('program_applications_created_at')
      .on(table.createdAt, table.id, table.agentId)
      .where(sql`deleted_at is null`),
    index('program_applications_agent_id')
      .on(table.agentId, table.createdAt, table.id)
      .where(sql`deleted_at is null`),
    index('program_applications_deleted')
      .on(table.createdAt, table.id, table.agentId)
      .where(sql`deleted_at is not null`),
    index('program_applications_head_image_id').on(table.headImageId),
    index('program_applications_id_front_id').on(table.idFrontId),
    index('program_applications_id_back_id').on(table.idBackId),
    index('program_applications_licence_id').on(table.licenceId),
  ],
)
