// Checks that the ledger is whole: zero sums, balances, chains, reversals. Reads only; every problem is counted under a name.
import type pg from 'pg'
import type { Book } from '#server/checkpoints/checkpoints.ts'

export const LEDGER_BOOK: Book = {
  name: 'ledger',
  table: 'ledger_entries',
  sequence: 'ledger_entries_id_seq',
}

export type LedgerCheck = {
  sound: boolean
  line: string
  figures: Record<string, number>
  problems: Record<string, number>
}

const FIGURES = `
  select (select count(*) from ledger_accounts) as accounts, (select count(*) from ledger_transfers) as transfers,
    (select count(*) from ledger_entries) as entries`

/**
 * Orders paid from the wallet whose tokens do not net to what they cost while they stand, and to nothing otherwise. A
 * transfer of another agent's does not count for it.
 */
function unlikeTransfers(table: string, { which, stands }: { which: string; stands: string }): string {
  return `
    select count(*) from ${table} o left join (
      select t.document, t.agent_id, sum(case when source.owner_kind = 'agent' then t.amount else 0 end)
        - sum(case when target.owner_kind = 'agent' then t.amount else 0 end) as net
      from ledger_transfers t join ledger_accounts source on source.id = t.from_account_id
        join ledger_accounts target on target.id = t.to_account_id
      where t.asset = 'token' group by 1, 2) moved on moved.document = o.order_no and moved.agent_id = o.agent_id
    where ${which} and coalesce(moved.net, 0) <> case when ${stands} then o.total_cents else 0 end`
}

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
  // the entries of a shop's account up to its next move are the agent's from whom it went; the last are its present agent's
  entries_unlike_their_transfer: `
    select count(*) from ledger_entries e left join ledger_transfers t on t.id = e.transfer_id
      left join ledger_accounts a on a.id = e.account_id
    where t.id is null or a.id is null or e.created_at <> t.created_at or e.pay_method <> t.pay_method
      or e.actor_id <> t.actor_id or a.asset <> t.asset
      or e.agent_id is distinct from coalesce((select m.from_agent_id from ledger_moves m
        where m.account_id = e.account_id and m.sequence >= e.sequence order by m.id limit 1), a.agent_id)
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
  wrong_moves: `
    select count(*) from (
      select ledger_moves.*, lead(from_agent_id) over w as next_agent_id, lead(sequence) over w as next_sequence
      from ledger_moves window w as (partition by account_id order by id)) m
      left join ledger_moves whole on whole.id = m.id left join ledger_accounts a on a.id = m.account_id
      left join ledger_entries e on e.account_id = m.account_id and e.sequence = m.sequence
    where a.id is null or e.id is null or a.owner_kind <> 'merchant' or m.from_agent_id = m.to_agent_id
      or m.sequence > coalesce(m.next_sequence, a.entry_count) or m.to_agent_id <> coalesce(m.next_agent_id, a.agent_id)
      or m.hash is distinct from ledger_move_hash(e.hash, whole)`,
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
    where r.amount > t.amount or (r.amount < t.amount and r.asset <> 'sms') or r.asset <> t.asset or r.from_account_id <> t.to_account_id
      or r.to_account_id <> t.from_account_id or t.reverses_id is not null`,
  version_orders_unlike_transfers: unlikeTransfers('version_orders', {
    which: `o.pay_method = 'balance'`,
    stands: `o.status = 'paid'`,
  }),
  service_orders_unlike_transfers: unlikeTransfers('service_orders', {
    which: `o.pay_method = 'balance'`,
    stands: `o.state = 'completed'`,
  }),
  sms_orders_unlike_transfers: unlikeTransfers('sms_orders', {
    which: `o.pay_method = 'balance' and o.kind = 'package'`,
    stands: `o.status = 'paid'`,
  }),
  hardware_orders_unlike_transfers: unlikeTransfers('hardware_orders', {
    which: 'o.paid_at is not null',
    stands: `o.delivery_status not in ('returned', 'cancelled')`,
  }),
  // what messages are charged now is what went to the supplier for them and did not come back, by document and payer
  messages_unlike_transfers: `
    select count(*) from (
      select document_no as document, payer, payer_id, sum(charged) as pieces from outbox_messages
      where payer <> 'vendor' or charged <> 0 group by 1, 2, 3) m
    full join (
      select t.document, a.owner_kind as payer, a.owner_id as payer_id, sum(case when t.kind = 'sms-send' then t.amount else -t.amount end) as pieces
      from ledger_transfers t join ledger_accounts a on a.id = case when t.kind = 'sms-send' then t.from_account_id else t.to_account_id end
      where t.kind in ('sms-send', 'sms-send-return') group by 1, 2, 3) moved
      on moved.document = m.document and moved.payer = m.payer and moved.payer_id = m.payer_id
    where coalesce(m.pieces, 0) <> coalesce(moved.pieces, 0)`,
  // what was paid from outside was credited once, to whom it was ordered for, and went back where it was refunded
  recharges_unlike_transfers: `
    select count(*) from (
      select order_no, agent_id, 'token' as asset, case when status = 'paid' then token_cents else 0 end as wanted
      from token_orders
      union all select order_no, agent_id, 'sms', case when status = 'paid' then pieces else 0 end
      from sms_orders where kind = 'recharge') o
    full join (
      select t.document as order_no, t.agent_id, t.asset,
        sum(case when target.owner_kind = 'agent' and target.owner_id = t.agent_id then t.amount else 0 end)
          - sum(case when source.owner_kind = 'agent' and source.owner_id = t.agent_id then t.amount else 0 end) as net
      from ledger_transfers t join ledger_accounts source on source.id = t.from_account_id
        join ledger_accounts target on target.id = t.to_account_id
      where t.kind in ('token-recharge', 'sms-recharge', 'recharge-refund') group by 1, 2, 3) moved
      using (order_no, agent_id, asset)
    where coalesce(moved.net, 0) <> coalesce(o.wanted, 0)`,
  // what a shop deposited came in whole, went out as it was given back and kept, and what is left of it is held
  deposits_unlike_transfers: `
    select count(*) from (
      select order_no, merchant_id, case when paid_at is null then 0 else amount_fen end as paid, returned_fen as returned, kept_fen as kept
      from deposits) d
    full join (
      select t.document as order_no, t.merchant_id, coalesce(sum(t.amount) filter (where t.kind = 'deposit-paid' and o.book = 'payment-clearing'), 0) as paid,
        coalesce(sum(t.amount) filter (where t.kind = 'deposit-returned' and i.book = 'payment-clearing'), 0) as returned,
        coalesce(sum(t.amount) filter (where t.kind = 'deposit-kept' and i.book = 'revenue'), 0) as kept,
        count(*) filter (where t.kind not in ('deposit-paid', 'deposit-returned', 'deposit-kept')
          or t.merchant_id is distinct from case when t.kind = 'deposit-paid' then i.owner_id else o.owner_id end) as others
      from ledger_transfers t join ledger_accounts o on o.id = t.from_account_id join ledger_accounts i on i.id = t.to_account_id
      where t.asset = 'deposit' group by 1, 2) moved using (order_no, merchant_id)
    where coalesce(d.paid, 0) <> coalesce(moved.paid, 0) or coalesce(d.returned, 0) <> coalesce(moved.returned, 0)
      or coalesce(d.kept, 0) <> coalesce(moved.kept, 0) or coalesce(moved.others, 0) <> 0`,
  // each deposit is as far as its requests and payments say: decided ones make up what left it, and one payment what came
  deposits_unlike_requests: `
    select count(*) from deposits d
      left join lateral (select coalesce(sum(r.amount_fen) filter (where r.kind = 'return'), 0) as returned,
        coalesce(sum(r.amount_fen) filter (where r.kind = 'keep'), 0) as kept from deposit_requests r
        where r.deposit_id = d.id and r.state in ('paying', 'owed', 'done')) r on true
      left join lateral (select count(*) as paid from deposit_payments p join payment_intents i on i.id = p.intent_id
        where p.deposit_id = d.id and p.state = 'paid' and i.status = 'paid' and i.amount_fen = d.amount_fen) p on true
    where d.returned_fen <> r.returned or d.kept_fen <> r.kept or p.paid <> case when d.paid_at is null then 0 else 1 end
      or (d.state in ('held', 'deciding')) <> (d.held_fen > 0)
      or (d.state = 'deciding') <> exists (select 1 from deposit_requests r where r.deposit_id = d.id and r.state = 'asked')`,
  // what goes back of a deposit by its channel is what was asked for, and what was paid beside it goes back whole
  deposit_refunds_unlike_requests: `
    select (select count(*) from deposit_requests r left join payment_refunds f on f.id = r.refund_id
      where (r.refund_id is not null and (f.amount_fen <> r.amount_fen or f.reason <> 'deposit'))
        or (r.state = 'paying' and (f.id is null or f.status not in ('wanted', 'processing')))
        or (r.state = 'done' and r.kind = 'return' and f.status is distinct from 'done' and r.receipt_no = ''))
      + (select count(*) from deposit_payments p where p.state = 'returned' and not exists (
        select 1 from payment_attempts a join payment_refunds f on f.attempt_id = a.id where a.intent_id = p.intent_id and f.amount_fen = a.amount_fen))`,
  days_unlike_transfers: `
    select count(*) from (
      select t.agent_id, (t.created_at at time zone 'Asia/Shanghai')::date as day, t.asset, t.kind, count(*) as transfers,
        coalesce(sum(t.amount) filter (where i.owner_kind = 'agent' and i.owner_id = t.agent_id), 0) as income,
        coalesce(sum(t.amount) filter (where o.owner_kind = 'agent' and o.owner_id = t.agent_id), 0) as spent
      from ledger_transfers t join ledger_accounts o on o.id = t.from_account_id join ledger_accounts i on i.id = t.to_account_id
      where o.owner_kind = 'agent' or i.owner_kind = 'agent' group by 1, 2, 3, 4) as summed
    full join ledger_days d using (agent_id, day, asset, kind)
    where summed.transfers is distinct from d.transfers or summed.income is distinct from d.income
      or summed.spent is distinct from d.spent`,
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
