-- Functions, triggers, policies and rights of everything that is done with a shop after its first sale.
-- What the catalogue's versions are bought and renewed as (IsAddShop, D2 §9).
update versions set buy_code = v.buy, renew_code = v.renew
from (values (12, 1, 1), (3, 4, 1), (1, 7, 7), (4, 6, 6), (5, 8, 8)) as v (id, buy, renew) where versions.id = v.id;
--> statement-breakpoint
-- Whose money may be moved: one's own, and what goes to an agent of one's own.
create function ledger_may_act(agent bigint) returns boolean
language sql stable security definer set search_path = public, pg_temp
as $$
  select sees_all() or agent = acting_agent()
    or exists (select 1 from agents where id = agent and parent_id = acting_agent())
$$;
--> statement-breakpoint
-- What an agent's own scope may take out of the vendor's books: what it paid before and takes back, SMS credit for its shops,
-- and for an agent as much as it hands over in the same call. Everything else is the vendor's to give.
create function ledger_may_take(movements jsonb, from_ids bigint[], to_ids bigint[]) returns boolean
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
--> statement-breakpoint
-- As before, and one moment for all transfers of a call, credit to an agent of one's own, and the sums of the day.
create or replace function ledger_post(movements jsonb) returns bigint[]
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  movement jsonb;
  transfer ledger_transfers;
  from_ids bigint[] := '{}';
  to_ids bigint[] := '{}';
  posted bigint[] := '{}';
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
  moment := date_trunc('milliseconds', clock_timestamp());
  if not sees_all() and exists (
    select 1 from ledger_accounts where owner_kind <> 'vendor'
      and ((id = any (from_ids) and agent_id is distinct from acting_agent())
        or (id = any (to_ids) and agent_id is distinct from acting_agent()
          and not (owner_kind = 'agent' and ledger_may_act(agent_id))))) then
    raise exception 'ledger account of another agent' using errcode = '42501';
  end if;
  for movement in select value from jsonb_array_elements(movements) loop
    i := i + 1;
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
    select (m->>'agentId')::bigint, (moment at time zone 'Asia/Shanghai')::date, m->>'asset', m->>'kind', count(*),
      coalesce(sum((m->>'amount')::bigint) filter (where m->'to'->>'kind' = 'agent' and m->'to'->>'id' = m->>'agentId'), 0),
      coalesce(sum((m->>'amount')::bigint) filter (where m->'from'->>'kind' = 'agent' and m->'from'->>'id' = m->>'agentId'), 0)
    from jsonb_array_elements(movements) as m
    where m->'to'->>'kind' = 'agent' or m->'from'->>'kind' = 'agent'
    group by 1, 3, 4 order by 1, 3, 4
    on conflict (agent_id, day, asset, kind) do update set transfers = ledger_days.transfers + excluded.transfers,
      income = ledger_days.income + excluded.income, spent = ledger_days.spent + excluded.spent;
  return posted;
end $$;
--> statement-breakpoint
revoke execute on function ledger_may_act(bigint), ledger_may_take(jsonb, bigint[], bigint[]) from public;
--> statement-breakpoint
-- The sums of the days before this migration.
insert into ledger_days (agent_id, day, asset, kind, transfers, income, spent)
select t.agent_id, (t.created_at at time zone 'Asia/Shanghai')::date, t.asset, t.kind, count(*),
  coalesce(sum(t.amount) filter (where i.owner_kind = 'agent' and i.owner_id = t.agent_id), 0),
  coalesce(sum(t.amount) filter (where o.owner_kind = 'agent' and o.owner_id = t.agent_id), 0)
