-- The same as stepOfOwner in features/acquiring/acquiring-progress/rules.ts; null: nothing is with the owner.
create function progress_of_owner(owner text) returns text language sql immutable parallel safe
as $$ select case when owner in ('draft', 'returned') then 'ownerFilling' when owner = 'submitted' then 'ownerSubmitted' end $$;
--> statement-breakpoint
-- Of these shops: one row for a shop whose owner has a link that stands, as long as there is no application, which has a row of its own.
-- Another link in the place of one that stood is no step.
create function keep_owner_progress(of_shops bigint[]) returns void language sql security definer set search_path = public, pg_temp
as $$
  delete from acquiring_progress p where p.kind = 'owner' and p.source_id = any (of_shops)
    and (exists (select from payment_applications a where a.merchant_id = p.merchant_id)
      or not exists (select from owner_papers l where l.merchant_id = p.merchant_id and l.ended_at is null and progress_of_owner(l.state) is not null));
  select keep_progress('owner', l.merchant_id, l.agent_id, l.merchant_id, 'service', progress_of_owner(l.state),
    greatest(l.created_at, l.submitted_at, l.handled_at), '')
  from owner_papers l
  where l.merchant_id = any (of_shops) and l.ended_at is null and progress_of_owner(l.state) is not null
    and not exists (select from payment_applications a where a.merchant_id = l.merchant_id)
$$;
--> statement-breakpoint
create or replace function note_application_progress() returns trigger language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  perform keep_application_progress(array[new.id]);
  if tg_op = 'INSERT' then perform keep_owner_progress(array[new.merchant_id]); end if;
  return null;
end $$;
--> statement-breakpoint
create or replace function note_owner_progress() returns trigger language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  perform keep_application_progress(array(select id from payment_applications where merchant_id = new.merchant_id and review_state is distinct from 'accepted'));
  perform keep_owner_progress(array[new.merchant_id]);
  return null;
end $$;
--> statement-breakpoint
revoke execute on function keep_owner_progress(bigint[]) from public;
--> statement-breakpoint
drop trigger owner_papers_progress on owner_papers;
--> statement-breakpoint
create constraint trigger owner_papers_progress after insert or update of agent_id, state, ended_at on owner_papers
  deferrable initially deferred for each row execute function note_owner_progress();
--> statement-breakpoint
-- What there is already.
select keep_owner_progress(array(select distinct merchant_id from owner_papers where ended_at is null));
