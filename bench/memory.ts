// npm run bench -- memory [seconds]: the built server with the demo's data under 200 mixed reads a second, and what it takes of memory every
// 15 s. With SNAPSHOTS=yes its heap before and after is compared by constructor; that itself takes memory, so figures are read without it.
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { contract } from '#app/joined.ts'
import { DEMO_LOGINS, DEMO_PASSWORD } from '#features/office/access/sample.ts'
import { listOps } from '#kit/declare/op.ts'
import { buildAll, memoryOf, type Running, startBuilt, treeOf } from './built.ts'
import { cpuMs, ROOT } from './child.ts'

const PER_SECOND = 200
const AT_ONCE_MOST = 64
const TICK_MS = 50
const LOOK_EVERY_S = 15
const REST_MS = 10_000
const MOST_MB = 300
/** What grows meanwhile beyond it is no noise of the collector. */
const FLAT_MB = 15
const SNAPSHOT_WITHIN_MS = 120_000
const SEARCHES = ['面', '火锅', '138', '奶茶', '三', 'A']
const SIZES = [10, 20, 50]

type Read = { path: string; cookie: string }

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

export async function measureMemory(): Promise<void> {
  const seconds = Number(process.argv[3] ?? 300)
  if (!(seconds >= LOOK_EVERY_S && seconds <= 3_600))
    throw new Error('Seconds must be a number from 15 to 3600.')
  const withSnapshots = process.env.SNAPSHOTS === 'yes'
  const folder = join(ROOT, '.cache/bench/snapshots')
  await buildAll(say)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const env = { DATA_DIR: join(ROOT, 'data/bench-memory'), PORT: '0', DATABASE_URL: '' }
  const snapshots = { NODE_OPTIONS: `--heapsnapshot-signal=SIGUSR2 --diagnostic-dir=${folder}` }
  const office = await startBuilt({ ...env, ...(withSnapshots && snapshots) })
  try {
    const reads = await readsOf(office.url)
    await pause(REST_MS)
    say(`${reads.length} reads of ${DEMO_LOGINS.length} accounts, ${PER_SECOND}/s for ${seconds} s`)
    say(
      `${'s'.padStart(5)} ${'answers/s'.padStart(10)} ${'cpu ms'.padStart(7)} ${'resident'.padStart(9)} ${'share'.padStart(7)} ${'heap'.padStart(7)} ${'database'.padStart(9)}`,
    )
    await look(office, 0, 0, cpuMs(office.pid))
    const before = withSnapshots ? await snapshot(office, folder) : null
    const shares = await underLoad(office, reads, seconds)
    if (before) compare(before, await snapshot(office, folder))
    judge(shares)
  } finally {
    await office.stop()
  }
}

function judge(shares: readonly number[]): void {
  const last = shares.at(-1) ?? Number.NaN
  const grown = last - (shares[Math.floor(shares.length / 2)] ?? Number.NaN)
  const isGood = last <= MOST_MB && grown <= FLAT_MB
  if (!isGood) process.exitCode = 1
  say(
    `${isGood ? ' ' : '!'} ${last.toFixed(0)} MB at the end (at most ${MOST_MB}), ${grown.toFixed(0)} MB of it in the second half`,
  )
}

/** Every reading that needs no input, and lists with searches and pages, by everybody who may ask for it. */
async function readsOf(url: string): Promise<Read[]> {
  const plain = listOps(contract).filter(({ method, path }) => method === 'GET' && !path.includes('{'))
  const reads: Read[] = []
  for (const { loginName } of DEMO_LOGINS) {
    const cookie = await logIn(url, loginName)
    for (const { path } of plain) {
      const { status, body } = await ask(url, { path: `/api${path}`, cookie })
      if (status !== 200) continue
      reads.push({ path: `/api${path}`, cookie })
      if (body.includes('"totalCapped"')) reads.push(...(await listsOf(url, path, cookie, body)))
    }
  }
  return reads
}

async function listsOf(url: string, path: string, cookie: string, body: string): Promise<Read[]> {
  const rows = (JSON.parse(body) as { rows?: { id?: unknown }[] }).rows ?? []
  const asked = [
    ...SEARCHES.map(search => `?search=${encodeURIComponent(search)}`),
    ...SIZES.map(size => `?page=2&size=${size}`),
    ...rows.flatMap(({ id }) => (typeof id === 'number' ? [`/${id}`] : [])),
  ].map(more => ({ path: `/api${path}${more}`, cookie }))
  const answered: Read[] = []
  for (const read of asked) if ((await ask(url, read)).status === 200) answered.push(read)
  return answered
}

async function logIn(url: string, loginName: string): Promise<string> {
  const answer = await fetch(`${url}/api/session`, {
    method: 'POST',
    headers: { 'x-requested-with': 'partner-office', 'content-type': 'application/json' },
    body: JSON.stringify({ loginName, password: DEMO_PASSWORD }),
  })
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0]
  if (!cookie) throw new Error(`sign-in of ${loginName} answered ${answer.status} ${await answer.text()}`)
  return cookie
}

