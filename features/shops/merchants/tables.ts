import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  boolean,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { accounts } from '#features/office/access/tables.ts'
import { agents } from '#features/office/agents/tables.ts'
import { versions } from '#features/shops/versions/tables.ts'
import { bytes, instant, whole } from '#server/columns.ts'
import type { MerchantStatus, Source, StoreKind, VerificationStatus } from './rules.ts'

// In no list: choices, by name.
export const industries = pgTable('industries', {
  id: integer('id').primaryKey(),
  name: text('name').notNull(),
  position: integer('position').notNull(),
  /** From then on it is offered no more; shops that have it keep it. */
  retiredAt: instant('retired_at'),
})

export type ConfigField = { key: string; label: string; required: boolean; secret: boolean }

// In no list: choices, by name.
export const paymentMethods = pgTable('payment_methods', {
  id: integer('id').primaryKey(),
  name: text('name').notNull(),
  fields: jsonb('fields').$type<ConfigField[]>().notNull(),
  position: integer('position').notNull(),
  retiredAt: instant('retired_at'),
})

/** Methods offered to an agent beyond those offered to all (agentId 0). */
// In no list: choices, by name.
export const agentPaymentMethods = pgTable(
  'agent_payment_methods',
  {
    agentId: whole('agent_id').notNull(),
    paymentMethodId: integer('payment_method_id')
      .notNull()
      .references(() => paymentMethods.id),
  },
  table => [primaryKey({ columns: [table.agentId, table.paymentMethodId] })],
)

export const merchants = pgTable(
  'merchants',
  {
    id: whole('id').primaryKey(),
    agentId: whole('agent_id')
      .notNull()
      .references(() => agents.id),
    storeKind: text('store_kind').$type<StoreKind>().notNull(),
    headId: whole('head_id').references((): AnyPgColumn => merchants.id),
    shortName: text('short_name').notNull(),
    shopName: text('shop_name').notNull(),
    personName: text('person_name').notNull(),
    account: text('account').notNull(),
    // No field: a secret, noted as 密码 where it changes.
    passwordHash: text('password_hash').notNull(),
    shopPhone: text('shop_phone').notNull().default(''),
    provinceCode: text('province_code').notNull(),
    cityCode: text('city_code').notNull(),
    districtCode: text('district_code').notNull(),
    address: text('address').notNull().default(''),
    industryId: integer('industry_id')
      .notNull()
      .references(() => industries.id),
    versionId: integer('version_id')
      .notNull()
      .references(() => versions.id),
    shopsBought: integer('shops_bought').notNull(),
    status: text('status').$type<MerchantStatus>().notNull(),
    registeredAt: instant('registered_at').notNull(),
    /** Null: permanent. */
    expiresAt: instant('expires_at'),
    /** The day of the month that its term keeps where a month is too short for it; null: that of its end. */
    // No field: what months and years are counted to, seen in the next end.
    termDay: integer('term_day'),
    lastLoginAt: instant('last_login_at'),
    referrer: text('referrer').notNull().default(''),
    managerId: whole('manager_id').references(() => accounts.id),
    remark: text('remark').notNull().default(''),
    signature: text('signature').notNull().default(''),
    /** What the shop calls its members; empty: as the software does. */
    memberTitle: text('member_title').notNull().default(''),
    // No steps: written along with verifications.state, or corrected by the operator.
    verificationStatus: text('verification_status').$type<VerificationStatus>().notNull(),
    verificationRefusal: text('verification_refusal').notNull().default(''),
    paymentMethodId: integer('payment_method_id').references(() => paymentMethods.id),
    /** Encrypted JSON of the method's config fields. */
    // No field: encrypted, noted as 支付参数 where it changes.
    paymentConfig: bytes('payment_config'),
    payEnabled: boolean('pay_enabled').notNull().default(false),
    source: text('source').$type<Source>().notNull(),
    /** Its SMS credit is recalled only with a code sent to its phone. */
    needsRecoveryCode: boolean('needs_recovery_code').notNull().default(false),
    /** Counts edits, so that a stale page cannot overwrite a newer one. */
    revision: integer('revision').notNull().default(1),
    searchText: text('search_text')
      .notNull()
      .generatedAlwaysAs(
        sql`lower(id::text || chr(31) || shop_name || chr(31) || short_name || chr(31) || person_name || chr(31) || account || chr(31) || referrer)`,
      ),
  },
  table => [
    uniqueIndex('merchants_account').on(table.account),
    index('merchants_head_id').on(table.headId),
    index('merchants_version_id').on(table.versionId, table.agentId, table.expiresAt),
    index('merchants_disabled').on(table.agentId).where(sql`status = 'disabled'`),
    // Shops of a few industries in the order of their numbers, as those that a print template is served to.
    index('merchants_industry').on(table.industryId, table.id),
  ],
)

/** Shops registered on a day and shops whose term ends on it (days of Asia/Shanghai), kept by triggers. An index of each for all agents. */
// In no list: counts.
export const merchantDays = pgTable(
  'merchant_days',
  {
    agentId: whole('agent_id').notNull(),
    day: date('day').notNull(),
    registered: whole('registered').notNull().default(0),
    expiring: whole('expiring').notNull().default(0),
  },
  table => [primaryKey({ columns: [table.agentId, table.day] }), index('merchant_days_day').on(table.day)],
)

/** Kept by a trigger at commit, so that the unfiltered total costs one row. */
// In no list: counts.
export const merchantCounts = pgTable('merchant_counts', {
  agentId: whole('agent_id').primaryKey(),
  total: whole('total').notNull(),
})

/** What a search looks through: one character has an index of its own, too. */
export const SEARCHED_TEXT = { column: merchants.searchText, letters: true } as const
