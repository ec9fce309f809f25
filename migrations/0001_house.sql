-- Functions, triggers, search index, row-level security and rights that the table generator does not know.
create extension if not exists btree_gin;
--> statement-breakpoint
-- The acting agent, set by the server at the start of every unit of work.
create function acting_agent() returns bigint language sql stable parallel safe
as $$ select nullif(current_setting('app.agent_id', true), '')::bigint $$;
--> statement-breakpoint
create function sees_all() returns boolean language sql stable parallel safe
as $$ select coalesce(current_setting('app.scope', true), '') = 'all' $$;
--> statement-breakpoint
-- Two-character pieces of a text, for the search index.
create function bigrams(value text) returns text[] language sql immutable strict parallel safe
as $$
  select coalesce(array_agg(distinct c[i] || c[i + 1]), '{}')
  from (select string_to_array(value, null) as c) as letters, generate_series(1, cardinality(c) - 1) as i
$$;
--> statement-breakpoint
-- Row-level security lets an index answer only through functions known not to leak their arguments. Neither the pieces or
-- the end of a text nor the containment of text arrays leak, but they are not marked so. Without this right (a server where the owner
-- is no superuser) searching stays correct and is slower.
do $$
begin
  alter function pg_catalog.arraycontains(anyarray, anyarray) leakproof;
  alter function bigrams(text) leakproof;
  alter function pg_catalog.right(text, integer) leakproof;
exception when insufficient_privilege then
  raise notice 'arraycontains, bigrams and right could not be marked leakproof: searches will not use their indexes';
end $$;
--> statement-breakpoint
create index merchants_search on merchants using gin (agent_id, bigrams(search_text));
--> statement-breakpoint
create index merchants_registered on merchants (agent_id, registered_at desc, id desc)
  include (status, expires_at, version_id, industry_id, payment_method_id, store_kind, last_login_at);
--> statement-breakpoint
create index merchants_expires on merchants (agent_id, expires_at, id)
  include (status, registered_at, version_id, industry_id, payment_method_id, store_kind, last_login_at);
--> statement-breakpoint
create index merchants_last_login on merchants (agent_id, last_login_at desc nulls last, id desc)
  include (status, expires_at, version_id, industry_id, payment_method_id, store_kind, registered_at);
--> statement-breakpoint
create index merchants_all_registered on merchants (registered_at desc, id desc)
  include (status, expires_at, version_id, industry_id, payment_method_id, store_kind, last_login_at, agent_id);
--> statement-breakpoint
create index merchants_all_expires on merchants (expires_at, id)
  include (status, registered_at, version_id, industry_id, payment_method_id, store_kind, last_login_at, agent_id);
--> statement-breakpoint
create index merchants_all_last_login on merchants (last_login_at desc nulls last, id desc)
  include (status, expires_at, version_id, industry_id, payment_method_id, store_kind, registered_at, agent_id);
--> statement-breakpoint
-- Entries of all agents in the order of time, for vendor staff; the vendor's own books are not in it.
create index ledger_entries_all_created on ledger_entries (created_at desc nulls last, id desc nulls last)
  where agent_id is not null;
--> statement-breakpoint
-- Vendor staff search the movements of all agents by the end of an order number, as lists show it, or by shop.
create index ledger_transfers_tail on ledger_transfers (right(document, 8));
--> statement-breakpoint
create index ledger_transfers_merchant on ledger_transfers (merchant_id);
--> statement-breakpoint
create sequence merchant_ids minvalue 10000001 maxvalue 99999999;
--> statement-breakpoint
create sequence order_numbers cycle minvalue 1 maxvalue 99999999;
--> statement-breakpoint
-- Sortable by time; the last eight characters, which lists show alone, repeat only after a hundred million orders.
create function next_order_no() returns text language sql volatile
as $$
  select to_char(clock_timestamp() at time zone 'Asia/Shanghai', 'YYYYMMDDHH24MISS')
    || lpad(nextval('order_numbers')::text, 8, '0')
$$;
--> statement-breakpoint
create function count_merchants() returns trigger language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  if tg_op <> 'INSERT' then
    update merchant_counts set total = total - 1 where agent_id = old.agent_id;
  end if;
  if tg_op <> 'DELETE' then
    insert into merchant_counts (agent_id, total) values (new.agent_id, 1)
      on conflict (agent_id) do update set total = merchant_counts.total + 1;
  end if;
  return null;
end $$;
--> statement-breakpoint
-- At commit, so that the counter's row is locked for as short as can be.
create constraint trigger merchants_count_changes after insert or delete on merchants
  deferrable initially deferred for each row execute function count_merchants();
--> statement-breakpoint
create constraint trigger merchants_count_moves after update of agent_id on merchants
  deferrable initially deferred for each row when (old.agent_id is distinct from new.agent_id)
  execute function count_merchants();
--> statement-breakpoint
create function notify_access_changed() returns trigger language plpgsql
as $$
begin
  perform pg_notify('access_changed', '');
  return null;
end $$;
--> statement-breakpoint
create trigger sessions_end after delete on sessions for each statement execute function notify_access_changed();
--> statement-breakpoint
create trigger accounts_change after update of enabled, password_hash, role_id, agent_id, name, mobile on accounts
  for each statement execute function notify_access_changed();
--> statement-breakpoint
create trigger roles_change after update or delete on roles for each statement execute function notify_access_changed();
--> statement-breakpoint
create trigger agents_change after update on agents for each statement execute function notify_access_changed();
--> statement-breakpoint
create trigger permission_nodes_change after insert or update or delete on permission_nodes
  for each statement execute function notify_access_changed();
