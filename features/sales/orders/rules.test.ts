import assert from 'node:assert/strict'
import test from 'node:test'
import {
  contentBeside,
  refuseUndo,
  refuseUndoReason,
  type ShopEffect,
  termsWithout,
  UNDO_REFUSALS,
  type UndoRefusal,
} from './rules.ts'

const NOW = '2026-11-21T04:00:00.000Z'
const paid = (paidAt: string | null) => ({ isPaid: paidAt !== null, isUndone: false, paidAt })
const TIMES: [string, Parameters<typeof refuseUndo>[0], UndoRefusal | null][] = [
  ['paid a moment ago', paid(NOW), null],
  ['15 days to the moment', paid('2026-11-06T04:00:00.000Z'), null],
  ['a moment more than 15 days', paid('2026-11-06T03:59:59.999Z'), 'UNDO_TOO_LATE'],
  ['not paid', paid(null), 'UNDO_NOT_PAID'],
  ['undone', { isPaid: false, isUndone: true, paidAt: NOW }, 'UNDO_DONE'],
  ['undone long ago', { isPaid: false, isUndone: true, paidAt: '2025-01-01T00:00:00.000Z' }, 'UNDO_DONE'],
]
for (const [name, order, expected] of TIMES)
  test(`an order ${name}: ${expected ?? 'can be undone'}`, () => {
    assert.equal(refuseUndo(order, NOW, 15), expected)
  })

const CONTENTS: [string, string | null, string][] = [
  ['续费 蓝湾面馆 高级版', '蓝湾面馆', '续费 高级版'],
  ['增购店铺 2 家 蓝湾 面馆 永久版', '蓝湾 面馆', '增购店铺 2 家 永久版'],
  ['撤销 续费 蓝湾面馆 高级版', '蓝湾面馆', '撤销 续费 高级版'],
  ['续费 高级版 高级版', '高级版', '续费 高级版'],
  ['续费 蓝湾面馆 高级版', '蓝湾酒家', '续费 蓝湾面馆 高级版'],
  ['续费 蓝湾面馆 高级版', '面馆', '续费 蓝湾面馆 高级版'],
  ['新增商户 蓝湾面馆 高级版', null, '新增商户 蓝湾面馆 高级版'],
  ['代币充值', '', '代币充值'],
]
for (const [content, shopName, expected] of CONTENTS)
  test(`「${content}」 beside ${shopName ?? 'no shop'} reads 「${expected}」`, () => {
    assert.equal(contentBeside(content, shopName), expected)
  })

const EFFECT: ShopEffect = {
  merchantId: 7,
  versionBefore: 12,
  versionAfter: 78,
  expiresBefore: '2027-01-31T00:00:00.000Z',
  expiresAfter: '2028-01-31T00:00:00.000Z',
  termDayBefore: 31,
  termDayAfter: 31,
  shopsBefore: 1,
  shopsAfter: 3,
}
const WITHOUT: [string, Partial<ShopEffect>, string | null, string | null][] = [
  ['its days go', {}, '2028-01-31T00:00:00.000Z', '2027-01-31T00:00:00.000Z'],
  ['days given since stay', {}, '2028-02-10T00:00:00.000Z', '2027-02-10T00:00:00.000Z'],
  ['a term made permanent since stays so', {}, null, null],
  ['a lifetime becomes the term before it', { expiresAfter: null }, null, '2027-01-31T00:00:00.000Z'],
  [
    'a lifetime that was given an end keeps that',
    { expiresAfter: null },
    '2029-05-01T00:00:00.000Z',
    '2029-05-01T00:00:00.000Z',
  ],
  ['what was permanent stays so', { expiresBefore: null, expiresAfter: null }, null, null],
  [
    'a term left alone stays',
    { expiresAfter: EFFECT.expiresBefore },
    '2029-03-10T02:30:00.000Z',
    '2029-03-10T02:30:00.000Z',
  ],
]
for (const [name, changes, present, expected] of WITHOUT)
  test(`undone: ${name}`, () => {
    assert.deepEqual(termsWithout({ ...EFFECT, ...changes }, { expiresAt: present, termDay: 28 }), {
      versionId: 12,
      expiresAt: expected,
      termDay: 31,
      shopsBought: 1,
    })
  })

const DAYS: [string, Partial<ShopEffect>, number | null][] = [
  [
    'an effect of before days were remembered leaves the day that the shop has',
    { termDayBefore: null, termDayAfter: null },
    30,
  ],
  ['a term that kept the day of its end does so again', { termDayBefore: null, termDayAfter: 30 }, null],
  ['a term that became for ever has its day again', { termDayAfter: null }, 31],
]
for (const [name, changes, expected] of DAYS)
  test(`undone: ${name}`, () => {
    const present = { expiresAt: EFFECT.expiresAfter, termDay: 30 }
    assert.equal(termsWithout({ ...EFFECT, ...changes }, present).termDay, expected)
  })

test('an undo has a reason of at most 50 characters', () => {
  assert.equal(refuseUndoReason('  '), 'UNDO_REASON_REQUIRED')
  assert.equal(refuseUndoReason('因'.repeat(50)), null)
  assert.equal(refuseUndoReason('因'.repeat(51)), 'UNDO_REASON_TOO_LONG')
  assert.equal(UNDO_REFUSALS.UNDO_REASON_REQUIRED, '请输入撤销原因')
})
