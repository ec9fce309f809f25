ALTER TABLE "acquirer_onboardings" ADD COLUMN "request_no" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "acquirer_onboardings" ADD COLUMN "application_id" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "acquirer_onboardings" ADD COLUMN "application_code" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "acquirer_onboardings" ADD COLUMN "service_message" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "acquirer_onboardings" ADD COLUMN "asked_at" timestamptz(3);--> statement-breakpoint
ALTER TABLE "acquirer_onboardings" ADD COLUMN "claim" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "acquirer_onboardings" ADD COLUMN "tries" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "acquirer_onboardings" ADD COLUMN "next_at" timestamptz(3);--> statement-breakpoint
CREATE INDEX "acquirer_onboardings_next" ON "acquirer_onboardings" USING btree ("next_at","id") WHERE next_at is not null;