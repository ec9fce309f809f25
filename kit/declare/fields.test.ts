import assert from 'node:assert/strict'
import test from 'node:test'
import { blankOf, type Fields, labelsIn, trimmed } from './fields.ts'
import { brokenOf } from './form.ts'

const FIELDS = {
  name: {
    kind: 'text',
    label: '名称',
    max: 3,
    in: ['add', 'edit'],
    control: { as: 'text', group: 'a', required: true },
  },
  note: { kind: 'text', label: '备注', max: 3, in: ['add', 'log'], control: { as: 'text', group: 'a' } },
  phone: { kind: 'phone', label: '电话', max: 3, in: ['add'] },
  typeId: { kind: 'id', label: '类型', in: ['add', 'log'] },
  open: { kind: 'flag', label: '开通', in: ['add'] },
} as const satisfies Fields

test('a form begins with nothing typed and nothing chosen', () => {
  assert.deepEqual(blankOf(FIELDS, 'add'), { name: '', note: '', phone: '', typeId: null, open: false })
  assert.deepEqual(blankOf(FIELDS, 'edit'), { name: '' })
})

test('a declared text that is missing or too long is told at its field, counted in characters without blanks around', () => {
  const broken = (draft: object) => brokenOf(FIELDS, { ...blankOf(FIELDS, 'add'), name: '店', ...draft })
  assert.deepEqual(broken({}), [])
  assert.deepEqual(broken({ name: ' 𠮷𠮷𠮷 ', note: '一二三' }), [])
  assert.deepEqual(broken({ name: '  ' }), [{ field: 'name', message: '请输入名称' }])
  assert.deepEqual(broken({ name: '一二三四', note: '一二三四' }), [
    { field: 'name', message: '名称不得超过3字' },
    { field: 'note', message: '备注不得超过3字' },
  ])
})

test('a field without a control is judged by rules alone, and so is one that the form does not hold', () => {
  assert.deepEqual(brokenOf(FIELDS, { name: '店', phone: '12345' }), [])
  assert.deepEqual(brokenOf(FIELDS, {}), [])
})

test('texts are sent without the blanks around them, a secret as it was typed', () => {
  assert.deepEqual(trimmed({ name: ' a ', secret: ' b ', count: 1 }, 'secret'), {
    name: 'a',
    secret: ' b ',
    count: 1,
  })
})

test('the names of a place are the labels of its fields', () => {
  assert.deepEqual(labelsIn(FIELDS, 'log'), { note: '备注', typeId: '类型' })
})
