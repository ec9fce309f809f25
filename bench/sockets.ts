// npm run bench -- sockets: 10,000 pages on one process (R3). npm run bench -- instances: two instances on one database (R7).
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import { accountRow } from '#features/office/access/rows.ts'
import { accounts } from '#features/office/access/tables.ts'
import { agentRow } from '#features/office/agents/rows.ts'
import { agents } from '#features/office/agents/tables.ts'
import { insertRows } from '#server/insert-rows.ts'
import { freshDatabase, TEST_SECRET } from '#test/database.ts'
import { bundle, type Child, SERVER_ENV, SERVER_FLAGS, startChild } from './child.ts'
import type { ClientOrder, Door, HeardResult } from './socket-clients.ts'
import type { HeapOrder, TellOrder } from './socket-server.ts'

const SOCKETS = 10_000
const CUT = 500
const CLIENT_PROCESSES = 2
const BROADCASTS = 40
const TARGETS = { rssMiB: 250, broadcastMs: 1_000 }
const CLIENT_FLAGS = ['--max-semi-space-size=16']
const HEARD_WITHIN_MS = 20_000

type Server = Child & { hello: { port: number } }
/** `token` is one of an old client. */
type Person = { accountId: number; cookie: string; token: string }
type Place = { url: string; owner: pg.Pool }

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

const monotonicMs = () => Number(process.hrtime.bigint()) / 1e6

async function withPlace(work: (place: Place) => Promise<boolean>): Promise<void> {
  const database = await freshDatabase()
  const owner = new pg.Pool({
    connectionString: database.ownerUrl,
    max: 2,
    options: '-c timezone=UTC -c app.scope=all',
  })
  try {
    await bundle(['socket-server', 'socket-clients'])
    if (!(await work({ url: database.ownerUrl, owner }))) process.exitCode = 1
  } finally {
    await owner.end()
    await database.drop()
  }
}

/** Accounts with a session each, written directly. */
async function makePeople(owner: pg.Pool, count: number): Promise<Person[]> {
  const createdAt = new Date().toISOString()
  const numbers = (length: number) => Array.from({ length }, (_, index) => index + 1)
  const companies = numbers(Math.ceil(count / 100)).map(n =>
    agentRow({ companyName: `代理商${n}`, createdAt }),
  )
  const made = await drizzle(owner).insert(agents).values(companies).returning({ id: agents.id })
  const passwordHash = 'none'
  const agentOf = (n: number) => made[n % made.length]?.id ?? 0
  await insertRows(
    owner,
    accounts,
    numbers(count).map(n =>
      accountRow({ agentId: agentOf(n), loginName: `page${n}`, passwordHash, createdAt }),
    ),
  )
  const { rows: people } = await owner.query<{ id: string }>(
    `select id from accounts where login_name like 'page%' order by id`,
  )
  const tokens = people.map(() => randomBytes(32).toString('base64url'))
  await owner.query(
    `insert into sessions (token_hash, account_id, agent_id, ip, user_agent, created_at, last_seen_at, expires_at)
     select made.hash, a.id, a.agent_id, '127.0.0.1', 'bench', now(), now(), now() + interval '1 day'
     from unnest($1::bytea[], $2::bigint[]) as made (hash, account_id) join accounts a on a.id = made.account_id`,
    [tokens.map(token => createHash('sha256').update(token).digest()), people.map(({ id }) => id)],
  )
  await owner.query(
    `with made as (
       insert into api_keys (agent_id, account_id, name, token_hash, token_end, node_ids, addresses, per_minute, expires_at, created_at)
       select a.agent_id, a.id, a.login_name, made.hash, '', '{}', '{}', 600, now() + interval '1 day', now()
       from unnest($1::bytea[], $2::bigint[]) as made (hash, account_id) join accounts a on a.id = made.account_id
       returning id, agent_id, account_id, token_hash)
     insert into compat_tokens (token_hash, key_id, agent_id, account_id, created_at, expires_at)
     select token_hash, id, agent_id, account_id, now(), now() + interval '1 day' from made`,
    [tokens.map(token => createHash('sha256').update(`pot_${token}`).digest()), people.map(({ id }) => id)],
  )
  await owner.query('analyze accounts, sessions, api_keys, compat_tokens')
  return people.map(({ id }, i) => ({
    accountId: Number(id),
    cookie: `session=${tokens[i]}`,
    token: `pot_${tokens[i]}`,
  }))
}

