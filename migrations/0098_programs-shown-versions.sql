ALTER TABLE "program_flows" ADD COLUMN "live_version" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "program_flows" ADD COLUMN "new_version" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "program_audits" ADD COLUMN "is_quiet" boolean DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE program_flows f SET
	live_version = concat_ws(' ', c.known #>> '{live,version}', nullif(c.known #>> '{live,description}', '')),
	new_version = CASE WHEN c.known #>> '{trial,version}' IS DISTINCT FROM c.known #>> '{live,version}'
		THEN concat_ws(' ', c.known #>> '{trial,version}', nullif(c.known #>> '{trial,description}', '')) ELSE '' END
FROM program_codes c WHERE c.application_id = f.application_id AND c.known IS NOT NULL;
