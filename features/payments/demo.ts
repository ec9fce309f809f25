// Demo data of payments from outside: what two agents paid in the last days, what ran out or was
// paid twice, what the channels told, and bills with differences.
import { postDemo } from '#features/ledger/demo.ts'
import { CHANNELS, type PayChannelName } from '#kit/channels.ts'
import { formatDay } from '#kit/time.ts'
import { ago, type Demo } from '#server/demo.ts'
import { BUSINESS_TYPES, LIMITS, outTradeNoOf, type PaidAsset } from './rules.ts'

type Sample = {
  agentId: number
  asset: PaidAsset
  amount: number
  amountFen: number
  subject: string
  channel: PayChannelName
  daysAgo: number
  status: 'paid' | 'expired'
}

const sms = (
  agentId: number,
  pieces: number,
  yuan: number,
  more: Pick<Sample, 'channel' | 'daysAgo' | 'status'>,
): Sample => ({
  agentId,
  asset: 'sms',
  amount: pieces,
  amountFen: yuan * 100,
  subject: `短信充值 ${pieces.toLocaleString('en')}条`,
  ...more,
})
const tokens = (
  agentId: number,
  yuan: number,
  more: Pick<Sample, 'channel' | 'daysAgo' | 'status'>,
): Sample => ({
  agentId,
  asset: 'token',
  amount: yuan * 100,
  amountFen: yuan * 100,
  subject: `代币充值 ${yuan.toLocaleString('en')}.00`,
  ...more,
})

const SAMPLES: Sample[] = [
  sms(101, 4_000, 200, { channel: 'wechat', daysAgo: 9.3, status: 'paid' }),
  tokens(101, 2_000, { channel: 'alipay', daysAgo: 7.1, status: 'paid' }),
  sms(102, 10_500, 500, { channel: 'alipay', daysAgo: 6.4, status: 'paid' }),
  sms(101, 4_000, 200, { channel: 'wechat', daysAgo: 4.2, status: 'expired' }),
  sms(101, 4_000, 200, { channel: 'wechat', daysAgo: 4.1, status: 'paid' }),
  tokens(102, 1_000, { channel: 'wechat', daysAgo: 2.6, status: 'paid' }),
  sms(102, 4_000, 200, { channel: 'alipay', daysAgo: 2.2, status: 'expired' }),
  tokens(101, 500, { channel: 'wechat', daysAgo: 1.3, status: 'paid' }),
]

export async function demo(demo: Demo): Promise<void> {
  for (const sample of SAMPLES) await createPayment(demo, sample)
  await createSecondPayments(demo)
  await createEvents(demo, ago(demo, 1.3))
  await createComparisons(demo)
}

async function createPayment(demo: Demo, sample: Sample): Promise<void> {
  const { client } = demo
  const { rows } = await client.query<{ id: string; order: string; account: string; name: string }>(
    `select next_order_no() as id, next_order_no() as order, id as account, name from accounts where agent_id = $1 and is_owner`,
    [sample.agentId],
  )
  const { id = '', order = '', account = '', name = '' } = rows[0] ?? {}
  const at = ago(demo, sample.daysAgo)
  const isPaid = sample.status === 'paid'
  const paidAt = isPaid ? new Date(Date.parse(at) + 45_000).toISOString() : null
  await createOrder(demo, sample, { order, account, name, at, paidAt })
  await client.query(
    `insert into payment_intents (id, agent_id, account_id, account_name, business_type, asset, order_no, amount_fen, subject, token,
       display_until, status, paid_by, created_at, expires_at, paid_at, asked_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, translate(encode(sha256(random()::text::bytea), 'base64'), '+/=', '-_'), $10, $11, $12, $10,
       $10::timestamptz + make_interval(secs => $13), $14, $14)`,
    [
      id,
      sample.agentId,
      account,
      name,
      BUSINESS_TYPES[sample.asset],
      sample.asset,
      order,
      sample.amountFen,
      sample.subject,
      at,
      sample.status,
      isPaid ? sample.channel : null,
      LIMITS.orderSeconds,
      paidAt,
    ],
  )
  await client.query(
    `insert into payment_attempts (intent_id, agent_id, channel, out_trade_no, amount_fen, status, transaction_id, payer, paid_at,
       provider_words, created_at, updated_at, asked)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, coalesce($9::timestamptz, $11::timestamptz + interval '601 seconds'), 3)`,
    [
      id,
      sample.agentId,
      sample.channel,
      outTradeNoOf(id, sample.channel),
      sample.amountFen,
      isPaid ? 'paid' : 'closed',
      isPaid ? `42${id}` : null,
      isPaid ? '138****0001' : null,
      paidAt,
      isPaid ? 'SUCCESS' : '已关闭',
      at,
    ],
  )
  if (isPaid) await credit(demo, sample, order)
}

