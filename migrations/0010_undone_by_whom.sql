ALTER TABLE "version_orders" ADD COLUMN "undone_by_name" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "version_orders" ADD COLUMN "undone_reason" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "service_orders" ADD COLUMN "undone_by_name" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "service_orders" ADD COLUMN "undone_reason" text DEFAULT '' NOT NULL;--> statement-breakpoint
-- Of orders that were undone before it was kept, the account and the ledger know it.
update version_orders set undone_by_name = a.name from accounts a where a.id = version_orders.undone_by;--> statement-breakpoint
update service_orders set undone_by_name = a.name from accounts a where a.id = service_orders.undone_by;--> statement-breakpoint
update version_orders o set undone_reason = t.remark from ledger_transfers t
  where o.undone_at is not null and t.document = o.order_no and t.reverses_id is not null;--> statement-breakpoint
update service_orders o set undone_reason = t.remark from ledger_transfers t
  where o.undone_at is not null and t.document = o.order_no and t.reverses_id is not null;