from ledger_transfers t join ledger_accounts o on o.id = t.from_account_id join ledger_accounts i on i.id = t.to_account_id
where o.owner_kind = 'agent' or i.owner_kind = 'agent'
group by 1, 2, 3, 4;
--> statement-breakpoint
create function shanghai_day(moment timestamptz) returns date language sql immutable parallel safe
as $$ select (moment at time zone 'Asia/Shanghai')::date $$;
--> statement-breakpoint
-- In the order of days, whichever way a term moves, so that two changes never wait for each other; a day that
-- stays as it was is not touched.
create function count_merchant_days() returns trigger language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  insert into merchant_days (agent_id, day, registered, expiring)
    select agent, counted.day, sum(registered_by), sum(expiring_by)
    from (values
      (old.agent_id, shanghai_day(old.registered_at), -1, 0), (old.agent_id, shanghai_day(old.expires_at), 0, -1),
      (new.agent_id, shanghai_day(new.registered_at), 1, 0), (new.agent_id, shanghai_day(new.expires_at), 0, 1)
    ) as counted (agent, day, registered_by, expiring_by)
    where agent is not null and counted.day is not null
    group by 1, 2 having sum(registered_by) <> 0 or sum(expiring_by) <> 0 order by 2, 1
    on conflict (agent_id, day) do update set registered = merchant_days.registered + excluded.registered,
      expiring = merchant_days.expiring + excluded.expiring;
  return null;
end $$;
--> statement-breakpoint
-- At commit, as the counter of shops is, so that the rows of a day are locked for as short as can be.
create constraint trigger merchants_days_change after insert or delete on merchants
  deferrable initially deferred for each row execute function count_merchant_days();
--> statement-breakpoint
create constraint trigger merchants_days_move after update of agent_id, registered_at, expires_at on merchants
  deferrable initially deferred for each row
  when (old.agent_id is distinct from new.agent_id or old.registered_at is distinct from new.registered_at
    or old.expires_at is distinct from new.expires_at)
  execute function count_merchant_days();
--> statement-breakpoint
revoke execute on function count_merchant_days() from public;
--> statement-breakpoint
insert into merchant_days (agent_id, day, registered, expiring)
select agent_id, day, sum(registered), sum(expiring) from (
  select agent_id, shanghai_day(registered_at) as day, 1 as registered, 0 as expiring from merchants
  union all select agent_id, shanghai_day(expires_at), 0, 1 from merchants where expires_at is not null) as counted
group by 1, 2;
--> statement-breakpoint
-- The shops of the agents under the acting agent, only for operations that ask for them.
create function sees_below() returns boolean language sql stable parallel safe
as $$ select coalesce(current_setting('app.scope', true), '') = 'below' $$;
--> statement-breakpoint
create policy below on merchants for select
  using ((select sees_below()) and agent_id in (select id from agents where parent_id = (select acting_agent())));
--> statement-breakpoint
-- The list of orders walks these in its order and filters by what they hold, without the rows.
create index version_orders_agent_created on version_orders (agent_id, created_at desc nulls last, id desc nulls last)
  include (sales_type, status, version_id, pay_method, created_by, total_cents);
--> statement-breakpoint
create index version_orders_all_created on version_orders (created_at desc nulls last, id desc nulls last)
  include (sales_type, status, version_id, pay_method, created_by, total_cents, agent_id);
--> statement-breakpoint
create index version_orders_actor on version_orders (created_by, created_at desc nulls last, id desc nulls last);
--> statement-breakpoint
create index version_orders_version on version_orders (version_id, created_at desc nulls last, id desc nulls last);
--> statement-breakpoint
create index version_orders_unusual_pay on version_orders (pay_method, created_at desc nulls last, id desc nulls last)
  where pay_method <> 'balance';
--> statement-breakpoint
create index version_orders_agent_paid on version_orders (agent_id, paid_at desc, id desc)
  include (sales_type, status, version_id, pay_method, created_by, total_cents, original_cents) where paid_at is not null;
--> statement-breakpoint
create index version_orders_all_paid on version_orders (paid_at desc, id desc)
  include (sales_type, status, version_id, pay_method, created_by, total_cents, original_cents, agent_id) where paid_at is not null;
