// A person is taken out of rows of the log before their month leaves it, and out of months that have left: log and archives stay one chain, what
// was redacted is signed, and a redaction or a month that somebody else has put there is named.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import test, { after, before, describe } from 'node:test'
import type pg from 'pg'
import { checkCheckpoints, take } from '#server/checkpoints/checkpoints.ts'
import { checkpointKey } from '#server/checkpoints/key.ts'
import { type Redaction, redactRows } from '#server/redact-log.ts'
import { type Office, openOffice } from '#test/app.ts'
import { allLinked } from '#test/links.ts'
import { logAt } from '#test/make-log.ts'
import { ANEW_LINES, ARCHIVES, archivePast } from './server-archive.ts'
import { archived, Head } from './server-archive-file.ts'
import { countInArchives, redactArchives } from './server-archive-redact.ts'
import { linesOf, searchArchives, verifyArchives } from './server-archive-verify.ts'
import { LOG_BOOK, verifyLog } from './verify.ts'

let office: Office
let owner: pg.PoolClient
const services = () => office.app.services
const PHONE = '13987650421'
const MONTHS = ['2021-01', '2021-02', '2021-04']

const tell = (at: string, accountName: string) =>
  logAt(owner, `${at}T12:34:56.789Z`, {
    ...{ agentId: 7, accountName, subject: `联系 ${PHONE}`, objects: ['merchant:7'], ip: '10.0.0.1' },
    changes: [{ name: '价格', before: '1.10', after: null }],
  })

const redaction = (name: string): Redaction => ({
  where: `(t.account_name = $1 and t.subject <> '已删除')`,
  set: [['subject', `'已删除'`]],
  values: [name],
  erasure: 'PE1',
  key: checkpointKey(services().env),
})

before(async () => {
  office = await openOffice()
  owner = await office.owner.connect()
  await owner.query(`select make_operation_log_months('2021-01-15')`)
  for (const [at, name] of [
    ['2021-01-20', '张三'],
    ['2021-02-03', '李四'],
    ['2021-02-27', '张三'],
    ['2021-04-01', '王五'],
    ['2026-01-05', '赵六'],
  ] as const) {
    await tell(at, name)
    await allLinked(owner)
  }
  const { storage, env, clock } = services()
  await take(owner, LOG_BOOK, { storage, env, now: clock.now() })
  assert.deepEqual(await redactRows(owner, redaction('李四')), { redacted: 1, waiting: 0 })
  await archivePast(owner, services())
})
after(async () => {
  owner.release()
  await office.stop()
})

const check = () => verifyArchives(owner, { ...services(), folder: null })
async function isWhole(redacted: number): Promise<void> {
  const { named, figures, rows } = await check()
  assert.deepEqual(named, [])
  assert.deepEqual(figures, { archives: 3, archived_rows: 4, archived_redacted: redacted })
  assert.equal(
    (await checkCheckpoints(owner, LOG_BOOK, services(), rows)).problems.rows_unlike_checkpoints,
    0,
  )
  const log = await verifyLog(owner, checkpointKey(services().env))
  assert.ok(log.sound, log.line)
}
type Kept = { number: string; month: string; rows: string; digest: string; file: string; file_key: Buffer }
const kept = async () =>
  (await owner.query<Kept>('select * from operation_log_archives order by number')).rows
const ofMonth = async (month: string) => {
  const row = (await kept()).find(one => one.month === month)
  assert.ok(row)
  return row
}
async function found(...words: string[]): Promise<string[]> {
  const lines: string[] = []
  const asked = { words, agentId: null, from: '0000-01', to: '9999-12' }
  for await (const line of searchArchives(owner, { ...services(), folder: null }, asked)) lines.push(line)
  return lines
}

/** A month written anew by somebody who has all keys but the one that signs. */
async function forge(month: string, change: (line: string) => string): Promise<void> {
  const row = await ofMonth(month)
  const { secrets, storage } = services()
  const archive = { ...row, number: Number(row.number), rows: Number(row.rows) }
  const lines: string[] = []
  for await (const line of (await linesOf(archive, { ...services(), folder: null }))?.lines ?? [])
    lines.push(line)
  const [head = '', ...rest] = lines
  async function* forged() {
    yield* rest.map(change)
  }
  const written = archived(
    { key: secrets.decrypt(row.file_key), name: row.file },
    Head.parse(JSON.parse(head)),
    forged(),
  )
  await storage.put(row.file, written.bytes)
  const { digest } = written.told()
  await owner.query('update operation_log_archives set digest = $2 where month = $1', [month, digest])
}

