ALTER TABLE "sessions" ADD COLUMN "device_hash" "bytea";--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "former_hash" "bytea";--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "former_until" timestamptz(3);--> statement-breakpoint
ALTER TABLE "factor_proofs" ADD COLUMN "by_password" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD COLUMN "salt" "bytea";--> statement-breakpoint
CREATE INDEX "sessions_former_hash" ON "sessions" USING btree ("former_hash");