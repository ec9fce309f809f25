import { boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { merchants } from '#features/shops/merchants/tables.ts'
import type { SmsProviderName } from '#kit/ports/providers.ts'
import type { CarrierFact } from '#kit/ports/signature-desk.ts'
import { id, instant, whole } from '#server/columns.ts'
import type { SignatureState } from './rules.ts'

/** A shop's own signature at one SMS service: where it stands there. It goes along with a shop that moves to another agent (trigger). */
export const shopSignatures = pgTable(
  'shop_signatures',
  {
    id: id(),
    agentId: whole('agent_id').notNull(),
    merchantId: whole('merchant_id')
      .notNull()
      .references(() => merchants.id),
    /** The request that it was handed in for last. */
    requestId: whole('request_id').notNull(),
    service: text('service').$type<SmsProviderName>().notNull(),
    signature: text('signature').notNull(),
    state: text('state').$type<SignatureState>().notNull(),
    /** The service's own number. */
    serviceId: text('service_id').notNull().default(''),
    /** How far carriers have registered it; empty where the service does not tell. */
    carriers: jsonb('carriers').$type<readonly CarrierFact[]>().notNull().default([]),
    /** What the service said last: its code and its own words. */
    code: text('code').notNull().default(''),
    answer: text('answer').notNull().default(''),
    /** What the service refused before is to be handed in again. */
    again: boolean('again').notNull().default(false),
    /** Rounds since it was handed in, or tried to be. */
    tries: integer('tries').notNull().default(0),
    /** Whoever asks the service now. */
    claim: text('claim').notNull().default(''),
    /** When the service is asked next; null: no more. */
    nextAt: instant('next_at'),
    handedInAt: instant('handed_in_at'),
    askedAt: instant('asked_at'),
    /** Since when it stands there as it does. */
    changedAt: instant('changed_at').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  table => [
    uniqueIndex('shop_signatures_one').on(table.merchantId, table.service, table.signature),
    index('shop_signatures_due').on(table.nextAt),
    index('shop_signatures_request_id').on(table.requestId),
    index('shop_signatures_agent_id').on(table.agentId, table.id),
    index('shop_signatures_service').on(table.service, table.signature),
  ],
)
