CREATE TABLE "sms_uses" (
	"payer" text NOT NULL,
	"payer_id" bigint NOT NULL,
	"agent_id" bigint NOT NULL,
	"used" bigint NOT NULL,
	"counted_on" date NOT NULL,
	CONSTRAINT "sms_uses_payer_payer_id_agent_id_pk" PRIMARY KEY("payer","payer_id","agent_id")
);
--> statement-breakpoint
ALTER TABLE "consultations" ADD COLUMN "search_text" text GENERATED ALWAYS AS (lower(name || chr(31) || address)) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "sms_orders" ADD COLUMN "undone_by_name" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "sms_orders" ADD COLUMN "undone_reason" text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX "sms_uses_agent_id" ON "sms_uses" USING btree ("agent_id","payer","payer_id");--> statement-breakpoint
CREATE INDEX "sms_uses_counted_on" ON "sms_uses" USING btree ("counted_on");--> statement-breakpoint
CREATE INDEX "consultations_search" ON "consultations" USING gin (bigrams("search_text"));