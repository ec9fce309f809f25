ALTER TABLE "factor_failures" ADD COLUMN "kind" text DEFAULT 'code' NOT NULL;--> statement-breakpoint
ALTER TABLE "factor_failures" ADD COLUMN "digest" "bytea";