-- As it was, but for a topic that an account has switched off: its notice is kept as read, so that the notice centre has it, and
-- only who wants to hear of it is answered.
create or replace function notify_accounts(trace text, to_accounts bigint[], to_agent bigint, to_vendor text, held_key text, about_topic text,
    with_title text, with_body text, with_link text, with_args jsonb, once text)
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
    where a.enabled and g.enabled
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
-- How many codes went to a phone since a day began and in the last hour, and when the last did, over all agents, shops and
-- purposes: carriers count by phone. Only these numbers leave. The function before it stays for programs that still run.
create function codes_sent_to(wanted_phone text, since timestamptz)
returns table (sent bigint, sent_in_hour bigint, last_at timestamptz)
language sql stable security definer set search_path = public, pg_temp
as $$
  select count(*) filter (where created_at > since), count(*) filter (where created_at > now() - interval '1 hour'), max(created_at)
  from verification_codes where phone = wanted_phone and created_at > least(since, now() - interval '1 hour')
$$;
--> statement-breakpoint
revoke execute on function codes_sent_to(text, timestamptz) from public;
--> statement-breakpoint
grant execute on function codes_sent_to(text, timestamptz) to partner_office_app;
--> statement-breakpoint
-- Segments that each payer used in the last 30 days, for the forecast: tens of rows per payer would be read otherwise.
create function count_sms_uses() returns trigger language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  today constant date := shanghai_day(now());
begin
  if tg_op = 'INSERT' then
    insert into sms_uses (payer, payer_id, agent_id, used, counted_on)
      select payer, payer_id, agent_id, sum(segments), today from added
      where payer <> 'vendor' and day > today - 30 group by 1, 2, 3 order by 1, 2, 3
      on conflict (payer, payer_id, agent_id) do update set used = sms_uses.used + excluded.used;
  elsif tg_op = 'DELETE' then
    insert into sms_uses (payer, payer_id, agent_id, used, counted_on)
      select payer, payer_id, agent_id, -sum(segments), today from removed
      where payer <> 'vendor' and day > today - 30 group by 1, 2, 3 order by 1, 2, 3
      on conflict (payer, payer_id, agent_id) do update set used = sms_uses.used + excluded.used;
  else
    insert into sms_uses (payer, payer_id, agent_id, used, counted_on)
      select payer, payer_id, agent_id, sum(segments), today
      from (select payer, payer_id, day, agent_id, segments from added
        union all select payer, payer_id, day, agent_id, -segments from removed) as changed
      where payer <> 'vendor' and day > today - 30 group by 1, 2, 3 having sum(segments) <> 0 order by 1, 2, 3
      on conflict (payer, payer_id, agent_id) do update set used = sms_uses.used + excluded.used;
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger sms_days_used_added after insert on sms_days referencing new table as added for each statement execute function count_sms_uses();
--> statement-breakpoint
create trigger sms_days_used_changed after update on sms_days referencing old table as removed new table as added for each statement execute function count_sms_uses();
--> statement-breakpoint
create trigger sms_days_used_removed after delete on sms_days referencing old table as removed for each statement execute function count_sms_uses();
--> statement-breakpoint
-- Moves the 30 days of at most so many payers on to today, and answers how many there were. They are held first: what others
-- add meanwhile is then either seen by the second statement or added after it.
create function recount_sms_uses(most integer) returns integer language plpgsql
as $$
declare
  today constant date := shanghai_day(now());
  payers text[];
  ids bigint[];
  agent_ids bigint[];
begin
  select array_agg(payer), array_agg(payer_id), array_agg(agent_id) into payers, ids, agent_ids
  from (select payer, payer_id, agent_id from sms_uses where counted_on < today limit most for update skip locked) as held;
  update sms_uses u set counted_on = today, used = (
      select coalesce(sum(d.segments), 0) from sms_days d
      where d.payer = u.payer and d.payer_id = u.payer_id and d.agent_id = u.agent_id and d.day > today - 30)
    from unnest(payers, ids, agent_ids) as held (payer, payer_id, agent_id)
    where u.payer = held.payer and u.payer_id = held.payer_id and u.agent_id = held.agent_id;
  delete from sms_uses u using unnest(payers, ids, agent_ids) as held (payer, payer_id, agent_id)
    where u.payer = held.payer and u.payer_id = held.payer_id and u.agent_id = held.agent_id and u.used = 0;
  return coalesce(cardinality(ids), 0);
end $$;
--> statement-breakpoint
revoke execute on function count_sms_uses(), recount_sms_uses(integer) from public;
--> statement-breakpoint
insert into sms_uses (payer, payer_id, agent_id, used, counted_on)
  select payer, payer_id, agent_id, sum(segments), shanghai_day(now()) from sms_days
  where payer <> 'vendor' and day > shanghai_day(now()) - 30 group by 1, 2, 3;
--> statement-breakpoint
alter table sms_uses enable row level security;
--> statement-breakpoint
create policy tenant on sms_uses using ((select sees_all()) or agent_id = (select acting_agent()));
--> statement-breakpoint
grant select on sms_uses to partner_office_app;

--> statement-breakpoint
-- Who undid orders from before it was kept.
update sms_orders set undone_by_name = a.name from accounts a where a.id = sms_orders.undone_by;
