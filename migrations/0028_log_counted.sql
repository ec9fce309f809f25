DROP INDEX "operation_logs_agent_id";--> statement-breakpoint
DROP INDEX "operation_logs_about_agent_id";--> statement-breakpoint
CREATE INDEX "operation_logs_agent_id" ON "operation_logs" USING btree ("agent_id","created_at","id","about_agent_id");--> statement-breakpoint
CREATE INDEX "operation_logs_about_agent_id" ON "operation_logs" USING btree ("about_agent_id","created_at","id","agent_id") WHERE "operation_logs"."about_agent_id" is not null;