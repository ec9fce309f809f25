CREATE INDEX "merchants_industry" ON "merchants" USING btree ("industry_id","id");
--> statement-breakpoint
-- Groups that come with a configuration file: their numbers are passed.
grant update on sequence receipt_groups_id_seq to partner_office_app;
