-- Who sees what: a line a table. Both walls of the database are made of this file, and nothing of them stands elsewhere: the policies of
-- agencies, and what an account sees that looks after its own shops alone (docs/decisions/0024). Run whenever this text has changed
-- and after every migration: migrations/again. A table with an agent or a shop that stands on no line fails test/walls.test.ts.

-- Who acts, set by the server at the start of every unit of work: the agent, whether all agents' rows or those of the agents below it
-- may be read, and whose shops alone are seen where an account sees its own only.
create or replace function acting_agent() returns bigint language sql stable parallel safe
as $$ select nullif(current_setting('app.agent_id', true), '')::bigint $$;
create or replace function sees_all() returns boolean language sql stable parallel safe
as $$ select coalesce(current_setting('app.scope', true), '') = 'all' $$;
create or replace function sees_below() returns boolean language sql stable parallel safe
as $$ select coalesce(current_setting('app.scope', true), '') = 'below' $$;
create or replace function acting_manager() returns bigint language sql stable parallel safe
as $$ select nullif(current_setting('app.manager_id', true), '')::bigint $$;

create temporary table lines (name text primary key, agencies text not null, own_shops text not null) on commit drop;
insert into lines values
  -- table                      rows of an agency          rows of who sees its own shops
  ('account_changes',            'agency',                  'shop'),
  ('accounts',                   'agency or below',         'all'),
  ('acquirer_onboardings',       'agency',                  'shop'),
  ('acquirer_test_payments',     'agency',                  'shop'),
  ('acquiring_progress',         'agency',                  'shop'),
  ('agency_exports',             'vendor',                  'all'),
  ('agent_level_changes',        'agency, reading',         'all'),
  ('agent_pay_channels',         'agency or offered',       'all'),
  ('agent_payment_methods',      'agency or offered',       'all'),
  ('agents',                     'itself and below',        'all'),
  ('api_key_uses',               'agency',                  'all'),
  ('api_keys',                   'agency',                  'all'),
  ('application_refusals',       'agency',                  'shop'),
  ('approval_requests',          'agency',                  'shop'),
  ('campaigns',                  'agency',                  'maker'),
  ('change_inbox',               'agency',                  'shop, gone or none'),
  ('compat_accesses',            'agency',                  'all'),
  ('compat_nonces',              'agency',                  'all'),
  ('compat_tokens',              'agency',                  'all'),
  ('compat_uses',                'agency',                  'all'),
  ('consultations',              'vendor',                  'all'),
  ('demand_events',              'vendor',                  'all'),
  ('demand_files',               'vendor',                  'all'),
  ('demand_pictures',            'vendor',                  'all'),
  ('demand_relations',           'vendor',                  'all'),
  ('demand_sources',             'vendor',                  'shop or none'),
  ('demand_subscribers',         'vendor',                  'all'),
  ('demands',                    'vendor',                  'shop'),
  ('deposit_payments',           'agency',                  'shop'),
  ('deposit_requests',           'agency',                  'shop'),
  ('deposits',                   'agency',                  'shop'),
  ('discounts',                  'agency or all, reading',  'all'),
  ('document_uses',              'agency',                  'shop'),
  ('documents',                  'agency',                  'shop'),
  ('download_takes',             'agency',                  'all'),
  ('export_jobs',                'agency',                  'all'),
  ('factor_rules',               'agency',                  'all'),
  ('factor_totps',               'agency',                  'all'),
  ('feedback_messages',          'agency',                  'all'),
  ('files',                      'agency',                  'all'),
  ('hardware_cart_lines',        'agency',                  'all'),
  ('hardware_order_lines',       'agency',                  'hardware order'),
  ('hardware_orders',            'agency',                  'shop or none'),
  ('help_reads',                 'agency',                  'all'),
  ('help_votes',                 'agency',                  'all'),
  ('inbox_items',                'agency',                  'all'),
  ('insight_cohorts',            'vendor',                  'all'),
  ('insight_plans',              'vendor',                  'all'),
  ('insight_sums',               'vendor',                  'all'),
  ('ledger_accounts',            'agency',                  'ledger account'),
  ('ledger_days',                'agency',                  'all'),
  ('ledger_entries',             'agency',                  'ledger transfer'),
  ('ledger_moves',               'from or to',              'all'),
  ('ledger_transfers',           'agency',                  'shop or none'),
  ('list_columns',               'agency',                  'all'),
  ('merchant_counts',            'agency or below',         'nothing'),
  ('merchant_days',              'agency',                  'nothing'),
  ('merchant_services',          'agency',                  'shop'),
  ('merchants',                  'agency or below',         'manager'),
  ('notice_preferences',         'agency',                  'all'),
  ('notice_thresholds',          'agency',                  'all'),
  ('notices',                    'agency',                  'all'),
  ('online_renewals',            'agency',                  'shop'),
  ('operation_log_anchors',      'agency',                  'all'),
  ('onboarding_people',          'agency',                  'shop'),
  ('onboardings',                'agency',                  'shop'),
  ('operation_log_erasures',     'agency',                  'all'),
  ('operation_log_heads',        'agency',                  'all'),
  ('operation_log_links',        'agency',                  'all'),
  ('operation_log_waiting',      'agency',                  'all'),
  ('operation_logs',             'by or about',             'shop or none'),
  ('order_days',                 'agency',                  'nothing'),
  ('outbox_messages',            'agency',                  'shop or none'),
  ('owner_paper_parts',          'agency',                  'shop'),
  ('owner_papers',               'agency',                  'shop'),
  ('owner_sessions',             'agency',                  'shop'),
  ('paper_readings',             'agency',                  'shop'),
  ('partner_application_codes',  'vendor',                  'all'),
  ('partner_application_notes',  'vendor',                  'all'),
  ('partner_applications',       'vendor',                  'all'),
  ('partner_closing_failures',   'vendor',                  'shop'),
  ('partner_closings',           'vendor',                  'all'),
  ('partner_invitations',        'agency',                  'all'),
  ('partner_notes',              'vendor',                  'all'),
  ('partner_papers',             'vendor',                  'all'),
  ('passkeys',                   'agency',                  'all'),
  ('payment_applications',       'agency',                  'shop'),
  ('payment_attempts',           'agency',                  'all'),
  ('payment_differences',        'vendor',                  'all'),
  ('payment_intents',            'agency',                  'all'),
  ('payment_reconciliations',    'vendor',                  'all'),
  ('payment_refunds',            'agency',                  'all'),
  ('payment_setting_values',     'agency',                  'all'),
  ('payment_settings',           'agency',                  'all'),
  ('payment_sign_keys',          'agency',                  'all'),
  ('person_erasure_items',       'vendor',                  'shop or none'),
  ('person_erasures',            'vendor',                  'all'),
  ('phone_change_codes',         'agency',                  'all'),
  ('platform_credentials',       'vendor',                  'nothing'),
  ('platform_events',            'vendor',                  'nothing'),
  ('price_campaigns',            'named or all, reading',   'all'),
  ('prices',                     'everybody, reading',      'all'),
  ('print_template_shops',       'of its shops',            'shop'),
  ('program_applications',       'agency',                  'shop'),
  ('program_audits',             'agency',                  'shop'),
  ('program_codes',              'agency',                  'shop'),
  ('program_flow_answers',       'agency',                  'shop'),
  ('program_flows',              'agency',                  'shop'),
  ('program_profile_changes',    'agency',                  'shop'),
  ('program_profiles',           'agency',                  'shop'),
  ('program_testers',            'agency',                  'shop'),
  ('provider_events',            'vendor',                  'all'),
  ('recovery_codes',             'agency',                  'all'),
  ('release_train_shops',        'agency',                  'shop'),
  ('release_trains',             'vendor',                  'all'),
  ('renewal_batches',            'agency',                  'maker'),
  ('renewal_marks',              'agency',                  'shop'),
  ('renewal_offers',             'agency',                  'all'),
  ('renewal_prices',             'agency',                  'all'),
  ('renewed_terms',              'vendor',                  'shop'),
  ('roles',                      'agency',                  'all'),
  ('setup_put_off',              'agency',                  'all'),
  ('saved_views',                'agency',                  'all'),
  ('selling_prices',             'agency alone',            'shop or none'),
  ('service_orders',             'agency',                  'shop'),
  ('sessions',                   'agency',                  'all'),
  ('shop_changes',               'agency',                  'shop, gone or none'),
  ('shop_codes',                 'agency',                  'shop'),
  ('shop_import_mappings',       'agency',                  'all'),
  ('shop_import_requests',       'agency',                  'import'),
  ('shop_import_rows',           'agency',                  'import'),
  ('shop_imports',               'agency',                  'maker'),
  ('shop_page_drafts',           'agency',                  'all'),
  ('shop_page_pictures',         'agency',                  'all'),
  ('shop_page_versions',         'agency',                  'all'),
  ('shop_sessions',              'agency',                  'shop'),
  ('shop_signatures',            'agency',                  'shop'),
  ('sign_in_devices',            'agency',                  'all'),
  ('sign_ins',                   'agency',                  'all'),
  ('sms_agent_days',             'agency',                  'nothing'),
  ('sms_days',                   'agency',                  'payer'),
  ('sms_orders',                 'agency',                  'shop or none'),
  ('sms_uses',                   'agency',                  'payer'),
  ('table_clearings',            'agency',                  'shop'),
  ('thread_messages',            'agency',                  'shop'),
  ('thread_pictures',            'agency',                  'shop'),
  ('thread_presence',            'agency',                  'shop'),
  ('threads',                    'agency',                  'shop'),
  ('token_orders',               'agency',                  'all'),
  ('tool_actions',               'agency',                  'shop or none'),
  ('undo_requests',              'agency',                  'undone order'),
  ('verification_codes',         'agency',                  'shop'),
  ('verifications',              'agency',                  'shop'),
  ('version_order_effects',      'agency',                  'shop'),
  ('version_orders',             'agency',                  'shop or quote'),
  ('version_sellers',            'agency',                  'all'),
  ('webhook_deliveries',         'agency',                  'shop or none'),
  ('webhook_endpoints',          'agency',                  'all'),
  ('work_order_events',          'agency',                  'work order'),
  ('work_order_messages',        'agency',                  'work order'),
  ('work_order_pictures',        'agency',                  'work order'),
  ('work_order_presence',        'agency',                  'work order'),
  ('work_orders',                'agency',                  'shop or maker');

