-- The lines of an agent's monthly statement about what its shops have deposited: opening balance, movements by kind, their total, closing
-- balance, in fen; none where nothing was ever held. A shop that goes to another agent takes its deposits along, as lines of their own:
-- entries are another agent's by then, so that it is summed here, of the acting agent alone. Run whenever this text has changed: migrations/again.
create or replace function deposit_lines(of_agent bigint, since timestamptz, until timestamptz)
returns table (line int, item text, count bigint, income bigint, spent bigint, balance bigint)
language sql stable security definer set search_path = public, pg_temp
as $$
  with moved as materialized (
    select t.kind as item, t.created_at as at, e.amount
    from ledger_transfers t join ledger_entries e on e.transfer_id = t.id and e.agent_id = of_agent
    where t.asset = 'deposit' and t.agent_id = of_agent and t.created_at < until and (sees_all() or of_agent = acting_agent())
    union all
    select case when m.to_agent_id = of_agent then 'shop-in' else 'shop-out' end, m.created_at,
      case when m.to_agent_id = of_agent then e.balance_after else -e.balance_after end
    from ledger_accounts a join ledger_moves m on m.account_id = a.id
      join ledger_entries e on e.account_id = m.account_id and e.sequence = m.sequence
    where a.asset = 'deposit' and of_agent in (m.from_agent_id, m.to_agent_id) and e.balance_after <> 0 and m.created_at < until
      and (sees_all() or of_agent = acting_agent())),
  sums as (
    select coalesce(sum(amount) filter (where at < since), 0)::bigint as opening, coalesce(sum(amount), 0)::bigint as closing,
      count(*) filter (where at >= since) as count,
      coalesce(sum(amount) filter (where at >= since and amount > 0), 0)::bigint as income,
      coalesce(-sum(amount) filter (where at >= since and amount < 0), 0)::bigint as spent
    from moved having count(*) > 0)
  select 0, 'opening', null::bigint, null::bigint, null::bigint, opening from sums
  union all
  select 1, item, count(*), coalesce(sum(amount) filter (where amount > 0), 0)::bigint,
    coalesce(-sum(amount) filter (where amount < 0), 0)::bigint, null from moved where at >= since group by item
  union all select 2, 'total', sums.count, sums.income, sums.spent, null from sums
  union all select 3, 'closing', null, null, null, closing from sums
$$;

revoke execute on function deposit_lines(bigint, timestamptz, timestamptz) from public;
grant execute on function deposit_lines(bigint, timestamptz, timestamptz) to partner_office_app;
