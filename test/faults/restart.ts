// npm run faults -- restart: the program, and then its database with it, is killed again and again while many look at a list. Prints how
// soon it is ready, and how many of them are served within the second after that; fails where it takes more than 3 s.
//   --kills N   of each (5)     --clients N (64)
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { readLists } from './list-readers.ts'
import { createOneAgent, LOGIN_NAME } from './one-agent.ts'
import { withOwner } from './payments-killed.ts'
import { signIn } from './scene.ts'
import { supervise, type Victim } from './supervisor.ts'

const READY_WITHIN_MS = 3_000
const BETWEEN_KILLS_MS = 3_000
const SERVED_MS = 1_000
const KILLS: readonly Victim[] = ['app', 'both']

const { values } = parseArgs({
  args: process.argv.slice(2).filter(argument => argument !== 'restart'),
  options: { kills: { type: 'string', default: '5' }, clients: { type: 'string', default: '64' } },
})
const dataDir = mkdtempSync(join(tmpdir(), 'partner-office-restart-'))
const supervisor = await supervise(dataDir, { SECRET_KEY: randomBytes(32).toString('hex') })
let isLate = false
try {
  await withOwner(dataDir, createOneAgent)
  const cookie = await signIn(supervisor.url, LOGIN_NAME)
  const readers = readLists([`${supervisor.url}/api/merchants`], cookie, Number(values.clients))
  for (const victim of KILLS) {
    const readyMs: number[] = []
    let [served, looks] = [0, 0]
    for (let n = 0; n < Number(values.kills); n++) {
      await pause(BETWEEN_KILLS_MS)
      readyMs.push(await supervisor.kill(victim))
      const readyAt = Date.now()
      await pause(SERVED_MS)
      const after = readers.within(readyAt, readyAt + SERVED_MS)
      looks += after.length
      served += after.filter(({ failure }) => failure === null).length
    }
    const sorted = readyMs.toSorted((a, b) => a - b)
    const most = Math.max(...sorted)
    isLate ||= most > READY_WITHIN_MS
    process.stdout.write(
      `${victim.padEnd(5)} kills=${sorted.length} clients=${values.clients} ready_ms_median=${sorted[sorted.length >> 1]} ready_ms_most=${most} served=${served}/${looks}\n`,
    )
  }
  await readers.stop()
} finally {
  await supervisor.stop()
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
}
process.stdout.write(`restart ${isLate ? 'FAILED' : 'passed'} falls=${supervisor.fallsOf()}\n`)
process.exitCode = isLate ? 1 : 0
