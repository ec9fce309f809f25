-- What was sent a moment ago, to any process or instance. Not logged: it counts for seconds, and what a crash forgets it may.
CREATE UNLOGGED TABLE "compat_acts" (
	"digest" text PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"begun_at" timestamptz(3) NOT NULL
);
--> statement-breakpoint
grant select, insert, update on compat_acts to partner_office_app;