-- What the words of the second column mean. Rows that hold for all statements are written under the same condition as they are read.
create temporary table agency_words (word text primary key, verb text not null, condition text not null) on commit drop;
insert into agency_words values
  ('agency',                 'all',    '{staff} or agent_id = {agent}'),
  ('agency alone',           'all',    'agent_id = {agent}'),
  -- And those of the agents below it, read by operations that ask for them.
  ('agency or below',        'all',    '{staff} or agent_id = {agent}'),
  -- What is offered to everybody is agent 0's.
  ('agency or offered',      'all',    '{staff} or agent_id in (0, {agent})'),
  ('by or about',            'all',    '{staff} or agent_id = {agent} or about_agent_id = {agent}'),
  ('from or to',             'all',    '{staff} or to_agent_id = {agent} or from_agent_id = {agent}'),
  ('itself and below',       'all',    '{staff} or id = {agent} or parent_id = {agent}'),
  ('of its shops',           'all',    '{staff} or exists (select from public.merchants m where m.id = merchant_id and m.agent_id = {agent})'),
  ('vendor',                 'all',    '{staff}'),
  -- Written as the rules for what has a date say, below.
  ('agency, reading',        'select', '{staff} or agent_id = {agent}'),
  ('agency or all, reading', 'select', '{staff} or agent_id is null or agent_id = {agent}'),
  ('named or all, reading',  'select', '{staff} or agent_ids is null or {agent} = any(agent_ids)'),
  ('everybody, reading',     'select', 'true');