async function ask(url: string, { path, cookie }: Read): Promise<{ status: number; body: string }> {
  const answer = await fetch(url + path, { headers: { cookie } })
  return { status: answer.status, body: await answer.text() }
}

/** Answers the program's share every 15 s. What cannot be answered in time is left out, not caught up. */
async function underLoad(office: Running, reads: readonly Read[], seconds: number): Promise<number[]> {
  const shares: number[] = []
  const failures = new Map<number, number>()
  let [atOnce, next, answered] = [0, 0, 0]
  const startedMs = performance.now()
  let looked = 0
  let usedMs = cpuMs(office.pid)
  while (performance.now() - startedMs < seconds * 1_000) {
    for (let i = 0; i < (PER_SECOND * TICK_MS) / 1_000 && atOnce < AT_ONCE_MOST; i++) {
      // A step without a common divisor with most numbers of reads: neighbours are of different pages.
      next = (next + 7_919) % reads.length
      atOnce++
      ask(office.url, reads[next] as Read)
        .then(({ status }) => {
          answered++
          if (status !== 200) failures.set(status, (failures.get(status) ?? 0) + 1)
        })
        .catch(() => failures.set(0, (failures.get(0) ?? 0) + 1))
        .finally(() => {
          atOnce--
        })
    }
    await pause(TICK_MS)
    const second = (performance.now() - startedMs) / 1_000
    if (second >= (looked + 1) * LOOK_EVERY_S) {
      looked++
      shares.push(await look(office, Math.round(second), answered, usedMs))
      answered = 0
      usedMs = cpuMs(office.pid)
    }
  }
  if (failures.size > 0)
    say(
      `! answers beside 200: ${[...failures].map(([status, count]) => `${status} ${count} times`).join(', ')}`,
    )
  return shares
}

/** `answered` since the last look, at which the program had used so much of the processors. */
async function look(office: Running, second: number, answered: number, usedMs: number): Promise<number> {
  const cpu = answered > 0 ? (cpuMs(office.pid) - usedMs) / answered : 0
  const metrics = await (await fetch(`${office.url}/metrics`)).text()
  const heap = Number(/^nodejs_heap_size_used_bytes (\S+)/m.exec(metrics)?.[1] ?? Number.NaN) / 1_048_576
  const { resident, share } = memoryOf(office.pid)
  const database = treeOf(office.pid)
    .filter(({ command }) => /postgres/.test(command))
    .reduce((sum, { pid }) => sum + (memoryOf(pid).share || 0), 0)
  const figure = (value: number, width: number) => value.toFixed(0).padStart(width)
  say(
    `${figure(second, 5)} ${figure(answered / LOOK_EVERY_S, 10)} ${cpu.toFixed(1).padStart(7)} ${figure(resident, 9)} ${figure(share, 7)} ${figure(heap, 7)} ${figure(database, 9)}`,
  )
  return share
}

type Held = Map<string, { count: number; bytes: number }>

async function snapshot({ pid }: Running, folder: string): Promise<Held> {
  const there = () => readdirSync(folder).filter(name => name.endsWith('.heapsnapshot'))
  const known = there()
  process.kill(pid, 'SIGUSR2')
  const endMs = performance.now() + SNAPSHOT_WITHIN_MS
  while (performance.now() < endMs) {
    await pause(1_000)
    const [fresh] = there().filter(name => !known.includes(name))
    const text = fresh ? readFileSync(join(folder, fresh), 'utf8') : ''
    if (text.trimEnd().endsWith('}')) return heldIn(text)
  }
  throw new Error('the heap was not written in time')
}

/** What a heap holds, by constructor; texts together. */
function heldIn(text: string): Held {
  const { snapshot, nodes, strings } = JSON.parse(text) as {
    snapshot: { meta: { node_fields: string[]; node_types: [string[], ...unknown[]] } }
    nodes: number[]
    strings: string[]
  }
  const { node_fields: fields, node_types: types } = snapshot.meta
  const place = (name: string) => fields.indexOf(name)
  const held: Held = new Map()
  for (let at = 0; at < nodes.length; at += fields.length) {
    const type = types[0][nodes[at + place('type')] as number] as string
    const name = type.includes('string') ? '' : strings[nodes[at + place('name')] as number]
    const key = `${type} ${name}`.slice(0, 60)
    const { count, bytes } = held.get(key) ?? { count: 0, bytes: 0 }
    held.set(key, { count: count + 1, bytes: bytes + (nodes[at + place('self_size')] as number) })
  }
  return held
}

function compare(before: Held, after: Held): void {
  const grown = [...after].map(([name, { count, bytes }]) => {
    const was = before.get(name) ?? { count: 0, bytes: 0 }
    return { name, count: count - was.count, bytes: bytes - was.bytes }
  })
  say('what the heap holds more than before, by constructor:')
  for (const { name, count, bytes } of grown.toSorted((a, b) => b.bytes - a.bytes).slice(0, 25))
    say(`${(bytes / 1_048_576).toFixed(2).padStart(9)} MB ${String(count).padStart(8)} ${name}`)
}
