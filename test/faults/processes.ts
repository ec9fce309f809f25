// npm run faults -- processes: an office of several processes, one of which is killed every few seconds while callers read and write, and pages
// listen. Fails where a caller is not answered by its first retry, a change is lost or happens twice, or a page does not come back.
//   --processes N (2)     --seconds N (60)     --every N seconds (3)     --callers N (32)
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { buildPageIfNeeded } from '#scripts/build-page.ts'
import { buildServerIfNeeded } from '#scripts/build-server.ts'
import { ROOT } from '#scripts/checks.ts'
import { OFFICE_PROCESS } from '#server/children.ts'
import { startEmbeddedPostgres } from '#server/postgres/embedded-postgres.ts'
import { freePort } from '#test/free-port.ts'
import { memoryOf, startBuilt, treeOf } from '../../bench/built.ts'
import { createOneAgent, LOGIN_NAME } from './one-agent.ts'
import { withOwner } from './payments-killed.ts'
import { areBack, callOn, changesIn, openPage } from './retrying.ts'
import { signIn } from './scene.ts'

const PAGES = 12
const SERVING_WITHIN_MS = 30_000

const { values } = parseArgs({
  args: process.argv.slice(2).filter(argument => argument !== 'processes'),
  options: {
    processes: { type: 'string', default: '2' },
    seconds: { type: 'string', default: '60' },
    every: { type: 'string', default: '3' },
    callers: { type: 'string', default: '32' },
  },
})
const say = (line: string) => void process.stdout.write(`${line}\n`)

const found = { calls: 0, retried: 0, changes: 0, kills: 0 }
const breaches: string[] = []
const dataDir = mkdtempSync(join(tmpdir(), 'partner-office-processes-'))
await buildPageIfNeeded(ROOT, say)
await buildServerIfNeeded(ROOT, say)
const database = await startEmbeddedPostgres({ dataDir, log: () => undefined })
try {
  const office = await startBuilt({
    ...{ DATABASE_URL: database.ownerUrl, SECRET_KEY: randomBytes(32).toString('hex'), DATA_DIR: dataDir },
    ...{
      PROCESSES: values.processes,
      PORT: String(await freePort()),
      LOG_LEVEL: 'silent',
      SIMULATORS: 'off',
    },
  })
  try {
    await withOwner(dataDir, createOneAgent)
    const cookie = await signIn(office.url, LOGIN_NAME)
    const pages = Array.from({ length: PAGES }, () => openPage({ url: office.url, cookie }))
    await areBack(pages, breaches)
    let open = true
    const people = { url: office.url, cookie, found, breaches, isOpen: () => open }
    const calling = Promise.all(
      Array.from({ length: Number(values.callers) }, (_, nth) => callOn(people, nth)),
    )
    const backMs: number[] = []
    const until = Date.now() + Number(values.seconds) * 1_000
    while (Date.now() < until) {
      await pause(Number(values.every) * 1_000)
      const living = processesOf(office.pid)
      const victim = living[found.kills % living.length]
      if (!victim) throw new Error('no process is left')
      process.kill(victim, 'SIGKILL')
      found.kills++
      backMs.push(await areBack(pages, breaches))
      await areServing(office.url)
    }
    open = false
    await calling
    const memory = [office.pid, ...processesOf(office.pid)].map(pid => Math.round(memoryOf(pid).share))
    for (const page of pages) page.close()
    const written = await withOwner(dataDir, changesIn)
    if (written !== found.changes)
      breaches.push(`${found.changes} changes were acknowledged, ${written} happened`)
    for (const breach of breaches.slice(0, 10)) say(`breach: ${breach}`)
    const figures = { processes: values.processes, ...found, written, breaches: breaches.length }
    const line = Object.entries(figures).map(([name, value]) => `${name}=${value}`)
    say(
      `processes ${breaches.length > 0 ? 'FAILED' : 'passed'} ${line.join(' ')} sockets=${PAGES} back_ms_most=${Math.max(...backMs)} memory_mb=${memory.join('+')}`,
    )
  } finally {
    await office.stop()
  }
} finally {
  await database.stop()
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
}
process.exitCode = breaches.length > 0 ? 1 : 0

/** Those behind the listener, by their numbers. */
function processesOf(pid: number): number[] {
  const nth = ({ command }: { command: string }) =>
    Number(command.slice(command.indexOf(OFFICE_PROCESS) + OFFICE_PROCESS.length))
  return treeOf(pid)
    .filter(({ command }) => command.includes(OFFICE_PROCESS))
    .sort((one, other) => nth(one) - nth(other))
    .map(one => one.pid)
}

/** Until the one that was killed has a successor that answers: two are never away at once. */
async function areServing(url: string): Promise<void> {
  const until = Date.now() + SERVING_WITHIN_MS
  while (Date.now() < until) {
    const told = await (await fetch(`${url}/metrics`)).text()
    const all = new Set(told.match(/^process_start_time_seconds\{process="\d+"\}/gm))
    if (all.size === Number(values.processes)) return
    await pause(100)
  }
  breaches.push(`no successor within ${SERVING_WITHIN_MS} ms`)
}
