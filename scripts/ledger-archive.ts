// npm run ledger:archive -- --year 2025 --folder FOLDER: writes a closed year of the ledger as a signed file that `npm run ledger:verify` reads
// (-- --archive FOLDER). One line of figures; exits 1 where it could not be written, 2 where it is not said which year goes where.
import { parseArgs } from 'node:util'
import pg from 'pg'
import { archiveYear } from '#features/money/ledger/server-archive.ts'
import { checkpointKey } from '#server/checkpoints/key.ts'
import { ownerDatabase } from './owner-database.ts'

const { values } = parseArgs({ options: { year: { type: 'string' }, folder: { type: 'string' } } })

async function write(year: number, folder: string): Promise<void> {
  const { url, env, close } = await ownerDatabase({ mustExist: true })
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  try {
    await client.connect()
    const key = checkpointKey(env)
    const { accounts, entries } = await archiveYear(client, { year, folder, key, now: new Date() })
    process.stdout.write(`ledger ${year} archived accounts=${accounts} entries=${entries}\n`)
  } finally {
    await client.end()
    await close()
  }
}

const { year, folder } = values
if (!/^20\d\d$/.test(year ?? '') || !folder) {
  process.stderr.write('Say which year goes where: --year 2025 --folder FOLDER.\n')
  process.exitCode = 2
} else
  try {
    await write(Number(year), folder)
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exitCode = 1
  }
