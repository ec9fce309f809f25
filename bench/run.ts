// The program against the floor, slice by slice in turns, so that both meet the same machine.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { type App, createApp } from '#app/server.ts'
import { DEMO_PASSWORD } from '#features/office/access/sample.ts'
import { readEnv } from '#server/env.ts'
import { measureAcquiring } from './acquiring.ts'
import { measureAll } from './all.ts'
import { measureBulk } from './bulk.ts'
import { measureCapacity } from './capacity.ts'
import {
  CASES,
  type Call,
  type Case,
  headersOf,
  LARGEST,
  OPERATOR,
  type Prepared,
  SELLERS,
  type Setup,
  STAFF,
} from './cases.ts'
import { bundle, type Child, cpuMs, SERVER_ENV, SERVER_FLAGS, startChild } from './child.ts'
import { type BenchDatabase, makeBenchDatabase, openBenchDatabase, SHOPS } from './database.ts'
import { measureDemands } from './demands.ts'
import { measureExport } from './export.ts'
import { measureInsights } from './insights.ts'
import { measureLabels } from './labels.ts'
import type { LoadOrder, LoadResult } from './load.ts'
import { measureLog } from './log.ts'
import { measureLongExport } from './long-export.ts'
import { measureMemory } from './memory.ts'
import { measurePapers } from './papers.ts'
import { checkPlans } from './plans.ts'
import { measureChanges } from './pos-changes.ts'
import { measureProcesses } from './processes.ts'
import { measurePrograms } from './programs.ts'
import { removeQuotes } from './quotes.ts'
import { measureSending } from './sending.ts'
import { measureImport } from './shop-import.ts'
import { measureInstances, measureSockets } from './sockets.ts'
import { measureStart } from './start.ts'
import type { Recorded } from './statements.ts'
import { measureWorkOrders } from './work-orders.ts'

const CALLERS = 16
const ROUNDS = 4
const WARM_UP_MS = 400
const TARGETS = {
  throughput: 0.4,
  median: 3,
  export: 1.5,
  exportMiB: 250,
  longExportMiB: 300,
  beside: 2,
  bulk: 10,
}
/** An agent with few shops, for which the same statements are planned differently. */
const SMALLEST_MEASURED = '30200'
/** Measurements of their own, most with a database under DATA_DIR: npm run bench -- sockets, and so on. */
const ALONE: Record<string, () => Promise<void>> = {
  acquiring: measureAcquiring,
  capacity: measureCapacity,
  database: makeBenchDatabase,
  programs: measurePrograms,
  sockets: measureSockets,
  instances: measureInstances,
  sending: measureSending,
  log: measureLog,
  insights: measureInsights,
  demands: measureDemands,
  'work-orders': measureWorkOrders,
  labels: measureLabels,
  'pos-changes': measureChanges,
  papers: measurePapers,
  'shop-import': measureImport,
  memory: measureMemory,
  processes: measureProcesses,
  start: measureStart,
}
const NAMES = [...CASES.map(({ name }) => name), 'export', 'long-export', 'bulk']

type Servers = {
  program: Child & { hello: { port: number } }
  floor: Child & { hello: { port: number } }
  load: Child
}
type Side = 'program' | 'floor'
/** `cpuMicros`: what the server's own process took per answer, without the database. */
type Figures = { perSecond: number; medianMs: number; cpuMicros: number }
type Line = {
  name: string
  title: string
  program: Figures
  floor: Figures
  throughput: number
  median: number
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

function readOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      merchants: { type: 'string', default: String(SHOPS) },
      seconds: { type: 'string', default: '4' },
      cases: { type: 'string', default: NAMES.join(',') },
      plans: { type: 'boolean', default: false },
      within: { type: 'string', default: 'Infinity' },
      'cpu-prof': { type: 'boolean', default: false },
    },
  })
  const number = (name: 'merchants' | 'seconds', least: number, most: number) => {
    const value = Number(values[name])
    if (!(value >= least && value <= most))
      throw new Error(`--${name} must be a number from ${least} to ${most}.`)
    return value
  }
  const cases = values.cases.split(',')
  const unknown = cases.find(name => !NAMES.includes(name))
  if (unknown !== undefined)
    throw new Error(`--cases does not know "${unknown}". Cases: ${NAMES.join(', ')}.`)
  return {
    merchants: number('merchants', 1_000, 10_000_000),
    seconds: number('seconds', 0.5, 30),
    cases,
    plans: values.plans,
    endsMs: performance.now() + Number(values.within) * 1_000,
    profile: values['cpu-prof'],
  }
}

