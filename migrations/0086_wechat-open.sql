CREATE TABLE "platform_credentials" (
	"key" text PRIMARY KEY NOT NULL,
	"sealed" "bytea",
	"version" bigint DEFAULT 0 NOT NULL,
	"holder" text,
	"claimed_until" timestamptz(3),
	"changed_at" timestamptz(3) NOT NULL
);
--> statement-breakpoint
CREATE TABLE "platform_events" (
	"event_id" text PRIMARY KEY NOT NULL,
	"appid" text,
	"kind" text NOT NULL,
	"sealed" "bytea" NOT NULL,
	"times" integer DEFAULT 1 NOT NULL,
	"happened_at" timestamptz(3) NOT NULL,
	"received_at" timestamptz(3) NOT NULL
);
--> statement-breakpoint
CREATE INDEX "platform_events_appid" ON "platform_events" USING btree ("appid","happened_at");--> statement-breakpoint
grant select, insert, update on platform_credentials, platform_events to partner_office_app;
