// Files that lie ready hold what their list showed when they were made: they go at once where somebody was erased who may be in them.
import type pg from 'pg'
import type { Services } from '#server/ctx.ts'
import { exportKey } from './server-write.ts'

/** Those of these agencies, and of the vendor, whose lists are everybody's; as the owner. Answers how many. */
export async function forgetFiles(
  client: Pick<pg.ClientBase, 'query'>,
  storage: Services['storage'],
  agentIds: readonly number[],
): Promise<number> {
  const { rows } = await client.query<{ id: string }>(
    `update export_jobs j set expires_at = now() from agents a
     where a.id = j.agent_id and j.state = 'done' and j.expires_at > now()
       and (j.agent_id = any($1::bigint[]) or a.is_operator or a.is_vendor_staff)
     returning j.id`,
    [agentIds],
  )
  for (const { id } of rows) await storage.delete(exportKey(Number(id)))
  return rows.length
}
