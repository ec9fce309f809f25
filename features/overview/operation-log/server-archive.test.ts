// A month that leaves the log is an archive, and archives and log are one chain: what is missing, cut, changed or swapped is found and named.
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import test, { after, before, describe } from 'node:test'
import type pg from 'pg'
import { checkCheckpoints, take } from '#server/checkpoints/checkpoints.ts'
import { type Office, openOffice } from '#test/app.ts'
import { allLinked } from '#test/links.ts'
import { makeAgent, makeMerchant } from '#test/make.ts'
import { logAt } from '#test/make-log.ts'
import { ARCHIVES, archivePast } from './server-archive.ts'
import { archived } from './server-archive-file.ts'
import { searchArchives, verifyArchives } from './server-archive-verify.ts'
import { LOG_BOOK, verifyLog } from './verify.ts'

let office: Office
let owner: pg.PoolClient
const services = () => office.app.services
const MONTHS = ['2021-01', '2021-02', '2021-04']
const NONE = { archives_missing: 0, archives_altered: 0, archives_unsigned: 0 }
const APART = { archived_chains_broken: 0, archived_redactions_forged: 0, archives_apart: 0 }

/** Of an agent that is long gone. */
const tell = (agentId: number, at: string, accountName: string) =>
  logAt(owner, `${at}T12:34:56.789Z`, {
    ...{ agentId, accountName, subject: '甲"乙"', objects: [`merchant:${agentId}`], ip: '10.0.0.1' },
    changes: [{ name: '价格', before: '1.10', after: null }],
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
  ] as const)
    for (const agentId of [7, 8]) {
      await tell(agentId, at, name)
      await allLinked(owner)
    }
  const agent = await makeAgent(office)
  const shop = await makeMerchant(office, agent.id)
  const me = office.as(await office.login(agent.loginName))
  await me.merchants.setRemark({ id: shop, remark: '老客户' })
  await tell(7, '2026-01-05', '赵六')
  await allLinked(owner)
  const { storage, env, clock } = services()
  // One line that reaches from what is to leave the log into what stays.
  await take(owner, LOG_BOOK, { storage, env, now: clock.now() })
  await archivePast(owner, services())
})
after(async () => {
  owner.release()
  await office.stop()
})

const check = (folder: string | null = null) => verifyArchives(owner, { ...services(), folder })
const checkpoints = async (rows?: Awaited<ReturnType<typeof check>>['rows']) =>
  (await checkCheckpoints(owner, LOG_BOOK, services(), rows)).problems.rows_unlike_checkpoints
type Row = { number: string; month: string; rows: number; file: string; file_key: Buffer }
const rows = async () => (await owner.query<Row>('select * from operation_log_archives order by number')).rows
const bytesOf = async (file: string) => {
  const found = await services().storage.get(file)
  assert.ok(found)
  return buffer(found.bytes)
}

test('months leave the log as archives, and are whole with it', async () => {
  assert.deepEqual(
    (await rows()).map(({ month, rows }) => [month, Number(rows)]),
    [
      ['2021-01', 2],
      ['2021-02', 4],
      ['2021-04', 2],
    ],
  )
  const left = await owner.query(`select from operation_logs where created_at < '2023-01-01'`)
  assert.equal(left.rowCount, 0)
  assert.ok((await verifyLog(owner)).sound)
  const { sound, figures, problems, named, rows: archivedRows } = await check()
  assert.deepEqual(named, [])
  assert.deepEqual(problems, { ...NONE, ...APART })
  assert.ok(sound)
  assert.deepEqual(figures, { archives: 3, archived_rows: 8, archived_redacted: 0 })
  assert.equal(await checkpoints(archivedRows), 0)
  // What is sealed shows nothing.
  const [first] = await rows()
  assert.ok(first && !(await bytesOf(first.file)).includes('张三'))
  // Another night finds nothing to be done.
  assert.equal(await archivePast(owner, services()), 0)
  assert.deepEqual((await check()).problems, { ...NONE, ...APART })
})

test('archives are searched by words, agent and month', async () => {
  const found = async (words: string[], asked: { agentId?: number; from?: string; to?: string } = {}) => {
    const lines: string[] = []
    const { agentId = null, from = '0000-01', to = '9999-12' } = asked
    for await (const line of searchArchives(
      owner,
      { ...services(), folder: null },
      { words, agentId, from, to },
    ))
      lines.push(line)
    return lines.map(line => JSON.parse(line).created_at.slice(0, 10) as string)
  }
  assert.deepEqual(await found(['张三'], { agentId: 7 }), ['2021-01-20', '2021-02-27'])
  assert.deepEqual(await found(['张三', '甲"乙"'], { agentId: 8, from: '2021-02' }), ['2021-02-27'])
  assert.deepEqual(await found(['张三', '王五']), [])
  assert.deepEqual(await found(['王五'], { to: '2021-03' }), [])
})