async function login(app: App, loginName: string): Promise<string> {
  const answer = await app.http.inject({
    method: 'POST',
    url: '/api/session',
    headers: { 'x-requested-with': 'partner-office' },
    payload: { loginName, password: DEMO_PASSWORD },
  })
  const cookie = answer.cookies[0]
  if (!cookie) throw new Error(`login of ${loginName} answered ${answer.statusCode} ${answer.body}`)
  return `${cookie.name}=${cookie.value}`
}

/** Opens the program inside this process to log in, record and quote, and closes it before anything is measured. */
async function withSetup<T>(
  database: BenchDatabase,
  settings: Record<string, string>,
  work: (setup: Setup) => Promise<T>,
): Promise<T> {
  const app = await createApp({
    env: readEnv(settings),
    ownerUrl: database.url,
    secretKey: database.secretKey,
    jobs: false,
    // What they ask by themselves is not what is recorded.
    loops: false,
  })
  try {
    const cookies = new Map<string, string>()
    for (const name of new Set([LARGEST, SMALLEST_MEASURED, STAFF, OPERATOR, ...SELLERS]))
      cookies.set(name, await login(app, name))
    const { rows } = await database.owner.query<{ login_name: string; agent_id: string; total: string }>(
      `select login_name, agent_id, total from merchant_counts join accounts using (agent_id) where login_name = any ($1)`,
      [[...cookies.keys()]],
    )
    const agentIds = new Map(rows.map(row => [row.login_name, Number(row.agent_id)]))
    const total = Number(rows.find(row => row.login_name === LARGEST)?.total)
    const largest = { agentId: agentIds.get(LARGEST) as number, total }
    return await work({ owner: database.owner, app, cookies, agentIds, largest })
  } finally {
    await app.stop()
  }
}