/** What is found after it; files and rows are put back. */
async function foundAfter(change: () => Promise<void>) {
  const before = await kept()
  const { storage } = services()
  const bytes = await Promise.all(
    before.map(async ({ file }) => {
      const one = await storage.get(file)
      assert.ok(one)
      return [file, await buffer(one.bytes)] as const
    }),
  )
  await change()
  const result = await check()
  for (const [file, one] of bytes) await storage.put(file, one)
  for (const { number, digest, file, file_key } of before)
    await owner.query(
      'update operation_log_archives set digest = $2, file = $3, file_key = $4 where number = $1',
      [number, digest, file, file_key],
    )
  return { ...result, said: result.named.join('\n') }
}

test('a month that was redacted in the log is an archive of the same chain', async () => {
  assert.equal((await owner.query('select from operation_log_erasures')).rowCount, 0)
  await isWhole(1)
  assert.equal((await found('已删除')).length, 1)
})

test('a redaction that is forged is named, and so is one that is missing', async () => {
  const forged = await foundAfter(() =>
    forge('2021-02', line => line.replace(/"signature": "[0-9a-f]{4}/, '"signature": "0000')),
  )
  assert.equal(forged.problems.archived_redactions_forged, 1)
  assert.match(forged.said, /^archive 2021-02: the erasure in row \d+ is not signed by this office$/m)
  const missing = await foundAfter(() =>
    forge('2021-02', line => line.replace(/, "redaction": \{[^}]*\}|"redaction": \{[^}]*\}, /, '')),
  )
  assert.equal(missing.problems.archived_chains_broken, 1)
  assert.match(missing.said, /^archive 2021-02: 1 rows are not what their links say$/m)
  const other = await foundAfter(() => forge('2021-02', line => line.replace('已删除', '另一人')))
  assert.equal(other.problems.archived_chains_broken, 1)
})

describe('a person is taken out of months that have left the log', () => {
  let before: Kept[]
  const noted: number[] = []
  const run = (more: Partial<ReturnType<typeof services>> = {}, note?: () => Promise<void>) =>
    redactArchives(owner, { ...services(), ...more }, redaction('张三'), async rows => {
      await note?.()
      noted.push(rows)
    })

  test('they are counted', async () => {
    before = await kept()
    const { where, values } = redaction('张三')
    assert.equal(await countInArchives(owner, services(), { where, values }), 2)
  })

  test('killed behind the signed line, or before the old bytes went, it goes on', async () => {
    const killed = new Error('killed')
    const kill = () => Promise.reject(killed)
    await assert.rejects(run({}, kill), killed)
    assert.deepEqual(await kept(), before)
    const { storage } = services()
    await assert.rejects(run({ storage: { ...storage, delete: kill } }), killed)
    assert.deepEqual(noted, [1])
    await run()
    assert.deepEqual(noted, [1, 1])
    await run()
    assert.deepEqual(noted, [1, 1])
    await isWhole(3)
    assert.deepEqual(await found('张三', PHONE), [])
    assert.equal((await found(PHONE)).length, 1)
    const { kept: lines } = await storage.list(`checkpoints/${ANEW_LINES.name}/`)
    assert.equal(lines.length, 1)
  })

  test('its old key is gone, its old bytes as well, and a month without the person is as it was', async () => {
    const now = await kept()
    for (const [at, { month, file, file_key }] of now.entries()) {
      const isSame = month === '2021-04'
      assert.equal(file === before[at]?.file, isSame, month)
      assert.equal(file_key.equals(before[at]?.file_key ?? Buffer.alloc(0)), isSame, month)
    }
    await archivePast(owner, services())
    assert.deepEqual(
      readdirSync(join(services().env.dataDir, ARCHIVES))
        .map(name => name.slice(0, 7))
        .sort(),
      MONTHS,
    )
    await isWhole(3)
  })

  test('a month that somebody else writes anew is named, and is not signed by a later erasure', async () => {
    const change = (line: string) => line.replace('王五', '另一人')
    const { problems, said } = await foundAfter(async () => {
      await forge('2021-04', change)
      await assert.rejects(
        redactArchives(owner, services(), redaction('另一人'), () => Promise.resolve()),
        /not what was signed/,
      )
    })
    assert.equal(problems.archives_altered, 1)
    assert.match(said, /^archive 2021-04: it is not what was signed of it$/m)
  })

  test('the month as it was before is no more what is signed', async () => {
    const { said } = await foundAfter(async () => {
      await forge('2021-01', line =>
        line.replace('已删除', `联系 ${PHONE}`).replace(/, "redaction": \{[^}]*\}/, ''),
      )
      await owner.query(`update operation_log_archives set digest = $1 where month = '2021-01'`, [
        before[0]?.digest,
      ])
    })
    assert.match(said, /^archive 2021-01: it is not what was signed of it$/m)
  })

  test('and nothing is wrong with what was put back', () => isWhole(3))
})
