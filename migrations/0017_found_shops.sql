-- Shops of a place, of one agent and of all; codes are digits, so that a range of six finds a province, a city or a district.
create index merchants_region on merchants (agent_id, district_code);
--> statement-breakpoint
create index merchants_all_region on merchants (district_code, registered_at desc, id desc) include (agent_id);
--> statement-breakpoint
-- Whose verification failed or waits: few of all.
create index merchants_verification on merchants (verification_status, registered_at desc, id desc) include (agent_id)
  where verification_status in ('failed', 'reviewing');
--> statement-breakpoint
-- Shops that have as much SMS credit as is asked for.
create index ledger_accounts_shop_sms on ledger_accounts (balance, owner_id) where owner_kind = 'merchant' and asset = 'sms';
