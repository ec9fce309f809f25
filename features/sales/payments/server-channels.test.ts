// A channel is one record: test/third-channel.ts adds a third one before the program is loaded, so it has a process of its own.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import test from 'node:test'
import { fileURLToPath } from 'node:url'

const FILE = fileURLToPath(new URL('../../../test/third-channel.ts', import.meta.url))

test('a third channel, which one record and one client make, works from the cashier to the bill', () => {
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env
  const args = ['--disable-warning=ExperimentalWarning', '--test', '--test-reporter=spec', FILE]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
  assert.equal(status, 0, `${stdout}${stderr}`)
  assert.match(stdout, /pass 4\b/)
})
