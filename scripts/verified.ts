// What the commands that verify a database share: one connection as its owner, one line of figures, an exit code.
import pg from 'pg'
import { type ArchivedRows, type Book, checkCheckpoints } from '#server/checkpoints/checkpoints.ts'
import type { Env } from '#server/env.ts'
import { openStorage } from '#server/storage/open-storage.ts'
import type { Storage } from '#server/storage/storage.ts'
import { ownerDatabase } from './owner-database.ts'

type Check = { sound: boolean; line: string }
type Counts = Record<string, number>
type Archives = {
  sound: boolean
  figures: Counts
  problems: Counts
  named: readonly string[]
  rows?: ArchivedRows
}
type Beside = { storage: Storage; env: Env }

/**
 * Prints what `verify` finds in the office's database, and what is wrong with archives by their names; the program exits with 1 where it is
 * not sound, or cannot be read.
 */
export async function verifyDatabase(
  what: string,
  verify: (client: pg.Client, env: Env) => Promise<Check>,
  book?: Book,
  readArchives?: (client: pg.Client, beside: Beside) => Promise<Archives>,
): Promise<void> {
  try {
    const { url, env, close } = await ownerDatabase({ mustExist: true })
    const storage = openStorage(env)
    try {
      const { line, sound } = await checkAt(what, url, async client => {
        const found = await verify(client, env)
        if (!book) return found
        const archives = await readArchives?.(client, { storage, env })
        const { figures, problems } = await checkCheckpoints(client, book, { storage, env }, archives?.rows)
        const told = Object.entries({
          ...figures,
          ...problems,
          ...archives?.figures,
          ...archives?.problems,
        }).map(([name, count]) => `${name}=${count}`)
        const isKept = Object.values(problems).every(count => count === 0)
        return {
          sound: found.sound && isKept && (archives?.sound ?? true),
          line: [`${found.line} ${told.join(' ')}`, ...(archives?.named ?? [])].join('\n'),
        }
      })
      process.stdout.write(`${line}\n`)
      process.exitCode = sound ? 0 : 1
    } finally {
      storage.close()
      await close()
    }
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exitCode = 1
  }
}

async function checkAt(
  what: string,
  url: string,
  verify: (client: pg.Client) => Promise<Check>,
): Promise<Check> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  let lost: Error | undefined
  client.on('error', error => {
    lost = error
  })
  try {
    await client.connect()
    return await verify(client)
  } catch (error) {
    throw inWords(what, lost ?? (error as Error))
  } finally {
    await client.end()
  }
}

/** What a person can do about it, as far as the database's code tells. */
function inWords(what: string, error: Error & { code?: string }): Error {
  if (error.code === '42P01' || error.code === '42883')
    return new Error(`This database has no ${what}. Start the office on it first.`, { cause: error })
  return new Error(`The ${what} could not be verified: ${error.message || error.code}`, { cause: error })
}
