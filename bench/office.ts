// What measurements with a database of their own share: the whole program on it, a session, and how long calls take.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import fastify from 'fastify'
import pg from 'pg'
import { createDemoData } from '#app/demo.ts'
import { createApp } from '#app/server.ts'
import { DEMO_PASSWORD } from '#features/office/access/sample.ts'
import { readEnv } from '#server/env.ts'
import { ownerDatabase } from '../scripts/owner-database.ts'
import { secretKeyOf } from '../scripts/secret-key.ts'
import { ROOT } from './child.ts'

export type OwnOffice = {
  app: Awaited<ReturnType<typeof createApp>>
  owner: pg.Client
  /** A session's cookie of a demo account. */
  logIn(loginName: string): Promise<string>
  /** Answers the body of an address, or throws. */
  ask(address: string, cookie: string): Promise<string>
}

/**
 * The program without jobs on a database of this measurement's own under DATA_DIR, with the demo's rows. `isNew`: without what another run
 * left there.
 */
export async function inOwnOffice(
  name: string,
  measure: (office: OwnOffice) => Promise<void>,
  { isNew = false } = {},
): Promise<void> {
  const own = join(ROOT, `data/bench-${name}`)
  if (isNew && !process.env.DATA_DIR) rmSync(own, { recursive: true, force: true })
  process.env.DATA_DIR ||= own
  const { url, close } = await ownerDatabase()
  const env = readEnv({ ...process.env, LOG_LEVEL: 'silent' })
  const app = await createApp({ env, ownerUrl: url, secretKey: secretKeyOf(env), jobs: false } as never)
  const owner = new pg.Client({ connectionString: url, options: '-c timezone=UTC -c app.scope=all' })
  await owner.connect()
  try {
    await createDemoData(url)
    await app.http.ready()
    await measure({
      app,
      owner,
      logIn: loginName => logIn(app, loginName),
      async ask(address, cookie) {
        const { statusCode, body } = await app.http.inject({ url: address, headers: { cookie } })
        if (statusCode !== 200) throw new Error(`${address} answered ${statusCode} ${body}`)
        return body
      },
    })
  } finally {
    await owner.end()
    await app.stop()
    await close()
  }
}

async function logIn(app: OwnOffice['app'], loginName: string): Promise<string> {
  const answer = await app.http.inject({
    method: 'POST',
    url: '/api/session',
    headers: { 'x-requested-with': 'partner-office' },
    payload: { loginName, password: DEMO_PASSWORD },
  })
  const [cookie] = answer.cookies
  if (!cookie) throw new Error(`no session: ${answer.body}`)
  return `${cookie.name}=${cookie.value}`
}

/** How many of them there are to be, as the last word of the command says. */
export const wanted = (usual: number) => Number(process.argv.at(-1)) || usual

const ROUNDS = 4
const WARM_UP = 12
const TARGET = 0.4

type Side = [name: string, call: () => Promise<unknown>, took: number[]]

/**
 * Says how long a call takes through the program, its bare statements as the owner, alone and behind a bare HTTP server as the
 * other measurements have them (the floor); in turns, so that all meet the same machine.
 */
export async function compare(
  name: string,
  calls: number,
  ask: () => Promise<unknown>,
  plain: () => Promise<unknown>,
): Promise<void> {
  const floor = fastify().get('/', async () => (await plain()) ?? null)
  const sides: Side[] = [
    ['through the program', ask, []],
    ['bare', plain, []],
    ['bare behind HTTP', () => floor.inject('/'), []],
  ]
  // What runs all day is compiled and has its statements prepared.
  for (const [, call] of sides) await timed(call, WARM_UP)
  for (let round = 0; round < ROUNDS; round++)
    for (const [, call, took] of sides) took.push(...(await timed(call, Math.ceil(calls / ROUNDS))))
  const [ours = 0, ...others] = sides.map(([, , took]) => median(took))
  const told = others.map((ms, i) => {
    const ratio = ms / ours
    return `${ms.toFixed(2)} ms ${sides[i + 1]?.[0]}, ratio ${ratio.toFixed(2)}${ratio < TARGET ? ' BELOW' : ''}`
  })
  process.stdout.write(`${name}: ${ours.toFixed(2)} ms through the program; ${told.join('; ')}\n`)
  await floor.close()
}