-- What the words of the third column mean. 'all' is what the agency sees. Of sums over all shops ('nothing') own_shops has those over
-- one's own, below.
create temporary table shop_words (word text primary key, condition text not null) on commit drop;
insert into shop_words values
  ('manager',         'manager_id = {me}'),
  ('shop',            'merchant_id in {shops}'),
  -- A row without a shop is the agency's.
  ('shop or none',    '(merchant_id is null or merchant_id in {shops})'),
  -- And what is told of a shop that is no more.
  ('shop, gone or none', '(merchant_id is null or merchant_id in {shops} or manager_id = {me})'),
  ('shop or maker',   '(created_by = {me} or merchant_id in {shops})'),
  -- A quote for a shop that is not yet one is whoever's asked for it.
  ('shop or quote',   '(merchant_id in {shops} or (merchant_id is null and created_by = {me}))'),
  ('maker',           'created_by = {me}'),
  ('payer',           '(payer <> ''merchant'' or payer_id in {shops})'),
  ('ledger account',  '(owner_kind <> ''merchant'' or owner_id in {shops})'),
  ('ledger transfer', 'exists (select from public.ledger_transfers t where t.id = ledger_entries.transfer_id
                         and (t.merchant_id is null or t.merchant_id in {shops}))'),
  ('hardware order',  'order_id in (select o.id from public.hardware_orders o where o.merchant_id is null or o.merchant_id in {shops})'),
  ('work order',      'work_order_id in (select w.id from public.work_orders w where w.created_by = {me} or w.merchant_id in {shops})'),
  ('undone order',    '(exists (select from public.version_orders o where o.order_no = undo_requests.order_no and o.merchant_id in {shops})
                         or exists (select from public.service_orders o where o.order_no = undo_requests.order_no and o.merchant_id in {shops})
                         or exists (select from public.sms_orders o where o.order_no = undo_requests.order_no and o.merchant_id in {shops}))'),
  ('import',          'import_id in (select i.id from public.shop_imports i where i.created_by = {me})'),
  ('nothing',         'false');

