-- Writes one notice for each account that it is meant for and answers whom to push it to: by id, of an agent, of the operator or
-- the vendor's staff, where it holds the permission, but for whoever did it; of a shop those alone who see it. One that has switched
-- the topic off has it as read. Run whenever this text has changed: migrations/again.
drop function if exists notify_accounts(text, bigint[], bigint, text, text, text, text, text, text, jsonb, text);
drop function if exists notify_accounts(text, bigint[], bigint, text, text, text, text, text, text, jsonb, text, bigint);

create or replace function notify_accounts(trace text, to_accounts bigint[], to_agent bigint, to_vendor text, held_key text, about_topic text,
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

revoke execute on function notify_accounts(text, bigint[], bigint, text, text, text, text, text, text, jsonb, text, bigint, bigint) from public;
grant execute on function notify_accounts(text, bigint[], bigint, text, text, text, text, text, text, jsonb, text, bigint, bigint) to partner_office_app;
