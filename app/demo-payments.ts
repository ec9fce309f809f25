// Demo data of payments from outside: what two agents paid in the last days, what ran out, and a bill with one difference.
import type pg from 'pg'
import { BUSINESS_TYPES, LIMITS, outTradeNoOf, type PaidAsset } from '#features/payments/rules.ts'
import type { PayChannelName } from '#kit/channels.ts'
import { formatDay } from '#kit/time.ts'

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

const ago = (now: Date, days: number) => new Date(now.getTime() - days * 86_400_000).toISOString()

export async function createPayments(client: pg.Client, now: Date): Promise<void> {
  for (const sample of SAMPLES) await createPayment(client, now, sample)
  await createComparison(client, now)
}

async function createPayment(client: pg.Client, now: Date, sample: Sample): Promise<void> {
  const { rows } = await client.query<{ id: string; order: string; account: string; name: string }>(
    `select next_order_no() as id, next_order_no() as order, id as account, name from accounts where agent_id = $1 and is_owner`,
    [sample.agentId],
  )
  const { id = '', order = '', account = '', name = '' } = rows[0] ?? {}
  const at = ago(now, sample.daysAgo)
  const isPaid = sample.status === 'paid'
  const paidAt = isPaid ? new Date(Date.parse(at) + 45_000).toISOString() : null
  await createOrder(client, sample, { order, account, name, at, paidAt })
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
  if (isPaid) await credit(client, sample, order)
}

type Made = { order: string; account: string; name: string; at: string; paidAt: string | null }

function createOrder(client: pg.Client, sample: Sample, { order, account, name, at, paidAt }: Made) {
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

async function credit(client: pg.Client, sample: Sample, document: string): Promise<void> {
  const isSms = sample.asset === 'sms'
  const movement = {
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
  }
  await client.query('select ledger_post($1::jsonb)', [JSON.stringify([movement])])
}

/** Of the day of the last payment: the bill also has one that nobody here knows. */
async function createComparison(client: pg.Client, now: Date): Promise<void> {
  const day = formatDay(ago(now, 1.3))
  await client.query(
    `with ours as (
       select count(*) as payments, coalesce(sum(amount_fen), 0) as fen from payment_attempts
       where channel = 'wechat' and status = 'paid' and shanghai_day(paid_at) = $1::date),
     made as (
       insert into payment_reconciliations (channel, day, status, bill_payments, bill_fen, our_payments, our_fen, differences, wanted_at, compared_at)
       select 'wechat', $1::date, 'done', payments + 1, fen + 990, payments, fen, 1, $2, $2 from ours returning id)
     insert into payment_differences (reconciliation_id, kind, is_refund, out_trade_no, transaction_id, bill_fen)
     select id, 'missing-here', false, 'MANUAL0001', '4200001', 990 from made`,
    [day, now.toISOString()],
  )
}