-- Policies and views of before go; what follows is all there is.
do $$
declare
  old record;
begin
  for old in select policyname, tablename from pg_policies where schemaname = 'public' loop
    execute format('drop policy %I on public.%I', old.policyname, old.tablename);
  end loop;
end $$;
drop schema if exists own_shops cascade;
create schema own_shops;

do $$
declare
  line record;
begin
  for line in
    select l.*, a.verb, s.word as shop_word,
      replace(replace(a.condition, '{staff}', '(select sees_all())'), '{agent}', '(select acting_agent())') as of_agency,
      replace(replace(s.condition, '{shops}', '(select m.id from public.merchants m where m.manager_id = {me})'),
        '{me}', '(select acting_manager())') as of_shops
    from lines l left join agency_words a on a.word = l.agencies left join shop_words s on s.word = l.own_shops order by l.name
  loop
    if line.of_agency is null or (line.shop_word is null and line.own_shops <> 'all') then
      raise exception 'the line of % has a word that means nothing', line.name;
    end if;
    execute format('alter table public.%I enable row level security', line.name);
    execute format('create policy %I on public.%I for %s using (%s)', case line.agencies when 'vendor' then 'staff'
      when 'everybody, reading' then 'everybody' else 'tenant' end, line.name, line.verb, line.of_agency);
    if line.agencies = 'agency or below' then
      execute format('create policy below on public.%I for select using ((select sees_below())
        and agent_id in (select id from agents where parent_id = (select acting_agent())))', line.name);
    end if;
    -- Nobody else's plans know of these: they hold for the role that such an account's connections have.
    if line.shop_word is not null then
      execute format('create policy own_shops on public.%I as restrictive to partner_office_own using (%s)', line.name, line.of_shops);
    end if;
    -- Names of statements find the view before the table.
    if line.shop_word <> 'nothing' then
      execute format('create view own_shops.%1$I with (security_invoker = true) as select * from public.%1$I where %2$s',
        line.name, line.of_shops);
    end if;
  end loop;
end $$;

-- What one line cannot say.

-- An agent is taken on by the vendor alone; what it says of itself is its own to change, and no agency's above it.
create policy taken_on on agents as restrictive for insert with check ((select sees_all()));
create policy own_profile on agents as restrictive for update using ((select sees_all()) or id = (select acting_agent()));
-- Ways to pay are offered by the vendor.
alter policy tenant on agent_payment_methods with check ((select sees_all()));
-- An agent says who of its own staff must have a factor, and nothing of anybody else.
create policy own_staff on factor_rules as restrictive using (true) with check ((select sees_all()) or kind = 'ownStaff');
-- Pictures of products and of help are everybody's to see.
create policy pictures on files for select using (purpose = 'product');
create policy help on files for select using (purpose in ('helpPicture', 'helpVideo'));
-- Notes of the vendor's staff are read by no agency.
create policy vendor_notes on work_order_messages as restrictive for select using ((select sees_all()) or side <> 'note');

-- What has a date is the vendor's to write, from now on alone; prices of a new office also say what was before.
do $$
declare
  dated text;
begin
  foreach dated in array array['agent_level_changes', 'discounts', 'price_campaigns', 'prices'] loop
    execute format('create policy from_now_on on public.%I for insert
      with check ((select sees_all()) and starts_at >= date_trunc(''milliseconds'', now()))', dated);
    execute format('create policy staff on public.%I for update using ((select sees_all()))', dated);
  end loop;
  foreach dated in array array['discounts', 'price_campaigns', 'prices'] loop
    execute format('create policy new_office on public.%I for insert with check ((select sees_all()) and (select is_new_office()))', dated);
  end loop;
end $$;

-- Sums over one's own shops, where the tables' are over all of the agency.
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
-- The facts of documents are read out of one's own.
do $$
declare
  path text := current_setting('search_path');
  facts text := pg_get_viewdef('public.document_facts'::regclass);
begin
  perform set_config('search_path', 'own_shops, public', true);
  execute 'create view own_shops.document_facts with (security_invoker = true) as ' || facts;
  perform set_config('search_path', path, true);
end $$;

grant usage on schema own_shops to partner_office_app;
grant select, insert, update, delete on all tables in schema own_shops to partner_office_app;

-- They were what this file is now.
drop function if exists guard_own_shops();
do $$
declare
  old record;
begin
  for old in select oid::regprocedure as name from pg_proc
      where pronamespace = 'public'::regnamespace and proname ~ '^own_shops_rules' loop
    execute format('drop function %s', old.name);
  end loop;
end $$;
