ALTER TABLE "price_campaigns" ADD COLUMN "bonus_pieces" integer;--> statement-breakpoint
ALTER TABLE "services" ADD COLUMN "renewable" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "services" ADD COLUMN "renew_until" timestamptz(3);
--> statement-breakpoint
-- What was retired before nobody could renew, and nobody can.
update services set renewable = enabled where parent_id is not null;
--> statement-breakpoint
-- A campaign gives one of four; pieces of SMS go with packages alone.
alter table price_campaigns drop constraint price_campaigns_one;
--> statement-breakpoint
alter table price_campaigns add constraint price_campaigns_one check (
  num_nonnulls(basis_points, cents, bonus_basis_points, bonus_pieces) = 1
  and basis_points between 0 and 10000 and cents >= 0 and bonus_basis_points between 1 and 10000 and ends_at > starts_at
  and (bonus_pieces is null or bonus_pieces between 1 and 1000000 and book = 'recharge' and part = 'pack'));
