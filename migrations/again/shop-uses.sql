-- What somebody has done with these shops of the acting agent since each was made by the order beside it: for every shop the names of its
-- uses, as features/care/shop-import/rules.ts says them; none for one that nobody has used. A table that holds shops and stands neither here
-- nor among those that say why they are no use fails test/taken-back.test.ts. Run whenever this text has changed: migrations/again.
create or replace function shop_uses(of_shops bigint[], documents text[]) returns table (shop bigint, used text)
language sql stable security definer set search_path = public, pg_temp
as $$
  with asked as (
    select m.id, m.head_id, m.last_login_at, m.pay_enabled, m.payment_config, o.document
    from unnest(of_shops, documents) as o (shop, document) join merchants m on m.id = o.shop
    where sees_all() or m.agent_id = acting_agent()),
  found as (
    select id as merchant_id, 'login' as used from asked where last_login_at is not null
    union all select id, 'branches' from asked where head_id is not null
    union all select head_id, 'branches' from merchants where head_id in (select id from asked)
    union all select id, 'payment' from asked where pay_enabled or payment_config is not null
    union all select a.id, 'order' from asked a join version_orders o on o.merchant_id = a.id where o.order_no <> a.document and o.status <> 'quoted'
    union all select merchant_id, 'order' from version_order_effects where merchant_id = any (of_shops)
    union all select merchant_id, 'order' from service_orders where merchant_id = any (of_shops)
    union all select merchant_id, 'order' from sms_orders where merchant_id = any (of_shops)
    union all select merchant_id, 'order' from online_renewals where merchant_id = any (of_shops)
    union all select merchant_id, 'deposit' from deposits where merchant_id = any (of_shops)
    union all select merchant_id, 'deposit' from deposit_payments where merchant_id = any (of_shops)
    union all select merchant_id, 'deposit' from deposit_requests where merchant_id = any (of_shops)
    -- Credit that came or went otherwise than with its order.
    union all select a.id, 'sms' from asked a join ledger_accounts l on l.owner_kind = 'merchant' and l.owner_id = a.id and l.asset = 'sms'
      join ledger_entries e on e.account_id = l.id join ledger_transfers t on t.id = e.transfer_id where t.document <> a.document
    union all select merchant_id, 'message' from outbox_messages where merchant_id = any (of_shops)
    union all select merchant_id, 'message' from verification_codes where merchant_id = any (of_shops)
    union all select merchant_id, 'change' from approval_requests where merchant_id = any (of_shops)
    union all select merchant_id, 'clearing' from table_clearings where merchant_id = any (of_shops)
    union all select merchant_id, 'demand' from demands where merchant_id = any (of_shops)
    union all select merchant_id, 'demand' from demand_sources where merchant_id = any (of_shops)
    union all select merchant_id, 'document' from documents where merchant_id = any (of_shops)
    union all select merchant_id, 'document' from document_uses where merchant_id = any (of_shops)
    union all select merchant_id, 'hardware' from hardware_orders where merchant_id = any (of_shops)
    union all select merchant_id, 'page' from shop_codes where merchant_id = any (of_shops)
    union all select merchant_id, 'page' from shop_sessions where merchant_id = any (of_shops)
    union all select merchant_id, 'paymentApplication' from payment_applications where merchant_id = any (of_shops)
    union all select merchant_id, 'paymentApplication' from onboardings where merchant_id = any (of_shops)
    union all select merchant_id, 'paymentApplication' from onboarding_people where merchant_id = any (of_shops)
    union all select merchant_id, 'paymentApplication' from account_changes where merchant_id = any (of_shops)
    union all select merchant_id, 'paymentApplication' from application_refusals where merchant_id = any (of_shops)
    union all select merchant_id, 'paymentApplication' from acquirer_onboardings where merchant_id = any (of_shops)
    union all select merchant_id, 'paymentApplication' from acquirer_test_payments where merchant_id = any (of_shops)
    union all select merchant_id, 'paymentApplication' from acquiring_progress where merchant_id = any (of_shops)
    union all select merchant_id, 'paymentApplication' from owner_papers where merchant_id = any (of_shops)
    union all select merchant_id, 'paymentApplication' from owner_paper_parts where merchant_id = any (of_shops)
    union all select merchant_id, 'paymentApplication' from owner_sessions where merchant_id = any (of_shops)
    union all select merchant_id, 'programApplication' from program_applications where merchant_id = any (of_shops)
    union all select merchant_id, 'programApplication' from program_audits where merchant_id = any (of_shops)
    union all select merchant_id, 'programApplication' from program_codes where merchant_id = any (of_shops)
    union all select merchant_id, 'programApplication' from program_flow_answers where merchant_id = any (of_shops)
    union all select merchant_id, 'programApplication' from program_flows where merchant_id = any (of_shops)
    union all select merchant_id, 'programApplication' from program_profile_changes where merchant_id = any (of_shops)
    union all select merchant_id, 'programApplication' from program_profiles where merchant_id = any (of_shops)
    union all select merchant_id, 'programApplication' from program_testers where merchant_id = any (of_shops)
    union all select merchant_id, 'programApplication' from release_train_shops where merchant_id = any (of_shops)
    union all select merchant_id, 'price' from selling_prices where merchant_id = any (of_shops)
    union all select merchant_id, 'renewal' from renewal_marks where merchant_id = any (of_shops)
    union all select merchant_id, 'service' from merchant_services where merchant_id = any (of_shops)
    union all select merchant_id, 'signature' from shop_signatures where merchant_id = any (of_shops)
    union all select merchant_id, 'template' from print_template_shops where merchant_id = any (of_shops)
    union all select merchant_id, 'thread' from threads where merchant_id = any (of_shops)
    union all select merchant_id, 'tool' from tool_actions where merchant_id = any (of_shops)
    union all select merchant_id, 'verification' from verifications where merchant_id = any (of_shops)
    union all select merchant_id, 'verification' from paper_readings where merchant_id = any (of_shops)
    union all select merchant_id, 'workOrder' from work_orders where merchant_id = any (of_shops))
  select distinct found.merchant_id, found.used from found join asked on asked.id = found.merchant_id
$$;

revoke execute on function shop_uses(bigint[], text[]) from public;
grant execute on function shop_uses(bigint[], text[]) to partner_office_app;
