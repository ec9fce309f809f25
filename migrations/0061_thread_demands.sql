ALTER TABLE "demand_sources" ADD COLUMN "thread_id" bigint;--> statement-breakpoint
ALTER TABLE "demands" ADD COLUMN "merged_at" timestamptz(3);--> statement-breakpoint
ALTER TABLE "demands" ADD COLUMN "merged_by_name" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "demands" ADD COLUMN "merge_undo" jsonb;--> statement-breakpoint
ALTER TABLE "demand_sources" ADD CONSTRAINT "demand_sources_thread_id_threads_id_fk" FOREIGN KEY ("thread_id") REFERENCES "public"."threads"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "demand_sources_thread" ON "demand_sources" USING btree ("demand_id","thread_id") WHERE kind = 'thread';--> statement-breakpoint
CREATE INDEX "demand_sources_thread_id" ON "demand_sources" USING btree ("thread_id");--> statement-breakpoint
CREATE INDEX "demands_new" ON "demands" USING btree ("created_at","id") WHERE status = 'feedbacked' and deleted_at is null and merged_into_id is null;--> statement-breakpoint
CREATE INDEX "demands_open_deadline" ON "demands" USING btree ("deadline","id") WHERE status not in ('online', 'postponed', 'rejected') and deleted_at is null and merged_into_id is null;--> statement-breakpoint
CREATE INDEX "threads_waiting_agent" ON "threads" USING btree ("agent_id","waiting_since","id") WHERE desk = 'agent' and state = 'awaiting' and kind = 'shop';--> statement-breakpoint
CREATE INDEX "threads_waiting_vendor" ON "threads" USING btree ("waiting_since","id") WHERE desk = 'vendor' and state = 'awaiting' and kind = 'shop';