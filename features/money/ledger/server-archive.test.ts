// A closed year is written as a file, and years and ledger are one: what is missing, cut, changed or forged is found and named.
import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after, before, describe } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import type pg from 'pg'
import { lineOf } from '#server/checkpoints/lines.ts'
import { type Office, openOffice } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { archiveYear, verifyYears } from './server-archive.ts'

let office: Office
let owner: pg.PoolClient
let agent: MadeAgent
const folder = mkdtempSync(join(tmpdir(), 'partner-office-ledger-'))
const { privateKey: key, publicKey } = generateKeyPairSync('ed25519')
const NOW = new Date('2026-06-01T00:00:00Z')

/** Tokens to the agent, and some of them for SMS of a shop that did not exist in the first year. */
async function post(
  at: string,
  amount: number,
  to: object,
  from: object = { kind: 'vendor', book: 'issued' },
) {
  const movement = {
    ...{ kind: 'token-credit', asset: 'token', amount, from, to, document: `D${at}`, merchantId: null },
    ...{ payMethod: 'offline', agentId: agent.id, actorId: 1, actorName: '张三', description: '充值 "一"' },
  }
  await office.owner.query('select ledger_post_at($1::jsonb, $2::timestamptz[])', [
    JSON.stringify([movement]),
    [at],
  ])
}

before(async () => {
  office = await openOffice()
  owner = await office.owner.connect()
  agent = await makeAgent(office)
  const other = await makeAgent(office)
  const mine = { kind: 'agent', id: agent.id }
  await post('2024-03-01T10:00:00Z', 500, mine)
  // Still the old year in Greenwich, and the new one in Shanghai.
  await post('2024-12-31T15:59:59.999Z', 70, mine)
  await post('2024-12-31T16:00:00Z', 30, mine)
  await post('2025-05-01T10:00:00Z', 200, { kind: 'vendor', book: 'revenue' }, mine)
  await post('2025-06-01T10:00:00Z', 90, { kind: 'agent', id: other.id })
  await post('2026-01-05T10:00:00Z', 40, mine)
  await makeMerchant(office, agent.id)
  await archiveYear(owner, { year: 2024, folder, key, now: NOW })
  await archiveYear(owner, { year: 2025, folder, key, now: NOW })
})
after(async () => {
  owner.release()
  await office.stop()
  rmSync(folder, { recursive: true, force: true })
})

const check = (of = folder, by: KeyObject = publicKey) => verifyYears(owner, of, by)
const file = (year: number, of = folder) => join(of, `ledger-${year}.jsonl.gz`)
const signed = (year: number, of = folder) => join(of, `ledger-${year}.signed`)
const linesIn = (path: string) => gunzipSync(readFileSync(path)).toString('utf8').trim().split('\n')

test('years are whole with the ledger, and say what each account held before and behind', async () => {
  const { sound, figures, named } = await check()
  assert.deepEqual(named, [])
  assert.ok(sound)
  assert.deepEqual(figures, { years: 2, archived_entries: 10 })
  const accounts = (year: number) =>
    linesIn(file(year))
      .map(line => JSON.parse(line))
      .filter(one => one.account?.owner_kind === 'agent')
      .map(({ opening, closing }) => [opening?.balance ?? null, closing.balance])
  assert.deepEqual(accounts(2024), [[null, 570]])
  assert.deepEqual(accounts(2025), [
    [570, 400],
    [null, 90],
  ])
})

test('a year that is not over, or is there, is refused', async () => {
  const write = (year: number, now: Date) => archiveYear(owner, { year, folder, key, now })
  await assert.rejects(write(2026, NOW), /2026 is not over yet/)
  await assert.rejects(write(2026, new Date('2026-12-31T15:59:59Z')), /not over/)
  await assert.rejects(write(2024, NOW), /archived in .* already/)
})

test('a year of which an entry was altered is not written', async () => {
  const elsewhere = mkdtempSync(join(tmpdir(), 'partner-office-ledger-'))
  try {
    await owner.query(`set session_replication_role = replica`)
    await owner.query(`update ledger_transfers set remark = 'x' where created_at = '2024-03-01T10:00:00Z'`)
    await assert.rejects(
      archiveYear(owner, { year: 2024, folder: elsewhere, key, now: NOW }),
      /2024 is not sound: entry \d+ is not what its hash says/,
    )
  } finally {
    await owner.query(`update ledger_transfers set remark = '' where created_at = '2024-03-01T10:00:00Z'`)
    await owner.query('reset session_replication_role')
    rmSync(elsewhere, { recursive: true, force: true })
  }
})

describe('what was done to a year is found and named', () => {
  async function foundAfter(change: (of: string) => void): Promise<string> {
    const copy = mkdtempSync(join(tmpdir(), 'partner-office-ledger-'))
    try {
      cpSync(folder, copy, { recursive: true })
      change(copy)
      const { sound, named } = await check(copy)
      assert.ok(!sound)
      return named.join('\n')
    } finally {
      rmSync(copy, { recursive: true, force: true })
    }
  }
  const rewrite = (path: string, change: (lines: string[]) => string[]) =>
    writeFileSync(path, gzipSync(`${change(linesIn(path)).join('\n')}\n`))

  test('missing, between others or at the end', async () => {
    assert.match(await foundAfter(of => rmSync(file(2024, of))), /^year 2024: its file or what is signed/m)
    assert.match(await foundAfter(of => rmSync(signed(2025, of))), /^year 2025: its file or what is signed/m)
  })
  test('cut', async () => {
    const cut = await foundAfter(of =>
      writeFileSync(file(2025, of), readFileSync(file(2025, of)).subarray(0, -30)),
    )
    assert.match(cut, /^year 2025: it cannot be read/m)
  })
  test('changed, and without a row', async () => {
    const changed = await foundAfter(of =>
      rewrite(file(2024, of), lines => lines.map(l => l.replace('张三', '李四'))),
    )
    assert.match(changed, /^year 2024: it is not what was signed[\s\S]*entry \d+ is not what its hash says/m)
    const without = await foundAfter(of =>
      rewrite(file(2024, of), ([first = '', , ...rest]) => [first, ...rest]),
    )
    assert.match(without, /^year 2024: it is not what was signed/m)
  })
  test('swapped', async () => {
    const found = await foundAfter(of => {
      renameSync(file(2024, of), join(of, 'kept'))
      renameSync(file(2025, of), file(2024, of))
      renameSync(join(of, 'kept'), file(2025, of))
    })
    assert.match(found, /^year 2024: it is not what was signed/m)
    assert.match(found, /^year 2025: it is not what was signed/m)
  })
  test('signed by another key', async () => {
    const forger = generateKeyPairSync('ed25519').privateKey
    const found = await foundAfter(of => {
      const { checkpoint } = JSON.parse(readFileSync(signed(2025, of), 'utf8'))
      writeFileSync(signed(2025, of), lineOf(JSON.parse(checkpoint), forger))
    })
    assert.match(found, /^year 2025: this office has not signed it/m)
  })
  test('a ledger that does not go on from it', async () => {
    await owner.query('begin; set local session_replication_role = replica')
    await owner.query(
      `update ledger_entries set balance_after = balance_after + 1 where created_at = '2025-06-01T10:00:00Z' and sequence is not null`,
    )
    const within = {
      query: (text: string, values?: unknown[]) =>
        /^(begin|rollback)/.test(text) ? Promise.resolve({ rows: [] }) : owner.query(text, values),
    } as never
    const { named } = await verifyYears(within, folder, publicKey)
    await owner.query('rollback')
    assert.deepEqual(named, ['year 2025: accounts of the ledger do not go on from where it ended'])
  })
})
