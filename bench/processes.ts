// npm run bench -- processes: the built server as one process and as two behind one listener, in turns on the same data. What can be measured
// on one machine is what an answer takes of the processors: where the database and the callers have others, two processes answer twice what one
// does, less what each answer takes more. Answers a second are told too: here all of them share the processors.
import { DEMO_PASSWORD } from '#features/office/access/sample.ts'
import { buildAll, memoryOf, startBuilt, treeOf } from './built.ts'
import { LARGEST } from './cases.ts'
import { bundle, cpuMs, startChild } from './child.ts'
import { openBenchDatabase } from './database.ts'
import type { LoadOrder, LoadResult } from './load.ts'

const MERCHANTS = 20_000
const ROUNDS = 3
const MS = 5_000
const WARM_UP_MS = 2_000
/** As many connections as a proxy keeps (operate/nginx). */
const CALLERS = 64
const TARGET = 1.7
const PATHS = ['/api/merchants?page=1&size=10', '/api/orders?page=1&size=10', '/api/session']

type Round = { answered: number; seconds: number; cpuMs: number; busiest: number; memory: number }

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

export async function measureProcesses(): Promise<void> {
  const merchants = Number(process.argv[3] ?? MERCHANTS)
  const database = await openBenchDatabase(merchants)
  try {
    await buildAll(say)
    await bundle(['load'])
    const rounds: Record<number, Round[]> = { 1: [], 2: [] }
    for (let round = 0; round < ROUNDS; round++)
      for (const count of [1, 2]) {
        const one = await measure(database, count)
        rounds[count]?.push(one)
        say(
          `${count} process${count > 1 ? 'es' : '  '} ${(one.answered / one.seconds).toFixed(0).padStart(6)} answers/s ${((one.cpuMs * 1_000) / one.answered).toFixed(0).padStart(5)} us of the processors each, the busiest has ${(one.busiest * 100).toFixed(0)} %, ${one.memory.toFixed(0)} MB`,
        )
      }
    judge(rounds)
  } finally {
    await database.close()
  }
}

function judge(rounds: Record<number, Round[]>): void {
  const sum = (count: number, of: (round: Round) => number) =>
    (rounds[count] ?? []).reduce((all, round) => all + of(round), 0)
  const each = (count: number) => sum(count, one => one.cpuMs) / sum(count, one => one.answered)
  const ratio = (2 * each(1)) / each(2)
  if (ratio < TARGET) process.exitCode = 1
  const here = sum(2, one => one.answered) / sum(1, one => one.answered)
  say(
    `${ratio >= TARGET ? ' ' : '!'} two processes carry ${ratio.toFixed(2)} times one by processor time (at least ${TARGET}); beside the database and the callers on these processors ${here.toFixed(2)} times`,
  )
}

async function measure(database: { url: string; secretKey: string }, processes: number): Promise<Round> {
  const office = await startBuilt({
    ...{ DATABASE_URL: database.url, SECRET_KEY: database.secretKey, LOG_LEVEL: 'silent', PORT: '0' },
    ...{ PROCESSES: String(processes), POOL_SIZE: '20', SIMULATORS: 'off' },
  })
  const load = await startChild('load', {})
  try {
    const cookie = await signIn(office.url)
    const port = Number(new URL(office.url).port)
    const requests = PATHS.map(
      path => `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncookie: ${cookie}\r\n\r\n`,
    )
    const order: LoadOrder = { port, requests, callers: CALLERS, ms: WARM_UP_MS, once: false }
    await load.ask<LoadResult>(order, 60_000)
    const pids = treeOf(office.pid).map(({ pid }) => pid)
    const before = pids.map(cpuMs)
    const result = await load.ask<LoadResult>({ ...order, ms: MS }, 60_000)
    const used = pids.map((pid, i) => cpuMs(pid) - (before[i] ?? 0))
    if (result.failures > 0) throw new Error(`${result.failures} failed: ${result.failure}`)
    const all = used.reduce((sum, ms) => sum + ms, 0)
    return {
      ...{ answered: result.answered, seconds: result.elapsedMs / 1_000, cpuMs: all },
      busiest: Math.max(...used) / all,
      memory: pids.reduce((sum, pid) => sum + memoryOf(pid).share, 0),
    }
  } finally {
    await load.stop()
    await office.stop()
  }
}

async function signIn(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/session`, {
    method: 'POST',
    headers: { 'x-requested-with': 'partner-office', 'content-type': 'application/json' },
    body: JSON.stringify({ loginName: LARGEST, password: DEMO_PASSWORD }),
  })
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0]
  if (!cookie) throw new Error(`sign-in answered ${answer.status} ${await answer.text()}`)
  return cookie
}
