DROP INDEX "account_changes_open";--> statement-breakpoint
ALTER TABLE "account_changes" ALTER COLUMN "application_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "account_changes" ADD COLUMN "channel" text NOT NULL DEFAULT 'wechat';--> statement-breakpoint
ALTER TABLE "account_changes" ALTER COLUMN "channel" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "account_changes" ADD COLUMN "acquirer_onboarding_id" bigint;--> statement-breakpoint
ALTER TABLE "account_changes" RENAME COLUMN "sub_merchant_id" TO "merchant_code";--> statement-breakpoint
ALTER TABLE "account_changes" ADD COLUMN "document_id" bigint;--> statement-breakpoint
ALTER TABLE "account_changes" ADD COLUMN "request_no" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "account_changes" ADD CONSTRAINT "account_changes_acquirer_onboarding_id_acquirer_onboardings_id_fk" FOREIGN KEY ("acquirer_onboarding_id") REFERENCES "public"."acquirer_onboardings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_changes" ADD CONSTRAINT "account_changes_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_changes_acquirer_onboarding_id" ON "account_changes" USING btree ("acquirer_onboarding_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "account_changes_open" ON "account_changes" USING btree ("merchant_id","channel") WHERE state in ('waiting', 'unclear', 'auditing');--> statement-breakpoint
ALTER TABLE "account_changes" ADD CONSTRAINT "account_changes_of_one" CHECK (num_nonnulls(application_id, acquirer_onboarding_id) = 1);