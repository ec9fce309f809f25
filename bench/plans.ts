// npm run bench -- --plans: how the database answers each list's statements as the app's role behind row-level security,
// planned for their values and as it does by itself after several calls, in what it takes of a processor where the database
// is here. Exits 1 where something scans a large table, waits longer than SLOW_MS, or where a table is too small to be judged.
import { existsSync, readFileSync } from 'node:fs'
import pg from 'pg'
import type { App } from '#app/server.ts'
import { addDays, formatDay } from '#kit/time.ts'
import { SESSION_OPTIONS } from '#server/db.ts'
import { appUrlOf } from '#server/postgres/migrate.ts'
import { makeSecrets } from '#server/secrets.ts'
import { recordStatements } from './statements.ts'

const LARGE_TABLES = [
  'merchants',
  'ledger_entries',
  'version_orders',
  'ledger_transfers',
  'ledger_accounts',
  'version_order_effects',
  'payment_intents',
  'payment_attempts',
  'service_orders',
  'sms_orders',
  'renewal_marks',
  'outbox_messages',
  'order_days',
  'merchant_days',
  'sms_days',
  'sms_agent_days',
  'sms_uses',
]
/** A table with fewer rows is read whole for good reasons, and nothing is learnt of it. */
const ROWS_LEAST = 5_000
/** Rows that are one for each of few, at any size of an office. */
const SMALL_BY_NATURE = new Set(['selling_prices', 'sms_agent_days'])
const GROWING = LARGE_TABLES.filter(table => !SMALL_BY_NATURE.has(table))
/** After five executions PostgreSQL may turn to a plan that fits any values. */
const EXECUTIONS = 6
const SLOW_MS = 50
/** What takes longer is looked at so often, and its quickest counts: others use the machine, too. */
const LOOKS = 5

/** `orderNo`: of an order that it may open. */
type Who = { login: string; cookie: string; agentId: number; scope: 'own' | 'all'; orderNo: string }
type Node = { 'Node Type': string; 'Relation Name'?: string; 'Index Name'?: string; Plans?: Node[] }
type Explained = { ms: number; nodes: Node[] }

/** Paths of lists worth a look. `pages` is the number of pages of ten rows that this person has. */
function pathsOf({ scope, orderNo }: Who, pages: number): string[] {
  const today = formatDay(new Date())
  const filters = [
    'status=disabled',
    'storeKind=branch',
    'versionId=12',
    'industryId=3',
    'paymentMethodId=1',
    'paymentMethodId=9',
    'lastLoginDays=0',
    'lastLoginDays=30',
    `registeredFrom=${addDays(today, -30)}&registeredTo=${today}`,
    `expiresFrom=${today}&expiresTo=${addDays(today, 90)}`,
    `status=normal&versionId=12&expiresFrom=${today}&expiresTo=${addDays(today, 90)}`,
    `status=disabled&versionId=1&industryId=3&storeKind=head&paymentMethodId=2&registeredFrom=${today}`,
    'search=%E7%A6%8F%E9%91%AB',
    'search=%E7%8E%8B%E4%BC%9F',
    'search=%E9%9D%A2%E9%A6%86',
    'search=%E9%BE%98%E9%BE%98',
    'search=%E9%9D%A2%E9%A6%86&status=disabled&sort=expiresAt',
    'search=13812',
    'search=13',
    'search=99999999',
    ...(scope === 'own'
      ? ['search=%E7%A6%8F', 'search=%E5%BA%97', 'search=a', 'search=1']
      : ['agentId=1150', 'agentId=1001&search=%E7%A6%8F%E9%91%AB']),
  ]
  const sorts = ['registeredAt', 'expiresAt', 'lastLoginAt'].flatMap(sort =>
    ['asc', 'desc'].map(order => `sort=${sort}&order=${order}`),
  )
  return [
    ...sorts.map(sort => `/merchants?${sort}`),
    ...sorts.map(sort => `/merchants?status=disabled&${sort}`),
    ...filters.map(filter => `/merchants?${filter}`),
    `/merchants?page=${pages}`,
    `/merchants?page=${Math.ceil(pages / 2)}&sort=expiresAt`,
    '/merchants/overdue',
    '/merchants/overdue/preview',
    '/merchants/find?search=%E7%A6%8F%E9%91%AB',
    '/wallet/changes',
    `/wallet/changes?from=${addDays(today, -7)}&to=${today}`,
    '/wallet/changes?payMethod=balance',
    '/wallet/changes?search=%E7%A6%8F%E9%91%AB',
    ...tradePaths(today, scope),
    ...numberPaths(orderNo, scope),
  ]
}

