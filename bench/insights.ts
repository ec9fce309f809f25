// The operator's pages at thousands of agents: each through the app's role and row-level security against the same statements as
// the owner, with their plans' times. npm run bench -- insights [agents]; a database of its own under DATA_DIR.
import type pg from 'pg'
import { agentRow } from '#features/office/agents/rows.ts'
import { agents as agentsTable } from '#features/office/agents/tables.ts'
import { insertRows } from '#server/insert-rows.ts'
import { compare, inOwnOffice, type OwnOffice, wanted } from './office.ts'
import { recordStatements } from './statements.ts'

/** With 2,000 agents 1,000,000 shops, one agent with 120,000 of them, their terms, and the sums of 3,000,000 orders. */
const AGENTS = 2_000
const SHOPS_EACH = 500
const FIRST = 100_000
const LARGE = FIRST + 1
const FIRST_SHOP = 20_000_000
const MONTHS = 36
const DAYS = 400
const CALLS = 20

/** Past the triggers, which keep what the views below find anew; nobody searches these shops. `$1` agents. */
const SHOPS = `
  drop index if exists merchants_search;
  set session_replication_role = replica;
  insert into merchants (id, agent_id, store_kind, short_name, shop_name, person_name, account, password_hash, province_code, city_code,
      district_code, industry_id, version_id, shops_bought, status, registered_at, expires_at, verification_status, source)
    select ${FIRST_SHOP} + n, case when n % 100 < 12 then ${LARGE} else ${LARGE} + 1 + n % ($1 - 1) end, 'head', '测算', '测算店铺' || n, '测算',
      '19' || lpad(n::text, 9, '0'), '', '44', '4403', '440305', 1 + n % 5, (array[1, 3, 5, 12])[1 + n / 7 % 4], 1, 'normal', at,
      case when n % 20 > 0 then at + (1 + n % 4) * interval '365 days' end, 'unverified', 'backOffice'
    from generate_series(1, $1 * ${SHOPS_EACH}) n cross join lateral (select now() - n % 1095 * interval '1 day' as at) as registered;
  insert into renewed_terms (merchant_id, day, agent_id, orders)
    select m.id, shanghai_day(m.registered_at + term * interval '365 days'), m.agent_id, 1
    from merchants m, generate_series(1, m.id % 4) term where m.id > ${FIRST_SHOP} and m.expires_at is not null;
  truncate insight_cohorts;
  insert into insight_cohorts (version_id, month, kind, ends, shops) select version_id, month, kind, ends, shops from insight_cohorts_found;
  insert into merchant_counts (agent_id, total) select agent_id, count(*) from merchants where id > ${FIRST_SHOP} group by 1;
  set session_replication_role = origin`

/** The sums as they are kept; `$1` agents. */
const FILL = [
  `insert into order_days (agent_id, day, kind, orders, cents, fen)
    select ${FIRST} + n, current_date - d, kind, 1, 10000 + (n * d) % 90000, 0
    from generate_series(1, $1::int) n, generate_series(0, ${DAYS}) d, unnest(array['version', 'service', 'sms']) kind where (n + d) % 2 = 0`,
  `insert into merchant_days (agent_id, day, registered, expiring)
    select ${FIRST} + n, current_date - d, 1, (n + d) % 2 from generate_series(1, $1::int) n, generate_series(-${DAYS}, ${DAYS}) d`,
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

const YEAR = new Date().getUTCFullYear() - 1
/** Shops that were sold in a month two years ago, a year and more after. */
const COHORT = `registeredFrom=${YEAR - 1}-12-01&registeredTo=${YEAR - 1}-12-31`
const PAGES = [
  '/api/insights/partners?size=50',
  '/api/insights/partners?period=year&sort=growth&size=50',
  '/api/insights/partners?period=quarter&sort=renewalRate&levelId=3&spending=90',
  '/api/insights/partners?idle=30&sort=idleDays&page=20',
  `/api/insights/sales?agentId=${LARGE}&from=${YEAR}-01-01&to=${YEAR}-12-31`,
  '/api/insights/cohorts?rows=36',
  '/api/insights/cohorts?rows=60&unit=year&versionId=12',
  `/api/insights/cohorts?rows=36&agentId=${LARGE}`,
  `/api/insights/cohorts?rows=36&agentId=${LARGE + 1}`,
  `/api/merchants?${COHORT}&lastsPast=${YEAR}-12-31`,
  `/api/merchants?${COHORT}&expiresTo=${YEAR}-12-31&versionId=12`,
  `/api/insights/renewals?${COHORT}&dueFrom=${YEAR}-01-01&dueTo=${YEAR}-12-31`,
  `/api/insights/renewals?dueFrom=${YEAR}-12-01&dueTo=${YEAR}-12-31&agentId=${LARGE}`,
  '/api/insights/income',
  '/api/insights/funds',
]

export function measureInsights(): Promise<void> {
  return inOwnOffice('insights', async office => {
    await fill(office.owner, wanted(AGENTS))
    await measure(office)
  })
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
  for (const statement of SHOPS.split(';')) await owner.query(statement.replaceAll('$1', String(agents)))
  await owner.query('vacuum analyze')
}

async function measure({ owner, logIn, ask }: OwnOffice): Promise<void> {
  const cookie = await logIn('10001')
  for (const address of PAGES) {
    const call = () => ask(address, cookie)
    await call()
    const { sent } = await recordStatements(call)
    const plain = async () => {
      for (const { text, values } of sent) await owner.query(text, values)
    }
    await compare(`insights ${address}`, CALLS, call, plain)
    process.stdout.write(`  plans: ${(await planned(owner, sent)).join(', ')}\n`)
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