function startServer(url: string, env: Record<string, string> = {}, flags: string[] = []): Promise<Server> {
  return startChild(
    'socket-server',
    { ...SERVER_ENV, DATABASE_URL: url, SECRET_KEY: TEST_SECRET, LOG_LEVEL: 'silent', ...env },
    [...SERVER_FLAGS, ...flags],
  )
}

/** What the process holds in memory now, and the most that it ever held. */
function memoryOf(pid: number): { nowMiB: number; mostMiB: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const mib = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1_024
  return { nowMiB: mib('VmRSS'), mostMiB: mib('VmHWM') }
}

const ask = <T>(clients: Child, order: ClientOrder) => clients.ask<T>(order, 120_000)

/** Tells everyone, and answers how long each page waited for it, from before the notice was written. */
async function broadcast(server: Server, clients: Child[], people: Person[], title: string) {
  const startedMs = monotonicMs()
  const order: TellOrder = { accountIds: people.map(({ accountId }) => accountId), title }
  const [told, ...results] = await Promise.all([
    server.ask<{ told: number }>(order, HEARD_WITHIN_MS),
    ...clients.map(one => ask<HeardResult>(one, { kind: 'heard', title, withinMs: HEARD_WITHIN_MS })),
  ])
  const waitsMs = results.flatMap(({ atMs }) => atMs.map(ms => ms - startedMs)).sort((a, b) => a - b)
  const at = (share: number) => waitsMs[Math.ceil(waitsMs.length * share) - 1] ?? Number.NaN
  return {
    told: told.told,
    heard: waitsMs.length,
    twice: results.reduce((sum, { twice }) => sum + twice, 0),
    medianMs: at(0.5),
    p99Ms: at(0.99),
    lastMs: at(1),
  }
}

async function openAll(
  clients: Child[],
  port: number,
  people: readonly Person[],
  by: Door = 'page',
): Promise<void> {
  const share = Math.ceil(people.length / clients.length)
  await Promise.all(
    clients.map((one, i) =>
      ask(one, {
        kind: 'open',
        port,
        by,
        secrets: people
          .slice(i * share, (i + 1) * share)
          .map(({ cookie, token }) => (by === 'page' ? cookie : token)),
      }),
    ),
  )
}

async function unconfirmed({ owner }: Place): Promise<number> {
  const { rows } = await owner.query<{ count: string }>(
    'select count(*) from notices where confirmed_at is null',
  )
  return Number(rows[0]?.count)
}

async function untilConfirmed(place: Place, left = 0): Promise<number> {
  for (let i = 0; i < 200 && (await unconfirmed(place)) > left; i++) await pause(50)
  return unconfirmed(place)
}

