// npm run restore: brings a backup back into an empty DATA_DIR (and bucket), and looks whether all of it is there: ledger, operation log, files
// against their rows. The office that it was made of may run meanwhile. With DATABASE_URL, whose database was brought back before
// (operate/pgbackrest), it brings back the files.
//   --to 2026-11-30T12:00:00+08:00   as of a moment (the newest that is kept)   --list   which backups there are
// A line of figures for each part; exits 1 where it could not be done or is not sound, 2 where settings are wrong or missing.
import { parseArgs } from 'node:util'
import pg from 'pg'
import { LEDGER_BOOK, verifyLedger } from '#features/money/ledger/verify.ts'
import { LOG_BOOK, verifyLog } from '#features/overview/operation-log/verify.ts'
import { missingErasures } from '#features/overview/person-erasures/server-command.ts'
import {
  chosenBackup,
  refuseUnlessEmpty,
  restoreDatabase,
  restoreFiles,
  restoreKeys,
} from '#server/backup/restore.ts'
import type { Manifest, Vault } from '#server/backup/vault.ts'
import { type Book, checkCheckpoints } from '#server/checkpoints/checkpoints.ts'
import { knownKey } from '#server/checkpoints/key.ts'
import type { Env } from '#server/env.ts'
import { openStorage } from '#server/storage/open-storage.ts'
import type { Storage } from '#server/storage/storage.ts'
import { readSettings } from './owner-database.ts'
import { withVault } from './with-vault.ts'

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/

const say = (line: string) => void process.stdout.write(`${line}\n`)
const { values } = parseArgs({
  options: { to: { type: 'string' }, list: { type: 'boolean', default: false } },
})

function momentOf(text: string): Date {
  if (!MOMENT.test(text) || Number.isNaN(Date.parse(text)))
    throw new Error(`--to ${text} is no moment with its time zone, such as 2026-11-30T12:00:00+08:00.`)
  return new Date(text)
}

async function list(vault: Vault): Promise<void> {
  for (const { name, isWhole } of await vault.generations()) {
    const manifest = isWhole ? await vault.manifest(name) : null
    if (!manifest) say(`${name} is not whole`)
    else
      say(`${name} from=${manifest.endedAt} files=${manifest.files.length}${await reachOf(vault, manifest)}`)
  }
}

async function reachOf(vault: Vault, { base }: Manifest): Promise<string> {
  const line = base && (await vault.line(base.line))
  return line ? ` database_bytes=${base.bytes} up_to=${line.upTo}` : ''
}

async function restore(vault: Vault): Promise<void> {
  if (values.list) return list(vault)
  const began = performance.now()
  const moment = values.to === undefined ? null : momentOf(values.to)
  const env = readSettings()
  const storage = openStorage(env)
  try {
    await refuseUnlessEmpty(env, storage)
    const manifest = await chosenBackup(vault, moment)
    await restoreKeys({ vault, manifest }, env.dataDir)
    const embedded = env.databaseUrl
      ? null
      : await restoreDatabase({ vault, manifest, moment }, { dataDir: env.dataDir, log: say })
    try {
      const url = embedded?.ownerUrl ?? (env.databaseUrl as string)
      await withClient(url, async client => {
        const isSound = await restoredFiles(client, { vault, manifest, moment, storage, env })
        if (isSound)
          await vault.writeRestored({
            at: new Date().toISOString(),
            name: manifest.name,
            moment: moment?.toISOString() ?? null,
          })
        const seconds = ((performance.now() - began) / 1_000).toFixed(1)
        say(`restore ${isSound ? 'sound' : 'NOT SOUND'} from=${manifest.name} seconds=${seconds}`)
        process.exitCode = isSound ? 0 : 1
      })
    } finally {
      await embedded?.stop()
    }
  } finally {
    storage.close()
  }
}

type Restored = { vault: Vault; manifest: Manifest; moment: Date | null; storage: Storage; env: Env }

/** Whether all that was brought back is sound: told line by line. */
async function restoredFiles(client: pg.Client, { storage, env, ...restoring }: Restored): Promise<boolean> {
  const { leftOut, ...files } = await restoreFiles(restoring, client, storage)
  const figures = Object.entries({ ...files, left_out: leftOut }).map(([name, count]) => `${name}=${count}`)
  say(`files ${files.missing === 0 ? 'sound' : 'MISSING'} ${figures.join(' ')}`)
  const ledger = await verified(
    client,
    { ...(await verifyLedger(client)), book: LEDGER_BOOK },
    { storage, env },
  )
  const log = await verified(
    client,
    { ...(await verifyLog(client, knownKey(env))), book: LOG_BOOK },
    { storage, env },
  )
  const { done, missing, forged } = await missingErasures(client, { storage, env })
  say(
    `erasures ${missing.length === 0 ? 'sound' : 'BACK'} done=${done} again=${missing.length} forged=${forged}`,
  )
  if (missing.length > 0)
    say(
      `people who were forgotten are back: npm run person:erase -- --again (${missing.map(one => one.number).join(', ')})`,
    )
  return files.missing === 0 && ledger && log
}

async function verified(
  client: pg.Client,
  { sound, line, book }: { sound: boolean; line: string; book: Book },
  at: Pick<Restored, 'storage' | 'env'>,
): Promise<boolean> {
  const { figures, problems } = await checkCheckpoints(client, book, at)
  const told = Object.entries({ ...figures, ...problems }).map(([name, count]) => `${name}=${count}`)
  say(`${line} ${told.join(' ')}`)
  return sound && Object.values(problems).every(count => count === 0)
}

async function withClient(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

await withVault(restore)
