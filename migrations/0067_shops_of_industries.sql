CREATE INDEX "merchants_industry" ON "merchants" USING btree ("industry_id","id");
--> statement-breakpoint
-- Groups that come with a configuration file: their numbers are passed.
grant update on sequence receipt_groups_id_seq to partner_office_app;
--> statement-breakpoint
-- The logo of a receipt is printed by the software of every agency's shops.
create policy receipt_logos on files for select using (purpose = 'receipt-logo');
