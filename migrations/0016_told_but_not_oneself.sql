-- Whoever does something to an agent's money or shops need not be told of it. The function before it stays for programs that still run.
create function notify_accounts(trace text, to_accounts bigint[], to_agent bigint, to_vendor text, held_key text, about_topic text,
    with_title text, with_body text, with_link text, with_args jsonb, once text, except_account bigint)
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
revoke execute on function notify_accounts(text, bigint[], bigint, text, text, text, text, text, text, jsonb, text, bigint) from public;
--> statement-breakpoint
grant execute on function notify_accounts(text, bigint[], bigint, text, text, text, text, text, text, jsonb, text, bigint) to partner_office_app;
