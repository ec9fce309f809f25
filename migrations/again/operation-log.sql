-- The operation log: the one way into it, the chains that are made behind it, and its months (docs/decisions/0080). Run whenever this text
-- has changed and after every migration: migrations/again.

-- Over a row, its place and the link before. What a row was when it was written is its hash without both.
create or replace function operation_log_hash(previous bytea, entry operation_logs, sequence bigint) returns bytea
language sql immutable parallel safe
as $$
  select sha256(coalesce(previous, ''::bytea) || convert_to(jsonb_build_array(
    entry.id, entry.agent_id, sequence, entry.account_id, entry.account_name, entry.operation, entry.title,
    entry.subject, to_jsonb(entry.objects), entry.merchant_id, entry.about_agent_id, entry.outcome, entry.changes,
    entry.request_id, entry.ip, entry.user_agent, (extract(epoch from entry.created_at) * 1000)::bigint
  )::text, 'UTF8'))
$$;

-- Writes a row, which waits for its link. Nothing is locked: whoever writes for the same agent is not waited for.
create or replace function write_operation_log(given jsonb, moment timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  entry operation_logs;
  -- Before the row has its id: what a checkpoint covers is known by the transactions that ran when the last id was taken.
  own xid8 := pg_current_xact_id();
begin
  entry.agent_id := (given->>'agentId')::bigint;
  if not sees_all() and entry.agent_id is distinct from acting_agent() then
    raise exception 'operation of another agent' using errcode = '42501';
  end if;
  entry.id := nextval('operation_logs_id_seq');
  entry.created_at := coalesce(moment, clock_timestamp())::timestamptz(3);
  entry.account_id := (given->>'accountId')::bigint;
  entry.account_name := given->>'accountName';
  entry.operation := given->>'operation';
  entry.title := given->>'title';
  entry.subject := given->>'subject';
  entry.objects := array(select jsonb_array_elements_text(given->'objects'));
  entry.merchant_id := (given->>'merchantId')::bigint;
  entry.about_agent_id := (given->>'aboutAgentId')::bigint;
  entry.outcome := given->>'outcome';
  entry.changes := given->'changes';
  entry.request_id := given->>'requestId';
  entry.ip := given->>'ip';
  entry.user_agent := given->>'userAgent';
  insert into operation_logs (id, agent_id, account_id, account_name, operation, title, subject, objects,
      merchant_id, about_agent_id, outcome, changes, request_id, ip, user_agent, created_at)
    values (entry.id, entry.agent_id, entry.account_id, entry.account_name, entry.operation, entry.title, entry.subject, entry.objects,
      entry.merchant_id, entry.about_agent_id, entry.outcome, entry.changes, entry.request_id, entry.ip, entry.user_agent, entry.created_at);
  insert into operation_log_waiting (transaction, id, agent_id, created_at, row_hash)
    values (own, entry.id, entry.agent_id, entry.created_at, operation_log_hash(null, entry, 0));
end $$;

-- The only way of the app's role into the log.
create or replace function log_operation(given jsonb) returns void
language sql security definer set search_path = public, pg_temp
as $$ select write_operation_log(given, null) $$;

-- A past that is told: the owner's alone, and nothing from before the end of a chain.
create or replace function log_operation_at(given jsonb, moment timestamptz) returns void
language plpgsql set search_path = public, pg_temp
as $$
begin
  if exists (select from operation_log_heads where agent_id = (given->>'agentId')::bigint and last_at > moment) then
    raise exception 'operation before the last of its chain' using errcode = '22007';
  end if;
  perform write_operation_log(given, moment);
end $$;

-- Puts at most so many rows at the ends of their agents' chains, and answers how many it looked at: 0 when none is left that can be linked.
-- The order is that of transactions, and a row is linked once every transaction before its own has ended: none comes later that belongs
-- before it. A number that this server has not given yet is of a copy that was restored. Several may be at it: each waits for the other's
-- first row, finds it gone, and goes on.
create or replace function link_operation_log(most integer) returns integer
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  due record;
  entry operation_logs;
  head operation_log_heads;
  links operation_log_links[] := '{}';
  linked operation_log_waiting[] := '{}';
  strange operation_log_waiting[] := '{}';
  looked_at integer := 0;
begin
  for due in
    select row(w.*)::operation_log_waiting as waiting, w.agent_id, w.row_hash, l as entry
    from (select * from operation_log_waiting where not altered
        and (transaction < pg_snapshot_xmin(pg_current_snapshot())
          or (transaction >= pg_snapshot_xmax(pg_current_snapshot()) and transaction is distinct from pg_current_xact_id_if_assigned()))
        order by transaction, id limit most for update) as w
      left join operation_logs l on l.id = w.id and l.created_at = w.created_at
    order by w.agent_id, w.transaction, w.id
  loop
    looked_at := looked_at + 1;
    if head.agent_id is distinct from due.agent_id then
      update operation_log_heads set entry_count = head.entry_count, head_hash = head.head_hash, last_at = head.last_at
        where agent_id = head.agent_id;
      insert into operation_log_heads (agent_id, entry_count) values (due.agent_id, 0) on conflict do nothing;
      select * into strict head from operation_log_heads where agent_id = due.agent_id for update;
    end if;
    entry := due.entry;
    if entry.id is null or due.row_hash is distinct from operation_log_hash(null, entry, 0) then
      strange := strange || due.waiting;
      continue;
    end if;
    -- Months are dropped from the beginning of a chain: a row of one that is behind already belongs to the next.
    if date_trunc('month', entry.created_at, 'UTC') < date_trunc('month', head.last_at, 'UTC') then
      update operation_logs set created_at = head.last_at where id = entry.id and created_at = entry.created_at;
      entry.created_at := head.last_at;
    end if;
    head.entry_count := head.entry_count + 1;
    head.head_hash := operation_log_hash(head.head_hash, entry, head.entry_count);
    head.last_at := greatest(head.last_at, entry.created_at);
    links := links || row(head.agent_id, head.entry_count, entry.id, head.head_hash, entry.created_at)::operation_log_links;
    linked := linked || due.waiting;
  end loop;
  update operation_log_heads set entry_count = head.entry_count, head_hash = head.head_hash, last_at = head.last_at
    where agent_id = head.agent_id;
  insert into operation_log_links select * from unnest(links);
  delete from operation_log_waiting w using unnest(linked) as t where w.transaction = t.transaction and w.id = t.id;
  update operation_log_waiting w set altered = true from unnest(strange) as t where w.transaction = t.transaction and w.id = t.id;
  return looked_at;
end $$;

create or replace function make_operation_log_month(wanted timestamptz) returns void
language plpgsql set search_path = public, pg_temp set timezone = 'UTC'
as $$
declare
  starts date := date_trunc('month', wanted)::date;
  ends date := (date_trunc('month', wanted) + interval '1 month')::date;
  called text := 'of_' || to_char(starts, 'YYYY_MM');
begin
  if to_regclass('operation_log_months.' || called) is not null then return; end if;
  -- Made beside the table and then attached, which holds up nobody who reads or writes.
  execute format('create table operation_log_months.%I (like operation_logs including all)', called);
  execute format('alter table operation_logs attach partition operation_log_months.%I for values from (%L) to (%L)',
    called, starts, ends);
  execute format('create table operation_log_months.%I (like operation_log_links including all)', 'links_' || called);
  execute format('alter table operation_log_links attach partition operation_log_months.%I for values from (%L) to (%L)',
    'links_' || called, starts, ends);
end $$;

-- Months that are to come, three of them, and those since `since`.
create or replace function make_operation_log_months(since timestamptz default now()) returns void
language plpgsql set search_path = public, pg_temp set timezone = 'UTC'
as $$
begin
  perform pg_advisory_xact_lock(7211021);
  perform make_operation_log_month(month)
    from generate_series(date_trunc('month', since), now() + interval '3 months', interval '1 month') as month;
end $$;

-- Drops whole months that ended before `before`, as far as their rows are linked; the anchor keeps where each chain goes on. Answers
-- how many.
create or replace function drop_operation_log_months(before timestamptz) returns integer
language plpgsql set search_path = public, pg_temp set timezone = 'UTC' set lock_timeout = '5s'
as $$
declare
  month record;
  dropped integer := 0;
begin
  perform pg_advisory_xact_lock(7211021);
  for month in
    select c.relname as called, (to_date(substr(c.relname, 4), 'YYYY_MM') + interval '1 month')::timestamptz as ended
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'operation_logs'::regclass and c.relnamespace = 'operation_log_months'::regnamespace
      and (to_date(substr(c.relname, 4), 'YYYY_MM') + interval '1 month')::timestamptz <= before
    order by 1
  loop
    exit when exists (select from operation_log_waiting where created_at < month.ended and not altered);
    execute format('insert into operation_log_anchors (agent_id, sequence, hash, dropped_before)
      select distinct on (agent_id) agent_id, sequence, hash, %L::timestamptz from operation_log_months.%I
      order by agent_id, sequence desc
      on conflict (agent_id) do update set sequence = excluded.sequence, hash = excluded.hash,
        dropped_before = excluded.dropped_before', month.ended, 'links_' || month.called);
    execute format('drop table operation_log_months.%I', month.called);
    execute format('drop table operation_log_months.%I', 'links_' || month.called);
    delete from operation_log_waiting where created_at < month.ended;
    delete from operation_log_erasures where created_at < month.ended;
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;

revoke execute on function make_operation_log_month(timestamptz), make_operation_log_months(timestamptz),
  drop_operation_log_months(timestamptz), write_operation_log(jsonb, timestamptz), log_operation(jsonb),
  log_operation_at(jsonb, timestamptz), link_operation_log(integer) from public;
grant execute on function log_operation(jsonb), link_operation_log(integer) to partner_office_app;
