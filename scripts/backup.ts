// npm run backup: copies the office while it runs, its files and the database that it brings (one of its own has pgBackRest:
// operate/pgbackrest), encrypted, to BACKUP_FOLDER or a bucket. -- --changes: only what was added since the last one. A line of figures; exits 1
// where it could not be made, 2 where settings are wrong or missing.
import { parseArgs } from 'node:util'
import pg from 'pg'
import { noteBackup } from '#features/overview/setup/server-backups.ts'
import { addChanges, alone, makeBackup, type Work } from '#server/backup/backup.ts'
import type { Vault } from '#server/backup/vault.ts'
import { openStorage } from '#server/storage/open-storage.ts'
import { ownerDatabase } from './owner-database.ts'
import { withVault } from './with-vault.ts'

const DAY_MS = 86_400_000
const { values } = parseArgs({ options: { changes: { type: 'boolean', default: false } } })

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  await client.connect()
  return client
}

async function make(work: Work, url: string): Promise<string> {
  const began = performance.now()
  const beside = await connect(url)
  try {
    const { name, base, files, endedAt, fileRows } = await makeBackup(work, beside)
    await noteBackup(work.owner, 'files', endedAt)
    if (base) for (const deed of ['database', 'changes'] as const) await noteBackup(work.owner, deed, endedAt)
    const bytes = files.reduce((sum, { byteSize }) => sum + byteSize, 0)
    const figures = [
      ...(base ? [`database_files=${base.files}`, `database_bytes=${base.bytes}`] : ['database=elsewhere']),
      `files=${files.length} file_rows=${fileRows} file_bytes=${bytes}`,
      `seconds=${((performance.now() - began) / 1_000).toFixed(1)}`,
    ]
    return `backup ${name} ${figures.join(' ')}`
  } finally {
    await beside.end()
  }
}

async function add(work: Work): Promise<string> {
  const added = await addChanges(work)
  if (!added) throw new Error('There is no backup to add to. Make a whole one: npm run backup.')
  if (!work.env.databaseUrl) await noteBackup(work.owner, 'changes', added.upTo)
  return `backup changes up_to=${added.upTo}`
}

/** What was restored elsewhere was written down beside the backups. */
async function takeNotes({ owner, vault }: Work): Promise<void> {
  const restored = await vault.restored()
  if (restored) await noteBackup(owner, 'restore', restored.at)
}

async function run(vault: Vault): Promise<void> {
  const { url, env, close } = await ownerDatabase({ mustExist: true })
  const storage = openStorage(env)
  try {
    const owner = await connect(url)
    try {
      const now = () => new Date()
      const work: Work = { owner, vault, storage, env, now }
      await vault.clearUnfinished(new Date(now().getTime() - DAY_MS))
      const line = await alone(owner, async () => {
        const told = values.changes ? await add(work) : await make(work, url)
        await takeNotes(work)
        return told
      })
      if (line === null)
        throw new Error('Another backup of this office is being made. Try again when it has ended.')
      process.stdout.write(`${line}\n`)
    } finally {
      await owner.end()
    }
  } finally {
    storage.close()
    await close()
  }
}

await withVault(run)
