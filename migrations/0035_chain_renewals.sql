ALTER TABLE "version_orders" ADD COLUMN "shop_paid_fen" bigint;--> statement-breakpoint
ALTER TABLE "online_renewals" ADD COLUMN "scope" text DEFAULT 'head' NOT NULL;--> statement-breakpoint
CREATE INDEX "version_orders_shop_paid" ON "version_orders" USING btree ("agent_id") WHERE shop_paid_fen is not null;--> statement-breakpoint
select set_config('app.scope', 'all', true);
--> statement-breakpoint
update version_orders o set shop_paid_fen = r.amount_fen from online_renewals r where r.version_order_no = o.order_no;
