-- What moves a shop's SMS credit, but for its messages: told with the balance that the movement leaves. The ledger has locked the
-- accounts and has not written their entries yet.
create function note_sms_moved() returns trigger language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  insert into change_inbox (merchant_id, agent_id, topic, data, at)
    select a.owner_id, a.agent_id, 'shop.sms.changed', jsonb_build_object('balance',
        a.balance + case a.id when new.to_account_id then new.amount else -new.amount end), clock_timestamp()
    from ledger_accounts a
    where a.id in (new.from_account_id, new.to_account_id) and a.owner_kind = 'merchant'
    order by a.id;
  return null;
end $$;
--> statement-breakpoint
create trigger ledger_transfers_noted after insert on ledger_transfers for each row
  when (new.asset = 'sms' and new.kind not in ('sms-send', 'sms-send-return')) execute function note_sms_moved();
--> statement-breakpoint
-- To each agency with shops of it, what a version is called and contains.
create function note_version() returns trigger language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  changed integer[] := array[new.id];
begin
  if tg_table_name = 'version_functions' then
    select array_agg(id) into changed from versions where new.id = any (function_ids);
  end if;
  insert into change_inbox (merchant_id, agent_id, topic, data, at)
    select null, told.agent_id, 'version.changed', jsonb_build_object('versionId', told.version_id), clock_timestamp()
    from (select distinct agent_id, version_id from merchants where version_id = any (changed)) as told
    order by told.agent_id, told.version_id;
  return null;
end $$;
--> statement-breakpoint
create trigger versions_noted after update of name, code, function_ids on versions for each row
  when ((old.name, old.code, old.function_ids) is distinct from (new.name, new.code, new.function_ids))
  execute function note_version();
--> statement-breakpoint
create trigger version_functions_noted after update of name, enabled on version_functions for each row
  when ((old.name, old.enabled) is distinct from (new.name, new.enabled)) execute function note_version();
--> statement-breakpoint
revoke execute on function note_sms_moved(), note_version() from public;