/** Milliseconds of each of so many calls. */
async function timed(call: () => Promise<unknown>, calls: number): Promise<number[]> {
  const took: number[] = []
  for (let at = 0; at < calls; at++) {
    const began = performance.now()
    await call()
    took.push(performance.now() - began)
  }
  return took
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

/** Shops of a measurement are numbered from here on. */
export const FIRST_SHOP = 20_000_000
/** What is counted is counted so far. */
export const CAP = 10_001

/**
 * One shop each, past the triggers; every fifth of the agent that is measured, the others of the demo's other agents. `$1` applications, `$2`
 * the agent.
 */
const SHOPS = `
  insert into merchants (id, agent_id, store_kind, short_name, shop_name, person_name, account, password_hash, province_code, city_code,
      district_code, industry_id, version_id, shops_bought, status, registered_at, expires_at, verification_status, source)
    select ${FIRST_SHOP} + n, case when n % 5 = 0 then $2::bigint else o.ids[1 + n % cardinality(o.ids)] end, 'head', '测算',
      substr('福鑫金玉百味嘉美小城鲜果云海满堂', 1 + n % 8 * 2, 2) || '餐厅' || n, '测算', '19' || lpad(n::text, 9, '0'), '', '44', '4403', '440305',
      1 + n % 5, (array[1, 3, 5, 12])[1 + n / 7 % 4], 1, 'normal', now() - n % 900 * interval '1 day',
      now() + n % 300 * interval '1 day', 'unverified', 'backOffice'
    from generate_series(1, $1::int) n cross join (select array_agg(id order by id) as ids from agents where id <> $2::bigint) o`

/** False: they are there already. */
async function makeShops(owner: pg.Client, count: number, agentId: number): Promise<boolean> {
  const { rows } = await owner.query<{ n: number }>(
    'select count(*)::int as n from merchants where id > $1',
    [FIRST_SHOP],
  )
  if ((rows[0]?.n ?? 0) >= count) return false
  await owner.query('set session_replication_role = replica')
  await owner.query(SHOPS, [count, agentId])
  await owner.query('set session_replication_role = origin')
  return true
}

async function agentOf(owner: pg.Client, login: string): Promise<number> {
  const { rows } = await owner.query<{ agent_id: string }>(
    'select agent_id from accounts where login_name = $1',
    [login],
  )
  return Number(rows[0]?.agent_id)
}

/** The shops that a search finds: staff find a number as an account alone. */
export const shopsOf = (text: string, own: string) => [
  own === 'true' && /^\d+$/.test(text)
    ? `select id from merchants where account = '${text}'`
    : `select id from merchants where bigrams(search_text) @> bigrams(lower('${text}')) and search_text like '%${text}%' and ${own} limit 2001`,
]

const APPLICATIONS = 100_000
const CALLS = 40
const STAFF = '10090'
const AGENT = '20001'

type Asked = { address: string; statements: readonly string[] }
type Lists = {
  /** Behind one shop for each application; `$1` of the first is their number. */
  rows: readonly string[]
  /** What is asked of whoever sees the rows that `own` names, and the best SQL for it as the owner. */
  cases: (owner: pg.Client, own: string) => Promise<readonly Asked[]>
}

/** Lists of applications of one shop each, for staff and for an agent. */
export function measureLists(name: string, { rows, cases }: Lists): Promise<void> {
  return inOwnOffice(name, async ({ owner, logIn, ask }) => {
    const agentId = await agentOf(owner, AGENT)
    const count = wanted(APPLICATIONS)
    if (await makeShops(owner, count, agentId))
      for (const [at, statement] of rows.entries()) await owner.query(statement, at === 0 ? [count] : [])
    await owner.query('vacuum analyze')
    for (const [login, own] of [
      [STAFF, 'true'],
      [AGENT, `agent_id = ${agentId}`],
    ] as const) {
      const cookie = await logIn(login)
      for (const { address, statements } of await cases(owner, own))
        await compare(
          `${login} ${address}`,
          CALLS,
          () => ask(encodeURI(address), cookie),
          async () => {
            const answers: unknown[] = []
            for (const text of statements) answers.push((await owner.query(text)).rows)
            return answers
          },
        )
    }
  })
}
