import assert from 'node:assert/strict'
import test, { after, before, beforeEach } from 'node:test'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { tokensOf } from '#test/make-purchases.ts'
import { rowsOfAllTables } from '#test/rows.ts'

let office: Office
let parent: MadeAgent
let child: MadeAgent
let me: Client
let below: Client

before(async () => {
  office = await openOffice()
})
after(() => office.stop())
beforeEach(async () => {
  parent = await makeAgent(office, { tokens: 1_000 })
  child = await makeAgent(office, { parentId: parent.id })
  me = office.as(await office.login(parent.loginName))
  below = office.as(await office.login(child.loginName))
})

const allocate = (amountCents: number, agentId = child.id, remark = '') =>
  me.settlement.allocate({ agentId, amountCents, remark })

test('an agent sees those directly below: level, balance, shops; and nobody else', async () => {
  const grandchild = await makeAgent(office, { parentId: child.id, tokens: 5 })
  await makeMerchant(office, child.id)
  await makeMerchant(office, child.id)
  await allocate(12_345)
  const list = await me.settlement.subAgents({})
  assert.deepEqual(
    list.rows.map(({ id, tokenCents, shops, isChild, parentId }) => ({
      id,
      tokenCents,
      shops,
      isChild,
      parentId,
    })),
    [{ id: child.id, tokenCents: 12_345, shops: 2, isChild: true, parentId: parent.id }],
  )
  assert.equal(list.total, 1)
  assert.deepEqual(
    (await below.settlement.subAgents({})).rows.map(row => [row.id, row.tokenCents]),
    [[grandchild.id, 500]],
  )
  assert.equal((await me.settlement.subAgents({ search: String(grandchild.id) })).total, 0)
  assert.equal((await me.settlement.subAgents({ search: `代理商${child.id}` })).total, 1)
})

test('staff see every agent that has a parent, and hand out nothing for others', async () => {
  const staff = await makeAgent(office, { staff: true, tokens: 10 })
  const desk = office.as(await office.login(staff.loginName))
  const list = await desk.settlement.subAgents({ search: String(child.id) })
  assert.deepEqual(
    list.rows.map(row => [row.id, row.parentName, row.isChild]),
    [[child.id, `代理商${parent.id}`, false]],
  )
  const call = desk.settlement.allocate({ agentId: child.id, amountCents: 1, remark: '' })
  assert.equal(await refusalOf(call), 'ALLOCATE_NOT_CHILD')
})

test('tokens leave one and reach the other under one document; both see it in their changes', async () => {
  const { documentNo, balanceAfterCents } = await allocate(30_050, child.id, '开业支持')
  assert.equal(balanceAfterCents, 69_950)
  assert.equal(await tokensOf(office, child.id), 30_050)
  const [mine] = (await me.ledger.changes({})).rows
  assert.deepEqual(
    [mine?.orderNo, mine?.description, mine?.amountCents, mine?.remark],
    [documentNo, `划拨给 代理商${child.id}`, -30_050, '开业支持'],
  )
  const [theirs] = (await below.ledger.changes({})).rows
  assert.deepEqual(
    [theirs?.orderNo, theirs?.description, theirs?.amountCents, theirs?.remark],
    [documentNo, '上级划拨', 30_050, '开业支持'],
  )
  await office.verifyLedger()
})

test('only to an enabled agent of one’s own, only what is there, and a refusal writes nothing', async () => {
  const stranger = await makeAgent(office)
  const grandchild = await makeAgent(office, { parentId: child.id })
  const disabled = await makeAgent(office, { parentId: parent.id })
  await office.owner.query(`update agents set status = 'closed' where id = $1`, [disabled.id])
  const before = await rowsOfAllTables(office)
  const cases: [call: () => Promise<unknown>, code: string][] = [
    [() => allocate(1, stranger.id), 'ALLOCATE_NOT_CHILD'],
    [() => allocate(1, grandchild.id), 'ALLOCATE_NOT_CHILD'],
    [() => allocate(1, parent.id), 'ALLOCATE_NOT_CHILD'],
    [
      () => below.settlement.allocate({ agentId: parent.id, amountCents: 1, remark: '' }),
      'ALLOCATE_NOT_CHILD',
    ],
    [() => allocate(1, 99_999_999), 'ALLOCATE_NOT_CHILD'],
    [() => allocate(1, disabled.id), 'ALLOCATE_DISABLED'],
    [() => allocate(0), 'ALLOCATE_AMOUNT'],
    [() => allocate(-100), 'ALLOCATE_AMOUNT'],
    [() => allocate(0.5), 'ALLOCATE_AMOUNT'],
    [() => allocate(100_001), 'INSUFFICIENT'],
    [() => allocate(1, child.id, '长'.repeat(51)), 'ALLOCATE_REMARK_TOO_LONG'],
  ]
  for (const [call, code] of cases) assert.equal(await refusalOf(call()), code)
  assert.deepEqual(await rowsOfAllTables(office), before)
})

test('fifty at once never take more than there is', async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, () => refusalOf(allocate(9_000))))
  assert.equal(answers.filter(answer => answer === 'accepted').length, 11)
  assert.ok(
    answers.every(answer => ['accepted', 'INSUFFICIENT'].includes(answer)),
    `${new Set(answers)}`,
  )
  assert.equal(await tokensOf(office, parent.id), 1_000)
  assert.equal(await tokensOf(office, child.id), 99_000)
  await office.verifyLedger()
})

test('the same key hands down once', async () => {
  const key = `allocate-${child.id}-key`
  const input = { agentId: child.id, amountCents: 500, remark: '' }
  const first = await me.settlement.allocate(input, { context: { key } })
  assert.deepEqual(await me.settlement.allocate(input, { context: { key } }), first)
  assert.equal(await tokensOf(office, child.id), 500)
})

test('the database tells a parent what its own hold, and nothing of others', async () => {
  const stranger = await makeAgent(office, { tokens: 77 })
  const { database } = office.app.services
  const held = (agentId: number) =>
    database.read({ agentId, scope: 'own' }, async ({ client }) => {
      const { rows } = await client.query('select agent_id::int from held_below($1::bigint[])', [
        [parent.id, child.id, stranger.id],
      ])
      return rows
    })
  assert.deepEqual(await held(parent.id), [{ agent_id: child.id }])
  assert.deepEqual(await held(child.id), [])
  assert.deepEqual(await held(stranger.id), [])
})
