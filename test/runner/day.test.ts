import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { momentOf } from './day.ts'

const DAY_MODULE = fileURLToPath(new URL('day.ts', import.meta.url))

test('a day is its morning in Shanghai, a minute is that minute', () => {
  assert.equal(momentOf('2028-02-29').toISOString(), '2028-02-29T02:00:00.000Z')
  assert.equal(momentOf('2026-12-31 23:50').toISOString(), '2026-12-31T15:50:00.000Z')
  for (const text of ['', 'today', '2027-02-29', '2026-12-31 24:00', '2026-12-31 9:00', '2026-12-31 09:00 x'])
    assert.throws(() => momentOf(text), /--on takes/, text)
})

test('a program that is told of another moment lives in it, and makes dates as ever otherwise', () => {
  const program = `
    const date = new Date()
    const told = [date.getTime() - performance.timeOrigin > 80_000_000, Date.now() - date.getTime() < 60_000,
      date instanceof Date, date.constructor === Date, new Date(0).getTime() === 0, new Date('2026-01-31').getUTCDate() === 31,
      typeof Date() === 'string', Date.UTC(2026, 0, 1) === Date.parse('2026-01-01'), structuredClone(date) instanceof Date]
    process.stdout.write(told.join())`
  const { stdout } = spawnSync(
    process.execPath,
    [`--import=${DAY_MODULE}`, '--input-type=module', '-e', program],
    {
      env: { ...process.env, TEST_CLOCK_MOVED_MS: '86400000' },
      encoding: 'utf8',
    },
  )
  assert.equal(stdout, Array(9).fill('true').join())
})
