// Canaries: what the demo keeps sealed, and whom it knows by number. None of it stands in what the program logs at its most talkative, whatever
// is asked of it, nor, of what is sealed, in a dump of the database.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after, before } from 'node:test'
import { fileURLToPath } from 'node:url'
import { getTableName } from 'drizzle-orm'
import pg from 'pg'
import { DEMO_PASSWORD } from '#features/office/access/sample.ts'
import { makeSecrets } from '#server/secrets.ts'
import { openStorage } from '#server/storage/open-storage.ts'
import { freshDatabase, TEST_SECRET } from '#test/database.ts'
import { comesTrue } from '#test/patience.ts'
import { everyOperation } from '#test/walk.ts'
import { createDemoData } from './demo.ts'
import { SEALED } from './sealed.ts'

const PROGRAM = fileURLToPath(new URL('../test/faults/beside.ts', import.meta.url))
const LOADING = `--import=${new URL('../scripts/quick-loading.ts', import.meta.url)}`
/** Shorter ones stand in anything. */
const LENGTH = 8
const READY_MS = 60_000

let database: Awaited<ReturnType<typeof freshDatabase>>
let owner: pg.Pool
let dataDir: string
before(async () => {
  database = await freshDatabase()
  owner = new pg.Pool({ connectionString: database.ownerUrl, max: 2, options: '-c app.scope=all' })
  dataDir = mkdtempSync(join(tmpdir(), 'partner-office-canaries-'))
  const filesAt = { storage: openStorage({ dataDir, bucket: null }), secrets: makeSecrets(TEST_SECRET) }
  assert.equal(await createDemoData(database.ownerUrl, { filesAt }), true)
})
after(async () => {
  await owner.end()
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

/** The texts in what was sealed, which may be a text or JSON. */
function textsIn(plain: string): string[] {
  const found: string[] = []
  const look = (value: unknown): void => {
    if (typeof value === 'string') found.push(value)
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(look)
  }
  try {
    look(JSON.parse(plain))
  } catch {
    found.push(plain)
  }
  return found.filter(text => text.length >= LENGTH)
}

async function sealedTexts(): Promise<Set<string>> {
  const { decrypt } = makeSecrets(TEST_SECRET)
  const texts = new Set<string>()
  for (const { table, column } of SEALED) {
    const { rows } = await owner.query<{ sealed: Buffer }>(
      `select ${pg.escapeIdentifier(column)} as sealed from ${pg.escapeIdentifier(getTableName(table))}
       where ${pg.escapeIdentifier(column)} is not null`,
    )
    for (const { sealed } of rows) for (const text of textsIn(decrypt(sealed))) texts.add(text)
  }
  return texts
}

/** Numbers of phones, papers and accounts, wherever a column is called so. */
async function numbersOfPeople(): Promise<Set<string>> {
  const { rows: columns } = await owner.query<{ table: string; column: string }>(
    `select c.table_name as table, c.column_name as column from information_schema.columns c
     join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.data_type = 'text'
       and c.column_name ~ 'mobile|phone|id_number|account_number'`,
  )
  const numbers = new Set<string>()
  for (const { table, column } of columns) {
    const name = pg.escapeIdentifier(column)
    const { rows } = await owner.query<{ number: string }>(
      `select distinct ${name} as number from ${pg.escapeIdentifier(table)} where ${name} ~ '^\\d{${LENGTH},}$'`,
    )
    for (const { number } of rows) numbers.add(number)
  }
  return numbers
}

test('what is sealed stands nowhere in a dump', async () => {
  const canaries = await sealedTexts()
  assert.ok(canaries.size > 5, `${canaries.size} are known`)
  const { rows: tables } = await owner.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const { rows } = await owner.query<{ row: string }>(
      `select t::text as row from ${pg.escapeIdentifier(name)} t`,
    )
    const dump = rows.map(({ row }) => row).join('\n')
    for (const canary of canaries) if (dump.includes(canary)) found.push(`${name}: ${canary}`)
  }
  assert.deepEqual(found, [])
})

type Program = { url: string; log(): string; stop(): Promise<void> }

async function startProgram(): Promise<Program> {
  const parts: string[] = []
  const child: ChildProcess = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', LOADING, PROGRAM],
    {
      env: {
        ...{ PATH: process.env.PATH, DATABASE_URL: database.ownerUrl, SECRET_KEY: TEST_SECRET },
        ...{ DATA_DIR: dataDir, LOG_LEVEL: 'trace', MONITORS_FROM: '192.0.2.1' },
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', part => parts.push(String(part)))
  const log = () => parts.join('')
  const address = () => /listening at (http:\/\/127\.0\.0\.1:\d+)/.exec(log())?.[1]
  assert.ok(await comesTrue(async () => address() !== undefined, READY_MS), log())
  return {
    url: address() as string,
    log,
    async stop() {
      const over = once(child, 'exit')
      child.kill('SIGTERM')
      await over
    },
  }
}

test('nothing of them stands in the log, whatever is asked', async () => {
  const canaries = new Set([...(await sealedTexts()), ...(await numbersOfPeople()), DEMO_PASSWORD])
  const program = await startProgram()
  try {
    const own = { 'x-requested-with': 'partner-office', 'content-type': 'application/json' }
    const door = (loginName: string, password: string) =>
      fetch(`${program.url}/api/session`, {
        method: 'POST',
        headers: own,
        body: JSON.stringify({ loginName, password }),
      })
    const [number = ''] = await numbersOfPeople()
    const signedIn = await door('10001', DEMO_PASSWORD)
    const cookie = signedIn.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
    canaries.add(cookie.slice(cookie.indexOf('=') + 1))
    await door('10001', `${DEMO_PASSWORD}x`)
    await door(number, DEMO_PASSWORD)
    for (const { method, path, changes } of everyOperation()) {
      const url = `${program.url}/api${path.replaceAll(/\{\w+\}/g, '1')}`
      // What changes something is sent what breaks its form, a person's number among it.
      const body = JSON.stringify({ mobile: number, phone: { number }, password: DEMO_PASSWORD })
      const answer = changes
        ? await fetch(url, { method, headers: { ...own, cookie }, body })
        : await fetch(`${url}?search=${number}`, { headers: { ...own, cookie } })
      await answer.arrayBuffer()
    }
  } finally {
    await program.stop()
  }
  const log = program.log()
  assert.ok(log.split('\n').length > 500, 'it logs what it is asked')
  assert.deepEqual(
    [...canaries].filter(canary => log.includes(canary)),
    [],
  )
})
