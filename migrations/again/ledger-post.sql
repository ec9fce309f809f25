-- The only way into the ledger's tables (docs: features/ledger/README.md). Run whenever this text has changed: migrations/again.
-- ledger_post is the app's; it refuses tokens of a suspended agency and posts at this moment. ledger_post_at does the work and is the
-- owner's alone. Both lock the accounts that hold a balance in the order of their ids, check, and write transfers, entries, hashes,
-- balances and the sums of the day.

-- Whose money may be moved: one's own, and what goes to an agent of one's own.
create or replace function ledger_may_act(agent bigint) returns boolean
language sql stable security definer set search_path = public, pg_temp
as $$
  select sees_all() or agent = acting_agent()
    or exists (select 1 from agents where id = agent and parent_id = acting_agent())
$$;

-- What an agent's own scope may take out of the vendor's books: what it paid before and takes back, SMS credit for its shops,
-- and for an agent as much as it hands over in the same call. Everything else is the vendor's to give.
create or replace function ledger_may_take(movements jsonb, from_ids bigint[], to_ids bigint[]) returns boolean
language sql stable security definer set search_path = public, pg_temp
as $$
  with moved as (
    select m->>'kind' as kind, m->>'asset' as asset, (m->>'amount')::bigint as amount, (m->>'reversesId')::bigint as reverses,
      source.owner_kind as out_of, source.book as out_of_book, target.owner_kind as goes_to, target.book as goes_to_book,
      source.id as source_id, target.id as target_id
    from jsonb_array_elements(movements) with ordinality as listed (m, place)
      join ledger_accounts source on source.id = from_ids[place] join ledger_accounts target on target.id = to_ids[place])
  select coalesce(bool_and(out_of <> 'vendor'
      or (out_of_book <> 'payment-clearing' and exists (select 1 from ledger_transfers t where t.id = reverses and t.reverses_id is null
        and t.from_account_id = target_id and t.to_account_id = source_id and t.amount >= moved.amount))
      or (goes_to = 'merchant' and asset = 'sms' and out_of_book = 'sms-supplier')
      or (goes_to = 'agent' and kind = 'allocate' and asset = 'token' and out_of_book = 'payment-clearing')), true)
    and coalesce(sum(amount) filter (where kind = 'allocate' and asset = 'token' and out_of_book = 'payment-clearing'), 0)
      = coalesce(sum(amount) filter (where kind = 'allocate' and asset = 'token' and goes_to_book = 'payment-clearing' and out_of = 'agent'), 0)
  from moved
$$;

-- The account of an owner, made when it is first needed.
create or replace function ledger_account_of(owner jsonb, wanted_asset text) returns bigint
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  kind text := owner->>'kind';
  owner_no bigint := coalesce((owner->>'id')::bigint, 0);
  book_name text := coalesce(owner->>'book', '');
  belongs_to bigint;
  found_id bigint;
begin
  select id into found_id from ledger_accounts
    where owner_kind = kind and owner_id = owner_no and asset = wanted_asset and book = book_name;
  if found_id is not null then return found_id; end if;
  belongs_to := case kind when 'agent' then owner_no
    when 'merchant' then (select agent_id from merchants where id = owner_no) end;
  if kind <> 'vendor' and belongs_to is null then
    raise exception 'ledger account of unknown % %', kind, owner_no;
  end if;
  insert into ledger_accounts (owner_kind, owner_id, book, asset, agent_id, balance)
    values (kind, owner_no, book_name, wanted_asset, belongs_to, case when kind <> 'vendor' then 0 end)
    on conflict (owner_kind, owner_id, asset, book) do nothing returning id into found_id;
  if found_id is null then
    select id into found_id from ledger_accounts
      where owner_kind = kind and owner_id = owner_no and asset = wanted_asset and book = book_name;
  end if;
  return found_id;
end $$;