--> statement-breakpoint
create index version_orders_tail on version_orders (right(order_no, 8));
--> statement-breakpoint
do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['version_order_effects', 'merchant_days', 'ledger_days', 'outbox_messages',
      'verification_codes', 'merchant_services', 'service_orders', 'sms_orders', 'hardware_cart_lines', 'hardware_orders',
      'hardware_order_lines', 'renewal_marks', 'undo_requests', 'tool_actions', 'saved_views', 'list_columns',
      'export_jobs', 'files'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('create policy tenant on %I using ((select sees_all()) or agent_id = (select acting_agent()))', tenant_table);
  end loop;
end $$;
--> statement-breakpoint
-- Pictures of products are shown to every agent.
create policy pictures on files for select using (purpose = 'product');
--> statement-breakpoint
grant select, insert, update, delete on verification_codes, merchant_services,
  service_orders, sms_orders, hardware_products, hardware_cart_lines, hardware_orders, hardware_order_lines,
  renewal_marks, undo_requests, saved_views, list_columns, export_jobs, files, office_settings to partner_office_app;
--> statement-breakpoint
grant select, insert on version_order_effects, outbox_messages, tool_actions to partner_office_app;
--> statement-breakpoint
grant select on services, sms_packages, merchant_days, ledger_days to partner_office_app;
--> statement-breakpoint
grant usage on all sequences in schema public to partner_office_app;
--> statement-breakpoint
-- The renewal desk counts and filters the shops of a window by who looks after them.
drop index merchants_expires;
--> statement-breakpoint
create index merchants_expires on merchants (agent_id, expires_at, id)
  include (status, registered_at, version_id, industry_id, payment_method_id, store_kind, last_login_at, manager_id);
--> statement-breakpoint
-- Hardware orders by time, of one agent and of all, with and without a status; found by the end of their number and by contact.
create index hardware_orders_agent_created on hardware_orders (agent_id, created_at desc, id desc)
  include (delivery_status, total_cents);
--> statement-breakpoint
create index hardware_orders_all_created on hardware_orders (created_at desc, id desc)
  include (delivery_status, total_cents, agent_id);
--> statement-breakpoint
create index hardware_orders_agent_status on hardware_orders (agent_id, delivery_status, created_at desc, id desc)
  include (total_cents);
--> statement-breakpoint
create index hardware_orders_all_status on hardware_orders (delivery_status, created_at desc, id desc)
  include (total_cents, agent_id);
--> statement-breakpoint
create index hardware_orders_tail on hardware_orders (right(order_no, 8));
--> statement-breakpoint
create index hardware_orders_search on hardware_orders using gin (agent_id, bigrams(search_text));

--> statement-breakpoint
-- Undone orders are few among the paid ones; the billing list filters by them.
create index version_orders_undone_paid on version_orders (paid_at desc, id desc)
  include (agent_id, sales_type, total_cents, original_cents) where status = 'recycled';
--> statement-breakpoint
-- What agents below hold: only the balance and the number of shops leave their rows, and only to their parent.
create function held_below(wanted bigint[]) returns table (agent_id bigint, token_cents bigint, shops bigint)
language sql stable security definer set search_path = public, pg_temp
as $$
  select a.id, coalesce(l.balance, 0), coalesce(c.total, 0)
  from agents a
    left join ledger_accounts l on l.owner_kind = 'agent' and l.owner_id = a.id and l.asset = 'token' and l.book = ''
    left join merchant_counts c on c.agent_id = a.id
  where a.id = any (wanted) and a.parent_id is not null and (sees_all() or a.parent_id = acting_agent())
$$;
--> statement-breakpoint
revoke execute on function held_below(bigint[]) from public;
--> statement-breakpoint
grant execute on function held_below(bigint[]) to partner_office_app;
--> statement-breakpoint
-- Where shops came from, for the operator's list.
create index merchants_source on merchants (source, registered_at desc, id desc) include (agent_id);
--> statement-breakpoint
create index agents_parent on agents (parent_id) where parent_id is not null;
--> statement-breakpoint
-- What the list of sub-agents' shops shows besides the shops: how many there are, and who looks after them.
create policy below on merchant_counts for select
  using ((select sees_below()) and agent_id in (select id from agents where parent_id = (select acting_agent())));
--> statement-breakpoint
create policy below on accounts for select
  using ((select sees_below()) and agent_id in (select id from agents where parent_id = (select acting_agent())));
--> statement-breakpoint
-- A reversal must know which of the vendor's books a transfer went to; only the book's name leaves its row.
create function ledger_book(account bigint) returns text
language sql stable security definer set search_path = public, pg_temp
as $$ select book from ledger_accounts where id = account and owner_kind = 'vendor' $$;
--> statement-breakpoint
revoke execute on function ledger_book(bigint) from public;
--> statement-breakpoint
grant execute on function ledger_book(bigint) to partner_office_app;

--> statement-breakpoint
-- What a shop holds of services follows it to another provider.
create function move_merchant_services() returns trigger language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  update merchant_services set agent_id = new.agent_id where merchant_id = new.id;
  return null;
end $$;
--> statement-breakpoint
create trigger merchants_services_move after update of agent_id on merchants for each row
  when (old.agent_id is distinct from new.agent_id) execute function move_merchant_services();
--> statement-breakpoint
revoke execute on function move_merchant_services() from public;
--> statement-breakpoint
create index service_orders_tail on service_orders (right(order_no, 8));
--> statement-breakpoint
create index service_orders_agent_state on service_orders (agent_id, state, created_at, id);
--> statement-breakpoint
create index service_orders_state on service_orders (state, created_at, id);
--> statement-breakpoint
create index service_orders_agent_service on service_orders (agent_id, service_id, created_at, id);
--> statement-breakpoint
create index service_orders_service on service_orders (service_id, created_at, id);
--> statement-breakpoint
create index sms_orders_tail on sms_orders (right(order_no, 8));
--> statement-breakpoint
create index sms_orders_agent_status on sms_orders (agent_id, status, created_at, id);
--> statement-breakpoint
create index sms_orders_status on sms_orders (status, created_at, id);
--> statement-breakpoint
create index sms_orders_agent_kind on sms_orders (agent_id, kind, created_at, id);
--> statement-breakpoint
create index sms_orders_kind on sms_orders (kind, created_at, id);
--> statement-breakpoint
create index sms_orders_agent_pay_method on sms_orders (agent_id, pay_method, created_at, id);
--> statement-breakpoint
create index sms_orders_pay_method on sms_orders (pay_method, created_at, id);
--> statement-breakpoint
grant select on version_adjustments, ledger_moves to partner_office_app;
--> statement-breakpoint
alter table ledger_moves enable row level security;
--> statement-breakpoint
create policy tenant on ledger_moves using ((select sees_all()) or to_agent_id = (select acting_agent()) or from_agent_id = (select acting_agent()));
--> statement-breakpoint
-- An entry's hash covers the agent that the entry was written for: the same value as before, and it stays when the shop
-- and its account go to another agent.
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
--> statement-breakpoint
-- What a move's hash covers: the move, and the hash of the last entry before it.
create function ledger_move_hash(head bytea, move ledger_moves) returns bytea
language sql immutable parallel safe
as $$
  select sha256(coalesce(head, ''::bytea) || convert_to(jsonb_build_array(
    move.id, move.account_id, move.sequence, move.from_agent_id, move.to_agent_id, move.actor_id, move.actor_name,
    (extract(epoch from move.created_at) * 1000)::bigint
  )::text, 'UTF8'))
$$;
--> statement-breakpoint
-- Gives a shop's accounts to the agent that the shop belongs to now. Balances, entries and their chain stay; a row in
-- ledger_moves tells from which entry on they are another agent's. Answers how many accounts went.
create function ledger_move_merchant(merchant bigint, actor bigint, actor_title text) returns int
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  belongs_to bigint;
  held ledger_accounts;
  move ledger_moves;
  moved int := 0;
begin
  if not sees_all() then
    raise exception 'accounts are moved only by who sees all agents' using errcode = '42501';
  end if;
  select agent_id into strict belongs_to from merchants where id = merchant;
  for held in select * from ledger_accounts where owner_kind = 'merchant' and owner_id = merchant
      and agent_id <> belongs_to order by id for update loop
    move.id := nextval('ledger_moves_id_seq');
    move.account_id := held.id;
    move.sequence := held.entry_count;
    move.from_agent_id := held.agent_id;
    move.to_agent_id := belongs_to;
    move.actor_id := actor;
    move.actor_name := actor_title;
    move.created_at := date_trunc('milliseconds', clock_timestamp());
    move.hash := ledger_move_hash(held.head_hash, move);
    insert into ledger_moves (id, account_id, sequence, from_agent_id, to_agent_id, actor_id, actor_name, hash, created_at)
      values (move.id, move.account_id, move.sequence, move.from_agent_id, move.to_agent_id, move.actor_id,
        move.actor_name, move.hash, move.created_at);
    update ledger_accounts set agent_id = belongs_to where id = held.id;
    moved := moved + 1;
  end loop;
  return moved;
end $$;
--> statement-breakpoint
revoke execute on function ledger_move_merchant(bigint, bigint, text) from public;
--> statement-breakpoint
grant execute on function ledger_move_merchant(bigint, bigint, text) to partner_office_app;
--> statement-breakpoint
-- How many codes a phone got since a moment, of all purposes, and when the last of one purpose; of all agents, since a
-- phone is one person's.
create function codes_sent(wanted_phone text, wanted_purpose text, since timestamptz)
returns table (sent bigint, last_at timestamptz)
language sql stable security definer set search_path = public, pg_temp
as $$
  select (select count(*) from verification_codes where phone = wanted_phone and created_at > since),
    (select max(created_at) from verification_codes where phone = wanted_phone and purpose = wanted_purpose)
$$;
--> statement-breakpoint
revoke execute on function codes_sent(text, text, timestamptz) from public;
--> statement-breakpoint
grant execute on function codes_sent(text, text, timestamptz) to partner_office_app;
--> statement-breakpoint
-- Whether a paid order came at the shop after this one of the acting agent, whoever's it is: a shop that went away and came
-- back has orders that its agent cannot read. Only the answer leaves. Effects are written under the shop's lock, so that
-- their ids tell the order; an order without one opened the shop.
create function later_effect_exists(merchant bigint, wanted_order bigint) returns boolean
language sql stable security definer set search_path = public, pg_temp
as $$
  select exists (select from version_orders where id = wanted_order and (sees_all() or agent_id = acting_agent()))
    and exists (select from version_order_effects e join version_orders o on o.id = e.order_id
      where e.merchant_id = merchant and o.status = 'paid' and e.id > coalesce(
        (select max(id) from version_order_effects where order_id = wanted_order and merchant_id = merchant), 0))
$$;
--> statement-breakpoint
-- The same of services: orders are written when they are paid, so that their ids tell the order.
create function later_service_order_exists(wanted_order bigint) returns boolean
language sql stable security definer set search_path = public, pg_temp
as $$
  select exists (select from service_orders mine join service_orders later
      on later.merchant_id = mine.merchant_id and later.service_id = mine.service_id and later.id > mine.id
    where mine.id = wanted_order and (sees_all() or mine.agent_id = acting_agent()) and later.state = 'completed')
$$;
--> statement-breakpoint
revoke execute on function later_effect_exists(bigint, bigint), later_service_order_exists(bigint) from public;
--> statement-breakpoint
grant execute on function later_effect_exists(bigint, bigint), later_service_order_exists(bigint) to partner_office_app;
--> statement-breakpoint
-- Batches that were quoted and never paid; a new quote of the account takes their place.
create index version_orders_batch_quotes on version_orders (created_by) where status = 'quoted' and batch_no is not null;
--> statement-breakpoint
-- The months of all agents are summed from the index alone, without the rows.
drop index merchant_days_day;
--> statement-breakpoint
create index merchant_days_day on merchant_days (day) include (agent_id, registered, expiring);
--> statement-breakpoint
-- The marks that count are read from these alone: the latest of each shop, and an agent's of the last months.
drop index renewal_marks_merchant_id, renewal_marks_agent_id;
--> statement-breakpoint
create index renewal_marks_merchant_id on renewal_marks (merchant_id, id) include (agent_id, state, next_on, created_at);
--> statement-breakpoint
create index renewal_marks_agent_id on renewal_marks (agent_id, created_at) include (merchant_id, id, state, next_on);
