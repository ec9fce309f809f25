import assert from 'node:assert/strict'
import test, { after, before, beforeEach } from 'node:test'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAccount, makeAgent } from '#test/make.ts'

const LIST = 'merchants.list'

let office: Office
let agent: MadeAgent
let owner: Client
let sub: Client
let colleague: Client
let stranger: Client
let staff: Client

before(async () => {
  office = await openOffice()
})
after(() => office.stop())
beforeEach(async () => {
  agent = await makeAgent(office)
  const signIn = async ({ loginName }: { loginName: string }) => office.as(await office.login(loginName))
  owner = await signIn(agent)
  sub = await signIn(await makeAccount(office, agent.id))
  colleague = await signIn(await makeAccount(office, agent.id))
  stranger = await signIn(await makeAgent(office))
  staff = await signIn(await makeAgent(office, { staff: true }))
})

const save = (by: Client, name: string, more: { isShared?: boolean; list?: string } = {}) =>
  by.views.save({
    list: LIST,
    name,
    params: { status: 'normal', sort: 'expiresAt' },
    columns: [
      { key: 'shopName', width: 200 },
      { key: 'phone', hidden: true },
    ],
    isShared: false,
    ...more,
  })
const namesOf = async (by: Client, list = LIST) => (await by.views.list({ list })).rows.map(row => row.name)

test('a view comes back as it was saved, to its maker alone', async () => {
  const saved = await save(sub, ' 正常门店 ')
  const { rows } = await sub.views.list({ list: LIST })
  assert.deepEqual(rows, [
    {
      id: saved.id,
      name: '正常门店',
      params: { status: 'normal', sort: 'expiresAt' },
      columns: [
        { key: 'shopName', width: 200 },
        { key: 'phone', hidden: true },
      ],
      isShared: false,
      mayChange: true,
    },
  ])
  for (const other of [owner, colleague, stranger, staff]) assert.deepEqual(await namesOf(other), [])
  assert.deepEqual(await namesOf(sub, 'orders.list'), [], 'another list has its own')
})

test('the owner shares with all accounts of the agent and no others; a sub-user cannot share', async () => {
  assert.equal(await refusalOf(save(sub, '共享', { isShared: true })), 'NOT_OWNER')
  const shared = await save(owner, '共享', { isShared: true })
  for (const one of [owner, sub, colleague]) assert.deepEqual(await namesOf(one), ['共享'])
  for (const one of [stranger, staff]) assert.deepEqual(await namesOf(one), [])
  assert.equal((await sub.views.list({ list: LIST })).rows[0]?.mayChange, false)
  assert.equal(await refusalOf(sub.views.change({ id: shared.id, name: '改' })), 'NOT_YOURS')
  assert.equal(await refusalOf(sub.views.remove({ id: shared.id })), 'NOT_YOURS')
  for (const one of [stranger, staff]) {
    assert.equal(await refusalOf(one.views.change({ id: shared.id, name: '改' })), 'NOT_FOUND')
    assert.equal(await refusalOf(one.views.remove({ id: shared.id })), 'NOT_FOUND')
  }
  await owner.views.change({ id: shared.id, isShared: false })
  assert.deepEqual(await namesOf(sub), [])
})

test("another's own view is unknown even to the owner", async () => {
  const { id } = await save(sub, '我的')
  assert.equal(await refusalOf(owner.views.remove({ id })), 'NOT_FOUND')
  assert.equal(await refusalOf(colleague.views.change({ id, name: '改' })), 'NOT_FOUND')
})

test('a view is renamed, given other conditions, and deleted', async () => {
  const { id } = await save(sub, '旧名')
  await save(sub, '别名')
  assert.equal(await refusalOf(sub.views.change({ id, name: '别名' })), 'NAME_TAKEN')
  assert.equal(await refusalOf(sub.views.change({ id, name: '' })), 'NAME_REQUIRED')
  assert.equal(
    await refusalOf(sub.views.change({ id, name: '旧名' })),
    'accepted',
    'its own name is not taken',
  )
  assert.equal((await sub.views.change({ id, name: '新名' })).name, '新名')
  const changed = await sub.views.change({ id, params: { search: '店' }, columns: null })
  assert.deepEqual([changed.name, changed.params, changed.columns], ['新名', { search: '店' }, null])
  await sub.views.remove({ id })
  assert.deepEqual(await namesOf(sub), ['别名'])
  assert.equal(await refusalOf(sub.views.remove({ id })), 'NOT_FOUND')
})

test('names are taken among those one sees, also when two are saved at once', async () => {
  await save(owner, '共享', { isShared: true })
  assert.equal(await refusalOf(save(sub, '共享')), 'NAME_TAKEN')
  assert.equal(await refusalOf(save(stranger, '共享')), 'accepted')
  assert.equal(await refusalOf(save(sub, '共享', { list: 'orders.list' })), 'accepted')
  const answers = await Promise.all([1, 2, 3].map(() => refusalOf(save(sub, '同名'))))
  assert.deepEqual(answers.sort(), ['NAME_TAKEN', 'NAME_TAKEN', 'accepted'])
})

test('twenty views of a list are enough', async () => {
  for (let i = 0; i < 20; i++) await save(sub, `视图${i}`)
  assert.equal(await refusalOf(save(sub, '再一个')), 'TOO_MANY')
  assert.equal(await refusalOf(save(sub, '再一个', { list: 'orders.list' })), 'accepted')
  assert.equal(await refusalOf(save(colleague, '再一个')), 'accepted')
})

test('columns are kept by account and list, replaced whole, and taken out by none', async () => {
  const columns = [{ key: 'status' }, { key: 'shopName', hidden: true, width: 300 }]
  await sub.views.setColumns({ list: LIST, columns: [{ key: 'id' }] })
  await sub.views.setColumns({ list: LIST, columns })
  await sub.views.setColumns({ list: 'orders.list', columns: [{ key: 'orderNo' }] })
  const kept = await sub.views.columns()
  assert.deepEqual(kept.rows.find(row => row.list === LIST)?.columns, columns)
  assert.equal(kept.rows.length, 2)
  for (const other of [owner, colleague, stranger, staff])
    assert.deepEqual((await other.views.columns()).rows, [])
  await sub.views.setColumns({ list: LIST, columns: [] })
  assert.deepEqual(
    (await sub.views.columns()).rows.map(row => row.list),
    ['orders.list'],
  )
})

test('what is no list, too wide or too much is refused', async () => {
  const column = { key: 'id' }
  for (const [list, columns] of [
    ['merchants', [column]],
    ['../etc', [column]],
    ['a.b'.repeat(30), [column]],
    [LIST, [{ key: '' }]],
    [LIST, [{ key: 'id', width: 5_000 }]],
    [LIST, Array.from({ length: 61 }, () => column)],
  ] as const)
    assert.equal(
      await refusalOf(sub.views.setColumns({ list, columns: [...columns] })),
      'INPUT_INVALID',
      JSON.stringify(list),
    )
  for (let i = 0; i < 100; i++)
    await sub.views.setColumns({
      list: `made.up${'abcdefghij'[Math.floor(i / 10)]}${'abcdefghij'[i % 10]}`,
      columns: [column],
    })
  assert.equal(await refusalOf(sub.views.setColumns({ list: LIST, columns: [column] })), 'TOO_MANY_LISTS')
})