-- An entry's hash covers the agent that the entry was written for, so that it stays when the shop and its account go to another.
create or replace function ledger_entry_hash(previous bytea, entry ledger_entries, transfer ledger_transfers, account ledger_accounts)
returns bytea
language sql immutable parallel safe
as $$
  select sha256(coalesce(previous, ''::bytea) || convert_to(jsonb_build_array(
    entry.id, entry.account_id, entry.sequence, entry.amount, entry.balance_before, entry.balance_after,
    transfer.id, transfer.kind, transfer.asset, transfer.amount, transfer.from_account_id, transfer.to_account_id,
    transfer.document, transfer.merchant_id, transfer.pay_method, transfer.agent_id, transfer.actor_id,
    transfer.actor_name, transfer.description, transfer.remark, transfer.reverses_id,
    (extract(epoch from transfer.created_at) * 1000)::bigint,
    account.owner_kind, account.owner_id, account.book, account.asset, entry.agent_id
  )::text, 'UTF8'))
$$;

create or replace function ledger_write_entry(transfer ledger_transfers, account bigint, signed_amount bigint) returns void
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  held ledger_accounts;
  entry ledger_entries;
begin
  select * into strict held from ledger_accounts where id = account;
  entry.id := nextval('ledger_entries_id_seq');
  entry.transfer_id := transfer.id;
  entry.account_id := account;
  entry.agent_id := held.agent_id;
  entry.amount := signed_amount;
  entry.pay_method := transfer.pay_method;
  entry.actor_id := transfer.actor_id;
  entry.created_at := transfer.created_at;
  if held.owner_kind <> 'vendor' then
    if held.balance + signed_amount < 0 then
      raise exception 'insufficient' using errcode = 'PO001', detail = jsonb_build_object(
        'asset', held.asset, 'balance', held.balance, 'missing', -(held.balance + signed_amount),
        'owner', held.owner_kind)::text;
    end if;
    entry.sequence := held.entry_count + 1;
    entry.balance_before := held.balance;
    entry.balance_after := held.balance + signed_amount;
  end if;
  -- The vendor's books have no chain, since one would queue every purchase on one row; each of their entries stands alone.
  entry.hash := ledger_entry_hash(held.head_hash, entry, transfer, held);
  if held.owner_kind <> 'vendor' then
    update ledger_accounts set balance = entry.balance_after, entry_count = entry.sequence, head_hash = entry.hash
      where id = account;
  end if;
  insert into ledger_entries (id, transfer_id, account_id, agent_id, amount, sequence, balance_before, balance_after,
      hash, pay_method, actor_id, created_at)
    values (entry.id, entry.transfer_id, entry.account_id, entry.agent_id, entry.amount, entry.sequence,
      entry.balance_before, entry.balance_after, entry.hash, entry.pay_method, entry.actor_id, entry.created_at);
end $$;

-- Each movement at its moment, which is neither before the last entry of its accounts nor ahead of the clock: for who sets up an
-- office with a history. Without moments all are posted now. Answers the transfers' ids in the order given.
create or replace function ledger_post_at(movements jsonb, moments timestamptz[]) returns bigint[]
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

-- The tokens of a suspended agency stay where they are, whoever moves them and however long ago that began.
create or replace function ledger_post(movements jsonb) returns bigint[]
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  if exists (
    select 1 from jsonb_array_elements(movements) as m
      join agents a on a.id = (m->'from'->>'id')::bigint and a.status = 'suspended'
    where m->'from'->>'kind' = 'agent' and m->>'asset' = 'token') then
    raise exception 'tokens of a suspended agency' using errcode = 'PO002';
  end if;
  return ledger_post_at(movements, null);
end $$;

revoke execute on function ledger_may_act(bigint), ledger_may_take(jsonb, bigint[], bigint[]), ledger_account_of(jsonb, text),
  ledger_write_entry(ledger_transfers, bigint, bigint), ledger_post_at(jsonb, timestamptz[]), ledger_post(jsonb) from public;
grant execute on function ledger_post(jsonb) to partner_office_app;
