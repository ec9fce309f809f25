// Through the real router and database, with the point of sale as its simulator over HTTP: emptied, brought back, refused to whom it is
// not for, and two at once.
import assert from 'node:assert/strict'
import test, { after, describe } from 'node:test'
import { refusalOf } from '#test/app.ts'
import { makeAccount } from '#test/make.ts'
import { changedText } from './rules.ts'
import { endPast } from './server-end.ts'
import { openClearingDesk, SHOP_NAME } from './walk.ts'

const desk = await openClearingDesk()
const { office, staff, first, second, partner, books, rows, shop, details, look, work, ask, emptied, fault } =
  desk
after(() => desk.stop())

describe('a table', () => {
  test('is counted, backed up, emptied and brought back, with what came since beside it', async () => {
    const { id, merchantId, count } = await emptied()
    assert.equal(books.countOf(merchantId, 'members'), 0)
    const done = await details(id)
    assert.equal(done.state, 'emptied')
    assert.deepEqual([done.backupRows, done.emptiedRows], [count, count])
    assert.match(done.checksum ?? '', /^[\da-f]{64}$/)
    const days = (Date.parse(done.expiresAt ?? '') - Date.parse(done.emptiedAt ?? '')) / 86_400_000
    assert.ok(days > 29.9 && days <= 30)

    books.add(merchantId, 'members', 3)
    await second.tableClearing.restore({ id, reason: '误操作' })
    await work()
    const back = await details(id)
    assert.deepEqual([back.state, back.restoredRows, back.besideRows], ['restored', count, 3])
    assert.equal(books.countOf(merchantId, 'members'), count + 3)
    assert.deepEqual(
      back.events.map(({ text }) => text.replace(/[\d,]+ ?行|[\da-f]{8}$/g, '').trim()),
      [
        '提交申请',
        '开始备份',
        '备份完成，共 ，校验值',
        '开始清空',
        '已清空',
        '申请恢复',
        '已恢复 ，之后新增的  保留在旁',
      ],
    )
    await assert.rejects(first.tableClearing.restore({ id, reason: '再来' }), {
      code: 'STEP_NOT_NOW',
      message: /^已由.+处理：/,
    })
  })

  test('tells the shop’s phone, its timeline, the log and whoever asked', async () => {
    const { id, merchantId, count } = await emptied()
    await first.tableClearing.restore({ id, reason: '误操作' })
    await work()
    const messages = await rows<{ text: string; kind: string }>(
      'select text, kind from outbox_messages where merchant_id = $1 order by id',
      merchantId,
    )
    assert.deepEqual(
      messages.map(({ kind }) => kind),
      ['shop-notice', 'shop-notice'],
    )
    assert.match(messages[0]?.text ?? '', new RegExp(`${SHOP_NAME}」的会员已由服务商清空，共${count}行`))
    assert.match(messages[1]?.text ?? '', /已由服务商从备份恢复/)
    const timeline = (await first.renewals.timeline({ merchantId })).rows
    assert.deepEqual(
      timeline.filter(({ kind }) => kind === 'tool').map(({ title }) => title),
      ['恢复数据', '清空数据'],
    )
    const logged = await rows<{ title: string }>(
      `select title from operation_logs where objects @> array[$1] order by id`,
      `tableClearing:${id}`,
    )
    assert.deepEqual(
      logged.map(({ title }) => title),
      ['清空数据', '清空数据', '恢复数据', '恢复数据'],
    )
    const told = await rows<{ title: string }>(
      `select title from notices where link = $1 order by id`,
      `/admin/tool/clearings?id=${id}`,
    )
    assert.deepEqual(
      told.map(({ title }) => title),
      ['数据已清空', '数据已恢复'],
    )
  })

  test('is left alone without its shop’s exact name, a reason, or a row', async () => {
    const merchantId = await shop()
    const refused = async (more: object) => await refusalOf(ask(first, merchantId, 'members', more))
    assert.equal(await refused({ shopName: '深圳老张' }), 'NAME_WRONG')
    assert.equal(await refused({ reason: ' ' }), 'REASON_REQUIRED')
    assert.equal(await refused({ rows: 0 }), 'TABLE_EMPTY')
    assert.deepEqual(await rows('select 1 from table_clearings where merchant_id = $1', merchantId), [])
  })

  test('is as it was shown, or what is asked of it is refused with both numbers', async () => {
    const merchantId = await shop()
    const rowsNow = books.countOf(merchantId, 'members')
    const shown = { merchantId, table: 'members', rows: rowsNow }
    assert.equal((await first.tableClearing.tables(shown)).tables.length, 4)
    books.add(merchantId, 'members', 2)
    await assert.rejects(first.tableClearing.tables(shown), {
      code: 'TABLE_CHANGED',
      message: changedText(rowsNow, rowsNow + 2),
    })
    const unknown = first.tableClearing.tables({ ...shown, table: 'accounts' })
    assert.equal(await refusalOf(unknown), 'TABLE_UNKNOWN')
    // Whoever goes round the page empties nothing either.
    const { id } = await ask(first, merchantId, 'members', { rows: rowsNow })
    await work()
    const { state, problem } = await details(id)
    assert.deepEqual([state, problem], ['failed', `${changedText(rowsNow, rowsNow + 2)}，没有清空任何数据`])
    assert.equal(books.countOf(merchantId, 'members'), rowsNow + 2)
  })

  test('that the point of sale does not have is not emptied', async () => {
    const merchantId = await shop()
    const { id } = await ask(first, merchantId, 'members', { table: 'accounts', tableName: '账户', rows: 5 })
    await work()
    const { state, problem } = await details(id)
    assert.deepEqual([state, problem], ['failed', '收银系统中没有该数据表，没有清空任何数据'])
  })
})

