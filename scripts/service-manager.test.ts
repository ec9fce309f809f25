import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after, before } from 'node:test'
import { isAlive } from '#server/process-lock.ts'
import { comesTrue } from '#test/patience.ts'
import { holdSocket } from '#test/socket-holder.ts'
import { aliveEveryMs, givenSocket, tellServiceManager } from './service-manager.ts'

let folder: string
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'partner-office-manager-'))
})
after(() => rmSync(folder, { recursive: true, force: true }))

for (const [what, env, expected] of [
  ['nothing', {}, null],
  ['one of ours', { LISTEN_PID: '7', LISTEN_FDS: '1' }, 3],
  ['one of the program that began us', { LISTEN_PID: '6', LISTEN_FDS: '1' }, null],
  ['none', { LISTEN_PID: '7', LISTEN_FDS: '0' }, null],
] as const)
  test(`of the sockets given, ${what}: ${expected}`, () => assert.equal(givenSocket(env, 7), expected))

test('it is said twice within what is waited for, where somebody listens', () => {
  const listens = { NOTIFY_SOCKET: '/run/notify' }
  assert.equal(aliveEveryMs({ ...listens, WATCHDOG_USEC: '60000000' }), 30_000)
  assert.equal(aliveEveryMs(listens), null)
  assert.equal(aliveEveryMs({ WATCHDOG_USEC: '60000000' }), null)
})

/** What was told, a word each, by a stand-in for systemd-notify. */
function manager(status: number) {
  const heard = join(folder, `heard-${status}`)
  const program = join(folder, 'systemd-notify')
  writeFileSync(program, `#!/bin/sh\necho "$1" >> ${heard}\nexit ${status}\n`)
  chmodSync(program, 0o755)
  const env = { PATH: `${folder}:${process.env.PATH}`, NOTIFY_SOCKET: 'x', WATCHDOG_USEC: '20000' }
  return { env, heard: () => (existsSync(heard) ? readFileSync(heard, 'utf8').split('\n') : []) }
}

test('ready, alive and stopping are told', async () => {
  const { env, heard } = manager(0)
  const problems: Error[] = []
  const telling = tellServiceManager(problem => problems.push(problem), env)
  assert.ok(await comesTrue(() => heard().includes('WATCHDOG=1')))
  telling.stop()
  assert.ok(await comesTrue(() => heard().includes('STOPPING=1')))
  assert.equal(heard()[0], 'READY=1')
  assert.deepEqual(problems, [])
})

test('what could not be told is a problem, and where nobody listens nothing is told', async () => {
  const problems: string[] = []
  const telling = tellServiceManager(({ message }) => problems.push(message), manager(1).env)
  assert.ok(await comesTrue(() => problems.length > 0))
  telling.stop()
  assert.match(problems[0] ?? '', /^systemd-notify READY=1 ended with 1$/)
  tellServiceManager(assert.fail, {}).stop()
})

const CHILD = `
  import { createServer } from 'node:http'
  const { givenSocket } = await import(process.argv[1])
  createServer((_, answer) => answer.end(String(process.pid))).listen({ fd: givenSocket() })
  // A test that fails kills it no more.
  setTimeout(() => process.exit(), 60_000)`

test('who calls while the program is started anew waits, and is answered by the next', async () => {
  const program = new URL('./service-manager.ts', import.meta.url).href
  const command = [process.execPath, '--input-type=module', '-e', CHILD, program]
  const held = await holdSocket(0, command, { errors: 'ignore' })
  try {
    // On a connection of its own: one that was kept would be that of the program that is gone.
    const alone = { headers: { connection: 'close' } }
    const ask = async () => Number(await (await fetch(`http://127.0.0.1:${held.port}`, alone)).text())
    held.start()
    const first = await ask()
    process.kill(first)
    assert.ok(await comesTrue(() => !isAlive(first)))
    const waiting = ask()
    held.start()
    const second = await waiting
    assert.notEqual(second, first)
    process.kill(second)
  } finally {
    await held.end()
  }
})
