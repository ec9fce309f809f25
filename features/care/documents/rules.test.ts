import assert from 'node:assert/strict'
import test from 'node:test'
import { maskNumber } from './rules.ts'

test('a number shows where it begins and ends, a short one less', () => {
  for (const [number, shown] of [
    ['110101199003070012', '110101********0012'],
    ['91350211M000100Y43', '913502********0Y43'],
    ['12345678901', '123456*8901'],
    ['1234567890', '1********0'],
    ['123', '1*3'],
    ['12', '**'],
    ['', ''],
  ] as const)
    assert.equal(maskNumber(number), shown)
})