/** A number that opens, what is found by it, and the filters that few shops share. */
function numberPaths(orderNo: string, scope: Who['scope']): string[] {
  return [
    `/orders/${orderNo}/details`,
    `/orders/${orderNo.slice(-8)}/details`,
    `/payments/find?number=${orderNo}`,
    '/wallet/changes?sort=createdAt&order=asc',
    '/sms/merchant-changes?sort=createdAt&order=asc',
    '/dashboard/todo',
    '/operation-log',
    '/operation-log?search=10500000',
    '/dashboard/month',
    '/orders/batches',
    '/merchants?regionCode=44',
    '/merchants?regionCode=4403&sort=expiresAt',
    '/merchants?regionCode=440305',
    '/merchants?verificationStatus=failed',
    '/merchants?smsLeft=0',
    '/merchants?smsLeft=100',
    '/merchants?source=import',
    ...(scope === 'own'
      ? ['/margins/orders', '/margins/orders?priced=true', '/margins/orders?priced=false']
      : ['/dashboard/office']),
  ]
}

/** Lists of what is done with shops. */
function tradePaths(today: string, scope: Who['scope']): string[] {
  const month = `${addDays(today, -30)}`
  const searches = ['%E7%A6%8F%E9%91%AB', '%E9%9D%A2%E9%A6%86', '13812', '10500000', '99999999']
  const dated = ['/services/orders', '/sms/orders'].flatMap(path => [
    path,
    `${path}?from=${month}&to=${today}`,
    ...searches.map(search => `${path}?search=${search}`),
    `${path}?page=500`,
  ])
  return [
    '/orders',
    '/orders?page=500',
    ...['paid', 'quoted', 'recycled'].map(status => `/orders?status=${status}`),
    '/orders?salesType=upgrade',
    '/orders?versionId=5&payMethod=interface',
    `/orders?paidFrom=${month}&paidTo=${today}`,
    ...searches.map(search => `/orders?search=${search}`),
    '/settlement/bills',
    '/settlement/bills?salesType=renew',
    '/settlement/bills?status=recycled',
    `/settlement/bills?paidFrom=${month}&paidTo=${today}`,
    ...searches.map(search => `/settlement/bills?search=${search}`),
    ...dated,
    '/services/orders?state=recalled',
    '/sms/orders?status=recycled',
    ...['7', '30', '90', 'lapsed'].map(window => `/renewals?window=${window}`),
    '/renewals?window=90&mark=promised',
    '/renewals?window=90&managerId=0',
    '/renewals/counts',
    '/renewals/months',
    '/dashboard/figures',
    '/dashboard/charts',
    '/merchants/10500000/timeline',
    '/messages/log',
    '/messages/log?status=failed',
    '/messages/log?kind=renewal-reminder',
    '/messages/log?search=%E7%A6%8F%E9%91%AB',
    ...(scope === 'own'
      ? ['/merchants/secondary', '/messages/forecast']
      : [
          '/merchants/source',
          '/merchants/source?source=import',
          '/merchants/source?search=%E7%A6%8F%E9%91%AB',
          '/messages/outbox',
          '/messages/abnormal',
          '/messages/abnormal?status=unknown',
          '/messages/outbox?search=13812',
          '/orders?agentId=1150',
          '/settlement/bills?agentId=1150',
          '/renewals?window=30&agentId=1001',
          '/insights/partners',
          '/insights/partners?sort=renewalRate&order=asc',
        ]),
  ]
}

/** Prints a line for each statement and answers how many scan a large table or wait, and how many tables are too small to tell. */
export async function checkPlans(
  database: { url: string; secretKey: string; owner: pg.Pool },
  people: { app: App; cookies: ReadonlyMap<string, string> },
  say: (line: string) => void,
): Promise<number> {
  const client = new pg.Client({
    connectionString: appUrlOf(database.url, makeSecrets(database.secretKey).databasePassword),
    options: SESSION_OPTIONS,
  })
  await client.connect()
  const small = await tooSmall(database.owner)
  let faults = 0
  say('   by itself   for values  statement')
  try {
    for (const [login, cookie] of people.cookies) {
      const { who, pages } = await personOf(database.owner, login, cookie)
      await client.query(`select set_config('app.agent_id', $1, false), set_config('app.scope', $2, false)`, [
        String(who.agentId),
        who.scope,
      ])
      for (const path of pathsOf(who, pages)) faults += await checkPath(client, people.app, who, path, say)
    }
  } finally {
    await client.end()
  }
  for (const { table, rows } of small) say(`${table} has ${rows} rows, too few to be judged`)
  say(
    faults === 0
      ? 'Nothing scans a large table or waits.'
      : `${faults} statements scan a large table or wait.`,
  )
  return faults + small.length
}

async function tooSmall(owner: pg.Pool): Promise<{ table: string; rows: number }[]> {
  const { rows } = await owner.query<{ table: string; rows: number }>(
    `select relname as table, reltuples::int as rows from pg_class where relnamespace = 'public'::regnamespace and relname = any ($1)`,
    [LARGE_TABLES],
  )
  return rows.filter(({ table, rows }) => rows < ROWS_LEAST && !SMALL_BY_NATURE.has(table))
}

