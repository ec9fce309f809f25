// When the program asks for a newer one, and what becomes of it: once a day, on a press, never in the middle of a job.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { SYSTEM, startUpdateOffice, type UpdateOffice } from '#test/print/update-office.ts'
import { openUpdating, type UpdatingDesk } from './updating.ts'

const DAY = 24 * 3_600_000
/** A program that says its version, as a packed one does. */
const saying = (version: string) => `process.stdout.write(${JSON.stringify(`${version}\n`)})`

let office: UpdateOffice
let dir: string
let file: string
let stack: AsyncDisposableStack
let now: number
beforeEach(async () => {
  stack = new AsyncDisposableStack()
  office = stack.adopt(await startUpdateOffice(), one => one.stop())
  dir = stack.adopt(mkdtempSync(join(tmpdir(), 'partner-office-updating-')), path =>
    rmSync(path, { recursive: true, force: true }),
  )
  mkdirSync(join(dir, 'program'))
  file = join(dir, 'program', 'print')
  writeFileSync(file, saying('1.2.0'), { mode: 0o755 })
  now = Date.parse('2026-12-01T08:00:00Z')
})
afterEach(() => stack.disposeAsync())

function open(desk: Partial<UpdatingDesk> = {}) {
  const lines: string[] = []
  const handed: string[] = []
  const updating = openUpdating({
    dir,
    own: { key: office.publicKey, system: SYSTEM, version: '1.2.0', file },
    offices: () => [office.origin],
    isIdle: () => true,
    say: line => void lines.push(line),
    now: () => now,
    // As where the other has started: this one is no more.
    handOver: async version => {
      handed.push(version)
      updating.stop()
      return new Promise<void>(() => undefined)
    },
    again: async () => undefined,
    ...desk,
  })
  stack.defer(async () => updating.stop())
  return { updating, lines, handed }
}
/** What came of it: the program gave its place away, or nothing is under way any more. */
async function pressed({ updating, handed }: ReturnType<typeof open>): Promise<string> {
  updating.ask()
  const settled = updating.settled().then(() => true)
  while (handed.length === 0) if (await Promise.race([settled, new Promise(r => setImmediate(r))])) break
  return updating.state().said
}
const has = (path: string, version: string) => assert.equal(readFileSync(path, 'utf8'), saying(version))
const asks = () => office.asked.filter(path => path.endsWith('packs.json')).length

describe('a newer program', () => {
  test('takes the place of the own one, which is kept beside it, and is given the desk', async () => {
    office.offer({ version: '1.3.0', program: saying('1.3.0') })
    const one = open()
    assert.equal(await pressed(one), '打完正在打的，就换到 1.3.0')
    assert.deepEqual(one.handed, ['1.3.0'])
    has(file, '1.3.0')
    has(`${file}.old`, '1.2.0')
    assert.equal(existsSync(`${file}.new`), false)
    assert.equal(open().updating.state().previous, '1.2.0')
  })

  test('that does not run here, or is another than it says, leaves the own one in its place', async () => {
    for (const program of ['throw new Error("no")', saying('1.2.9'), '']) {
      office.offer({ version: '1.3.0', program })
      const one = open()
      assert.equal(await pressed(one), '新版本在这台电脑上运行不了，没有更新')
      assert.deepEqual(one.handed, [])
      has(file, '1.2.0')
      for (const ending of ['new', 'part', 'old']) assert.equal(existsSync(`${file}.${ending}`), false)
    }
  })

  test('that is refused is told of in words, and the own one stays', async () => {
    const offered = office.offer({ version: '1.3.0', program: saying('1.3.0') })
    office.state.updates = [{ ...offered, signature: '' }]
    const one = open()
    assert.equal(await pressed(one), '更新没有本程序后台的签名，没有更新')
    assert.deepEqual(one.lines, ['更新没有本程序后台的签名，没有更新'])
    has(file, '1.2.0')
  })

  test('in a folder that cannot be written to is told of, and the own one stays', async () => {
    office.offer({ version: '1.3.0', program: saying('1.3.0') })
    const own = { key: office.publicKey, system: SYSTEM, version: '1.2.0', file: join(dir, 'gone', 'print') }
    assert.equal(await pressed(open({ own })), '程序所在的文件夹不能写入，没有更新')
    has(file, '1.2.0')
  })

  test('that does not start gives way to the own one, and is not taken again by itself', async () => {
    office.offer({ version: '1.3.0', program: saying('1.3.0') })
    let served = 0
    const one = open({
      handOver: async () => undefined,
      again: async () => {
        served += 1
      },
    })
    await pressed(one)
    await one.updating.settled()
    assert.equal(served, 1)
    has(file, '1.2.0')
    const later = open()
    assert.equal(later.updating.state().said, '新版本没有启动起来，已换回现在的版本')
    assert.equal(later.updating.state().previous, null)
    now += DAY
    later.updating.look()
    await later.updating.settled()
    assert.deepEqual(later.handed, [])
    assert.match(later.updating.state().said, /1\.3\.0，上次没有装上/)
    office.offer({ version: '1.4.0', program: saying('1.4.0') })
    await pressed(later)
    assert.deepEqual(later.handed, ['1.4.0'])
  })

  test('waits for what is being printed', async () => {
    office.offer({ version: '1.3.0', program: saying('1.3.0') })
    const states = [false, true]
    const one = open({ isIdle: () => states.shift() ?? true })
    await pressed(one)
    assert.deepEqual([states, one.handed], [[], ['1.3.0']])
  })
})