describe('who may', () => {
  test('a partner and staff without the permission are refused', async () => {
    const merchantId = await shop()
    const clerk = office.as(
      await office.login((await makeAccount(office, staff.id, { nodeIds: [840, 841] })).loginName),
    )
    assert.equal(await refusalOf(partner.tableClearing.tables({ merchantId })), 'FORBIDDEN')
    for (const who of [partner, clerk]) {
      const input = {
        merchantId,
        table: 'members',
        tableName: '会员',
        rows: 5,
        shopName: SHOP_NAME,
        reason: '试',
      }
      const asked = who.tableClearing.ask(input)
      assert.equal(await refusalOf(asked), 'FORBIDDEN')
    }
    assert.equal((await clerk.tableClearing.tables({ merchantId })).tables.length, 4)
    const { id } = await ask(first, merchantId, 'sales')
    assert.equal(await refusalOf(clerk.tableClearing.approve({ id, rows: 1 })), 'FORBIDDEN')
    assert.equal(await refusalOf(clerk.tableClearing.cancel({ id })), 'FORBIDDEN')
  })

  test('above 1,000 rows a second person approves what was shown, never who asked', async () => {
    const merchantId = await shop()
    const count = books.countOf(merchantId, 'sales')
    assert.ok(count > 1_000)
    const { id, state } = await ask(first, merchantId, 'sales')
    assert.equal(state, 'waiting')
    await work()
    assert.equal(books.countOf(merchantId, 'sales'), count)
    const waiting = await second.inbox.list({ kind: '审批清空数据' })
    assert.ok(waiting.rows.some(item => item.id === id))
    assert.equal(await refusalOf(first.tableClearing.approve({ id, rows: count })), 'OWN_REQUEST')
    assert.equal(await refusalOf(second.tableClearing.approve({ id, rows: count - 1 })), 'STALE')
    await second.tableClearing.approve({ id, rows: count })
    await work()
    const done = await details(id)
    assert.deepEqual([done.state, done.decidedByName, done.emptiedRows], ['emptied', '李四', count])
    assert.equal(books.countOf(merchantId, 'sales'), 0)
  })

  test('a second person is asked for by what the point of sale counts after the backup, too', async () => {
    const merchantId = await shop()
    const { id, state } = await ask(first, merchantId, 'members')
    assert.equal(state, 'asked')
    await look()
    books.add(merchantId, 'members', 2_000)
    const count = books.countOf(merchantId, 'members')
    await work()
    const held = await details(id)
    assert.deepEqual([held.state, held.rows], ['waiting', count])
    assert.equal(books.countOf(merchantId, 'members'), count)
    await second.tableClearing.reject({ id, decision: '不是客户要求' })
    const refused = await details(id)
    assert.deepEqual([refused.state, refused.decision], ['refused', '不是客户要求'])
    await work()
    assert.equal(books.countOf(merchantId, 'members'), count)
  })

  test('rows that came while the backup was made count, too', async () => {
    const merchantId = await shop()
    const { id } = await ask(first, merchantId, 'members')
    await look()
    assert.equal((await details(id)).state, 'backingUp')
    books.add(merchantId, 'members', 2_000)
    await work()
    assert.equal((await details(id)).state, 'waiting')
    assert.ok(books.countOf(merchantId, 'members') > 2_000)
  })

  test('what nobody decides in time is refused, and can be taken back before', async () => {
    const { id } = await ask(first, await shop(), 'sales')
    await second.tableClearing.cancel({ id })
    assert.equal((await details(id)).state, 'cancelled')
    const late = await ask(first, await shop(), 'sales')
    await office.owner.query(
      `update table_clearings set waiting_since = now() - interval '73 hours' where id = $1`,
      [late.id],
    )
    await endPast(office.app.services)
    const { state, decision } = await details(late.id)
    assert.deepEqual([state, decision], ['refused', '逾期未审批，自动驳回'])
  })
})