async function personOf(owner: pg.Pool, login: string, cookie: string): Promise<{ who: Who; pages: number }> {
  const { rows } = await owner.query<{ agent_id: string; staff: boolean; total: string; order_no: string }>(
    `select agent_id, is_vendor_staff as staff,
        (select order_no from version_orders as o where o.agent_id = agents.id or agents.is_vendor_staff order by id desc limit 1) as order_no,
        (select coalesce(sum(total), 0) from merchant_counts as counted
           where agents.is_vendor_staff or counted.agent_id = agents.id) as total
       from accounts join agents on agents.id = agent_id where login_name = $1`,
    [login],
  )
  const [row] = rows
  if (!row) throw new Error(`no account ${login}`)
  const who: Who = {
    login,
    cookie,
    agentId: Number(row.agent_id),
    scope: row.staff ? 'all' : 'own',
    orderNo: row.order_no,
  }
  return { who, pages: Math.max(1, Math.floor(Number(row.total) / 10)) }
}

async function checkPath(
  client: pg.Client,
  app: App,
  who: Who,
  path: string,
  say: (line: string) => void,
): Promise<number> {
  const { sent, result } = await recordStatements(() =>
    app.http.inject({ method: 'GET', url: `/api${path}`, headers: { cookie: who.cookie } }),
  )
  // A shop of another agent has no timeline to look at, and of eight digits several orders may end so.
  if (result.statusCode === 404 || result.body.includes('ORDER_AMBIGUOUS')) return 0
  if (result.statusCode !== 200) {
    say(`    FAILED ${who.login} ${path} answered ${result.statusCode} ${result.body.slice(0, 200)}`)
    return 1
  }
  let faults = 0
  for (const { name, text, values } of sent) {
    const mode = name ? 'auto' : 'force_custom_plan'
    let chosen = await explain(client, text, values, mode)
    for (let look = 1; look < LOOKS && chosen.ms > SLOW_MS; look++) {
      const again = await explain(client, text, values, mode)
      if (again.ms < chosen.ms) chosen = again
    }
    const custom = await explain(client, text, values, 'force_custom_plan')
    const scanned = [...chosen.nodes, ...custom.nodes].some(
      node => node['Node Type'] === 'Seq Scan' && GROWING.includes(node['Relation Name'] ?? ''),
    )
    const waits = chosen.ms > SLOW_MS
    if (scanned || waits) faults++
    const kind = text.includes('count(*)') || text.includes('sum(') ? 'total' : 'rows'
    const doubts = [
      scanned ? 'SCANS' : '',
      waits ? 'SLOW' : '',
      chosen.ms > custom.ms * 3 + 1 ? 'MISPLANNED' : '',
    ]
    const indexes = [...new Set(chosen.nodes.flatMap(node => node['Index Name'] ?? []))].filter(index =>
      LARGE_TABLES.some(table => index.startsWith(`${table}_`)),
    )
    say(
      `${chosen.ms.toFixed(2).padStart(9)} ms ${custom.ms.toFixed(2).padStart(9)} ms  ${who.login} ${kind} ${decodeURIComponent(path)} [${indexes.join(' ')}] ${doubts.join(' ').trim()}`.trimEnd(),
    )
  }
  return faults
}

async function explain(
  client: pg.Client,
  text: string,
  values: unknown[],
  mode: 'auto' | 'force_custom_plan',
): Promise<Explained> {
  const textOf = (value: unknown) => {
    if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`
    return Array.isArray(value) ? `{${value.join(',')}}` : String(value)
  }
  const literals = values.map(value => (value === null ? 'null' : client.escapeLiteral(textOf(value))))
  const execute = literals.length > 0 ? `execute looked_at(${literals.join(', ')})` : 'execute looked_at'
  await client.query(`set plan_cache_mode = ${mode}`)
  await client.query(`prepare looked_at as ${text}`)
  try {
    for (let i = 0; i < (mode === 'auto' ? EXECUTIONS : 1); i++) await client.query(execute)
    const before = onProcessorMs(client)
    const { rows } = await client.query(`explain (analyze, format json, timing off) ${execute}`)
    const worked = onProcessorMs(client) - before
    const [answer] = rows[0]['QUERY PLAN'] as { Plan: Node; 'Execution Time': number }[]
    if (!answer) throw new Error('no plan')
    const took = answer['Execution Time']
    return { ms: Number.isNaN(worked) ? took : Math.min(took, worked), nodes: nodesOf(answer.Plan) }
  } finally {
    await client.query('deallocate looked_at')
  }
}

/** What the connection's process had of a processor so far: what others take meanwhile is none of a statement's. NaN where it is elsewhere. */
function onProcessorMs({ host, processID }: pg.Client & { processID?: number }): number {
  const file = `/proc/${processID}/schedstat`
  const isHere = host === '127.0.0.1' && existsSync(file)
  return isHere ? Number(readFileSync(file, 'utf8').split(' ')[0]) / 1_000_000 : Number.NaN
}

function nodesOf(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)]
}
