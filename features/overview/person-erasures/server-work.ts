// Requests at work: what is known is looked for, and what was approved is erased. One at a time in all of the office: a lock of the database,
// which ends with its connection, says which.

import type { Services } from '#server/ctx.ts'
import { isContention } from '#server/db.ts'
import type { AsOwner } from '#server/feature.ts'
import { readAsSystem } from '#server/system.ts'
import type { Keys } from './rules.ts'
import { type At, type Client, inTransaction } from './server-client.ts'
import { findAll, type Item } from './server-find.ts'
import { Later, runErasure } from './server-run.ts'

export const WORK = 'personErasures'
const LOCK = `hashtext('partner-office-person-erasures')`

/** Does one part of what waits; answers whether there may be more. */
export async function workOnErasures(services: Services, asOwner: AsOwner): Promise<boolean> {
  const waits = await readAsSystem(services, ({ client }) =>
    client.query(`select from person_erasures where state in ('looking', 'running') limit 1`),
  )
  if (waits.rowCount === 0) return false
  return asOwner(client => workOnce(client, services))
}

export async function workOnce(client: Client, at: At): Promise<boolean> {
  const { rows: lock } = await client.query<{ taken: boolean }>(
    `select pg_try_advisory_lock(${LOCK}) as taken`,
  )
  if (!lock[0]?.taken) return false
  try {
    const { rows } = await client.query<{ id: string; state: string }>(
      `select id::text, state from person_erasures where state in ('looking', 'running') order by state, id limit 1`,
    )
    const next = rows[0]
    if (!next) return false
    const id = Number(next.id)
    return await noted(client, id, () =>
      next.state === 'looking' ? look(client, at, id) : runErasure(client, at, id),
    )
  } finally {
    await client.query(`select pg_advisory_unlock(${LOCK})`)
  }
}

/** What keeps it from going on is shown, and tried again at the next look. */
async function noted(client: Client, id: number, work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (error instanceof Later || isContention(error)) return false
    await client
      .query('update person_erasures set problem = $2 where id = $1', [id, '处理时发生错误，系统会自动重试'])
      .catch(() => undefined)
    throw error
  }
}

/** Looks for what is known, and writes down what was found. */
async function look(client: Client, at: At, id: number): Promise<void> {
  const { rows } = await client.query<{ keys: Buffer | null }>(
    `select keys from person_erasures where id = $1 and state = 'looking'`,
    [id],
  )
  const sealed = rows[0]?.keys
  if (!sealed) return
  const items = await findAll(client, at, JSON.parse(at.secrets.decrypt(sealed)) as Keys)
  await inTransaction(client, async () => {
    await keepItems(client, id, items)
    await client.query(
      `update person_erasures set state = 'found', problem = '' where id = $1 and state = 'looking'`,
      [id],
    )
  })
}

export async function keepItems(client: Client, id: number, items: readonly Item[]): Promise<void> {
  await client.query('delete from person_erasure_items where erasure_id = $1', [id])
  await client.query(
    `insert into person_erasure_items (erasure_id, key, kind, table_name, row_id, hangs_on, agent_id, merchant_id, matched, rows, fate,
       reason, block, chosen, choosable)
     select $1, i.key, i.kind, i."tableName", i."rowId", i."hangsOn", i."agentId", i."merchantId",
       array(select json_array_elements_text(i.matched)), i.rows, i.fate, i.reason, i.block, i.chosen, i.choosable
     from json_to_recordset($2::json) as i(key text, kind text, "tableName" text, "rowId" bigint, "hangsOn" text, "agentId" bigint,
       "merchantId" bigint, matched json, rows bigint, fate text, reason text, block text, chosen boolean, choosable boolean)`,
    [id, JSON.stringify(items)],
  )
}