/** R3. */
export function measureSockets(): Promise<void> {
  return withPlace(async place => {
    const people = await makePeople(place.owner, SOCKETS)
    const server = await startServer(place.url)
    const clients = await Promise.all(
      Array.from({ length: CLIENT_PROCESSES }, () => startChild('socket-clients', {}, CLIENT_FLAGS)),
    )
    try {
      const idleMiB = memoryOf(server.pid).nowMiB
      const startedMs = monotonicMs()
      await openAll(clients, server.hello.port, people)
      const openedMs = monotonicMs() - startedMs
      say(
        `${SOCKETS} sockets let in within ${(openedMs / 1_000).toFixed(1)} s (${((SOCKETS * 1_000) / openedMs).toFixed(0)} a second)`,
      )
      await pause(2_000)
      say(
        `memory: ${idleMiB.toFixed(0)} MiB idle, ${memoryOf(server.pid).nowMiB.toFixed(0)} MiB with ${SOCKETS} sockets`,
      )
      let worstMs = 0
      let complete = true
      for (let i = 0; i < BROADCASTS; i++) {
        const figures = await broadcast(server, clients, people, `broadcast ${i}`)
        const left = await untilConfirmed(place)
        worstMs = Math.max(worstMs, figures.p99Ms)
        complete &&= figures.heard === SOCKETS && figures.twice === 0 && left === 0
        say(
          `broadcast: ${figures.told} notices written, ${figures.heard} heard, ${figures.twice} twice; median ${figures.medianMs.toFixed(0)} ms, p99 ${figures.p99Ms.toFixed(0)} ms, last ${figures.lastMs.toFixed(0)} ms; ${left} unconfirmed`,
        )
      }
      complete &&= await missAndReturn(place, server, clients, people)
      const { mostMiB } = memoryOf(server.pid)
      const good = complete && mostMiB <= TARGETS.rssMiB && worstMs <= TARGETS.broadcastMs
      say(
        `R3: at most ${mostMiB.toFixed(0)} MiB (target ${TARGETS.rssMiB}), broadcast p99 ${worstMs.toFixed(0)} ms (target ${TARGETS.broadcastMs}): ${good ? 'kept' : 'NOT kept'}`,
      )
      await Promise.all([server, ...clients].map(one => one.stop()))
      const isAlike = await compareHub(place, people.slice(0, AT_HUB))
      return good && isAlike
    } finally {
      await Promise.all([server, ...clients].map(one => one.stop()))
    }
  })
}

const AT_HUB = 1_000
const HUB_BROADCASTS = 10
/** What the hub may take, to pages, in all and of the heap for a wire: its token's hash and address, and what differs from run to run. */
const HUB_RATIO = 1.1

/** As many wires of the hub as of pages, each at a server of its own. */
async function compareHub(place: Place, people: Person[]): Promise<boolean> {
  const page = await takenBy(place, people, 'page')
  const hub = await takenBy(place, people, 'hub')
  const kib = ({ heapKiB }: typeof hub) => `${heapKiB.toFixed(1)} KiB of live heap each`
  const mib = ({ idleMiB, openMiB, mostMiB }: typeof hub) =>
    `${idleMiB.toFixed(0)} MiB idle, ${openMiB.toFixed(0)} open, at most ${mostMiB.toFixed(0)}`
  const good = page.complete && hub.complete && isWithin(hub, page)
  say(
    `${people.length} wires: pages ${kib(page)} (${mib(page)}); hub ${kib(hub)} (${mib(hub)}), p99 ${hub.worstMs.toFixed(0)} ms to ${page.worstMs.toFixed(0)}: ${good ? 'kept' : 'NOT kept'}`,
  )
  return good
}

type Taken = { mostMiB: number; heapKiB: number }
const isWithin = (hub: Taken, page: Taken) =>
  hub.mostMiB <= page.mostMiB * HUB_RATIO && hub.heapKiB <= page.heapKiB * HUB_RATIO

async function takenBy(place: Place, people: Person[], by: Door) {
  const server = await startServer(place.url, { COMPAT_CALLS: 'on' }, ['--expose-gc'])
  const client = await startChild('socket-clients', {}, CLIENT_FLAGS)
  const heapKiB = async () =>
    (await server.ask<{ heapBytes: number }>({ kind: 'heap' } satisfies HeapOrder, 10_000)).heapBytes / 1_024
  try {
    // What the first ones bring with them, code above all, is no wire's.
    await openAll([client], server.hello.port, people, by)
    await ask(client, { kind: 'cut', count: people.length })
    await pause(2_000)
    const [idleKiB, { nowMiB: idleMiB }] = [await heapKiB(), memoryOf(server.pid)]
    await openAll([client], server.hello.port, people, by)
    await pause(2_000)
    const [openKiB, { nowMiB: openMiB }] = [await heapKiB(), memoryOf(server.pid)]
    let worstMs = 0
    let complete = true
    for (let i = 0; i < HUB_BROADCASTS; i++) {
      const figures = await broadcast(server, [client], people, `${by} ${i}`)
      const left = await untilConfirmed(place)
      worstMs = Math.max(worstMs, figures.p99Ms)
      complete &&= figures.heard === people.length && figures.twice === 0 && left === 0
    }
    const { mostMiB } = memoryOf(server.pid)
    return { heapKiB: (openKiB - idleKiB) / people.length, idleMiB, openMiB, mostMiB, worstMs, complete }
  } finally {
    await Promise.all([server.stop(), client.stop()])
  }
}

