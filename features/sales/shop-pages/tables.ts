import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { agents } from '#features/office/agents/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { versions } from '#features/shops/versions/tables.ts'
import type { PayChannelName } from '#kit/ports/channels.ts'
import { bytes, id, instant, whole } from '#server/columns.ts'
import { files } from '#server/tables.ts'
import type { PageContent, RenewalScope, RenewalState } from './rules.ts'

const ofAgent = () =>
  whole('agent_id')
    .notNull()
    .references(() => agents.id)

/** What an agent is writing; without a row there is nothing yet. */
// In no list: what is edited whole, on a page of its own.
export const shopPageDrafts = pgTable('shop_page_drafts', {
  agentId: ofAgent().primaryKey(),
  content: jsonb('content').$type<PageContent>().notNull(),
  /** Counts saves, so that a stale page cannot overwrite a newer one. */
  revision: integer('revision').notNull(),
  savedBy: whole('saved_by').notNull(),
  savedByName: text('saved_by_name').notNull(),
  savedAt: instant('saved_at').notNull(),
})

/** What was published; the highest number is what shops see. Rows stay as they are. */
// In no list: what is edited whole, on a page of its own.
export const shopPageVersions = pgTable(
  'shop_page_versions',
  {
    id: id(),
    agentId: ofAgent(),
    number: integer('number').notNull(),
    content: jsonb('content').$type<PageContent>().notNull(),
    /** The number of the earlier one that was published again. */
    restoredFrom: integer('restored_from'),
    publishedBy: whole('published_by').notNull(),
    publishedByName: text('published_by_name').notNull(),
    publishedAt: instant('published_at').notNull(),
  },
  table => [uniqueIndex('shop_page_versions_number').on(table.agentId, table.number)],
)

/** The pictures of contents, so that none is cleared away while one shows it. */
// In no list: what is edited whole, on a page of its own.
export const shopPagePictures = pgTable(
  'shop_page_pictures',
  {
    id: id(),
    agentId: whole('agent_id').notNull(),
    /** Null: of the draft. */
    versionId: whole('version_id').references(() => shopPageVersions.id),
    fileId: uuid('file_id')
      .notNull()
      .references(() => files.id),
  },
  table => [
    index('shop_page_pictures_file_id').on(table.fileId),
    index('shop_page_pictures_draft').on(table.agentId).where(sql`version_id is null`),
  ],
)

/** The unguessable part of a shop's address; made when an agent first asks for it. */
// In no list: the way to the page of a shop, at the shop.
export const shopCodes = pgTable(
  'shop_codes',
  {
    id: id(),
    agentId: ofAgent(),
    merchantId: whole('merchant_id')
      .notNull()
      .references(() => merchants.id),
    code: text('code').notNull(),
    createdBy: whole('created_by').notNull(),
    createdByName: text('created_by_name').notNull(),
    createdAt: instant('created_at').notNull(),
    revokedByName: text('revoked_by_name').notNull().default(''),
    revokedAt: instant('revoked_at'),
  },
  table => [
    uniqueIndex('shop_codes_code').on(table.code),
    uniqueIndex('shop_codes_standing').on(table.merchantId, table.agentId).where(sql`revoked_at is null`),
    index('shop_codes_merchant_id').on(table.merchantId, table.id),
  ],
)

/** Shops that signed in at their page; no account's session. */
// In no list: the way to the page of a shop, at the shop.
export const shopSessions = pgTable(
  'shop_sessions',
  {
    id: id(),
    tokenHash: bytes('token_hash').notNull(),
    codeId: whole('code_id')
      .notNull()
      .references(() => shopCodes.id),
    agentId: whole('agent_id').notNull(),
    merchantId: whole('merchant_id').notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  table => [
    uniqueIndex('shop_sessions_token_hash').on(table.tokenHash),
    index('shop_sessions_expires_at').on(table.expiresAt),
  ],
)

/** Whether an agent's shops renew by themselves, and since which change. */
// In no list: what is edited whole, on a page of its own.
export const renewalOffers = pgTable('renewal_offers', {
  agentId: ofAgent().primaryKey(),
  enabled: boolean('enabled').notNull(),
  revision: integer('revision').notNull(),
  savedByName: text('saved_by_name').notNull(),
  savedAt: instant('saved_at').notNull(),
})

/** In fen, for each shop that a shop stands for. */
// In no list: what is edited whole, on a page of its own.
export const renewalPrices = pgTable(
  'renewal_prices',
  {
    agentId: ofAgent(),
    versionId: integer('version_id')
      .notNull()
      .references(() => versions.id),
    years: integer('years').notNull(),
    priceFen: whole('price_fen').notNull(),
  },
  table => [
    primaryKey({ columns: [table.agentId, table.versionId, table.years] }),
    check('renewal_prices_above_nothing', sql`${table.priceFen} > 0`),
  ],
)

/** A renewal that a shop pays its agent online. */
export const onlineRenewals = pgTable(
  'online_renewals',
  {
    id: id(),
    /** Also of its payment. */
    orderNo: text('order_no').notNull(),
    agentId: ofAgent(),
    merchantId: whole('merchant_id')
      .notNull()
      .references(() => merchants.id),
    /** As it was called when it paid. */
    shopName: text('shop_name').notNull(),
    // No field: shown as versionName.
    versionId: integer('version_id')
      .notNull()
      .references(() => versions.id),
    years: integer('years').notNull(),
    shops: integer('shops').notNull(),
    /** all: a chain's head with its branches. */
    // No field: shown with shops in the details.
    scope: text('scope').$type<RenewalScope>().notNull().default('head'),
    amountFen: whole('amount_fen').notNull(),
    state: text('state').$type<RenewalState>().notNull(),
    /** Why it waits or stopped. */
    problem: text('problem').notNull().default(''),
    // No field: part of its payment.
    intentId: text('intent_id').notNull(),
    payMethod: text('pay_method').$type<PayChannelName>(),
    /** The version order that took the tokens. */
    versionOrderNo: text('version_order_no'),
    /** 1/100 token that it takes, once they were missing. */
    // No field: when the program tries again.
    needCents: whole('need_cents'),
    createdAt: instant('created_at').notNull(),
    paidAt: instant('paid_at'),
    renewedAt: instant('renewed_at'),
    refundedAt: instant('refunded_at'),
    // No field: when the program tries again.
    tries: integer('tries').notNull().default(0),
    // No field: when the program tries again.
    tryAt: instant('try_at'),
    // No field: when the program tries again.
    triedAt: instant('tried_at'),
  },
  table => [
    uniqueIndex('online_renewals_order_no').on(table.orderNo),
    index('online_renewals_agent_id').on(table.agentId, table.createdAt, table.id),
    index('online_renewals_created_at').on(table.createdAt, table.id),
    index('online_renewals_merchant_id').on(table.merchantId, table.id),
    index('online_renewals_due').on(table.tryAt).where(sql`state in ('paid', 'short')`),
    index('online_renewals_unpaid').on(table.createdAt).where(sql`state = 'waiting'`),
  ],
)
