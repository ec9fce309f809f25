CREATE INDEX "payment_refunds_agent_id" ON "payment_refunds" USING btree ("agent_id","created_at","id");--> statement-breakpoint
CREATE INDEX "payment_refunds_created_at" ON "payment_refunds" USING btree ("created_at","id");--> statement-breakpoint
-- A number is found by its last eight characters, of these kinds too.
create index token_orders_tail on token_orders (right(order_no, 8));
--> statement-breakpoint
create index renewal_batches_tail on renewal_batches (right(batch_no, 8));
