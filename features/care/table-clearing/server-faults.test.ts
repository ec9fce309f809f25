// Nothing is emptied whose backup is not whole, and whatever answer is lost, everything is done once.
import assert from 'node:assert/strict'
import test, { after, beforeEach, describe } from 'node:test'
import { ProviderUnknown } from '#kit/ports/providers.ts'
import type { Effect } from '#providers/simulator.ts'
import { refusalOf } from '#test/app.ts'
import { ANSWERED_WITHIN_MS, patient } from '#test/patience.ts'
import { openClearingDesk, type ShopTable } from './walk.ts'

const desk = await openClearingDesk()
const {
  outside,
  office,
  first,
  second,
  books,
  rows,
  shop,
  details,
  look,
  work,
  ask,
  emptied,
  fault,
  stepTo,
} = desk
after(() => desk.stop())
beforeEach(() => {
  desk.noFaults()
  outside.waitFor(ANSWERED_WITHIN_MS)
})

describe('nothing is emptied', () => {
  const untouched = async (id: number, merchantId: number, table: ShopTable, count: number) => {
    await work()
    assert.equal(books.countOf(merchantId, table), count)
    return details(id)
  }

  test('whose backup failed', async () => {
    const merchantId = await shop()
    const count = books.countOf(merchantId, 'members')
    outside.simulators.pos.failNextBackup('磁盘空间不足')
    const { id } = await ask(first, merchantId, 'members')
    const { state, problem } = await untouched(id, merchantId, 'members', count)
    assert.deepEqual([state, problem], ['failed', '备份失败：磁盘空间不足，没有清空任何数据'])
    const sent = await rows('select 1 from outbox_messages where merchant_id = $1', merchantId)
    assert.deepEqual(sent, [])
  })

  test('whose backup was refused', async () => {
    const merchantId = await shop()
    const count = books.countOf(merchantId, 'members')
    fault('backup', { kind: 'error', code: 'QUOTA', message: '备份空间已满' })
    const { id } = await ask(first, merchantId, 'members')
    const { state, problem } = await untouched(id, merchantId, 'members', count)
    assert.deepEqual([state, problem], ['failed', '备份失败：备份空间已满，没有清空任何数据'])
  })

  test('while a backup cannot be believed', async () => {
    const merchantId = await shop()
    const count = books.countOf(merchantId, 'members')
    fault('backup', { kind: 'wrong-signature' }, 1_000)
    fault('task', { kind: 'wrong-signature' }, 1_000)
    const { id } = await ask(first, merchantId, 'members')
    const { state, problem } = await untouched(id, merchantId, 'members', count)
    assert.deepEqual([state, problem], ['backingUp', '收银系统没有应答，请稍后再试'])
    await second.tableClearing.cancel({ id })
    desk.noFaults()
    assert.equal((await untouched(id, merchantId, 'members', count)).state, 'cancelled')
  })

  test('that changes after each of three backups; once is backed up anew', async () => {
    const merchantId = await shop()
    const change = () => books.add(merchantId, 'members', 1)
    const { id } = await ask(first, merchantId, 'members')
    await stepTo(id, 'backedUp')
    change()
    await stepTo(id, 'asked')
    const count = books.countOf(merchantId, 'members')
    await work()
    const done = await details(id)
    assert.deepEqual([done.state, done.emptiedRows], ['emptied', count])

    const products = await ask(first, merchantId, 'products')
    for (let time = 0; time < 3; time++) {
      await stepTo(products.id, 'backedUp')
      books.add(merchantId, 'products', 1)
      if (time < 2) await stepTo(products.id, 'asked')
    }
    const left = books.countOf(merchantId, 'products')
    const { state, problem } = await untouched(products.id, merchantId, 'products', left)
    assert.deepEqual([state, problem], ['failed', '备份之后数据一直有变动，没有清空任何数据'])
  })
})

describe('an answer that is lost', () => {
  const LOST: [string, Effect][] = [
    ['a connection cut after the work', { kind: 'reset-after' }],
    ['no connection', { kind: 'reset-before' }],
    ['a server error', { kind: 'status', status: 502 }],
    ['no answer in time', { kind: 'silence' }],
    ['half an answer', { kind: 'malformed' }],
    ['a wrong signature', { kind: 'wrong-signature' }],
    ['an answer of long ago', { kind: 'stale-timestamp' }],
  ]
  for (const [what, effect] of LOST)
    test(`is asked for before anything is sent again: ${what}`, async () => {
      if (effect.kind === 'silence') outside.waitFor(patient(500))
      for (const call of ['tables', 'backup', 'empty', 'restore', 'task'])
        if (call !== 'tables') fault(call, effect)
      const { id, merchantId, count } = await emptied()
      const done = await details(id)
      assert.deepEqual([done.state, done.emptiedRows, done.problem], ['emptied', count, ''])
      books.add(merchantId, 'members', 2)
      await first.tableClearing.restore({ id, reason: '误操作' })
      await work()
      const back = await details(id)
      assert.deepEqual([back.state, back.restoredRows, back.besideRows], ['restored', count, 2])
      assert.equal(books.countOf(merchantId, 'members'), count + 2)
      const sent = await rows(
        `select count(*)::int as n from outbox_messages where merchant_id = $1`,
        merchantId,
      )
      assert.deepEqual(sent, [{ n: 2 }])
    })

  test('and a kill right after the table was emptied: the next instance finds out that it was', async () => {
    const merchantId = await shop()
    const count = books.countOf(merchantId, 'members')
    const { id } = await ask(first, merchantId, 'members')
    const pos = outside.providers.pos
    assert.ok(pos)
    const sent: string[] = []
    const services = {
      ...office.app.services,
      providers: {
        ...outside.providers,
        pos: {
          ...pos,
          // It is done there, and the program hears no more of it.
          empty: async (...call: Parameters<typeof pos.empty>) => {
            await pos.empty(...call)
            sent.push(call[3])
            throw new ProviderUnknown('killed')
          },
        },
      },
    }
    while (sent.length === 0) {
      await look(services)
    }
    assert.equal((await details(id)).state, 'emptying')
    // What comes in at the till meanwhile must not be emptied by a second call.
    books.add(merchantId, 'members', 4)
    await work()
    const done = await details(id)
    assert.deepEqual([done.state, done.emptiedRows], ['emptied', count])
    assert.equal(books.countOf(merchantId, 'members'), 4)
  })

  test('a question that is refused tells nothing: it is never said that nothing was emptied', async () => {
    const merchantId = await shop()
    const { id } = await ask(first, merchantId, 'members')
    fault('empty', { kind: 'reset-after' })
    while ((await details(id)).state !== 'emptying') {
      await look()
    }
    await look()
    assert.equal(books.countOf(merchantId, 'members'), 0)
    fault('task', { kind: 'error', code: 'FORBIDDEN', message: '暂停查询' })
    await look()
    assert.equal((await details(id)).state, 'emptying')
    await work()
    assert.equal((await details(id)).state, 'emptied')
  })

  test('a page that counts tables is told that nobody answers, and nothing is held meanwhile', async () => {
    const merchantId = await shop()
    fault('tables', { kind: 'status', status: 503 })
    assert.equal(await refusalOf(first.tableClearing.tables({ merchantId })), 'POS_SILENT')
    fault('tables', { kind: 'error', code: 'SHOP_UNKNOWN', message: '没有该店铺' })
    assert.equal(await refusalOf(first.tableClearing.tables({ merchantId })), 'POS_REFUSED')
  })
})
