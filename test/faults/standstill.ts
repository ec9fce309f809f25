// npm run faults -- standstill: the database's processes are stopped for a while, as those of a machine that hangs, while people look at
// lists and change shops. Every answer must come within 5 s and /readyz within 1 s; once it goes on, reading and writing must soon, too.
//   --seconds N (30)
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createOneAgent, FIRST_SHOP, LOGIN_NAME } from './one-agent.ts'
import { withOwner } from './payments-killed.ts'
import { signIn } from './scene.ts'
import { supervise } from './supervisor.ts'

const PEOPLE = 16
const REST_MS = 100
const BEFORE_MS = 2_000
const HEALED_WITHIN_MS = 10_000
const LIMITS = { answer: 5_000, ready: 1_000, read: 2_000, write: 2_000 } as const

const { values } = parseArgs({
  args: process.argv.slice(2).filter(argument => argument !== 'standstill'),
  options: { seconds: { type: 'string', default: '30' } },
})

type Asked = { kind: 'read' | 'write' | 'ready'; at: number; ms: number; status: number }
const asked: Asked[] = []
let open = true

const dataDir = mkdtempSync(join(tmpdir(), 'partner-office-standstill-'))
const supervisor = await supervise(dataDir, { SECRET_KEY: randomBytes(32).toString('hex') })
const breaches: string[] = []
try {
  await withOwner(dataDir, createOneAgent)
  const cookie = await signIn(supervisor.url, LOGIN_NAME)
  const asking = [
    ...Array.from({ length: PEOPLE }, (_, nth) => ask(nth % 2 === 0 ? 'read' : 'write', cookie, nth)),
    ask('ready', cookie, 0),
  ]
  await pause(BEFORE_MS)
  const stoppedAt = performance.now()
  const processes = databaseProcesses()
  signal(processes, 'SIGSTOP')
  await pause(Number(values.seconds) * 1_000)
  const wentOnAt = performance.now()
  signal(processes, 'SIGCONT')
  await pause(HEALED_WITHIN_MS)
  open = false
  await Promise.all(asking)
  judge(stoppedAt, wentOnAt)
} finally {
  for (const breach of breaches) process.stdout.write(`breach: ${breach}\n`)
  await supervisor.stop()
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
}
process.exitCode = breaches.length > 0 ? 1 : 0

function judge(stoppedAt: number, wentOnAt: number): void {
  const during = asked.filter(({ at, ms }) => at + ms >= stoppedAt && at < wentOnAt)
  const longest = (kinds: readonly Asked['kind'][]) =>
    Math.round(Math.max(0, ...during.filter(({ kind }) => kinds.includes(kind)).map(({ ms }) => ms)))
  const healed = (kind: Asked['kind']) => {
    const first = asked.find(one => one.kind === kind && one.status === 200 && one.at + one.ms >= wentOnAt)
    return first ? Math.round(first.at + first.ms - wentOnAt) : HEALED_WITHIN_MS
  }
  const figures = {
    answer: longest(['read', 'write']),
    ready: longest(['ready']),
    read: healed('read'),
    write: healed('write'),
  }
  for (const [what, ms] of Object.entries(figures) as [keyof typeof LIMITS, number][])
    if (ms > LIMITS[what]) breaches.push(`${what} took ${ms} ms`)
  const odd = during.filter(({ status }) => status !== 200 && status !== 503)
  if (odd.length > 0)
    breaches.push(`${odd.length} answers were neither 200 nor 503, such as ${odd[0]?.status}`)
  const line = {
    stopped_s: values.seconds,
    answers: during.length,
    answer_most_ms: figures.answer,
    readyz_most_ms: figures.ready,
    healed_read_ms: figures.read,
    healed_write_ms: figures.write,
    falls: supervisor.fallsOf(),
  }
  const text = Object.entries(line).map(([name, value]) => `${name}=${value}`)
  process.stdout.write(`standstill ${breaches.length > 0 ? 'FAILED' : 'passed'} ${text.join(' ')}\n`)
}

async function ask(kind: Asked['kind'], cookie: string, nth: number): Promise<void> {
  const shop = FIRST_SHOP + nth
  for (let turn = 0; open; turn++) {
    const at = performance.now()
    const answer = await (kind === 'write'
      ? fetch(`${supervisor.url}/api/merchants/${shop}/remark`, {
          method: 'PATCH',
          headers: { cookie, 'content-type': 'application/json', 'x-requested-with': 'partner-office' },
          body: JSON.stringify({ remark: `第${turn}次` }),
        })
      : fetch(`${supervisor.url}${kind === 'ready' ? '/readyz' : '/api/merchants'}`, { headers: { cookie } }))
    await answer.arrayBuffer()
    asked.push({ kind, at, ms: performance.now() - at, status: answer.status })
    await pause(REST_MS)
  }
}

/** The server and all that it has started, which would go on without it. */
function databaseProcesses(): number[] {
  const server = Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  const started = table
    .trim()
    .split('\n')
    .map(line => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === server)
    .map(([pid]) => pid as number)
  return [server, ...started]
}

function signal(processes: readonly number[], name: 'SIGSTOP' | 'SIGCONT'): void {
  for (const pid of processes) {
    try {
      process.kill(pid, name)
    } catch (error) {
      // It has ended meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}
