CREATE TABLE "insight_sums" (
	"agent_id" bigint NOT NULL,
	"month" date NOT NULL,
	"kind" text NOT NULL,
	"entries" bigint NOT NULL,
	"amount" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "renewed_terms" (
	"merchant_id" bigint NOT NULL,
	"day" date NOT NULL,
	"agent_id" bigint NOT NULL,
	"orders" bigint NOT NULL,
	CONSTRAINT "renewed_terms_merchant_id_day_agent_id_pk" PRIMARY KEY("merchant_id","day","agent_id")
);
--> statement-breakpoint
CREATE INDEX "insight_sums_kind" ON "insight_sums" USING btree ("kind","month","agent_id");--> statement-breakpoint
CREATE INDEX "renewed_terms_day" ON "renewed_terms" USING btree ("day","agent_id");
--> statement-breakpoint
-- Changes are added as rows: nobody waits for anybody's sums. A job makes one row of many.
create function insight_add(agent bigint, moment timestamptz, of_kind text, by_entries bigint, by_amount bigint) returns void
language sql security definer set search_path = public, pg_temp
as $$
  insert into insight_sums (agent_id, month, kind, entries, amount)
  values (agent, date_trunc('month', shanghai_day(moment)::timestamp)::date, of_kind, by_entries, by_amount)
$$;
--> statement-breakpoint
-- Orders that stand, by the day that their list filters by.
create function insight_version_order() returns trigger language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  if old.status = 'paid' and old.paid_at is not null then perform insight_add(old.agent_id, old.paid_at, 'version-' || old.sales_type, -1, -old.total_cents); end if;
  if new.status = 'paid' and new.paid_at is not null then perform insight_add(new.agent_id, new.paid_at, 'version-' || new.sales_type, 1, new.total_cents); end if;
  return null;
end $$;
--> statement-breakpoint
create trigger version_orders_insights after insert or delete or update of status, paid_at, total_cents, agent_id, sales_type on version_orders
  for each row execute function insight_version_order();
--> statement-breakpoint
create function insight_service_order() returns trigger language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  if old.state = 'completed' then perform insight_add(old.agent_id, old.created_at, 'service', -1, -old.total_cents); end if;
  if new.state = 'completed' then perform insight_add(new.agent_id, new.created_at, 'service', 1, new.total_cents); end if;
  return null;
end $$;
--> statement-breakpoint
create trigger service_orders_insights after insert or delete or update of state, created_at, total_cents, agent_id on service_orders
  for each row execute function insight_service_order();
--> statement-breakpoint
-- What an agent paid from outside is yuan, by the day on which its payment was made.
create function insight_sms_order() returns trigger language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  if old.status = 'paid' and old.kind in ('package', 'recharge') then
    perform insight_add(old.agent_id, old.created_at, 'sms-' || old.kind, -1, -old.total_cents);
  end if;
  if new.status = 'paid' and new.kind in ('package', 'recharge') then
    perform insight_add(new.agent_id, new.created_at, 'sms-' || new.kind, 1, new.total_cents);
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger sms_orders_insights after insert or delete or update of status, kind, created_at, total_cents, agent_id on sms_orders
  for each row execute function insight_sms_order();
--> statement-breakpoint
create function insight_token_order() returns trigger language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  if old.status = 'paid' then perform insight_add(old.agent_id, old.created_at, 'token-recharge', -1, -old.amount_fen); end if;
  if new.status = 'paid' then perform insight_add(new.agent_id, new.created_at, 'token-recharge', 1, new.amount_fen); end if;
  return null;
end $$;
--> statement-breakpoint
create trigger token_orders_insights after insert or delete or update of status, created_at, amount_fen, agent_id on token_orders
  for each row execute function insight_token_order();
--> statement-breakpoint
create function insight_hardware_order() returns trigger language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  if old.delivery_status not in ('awaitingPayment', 'returned', 'cancelled') then perform insight_add(old.agent_id, old.created_at, 'hardware', -1, -old.total_cents); end if;
  if new.delivery_status not in ('awaitingPayment', 'returned', 'cancelled') then perform insight_add(new.agent_id, new.created_at, 'hardware', 1, new.total_cents); end if;
  return null;
end $$;
--> statement-breakpoint
create trigger hardware_orders_insights after insert or delete or update of delivery_status, created_at, total_cents, agent_id on hardware_orders
  for each row execute function insight_hardware_order();
--> statement-breakpoint
create function insight_merchant_days() returns trigger language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  if coalesce(old.expiring, 0) <> 0 then perform insight_add(old.agent_id, old.day::timestamp at time zone 'Asia/Shanghai', 'expiring', -old.expiring, 0); end if;
  if coalesce(new.expiring, 0) <> 0 then perform insight_add(new.agent_id, new.day::timestamp at time zone 'Asia/Shanghai', 'expiring', new.expiring, 0); end if;
  return null;
end $$;
--> statement-breakpoint
create trigger merchant_days_insights after insert or delete or update of expiring on merchant_days
  for each row execute function insight_merchant_days();
--> statement-breakpoint
-- A term counts once, however many orders renewed it. The shop is locked by whoever buys for it.
create function insight_term(shop bigint, agent bigint, ends timestamptz, by_orders int) returns void
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  standing bigint;
begin
  insert into renewed_terms (merchant_id, day, agent_id, orders) values (shop, shanghai_day(ends), agent, by_orders)
    on conflict (merchant_id, day, agent_id) do update set orders = renewed_terms.orders + excluded.orders
    returning orders into standing;
  if by_orders > 0 and standing = by_orders then perform insight_add(agent, ends, 'renewed', 1, 0); end if;
  if by_orders < 0 and standing = 0 then perform insight_add(agent, ends, 'renewed', -1, 0); end if;
end $$;
--> statement-breakpoint
create function insight_renews(of_effect version_order_effects) returns boolean language sql immutable
as $$ select of_effect.expires_before is not null and of_effect.expires_after is distinct from of_effect.expires_before $$;
--> statement-breakpoint
-- What an order renewed is kept before or after it is paid.
create function insight_effect() returns trigger language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  effect version_order_effects := coalesce(new, old);
begin
  if insight_renews(effect) and exists (select from version_orders o where o.id = effect.order_id and o.status = 'paid' and o.sales_type <> 'new') then
    perform insight_term(effect.merchant_id, effect.agent_id, effect.expires_before, case tg_op when 'INSERT' then 1 else -1 end);
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger version_order_effects_insights after insert or delete on version_order_effects
  for each row execute function insight_effect();
--> statement-breakpoint
create function insight_renewal() returns trigger language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  perform insight_term(e.merchant_id, e.agent_id, e.expires_before, case new.status when 'paid' then 1 else -1 end)
    from version_order_effects e where e.order_id = new.id and insight_renews(e) order by e.merchant_id;
  return null;
end $$;
--> statement-breakpoint
create trigger version_orders_renewals after update of status on version_orders for each row
  when (new.sales_type <> 'new' and (old.status = 'paid') <> (new.status = 'paid')) execute function insight_renewal();
--> statement-breakpoint
-- What the accounts of agents and shops gained or lost, at the moment of the entry; a shop that goes takes its balance along.
create function insight_entry() returns trigger language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  perform insight_add(a.agent_id, new.created_at, a.owner_kind || '-' || a.asset, 1, new.amount) from ledger_accounts a where a.id = new.account_id;
  return null;
end $$;
--> statement-breakpoint
create trigger ledger_entries_insights after insert on ledger_entries for each row when (new.sequence is not null)
  execute function insight_entry();
--> statement-breakpoint
create function insight_move() returns trigger language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  perform insight_add(moved.agent, new.created_at, a.owner_kind || '-' || a.asset, 0, moved.sign * e.balance_after)
    from ledger_accounts a join ledger_entries e on e.account_id = a.id and e.sequence = new.sequence
      cross join (values (new.from_agent_id, -1), (new.to_agent_id, 1)) as moved (agent, sign)
    where a.id = new.account_id and e.balance_after <> 0;
  return null;
end $$;
--> statement-breakpoint
create trigger ledger_moves_insights after insert on ledger_moves for each row execute function insight_move();
--> statement-breakpoint
revoke execute on function insight_add(bigint, timestamptz, text, bigint, bigint), insight_term(bigint, bigint, timestamptz, int), insight_renews(version_order_effects),
  insight_version_order(), insight_service_order(), insight_sms_order(), insight_token_order(), insight_hardware_order(), insight_merchant_days(),
  insight_effect(), insight_renewal(), insight_entry(), insight_move() from public;
--> statement-breakpoint
-- All of it from what it is kept from: what stands there before it was kept, and what the check compares with.
create view insight_terms_found as
  select e.merchant_id, shanghai_day(e.expires_before) as day, e.agent_id, count(*) as orders
  from version_order_effects e join version_orders o on o.id = e.order_id
  where o.status = 'paid' and o.sales_type <> 'new' and insight_renews(e) group by 1, 2, 3;
--> statement-breakpoint
create view insight_sums_found as
  select agent_id, date_trunc('month', day::timestamp)::date as month, kind, sum(entries)::bigint as entries, sum(amount)::bigint as amount from (
    select agent_id, shanghai_day(paid_at) as day, 'version-' || sales_type as kind, 1 as entries, total_cents as amount
      from version_orders where status = 'paid' and paid_at is not null
    union all select agent_id, shanghai_day(created_at), 'service', 1, total_cents from service_orders where state = 'completed'
    union all select agent_id, shanghai_day(created_at), 'sms-' || kind, 1, total_cents from sms_orders where status = 'paid' and kind in ('package', 'recharge')
    union all select agent_id, shanghai_day(created_at), 'token-recharge', 1, amount_fen from token_orders where status = 'paid'
    union all select agent_id, shanghai_day(created_at), 'hardware', 1, total_cents from hardware_orders
      where delivery_status not in ('awaitingPayment', 'returned', 'cancelled')
    union all select agent_id, day, 'expiring', expiring, 0 from merchant_days where expiring <> 0
    union all select agent_id, day, 'renewed', 1, 0 from insight_terms_found
    union all select e.agent_id, shanghai_day(e.created_at), a.owner_kind || '-' || a.asset, 1, e.amount
      from ledger_entries e join ledger_accounts a on a.id = e.account_id where e.sequence is not null
    union all select moved.agent, shanghai_day(m.created_at), a.owner_kind || '-' || a.asset, 0, moved.sign * e.balance_after
      from ledger_moves m join ledger_accounts a on a.id = m.account_id join ledger_entries e on e.account_id = m.account_id and e.sequence = m.sequence
        cross join lateral (values (m.from_agent_id, -1), (m.to_agent_id, 1)) as moved (agent, sign) where e.balance_after <> 0
  ) as found (agent_id, day, kind, entries, amount) group by 1, 2, 3;
--> statement-breakpoint
revoke all on insight_sums_found, insight_terms_found from public;
--> statement-breakpoint
insert into renewed_terms (merchant_id, day, agent_id, orders) select merchant_id, day, agent_id, orders from insight_terms_found;
--> statement-breakpoint
insert into insight_sums (agent_id, month, kind, entries, amount) select agent_id, month, kind, entries, amount from insight_sums_found;
--> statement-breakpoint
do $$
declare
  staff_table text;
begin
  foreach staff_table in array array['insight_sums', 'renewed_terms'] loop
    execute format('alter table %I enable row level security', staff_table);
    execute format('create policy staff on %I using ((select sees_all()))', staff_table);
  end loop;
end $$;
--> statement-breakpoint
grant select on insight_sums, renewed_terms to partner_office_app;
--> statement-breakpoint
create index online_renewals_held on online_renewals (state) include (amount_fen) where state in ('paid', 'short', 'stuck');
--> statement-breakpoint
-- Also whoever sees its own shops alone has no way to others' terms, should these rows ever be an agent's to read.
alter function own_shops_rules() rename to own_shops_rules_before_insights;
--> statement-breakpoint
create function own_shops_rules() returns table (name text, seen text) language sql immutable
as $rules$
  select * from own_shops_rules_before_insights()
  union all select 'renewed_terms', 'merchant_id in (select m.id from public.merchants m where m.manager_id = (select acting_manager()))'
$rules$;
