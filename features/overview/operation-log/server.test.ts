import assert from 'node:assert/strict'
import test, { after, before, describe } from 'node:test'
import { contract, downloadHandlers, posContract } from '#app/joined.ts'
import { listOps } from '#kit/declare/op.ts'
import { type Client, type Office, openOffice } from '#test/app.ts'
import { type MadeAgent, makeAccount, makeAgent, makeMerchant } from '#test/make.ts'
import { moduleOf, pathsOf } from './rules.ts'

let office: Office
let agent: MadeAgent
let operator: MadeAgent
let me: Client
let staff: Client
let shop: number

before(async () => {
  office = await openOffice()
  agent = await makeAgent(office, { tokens: 100_000 })
  operator = await makeAgent(office, { operator: true })
  me = office.as(await office.login(agent.loginName))
  staff = office.as(await office.login(operator.loginName))
  shop = await makeMerchant(office, agent.id, { remark: '旧' })
  await me.merchants.setRemark({ id: shop, remark: '新' })
  await staff.merchants.setRemark({ id: shop, remark: '厂商改的' })
  await me.merchants.disable({ id: shop })
})
after(() => office.stop())

test('a row says who did what to what, with what stood before and after, from where', async () => {
  const { rows, total } = await me.operationLog.list({ module: 'merchants' })
  assert.equal(total, 3)
  assert.deepEqual(
    rows.map(({ title, accountName, summary }) => [title, accountName, summary]),
    [
      ['禁用商户', '姓名', '状态：正常 → 已禁用'],
      ['修改商户备注', '姓名', '备注：新 → 厂商改的'],
      ['修改商户备注', '姓名', '备注：旧 → 新'],
    ],
  )
  const row = rows[2] as (typeof rows)[number]
  assert.deepEqual(row.changes, [{ name: '备注', before: '旧', after: '新' }])
  assert.deepEqual([row.subject, row.outcome, row.ip], [`测试店铺 (${shop})`, 'done', '127.0.0.1'])
  assert.match(row.requestId, /^[0-9a-f-]{36}$/)
})

describe('what is asked for is what is found', () => {
  const CASES: [name: string, asked: () => Parameters<Client['operationLog']['list']>[0], found: number][] = [
    ['a part of the subject', () => ({ search: String(shop).slice(2), module: 'merchants' }), 3],
    ['a part of the title', () => ({ search: '禁用' }), 1],
    ['whose it was', () => ({ accountId: agent.accountId, module: 'merchants' }), 2],
    ['what it was about', () => ({ objectKind: 'merchant' }), 3],
    ['attempts that failed', () => ({ outcome: 'refused' }), 0],
    ['days that are past', () => ({ to: '2020-01-01' }), 0],
    ['days up to now', () => ({ from: '2020-01-01', module: 'merchants' }), 3],
  ]
  for (const [name, asked, found] of CASES)
    test(name, async () => assert.equal((await me.operationLog.list(asked())).total, found))
})

test('pages follow each other without a gap, across what oneself and others did', async () => {
  const size = 10
  const all = await me.operationLog.list({ size: 100 })
  for (let at = 0; at < 12; at++) await me.merchants.setRemark({ id: shop, remark: `第${at}次` })
  const first = await me.operationLog.list({ size, page: 1 })
  const second = await me.operationLog.list({ size, page: 2 })
  const ids = [...first.rows, ...second.rows].map(row => row.id)
  assert.equal(new Set(ids).size, ids.length)
  assert.equal(first.total, all.total + 12)
  assert.deepEqual(
    ids,
    (await me.operationLog.list({ size: 100 })).rows.map(row => row.id).slice(0, ids.length),
  )
})

describe("an object's history", () => {
  test('holds what anybody did with it, the latest first, a page after the other', async () => {
    const first = await me.operationLog.history({ kind: 'merchant', id: String(shop) })
    assert.ok(first.rows.some(row => row.summary === '备注：新 → 厂商改的') || first.next !== null)
    const seen = [...first.rows]
    for (let { next } = first; next !== null; ) {
      const page = await me.operationLog.history({ kind: 'merchant', id: String(shop), before: next })
      seen.push(...page.rows)
      next = page.next
    }
    const { rows } = await me.operationLog.list({ objectKind: 'merchant', size: 100 })
    assert.deepEqual(
      seen.map(row => row.id),
      rows.map(row => row.id),
    )
  })

  test('a place that is none is refused', async () => {
    await assert.rejects(me.operationLog.history({ kind: 'merchant', id: '1', before: 'x|y' }), {
      code: 'INPUT_INVALID',
    })
  })
})

test('an owner reads it; a sub-user does not, unless its role holds it (D3 §6)', async () => {
  const { loginName } = await makeAccount(office, agent.id)
  const sub = office.as(await office.login(loginName))
  await assert.rejects(sub.operationLog.list({}), { code: 'FORBIDDEN' })
  await assert.rejects(sub.operationLog.history({ kind: 'merchant', id: String(shop) }), {
    code: 'FORBIDDEN',
  })
})

test('every operation that is logged belongs to a part of the product that people know', () => {
  const paths = [
    ...[...listOps(contract), ...listOps(posContract)].flatMap(({ path, meta }) =>
      meta.log === undefined ? [] : [path],
    ),
    ...downloadHandlers.map(({ download }) => download.path),
  ]
  const unknown = paths.filter(path => moduleOf(/^\/?([a-z0-9-]+)/.exec(path)?.[1] ?? '') === 'other')
  assert.deepEqual(unknown, [])
  assert.ok(pathsOf('other').without && pathsOf('sms').paths.includes('campaigns'))
})
