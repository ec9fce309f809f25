import assert from 'node:assert/strict'
import test from 'node:test'
import { systemOf } from './packs.ts'

test('the program is offered for the system that asks, and for none that it is not packed for', () => {
  const cases = [
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/150.0', 'win-x64'],
    ['Mozilla/5.0 (X11; Linux x86_64) Chrome/150.0', 'linux-x64'],
    ['Mozilla/5.0 (X11; Linux aarch64; rv:140.0) Firefox/140.0', 'linux-arm64'],
    ['Mozilla/5.0 (Linux; Android 16) Chrome/150.0 Mobile', null],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari/605', null],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X)', null],
  ] as const
  for (const [agent, system] of cases) assert.equal(systemOf(agent), system, agent)
})
