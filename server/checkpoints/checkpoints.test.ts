// P13: the end of ledger and log is held too. What a consistent cut, an older backup or a forged line leaves is found; what is only added is not.
import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after, afterEach, before, beforeEach } from 'node:test'
import type pg from 'pg'
import { LEDGER_BOOK } from '#features/money/ledger/verify.ts'
import { LOG_BOOK } from '#features/overview/operation-log/verify.ts'
import { openStorage } from '#server/storage/open-storage.ts'
import { type Storage, wholeOf } from '#server/storage/storage.ts'
import { type Office, openOffice } from '#test/app.ts'
import { makeAgent, makeMerchant } from '#test/make.ts'
import { until } from '#test/patience.ts'
import { type Book, checkCheckpoints, take, takeDue } from './checkpoints.ts'

const BOOKS = [LEDGER_BOOK, LOG_BOOK]
const NOON = new Date('2026-03-02T12:00:00Z')

let office: Office
let owner: pg.PoolClient
before(async () => {
  office = await openOffice()
  owner = await office.owner.connect()
})
after(async () => {
  owner.release()
  await office.stop()
})

let dataDir: string
let storage: Storage
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'partner-office-checkpoints-'))
  storage = openStorage({ dataDir, bucket: null })
})
afterEach(() => {
  storage.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const env = () => ({ dataDir, checkpointKeyFile: undefined })
const work = (now = NOON) => ({ storage, env: env(), now })
const check = (book: Book, from: pg.PoolClient = owner) => checkCheckpoints(from, book, work())
const NOTHING = { forged_checkpoints: 0, checkpoints_astray: 0, rows_unlike_checkpoints: 0 }
const problemsOf = async (book: Book) => (await check(book)).problems

/** An agent with money: rows in both books. */
async function grow() {
  const agent = await makeAgent(office, { tokens: 100 })
  const shop = await makeMerchant(office, agent.id)
  await office.as(await office.login(agent.loginName)).merchants.setRemark({ id: shop, remark: '老客户' })
}
const FILE = (book: Book, day = '2026-03-02') => `checkpoints/${book.name}/${day}.jsonl`
const textOf = async (key: string) => (await wholeOf(storage, key))?.toString('utf8') ?? ''

/** What is found while the database stands changed so; it is put back. Deletes are refused to everybody else. */
async function foundAfter(book: Book, statement: string) {
  await owner.query(`begin; set local session_replication_role = replica; ${statement}`)
  const plain = {
    query: (text: string, values?: unknown[]) =>
      /^(begin|rollback)/.test(text) ? Promise.resolve({ rows: [] }) : owner.query(text, values),
  } as unknown as pg.PoolClient
  try {
    return (await check(book, plain)).problems
  } finally {
    await owner.query('rollback')
  }
}

for (const book of BOOKS) {
  test(`${book.name}: what was signed is as it was, whatever is added`, async () => {
    await grow()
    await take(owner, book, work())
    await grow()
    // A row of the log has its link once all transactions before it have ended.
    await until(async () => {
      await book.complete?.(owner)
      return (await check(book)).figures.unsealed > 0
    })
    const { figures, problems } = await check(book)
    assert.deepEqual(problems, NOTHING)
    assert.equal(figures.checkpoints, 1)
    await take(owner, book, work())
    assert.deepEqual(await check(book), { figures: { checkpoints: 2, unsealed: 0 }, problems: NOTHING })
    // Nothing is new.
    await take(owner, book, work())
    assert.equal((await check(book)).figures.checkpoints, 2)
  })

  test(`${book.name}: a newest row that is cut with all that hangs on it, or one that is changed with its hash, is found`, async () => {
    await grow()
    await take(owner, book, work())
    const last = `(select max(id) from ${book.table})`
    for (const statement of [
      `delete from ${book.table} where id = ${last}`,
      `update ${book.table} set hash = sha256('x') where id = ${last}`,
      `delete from ${book.table} where id > 2`,
    ])
      assert.equal((await foundAfter(book, statement)).rows_unlike_checkpoints, 1, statement)
    assert.deepEqual(await problemsOf(book), NOTHING)
  })
}

test('lines that are changed, left out, put in twice or signed by another key are found', async () => {
  for (let at = 0; at < 3; at++) {
    await grow()
    await take(owner, LEDGER_BOOK, work())
  }
  const key = FILE(LEDGER_BOOK)
  const lines = (await textOf(key)).trim().split('\n')
  const found = async (...changed: (string | undefined)[]) => {
    await storage.put(key, Buffer.from(changed.join('\n')))
    return problemsOf(LEDGER_BOOK)
  }
  const [first = '', second = '', third = ''] = lines
  assert.equal((await found(first, second.replace('rows', 'rowz'), third)).forged_checkpoints, 1)
  assert.equal((await found(first, 'nothing', third)).forged_checkpoints, 1)
  assert.equal((await found(first, third)).checkpoints_astray, 1)
  assert.equal((await found(second, third)).checkpoints_astray, 1)
  assert.equal((await found(first, second, second, third)).checkpoints_astray, 1)
  assert.deepEqual(await found(first, second, third), NOTHING)
  // Another office's, or one that was made without the key.
  rmSync(join(dataDir, 'checkpoint-key.pem'))
  await assert.rejects(check(LEDGER_BOOK), /the key that signed them is missing/)
  await grow()
  await assert.rejects(take(owner, LEDGER_BOOK, work()), /not signed by this office's key/)
  await take(owner, LOG_BOOK, work())
  assert.equal((await problemsOf(LEDGER_BOOK)).forged_checkpoints, 3)
})

test('nothing is signed after a last line that is forged, and other books go on', async () => {
  await grow()
  for (const book of BOOKS) await take(owner, book, work())
  const key = FILE(LEDGER_BOOK)
  const [line = ''] = (await textOf(key)).trim().split('\n')
  const { checkpoint, signature } = JSON.parse(line)
  // As if all that is to come had been covered.
  const told = JSON.stringify({ ...JSON.parse(checkpoint), to: 1_000_000 })
  const forgeries = [JSON.stringify({ checkpoint: told, signature }), 'nothing', '{}']
  for (const [hours, forged] of forgeries.entries()) {
    await storage.put(key, Buffer.from(`${line}\n${forged}\n`))
    await grow()
    const later = new Date(NOON.getTime() + (hours + 1) * 3_600_000)
    const signed = (await check(LOG_BOOK)).figures.checkpoints
    await assert.rejects(takeDue(owner, BOOKS, work(later)), /last checkpoint of ledger is not signed/)
    assert.equal(await textOf(key), `${line}\n${forged}\n`)
    assert.equal((await check(LOG_BOOK)).figures.checkpoints, signed + 1)
    assert.equal((await problemsOf(LEDGER_BOOK)).forged_checkpoints, 1)
  }
})

test('a line of the other book is none of this', async () => {
  await grow()
  for (const book of BOOKS) await take(owner, book, work())
  await storage.put(FILE(LEDGER_BOOK), Buffer.from(await textOf(FILE(LOG_BOOK))))
  assert.equal((await problemsOf(LEDGER_BOOK)).forged_checkpoints, 1)
})

test('days have files of their own, and lines go on from one to the next, also where the clock went back', async () => {
  for (const now of ['2026-03-02T12:00:00Z', '2026-03-03T01:00:00Z', '2026-03-02T13:00:00Z']) {
    await grow()
    await take(owner, LEDGER_BOOK, work(new Date(now)))
  }
  const { figures, problems } = await check(LEDGER_BOOK)
  assert.deepEqual([figures.checkpoints, problems], [3, NOTHING])
  assert.equal((await textOf(FILE(LEDGER_BOOK, '2026-03-03'))).trim().split('\n').length, 2)
})

test('one is due once enough was added, or after an hour with anything new', async () => {
  const taken = async () => (await check(LEDGER_BOOK)).figures.checkpoints
  const due = (minutes: number) =>
    takeDue(owner, [LEDGER_BOOK], work(new Date(NOON.getTime() + minutes * 60_000)))
  await grow()
  await due(0)
  await grow()
  await due(59)
  assert.equal(await taken(), 1)
  await due(60)
  assert.equal(await taken(), 2)
  await due(180)
  assert.equal(await taken(), 2)
  const rows = async () =>
    Number((await office.owner.query('select count(*) as n from ledger_entries')).rows[0].n)
  const from = await rows()
  while ((await rows()) < from + 100) await makeAgent(office, { tokens: 100 })
  await due(181)
  assert.equal(await taken(), 3)
})

for (const [is, others] of [
  ['that is on its way', 0],
  ['that is older than one that is committed', 1],
] as const)
  test(`a row ${is} is waited for, and none is left out`, async () => {
    const book: Book = { name: 'own', table: 'book_rows', sequence: 'book_rows_id_seq' }
    await owner.query('create table book_rows (id bigserial primary key, hash bytea)')
    const other = await office.owner.connect()
    const add = `insert into book_rows (hash) values ('x')`
    try {
      await other.query(`begin; ${add}`)
      for (let added = 0; added < others; added++) await office.owner.query(add)
      const taking = take(owner, book, work())
      await until(async () => {
        const asked = `select count(*) as n from pg_stat_activity where query like '%pg_snapshot_xmin%' and pid <> pg_backend_pid()`
        return Number((await office.owner.query(asked)).rows[0].n) > 0
      })
      await other.query('commit')
      await taking
      assert.deepEqual(await check(book), { figures: { checkpoints: 1, unsealed: 0 }, problems: NOTHING })
    } finally {
      other.release()
      await owner.query('drop table book_rows')
    }
  })

test('a key that others may read signs nothing', async () => {
  await grow()
  await take(owner, LEDGER_BOOK, work())
  chmodSync(join(dataDir, 'checkpoint-key.pem'), 0o644)
  await assert.rejects(take(owner, LEDGER_BOOK, work()), /chmod 600/)
})
