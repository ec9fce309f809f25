// Limits that the operator sets, and the whole configuration as a file: out, into an empty office, out again.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { within } from '#kit/declare/settings.ts'
import { type Client, type Office, openBeside, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { labelOf } from './server-file-tables.ts'

let office: Office
let empty: Office
let operator: Client
let other: Client
let partner: Client
let agent: MadeAgent

const operatorOf = async (of: Office) =>
  of.as(await of.login((await makeAgent(of, { operator: true })).loginName))

before(async () => {
  office = await openOffice()
  empty = await openOffice()
  operator = await operatorOf(office)
  other = await operatorOf(empty)
  agent = await makeAgent(office)
  partner = office.as(await office.login(agent.loginName))
})
after(async () => {
  await office.stop()
  await empty.stop()
})

const DAYS = { key: 'd', group: 'g', label: '期限', unit: '天', initial: 15, min: 1, max: 90 }
for (const [kept, holds] of [
  [undefined, 15],
  [null, 15],
  ['20', 15],
  [20, 20],
  [0, 1],
  [900, 90],
] as const)
  test(`a setting kept as ${JSON.stringify(kept)} holds as ${holds}`, () =>
    assert.equal(within(DAYS, kept), holds))

const set = async (key: string, value: number, by = operator) => {
  const one = (await by.referenceData.settings()).settings.find(known => known.key === key)
  assert.ok(one, key)
  return by.referenceData.setSetting({ key, seen: one.value, value })
}
const messageIn = (call: Promise<unknown>) =>
  call.then(
    () => 'accepted',
    (error: Error) => error.message,
  )

test('a limit is set within its bounds, by who saw what holds, and the message tells it to a partner', async () => {
  assert.equal(await messageIn(set('feedback-per-day', 0)), '每个账号每天反馈须在 1 到 200 条之间')
  assert.equal(
    await refusalOf(operator.referenceData.setSetting({ key: 'feedback-per-day', seen: 7, value: 8 })),
    'STALE',
  )
  await set('feedback-per-day', 2)
  const submit = () => messageIn(partner.feedback.submit({ content: '好', pictureId: null }))
  assert.deepEqual(
    [await submit(), await submit(), await submit()],
    ['accepted', 'accepted', '每天最多反馈 2 条，请明天再试'],
  )
  await set('feedback-per-day', 3)
  assert.equal(await submit(), 'accepted')
  assert.equal((await partner.referenceData.limits()).values['feedback-per-day'], 3)
  assert.equal(await refusalOf(set('feedback-per-day', 9, partner)), 'FORBIDDEN')
  const { rows } = await operator.operationLog.history({ kind: 'setting', id: 'feedback-per-day' })
  assert.deepEqual(rows[0]?.changes, [{ name: '每个账号每天反馈', before: '2 条', after: '3 条' }])
})

test('what is set holds in the other instance too, which had remembered another', async () => {
  const beside = await openBeside(office)
  try {
    const { settings, database } = beside.app.services
    const held = async () => {
      const client = await database.pool.connect()
      try {
        return (await settings.memory.read(client)).get('undo-days')
      } finally {
        client.release()
      }
    }
    assert.equal(await held(), undefined)
    await set('undo-days', 20)
    const until = Date.now() + 10_000
    while ((await held()) !== 20) assert.ok(Date.now() < until, 'it never heard of the change')
  } finally {
    await beside.stop()
  }
})

const parts = (tables: { key: string }[], key: string) => {
  const found = tables.find(table => table.key === key)
  assert.ok(found, key)
  return found as unknown as Record<string, unknown[]>
}

test('the configuration goes out, into an empty office and out again as it was', async () => {
  const save = (table: string, values: Record<string, unknown>) =>
    operator.referenceData.save({ table, id: null, seen: null, values: values as never })
  await save('industries', { name: '文具' })
  await save('reasons', { kind: 'undo', name: '试用期内不满意' })
  const kept = { key: 'memo', label: '备注', required: false, secret: false }
  await save('payment-methods', { name: '新渠道', fields: [kept] })
  await operator.referenceData.retire({ table: 'industries', id: '9', from: null })
  await operator.referenceData.remove({ table: 'industries', id: '10' })
  await set('undo-days', 30)
  const file = await operator.referenceData.exportConfiguration()
  const { token, tables } = await other.referenceData.rehearse({ file })
  const industries = parts(tables, 'industries')
  assert.deepEqual(
    [industries.added?.length, industries.changed?.length, industries.removed],
    [1, 1, ['母婴用品（10）']],
  )
  assert.equal(await refusalOf(other.referenceData.importConfiguration({ file, token: 'x' })), 'FILE_CHANGED')
  await other.referenceData.importConfiguration({ file, token })
  assert.deepEqual(await other.referenceData.exportConfiguration(), file)
  const again = await other.referenceData.rehearse({ file })
  assert.ok(again.tables.every(table => [...table.added, ...table.changed, ...table.removed].length === 0))
})

test('an import takes nothing away that is in use: it is offered no more', async () => {
  const file = await operator.referenceData.exportConfiguration()
  const { id } = await operator.referenceData.save({
    table: 'industries',
    id: null,
    seen: null,
    values: { name: '乐器' },
  })
  await makeMerchant(office, agent.id, { industry_id: Number(id) })
  const { token, tables } = await operator.referenceData.rehearse({ file })
  assert.deepEqual(parts(tables, 'industries').retired, [`乐器（${id}）`])
  await operator.referenceData.importConfiguration({ file, token })
  const { rows } = await operator.referenceData.rows({ table: 'industries' })
  assert.ok(rows.find(row => row.id === id)?.retiredAt)
})

type Changed = { format: string; version: number; tables: Record<string, object[]>; settings: object }
const first = (file: Changed, table: string) => file.tables[table]?.[0] ?? {}

const BROKEN: [what: string, change: (file: Changed) => unknown, refused: string | null][] = [
  ['another format', file => Object.assign(file, { format: 'x' }), null],
  ['another version', file => Object.assign(file, { version: 2 }), null],
  ['a stranger among the tables', file => Object.assign(file.tables, { secrets: [] }), 'secrets：没有这张表'],
  ['a setting out of bounds', file => Object.assign(file.settings, { 'undo-days': 900 }), '撤销期限：'],
  [
    'a row without its name',
    file => Object.assign(first(file, 'industries'), { name: '' }),
    '请输入行业名称',
  ],
  ['a column that is none', file => Object.assign(first(file, 'industries'), { x: 1 }), '多出 x'],
  [
    'a rule of pricing that is none',
    file => Object.assign(first(file, 'versions'), { pricingRule: 'x' }),
    'pricingRule：x',
  ],
]
for (const [what, change, refused] of BROKEN)
  test(`a file with ${what} is refused whole`, async () => {
    const file = structuredClone(await other.referenceData.exportConfiguration())
    change(file)
    if (refused === null)
      assert.match(await refusalOf(other.referenceData.rehearse({ file })), /^FILE_(WRONG|VERSION)$/)
    else {
      const { token, tables } = await other.referenceData.rehearse({ file })
      assert.ok(tables.flatMap(table => table.refused).some(text => text.includes(refused)))
      assert.equal(await refusalOf(other.referenceData.importConfiguration({ file, token })), 'FILE_REFUSED')
    }
  })

test('nothing secret is in the file', async () => {
  const text = JSON.stringify(await operator.referenceData.exportConfiguration())
  for (const secret of ['passwordHash', 'paymentConfig', 'sealed', 'tokenHash'])
    assert.ok(!text.includes(secret))
})

test('a column is called as its field, in every table of the file', () => {
  const fields = { name: { kind: 'text', label: '商品名称' } } as const
  const labels = { name: '名字', tags: '标签' }
  assert.deepEqual(
    ['name', 'tags', 'remark', 'other'].map(column => labelOf({ fields, labels }, column)),
    ['商品名称', '标签', '备注', 'other'],
  )
})
