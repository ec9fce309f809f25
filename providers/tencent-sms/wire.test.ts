import assert from 'node:assert/strict'
import test from 'node:test'
import { fromE164, readSeconds, readTime, toE164 } from './wire.ts'

test('mainland numbers get their country code and lose it again', () => {
  assert.equal(toE164('13800001234'), '+8613800001234')
  assert.equal(fromE164(toE164('13800001234')), '13800001234')
  assert.equal(fromE164('13800001234'), '13800001234')
  assert.equal(fromE164('+85261234567'), '+85261234567')
})

test('times of receipts are those of Shanghai, those of answers whole seconds', () => {
  assert.equal(readTime('2015-10-17 08:03:04'), '2015-10-17T00:03:04.000Z')
  assert.equal(readSeconds(1551113065), '2019-02-25T16:44:25.000Z')
  for (const wrong of ['', '2015-10-17', '2015-10-40 08:03:04', 5, null]) assert.equal(readTime(wrong), null)
  for (const wrong of ['1551113065', 1.5, 1e20, undefined]) assert.equal(readSeconds(wrong), null)
})
