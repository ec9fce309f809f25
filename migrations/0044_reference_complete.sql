CREATE TABLE "manager_labels" (
	"id" integer PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"position" integer NOT NULL,
	"retired_at" timestamptz(3)
);
--> statement-breakpoint
CREATE TABLE "notice_texts" (
	"key" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"title" text NOT NULL,
	"body" text NOT NULL,
	"variables" jsonb NOT NULL,
	"position" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "business_days" (
	"day" date PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "region_changes" (
	"code" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"retired_at" timestamptz(3)
);
--> statement-breakpoint
CREATE TABLE "region_edition" (
	"id" integer PRIMARY KEY NOT NULL,
	"source" text NOT NULL,
	"revision" bigint NOT NULL,
	"changed_at" timestamptz(3) NOT NULL,
	"changed_by_name" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "label_id" integer;--> statement-breakpoint
ALTER TABLE "partner_applications" ADD COLUMN "due_on" date;--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_label_id_manager_labels_id_fk" FOREIGN KEY ("label_id") REFERENCES "public"."manager_labels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "accounts_label_id" ON "accounts" USING btree ("label_id");
--> statement-breakpoint
-- What the operator edits, and what everybody reads of it.
grant select, insert, update, delete on manager_labels, business_days to partner_office_app;
--> statement-breakpoint
grant select, insert, update on notice_texts to partner_office_app;
--> statement-breakpoint
grant select, insert, update, delete on region_changes to partner_office_app;
--> statement-breakpoint
grant select, insert, update on region_edition to partner_office_app;
--> statement-breakpoint
-- A configuration file brings rows of these; nothing takes one away.
grant select, insert, update on sms_recharge_packages, hardware_products, version_adjustments, agent_pay_channels to partner_office_app;
--> statement-breakpoint
grant insert on agent_payment_methods to partner_office_app;
--> statement-breakpoint
grant update on sequence hardware_products_id_seq to partner_office_app;
--> statement-breakpoint
-- Without a partner nobody has bought anything: a configuration file may say since when prices hold.
create function is_new_office() returns boolean language sql stable security definer set search_path = public, pg_temp as $$
  select not exists (select 1 from agents where not is_operator and not is_vendor_staff)
$$;
--> statement-breakpoint
create policy new_office on prices for insert with check ((select sees_all()) and (select is_new_office()));
--> statement-breakpoint
create policy new_office on discounts for insert with check ((select sees_all()) and (select is_new_office()));
--> statement-breakpoint
create policy new_office on price_campaigns for insert with check ((select sees_all()) and (select is_new_office()));
