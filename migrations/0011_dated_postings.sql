-- As ledger_post was, for who sets up an office with a history: each movement at its moment, which is neither before the last
-- entry of its accounts nor ahead of the clock. Without moments all are posted now. The app's role may not call it.
create function ledger_post_at(movements jsonb, moments timestamptz[]) returns bigint[]
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  movement jsonb;
  transfer ledger_transfers;
  from_ids bigint[] := '{}';
  to_ids bigint[] := '{}';
  posted bigint[] := '{}';
  clock timestamptz;
  moment timestamptz;
  i int := 0;
begin
  for movement in select value from jsonb_array_elements(movements) loop
    if not ledger_may_act((movement->>'agentId')::bigint) then
      raise exception 'ledger movement of another agent' using errcode = '42501';
    end if;
    from_ids := from_ids || ledger_account_of(movement->'from', movement->>'asset');
    to_ids := to_ids || ledger_account_of(movement->'to', movement->>'asset');
  end loop;
  if not (sees_all() or ledger_may_take(movements, from_ids, to_ids)) then
    raise exception 'ledger movement out of the books of the vendor' using errcode = '42501';
  end if;
  perform 1 from ledger_accounts where id = any (from_ids || to_ids) and owner_kind <> 'vendor' order by id for update;
  clock := date_trunc('milliseconds', clock_timestamp());
  if not sees_all() and exists (
    select 1 from ledger_accounts where owner_kind <> 'vendor'
      and ((id = any (from_ids) and agent_id is distinct from acting_agent())
        or (id = any (to_ids) and agent_id is distinct from acting_agent()
          and not (owner_kind = 'agent' and ledger_may_act(agent_id))))) then
    raise exception 'ledger account of another agent' using errcode = '42501';
  end if;
  for movement in select value from jsonb_array_elements(movements) loop
    i := i + 1;
    moment := coalesce(date_trunc('milliseconds', moments[i]), clock);
    if moments is not null and (moment > clock or exists (select 1 from ledger_entries
        where account_id in (from_ids[i], to_ids[i]) and sequence is not null and created_at > moment)) then
      raise exception 'ledger movement out of its time' using errcode = '22008';
    end if;
    insert into ledger_transfers (kind, asset, amount, from_account_id, to_account_id, document, merchant_id,
        pay_method, agent_id, actor_id, actor_name, description, remark, reverses_id, created_at)
      values (movement->>'kind', movement->>'asset', (movement->>'amount')::bigint, from_ids[i], to_ids[i],
        movement->>'document', (movement->>'merchantId')::bigint, movement->>'payMethod',
        (movement->>'agentId')::bigint, (movement->>'actorId')::bigint, movement->>'actorName',
        movement->>'description', coalesce(movement->>'remark', ''), (movement->>'reversesId')::bigint, moment)
      returning * into transfer;
    perform ledger_write_entry(transfer, from_ids[i], -transfer.amount);
    perform ledger_write_entry(transfer, to_ids[i], transfer.amount);
    posted := posted || transfer.id;
  end loop;
  insert into ledger_days (agent_id, day, asset, kind, transfers, income, spent)
    select (m->>'agentId')::bigint, shanghai_day(coalesce(date_trunc('milliseconds', moments[place]), clock)), m->>'asset', m->>'kind', count(*),
      coalesce(sum((m->>'amount')::bigint) filter (where m->'to'->>'kind' = 'agent' and m->'to'->>'id' = m->>'agentId'), 0),
      coalesce(sum((m->>'amount')::bigint) filter (where m->'from'->>'kind' = 'agent' and m->'from'->>'id' = m->>'agentId'), 0)
    from jsonb_array_elements(movements) with ordinality as listed (m, place)
    where m->'to'->>'kind' = 'agent' or m->'from'->>'kind' = 'agent'
    group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (agent_id, day, asset, kind) do update set transfers = ledger_days.transfers + excluded.transfers,
      income = ledger_days.income + excluded.income, spent = ledger_days.spent + excluded.spent;
  return posted;
end $$;
--> statement-breakpoint
revoke execute on function ledger_post_at(jsonb, timestamptz[]) from public;
--> statement-breakpoint
create or replace function ledger_post(movements jsonb) returns bigint[]
language plpgsql security definer set search_path = public, pg_temp
as $$ begin return ledger_post_at(movements, null); end $$;
