-- Whose session is over is told by its account, so that nobody else is asked for anew: every sign-in ends the session that it replaces.
-- A statement that ends none tells nothing. What one notification cannot hold says nothing, which stands for everybody.
create function notify_sessions_ended() returns trigger language plpgsql
as $$
declare
  named text := (select string_agg(distinct account_id::text, ',') from ended);
begin
  if named is not null then
    perform pg_notify('access_changed', case when length(named) < 7500 then named else '' end);
  end if;
  return null;
end $$;
--> statement-breakpoint
drop trigger sessions_end on sessions;
--> statement-breakpoint
create trigger sessions_end after delete on sessions referencing old table as ended
  for each statement execute function notify_sessions_ended();
