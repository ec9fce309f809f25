CREATE TABLE "operation_log_anchors" (
	"agent_id" bigint PRIMARY KEY NOT NULL,
	"sequence" bigint NOT NULL,
	"hash" "bytea" NOT NULL,
	"dropped_before" timestamptz(3) NOT NULL
);
--> statement-breakpoint
CREATE TABLE "operation_log_heads" (
	"agent_id" bigint PRIMARY KEY NOT NULL,
	"entry_count" bigint NOT NULL,
	"head_hash" "bytea",
	"last_at" timestamptz(3)
);
--> statement-breakpoint
alter table operation_logs rename to operation_logs_before;--> statement-breakpoint
alter table operation_logs_before drop constraint operation_logs_pkey;--> statement-breakpoint
alter table operation_logs_before alter column id drop identity;--> statement-breakpoint
drop index operation_logs_agent_id_id;--> statement-breakpoint
drop index operation_logs_about_agent_id;--> statement-breakpoint
drop index operation_logs_merchant_id;--> statement-breakpoint
create sequence operation_logs_id_seq;--> statement-breakpoint
CREATE TABLE "operation_logs" (
	"id" bigint DEFAULT nextval('operation_logs_id_seq') NOT NULL,
	"agent_id" bigint NOT NULL,
	"sequence" bigint NOT NULL,
	"account_id" bigint NOT NULL,
	"account_name" text NOT NULL,
	"operation" text NOT NULL,
	"module" text GENERATED ALWAYS AS (coalesce(substring(operation from '^/?([a-z0-9-]+)'), '')) STORED NOT NULL,
	"title" text NOT NULL,
	"subject" text NOT NULL,
	"objects" text[] NOT NULL,
	"object_kind" text GENERATED ALWAYS AS (coalesce(split_part(objects[1], ':', 1), '')) STORED NOT NULL,
	"merchant_id" bigint,
	"about_agent_id" bigint,
	"outcome" text NOT NULL,
	"changes" jsonb NOT NULL,
	"request_id" text NOT NULL,
	"ip" text NOT NULL,
	"user_agent" text NOT NULL,
	"hash" "bytea" NOT NULL,
	"created_at" timestamptz(3) NOT NULL,
	"search_text" text GENERATED ALWAYS AS (lower(account_name || chr(31) || title || chr(31) || subject)) STORED NOT NULL,
	CONSTRAINT "operation_logs_id_created_at_pk" PRIMARY KEY("id","created_at")
) partition by range ("created_at");--> statement-breakpoint
alter sequence operation_logs_id_seq owned by operation_logs.id;--> statement-breakpoint
CREATE INDEX "operation_logs_chain" ON "operation_logs" USING btree ("agent_id","sequence");--> statement-breakpoint
CREATE INDEX "operation_logs_created_at" ON "operation_logs" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "operation_logs_agent_id" ON "operation_logs" USING btree ("agent_id","created_at","id");--> statement-breakpoint
CREATE INDEX "operation_logs_about_agent_id" ON "operation_logs" USING btree ("about_agent_id","created_at","id") WHERE "operation_logs"."about_agent_id" is not null;--> statement-breakpoint
CREATE INDEX "operation_logs_account_id" ON "operation_logs" USING btree ("account_id","created_at","id");--> statement-breakpoint
CREATE INDEX "operation_logs_merchant_id" ON "operation_logs" USING btree ("merchant_id","created_at","id") WHERE "operation_logs"."merchant_id" is not null;--> statement-breakpoint
CREATE INDEX "operation_logs_objects" ON "operation_logs" USING gin ("objects");--> statement-breakpoint
CREATE INDEX "operation_logs_search" ON "operation_logs" USING gin (bigrams("search_text"));--> statement-breakpoint
-- Months are in a schema of their own: the app's role reaches them through the table alone.
create schema operation_log_months;--> statement-breakpoint
create function make_operation_log_month(wanted timestamptz) returns void
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
end $$;--> statement-breakpoint
-- Months that are to come, three of them, and those since `since`.
create function make_operation_log_months(since timestamptz default now()) returns void
language plpgsql set search_path = public, pg_temp set timezone = 'UTC'
as $$
begin
  perform pg_advisory_xact_lock(7211021);
  perform make_operation_log_month(month)
    from generate_series(date_trunc('month', since), now() + interval '3 months', interval '1 month') as month;
