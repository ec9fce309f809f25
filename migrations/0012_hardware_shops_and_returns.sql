ALTER TABLE "hardware_orders" ADD COLUMN "merchant_id" bigint;--> statement-breakpoint
ALTER TABLE "hardware_orders" ADD COLUMN "return_condition" text;--> statement-breakpoint
ALTER TABLE "hardware_orders" ADD CONSTRAINT "hardware_orders_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "hardware_orders_merchant_id" ON "hardware_orders" USING btree ("merchant_id","id");--> statement-breakpoint
-- Until now what was cancelled before it was sent was kept as returned, and whatever came back went on sale again.
update hardware_orders set delivery_status = 'cancelled' where delivery_status = 'returned' and shipped_at is null;--> statement-breakpoint
update hardware_orders set return_condition = 'sound' where delivery_status = 'returned';
