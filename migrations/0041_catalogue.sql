CREATE TABLE "version_functions" (
	"id" integer PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"remark" text DEFAULT '' NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"position" integer NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "version_sellers" (
	"version_id" integer NOT NULL,
	"agent_id" bigint NOT NULL,
	CONSTRAINT "version_sellers_version_id_agent_id_pk" PRIMARY KEY("version_id","agent_id")
);
--> statement-breakpoint
ALTER TABLE "version_adjustments" ADD COLUMN "enabled" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "versions" ADD COLUMN "offered_on_change" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "versions" ADD COLUMN "renewable" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "versions" ADD COLUMN "renew_until" timestamptz(3);--> statement-breakpoint
ALTER TABLE "versions" ADD COLUMN "sellers" text DEFAULT 'all' NOT NULL;--> statement-breakpoint
ALTER TABLE "versions" ADD COLUMN "function_ids" integer[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "versions" ADD COLUMN "revision" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "version_sellers" ADD CONSTRAINT "version_sellers_version_id_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."versions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "version_sellers" ADD CONSTRAINT "version_sellers_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "version_sellers_agent_id" ON "version_sellers" USING btree ("agent_id");--> statement-breakpoint
CREATE INDEX "merchants_version_id" ON "merchants" USING btree ("version_id","agent_id","expires_at");
--> statement-breakpoint
-- What was not sold any more could not be renewed either.
update versions set renewable = false where not enabled;
--> statement-breakpoint
-- An agent reads of itself alone whether a version names it.
alter table version_sellers enable row level security;
--> statement-breakpoint
create policy tenant on version_sellers using ((select sees_all()) or agent_id = (select acting_agent()));
--> statement-breakpoint
grant select, insert, delete on version_sellers to partner_office_app;
--> statement-breakpoint
grant select, insert, update on version_functions to partner_office_app;
--> statement-breakpoint
grant insert, update on versions, version_adjustments to partner_office_app;
