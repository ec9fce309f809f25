import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  boolean,
  date,
  index,
  integer,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { id, instant, whole } from '#server/columns.ts'
import { files } from '#server/tables.ts'
import type { AccountFormat, AgentStatus } from './rules.ts'

// In no list: choices, by name.
export const agentLevels = pgTable('agent_levels', {
  id: integer('id').primaryKey(),
  name: text('name').notNull(),
})

export const agents = pgTable(
  'agents',
  {
    id: id(),
    companyName: text('company_name').notNull(),
    contactName: text('contact_name').notNull(),
    mobile: text('mobile').notNull(),
    // No field: shown as levelName and parentName.
    levelId: integer('level_id')
      .notNull()
      .references(() => agentLevels.id),
    // No field: shown as levelName and parentName.
    parentId: whole('parent_id').references((): AnyPgColumn => agents.id),
    status: text('status').$type<AgentStatus>().notNull().default('active'),
    /** Its people may sign in. */
    // No field: made of the state.
    enabled: boolean('enabled').notNull().generatedAlwaysAs(sql`status <> 'closed'`),
    /** Why it is suspended, as its people read it; empty where it is not. */
    // No field: of one partner, on its page.
    suspendedFor: text('suspended_for').notNull().default(''),
    // No field: of one partner, on its page.
    suspendedAt: instant('suspended_at'),
    /** Days of Asia/Shanghai, both included; null: not agreed. */
    // No field: of one partner, on its page.
    contractFrom: date('contract_from'),
    contractTo: date('contract_to'),
    // No field: terms, in the form of a partner.
    isOperator: boolean('is_operator').notNull().default(false),
    // No field: terms, in the form of a partner.
    isVendorStaff: boolean('is_vendor_staff').notNull().default(false),
    /** May be paid from outside on its own account; the operator's word. */
    payEnabled: boolean('pay_enabled').notNull().default(false),
    // No field: terms, in the form of a partner.
    hasFullMenu: boolean('has_full_menu').notNull().default(false),
    // No field: terms, in the form of a partner.
    accountFormat: text('account_format').$type<AccountFormat>().notNull().default('standard'),
    createdAt: instant('created_at').notNull(),
    telephone: text('telephone').notNull().default(''),
    /** Six digits, or empty. */
    districtCode: text('district_code').notNull().default(''),
    address: text('address').notNull().default(''),
    /** What stands before the suffix of all agents' domains; null: none is chosen. */
    domainLabel: text('domain_label').unique(),
    hotline: text('hotline').notNull().default(''),
    qq: text('qq').notNull().default(''),
    wechat: text('wechat').notNull().default(''),
    logoId: uuid('logo_id').references(() => files.id),
  },
  table => [
    // However it is written: without blanks, in small letters, with characters of one width.
    uniqueIndex('agents_company_key').on(sql`company_key(${table.companyName})`),
    index('agents_created_at').on(table.createdAt, table.id),
    index('agents_contract_to').on(table.contractTo, table.id),
    index('agents_level_id').on(table.levelId, table.id),
    index('agents_district_code').on(table.districtCode),
  ],
)

/** From a moment on, which level an agent has; `agents.levelId` follows. Rows are never changed, but withdrawn before they begin. */
// In no list: the books, with their history.
export const agentLevelChanges = pgTable(
  'agent_level_changes',
  {
    id: id(),
    agentId: whole('agent_id')
      .notNull()
      .references(() => agents.id),
    /** What it has until then. */
    fromLevelId: integer('from_level_id')
      .notNull()
      .references(() => agentLevels.id),
    levelId: integer('level_id')
      .notNull()
      .references(() => agentLevels.id),
    startsAt: instant('starts_at').notNull(),
    createdBy: whole('created_by').notNull(),
    createdByName: text('created_by_name').notNull(),
    createdAt: instant('created_at').notNull(),
    withdrawnAt: instant('withdrawn_at'),
    withdrawnByName: text('withdrawn_by_name').notNull().default(''),
  },
  table => [
    uniqueIndex('agent_level_changes_in_force')
      .on(table.agentId, table.startsAt)
      .where(sql`withdrawn_at is null`),
  ],
)
