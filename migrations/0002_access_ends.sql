-- A changed password or role, and a disabled account or agent, end the sessions that were open, whoever made the change.
create function end_sessions() returns trigger language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  if tg_table_name = 'agents' then
    delete from sessions where agent_id = new.id;
  else
    delete from sessions where account_id = new.id;
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger accounts_end_sessions after update of enabled, password_hash, role_id on accounts for each row
  when (old.password_hash is distinct from new.password_hash or old.role_id is distinct from new.role_id
    or (old.enabled and not new.enabled))
  execute function end_sessions();
--> statement-breakpoint
create trigger agents_end_sessions after update of enabled on agents for each row
  when (old.enabled and not new.enabled) execute function end_sessions();
--> statement-breakpoint
revoke execute on function end_sessions() from public;
--> statement-breakpoint
-- What is offered to all (agent 0) is everyone's to read; who else is offered what is that agent's own matter.
alter table agent_payment_methods enable row level security;
--> statement-breakpoint
create policy tenant on agent_payment_methods
  using ((select sees_all()) or agent_id in (0, (select acting_agent()))) with check ((select sees_all()));