describe('two at once', () => {
  test('of the same table: one is taken, and the other is told who was first', async () => {
    const merchantId = await shop()
    const asked = await Promise.allSettled([
      ask(first, merchantId, 'members'),
      ask(second, merchantId, 'members'),
    ])
    const [refused] = asked.filter(one => one.status === 'rejected')
    assert.equal(asked.filter(one => one.status === 'fulfilled').length, 1)
    assert.ok(refused)
    const { code, message } = refused.reason as { code: string; message: string }
    assert.equal(code, 'RUNNING_ALREADY')
    assert.match(message, /^(姓名|李四)于 \d{4}-\d\d-\d\d .*已提交/)
    await work()
    // Once it has ended, the table has no rows; another table was never in its way.
    assert.equal(await refusalOf(ask(second, merchantId, 'members')), 'TABLE_EMPTY')
    await ask(second, merchantId, 'products')
    await work()
  })

  test('two instances never do the same twice', async () => {
    const merchantId = await shop()
    const { id } = await ask(first, merchantId, 'members')
    await Promise.all([work(), work(), work()])
    const done = await details(id)
    assert.equal(done.state, 'emptied')
    assert.equal(done.events.filter(({ text }) => text.startsWith('已清空')).length, 1)
    assert.deepEqual(
      await rows(`select count(*)::int as n from outbox_messages where merchant_id = $1`, merchantId),
      [{ n: 1 }],
    )
  })

  test('a restoration and a new clearing of the same table wait for each other', async () => {
    const { id, merchantId } = await emptied()
    books.add(merchantId, 'members', 2)
    const again = await ask(second, merchantId, 'members')
    await assert.rejects(first.tableClearing.restore({ id, reason: '误操作' }), {
      code: 'RUNNING_ALREADY',
      message: /^李四/,
    })
    await work()
    assert.equal((await details(again.id)).state, 'emptied')
  })
})

describe('a backup', () => {
  test('that is 30 days old cannot be brought back', async () => {
    const { id } = await emptied()
    await office.owner.query(
      `update table_clearings set expires_at = now() - interval '1 second' where id = $1`,
      [id],
    )
    assert.equal(await refusalOf(first.tableClearing.restore({ id, reason: '误操作' })), 'BACKUP_EXPIRED')
    await endPast(office.app.services)
    assert.equal((await details(id)).state, 'expired')
  })

  test('that is gone at the point of sale ends; where it fails it can be tried again', async () => {
    const { id, merchantId, count } = await emptied()
    fault('restore', { kind: 'error', code: 'LOCKED', message: '店铺正在盘点' })
    await first.tableClearing.restore({ id, reason: '误操作' })
    await work()
    const left = await details(id)
    assert.deepEqual([left.state, left.problem], ['emptied', '恢复失败：店铺正在盘点'])
    assert.equal(books.countOf(merchantId, 'members'), 0)
    await first.tableClearing.restore({ id, reason: '再试' })
    await work()
    assert.equal(books.countOf(merchantId, 'members'), count)
    const gone = await emptied('products')
    fault('restore', { kind: 'error', code: 'BACKUP_GONE', message: '备份不存在或已过期' })
    await first.tableClearing.restore({ id: gone.id, reason: '误操作' })
    await work()
    assert.equal((await details(gone.id)).state, 'expired')
  })
})

test('the list is filtered by state, shop and day, and found by its shop', async () => {
  const { id, merchantId } = await emptied()
  const list = async (asked: object) =>
    (await first.tableClearing.list({ page: 1, size: 10, ...asked } as never)).rows.map(row => row.id)
  assert.deepEqual(await list({ shop: String(merchantId) }), [id])
  assert.deepEqual(await list({ search: String(merchantId), state: 'emptied' }), [id])
  assert.deepEqual(await list({ search: String(merchantId), state: 'failed' }), [])
  assert.ok((await list({ search: SHOP_NAME })).includes(id))
  // Each time on whichever connection is free: none answers with what another search has found.
  for (let time = 0; time < 4; time++)
    for (const [search, found] of [
      [String(merchantId), [id]],
      ['999999999999', []],
    ] as const)
      assert.deepEqual(await list({ search }), found)
  assert.deepEqual(await list({ shop: String(merchantId), to: '2020-01-01' }), [])
  const found = await first.tableClearing.find({ search: String(merchantId) })
  assert.deepEqual([found.shop?.id, found.clearings.map(one => one.id)], [merchantId, [id]])
})
