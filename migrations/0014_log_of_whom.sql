ALTER TABLE "operation_logs" ADD COLUMN "about_agent_id" bigint;--> statement-breakpoint
CREATE INDEX "operation_logs_about_agent_id" ON "operation_logs" USING btree ("about_agent_id","id" DESC NULLS LAST) WHERE "operation_logs"."about_agent_id" is not null;--> statement-breakpoint
-- What others do with an agent's data stands in its log too; nobody writes under another's name.
drop policy tenant on operation_logs;--> statement-breakpoint
create policy tenant on operation_logs
  using ((select sees_all()) or agent_id = (select acting_agent()) or about_agent_id = (select acting_agent()))
  with check ((select sees_all()) or agent_id = (select acting_agent()));--> statement-breakpoint
update operation_logs l set about_agent_id = m.agent_id from merchants m where m.id = l.merchant_id and m.agent_id <> l.agent_id;