/** Cuts pages, tells everyone, and lets them come back. */
async function missAndReturn(place: Place, server: Server, clients: Child[], people: Person[]) {
  const share = Math.ceil(people.length / clients.length)
  // Pages stand in the order in which they were let in, so who was cut is seen from what stayed unconfirmed.
  for (const one of clients) await ask(one, { kind: 'cut', count: CUT / clients.length })
  await pause(500)
  const title = 'missed'
  await broadcastToStaying(server, clients, people, title)
  const left = await untilConfirmed(place, CUT)
  const { rows } = await place.owner.query<{ account_id: string }>(
    'select account_id from notices where confirmed_at is null',
  )
  const missing = new Set(rows.map(row => Number(row.account_id)))
  const back = people.filter(({ accountId }) => missing.has(accountId))
  const startedMs = monotonicMs()
  await Promise.all(
    clients.map((one, i) => {
      const mine = new Set(people.slice(i * share, (i + 1) * share))
      return ask(one, {
        kind: 'open',
        port: server.hello.port,
        by: 'page',
        secrets: back.filter(person => mine.has(person)).map(({ cookie }) => cookie),
      })
    }),
  )
  const stillLeft = await untilConfirmed(place)
  say(
    `${CUT} sockets cut, then a broadcast: ${left} not confirmed; after they came back ${stillLeft} (${(monotonicMs() - startedMs).toFixed(0)} ms)`,
  )
  return left === CUT && stillLeft === 0
}

async function broadcastToStaying(server: Server, clients: Child[], people: Person[], title: string) {
  const order: TellOrder = { accountIds: people.map(({ accountId }) => accountId), title }
  await server.ask(order, HEARD_WITHIN_MS)
  for (const one of clients) await ask(one, { kind: 'heard', title, withinMs: HEARD_WITHIN_MS })
}

const PEOPLE = 1_000
const ROUNDS = 50
const JOBS = 50

/** R7 without the clocks: notices cross, jobs run once, what waits is taken once. */
export function measureInstances(): Promise<void> {
  return withPlace(async place => {
    const people = await makePeople(place.owner, PEOPLE)
    const servers = [await startServer(place.url), await startServer(place.url)] as const
    const clients = await Promise.all(
      servers.map(async ({ hello }) => {
        const one = await startChild('socket-clients', {}, CLIENT_FLAGS)
        await openAll([one], hello.port, people)
        return one
      }),
    )
    try {
      // They know of each other once they have heard each other's first sign.
      await pause(1_000)
      const crossed = await cross(place, servers, clients, people)
      const taken = await takeOnce(place, people)
      const ran = await runOnce(place)
      return crossed && taken && ran
    } finally {
      await Promise.all([...clients, ...servers].map(one => one.stop()))
    }
  })
}