function programRequest(call: Call, cookies: Setup['cookies']): string {
  const body = call.body ? JSON.stringify(call.body) : ''
  const headers = { host: '127.0.0.1', ...headersOf(call, cookies) }
  const content = body
    ? `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`
    : ''
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${call.method} ${call.path} HTTP/1.1\r\n${head.join('')}${content}\r\n${body}`
}

function floorRequest(name: string, call: Call): string {
  const vars = new URLSearchParams(
    Object.entries(call.vars).map(([key, value]): [string, string] => [key, String(value)]),
  )
  return `GET /${name}/${call.variant}?${vars} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`
}

type Sums = { answered: number; elapsedMs: number; cpuMs: number; latenciesMs: number[] }

/** Both sides in turns at one number of callers; the side that begins changes with every round. */
async function measure(
  { program, floor, load }: Servers,
  requests: Record<Side, string[]>,
  slice: { callers: number; ms: number; once: boolean; rounds: number },
): Promise<Record<Side, Sums>> {
  const empty = (): Sums => ({ answered: 0, elapsedMs: 0, cpuMs: 0, latenciesMs: [] })
  const sums = { program: empty(), floor: empty() }
  const servers = { program, floor }
  for (let round = 0; round < slice.rounds; round++)
    for (const side of round % 2 === 0 ? (['program', 'floor'] as const) : (['floor', 'program'] as const)) {
      const share = Math.ceil(requests[side].length / (slice.rounds - round))
      const order: LoadOrder = {
        port: servers[side].hello.port,
        requests: slice.once ? requests[side].slice(0, share) : requests[side],
        callers: slice.callers,
        ms: slice.ms,
        once: slice.once,
      }
      const cpuBeforeMs = cpuMs(servers[side].pid)
      const result = await load.ask<LoadResult>(order, slice.ms + 30_000)
      sums[side].cpuMs += cpuMs(servers[side].pid) - cpuBeforeMs
      if (result.failures > 0)
        throw new Error(`the ${side} failed ${result.failures} times: ${result.failure}`)
      if (slice.once) requests[side] = requests[side].slice(result.answered)
      sums[side].answered += result.answered
      sums[side].elapsedMs += result.elapsedMs
      sums[side].latenciesMs.push(...result.latenciesMs)
    }
  return sums
}

async function measureCase(
  servers: Servers,
  { name, title }: Case,
  prepared: Prepared,
  cookies: Setup['cookies'],
  seconds: number,
): Promise<Line> {
  const requests = {
    program: prepared.program.map(call => programRequest(call, cookies)),
    floor: prepared.floor.map(call => floorRequest(name, call)),
  }
  const { once } = prepared
  // Calls that can be made only once are shared out: a twentieth to warm up, a quarter to the single caller.
  const part = (share: number) => {
    if (!once) return requests
    const take = (side: Side) => requests[side].splice(0, Math.floor(prepared[side].length * share))
    return { program: take('program'), floor: take('floor') }
  }
  const ms = (seconds * 1_000) / ROUNDS
  await measure(servers, part(0.05), { callers: CALLERS, ms: WARM_UP_MS, once, rounds: 1 })
  const one = await measure(servers, part(0.25), { callers: 1, ms, once, rounds: ROUNDS })
  const many = await measure(servers, part(0.7), { callers: CALLERS, ms, once, rounds: ROUNDS })
  const figures = (side: Side): Figures => ({
    perSecond: (many[side].answered * 1_000) / many[side].elapsedMs,
    medianMs: middle(one[side].latenciesMs),
    cpuMicros: (many[side].cpuMs * 1_000) / many[side].answered,
  })
  const [program, floor] = [figures('program'), figures('floor')]
  return {
    name,
    title,
    program,
    floor,
    throughput: program.perSecond / floor.perSecond,
    median: program.medianMs / floor.medianMs,
  }
}

function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** What the last run of a case on this machine came to. */
type Before = Record<string, Pick<Line, 'throughput' | 'median'>>
const KEPT = '.cache/bench/last-run.json'

function readBefore(): Before {
  return existsSync(KEPT) ? (JSON.parse(readFileSync(KEPT, 'utf8')) as Before) : {}
}

function keepRun(before: Before, lines: readonly Line[]): void {
  const kept = lines.map(({ name, throughput, median }) => [name, { throughput, median }])
  mkdirSync(dirname(KEPT), { recursive: true })
  writeFileSync(KEPT, JSON.stringify({ ...before, ...Object.fromEntries(kept) }))
}

function lineOf({ name, title, program, floor, throughput, median }: Line, before: Before): string {
  const last = before[name]
  const then = (value: number | undefined) => (value === undefined ? '-' : value.toFixed(2)).padStart(6)
  const mark = (good: boolean) => (good ? ' ' : '!')
  return [
    title.padEnd(32),
    program.perSecond.toFixed(0).padStart(8),
    floor.perSecond.toFixed(0).padStart(8),
    `${throughput.toFixed(2).padStart(7)}${mark(throughput >= TARGETS.throughput)}`,
    then(last?.throughput),
    program.medianMs.toFixed(2).padStart(9),
    floor.medianMs.toFixed(2).padStart(9),
    `${median.toFixed(2).padStart(7)}${mark(median <= TARGETS.median)}`,
    then(last?.median),
    program.cpuMicros.toFixed(0).padStart(8),
    floor.cpuMicros.toFixed(0).padStart(8),
  ].join(' ')
}

async function startServers(database: BenchDatabase, settings: Record<string, string>, profile: boolean) {
  await bundle(['program', 'floor', 'load'])
  const flags = [...SERVER_FLAGS]
  if (profile) flags.push('--cpu-prof', '--cpu-prof-dir=.cache/bench/profiles')
  return {
    program: await startChild<{ port: number }>('program', { ...SERVER_ENV, ...settings }, flags),
    floor: await startChild<{ port: number }>('floor', {
      DATABASE_URL: database.url,
      POOL_SIZE: String(readEnv(settings).poolSize),
    }),
    load: await startChild('load', {}),
  }
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2))
  const database = await openBenchDatabase(options.merchants)
  const settings = { DATABASE_URL: database.url, SECRET_KEY: database.secretKey, LOG_LEVEL: 'silent' }
  try {
    if (options.plans) {
      const faults = await withSetup(database, settings, ({ app, cookies }) => {
        const people = [LARGEST, SMALLEST_MEASURED, OPERATOR].map(
          name => [name, cookies.get(name) as string] as const,
        )
        return checkPlans(database, { app, cookies: new Map(people) }, say)
      })
      if (faults > 0) process.exitCode = 1
      return
    }
    await removeQuotes(database.owner)
    const wanted = CASES.filter(({ name }) => options.cases.includes(name))
    const recorded: Record<string, Recorded[]> = {}
    const failures: string[] = []
    /** What fails is told at once and at the end, and the others are measured all the same. */
    const kept = async (name: string, work: () => Promise<void>) => {
      try {
        if (performance.now() > options.endsMs) throw new Error('no time was left')
        await work()
      } catch (error) {
        failures.push(`${name}: ${(error as Error).message}`)
        say(`${name.padEnd(32)} FAILED ${(error as Error).message}`)
      }
    }
    const { prepared, cookies, largest } = await withSetup(database, settings, async setup => {
      const made = new Map<string, Prepared>()
      for (const one of wanted)
        await kept(one.name, async () => {
          made.set(one.name, await one.prepare(setup))
        })
      return { prepared: made, ...setup }
    })
    for (const [name, one] of prepared) recorded[name] = one.recorded
    const servers = await startServers(database, settings, options.profile)
    try {
      await servers.floor.ask({ kind: 'serve', cases: recorded }, 10_000)
      say(
        `${database.merchants} merchants, ${CALLERS} callers for answers per second, 1 caller for the median`,
      )
      say(
        `${''.padEnd(32)}  answers/s floor/s   ratio   last  median ms floor ms   ratio   last  cpu us    floor`,
      )
      const before = readBefore()
      const lines: Line[] = []
      for (const one of wanted) {
        const calls = prepared.get(one.name)
        if (!calls) continue
        await kept(one.name, async () => {
          const line = await measureCase(servers, one, calls, cookies, options.seconds)
          lines.push(line)
          say(lineOf(line, before))
        })
      }
      keepRun(before, lines)
      const once = async <T extends { line: string }>(name: string, work: () => Promise<T>) => {
        const found: T[] = []
        if (options.cases.includes(name))
          await kept(name, async () => {
            found.push(await work())
            say(found[0]?.line ?? '')
          })
        return found[0] ?? null
      }
      const { owner } = database
      const exported = await once('export', () =>
        measureExport(servers, { owner, cookie: cookies.get(LARGEST) as string, largest }),
      )
      const list: Call = {
        login: LARGEST,
        method: 'GET',
        path: '/api/merchants?page=1&size=10',
        vars: {},
        variant: 0,
      }
      const longExport = await once('long-export', () =>
        measureLongExport(servers, {
          owner,
          cookie: cookies.get(STAFF) as string,
          request: programRequest(list, cookies),
        }),
      )
      const bulk = await once('bulk', () =>
        measureBulk(servers, { owner, cookie: cookies.get(LARGEST) as string, agentId: largest.agentId }),
      )
      const { merchants } = database
      say(JSON.stringify({ merchants, targets: TARGETS, cases: lines, export: exported, longExport, bulk }))
      for (const failure of failures) say(`FAILED ${failure}`)
      if (failures.length > 0) process.exitCode = 1
    } finally {
      for (const child of Object.values(servers)) await child.stop()
      await removeQuotes(database.owner)
    }
  } finally {
    await database.close()
  }
}

async function all(): Promise<void> {
  const { minutes } = parseArgs({ options: { minutes: { type: 'string' } } }).values
  if (!(await measureAll(minutes === undefined ? undefined : Number(minutes)))) process.exitCode = 1
}

const [named] = process.argv.slice(2)
const chosen = named === undefined || named === '--minutes' ? all : (ALONE[named] ?? main)
process.once('SIGTERM', () => process.exit(1))
chosen().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
