-- What an agent charged for an order is kept with it: a list of margins looked each price up anew, for each of hundreds of thousands.
ALTER TABLE "version_orders" ADD COLUMN "selling_fen" bigint;--> statement-breakpoint

-- The price of its version and term, of its shop or else of all, that stood when it was paid, times what was bought: an original price is a
-- whole number of units. Null where none was set.
create function selling_fen_of(sold version_orders) returns bigint language sql stable security definer set search_path = public, pg_temp
as $$
  select (case sold.term when 'year' then p.year_fen when 'month' then p.month_fen else p.lifetime_fen end)
    * (sold.original_cents / nullif(sold.unit_cents, 0))
  from selling_prices p
  where p.agent_id = sold.agent_id and p.version_id = sold.version_id and (p.merchant_id = sold.merchant_id or p.merchant_id is null)
    and p.created_at <= sold.paid_at and (p.ended_at is null or p.ended_at > sold.paid_at)
    and (case sold.term when 'year' then p.year_fen when 'month' then p.month_fen else p.lifetime_fen end) is not null
  order by p.merchant_id nulls last, p.created_at desc limit 1
$$;--> statement-breakpoint
revoke execute on function selling_fen_of(version_orders) from public;--> statement-breakpoint

create function keep_selling_fen() returns trigger language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  new.selling_fen := selling_fen_of(new);
  return new;
end $$;--> statement-breakpoint
revoke execute on function keep_selling_fen() from public;--> statement-breakpoint
create trigger keep_selling_fen before insert or update of paid_at on version_orders for each row
  when (new.paid_at is not null) execute function keep_selling_fen();--> statement-breakpoint

-- An order that was paid at the very moment at which its price was set, or ended, has the price of then all the same.
create function keep_selling_fen_since() returns trigger language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  update version_orders o set selling_fen = selling_fen_of(o)
    where o.agent_id = new.agent_id and o.version_id = new.version_id
      and o.paid_at >= case tg_op when 'INSERT' then new.created_at else coalesce(new.ended_at, new.created_at) end
      and (new.merchant_id is null or o.merchant_id = new.merchant_id);
  return null;
end $$;--> statement-breakpoint
revoke execute on function keep_selling_fen_since() from public;--> statement-breakpoint
create trigger keep_selling_fen_since after insert or update on selling_prices for each row
  execute function keep_selling_fen_since();--> statement-breakpoint

alter table version_orders disable trigger user;--> statement-breakpoint
update version_orders o set selling_fen = selling_fen_of(o)
  where o.paid_at is not null and o.agent_id in (select agent_id from selling_prices);--> statement-breakpoint
alter table version_orders enable trigger user;--> statement-breakpoint

drop index version_orders_agent_paid;--> statement-breakpoint
create index version_orders_agent_paid on version_orders (agent_id, paid_at desc, id desc)
  include (sales_type, status, version_id, pay_method, created_by, total_cents, original_cents, selling_fen, shop_paid_fen)
  where paid_at is not null;--> statement-breakpoint
create index version_orders_sold on version_orders (agent_id, paid_at desc, id desc)
  include (status, total_cents, selling_fen, shop_paid_fen)
  where selling_fen is not null or shop_paid_fen is not null;--> statement-breakpoint
DROP INDEX "version_orders_shop_paid";--> statement-breakpoint
-- Few are taken back, and found among all that are not.
create index version_orders_recycled on version_orders (agent_id, created_at desc nulls last, id desc nulls last)
  include (paid_at, sales_type, original_cents, total_cents) where status = 'recycled';--> statement-breakpoint
create index version_orders_all_recycled on version_orders (created_at desc nulls last, id desc nulls last)
  include (agent_id, total_cents) where status = 'recycled';--> statement-breakpoint
-- Some methods few shops have, or none.
create index merchants_payment_method on merchants (payment_method_id, registered_at desc, id desc)
  include (agent_id) where payment_method_id is not null;
