// The confirm of a bulk renewal against the bare SQL that writes the same rows: orders, effects, terms, transfers, entries.
import type pg from 'pg'
import type { Child } from './child.ts'

const SHOPS = 500
const RUNS = 5

export type BulkFigures = { shops: number; programMs: number; bareMs: number; ratio: number; line: string }

type Servers = { program: Child & { hello: { port: number } } }

export async function measureBulk(
  servers: Servers,
  whose: { owner: pg.Pool; cookie: string; agentId: number },
): Promise<BulkFigures> {
  const { rows } = await whose.owner.query<{ id: string }>(
    `select id from merchants where agent_id = $1 and version_id = 12 and status = 'normal' and store_kind = 'head'
       and expires_at is not null order by hashtext(id::text) limit $2`,
    [whose.agentId, SHOPS * RUNS * 2],
  )
  const ids = rows.map(row => Number(row.id))
  const programMs: number[] = []
  const bareMs: number[] = []
  for (let run = 0; run < RUNS; run++) {
    programMs.push(await confirmed(servers.program.hello.port, whose.cookie, ids.splice(0, SHOPS)))
    bareMs.push(await bare(whose.owner, whose.agentId, ids.splice(0, SHOPS), run))
  }
  const [program, floor] = [middle(programMs), middle(bareMs)]
  const ratio = program / floor
  const line = `bulk renewal of ${SHOPS} shops: confirm ${program.toFixed(0)} ms, bare SQL of its rows ${floor.toFixed(0)} ms, ratio ${ratio.toFixed(1)}`
  return { shops: SHOPS, programMs: program, bareMs: floor, ratio, line }
}

async function confirmed(port: number, cookie: string, merchantIds: number[]): Promise<number> {
  const quote = (await post(port, cookie, '/purchases/bulk-quotes', {
    merchantIds,
    term: 'year',
    periods: 1,
    remark: '',
  })) as { batchNo: string; payable: number }
  if (quote.payable !== merchantIds.length) throw new Error(`only ${quote.payable} shops can be renewed`)
  const startedMs = performance.now()
  await post(port, cookie, '/purchases/bulk', { batchNo: quote.batchNo })
  return performance.now() - startedMs
}

async function post(port: number, cookie: string, path: string, body: object): Promise<unknown> {
  const answer = await fetch(`http://127.0.0.1:${port}/api${path}`, {
    method: 'POST',
    headers: {
      cookie,
      'x-requested-with': 'partner-office',
      'idempotency-key': crypto.randomUUID(),
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status} ${await answer.text()}`)
  return answer.json()
}

/** The same rows written set by set, without a price, a check or a hash. Afterwards they are taken out again. */
async function bare(owner: pg.Pool, agentId: number, ids: number[], run: number): Promise<number> {
  const batch = `98${run}${Date.now()}`
  const client = await owner.connect()
  try {
    const startedMs = performance.now()
    await client.query('begin')
    await client.query(
      `insert into version_orders (order_no, agent_id, merchant_id, sales_type, status, version_id, term, periods, shops,
         branches, unit, unit_cents, original_cents, discount_basis_points, total_cents, content, pay_method, purchase_code,
         batch_no, created_by, created_at, paid_at)
       select $2::text || id, agent_id, id, 'renew', 'paid', version_id, 'year', 1, 1, 0, '年', 29800, 29800, 4000, 11920,
         '续费 ' || shop_name, 'balance', 1, $2::text, 1, now(), now() from merchants where id = any ($1)`,
      [ids, batch],
    )
    await client.query(
      `insert into version_order_effects (order_id, agent_id, merchant_id, version_before, version_after, expires_before,
         expires_after, shops_before, shops_after)
       select o.id, m.agent_id, m.id, m.version_id, m.version_id, m.expires_at, m.expires_at + interval '1 year', 1, 1
       from merchants m join version_orders o on o.merchant_id = m.id and o.batch_no = $2 where m.id = any ($1)`,
      [ids, batch],
    )
    await client.query(
      `update merchants set expires_at = expires_at + interval '1 year', revision = revision + 1 where id = any ($1)`,
      [ids],
    )
    await client.query(
      `with wallet as (select id from ledger_accounts where owner_kind = 'agent' and owner_id = $1 and asset = 'token'),
         book as (select id from ledger_accounts where owner_kind = 'vendor' and book = 'revenue' and asset = 'token'),
         moved as (insert into ledger_transfers (kind, asset, amount, from_account_id, to_account_id, document, merchant_id,
             pay_method, agent_id, actor_id, actor_name, description, remark, created_at)
           select 'version-renew', 'token', 11920, wallet.id, book.id, o.order_no, o.merchant_id, 'balance', $1, 1, '', o.content,
             '', now() from version_orders o, wallet, book where o.batch_no = $2
           returning id, from_account_id, to_account_id)
       insert into ledger_entries (transfer_id, account_id, agent_id, amount, sequence, balance_before, balance_after, hash,
         pay_method, actor_id, created_at)
       select id, from_account_id, $1, -11920, -id, 0, 0, '\\x00'::bytea, 'balance', 1, now() from moved
       union all select id, to_account_id, null, 11920, null, null, null, '\\x00'::bytea, 'balance', 1, now() from moved`,
      [agentId, batch],
    )
    await client.query('commit')
    const tookMs = performance.now() - startedMs
    await takeOut(client, batch)
    return tookMs
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

async function takeOut(client: pg.PoolClient, batch: string): Promise<void> {
  await client.query(
    `with gone as (delete from version_order_effects where order_id in
         (select id from version_orders where batch_no = $1) returning 1)
     select count(*) from gone`,
    [batch],
  )
  await client.query(
    `delete from ledger_entries where transfer_id in (select id from ledger_transfers where document like $1 || '%')`,
    [batch],
  )
  await client.query(`delete from ledger_transfers where document like $1 || '%'`, [batch])
  await client.query('delete from version_orders where batch_no = $1', [batch])
}

function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
