-- Links of the operation log's chains stand beside its rows, and are made behind the commit that wrote them: docs/decisions/0080. What
-- was chained so far keeps its place and its hash.
CREATE TABLE "operation_log_waiting" (
	"transaction" "xid8" NOT NULL,
	"id" bigint NOT NULL,
	"agent_id" bigint NOT NULL,
	"created_at" timestamptz(3) NOT NULL,
	"row_hash" "bytea" NOT NULL,
	"altered" boolean DEFAULT false NOT NULL,
	CONSTRAINT "operation_log_waiting_transaction_id_pk" PRIMARY KEY("transaction","id")
);
--> statement-breakpoint
CREATE TABLE "operation_log_links" (
	"agent_id" bigint NOT NULL,
	"sequence" bigint NOT NULL,
	"id" bigint NOT NULL,
	"hash" "bytea" NOT NULL,
	"created_at" timestamptz(3) NOT NULL,
	CONSTRAINT "operation_log_links_agent_id_sequence_created_at_pk" PRIMARY KEY("agent_id","sequence","created_at")
) partition by range ("created_at");
--> statement-breakpoint
do $$
declare
  month record;
begin
  for month in
    select to_date(substr(c.relname, 4), 'YYYY_MM') as starts, 'links_' || c.relname as called
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'operation_logs'::regclass and c.relnamespace = 'operation_log_months'::regnamespace
  loop
    execute format('create table operation_log_months.%I partition of operation_log_links for values from (%L) to (%L)',
      month.called, month.starts || ' 00:00:00+00', (month.starts + interval '1 month')::date || ' 00:00:00+00');
  end loop;
end $$;--> statement-breakpoint
insert into operation_log_links (agent_id, sequence, id, hash, created_at)
  select agent_id, sequence, id, hash, created_at from operation_logs;--> statement-breakpoint
CREATE INDEX "operation_log_links_id" ON "operation_log_links" USING btree ("id");--> statement-breakpoint
DROP INDEX "operation_logs_chain";--> statement-breakpoint
drop function operation_log_hash(bytea, operation_logs);--> statement-breakpoint
ALTER TABLE "operation_logs" DROP COLUMN "sequence";--> statement-breakpoint
ALTER TABLE "operation_logs" DROP COLUMN "hash";
