ALTER TABLE "feedback_messages" ADD COLUMN "phone" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "feedback_messages" ADD COLUMN "picture_id" uuid;--> statement-breakpoint
ALTER TABLE "feedback_messages" ADD COLUMN "search_text" text GENERATED ALWAYS AS (lower(content || chr(31) || created_by_name || chr(31) || phone)) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "feedback_messages" ADD CONSTRAINT "feedback_messages_picture_id_files_id_fk" FOREIGN KEY ("picture_id") REFERENCES "public"."files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "feedback_messages_state" ON "feedback_messages" USING btree ("state","created_at","id");--> statement-breakpoint
CREATE INDEX "feedback_messages_search" ON "feedback_messages" USING gin (bigrams("search_text"));--> statement-breakpoint
-- Of feedback from before it was kept.
update feedback_messages set phone = a.mobile from accounts a where a.id = feedback_messages.account_id;
