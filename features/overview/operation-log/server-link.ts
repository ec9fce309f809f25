// Puts rows of the operation log at the ends of their agents' chains, behind the commit that wrote them (docs/decisions/0080).
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Services } from '#server/ctx.ts'
import { SYSTEM } from '#server/db.ts'

/** Rows of one transaction at most: it holds the ends of their chains. */
const ROWS_AT_ONCE = 500
/** What is written meanwhile is linked together. */
const REST_MS = 100

/** A standby takes what its primary has linked. */
const LINK = 'select case when pg_is_in_recovery() then 0 else link_operation_log($1) end as rows'

async function link(client: Pick<pg.ClientBase, 'query'>): Promise<number> {
  const { rows } = await client.query<{ rows: number }>(LINK, [ROWS_AT_ONCE])
  return rows[0]?.rows ?? 0
}

/** A part of what waits; answers whether there may be more. */
export async function linkLog({ database }: Pick<Services, 'database'>): Promise<boolean> {
  const linked = await database.write(SYSTEM, ({ client }) => link(client))
  if (linked === 0) return false
  if (linked < ROWS_AT_ONCE) await sleep(REST_MS)
  return true
}

/** All that can be linked now, for whoever is to read whole chains. Each part commits by itself. */
export async function linkAll(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  while ((await link(client)) > 0);
}
