import assert from 'node:assert/strict'
import test from 'node:test'
import { cleanCell } from './server-check.ts'

test('a phone is read as the digits that are dialled', () => {
  for (const text of [
    '138-0013-8000',
    '+86 138 0013 8000',
    '0086（138）0013.8000',
    '１３８００１３８０００ ',
    '\u202d13800138000\u202c',
    '13800138000.0',
  ])
    assert.equal(cleanCell('account', text), '13800138000', text)
})

test('a number with decimals is no phone of somebody else', () => {
  for (const text of ['1380013800.0', '1380013800.00', '138001380.00', '1380013.8', '0755123456.0'])
    assert.equal(cleanCell('account', text), text)
})

test('a phone of a place keeps its dashes: behind the last may stand an extension', () => {
  assert.equal(cleanCell('shopPhone', '０７５５－１２３４５６７－８'), '0755-1234567-8')
})

test('every other cell is read as what its column is', () => {
  assert.equal(cleanCell('registeredAt', '2024-01-05 12:30'), '2024-01-05 12:30')
  assert.equal(cleanCell('shopName', '𠮷野家•南山\u200b'), '𠮷野家•南山')
  assert.equal(cleanCell('sms', '１ ０００'), '1000')
})