type Made = { order: string; account: string; name: string; at: string; paidAt: string | null }

function createOrder({ client }: Demo, sample: Sample, { order, account, name, at, paidAt }: Made) {
  const status = paidAt === null ? 'quoted' : 'paid'
  if (sample.asset === 'token')
    return client.query(
      `insert into token_orders (order_no, agent_id, token_cents, amount_fen, status, pay_method, created_by, created_by_name, created_at, paid_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        order,
        sample.agentId,
        sample.amount,
        sample.amountFen,
        status,
        paidAt && sample.channel,
        account,
        name,
        at,
        paidAt,
      ],
    )
  return client.query(
    `insert into sms_orders (order_no, agent_id, kind, name, pieces, original_cents, discount_basis_points, total_cents, pay_method, status,
       sms_before, sms_after, created_by, created_by_name, created_at, paid_at)
     select $1, $2, 'recharge', '短信充值', $3::bigint, $4::bigint, 10000, $4::bigint, $5, $6,
       case when $6 = 'paid' then balance end, case when $6 = 'paid' then balance + $3::bigint end, $7, $8, $9, $10
     from ledger_accounts where owner_kind = 'agent' and owner_id = $2 and asset = 'sms'`,
    [
      order,
      sample.agentId,
      sample.amount,
      sample.amountFen,
      sample.channel,
      status,
      account,
      name,
      at,
      paidAt,
    ],
  )
}

async function credit(demo: Demo, sample: Sample, document: string): Promise<void> {
  const isSms = sample.asset === 'sms'
  await postDemo(demo, [
    {
      kind: isSms ? 'sms-recharge' : 'token-recharge',
      asset: sample.asset,
      amount: sample.amount,
      from: { kind: 'vendor', book: isSms ? 'sms-supplier' : 'issued' },
      to: { kind: 'agent', id: sample.agentId },
      document,
      payMethod: sample.channel,
      agentId: sample.agentId,
      actorId: 0,
      actorName: '系统',
      description: isSms ? '短信充值' : '代币充值',
    },
  ])
}

/** Two were paid a second time, on their other channel: one has gone back, the other's channel refused. */
function createSecondPayments({ client }: Demo) {
  return client.query(
    `with again as (
       insert into payment_attempts (intent_id, agent_id, channel, out_trade_no, amount_fen, status, transaction_id, payer, paid_at,
         provider_words, created_at, updated_at, asked)
       select id, agent_id, case paid_by when 'wechat' then 'alipay' else 'wechat' end, id || case paid_by when 'wechat' then '${CHANNELS.alipay.suffix}' else '${CHANNELS.wechat.suffix}' end,
         amount_fen, 'paid', '42' || id || '2', '138****0001', paid_at + interval '8 seconds', 'SUCCESS', created_at, paid_at, 3
       from payment_intents where agent_id = 102 and status = 'paid' returning *)
     insert into payment_refunds (attempt_id, agent_id, refund_no, amount_fen, reason, status, provider_words, created_by, created_by_name,
       created_at, done_at, asked)
     select id, agent_id, out_trade_no || 'R', amount_fen, 'second', case channel when 'wechat' then 'done' else 'failed' end,
       case channel when 'wechat' then 'SUCCESS' else '卖家余额不足 (ACQ.SELLER_BALANCE_NOT_ENOUGH)' end, 0, '系统', paid_at,
       case channel when 'wechat' then paid_at + interval '20 seconds' end, 1
     from again`,
  )
}

/** What the channels told of all that, and of a payment that is none of ours. */
function createEvents({ client }: Demo, foreignAt: string) {
  return client.query(
    `with told as (
       select a.channel, a.out_trade_no, 'done' as status, a.paid_at as at, 'payment' as kind, json_build_object('state', 'paid',
         'transactionId', a.transaction_id, 'amountFen', a.amount_fen, 'currency', 'CNY', 'paidAt', a.paid_at, 'payer', a.payer,
         'providerState', case a.channel when 'wechat' then 'SUCCESS' else 'TRADE_SUCCESS' end)::jsonb as fact
       from payment_attempts a where a.status = 'paid'
       union all
       select a.channel, a.out_trade_no, 'done', r.done_at, 'refund',
         json_build_object('refundNo', r.refund_no, 'state', 'done', 'providerState', 'SUCCESS')::jsonb
       from payment_refunds r join payment_attempts a on a.id = r.attempt_id where r.status = 'done'
       union all
       select 'wechat', $1, 'unmatched', $2::timestamptz, 'payment', json_build_object('state', 'paid', 'transactionId', '4200002',
         'amountFen', ${FOREIGN_FEN}, 'currency', 'CNY', 'paidAt', $2::timestamptz, 'payer', null, 'providerState', 'SUCCESS')::jsonb)
     insert into provider_events (channel, event_id, content, body, out_trade_no, status, received_at, processed_at)
     select channel, id, jsonb_build_object('eventId', id, 'occurredAt', at, 'kind', kind, 'fact', fact || jsonb_build_object('outTradeNo', out_trade_no)),
       '', out_trade_no, status, at + interval '1 second', at + interval '1 second'
     from (select *, gen_random_uuid()::text as id from told order by at) as named`,
    [FOREIGN_NO, foreignAt],
  )
}

const FOREIGN_NO = 'MANUAL0002'
const FOREIGN_FEN = 990

/** Three days up to that of the last payment. Two bills of WeChat have a payment that nobody here knows; one was looked into. */
async function createComparisons({ client, now }: Demo): Promise<void> {
  const day = formatDay(ago({ now }, 1.3))
  await client.query(
    `with asked as (
       select c.channel, $1::date - back as day, (c.channel = 'wechat' and back < 2)::int as more
       from (values ('wechat'), ('alipay')) c(channel), generate_series(0, 2) back),
     ours as (
       select channel, day, more, least($2::timestamptz, (day + 1 + time '12:30') at time zone 'Asia/Shanghai') as at, p.n, p.fen,
         r.n as refunds, r.fen as refund_fen
       from asked, lateral (select count(*) as n, coalesce(sum(amount_fen), 0) as fen from payment_attempts a
         where a.channel = asked.channel and status = 'paid' and shanghai_day(paid_at) = day) p,
         lateral (select count(*) as n, coalesce(sum(r.amount_fen), 0) as fen from payment_refunds r
           join payment_attempts a on a.id = r.attempt_id where a.channel = asked.channel and shanghai_day(r.done_at) = day) r),
     made as (
       insert into payment_reconciliations (channel, day, status, bill_payments, bill_fen, our_payments, our_fen, bill_refunds, bill_refund_fen,
         our_refunds, our_refund_fen, differences, wanted_at, compared_at)
       select channel, day, 'done', n + more, fen + more * ${FOREIGN_FEN}, n, fen, refunds, refund_fen, refunds, refund_fen, more, at, at
       from ours order by day returning *)
     insert into payment_differences (reconciliation_id, kind, is_refund, out_trade_no, transaction_id, bill_fen, resolution,
       resolved_by_name, resolved_at)
     select id, 'missing-here', false, case when day = $1::date then $3 else 'MANUAL0001' end, '420000' || case when day = $1::date then 2 else 1 end, ${FOREIGN_FEN},
       case when day < $1::date then '线下收款误用同一商户号，已与渠道核对' else '' end,
       case when day < $1::date then (select name from accounts where login_name = '10001') else '' end,
       case when day < $1::date then compared_at end
     from made where differences > 0 order by day`,
    [day, now.toISOString(), FOREIGN_NO],
  )
}
