import assert from 'node:assert/strict'
import test from 'node:test'
import { readTime } from './wire.ts'

test('times are those of Shanghai, and what is no time is null', () => {
  assert.equal(readTime('2026-11-20 00:30:00'), '2026-11-19T16:30:00.000Z')
  for (const wrong of ['', '2026-11-20', '2026-13-20 00:30:00', '2026-11-20T00:30:00', 17, undefined])
    assert.equal(readTime(wrong), null, String(wrong))
})
