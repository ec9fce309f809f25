import assert from 'node:assert/strict'
import test from 'node:test'
import { signToken } from './wire.ts'

test('the token is the HMAC of the lot number under the key', () => {
  // Test case 2 of RFC 4231.
  assert.equal(
    signToken('what do ya want for nothing?', 'Jefe'),
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  )
  assert.notEqual(
    signToken('what do ya want for nothing!', 'Jefe'),
    signToken('what do ya want for nothing?', 'Jefe'),
  )
  assert.notEqual(
    signToken('what do ya want for nothing?', 'jefe'),
    signToken('what do ya want for nothing?', 'Jefe'),
  )
})
