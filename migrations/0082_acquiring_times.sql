ALTER TABLE "acquiring_progress" ADD COLUMN "submitted_at" timestamptz(3);--> statement-breakpoint
ALTER TABLE "acquiring_progress" ADD COLUMN "refused_at" timestamptz(3);--> statement-breakpoint
ALTER TABLE "acquiring_progress" ADD COLUMN "opened_at" timestamptz(3);--> statement-breakpoint
ALTER TABLE "acquiring_progress" ADD COLUMN "paid_at" timestamptz(3);--> statement-breakpoint
CREATE INDEX "acquiring_progress_opened" ON "acquiring_progress" USING btree ("opened_at") WHERE opened_at is not null;--> statement-breakpoint
CREATE INDEX "acquiring_progress_agent_opened" ON "acquiring_progress" USING btree ("agent_id","opened_at") WHERE opened_at is not null;--> statement-breakpoint
CREATE INDEX "acquiring_progress_first_result" ON "acquiring_progress" USING btree (least(refused_at, opened_at)) WHERE least(refused_at, opened_at) is not null;--> statement-breakpoint
CREATE INDEX "acquiring_progress_agent_first_result" ON "acquiring_progress" USING btree ("agent_id",least(refused_at, opened_at)) WHERE least(refused_at, opened_at) is not null;--> statement-breakpoint
-- Keeps the first instants of a row as its step is kept, of what it is made of: each once, whatever comes after.
create function keep_progress_times() returns trigger language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  if new.kind = 'application' then
    select coalesce(new.submitted_at, a.submitted_at),
        coalesce(new.refused_at, case when a.review_state = 'rejected' then a.reviewed_at when a.state = 'rejected' then a.handled_at end),
        coalesce(new.opened_at, case when new.step = 'opened' then new.since end)
      into new.submitted_at, new.refused_at, new.opened_at
      from payment_applications a where a.id = new.source_id;
  elsif new.kind = 'acquirer' then
    select coalesce(new.submitted_at, a.submitted_at), coalesce(new.refused_at, case when a.approval_state = 'rejected' then a.handled_at end),
        coalesce(new.opened_at, a.handed_over_at)
      into new.submitted_at, new.refused_at, new.opened_at
      from acquirer_onboardings a where a.id = new.source_id;
  end if;
  return new;
end
$$;
--> statement-breakpoint
create function note_test_payment_progress() returns trigger language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  update acquiring_progress set paid_at = new.paid_at where kind = 'acquirer' and source_id = new.onboarding_id and paid_at is null;
  return null;
end
$$;
--> statement-breakpoint
revoke execute on function keep_progress_times(), note_test_payment_progress() from public;
--> statement-breakpoint
create trigger acquiring_progress_times before insert or update of step on acquiring_progress for each row execute function keep_progress_times();
--> statement-breakpoint
create constraint trigger acquirer_test_payments_progress after insert or update of paid_at on acquirer_test_payments
  deferrable initially deferred for each row when (new.paid_at is not null) execute function note_test_payment_progress();
--> statement-breakpoint
-- What there is already, as its features keep it now.
update acquiring_progress set step = step;
--> statement-breakpoint
update acquiring_progress p set refused_at = r.first
  from (select application_id, min(refused_at) as first from application_refusals group by application_id) r
  where p.kind = 'application' and p.source_id = r.application_id;
--> statement-breakpoint
update acquiring_progress p set paid_at = t.first
  from (select onboarding_id, min(paid_at) as first from acquirer_test_payments group by onboarding_id) t
  where p.kind = 'acquirer' and p.source_id = t.onboarding_id;
--> statement-breakpoint
-- What was handed in or refused more than once keeps its first time in the log alone.
update acquiring_progress p set submitted_at = coalesce(l.submitted, p.submitted_at), refused_at = coalesce(l.refused, p.refused_at)
  from (select o.id, min(g.created_at) filter (where g.title like '提交%') as submitted, min(g.created_at) filter (where g.title not like '提交%') as refused
    from acquiring_progress o
    join operation_logs g on g.merchant_id = o.merchant_id and g.outcome = 'done'
      and g.title in ('提交支付申请', '提交收单进件', '驳回收单进件', '登记渠道驳回')
      and case o.kind when 'application' then 'paymentApplication:' else 'acquirerOnboarding:' end || o.source_id = any (g.objects)
    group by o.id) l
  where l.id = p.id;
