// Checks that the ledger is whole: zero sums, balances, chains, reversals. Reads only; every problem is counted under a name.
import type pg from 'pg'

export type LedgerCheck = {
  sound: boolean
  line: string
  figures: Record<string, number>
  problems: Record<string, number>
}

const FIGURES = `
  select (select count(*) from ledger_accounts) as accounts, (select count(*) from ledger_transfers) as transfers,
    (select count(*) from ledger_entries) as entries`

/** Each query answers the number of places where a promise does not hold. */
const PROBLEMS: Record<string, string> = {
  // every transfer has exactly one entry out of its first and one into its second account, for its amount
  unbalanced_transfers: `
    select count(*) from ledger_transfers t left join lateral (
      select count(*) as n, coalesce(sum(e.amount), 0) as total,
        count(*) filter (where e.account_id = t.from_account_id and e.amount = -t.amount) as outs,
        count(*) filter (where e.account_id = t.to_account_id and e.amount = t.amount) as ins
      from ledger_entries e where e.transfer_id = t.id) e on true
    where e.n <> 2 or e.total <> 0 or e.outs <> 1 or e.ins <> 1`,
  entries_unlike_their_transfer: `
    select count(*) from ledger_entries e left join ledger_transfers t on t.id = e.transfer_id
      left join ledger_accounts a on a.id = e.account_id
    where t.id is null or a.id is null or e.created_at <> t.created_at or e.pay_method <> t.pay_method
      or e.actor_id <> t.actor_id or e.agent_id is distinct from a.agent_id or a.asset <> t.asset
      or (a.owner_kind = 'vendor') <> (e.sequence is null)`,
  broken_chains: `
    select count(*) from (
      select e.account_id, e.sequence, e.balance_before, e.balance_after, e.amount, e.hash,
        row_number() over w as expected_sequence,
        coalesce(lag(e.balance_after) over w, 0) as expected_before,
        ledger_entry_hash(lag(e.hash) over w, e, t, a) as expected_hash
      from ledger_entries e join ledger_transfers t on t.id = e.transfer_id
        join ledger_accounts a on a.id = e.account_id
      where e.sequence is not null window w as (partition by e.account_id order by e.sequence)) chain
    where sequence <> expected_sequence or balance_before <> expected_before
      or balance_after <> balance_before + amount or balance_after < 0 or hash is distinct from expected_hash`,
  // entries of the vendor's books stand alone: no balance, no chain, and a hash of their own
  altered_vendor_entries: `
    select count(*) from ledger_entries e join ledger_transfers t on t.id = e.transfer_id
      join ledger_accounts a on a.id = e.account_id
    where a.owner_kind = 'vendor' and (e.balance_before is not null or e.balance_after is not null
      or e.hash is distinct from ledger_entry_hash(null, e, t, a))`,
  accounts_without_entries: `
    select count(*) from ledger_accounts a
    where not exists (select 1 from ledger_entries e where e.account_id = a.id)
      or (a.owner_kind = 'vendor' and (a.entry_count <> 0 or a.head_hash is not null))`,
  balances_unlike_entries: `
    select count(*) from ledger_accounts a left join lateral (
      select count(*) as n, coalesce(sum(e.amount), 0) as total from ledger_entries e where e.account_id = a.id) e on true
      left join lateral (select hash from ledger_entries l where l.account_id = a.id and l.sequence = a.entry_count) last on true
    where a.owner_kind <> 'vendor'
      and (e.n <> a.entry_count or e.total <> a.balance or last.hash is distinct from a.head_hash)`,
  wrong_reversals: `
    select count(*) from ledger_transfers r join ledger_transfers t on t.id = r.reverses_id
    where r.amount <> t.amount or r.asset <> t.asset or r.from_account_id <> t.to_account_id
      or r.to_account_id <> t.from_account_id or t.reverses_id is not null`,
  paid_orders_without_transfer: `
    select count(*) from version_orders o where o.status = 'paid' and o.total_cents > 0
      and not exists (select 1 from ledger_transfers t where t.document = o.order_no and t.asset = 'token'
        and t.amount = o.total_cents)`,
}

/** Checks the whole ledger in one snapshot. Shape: figures and problems by name; `sound` when every problem is 0. */
export async function verifyLedger(client: pg.Client | pg.PoolClient): Promise<LedgerCheck> {
  await client.query(`begin isolation level repeatable read read only`)
  await client.query(`set local app.scope = 'all'`)
  const figures = numbers((await client.query(FIGURES)).rows[0])
  const problems: Record<string, number> = {}
  for (const [name, query] of Object.entries(PROBLEMS))
    problems[name] = Number(Object.values((await client.query(query)).rows[0])[0])
  await client.query('commit')
  const sound = Object.values(problems).every(count => count === 0)
  const list = (of: Record<string, number>) =>
    Object.entries(of)
      .map(([name, count]) => `${name}=${count}`)
      .join(' ')
  return {
    sound,
    figures,
    problems,
    line: `ledger ${sound ? 'sound' : 'DRIFT'} ${list(figures)} ${list(problems)}`,
  }
}

function numbers(row: Record<string, unknown>): Record<string, number> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value)]))
}