/** Each person has a page at both instances; both hear what either tells. */
async function cross(place: Place, servers: readonly Server[], clients: Child[], people: Person[]) {
  const worst = { p99Ms: 0, lastMs: 0 }
  let complete = true
  for (let round = 0; round < ROUNDS; round++) {
    const server = servers[round % servers.length] as Server
    const figures = await broadcast(server, clients, people, `round ${round}`)
    complete &&= figures.heard === PEOPLE * clients.length && figures.twice === 0
    worst.p99Ms = Math.max(worst.p99Ms, figures.p99Ms)
    worst.lastMs = Math.max(worst.lastMs, figures.lastMs)
  }
  const left = await untilConfirmed(place)
  say(
    `two instances, ${PEOPLE} people with a page at each: ${ROUNDS} broadcasts told in turns, ${complete ? 'each heard once by every page of both' : 'NOT heard once by every page'}; worst p99 ${worst.p99Ms.toFixed(0)} ms, last ${worst.lastMs.toFixed(0)} ms; ${left} unconfirmed`,
  )
  return complete && left === 0
}

const LOOK_WITHIN_MS = 40_000

/** Notices that are due again while both instances look for them go out once. */
async function takeOnce({ owner }: Place, people: Person[]): Promise<boolean> {
  await owner.query(
    `insert into notices (trace_id, agent_id, account_id, topic, title, body, args, created_at, repeat_at)
     select 'waiting-' || a.id, a.agent_id, a.id, 'Balance_Notify', 'waiting', '', '{}', now(), now()
     from accounts a where a.id = any ($1::bigint[])`,
    [people.map(({ accountId }) => accountId)],
  )
  const count = async () => {
    const { rows } = await owner.query<{ repeats: number; confirmed: boolean; count: string }>(
      `select repeats, confirmed_at is not null as confirmed, count(*) from notices where title = 'waiting' group by 1, 2`,
    )
    return rows
  }
  const isOver = (rows: Awaited<ReturnType<typeof count>>) => rows.every(row => row.confirmed)
  for (let waitedMs = 0; waitedMs < LOOK_WITHIN_MS && !isOver(await count()); waitedMs += 200)
    await pause(200)
  const rows = await count()
  const once = rows.length === 1 && rows[0]?.repeats === 1 && rows[0].confirmed
  say(
    `${PEOPLE} notices due again at both: ${rows.map(row => `${row.count} sent ${row.repeats} time(s)${row.confirmed ? ' and confirmed' : ''}`).join(', ')}`,
  )
  return once
}

/** Jobs that wait are run by one of the two, each once, and what they do is done once. */
async function runOnce({ url, owner }: Place): Promise<boolean> {
  await owner.query(
    `insert into notice_thresholds (account_id, agent_id, sms) select id, agent_id, 100 from accounts where login_name like 'page%'`,
  )
  await owner.query(`update accounts set is_owner = true where login_name like 'page%'`)
  await owner.query(
    `insert into ledger_accounts (owner_kind, owner_id, asset, agent_id, balance)
     select 'agent', id, 'sms', id, 0 from agents where company_name like '代理商%' on conflict do nothing`,
  )
  const boss = new PgBoss({ connectionString: url, supervise: false, schedule: false })
  await boss.start()
  const ids: string[] = []
  for (let i = 0; i < JOBS; i++) ids.push((await boss.send('warn-accounts', {}, { retryLimit: 0 })) as string)
  const done = async () => {
    const { rows } = await owner.query<{ state: string; count: string }>(
      `select state, count(*) from pgboss.job where id = any ($1::uuid[]) group by 1`,
      [ids],
    )
    return rows
  }
  for (let i = 0; i < 1_200; i++) {
    const rows = await done()
    if (rows.length === 1 && rows[0]?.state === 'completed') break
    await pause(100)
  }
  const states = await done()
  const { rows } = await owner.query<{ most: number; people: string }>(
    `select max(count)::int as most, count(*) as people
     from (select count(*) from notices where topic = 'Balance_Notify' and once_key is not null group by account_id) told`,
  )
  await boss.stop({ graceful: false })
  const [told] = rows
  say(
    `${JOBS} jobs queued for both: ${states.map(row => `${row.count} ${row.state}`).join(', ')}; ${told?.people} people warned, at most ${told?.most} time(s) each`,
  )
  return (
    states.length === 1 &&
    states[0]?.state === 'completed' &&
    told?.most === 1 &&
    Number(told.people) === PEOPLE
  )
}
