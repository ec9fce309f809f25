ALTER TABLE "acquirer_test_payments" ADD COLUMN "settle_reason" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "acquirer_test_payments" ADD COLUMN "settled_by" bigint;--> statement-breakpoint
ALTER TABLE "acquirer_test_payments" ADD COLUMN "settled_by_name" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "acquirer_test_payments" ADD COLUMN "settled_at" timestamptz(3);--> statement-breakpoint
ALTER TABLE "acquirer_test_payments" ADD COLUMN "checked_by_name" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "acquirer_test_payments" ADD COLUMN "checked_at" timestamptz(3);