-- Triggers, policies and rights of payments, sending, notices, content and the dashboard's counts.
-- Orders that stand, by the day that their list filters by. At commit, in one order of keys, as the counts of shops are.
create function count_order(agent bigint, on_day date, of_kind text, by_orders bigint, by_cents bigint, by_fen bigint) returns void
language sql security definer set search_path = public, pg_temp
as $$
  insert into order_days (agent_id, day, kind, orders, cents, fen) values (agent, on_day, of_kind, by_orders, by_cents, by_fen)
    on conflict (agent_id, day, kind) do update set orders = order_days.orders + excluded.orders,
      cents = order_days.cents + excluded.cents, fen = order_days.fen + excluded.fen
$$;
--> statement-breakpoint
create function count_version_order() returns trigger language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  if old.status = 'paid' and old.paid_at is not null then perform count_order(old.agent_id, shanghai_day(old.paid_at), 'version', -1, -old.total_cents, 0); end if;
  if new.status = 'paid' and new.paid_at is not null then perform count_order(new.agent_id, shanghai_day(new.paid_at), 'version', 1, new.total_cents, 0); end if;
  return null;
end $$;
--> statement-breakpoint
create constraint trigger version_orders_days after insert or delete or update of status, paid_at, total_cents, agent_id on version_orders
  deferrable initially deferred for each row execute function count_version_order();
--> statement-breakpoint
create function count_service_order() returns trigger language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  if old.state = 'completed' then perform count_order(old.agent_id, shanghai_day(old.created_at), 'service', -1, -old.total_cents, 0); end if;
  if new.state = 'completed' then perform count_order(new.agent_id, shanghai_day(new.created_at), 'service', 1, new.total_cents, 0); end if;
  return null;
end $$;
--> statement-breakpoint
create constraint trigger service_orders_days after insert or delete or update of state, created_at, total_cents, agent_id on service_orders
  deferrable initially deferred for each row execute function count_service_order();
--> statement-breakpoint
-- What an agent paid from outside is yuan and no tokens; the two are never added up.
create function count_sms_order() returns trigger language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  if old.status = 'paid' then
    perform count_order(old.agent_id, shanghai_day(old.created_at), 'sms', -1,
      case when old.kind = 'recharge' then 0 else -old.total_cents end, case when old.kind = 'recharge' then -old.total_cents else 0 end);
  end if;
  if new.status = 'paid' then
    perform count_order(new.agent_id, shanghai_day(new.created_at), 'sms', 1,
      case when new.kind = 'recharge' then 0 else new.total_cents end, case when new.kind = 'recharge' then new.total_cents else 0 end);
  end if;
  return null;
end $$;
--> statement-breakpoint
create constraint trigger sms_orders_days after insert or delete or update of status, kind, created_at, total_cents, agent_id on sms_orders
  deferrable initially deferred for each row execute function count_sms_order();
--> statement-breakpoint
revoke execute on function count_order(bigint, date, text, bigint, bigint, bigint), count_version_order(), count_service_order(), count_sms_order() from public;
--> statement-breakpoint
insert into order_days (agent_id, day, kind, orders, cents, fen)
  select agent_id, shanghai_day(paid_at), 'version', count(*), sum(total_cents), 0 from version_orders where status = 'paid' and paid_at is not null group by 1, 2
  union all select agent_id, shanghai_day(created_at), 'service', count(*), sum(total_cents), 0 from service_orders where state = 'completed' group by 1, 2
  union all select agent_id, shanghai_day(created_at), 'sms', count(*), sum(total_cents), 0 from sms_orders where status = 'paid' group by 1, 2;
--> statement-breakpoint
-- Segments used on a day over an agent and all its shops, once per statement: a shop's own row is one of very many.
create function count_sms_days() returns trigger language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  if tg_op = 'INSERT' then
    insert into sms_agent_days (agent_id, day, messages, segments)
      select agent_id, day, sum(messages), sum(segments) from added group by 1, 2 order by 1, 2
      on conflict (agent_id, day) do update set messages = sms_agent_days.messages + excluded.messages, segments = sms_agent_days.segments + excluded.segments;
  elsif tg_op = 'DELETE' then
    insert into sms_agent_days (agent_id, day, messages, segments)
      select agent_id, day, -sum(messages), -sum(segments) from removed group by 1, 2 order by 1, 2
      on conflict (agent_id, day) do update set messages = sms_agent_days.messages + excluded.messages, segments = sms_agent_days.segments + excluded.segments;
  else
    insert into sms_agent_days (agent_id, day, messages, segments)
      select agent_id, day, sum(messages), sum(segments)
      from (select agent_id, day, messages, segments from added union all select agent_id, day, -messages, -segments from removed) as changed
      group by 1, 2 having sum(messages) <> 0 or sum(segments) <> 0 order by 1, 2
      on conflict (agent_id, day) do update set messages = sms_agent_days.messages + excluded.messages, segments = sms_agent_days.segments + excluded.segments;
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger sms_days_added after insert on sms_days referencing new table as added for each statement execute function count_sms_days();
--> statement-breakpoint
create trigger sms_days_changed after update on sms_days referencing old table as removed new table as added for each statement execute function count_sms_days();
--> statement-breakpoint
create trigger sms_days_removed after delete on sms_days referencing old table as removed for each statement execute function count_sms_days();
--> statement-breakpoint
revoke execute on function count_sms_days() from public;
--> statement-breakpoint
-- A message that waits wakes the senders of all instances.
create function notify_outbox_queued() returns trigger language plpgsql
as $$
begin
  perform pg_notify('outbox_queued', '');
  return null;
