ALTER TABLE "owner_papers" ADD COLUMN "trade_permit_id" bigint;--> statement-breakpoint
ALTER TABLE "owner_papers" ADD COLUMN "certificate_id" bigint;--> statement-breakpoint
ALTER TABLE "owner_papers" ADD CONSTRAINT "owner_papers_trade_permit_id_documents_id_fk" FOREIGN KEY ("trade_permit_id") REFERENCES "public"."documents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "owner_papers" ADD CONSTRAINT "owner_papers_certificate_id_documents_id_fk" FOREIGN KEY ("certificate_id") REFERENCES "public"."documents"("id") ON DELETE no action ON UPDATE no action;