ALTER TABLE "accounts" ADD COLUMN "wechat" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "portrait_id" uuid;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "deleted_at" timestamptz(3);--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_portrait_id_files_id_fk" FOREIGN KEY ("portrait_id") REFERENCES "public"."files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "accounts_role_id" ON "accounts" USING btree ("role_id");--> statement-breakpoint
CREATE UNIQUE INDEX "roles_name" ON "roles" USING btree ("agent_id","name");--> statement-breakpoint
-- A role that changes applies to the sessions that are open; only a new password and disabling end them.
drop trigger accounts_end_sessions on accounts;
--> statement-breakpoint
create trigger accounts_end_sessions after update of enabled, password_hash on accounts for each row
  when (old.password_hash is distinct from new.password_hash or (old.enabled and not new.enabled))
  execute function end_sessions();
--> statement-breakpoint
-- Whether any agency's account has this login name: only yes or no leaves the other agencies' rows.
create function login_name_taken(wanted text, except_id bigint) returns boolean
language sql stable security definer set search_path = public, pg_temp
as $$ select exists (select 1 from accounts where login_name = wanted and id is distinct from except_id) $$;
--> statement-breakpoint
revoke execute on function login_name_taken(text, bigint) from public;
--> statement-breakpoint
grant execute on function login_name_taken(text, bigint) to partner_office_app;
