-- Months of the operation log that left it: where their files lie, and what they are sealed with.
CREATE TABLE "operation_log_archives" (
	"number" bigint PRIMARY KEY NOT NULL,
	"month" text NOT NULL,
	"rows" bigint NOT NULL,
	"digest" text NOT NULL,
	"file" text NOT NULL,
	"file_key" "bytea",
	"archived_at" timestamptz(3) NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "operation_log_archives_month" ON "operation_log_archives" USING btree ("month");