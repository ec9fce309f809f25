// Loads the reference data of all features into a migrated database. Rows that exist stay as they were edited.
import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import { PERMISSION_NODES } from '#features/access/reference.ts'
import { permissionNodes } from '#features/access/tables.ts'
import { AGENT_LEVELS } from '#features/agents/reference.ts'
import { agentLevels } from '#features/agents/tables.ts'
import { INDUSTRIES, PAYMENT_METHODS } from '#features/merchants/reference.ts'
import { agentPaymentMethods, industries, paymentMethods } from '#features/merchants/tables.ts'
import { VERSIONS } from '#features/versions/reference.ts'
import { versions } from '#features/versions/tables.ts'

export async function loadReferenceData(owner: pg.Client): Promise<void> {
  const db = drizzle(owner)
  await db.insert(agentLevels).values(AGENT_LEVELS).onConflictDoNothing()
  await db.insert(permissionNodes).values(PERMISSION_NODES).onConflictDoNothing()
  await db.insert(versions).values(VERSIONS).onConflictDoNothing()
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
