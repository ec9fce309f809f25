// Loads the reference data of all features into a migrated database. Rows that exist stay as they were edited.
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import { PERMISSION_NODES } from '#features/access/reference.ts'
import { permissionNodes } from '#features/access/tables.ts'
import { VERSION_ADJUSTMENTS } from '#features/aftersales/reference.ts'
import { versionAdjustments } from '#features/aftersales/tables.ts'
import { AGENT_LEVELS } from '#features/agents/reference.ts'
import { agentLevels } from '#features/agents/tables.ts'
import { CONTENT_ITEMS } from '#features/content/reference.ts'
import { contentItems } from '#features/content/tables.ts'
import { INDUSTRIES, PAYMENT_METHODS } from '#features/merchants/reference.ts'
import { agentPaymentMethods, industries, paymentMethods } from '#features/merchants/tables.ts'
import { SMS_TEMPLATES } from '#features/messages/reference.ts'
import { smsTemplates } from '#features/messages/tables.ts'
import { OFFERED_CHANNELS, PAYMENT_PRICES, RECHARGE_PACKAGES } from '#features/payments/reference.ts'
import { agentPayChannels, paymentPrices } from '#features/payments/tables.ts'
import { SERVICES } from '#features/services/reference.ts'
import { services } from '#features/services/tables.ts'
import { SMS_PACKAGES } from '#features/sms/reference.ts'
import { smsPackages, smsRechargePackages } from '#features/sms/tables.ts'
import { VERSIONS } from '#features/versions/reference.ts'
import { versions } from '#features/versions/tables.ts'

export async function loadReferenceData(owner: pg.Client): Promise<void> {
  const db = drizzle(owner)
  await db.insert(agentLevels).values(AGENT_LEVELS).onConflictDoNothing()
  // People edit names and markers; the place in the tree is the program's own.
  await db
    .insert(permissionNodes)
    .values(PERMISSION_NODES)
    .onConflictDoUpdate({
      target: permissionNodes.id,
      set: { parentId: sql`excluded.parent_id`, position: sql`excluded.position` },
    })
  await db.insert(versions).values(VERSIONS).onConflictDoNothing()
  await db.insert(versionAdjustments).values(VERSION_ADJUSTMENTS).onConflictDoNothing()
  await db.insert(services).values(SERVICES).onConflictDoNothing()
  await db.insert(smsTemplates).values(SMS_TEMPLATES).onConflictDoNothing()
  await db.insert(smsPackages).values(SMS_PACKAGES).onConflictDoNothing()
  await db.insert(smsRechargePackages).values(RECHARGE_PACKAGES).onConflictDoNothing()
  await db.insert(paymentPrices).values(PAYMENT_PRICES).onConflictDoNothing()
  await db.insert(agentPayChannels).values(OFFERED_CHANNELS).onConflictDoNothing()
  await db.insert(contentItems).values(CONTENT_ITEMS).onConflictDoNothing()
  await db.insert(industries).values(INDUSTRIES).onConflictDoNothing()
  await db
    .insert(paymentMethods)
    .values(PAYMENT_METHODS.map(({ id, name, fields }, position) => ({ id, name, fields, position })))
    .onConflictDoNothing()
  await db
    .insert(agentPaymentMethods)
    .values(
      PAYMENT_METHODS.filter(method => method.offeredToAll).map(({ id }) => ({
        agentId: 0,
        paymentMethodId: id,
      })),
    )
    .onConflictDoNothing()
}
