-- A page in the middle of all shops passed over half of them, one by one: by days it is found at once.
create index merchant_days_registered on merchant_days (day) include (agent_id, registered) where registered <> 0;--> statement-breakpoint
create index merchant_days_expiring on merchant_days (day) include (agent_id, expiring) where expiring <> 0;
--> statement-breakpoint
-- What is summed of orders that were taken back asks for their state, which the indexes of these orders did not have: each was read in the table.
drop index version_orders_undone_paid;--> statement-breakpoint
create index version_orders_undone_paid on version_orders (paid_at desc, id desc)
  include (agent_id, sales_type, status, total_cents, original_cents) where status = 'recycled';--> statement-breakpoint
drop index version_orders_all_recycled;--> statement-breakpoint
create index version_orders_all_recycled on version_orders (created_at desc nulls last, id desc nulls last)
  include (agent_id, status, total_cents) where status = 'recycled';--> statement-breakpoint
drop index version_orders_recycled;--> statement-breakpoint
create index version_orders_recycled on version_orders (agent_id, created_at desc nulls last, id desc nulls last)
  include (paid_at, sales_type, status, original_cents, total_cents) where status = 'recycled';
