-- Whose shops alone are seen, where an account sees its own only; set by the server at the start of every unit of work.
create function acting_manager() returns bigint language sql stable parallel safe
as $$ select nullif(current_setting('app.manager_id', true), '')::bigint $$;
--> statement-breakpoint
-- The list of one's own shops, in its order, and how many there are.
create index merchants_manager on merchants (manager_id, registered_at desc, id desc) include (agent_id, status, expires_at)
  where manager_id is not null;
--> statement-breakpoint
-- What an account that sees its own shops sees of a table: the one place of both walls. What stands in no rule is about no shop.
create function own_shops_rules() returns table (name text, seen text) language sql immutable
as $rules$
  with words (mine, shops) as (values ('(select acting_manager())',
    '(select m.id from public.merchants m where m.manager_id = (select acting_manager()))'))
  select 'merchants', 'manager_id = ' || mine from words
  union all select of_shops, 'merchant_id in ' || shops from words, unnest(array['merchant_services', 'service_orders',
    'version_order_effects', 'renewal_marks', 'verification_codes']) as of_shops
  -- A row without a shop is the agency's.
  union all select of_some, '(merchant_id is null or merchant_id in ' || shops || ')' from words, unnest(array['sms_orders',
    'hardware_orders', 'outbox_messages', 'tool_actions', 'operation_logs', 'selling_prices', 'ledger_transfers']) as of_some
  -- A quote for a shop that is not yet one is whoever's asked for it.
  union all select 'version_orders', '(merchant_id in ' || shops || ' or (merchant_id is null and created_by = ' || mine || '))' from words
  union all select of_whom, 'created_by = ' || mine from words, unnest(array['campaigns', 'renewal_batches']) as of_whom
  union all select 'ledger_accounts', '(owner_kind <> ''merchant'' or owner_id in ' || shops || ')' from words
  union all select 'ledger_entries', 'exists (select from public.ledger_transfers t where t.id = ledger_entries.transfer_id
    and (t.merchant_id is null or t.merchant_id in ' || shops || '))' from words
  union all select 'hardware_order_lines', 'order_id in (select o.id from public.hardware_orders o
    where o.merchant_id is null or o.merchant_id in ' || shops || ')' from words
  union all select 'undo_requests', '(exists (select from public.version_orders o where o.order_no = undo_requests.order_no and o.merchant_id in ' || shops || ')
    or exists (select from public.service_orders o where o.order_no = undo_requests.order_no and o.merchant_id in ' || shops || ')
    or exists (select from public.sms_orders o where o.order_no = undo_requests.order_no and o.merchant_id in ' || shops || '))' from words
  union all select of_payers, '(payer <> ''merchant'' or payer_id in ' || shops || ')' from words, unnest(array['sms_days', 'sms_uses']) as of_payers
  -- Sums over all shops of the agency: nothing of them is left, and own_shops has the sums over one's own.
  union all select of_all, 'false' from unnest(array['merchant_counts', 'merchant_days', 'order_days', 'sms_agent_days']) as of_all
$rules$;
--> statement-breakpoint
-- Both walls, made anew after every change of the schema. The first: a schema of views that the names of statements find before
-- the tables. The second: policies for the role that such an account's connections have; nobody else's plans know of them.
create function guard_own_shops() returns void language plpgsql
as $guard$
declare
  rule record;