describe('the office is asked', () => {
  test('once a day, through starts of the program, and at every press', async () => {
    const one = open()
    const look = async (which: typeof one) => {
      which.updating.look()
      await which.updating.settled()
      return asks()
    }
    assert.equal(await look(one), 1)
    assert.equal(await look(one), 1)
    now += DAY - 1
    const second = open()
    assert.equal(await look(second), 1)
    assert.equal(await pressed(second), '1.2.0 已是最新版本')
    assert.equal(asks(), 2)
    now += DAY - 1
    assert.equal(await look(second), 2)
    now += 1
    assert.equal(await look(second), 3)
  })

  test('not where nobody is paired', async () => {
    const one = open({ offices: () => [] })
    one.updating.look()
    await one.updating.settled()
    assert.equal(one.updating.state().said, '')
    assert.equal(await pressed(one), '还没有配对，不知道向哪个后台询问更新')
    assert.equal(asks(), 0)
  })

  test('among several, and one that has nothing to offer does not hide one that has', async () => {
    office.offer({ version: '1.3.0', program: saying('1.3.0') })
    const one = open({ offices: () => ['http://office.example.com', office.origin] })
    await pressed(one)
    assert.deepEqual(one.handed, ['1.3.0'])
  })
})

describe('the kept program', () => {
  test('is had back by a press, stays, and the newer one can be had again', async () => {
    writeFileSync(`${file}.old`, saying('1.1.0'))
    writeFileSync(join(dir, 'updates.json'), JSON.stringify({ previous: '1.1.0' }))
    const one = open()
    assert.equal(one.updating.back(), true)
    while (one.handed.length === 0) await new Promise(r => setImmediate(r))
    has(file, '1.1.0')
    has(`${file}.old`, '1.2.0')
    const own = { key: office.publicKey, system: SYSTEM, version: '1.1.0', file }
    office.offer({ version: '1.2.0', program: saying('1.2.0') })
    const older = open({ own })
    older.updating.look()
    await older.updating.settled()
    assert.deepEqual([older.handed, older.updating.state().previous], [[], '1.2.0'])
    await pressed(older)
    assert.deepEqual(older.handed, ['1.2.0'])
  })

  test('is not offered where there is none', async () => {
    writeFileSync(join(dir, 'updates.json'), JSON.stringify({ previous: '1.1.0' }))
    const { updating } = open()
    assert.deepEqual([updating.state().previous, updating.back()], [null, false])
  })
})
