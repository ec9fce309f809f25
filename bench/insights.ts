// The operator's pages at thousands of agents: each through the app's role and row-level security against the same statements as
// the owner, with their plans' times. npm run bench -- insights [agents]; a database of its own under DATA_DIR.
import { join } from 'node:path'
import pg from 'pg'
import { createDemoData } from '#app/demo.ts'
import { createApp } from '#app/server.ts'
import { DEMO_PASSWORD } from '#features/access/demo.ts'
import { agentRow } from '#features/agents/rows.ts'
import { agents as agentsTable } from '#features/agents/tables.ts'
import { readEnv } from '#server/env.ts'
import { insertRows } from '#server/insert-rows.ts'
import { ownerDatabase } from '../scripts/owner-database.ts'
import { secretKeyOf } from '../scripts/secret-key.ts'
import { ROOT } from './child.ts'
import { recordStatements } from './statements.ts'

/** With 2,000 agents the sums of 1,000,000 shops and 3,000,000 orders: a day has an order of a kind, a month 14 renewals. */
const AGENTS = 2_000
const FIRST = 100_000
const MONTHS = 36
const DAYS = 400
const CALLS = 20
const TARGET = 0.4

/** The sums as they are kept; `$1` agents. */
const FILL = [
  `insert into order_days (agent_id, day, kind, orders, cents, fen)
    select ${FIRST} + n, current_date - d, kind, 1, 10000 + (n * d) % 90000, 0
    from generate_series(1, $1::int) n, generate_series(0, ${DAYS}) d, unnest(array['version', 'service', 'sms']) kind where (n + d) % 2 = 0`,
  `insert into merchant_days (agent_id, day, registered, expiring)
    select ${FIRST} + n, current_date - d, 1, (n + d) % 2 from generate_series(1, $1::int) n, generate_series(-${DAYS}, ${DAYS}) d`,
  `insert into renewed_terms (merchant_id, day, agent_id, orders)
    select 50000000 + n * 1000 + d, current_date - d, ${FIRST} + n, 1 from generate_series(1, $1::int) n, generate_series(0, ${DAYS}) d where (n + d) % 2 = 0`,
  `insert into insight_sums (agent_id, month, kind, entries, amount)
    select ${FIRST} + n, (date_trunc('month', now()) - m * interval '1 month')::date, kind, 14, 10000 + (n * m) % 90000
    from generate_series(1, $1::int) n, generate_series(0, ${MONTHS - 1}) m, unnest(array['version-new', 'version-renew', 'version-upgrade',
      'service', 'sms-package', 'hardware', 'token-recharge', 'sms-recharge', 'renewed', 'agent-token', 'agent-sms', 'merchant-sms']) kind`,
  `insert into ledger_days (agent_id, day, asset, kind, transfers, income, spent)
    select ${FIRST} + n, current_date - d, 'token', kind, 1, 0, 5000 from generate_series(1, $1::int) n, generate_series(0, ${DAYS}) d,
      unnest(array['version-renew', 'service', 'sms-package']) kind where (n + d) % 2 = 0`,
  `insert into ledger_accounts (owner_kind, owner_id, book, asset, agent_id, balance, entry_count)
    select 'agent', ${FIRST} + n, '', asset, ${FIRST} + n, 1000000, 0 from generate_series(1, $1::int) n, unnest(array['token', 'sms']) asset`,
]

const PAGES = [
  '/api/insights/partners?size=50',
  '/api/insights/partners?period=year&sort=growth&size=50',
  '/api/insights/partners?period=quarter&sort=renewalRate&levelId=3&spending=90',
  '/api/insights/partners?idle=30&sort=idleDays&page=20',
  '/api/insights/funds',
]

export async function measureInsights(): Promise<void> {
  process.env.DATA_DIR ||= join(ROOT, 'data/bench-insights')
  const agents = Number(process.argv.at(-1)) || AGENTS
  const { url, close } = await ownerDatabase()
  const env = readEnv({ ...process.env, LOG_LEVEL: 'silent' })
  const app = await createApp({ env, ownerUrl: url, secretKey: secretKeyOf(env), jobs: false } as never)
  const owner = new pg.Client({ connectionString: url, options: '-c timezone=UTC -c app.scope=all' })
  await owner.connect()
  try {
    await createDemoData(url)
    await fill(owner, agents)
    await measure(app, owner)
  } finally {
    await owner.end()
    await app.stop()
    await close()
  }
}

async function fill(owner: pg.Client, agents: number): Promise<void> {
  const { rows } = await owner.query<{ n: string }>('select count(*) as n from agents where id > $1', [FIRST])
  if (Number(rows[0]?.n) >= agents) return
  const createdAt = new Date(Date.now() - 3 * 365 * 86_400_000).toISOString()
  const made = Array.from({ length: agents }, (_, n) =>
    agentRow({ id: FIRST + n + 1, companyName: `测算代理 ${n + 1}`, levelId: 2 + (n % 4), createdAt }),
  )
  await insertRows(owner, agentsTable, made)
  for (const statement of FILL) await owner.query(statement, [agents])
  await owner.query('vacuum analyze')
}

type App = Awaited<ReturnType<typeof createApp>>

async function measure(app: App, owner: pg.Client): Promise<void> {
  await app.http.ready()
  const answer = await app.http.inject({
    method: 'POST',
    url: '/api/session',
    headers: { 'x-requested-with': 'partner-office' },
    payload: { loginName: '10001', password: DEMO_PASSWORD },
  })
  const cookie = answer.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  for (const address of PAGES) {
    const ask = async () => {
      const { statusCode, body } = await app.http.inject({ url: address, headers: { cookie } })
      if (statusCode !== 200) throw new Error(`${address} answered ${statusCode} ${body}`)
    }
    await ask()
    const { sent } = await recordStatements(ask)
    const plain = async () => {
      for (const { text, values } of sent) await owner.query(text, values)
    }
    const [ours, bare] = [await median(ask), await median(plain)]
    const ratio = bare / ours
    process.stdout.write(
      `insights ${address}: ${ours.toFixed(1)} ms through the program; ${bare.toFixed(1)} ms bare, ratio ${ratio.toFixed(2)}${ratio < TARGET ? ' BELOW' : ''}; plans ${(await planned(owner, sent)).join(', ')}\n`,
    )
  }
}

/** How each statement reaches its tables. */
async function planned(
  owner: pg.Client,
  sent: readonly { text: string; values: unknown[] }[],
): Promise<string[]> {
  const found = new Set<string>()
  for (const { text, values } of sent) {
    const { rows } = await owner.query(`explain ${text}`, values)
    for (const row of rows)
      for (const [scan] of String(row['QUERY PLAN']).matchAll(/[\w ]*Scan[\w ]*(?= {2}|$| \()/g))
        found.add(scan.trim())
  }
  return [...found]
}

async function median(call: () => Promise<unknown>): Promise<number> {
  const took: number[] = []
  for (let at = 0; at < CALLS; at++) {
    const began = performance.now()
    await call()
    took.push(performance.now() - began)
  }
  return took.sort((a, b) => a - b)[CALLS / 2] ?? 0
}
