import { boolean, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { agents } from '#features/office/agents/tables.ts'
import { instant, whole } from '#server/columns.ts'
import type { PricingRule, SellerRule } from './rules.ts'

export const versions = pgTable('versions', {
  id: integer('id').primaryKey(),
  packageId: uuid('package_id').notNull(),
  code: text('code').notNull(),
  name: text('name').notNull(),
  kind: integer('kind').$type<1 | 2>().notNull(),
  pricingRule: text('pricing_rule').$type<PricingRule>().notNull(),
  isPack: boolean('is_pack').notNull().default(false),
  offeredOnAdd: boolean('offered_on_add').notNull().default(false),
  /** IsAddShop of the documents (D2 §9) when a shop of another version buys this one, and when a shop renews it. */
  buyCode: integer('buy_code').notNull().default(4),
  renewCode: integer('renew_code').notNull().default(1),
  /** Sold to shops of other versions, where it is sold at all. */
  offeredOnChange: boolean('offered_on_change').notNull().default(true),
  /** False: retired. It is sold to nobody who does not have it. */
  enabled: boolean('enabled').notNull().default(true),
  /** Of a retired one: whether those who have it may go on renewing it, and until when; null: without end. */
  renewable: boolean('renewable').notNull().default(true),
  renewUntil: instant('renew_until'),
  /** Who may sell it; whom `only` and `except` mean stands in version_sellers (is_authority, D2 §6). */
  sellers: text('sellers').$type<SellerRule>().notNull().default('all'),
  /** What it contains, of version_functions, in its own order. */
  functionIds: integer('function_ids').array().notNull().default([]),
  remark: text('remark').notNull().default(''),
  position: integer('position').notNull(),
  revision: integer('revision').notNull().default(1),
})

/** The agents that a version's `sellers` names. */
export const versionSellers = pgTable(
  'version_sellers',
  {
    versionId: integer('version_id')
      .notNull()
      .references(() => versions.id),
    agentId: whole('agent_id')
      .notNull()
      .references(() => agents.id),
  },
  table => [
    primaryKey({ columns: [table.versionId, table.agentId] }),
    index('version_sellers_agent_id').on(table.agentId),
  ],
)

/** What a version can do, by name. */
export const versionFunctions = pgTable('version_functions', {
  id: integer('id').primaryKey(),
  name: text('name').notNull(),
  remark: text('remark').notNull().default(''),
  enabled: boolean('enabled').notNull().default(true),
  position: integer('position').notNull(),
  revision: integer('revision').notNull().default(1),
})
