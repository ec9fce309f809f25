// Removes the files that nothing uses: rows first, their bytes behind the commit, and again until they are gone.
import type pg from 'pg'
import type { FilePurpose, FilePurposes } from '#server/files.ts'
import { placesOf } from './file-bytes.ts'
import type { Storage } from './storage.ts'

const UNUSED_FOR_HOURS = 24
const REMOVED_AT_ONCE = 500

/**
 * Removes pictures that nothing uses a day after they came: what is being taken into use at this moment holds a lock and is passed
 * over. Answers how many.
 */
export async function removeUnused(
  owner: Pick<pg.Pool, 'connect' | 'query'>,
  storage: Storage,
  purposes: FilePurposes,
): Promise<number> {
  let removed = 0
  for (const [name, { usedBy }] of Object.entries(purposes)) removed += await removeRows(owner, name, usedBy)
  await removeBytes(owner, storage)
  return removed
}

async function removeRows(
  owner: Pick<pg.Pool, 'connect'>,
  purpose: string,
  usedBy: FilePurpose['usedBy'],
): Promise<number> {
  const unused = usedBy
    .map(({ table, column }) => ` and not exists (select 1 from ${table} u where u.${column} = f.id)`)
    .join('')
  const client = await owner.connect()
  try {
    await client.query('begin')
    const locked = await client.query<{ id: string }>(
      `select id from files f where purpose = $1 and created_at < now() - make_interval(hours => $2)${unused}
       limit ${REMOVED_AT_ONCE} for update skip locked`,
      [purpose, UNUSED_FOR_HOURS],
    )
    // Asked again under the lock: one may have been taken into use between the first look and the lock.
    const { rows } = await client.query<{ id: string }>(
      `with gone as (delete from files f where id = any($1)${unused} returning id)
       insert into removed_files (id, removed_at) select id, now() from gone returning id`,
      [locked.rows.map(row => row.id)],
    )
    await client.query('commit')
    return rows.length
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

/** Two that do this at once do no harm. */
async function removeBytes(owner: Pick<pg.Pool, 'query'>, storage: Storage): Promise<void> {
  for (;;) {
    const { rows } = await owner.query<{ id: string }>(
      'select id from removed_files order by removed_at, id limit $1',
      [REMOVED_AT_ONCE],
    )
    for (const { id } of rows) for (const place of placesOf(id)) await storage.delete(place)
    await owner.query('delete from removed_files where id = any($1)', [rows.map(({ id }) => id)])
    if (rows.length < REMOVED_AT_ONCE) return
  }
}