end $$;
--> statement-breakpoint
create trigger outbox_messages_queued after insert on outbox_messages for each statement execute function notify_outbox_queued();
--> statement-breakpoint
-- Messages from before there was a sender stay unsent: nobody waits for them any more.
update outbox_messages set status = 'expired', error_text = '发送通道启用前的消息' where status = 'queued';
--> statement-breakpoint
-- Where socket.io's adapter leaves what is too long for a notification.
create table socket_io_attachments (id bigserial primary key, created_at timestamptz default now(), payload bytea);
--> statement-breakpoint
do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['payment_intents', 'payment_attempts', 'payment_refunds', 'token_orders', 'campaigns',
      'sms_days', 'notices', 'notice_preferences', 'notice_thresholds', 'feedback_messages', 'order_days', 'sms_agent_days'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('create policy tenant on %I using ((select sees_all()) or agent_id = (select acting_agent()))', tenant_table);
  end loop;
  foreach tenant_table in array array['provider_events', 'payment_reconciliations', 'payment_differences', 'consultations'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('create policy staff on %I using ((select sees_all()))', tenant_table);
  end loop;
end $$;
--> statement-breakpoint
alter table agent_pay_channels enable row level security;
--> statement-breakpoint
create policy tenant on agent_pay_channels using ((select sees_all()) or agent_id in (0, (select acting_agent())));
--> statement-breakpoint
grant select, insert, update, delete on notices, notice_preferences, notice_thresholds, captcha_challenges, captcha_passes,
  campaigns, content_items, socket_io_attachments, agent_pay_channels, payment_reconciliations, payment_differences to partner_office_app;
--> statement-breakpoint
grant select, insert, update on payment_intents, payment_attempts, payment_refunds, provider_events, token_orders,
  payment_prices, outbox_messages, sms_days, sms_templates, consultations, feedback_messages, sms_recharge_packages to partner_office_app;
--> statement-breakpoint
grant select on order_days, sms_agent_days to partner_office_app;
--> statement-breakpoint
grant usage on all sequences in schema public to partner_office_app;
--> statement-breakpoint
-- Orders that took credit away before this was kept; their balances around it stay unknown but for recalls.
update sms_orders set changed_at = coalesce(undone_at, created_at),
  change_before = case when kind = 'recall' then sms_before end, change_after = case when kind = 'recall' then sms_after end
  where kind = 'recall' or status = 'recycled';
--> statement-breakpoint
-- One notice per account that wants to hear of the topic. Whoever acts may tell other agents and the vendor's staff, and
-- learns no more than the numbers of the accounts that were told.
create function notify_accounts(trace text, to_accounts bigint[], to_agent bigint, to_vendor text, held_key text, about_topic text,
    with_title text, with_body text, with_link text, with_args jsonb, once text)
  returns table (account_id bigint, created_at timestamptz)
language plpgsql security definer set search_path = public, pg_temp
as $$
#variable_conflict use_column
begin
  return query insert into notices (trace_id, agent_id, account_id, topic, title, body, link, args, once_key, created_at, repeat_at)
    select trace, a.agent_id, a.id, about_topic, with_title, with_body, with_link, with_args, once, now(), now() + interval '20 seconds'
    from accounts a join agents g on g.id = a.agent_id
    where a.enabled and g.enabled
      and a.id in (select unnest(to_accounts) union all select id from accounts where agent_id = to_agent
        union all select s.id from accounts s join agents v on v.id = s.agent_id
          where to_vendor = 'operator' and v.is_operator or to_vendor = 'staff' and v.is_vendor_staff)
      and (held_key is null or exists (select 1 from permission_nodes n
        where n.key = held_key
          and (g.is_operator or n.marker = '1' or n.marker = '888' and g.is_vendor_staff
            or n.marker = '666' and (g.is_vendor_staff or g.has_full_menu))
          and (a.is_owner or n.id = any (select unnest(r.node_ids) from roles r where r.id = a.role_id and r.enabled))))
      and not exists (select 1 from notice_preferences p where p.account_id = a.id and p.topic = about_topic and not p.enabled)
    order by a.id
    on conflict (account_id, once_key) do nothing
    returning account_id, created_at;
end $$;
--> statement-breakpoint
revoke execute on function notify_accounts(text, bigint[], bigint, text, text, text, text, text, text, jsonb, text) from public;
--> statement-breakpoint
grant execute on function notify_accounts(text, bigint[], bigint, text, text, text, text, text, text, jsonb, text) to partner_office_app;
