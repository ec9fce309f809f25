CREATE TABLE "removed_files" (
	"id" uuid PRIMARY KEY NOT NULL,
	"removed_at" timestamptz(3) NOT NULL
);
--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "sealed_key" "bytea";--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "plain_remains" boolean DEFAULT false NOT NULL;