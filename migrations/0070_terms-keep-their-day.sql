ALTER TABLE "merchants" ADD COLUMN "term_day" integer;--> statement-breakpoint
ALTER TABLE "version_order_effects" ADD COLUMN "term_day_before" integer;--> statement-breakpoint
ALTER TABLE "version_order_effects" ADD COLUMN "term_day_after" integer;--> statement-breakpoint
ALTER TABLE "merchant_services" ADD COLUMN "term_day" integer;--> statement-breakpoint
ALTER TABLE "service_orders" ADD COLUMN "term_day_before" integer;--> statement-breakpoint
-- Terms of before: one that ends on the last day of a month too short for its day has the day on which it began, or that of the end
-- before it, where either is later. A change of version brought converted days, so that its day says nothing. All others have the day
-- of their end, which no day says as well.
with ends as (
  select id, registered_at, (expires_at at time zone 'Asia/Shanghai')::date as day from merchants where expires_at is not null),
short as (
  select id, registered_at, extract(day from day)::int as day from ends
  where day = (date_trunc('month', day) + interval '1 month')::date - 1 and extract(day from day) < 31),
bought as (
  select e.id, e.merchant_id, e.expires_before, o.paid_at, e.version_before <> e.version_after as changed,
    coalesce(e.expires_before <= o.paid_at, true) or e.version_before <> e.version_after as begins
  from short join version_order_effects e on e.merchant_id = short.id join version_orders o on o.id = e.order_id
  where o.status = 'paid' and e.expires_after is distinct from e.expires_before),
days as (
  select short.id, short.day, greatest(
    extract(day from coalesce(begun.at, case when begun.id is null then short.registered_at end) at time zone 'Asia/Shanghai'),
    extract(day from last.expires_before at time zone 'Asia/Shanghai'))::int as kept
  from short
    left join lateral (select id, case when not changed then paid_at end as at from bought
      where bought.merchant_id = short.id and begins order by id desc limit 1) begun on true
    left join lateral (select case when not begins then expires_before end as expires_before from bought
      where bought.merchant_id = short.id order by id desc limit 1) last on true)
update merchants set term_day = days.kept from days where merchants.id = days.id and days.kept > days.day;
--> statement-breakpoint
update merchant_services set term_day = 29
where to_char(expires_at at time zone 'Asia/Shanghai', 'MM-DD') = '02-28' and exists (
  select from service_orders o
  where o.merchant_id = merchant_services.merchant_id and o.service_id = merchant_services.service_id and o.state = 'completed'
    and '02-29' in (to_char(o.paid_at at time zone 'Asia/Shanghai', 'MM-DD'), to_char(o.expires_before at time zone 'Asia/Shanghai', 'MM-DD')));
