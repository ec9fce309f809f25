// npm run seed -- --merchants 1000000 --agents 200: a large database with plausible made-up shops, for measurements.
import { parseArgs } from 'node:util'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { createDemoData } from '#app/demo.ts'
import { loadReferenceData } from '#app/reference.ts'
import { DEMO_AGENTS } from '#features/office/access/demo.ts'
import { accountRow } from '#features/office/access/rows.ts'
import { DEMO_PASSWORD } from '#features/office/access/sample.ts'
import { accounts } from '#features/office/access/tables.ts'
import { agentRow } from '#features/office/agents/rows.ts'
import { companyName, personName } from '#features/office/agents/sample.ts'
import { agents } from '#features/office/agents/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { makeRandom } from '#kit/random.ts'
import { formatDay, startOfDay } from '#kit/time.ts'
import { readEnv } from '#server/env.ts'
import { insertRows } from '#server/insert-rows.ts'
import { messageForTerminal } from '#server/log.ts'
import { migrateDatabase } from '#server/postgres/migrate.ts'
import { hashPassword, makeSecrets } from '#server/secrets.ts'
import { ownerDatabase } from './owner-database.ts'
import { secretKeyOf } from './secret-key.ts'
import { loadOrders, loadTransfers } from './seed-orders.ts'
import { makeShopRows, type SeedAgent } from './seed-rows.ts'

const FIRST_AGENT = 1_001
const FIRST_LOGIN = 30_001
const BATCH = 5_000
const CITIES = [
  '北京',
  '上海',
  '广州',
  '深圳',
  '成都',
  '杭州',
  '武汉',
  '西安',
  '南京',
  '重庆',
  '长沙',
  '青岛',
]
const LIMITS = { merchants: [1, 10_000_000], agents: [30, 5_000] } as const

type Options = { merchants: number; agents: number }

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Refuses unknown options and numbers out of range in words. */
function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      merchants: { type: 'string', default: '1000000' },
      agents: { type: 'string', default: '200' },
    },
  })
  const number = (name: keyof Options) => {
    const [least, most] = LIMITS[name]
    const text = values[name]
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    if (!(value >= least && value <= most))
      throw new Error(`--${name} must be a whole number from ${least} to ${most}, not "${text}".`)
    return value
  }
  return { merchants: number('merchants'), agents: number('agents') }
}

/** Refuses a database in which anybody but the demo agents has shops, or the seed's logins are taken. */
async function refuseUsed(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ shops: boolean; logins: boolean }>(
    `select exists (select 1 from merchants where agent_id <> all ($1::bigint[])) as shops,
            exists (select 1 from accounts where login_name = $2) as logins`,
    [Object.values(DEMO_AGENTS), String(FIRST_LOGIN)],
  )
  if (rows[0]?.shops)
    throw new Error(
      'This database holds merchants that are no demo data: nothing is seeded into it. Choose an empty DATA_DIR or DATABASE_URL.',
    )
  if (rows[0]?.logins)
    throw new Error(
      `This database already has an account ${FIRST_LOGIN}. Choose an empty DATA_DIR or DATABASE_URL.`,
    )
}

/** A name that another has already gets its number. */
function distinct(name: string, names: Set<string>, id: number): string {
  const own = names.has(name) ? `${name}${id}` : name
  names.add(own)
  return own
}

async function createAgents(owner: pg.Client, count: number, today: Date): Promise<SeedAgent[]> {
  const random = makeRandom(2_000_003)
  const db = drizzle(owner)
  const passwordHash = await hashPassword(DEMO_PASSWORD)
  const made: SeedAgent[] = []
  const names = new Set<string>()
  for (let rank = 0; rank < count; rank++) {
    const id = FIRST_AGENT + rank
    const login = FIRST_LOGIN + rank
    const createdAt = new Date(today.getTime() - (2_000 - rank) * 86_400_000).toISOString()
    const level = rank === 0 ? 5 : 2 + random.whole(4)
    await db.insert(agents).values(
      agentRow({
        id,
        companyName: distinct(companyName(random, random.pick(CITIES)), names, id),
        contactName: personName(random),
        mobile: `137${pad(login)}`,
        levelId: level,
        createdAt,
      }),
    )
    const people = [String(login), `${login}01`, `${login}02`].map((loginName, i) =>
      accountRow({
        agentId: id,
        loginName,
        name: personName(random),
        mobile: `139${pad(login * 10 + i)}`,
        passwordHash,
        isOwner: i === 0,
        createdAt,
      }),
    )
    const managers = await db.insert(accounts).values(people).returning({ id: accounts.id })
    made.push({ id, managerIds: managers.map(manager => manager.id) })
  }
  await owner.query('update agents set parent_id = $1 where id between $1 + 8 and $1 + 17', [FIRST_AGENT + 1])
  await owner.query(`select setval(pg_get_serial_sequence('agents', 'id'), (select max(id) from agents))`)
  return made
}

function pad(number: number): string {
  return String(number).padStart(8, '0')
}

/** Tokens and SMS of each agent, larger ones with more, through the ledger like any other credit. */
async function fillWallets(owner: pg.Client, agents: readonly SeedAgent[]): Promise<void> {
  for (const [rank, agent] of agents.entries()) {
    const { rows } = await owner.query<{ no: string }>('select next_order_no() as no')
    const movement = (asset: string, amount: number, book: string) => ({
      kind: 'credit',
      asset,
      amount,
      from: { kind: 'vendor', book },
      to: { kind: 'agent', id: agent.id },
      document: rows[0]?.no,
      payMethod: 'gift',
      agentId: agent.id,
      actorId: agent.managerIds[0],
      actorName: '运营中心',
      description: '运营充值',
      remark: '期初',
    })
    const share = 1 + Math.floor(200 / (rank + 1))
    await owner.query('select ledger_post($1::jsonb)', [
      JSON.stringify([
        movement('token', share * 50_000_000, 'issued'),
        movement('sms', share * 10_000, 'sms-supplier'),
      ]),
    ])
  }
}