begin
  drop schema if exists own_shops cascade;
  create schema own_shops;
  for rule in select r.name, r.seen from own_shops_rules() r loop
    execute format('drop policy if exists own_shops on public.%I', rule.name);
    execute format('create policy own_shops on public.%I as restrictive to partner_office_own using (%s)', rule.name, rule.seen);
    if rule.seen <> 'false' then
      execute format('create view own_shops.%1$I with (security_invoker = true) as select * from public.%1$I where %2$s', rule.name, rule.seen);
    end if;
  end loop;
  create view own_shops.merchant_counts with (security_invoker = true) as
    select agent_id, count(*) as total from own_shops.merchants group by agent_id;
  create view own_shops.merchant_days with (security_invoker = true) as
    select agent_id, day, sum(registered)::bigint as registered, sum(expiring)::bigint as expiring from (
      select agent_id, shanghai_day(registered_at) as day, 1 as registered, 0 as expiring from own_shops.merchants
      union all select agent_id, shanghai_day(expires_at), 0, 1 from own_shops.merchants where expires_at is not null) as counted
    group by agent_id, day;
  create view own_shops.order_days with (security_invoker = true) as
    select agent_id, shanghai_day(paid_at) as day, 'version' as kind, count(*) as orders, sum(total_cents)::bigint as cents, 0::bigint as fen
      from own_shops.version_orders where status = 'paid' and paid_at is not null group by 1, 2
    union all select agent_id, shanghai_day(created_at), 'service', count(*), sum(total_cents)::bigint, 0
      from own_shops.service_orders where state = 'completed' group by 1, 2
    union all select agent_id, shanghai_day(created_at), 'sms', count(*),
        coalesce(sum(total_cents) filter (where kind <> 'recharge'), 0)::bigint, coalesce(sum(total_cents) filter (where kind = 'recharge'), 0)::bigint
      from own_shops.sms_orders where status = 'paid' group by 1, 2;
  create view own_shops.sms_agent_days with (security_invoker = true) as
    select agent_id, day, sum(messages)::bigint as messages, sum(segments)::bigint as segments
    from own_shops.sms_days where payer = 'merchant' group by agent_id, day;
  perform set_config('search_path', 'own_shops, public', true);
  execute 'create view own_shops.document_facts with (security_invoker = true) as ' || (
    select definition from pg_views where schemaname = 'public' and viewname = 'document_facts');
  perform set_config('search_path', 'public', true);
  grant usage on schema own_shops to partner_office_app;
  grant select, insert, update, delete on all tables in schema own_shops to partner_office_app;
end $guard$;
--> statement-breakpoint
revoke execute on function guard_own_shops() from public;
--> statement-breakpoint
-- Of a shop only those are told who see it. The function before it stays for programs that still run.
create function notify_accounts(trace text, to_accounts bigint[], to_agent bigint, to_vendor text, held_key text, about_topic text,
    with_title text, with_body text, with_link text, with_args jsonb, once text, except_account bigint, about_merchant bigint)
  returns table (account_id bigint, created_at timestamptz)
language plpgsql security definer set search_path = public, pg_temp
as $$
#variable_conflict use_column
begin
  return query with told as (
    insert into notices (trace_id, agent_id, account_id, topic, title, body, link, args, once_key, created_at, repeat_at, read_at, confirmed_at)
    select trace, a.agent_id, a.id, about_topic, with_title, with_body, with_link, with_args, once, now(), now() + interval '20 seconds',
      unwanted.since, unwanted.since
    from accounts a join agents g on g.id = a.agent_id
    left join lateral (select now() as since from notice_preferences p
      where p.account_id = a.id and p.topic = about_topic and not p.enabled) unwanted on true
    where a.enabled and g.enabled and a.id is distinct from except_account
      and (about_merchant is null or a.data_scope = 'all' or exists (select from merchants m where m.id = about_merchant and m.manager_id = a.id))
      and a.id in (select unnest(to_accounts) union all select id from accounts where agent_id = to_agent
        union all select s.id from accounts s join agents v on v.id = s.agent_id
          where to_vendor = 'operator' and v.is_operator or to_vendor = 'staff' and v.is_vendor_staff)
      and (held_key is null or exists (select 1 from permission_nodes n
        where n.key = held_key
          and (g.is_operator or n.marker = '1' or n.marker = '888' and g.is_vendor_staff
            or n.marker = '666' and (g.is_vendor_staff or g.has_full_menu))
          and (a.is_owner or n.id = any (select unnest(r.node_ids) from roles r where r.id = a.role_id and r.enabled))))
    order by a.id
    on conflict (account_id, once_key) do nothing
    returning account_id, created_at, read_at)
  select told.account_id, told.created_at from told where told.read_at is null order by told.account_id;
end $$;
--> statement-breakpoint
revoke execute on function notify_accounts(text, bigint[], bigint, text, text, text, text, text, text, jsonb, text, bigint, bigint) from public;
--> statement-breakpoint
grant execute on function notify_accounts(text, bigint[], bigint, text, text, text, text, text, text, jsonb, text, bigint, bigint) to partner_office_app;
