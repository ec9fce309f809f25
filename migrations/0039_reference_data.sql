CREATE TABLE "reasons" (
	"id" integer PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"position" integer NOT NULL,
	"retired_at" timestamptz(3)
);
--> statement-breakpoint
CREATE TABLE "removed_rows" (
	"table_name" text NOT NULL,
	"row_id" text NOT NULL,
	"removed_at" timestamptz(3) NOT NULL,
	CONSTRAINT "removed_rows_table_name_row_id_pk" PRIMARY KEY("table_name","row_id")
);
--> statement-breakpoint
ALTER TABLE "industries" ADD COLUMN "retired_at" timestamptz(3);--> statement-breakpoint
ALTER TABLE "payment_methods" ADD COLUMN "retired_at" timestamptz(3);--> statement-breakpoint
CREATE INDEX "reasons_kind" ON "reasons" USING btree ("kind","position");
--> statement-breakpoint
-- What the operator edits. The program itself keeps rows that are named from going.
grant select, insert, update, delete on reasons to partner_office_app;
--> statement-breakpoint
grant insert, update, delete on industries, payment_methods to partner_office_app;
--> statement-breakpoint
grant insert, update on sms_templates to partner_office_app;
--> statement-breakpoint
grant select, insert, delete on removed_rows to partner_office_app;
--> statement-breakpoint
-- A configuration file brings rows of these; nothing takes one away.
grant insert, update on agent_levels, versions, services, sms_packages, content_items to partner_office_app;
--> statement-breakpoint
grant update on sequence content_items_id_seq to partner_office_app;
--> statement-breakpoint
-- Every instance hears when something is set.
create function tell_settings() returns trigger language plpgsql as $$
begin
  perform pg_notify('settings_changed', '');
  return null;
end $$;
--> statement-breakpoint
create trigger office_settings_changed after insert or update or delete on office_settings
  for each statement execute function tell_settings();