type Structure = { name: string; drop: string; create: string }

/** Foreign keys, indexes and triggers of merchants, which cost less made once than kept row by row. */
async function structuresOf(owner: pg.Client): Promise<Structure[]> {
  const { rows } = await owner.query<Structure>(
    `select tgname as name, format('drop trigger %I on merchants', tgname) as drop, pg_get_triggerdef(oid) as create, 3 as step
       from pg_trigger where tgrelid = 'merchants'::regclass and not tgisinternal
     union all
     select conname, format('alter table merchants drop constraint %I', conname),
         format('alter table merchants add constraint %I %s', conname, pg_get_constraintdef(oid)), 2
       from pg_constraint where conrelid = 'merchants'::regclass and contype = 'f'
     union all
     select indexname, format('drop index %I', indexname), indexdef, 1
       from pg_indexes where schemaname = 'public' and tablename = 'merchants'
         and indexname not in (select conname from pg_constraint where conrelid = 'merchants'::regclass)
     order by step, name`,
  )
  return rows
}

async function loadShops(owner: pg.Client, total: number, agents: SeedAgent[], today: Date): Promise<void> {
  const { rows } = await owner.query<{ id: string }>(`select nextval('merchant_ids') as id`)
  const firstId = Number(rows[0]?.id)
  const makeRow = makeShopRows({ agents, total, firstId, today })
  let writing: Promise<unknown> = Promise.resolve()
  for (let done = 0; done < total; done += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, total - done) }, (_, index) => makeRow(done + index))
    await writing
    if (done > 0 && done % 100_000 === 0) say(`${done} of ${total} merchants`)
    writing = insertRows(owner, merchants, rows)
    // Looked at by the next await; a failure before that must not count as unhandled.
    writing.catch(() => undefined)
  }
  await writing
  await owner.query(`select setval('merchant_ids', $1)`, [firstId + total - 1])
}

/** Agents with their credit, then all else in one transaction: a seed that is cut short leaves no shops, and is not taken for whole. */
async function fill(owner: pg.Client, { merchants, agents }: Options): Promise<void> {
  const today = startOfDay(formatDay(new Date()))
  await owner.query('begin')
  const made = await createAgents(owner, agents, today)
  await fillWallets(owner, made)
  await owner.query('commit')
  const transfers = Math.ceil(merchants / 10)
  await loadTransfers(owner, FIRST_AGENT, transfers)
  say(`${agents} agents with wallets and ${transfers} transfers`)
  await owner.query('begin')
  await owner.query("set local maintenance_work_mem = '512MB'")
  const structures = await structuresOf(owner)
  for (const { drop } of [...structures].reverse()) await owner.query(drop)
  await loadShops(owner, merchants, made, today)
  say(`${merchants} merchants written`)
  for (const { name, create } of structures) {
    const startedMs = performance.now()
    await owner.query(create)
    if (performance.now() - startedMs > 1_000) say(`${name} in ${seconds(startedMs)}`)
  }
  await owner.query(
    `insert into merchant_counts (agent_id, total) select agent_id, count(*) from merchants group by agent_id
       on conflict (agent_id) do update set total = excluded.total`,
  )
  await owner.query(
    `insert into merchant_days (agent_id, day, registered, expiring)
       select agent_id, day, sum(registered), sum(expiring) from (
         select agent_id, shanghai_day(registered_at) as day, 1 as registered, 0 as expiring from merchants where agent_id >= $1
         union all select agent_id, shanghai_day(expires_at), 0, 1 from merchants
           where agent_id >= $1 and expires_at is not null) as counted group by 1, 2`,
    [FIRST_AGENT],
  )
  const written = await loadOrders(owner, FIRST_AGENT)
  for (const [table, rows] of Object.entries(written)) say(`${rows} rows of ${table}`)
  await owner.query('commit')
  await owner.query('vacuum (analyze)')
}

function seconds(startedMs: number): string {
  return `${((performance.now() - startedMs) / 1_000).toFixed(1)} s`
}

async function main(): Promise<void> {
  const startedMs = performance.now()
  const options = readOptions(process.argv.slice(2))
  const database = await ownerDatabase()
  try {
    const env = readEnv(process.env)
    await migrateDatabase({
      ownerUrl: database.url,
      appPassword: makeSecrets(secretKeyOf(env)).databasePassword,
      afterwards: loadReferenceData,
    })
    if (await createDemoData(database.url)) say('Demo data created')
    const owner = new pg.Client({
      connectionString: database.url,
      options: '-c timezone=UTC -c app.scope=all -c synchronous_commit=off',
    })
    await owner.connect()
    try {
      await refuseUsed(owner)
      await fill(owner, options)
    } finally {
      await owner.end()
    }
  } finally {
    await database.close()
  }
  const { merchants, agents } = options
  say(
    `Seeded ${merchants} merchants of ${agents} agents in ${seconds(startedMs)}: accounts from ${FIRST_LOGIN} (the largest), password ${DEMO_PASSWORD}`,
  )
}

main().catch((error: unknown) => {
  process.stderr.write(`${messageForTerminal(error)}\n`)
  process.exit(1)
})
