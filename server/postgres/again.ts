// The files of migrations/again: SQL that is read in one place, run whenever its text has changed.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'

type AgainFile = { name: string; text: string; hash: string }

/**
 * Runs those files of `folder` whose text is not what the database was last given, in the order of their names, or `all` of them behind a
 * migration. Within the caller's transaction. Answers the names of those that ran.
 */
export async function runAgain(
  owner: pg.Client,
  folder: string,
  { all }: { all: boolean },
): Promise<string[]> {
  const due = all ? await keptFiles(owner, folder) : await dueAgain(owner, folder)
  // A table is not altered while checks of its rows wait for the commit.
  if (due.length > 0) await owner.query('set constraints all immediate')
  for (const { name, text, hash } of due) {
    try {
      await owner.query(text)
    } catch (cause) {
      throw new Error(`migrations/again/${name}: ${cause instanceof Error ? cause.message : cause}`, {
        cause,
      })
    }
    await owner.query(
      `insert into drizzle.again (name, hash, run_at) values ($1, $2, now())
       on conflict (name) do update set hash = excluded.hash, run_at = excluded.run_at`,
      [name, hash],
    )
  }
  return due.map(({ name }) => name)
}

/** Those whose text is not what the database was last given. */
export async function dueAgain(owner: pg.Client, folder: string): Promise<AgainFile[]> {
  const files = await keptFiles(owner, folder)
  if (files.length === 0) return []
  const { rows } = await owner.query<{ name: string; hash: string }>('select name, hash from drizzle.again')
  const given = new Map(rows.map(({ name, hash }) => [name, hash]))
  return files.filter(({ name, hash }) => given.get(name) !== hash)
}

/** All of the folder, once there is a place to keep what was run. Folders of before this have none. */
async function keptFiles(owner: pg.Client, folder: string): Promise<AgainFile[]> {
  const files = readAgain(folder)
  if (files.length > 0)
    await owner.query(
      'create table if not exists drizzle.again (name text primary key, hash text not null, run_at timestamptz(3) not null)',
    )
  return files
}

function readAgain(folder: string): AgainFile[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter(name => name.endsWith('.sql'))
    .sort()
    .map(name => {
      const text = readFileSync(join(folder, name), 'utf8')
      return { name, text, hash: createHash('sha256').update(text).digest('hex') }
    })
}