--> statement-breakpoint
-- What an entry's hash covers: the entry, its transfer, whose account it is, and the hash before it on that account.
create function ledger_entry_hash(previous bytea, entry ledger_entries, transfer ledger_transfers, account ledger_accounts)
returns bytea
language sql immutable parallel safe
as $$
  select sha256(coalesce(previous, ''::bytea) || convert_to(jsonb_build_array(
    entry.id, entry.account_id, entry.sequence, entry.amount, entry.balance_before, entry.balance_after,
    transfer.id, transfer.kind, transfer.asset, transfer.amount, transfer.from_account_id, transfer.to_account_id,
    transfer.document, transfer.merchant_id, transfer.pay_method, transfer.agent_id, transfer.actor_id,
    transfer.actor_name, transfer.description, transfer.remark, transfer.reverses_id,
    (extract(epoch from transfer.created_at) * 1000)::bigint,
    account.owner_kind, account.owner_id, account.book, account.asset, account.agent_id
  )::text, 'UTF8'))
$$;
--> statement-breakpoint
create function ledger_account_of(owner jsonb, wanted_asset text) returns bigint
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
--> statement-breakpoint
create function ledger_write_entry(transfer ledger_transfers, account bigint, signed_amount bigint) returns void
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
--> statement-breakpoint
-- Posts transfers: locks the accounts that hold a balance in id order, checks, writes transfers, entries, hashes and
-- balances. The only way into the ledger's tables. Answers the transfers' ids in the order given.
create function ledger_post(movements jsonb) returns bigint[]
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  movement jsonb;
  transfer ledger_transfers;
  from_ids bigint[] := '{}';
  to_ids bigint[] := '{}';
  posted bigint[] := '{}';
  i int := 0;
begin
  for movement in select value from jsonb_array_elements(movements) loop
    if not sees_all() and (movement->>'agentId')::bigint is distinct from acting_agent() then
      raise exception 'ledger movement of another agent' using errcode = '42501';
    end if;
    from_ids := from_ids || ledger_account_of(movement->'from', movement->>'asset');
    to_ids := to_ids || ledger_account_of(movement->'to', movement->>'asset');
  end loop;
  perform 1 from ledger_accounts where id = any (from_ids || to_ids) and owner_kind <> 'vendor' order by id for update;
  for movement in select value from jsonb_array_elements(movements) loop
    i := i + 1;
    if not sees_all() and exists (select 1 from ledger_accounts where id in (from_ids[i], to_ids[i])
        and owner_kind <> 'vendor' and agent_id is distinct from acting_agent()) then
      raise exception 'ledger account of another agent' using errcode = '42501';
    end if;
    insert into ledger_transfers (kind, asset, amount, from_account_id, to_account_id, document, merchant_id,
        pay_method, agent_id, actor_id, actor_name, description, remark, reverses_id, created_at)
      values (movement->>'kind', movement->>'asset', (movement->>'amount')::bigint, from_ids[i], to_ids[i],
        movement->>'document', (movement->>'merchantId')::bigint, movement->>'payMethod',
        (movement->>'agentId')::bigint, (movement->>'actorId')::bigint, movement->>'actorName',
        movement->>'description', coalesce(movement->>'remark', ''), (movement->>'reversesId')::bigint,
        date_trunc('milliseconds', clock_timestamp()))
      returning * into transfer;
    perform ledger_write_entry(transfer, from_ids[i], -transfer.amount);
    perform ledger_write_entry(transfer, to_ids[i], transfer.amount);
    posted := posted || transfer.id;
  end loop;
  return posted;
end $$;
--> statement-breakpoint
alter table agents enable row level security;
--> statement-breakpoint
create policy tenant on agents using ((select sees_all()) or id = (select acting_agent()) or parent_id = (select acting_agent()));
--> statement-breakpoint
do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['roles', 'accounts', 'sessions', 'operation_logs', 'merchants', 'merchant_counts',
      'version_orders', 'ledger_accounts', 'ledger_transfers', 'ledger_entries'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('create policy tenant on %I using ((select sees_all()) or agent_id = (select acting_agent()))', tenant_table);
  end loop;
end $$;
--> statement-breakpoint
revoke execute on function ledger_post(jsonb), ledger_account_of(jsonb, text),
  ledger_write_entry(ledger_transfers, bigint, bigint), count_merchants() from public;
--> statement-breakpoint
-- What the app's role may do. Owner rights, money tables, reference data and the log's past stay out of its reach.
grant select, insert, update, delete on idempotency_keys, accounts, roles, sessions, login_failures, merchants,
  version_orders, agents, agent_payment_methods to partner_office_app;
--> statement-breakpoint
grant select, insert on operation_logs to partner_office_app;
--> statement-breakpoint
grant select on permission_nodes, agent_levels, versions, industries, payment_methods, merchant_counts,
  ledger_accounts, ledger_transfers, ledger_entries to partner_office_app;
--> statement-breakpoint
grant usage on all sequences in schema public to partner_office_app;
--> statement-breakpoint
grant execute on function ledger_post(jsonb) to partner_office_app;
--> statement-breakpoint
-- Whether any agent's shop holds this account number: only yes or no leaves the other agents' rows.
create function merchant_account_taken(wanted text) returns boolean
language sql stable security definer set search_path = public, pg_temp
as $$ select exists (select 1 from merchants where account = wanted) $$;
--> statement-breakpoint
revoke execute on function merchant_account_taken(text) from public;
--> statement-breakpoint
grant execute on function merchant_account_taken(text) to partner_office_app;
