ALTER TABLE "approval_requests" ADD COLUMN "approved_by" bigint;--> statement-breakpoint
ALTER TABLE "approval_requests" ADD COLUMN "approved_by_name" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "approval_requests" ADD COLUMN "approved_at" timestamptz(3);--> statement-breakpoint
ALTER TABLE "approval_requests" ADD COLUMN "service_answer" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "verifications" ADD COLUMN "explanations" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "verifications" ADD COLUMN "answers" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
grant update (approved_by, approved_by_name, approved_at, service_answer) on approval_requests to partner_office_app;--> statement-breakpoint
-- What staff approved and a service decided named the service alone; who had let it pass stands in the log.
update approval_requests r set approved_by = l.account_id, approved_by_name = l.account_name, approved_at = l.created_at
  from (select distinct on (o.object) o.object, g.account_id, g.account_name, g.created_at
    from operation_logs g cross join unnest(g.objects) o(object)
    where g.title = '通过审批申请' and o.object like 'approval:%' and g.outcome = 'done'
    order by o.object, g.id desc) l
  where r.state in ('approved', 'reviewing') and l.object = 'approval:' || r.id;
