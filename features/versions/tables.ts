import { boolean, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { PricingRule } from './rules.ts'

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
  enabled: boolean('enabled').notNull().default(true),
  remark: text('remark').notNull().default(''),
  position: integer('position').notNull(),
})