end $$;--> statement-breakpoint
-- Drops whole months that ended before `before`; the anchor keeps where each chain goes on. Answers how many.
create function drop_operation_log_months(before timestamptz) returns integer
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
    execute format('insert into operation_log_anchors (agent_id, sequence, hash, dropped_before)
      select distinct on (agent_id) agent_id, sequence, hash, %L::timestamptz from operation_log_months.%I
      order by agent_id, sequence desc
      on conflict (agent_id) do update set sequence = excluded.sequence, hash = excluded.hash,
        dropped_before = excluded.dropped_before', month.ended, month.called);
    execute format('drop table operation_log_months.%I', month.called);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;--> statement-breakpoint
create function operation_log_hash(previous bytea, entry operation_logs) returns bytea
language sql immutable parallel safe
as $$
  select sha256(coalesce(previous, ''::bytea) || convert_to(jsonb_build_array(
    entry.id, entry.agent_id, entry.sequence, entry.account_id, entry.account_name, entry.operation, entry.title,
    entry.subject, to_jsonb(entry.objects), entry.merchant_id, entry.about_agent_id, entry.outcome, entry.changes,
    entry.request_id, entry.ip, entry.user_agent, (extract(epoch from entry.created_at) * 1000)::bigint
  )::text, 'UTF8'))
$$;--> statement-breakpoint
-- Puts a row at the end of its agent's chain. The lock on the chain's end is held until commit: whoever calls does so last.
-- Moments never run backwards within a chain, so that its parts lie in months one after the other.
create function write_operation_log(given jsonb, moment timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  head operation_log_heads;
  entry operation_logs;
begin
  entry.agent_id := (given->>'agentId')::bigint;
  if not sees_all() and entry.agent_id is distinct from acting_agent() then
    raise exception 'operation of another agent' using errcode = '42501';
  end if;
  insert into operation_log_heads (agent_id, entry_count) values (entry.agent_id, 0) on conflict do nothing;
  select * into strict head from operation_log_heads where agent_id = entry.agent_id for update;
  entry.created_at := coalesce(moment, greatest(clock_timestamp()::timestamptz(3), head.last_at));
  if entry.created_at < head.last_at then
    raise exception 'operation before the last of its chain' using errcode = '22007';
  end if;
  entry.id := nextval('operation_logs_id_seq');
  entry.sequence := head.entry_count + 1;
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
  entry.hash := operation_log_hash(head.head_hash, entry);
  update operation_log_heads set entry_count = entry.sequence, head_hash = entry.hash, last_at = entry.created_at
    where agent_id = entry.agent_id;
  insert into operation_logs (id, agent_id, sequence, account_id, account_name, operation, title, subject, objects,
      merchant_id, about_agent_id, outcome, changes, request_id, ip, user_agent, hash, created_at)
    values (entry.id, entry.agent_id, entry.sequence, entry.account_id, entry.account_name, entry.operation, entry.title,
      entry.subject, entry.objects, entry.merchant_id, entry.about_agent_id, entry.outcome, entry.changes,
      entry.request_id, entry.ip, entry.user_agent, entry.hash, entry.created_at);
end $$;--> statement-breakpoint
-- The only way of the app's role into the log.
create function log_operation(given jsonb) returns void
language sql security definer set search_path = public, pg_temp
as $$ select write_operation_log(given, null) $$;--> statement-breakpoint
-- A past that is told: the owner's alone, in the order of time within each chain.
create function log_operation_at(given jsonb, moment timestamptz) returns void
language sql set search_path = public, pg_temp
as $$ select write_operation_log(given, moment) $$;--> statement-breakpoint
revoke execute on function make_operation_log_month(timestamptz), make_operation_log_months(timestamptz),
  drop_operation_log_months(timestamptz), write_operation_log(jsonb, timestamptz), log_operation(jsonb),
  log_operation_at(jsonb, timestamptz) from public;--> statement-breakpoint
do $$
declare
  past record;
begin
  perform set_config('app.scope', 'all', true);
  perform make_operation_log_months(coalesce((select min(created_at) from operation_logs_before), now()));
  for past in select * from operation_logs_before order by created_at, id loop
    perform log_operation_at(jsonb_build_object(
      'agentId', past.agent_id, 'accountId', past.account_id, 'accountName', past.account_name,
      'operation', case past.operation when 'redeemCode' then '/messages redeemCode'
        when 'payments settle' then '/payments settle' else past.operation end,
      'title', past.title, 'subject', past.subject,
      'objects', case when past.merchant_id is not null then jsonb_build_array('merchant:' || past.merchant_id)
        when past.about_agent_id is not null then jsonb_build_array('agent:' || past.about_agent_id) else '[]' end,
      'merchantId', past.merchant_id, 'aboutAgentId', past.about_agent_id,
      'outcome', case when past.operation = 'redeemCode' then 'refused' else 'done' end,
      'changes', past.changes, 'requestId', past.request_id, 'ip', past.ip, 'userAgent', ''), past.created_at);
  end loop;
end $$;--> statement-breakpoint
drop table operation_logs_before;--> statement-breakpoint
alter table operation_logs enable row level security;--> statement-breakpoint
create policy tenant on operation_logs using ((select sees_all()) or agent_id = (select acting_agent())
  or about_agent_id = (select acting_agent()));--> statement-breakpoint
alter table operation_log_heads enable row level security;--> statement-breakpoint
create policy tenant on operation_log_heads using ((select sees_all()) or agent_id = (select acting_agent()));--> statement-breakpoint
alter table operation_log_anchors enable row level security;--> statement-breakpoint
create policy tenant on operation_log_anchors using ((select sees_all()) or agent_id = (select acting_agent()));--> statement-breakpoint
grant select on operation_logs, operation_log_heads, operation_log_anchors to partner_office_app;--> statement-breakpoint
grant execute on function log_operation(jsonb) to partner_office_app;
