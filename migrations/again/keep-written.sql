-- What is written down of prices, discounts, campaigns and levels stays: alone what has not begun may be withdrawn, once, or a price at
-- which nothing was sold, and a campaign ended early, once. Run whenever this text has changed: migrations/again.

-- Whether something was ordered by a part of an item since a moment, and paid. A quote keeps the price of when it was asked for.
create or replace function price_sold(of_book text, of_item bigint, of_part text, since timestamptz) returns boolean
language plpgsql stable security definer set search_path = public, pg_temp
as $$
begin
  if of_book = 'version' then
    return exists (select from version_orders where version_id = of_item and term = of_part and created_at >= since and paid_at is not null);
  elsif of_book = 'service' then
    return exists (select from service_orders where service_id = of_item and created_at >= since and paid_at is not null);
  elsif of_book = 'sms' then
    return exists (select from sms_orders where package_id = of_item and created_at >= since and paid_at is not null);
  elsif of_book = 'hardware' then
    return exists (select from hardware_order_lines l join hardware_orders o on o.id = l.order_id
      where l.product_id = of_item and o.created_at >= since);
  elsif of_part = 'token' then
    return exists (select from token_orders where created_at >= since and paid_at is not null);
  elsif of_part = 'pack' then
    return exists (select from sms_orders where recharge_package_id = of_item and created_at >= since and paid_at is not null);
  end if;
  return exists (select from sms_orders where kind = 'recharge' and recharge_package_id is null
    and created_at >= since and paid_at is not null);
end $$;

revoke execute on function price_sold(text, bigint, text, timestamptz) from public;

grant execute on function price_sold(text, bigint, text, timestamptz) to partner_office_app;

create or replace function keep_written() returns trigger language plpgsql
as $$
declare
  marks text[] := array['withdrawn_at', 'withdrawn_by_name', 'ended_at', 'ended_by_name'];
  was jsonb := to_jsonb(old);
begin
  if tg_op = 'DELETE' then
    raise exception '% are never deleted', tg_table_name;
  end if;
  if was - marks is distinct from to_jsonb(new) - marks or coalesce(was ->> 'withdrawn_at', was ->> 'ended_at') is not null then
    raise exception '% are never changed', tg_table_name;
  end if;
  if to_jsonb(new) ->> 'withdrawn_at' is not null and old.starts_at <= now() then
    if tg_table_name <> 'prices' then
      raise exception 'what has begun is not withdrawn';
    elsif price_sold(was ->> 'book', (was ->> 'item')::bigint, was ->> 'part', old.starts_at) then
      raise exception 'a price at which something was sold is not withdrawn';
    end if;
  end if;
  return new;
end $$;