test('copies in a folder are read as well', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'partner-office-archives-'))
  try {
    cpSync(join(services().env.dataDir, ARCHIVES), folder, { recursive: true })
    assert.ok((await check(folder)).sound)
    const [, second] = readdirSync(folder).sort()
    rmSync(join(folder, second ?? ''))
    const { named, problems } = await check(folder)
    assert.equal(problems.archives_missing, 1)
    assert.match(named.join('\n'), /^archive 2021-02: its file is not there$/m)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

describe('what was done to an archive is found and named', () => {
  /** What is found while files and rows are so; both are put back. */
  async function foundAfter(change: (archives: Row[]) => Promise<void>) {
    const archives = await rows()
    const kept = await Promise.all(archives.map(async ({ file }) => [file, await bytesOf(file)] as const))
    await owner.query('create table archives_before as table operation_log_archives')
    try {
      await change(archives)
      const { named, problems, rows: archivedRows } = await check()
      return { named: named.join('\n'), problems, unlike: await checkpoints(archivedRows) }
    } finally {
      for (const [file, bytes] of kept) await services().storage.put(file, bytes)
      await owner.query('delete from operation_log_archives')
      await owner.query('insert into operation_log_archives table archives_before')
      await owner.query('drop table archives_before')
    }
  }
  const second = (archives: Row[]) => archives[1] as Row

  test('missing', async () => {
    const found = await foundAfter(archives => services().storage.delete(second(archives).file))
    assert.equal(found.problems.archives_missing, 1)
    assert.match(found.named, /^archive 2021-02: its file is not there$/m)
    assert.match(found.named, /chains do not go on to 2021-04/)
    assert.equal(found.unlike, 1)
  })

  for (const [at, month] of MONTHS.entries())
    test(`${month} is missing, with all that the database knows of it`, async () => {
      const found = await foundAfter(async archives => {
        await services().storage.delete((archives[at] as Row).file)
        await owner.query('delete from operation_log_archives where month = $1', [month])
      })
      assert.equal(found.problems.archives_missing, 1)
      assert.match(found.named, new RegExp(`number ${at + 1}: signed at .* the database knows nothing of it`))
    })

  test('cut, and changed', async () => {
    for (const change of [
      (bytes: Buffer) => bytes.subarray(0, bytes.length - 20),
      (bytes: Buffer) => {
        const other = Buffer.from(bytes)
        other[40] = (other[40] ?? 0) ^ 1
        return other
      },
    ]) {
      const found = await foundAfter(async archives => {
        const { file } = second(archives)
        await services().storage.put(file, change(await bytesOf(file)))
      })
      assert.equal(found.problems.archives_altered, 1)
      assert.match(found.named, /^archive 2021-02: /m)
    }
  })

  test('swapped', async () => {
    const found = await foundAfter(async ([first, other]) => {
      assert.ok(first && other)
      const bytes = await bytesOf(first.file)
      await services().storage.put(first.file, await bytesOf(other.file))
      await services().storage.put(other.file, bytes)
    })
    assert.equal(found.problems.archives_altered, 2)
    assert.match(found.named, /^archive 2021-01: [\s\S]*^archive 2021-02: /m)
  })

  test('written anew without a row, or with another, by somebody who has the keys', async () => {
    for (const forge of [
      (lines: string[]) => lines.slice(1),
      (lines: string[]) => lines.map(line => line.replace('张三', '李四')),
    ]) {
      const found = await foundAfter(async archives => {
        const { file, file_key } = second(archives)
        const { secrets, storage } = services()
        const reading = { ...services(), folder: null }
        const lines: string[] = []
        const asked = { words: [], agentId: null, from: '2021-02', to: '2021-02' }
        for await (const line of searchArchives(owner, reading, asked)) lines.push(line)
        async function* forged() {
          yield* forge(lines)
        }
        const written = archived(
          { key: secrets.decrypt(file_key), name: file },
          { month: '2021-02', before: {} },
          forged(),
        )
        await storage.put(file, written.bytes)
        const { rows: count, digest } = written.told()
        await owner.query('update operation_log_archives set rows = $1, digest = $2 where month = $3', [
          count,
          digest,
          '2021-02',
        ])
      })
      assert.equal(found.problems.archives_altered, 1)
      assert.ok(found.problems.archived_chains_broken > 0)
      assert.match(found.named, /^archive 2021-02: it is not what was signed of it$/m)
    }
  })

  test('nothing is wrong with what was put back', async () => assert.ok((await check()).sound))
})

test('what was never signed is signed the next night, and files of no archive go', async () => {
  const { storage, env } = services()
  const { kept } = await storage.list('checkpoints/operation-log-archives/')
  assert.equal(kept.length, 1)
  await storage.delete(kept[0]?.key ?? '')
  assert.equal((await check()).problems.archives_unsigned, 3)
  await storage.put(`${ARCHIVES}2021-05-0badf00d`, Buffer.from('half'))
  await archivePast(owner, services())
  assert.ok((await check()).sound)
  assert.equal(readdirSync(join(env.dataDir, ARCHIVES)).length, 3)
})

test('archives go after their own term, the oldest first, and the rest is whole', async () => {
  await owner.query(
    `update operation_log_archives set archived_at = now() - interval '61 months' where month = '2021-01'`,
  )
  await archivePast(owner, services())
  const { sound, figures, named, rows: archivedRows } = await check()
  assert.deepEqual(named, [])
  assert.ok(sound)
  assert.deepEqual(figures, { archives: 2, archived_rows: 6, archived_redacted: 0 })
  assert.equal(await checkpoints(archivedRows), 0)
  assert.equal(readdirSync(join(services().env.dataDir, ARCHIVES)).length, 2)
  await owner.query(`update operation_log_archives set file_key = null where month = '2021-04'`)
  assert.match((await check()).named.join('\n'), /archive 2021-04: it has gone before an older one/)
})
