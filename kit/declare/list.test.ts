import assert from 'node:assert/strict'
import test from 'node:test'
import type { Fields } from './fields.ts'
import { byWord, fileKeys, filterText, list, paramsOf, readParams } from './list.ts'
import { fileOf, listInput } from './list-input.ts'
import * as z from './z.ts'

const FIELDS = {
  id: { kind: 'id', label: '编号' },
  status: { kind: 'word', label: '状态', words: { open: '待办', done: '完成' } },
  createdAt: { kind: 'instant', label: '创建时间' },
  amountCents: { kind: 'money', label: '金额', unit: '代币' },
  note: { kind: 'text', label: '备注' },
} as const satisfies Fields

const TASKS = list({
  key: 'tasks.list',
  title: '任务',
  fields: FIELDS,
  columns: { id: { also: ['note'] }, status: {}, createdAt: {}, amountCents: { fileOnly: true } },
  search: '编号',
  filters: {
    status: byWord(FIELDS.status),
    created: { kind: 'days', label: '时间', params: ['from', 'to'] },
    paid: { kind: 'days', label: '支付时间' },
    agentId: { kind: 'id', label: '代理商' },
    age: { kind: 'number', label: '天数', choices: [[7, '一周']] },
    urgent: { kind: 'flag', label: '加急', words: { true: '仅加急' } },
    open: { kind: 'flag', label: '未结', words: { false: '已结', true: '未结' } },
    of: { kind: 'word', label: '对象', words: { shop: '商户', agent: '代理商' }, initial: 'shop' },
    code: { kind: 'text', label: '错误码' },
  },
  sorts: ['createdAt'],
  file: { path: '/tasks.xlsx', permission: 'tasks.export', log: '导出任务', name: '任务' },
})

test('a range of days owns two parameters, every other filter its own', () => {
  const names = Object.entries(TASKS.filters).map(([key, filter]) => paramsOf(key, filter))
  assert.deepEqual(names, [
    ['status'],
    ['from', 'to'],
    ['paidFrom', 'paidTo'],
    ['agentId'],
    ['age'],
    ['urgent'],
    ['open'],
    ['of'],
    ['code'],
  ])
})

test('an address is read as the list declares it, and what it does not declare is not the list’s', () => {
  const address = {
    page: '2',
    status: 'open',
    agentId: '12',
    age: '7',
    urgent: 'true',
    code: '12',
    from: '2026-01-01',
    search: '7',
    user_id: '5',
    view: 'x',
  }
  const { user_id: _open, view: _view, ...own } = address
  assert.deepEqual(readParams(TASKS, address), { ...own, page: 2, agentId: 12, age: 7, urgent: true })
  assert.deepEqual(readParams(TASKS, { agentId: 'x', sort: '' }), { agentId: 'x' })
})

test('a chip says what is filtered, and an unknown value as it stands in the address', () => {
  const text = (key: keyof typeof TASKS.filters, params: object) =>
    filterText(key, TASKS.filters[key], params as Record<string, unknown>)
  assert.equal(text('status', { status: 'open' }), '待办')
  assert.equal(text('status', { status: 'gone' }), 'gone')
  assert.equal(text('age', { age: 7 }), '一周')
  assert.equal(text('urgent', { urgent: true }), '仅加急')
  assert.equal(text('open', { open: false }), '已结')
  assert.equal(text('of', { of: 'agent' }), '代理商')
  assert.equal(text('of', { of: 'shop' }), null)
  assert.equal(text('created', { from: '2026-01-01', to: '2026-01-02' }), '2026-01-01 至 2026-01-02')
  assert.equal(text('created', { from: '2026-01-01' }), '2026-01-01 起')
  assert.equal(text('paid', { paidTo: '2026-01-02' }), '2026-01-02 止')
  assert.equal(text('agentId', { agentId: 3 }), '3')
  assert.equal(text('agentId', {}), null)
})

test('the request takes what the list declares and refuses other values', () => {
  const input = z.object(listInput(TASKS))
  assert.deepEqual(input.parse({ status: 'done', agentId: '3', urgent: 'true', from: '2026-01-01' }), {
    page: 1,
    size: 10,
    sort: 'createdAt',
    order: 'desc',
    status: 'done',
    agentId: 3,
    urgent: true,
    from: '2026-01-01',
  })
  for (const wrong of [{ status: 'gone' }, { agentId: 'x' }, { from: '1.1.2026' }, { sort: 'status' }])
    assert.equal(input.safeParse(wrong).success, false, JSON.stringify(wrong))
})

test('a file has a column for every field that a cell shows, and takes the list’s filters', () => {
  assert.deepEqual(fileKeys(TASKS), ['id', 'note', 'status', 'createdAt', 'amountCents'])
  const file = fileOf(TASKS)
  assert.equal(file.fileName, '任务')
  assert.equal(file.input.parse({ status: 'open', columns: 'id,status' }).columns, 'id,status')
  assert.equal(file.input.safeParse({ status: 'gone' }).success, false)
})
