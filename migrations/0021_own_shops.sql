ALTER TABLE "accounts" ADD COLUMN "data_scope" text DEFAULT 'all' NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "viewed_by" bigint;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "viewed_from" bigint;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_viewed_by_accounts_id_fk" FOREIGN KEY ("viewed_by") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_viewed_from_sessions_id_fk" FOREIGN KEY ("viewed_from") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sessions_viewed_from" ON "sessions" USING btree ("viewed_from");--> statement-breakpoint
-- Whoever owns an agency sees all of it.
alter table accounts add constraint accounts_data_scope check (data_scope = 'all' or (data_scope = 'own' and not is_owner));--> statement-breakpoint
-- Which shops somebody sees changes at once for the sessions that are open; it ends none.
drop trigger accounts_change on accounts;--> statement-breakpoint
create trigger accounts_change after update of enabled, password_hash, role_id, agent_id, name, mobile, data_scope on accounts
  for each statement execute function notify_access_changed();
