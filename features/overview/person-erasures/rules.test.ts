import assert from 'node:assert/strict'
import test from 'node:test'
import { maskName, refuseAsk, refuseItems, refuseLook, refuseStep } from './rules.ts'

const TODAY = '2026-11-30'

test('a phone is asked for, a name and a number of an identity card may be given', () => {
  const keys = { phone: '13900000001', name: '', idNumber: '' }
  assert.equal(refuseLook(keys, TODAY), null)
  assert.equal(refuseLook({ ...keys, phone: '' }, TODAY)?.code, 'PHONE_REQUIRED')
  assert.equal(refuseLook({ ...keys, phone: '12345' }, TODAY)?.code, 'PHONE_FORMAT')
  assert.equal(refuseLook({ ...keys, name: '名'.repeat(41) }, TODAY)?.code, 'NAME_TOO_LONG')
  assert.equal(refuseLook({ ...keys, idNumber: '11010519491231002X' }, TODAY), null)
  assert.equal(refuseLook({ ...keys, idNumber: '110105194912310021' }, TODAY)?.code, 'ID_NUMBER_WRONG')
})

test('a request says when, how and why', () => {
  const asked = { reason: '本人来电', askedOn: '2026-11-30', channel: 'phone' as const }
  assert.equal(refuseAsk(asked, TODAY), null)
  assert.equal(refuseAsk({ ...asked, askedOn: null }, TODAY)?.code, 'ASKED_ON_REQUIRED')
  assert.equal(refuseAsk({ ...asked, askedOn: '2026-12-01' }, TODAY)?.code, 'ASKED_ON_LATER')
  assert.equal(refuseAsk({ ...asked, channel: null }, TODAY)?.code, 'CHANNEL_REQUIRED')
  assert.equal(refuseAsk({ ...asked, reason: ' ' }, TODAY)?.code, 'REASON_REQUIRED')
})

test('nothing is erased where nothing is chosen, or something stands in the way of what is', () => {
  const item = { chosen: true, fate: 'masked' as const, block: null }
  assert.equal(refuseItems([item]), null)
  assert.equal(refuseItems([]), 'NOTHING_CHOSEN')
  assert.equal(refuseItems([{ ...item, fate: 'stays' }]), 'NOTHING_CHOSEN')
  assert.equal(refuseItems([item, { ...item, block: 'owner' }]), 'BLOCKED')
  assert.equal(refuseItems([item, { ...item, chosen: false, block: 'owner' }]), null)
})

test('a step is taken from where it begins', () => {
  assert.equal(refuseStep('found', 'ask'), null)
  assert.equal(refuseStep('asked', 'approve'), null)
  assert.equal(refuseStep('running', 'withdraw'), 'STEP_NOT_NOW')
  assert.equal(refuseStep('done', 'ask'), 'STEP_NOT_NOW')
})

test('a name shows its first letter and its last', () => {
  assert.deepEqual(['', '李', '李明', '欧阳明', '欧阳小明'].map(maskName), [
    '',
    '*',
    '李*',
    '欧*明',
    '欧**明',
  ])
})
