// Archives that lie ready hold everything that was known when they were made: they go at once where a person was erased, whichever agency they
// are of, since whose texts named the person nobody has written down. They can be made anew.
import type pg from 'pg'
import type { Services } from '#server/ctx.ts'
import { FORGOTTEN } from './rules.ts'
import { archiveKey } from './server-shelf.ts'

/** As the owner: keys first, then bytes. One that is being made begins again. Answers how many went. */
export async function forgetArchives(
  client: Pick<pg.ClientBase, 'query'>,
  storage: Services['storage'],
): Promise<number> {
  const { rows } = await client.query<{ id: string; attempts: number }>(
    `update agency_exports set state = 'deleted', sealed_key = null, error = $1
     where state = 'done' returning id, attempts::int`,
    [FORGOTTEN],
  )
  await client.query(`update agency_exports set state = 'queued' where state = 'making'`)
  for (const { id, attempts } of rows) await storage.delete(archiveKey(Number(id), attempts))
  return rows.length
}
