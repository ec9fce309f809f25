CREATE INDEX "undo_requests_order_no" ON "undo_requests" USING btree ("order_no");--> statement-breakpoint
-- Without conditions of their own its parts are found by the number, each through its index.
-- What the orders behind the ledger's documents say of themselves, each under its own table's policy.
create view document_facts with (security_invoker = true) as
  select o.order_no, o.original_cents as price_cents, o.remark as order_remark,
    (select a.name from accounts a where a.id = o.created_by) as ordered_by_name,
    (select r.requested_by_name from undo_requests r where r.order_no = o.order_no and r.state = 'approved' order by r.id desc limit 1)
      as undo_asked_by_name
  from version_orders o
  union all
  select o.order_no, o.original_cents, o.remark, o.created_by_name,
    (select r.requested_by_name from undo_requests r where r.order_no = o.order_no and r.state = 'approved' order by r.id desc limit 1)
  from service_orders o
  union all
  select o.order_no, case when o.kind <> 'recharge' then o.original_cents end, o.remark, o.created_by_name,
    (select r.requested_by_name from undo_requests r where r.order_no = o.order_no and r.state = 'approved' order by r.id desc limit 1)
  from sms_orders o
  union all
  select o.order_no, o.total_cents, o.remark, o.created_by_name, null from hardware_orders o;--> statement-breakpoint
grant select on document_facts to partner_office_app;
