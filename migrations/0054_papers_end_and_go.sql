DROP INDEX "documents_file_id";--> statement-breakpoint
DROP INDEX "documents_expires_on";--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "warned_days" integer;--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "erased_at" timestamptz(3);--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "erased_by" bigint;--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "erased_by_name" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "erase_reason" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "erased_file_id" uuid;--> statement-breakpoint
CREATE INDEX "documents_agent_expires_on" ON "documents" USING btree ("agent_id","expires_on","id");--> statement-breakpoint
CREATE UNIQUE INDEX "documents_file_id" ON "documents" USING btree ("file_id");--> statement-breakpoint
CREATE INDEX "documents_expires_on" ON "documents" USING btree ("expires_on","id");--> statement-breakpoint
alter table documents add constraint documents_erased_wholly check (state <> 'erased' or (file_id is null and facts is null and erased_at is not null));
--> statement-breakpoint
grant update (warned_days, erased_at, erased_by, erased_by_name, erase_reason, erased_file_id) on documents to partner_office_app;
--> statement-breakpoint
-- With the row of its file goes the key of the paper; the bytes, which nobody can read any more, follow behind the commit.
create function erase_document_file() returns trigger language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  delete from files where id = old.file_id;
  insert into removed_files (id, removed_at) select old.file_id, now() where old.file_id is not null on conflict do nothing;
  return null;
end $$;
--> statement-breakpoint
revoke execute on function erase_document_file() from public;
--> statement-breakpoint
create trigger documents_erase after update of state on documents
  for each row when (new.state = 'erased' and old.state <> 'erased') execute function erase_document_file();
