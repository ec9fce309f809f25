import assert from 'node:assert/strict'
import test from 'node:test'
import type { Cells } from './rules.ts'
import { mended } from './server-check.ts'
import type { Facts } from './server-facts.ts'

const NONE = {} as Facts
const account = (text: string): Cells => ({ account: text })

test('a phone is mended to the digits that are dialled', () => {
  for (const text of [
    '138-0013-8000',
    '+86 138 0013 8000',
    '0086（138）0013.8000',
    '１３８００１３８０００ ',
  ])
    assert.deepEqual(mended('dialing', 'account', account(text), NONE), account('13800138000'), text)
})

test('a number with decimals is no phone of somebody else', () => {
  for (const text of ['1380013800.0', '1380013800.00', '138001380.00', '1380013.8'])
    assert.equal(mended('dialing', 'account', account(text), NONE), null, text)
})
