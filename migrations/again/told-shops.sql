-- What programs at the point of sale are told of a shop that changed, and the numbers that all they are told of is given. Run whenever
-- this text has changed: migrations/again. The triggers and what else they tell stand where they were written.

-- Each field of a shop that such a program reads is named where it changes, or has a topic of its own: server-told.test.ts asks.
create or replace function note_changed_merchants() returns trigger language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  insert into change_inbox (merchant_id, agent_id, topic, data, at)
    select noted.merchant_id, noted.agent_id, noted.topic, noted.data, clock_timestamp()
    from added n join removed o on o.id = n.id
    cross join lateral (select array_remove(array[
      case when n.revision <> o.revision then 'revision' end,
      case when n.store_kind <> o.store_kind then 'storeKind' end,
      case when n.head_id is distinct from o.head_id then 'headId' end,
      case when n.shop_name <> o.shop_name then 'shopName' end,
      case when n.short_name <> o.short_name then 'shortName' end,
      case when n.person_name <> o.person_name then 'personName' end,
      case when n.account <> o.account then 'account' end,
      case when n.password_hash <> o.password_hash then 'password' end,
      case when n.shop_phone <> o.shop_phone then 'shopPhone' end,
      case when n.province_code <> o.province_code then 'provinceCode' end,
      case when n.city_code <> o.city_code then 'cityCode' end,
      case when n.district_code <> o.district_code then 'districtCode' end,
      case when n.address <> o.address then 'address' end,
      case when n.industry_id <> o.industry_id then 'industry' end,
      case when n.registered_at <> o.registered_at then 'registeredAt' end,
      case when n.signature <> o.signature then 'signature' end,
      case when n.member_title <> o.member_title then 'memberTitle' end,
      case when n.verification_status <> o.verification_status then 'verificationStatus' end,
      case when n.source <> o.source then 'source' end], null) as fields) as changed
    cross join lateral (values
      (1, n.id, o.agent_id, 'shop.moved', jsonb '{"direction": "out"}', n.agent_id <> o.agent_id),
      (2, n.id, n.agent_id, 'shop.moved', jsonb '{"direction": "in"}', n.agent_id <> o.agent_id),
      (3, n.id, n.agent_id, case n.status when 'disabled' then 'shop.disabled' else 'shop.enabled' end, jsonb '{}', n.status <> o.status),
      (4, n.id, n.agent_id, 'shop.term.changed',
        jsonb_build_object('versionId', n.version_id, 'shopsBought', n.shops_bought, 'expiresAt', instant_text(n.expires_at)),
        (n.version_id, n.shops_bought, n.expires_at) is distinct from (o.version_id, o.shops_bought, o.expires_at)),
      (5, n.id, n.agent_id, 'shop.payment.changed', jsonb_build_object('methodId', n.payment_method_id, 'enabled', n.pay_enabled),
        (n.payment_method_id, n.payment_config, n.pay_enabled) is distinct from (o.payment_method_id, o.payment_config, o.pay_enabled)),
      (6, n.id, n.agent_id, 'shop.changed', jsonb_build_object('fields', changed.fields), cardinality(changed.fields) > 0)
    ) as noted (place, merchant_id, agent_id, topic, data, wanted)
    where noted.wanted
    order by n.id, noted.place;
  -- A head is told of the branches that came and went.
  insert into change_inbox (merchant_id, agent_id, topic, data, at)
    select h.id, h.agent_id, 'shop.changed', jsonb '{"fields": ["branchIds"]}', clock_timestamp() from merchants h
    where h.id in (
      select unnest(array[n.head_id, o.head_id]) from added n join removed o on o.id = n.id where n.head_id is distinct from o.head_id)
    order by h.id;
  return null;
end $$;

-- Numbers what was committed, in the order in which it was written; answers how many rows it took. Another that is at it is not waited
-- for. What one transaction says of a shop more than once (its fields by a trigger, and by a verb that no trigger sees) is one change.
create or replace function sequence_shop_changes(most integer) returns integer
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  base bigint;
  taken integer;
  given integer;
begin
  if not pg_try_advisory_xact_lock(7211031) or not exists (select from change_inbox) then
    return 0;
  end if;
  select last into strict base from shop_change_ends where id = 1 for update;
  with taken_rows as (
    delete from change_inbox where id in (select one.id from change_inbox one order by one.id limit most)
    returning id, merchant_id, agent_id, topic, data, at, manager_id, xmin::text as by_transaction),
  places as (
    select merchant_id, agent_id, by_transaction, field, min(array[id, place]) as place
    from taken_rows, jsonb_array_elements_text(data -> 'fields') with ordinality as named(field, place)
    where topic = 'shop.changed' group by merchant_id, agent_id, by_transaction, field),
  changed as (
    select merchant_id, agent_id, by_transaction, jsonb_agg(field order by place) as fields from places
    group by merchant_id, agent_id, by_transaction),
  told as (
    select min(t.id) as id, t.merchant_id, t.agent_id, t.topic, min(t.at) as at, max(t.manager_id) as manager_id,
      case t.topic when 'shop.changed' then jsonb_build_object('fields', c.fields) else t.data end as data
    from (select id, merchant_id, agent_id, topic, at, manager_id, by_transaction, case topic when 'shop.changed' then null else data end as data
      from taken_rows) t
    left join changed c on t.topic = 'shop.changed' and c.merchant_id = t.merchant_id and c.agent_id = t.agent_id
      and c.by_transaction = t.by_transaction
    group by t.merchant_id, t.agent_id, t.topic, t.by_transaction, t.data, c.fields),
  numbered as (
    insert into shop_changes (seq, merchant_id, agent_id, topic, data, at, manager_id)
    select base + row_number() over (order by told.id), merchant_id, agent_id, topic, data, at, manager_id from told returning seq)
  select (select count(*)::int from taken_rows), (select count(*)::int from numbered) into taken, given;
  update shop_change_ends set last = base + given where id = 1;
  return taken;
end $$;

-- Tells of a shop that is taken back: whoever looked after it is told, though it is nobody's any more.
create or replace function note_shop_removed(shop bigint, agent bigint, manager bigint) returns void
language sql security definer set search_path = public, pg_temp
as $$ insert into change_inbox (merchant_id, agent_id, topic, data, at, manager_id)
  values (shop, agent, 'shop.removed', jsonb '{}', now(), manager) $$;
revoke execute on function note_shop_removed(bigint, bigint, bigint) from public;
grant execute on function note_shop_removed(bigint, bigint, bigint) to partner_office_app;
