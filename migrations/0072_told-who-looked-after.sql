ALTER TABLE "change_inbox" ADD COLUMN "manager_id" bigint;--> statement-breakpoint
ALTER TABLE "shop_changes" ADD COLUMN "manager_id" bigint;