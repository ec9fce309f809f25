// Demo data of payments from outside: what agents paid by QR over the year, what ran out, failed or was paid twice, what the
// channels told, and bills with differences.
import { randomBytes } from 'node:crypto'
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { demoBalance, demoNo, post } from '#features/money/ledger/demo.ts'
import { ownConnection, valuesOf } from '#features/money/payment-settings/server-channels.ts'
import { DEMO_AGENTS, demoOperator, demoSeller, type Person } from '#features/office/access/demo.ts'
import { tell } from '#features/office/notices/demo.ts'
import { seasonDays } from '#features/sales/selling/demo.ts'
import { smsOrders } from '#features/sales/sms/tables.ts'
import { formatCents } from '#kit/money.ts'
import {
  CHANNEL_NAMES,
  CHANNELS,
  OWN_SETTINGS,
  PAY_CHANNELS,
  type PayChannelName,
} from '#kit/ports/channels.ts'
import { addDays, formatDay } from '#kit/time.ts'
import type { Services } from '#server/ctx.ts'
import { ago, type Demo, kept, later, workHour } from '#server/demo.ts'
import { actAsSystem } from '#server/system.ts'
import { RECHARGE_PACKAGES } from './reference.ts'
import { BUSINESS_TYPES, flawOf, LIMITS, outTradeNoOf, refundNoOf } from './rules.ts'
import { paymentAttempts, paymentIntents, paymentRefunds, tokenOrders } from './tables.ts'

type DemoAsset = 'sms' | 'token'

type Outcome = 'paid' | 'expired' | 'failed' | 'refunded'
type Sample = {
  agentId: number
  asset: DemoAsset
  amount: number
  amountFen: number
  subject: string
  channel: PayChannelName
  outcome: Outcome
}

const sms = (
  agentId: number,
  channel: PayChannelName,
  outcome: Outcome,
  [pieces, fen]: readonly [number, number],
): Sample => ({
  ...{ agentId, asset: 'sms', channel, outcome, amount: pieces, amountFen: fen },
  subject: `短信充值 ${pieces.toLocaleString('en')}条`,
})
const tokens = (agentId: number, channel: PayChannelName, outcome: Outcome, yuan: number): Sample => ({
  ...{ agentId, asset: 'token', channel, outcome, amount: yuan * 100, amountFen: yuan * 100 },
  subject: `代币充值 ${yuan.toLocaleString('en')}.00`,
})

const [FIRST, , ...FURTHER] = PAY_CHANNELS
const SMALL = [4_000, 20_000] as const
const FAILED_YUAN = 300
const COMPARED_DAYS = 14
const NO_BILL = '账单尚未生成 (BILL_NOT_EXIST)'
const { first, other, below, fresh } = DEMO_AGENTS
/** Of the last days, which the bills of the channels were compared with. */
const LATEST: [days: number, Sample][] = [
  [9.3, sms(first, 'wechat', 'paid', SMALL)],
  [7.1, tokens(first, 'alipay', 'paid', 2_000)],
  [6.4, sms(other, 'alipay', 'paid', [10_500, 50_000])],
  [5.2, tokens(below, 'wechat', 'failed', FAILED_YUAN)],
  [4.2, sms(first, 'wechat', 'expired', SMALL)],
  [4.1, sms(first, 'wechat', 'paid', SMALL)],
  [2.6, tokens(other, 'wechat', 'paid', 1_000)],
  [2.2, sms(other, 'alipay', 'expired', SMALL)],
  [1.3, tokens(first, 'wechat', 'paid', 500)],
  // Of every further channel what its lists show.
  ...FURTHER.flatMap((channel): [number, Sample][] => [
    [8.2, sms(first, channel, 'paid', SMALL)],
    [5.8, tokens(first, channel, 'refunded', 500)],
  ]),
]
const BEFORE = [
  [first, 340, 22],
  [other, 330, 11],
  [below, 300, 5],
  [fresh, 80, 2],
] as const

/** What the channels say of it. */
export async function afterwards(demo: Demo): Promise<void> {
  await createSecondPayments(demo)
  await createEvents(demo, ago(demo, 1.3))
  await createComparisons(demo)
}

export function demo(demo: Demo): void {
  const { history, random } = demo
  for (const [agentId, days, count] of BEFORE)
    for (const [i, daysAgo] of seasonDays(demo, days, count).entries()) {
      if (daysAgo < 11) continue
      const channel = random.pick([FIRST, ...PAY_CHANNELS])
      const outcome = i % 8 === 6 ? 'expired' : agentId === first && i === 15 ? 'refunded' : 'paid'
      const pack = random.pick(RECHARGE_PACKAGES.slice(0, 2)) as (typeof RECHARGE_PACKAGES)[number]
      const sample =
        i % 3 === 0
          ? sms(agentId, channel, outcome, [pack.pieces, pack.priceFen])
          : tokens(agentId, channel, outcome, random.pick([500, 1_000, 2_000, 3_000, 5_000]))
      history.at(workHour(demo, daysAgo), at => pay(demo, sample, at))
    }
  const failedDay = addDays(formatDay(ago(demo, 1.3)), 1 - COMPARED_DAYS)
  history.at(`${addDays(failedDay, 1)}T05:00:00.000Z`, at =>
    tell(demo, demoOperator(demo), at, {
      topic: 'PaymentTrouble_Notify',
      title: '对账失败',
      body: `${CHANNEL_NAMES.alipay} ${failedDay} 的账单未能核对：${NO_BILL}`,
      link: `/admin/operations/payments?view=bills&channel=alipay&from=${failedDay}&to=${failedDay}`,
      args: {},
    }),
  )
  for (const [days, sample] of LATEST) history.at(ago(demo, days), at => pay(demo, sample, at))
}

function pay(demo: Demo, sample: Sample, at: string): void {
  const by = demoSeller(demo, sample.agentId)
  const orderNo = demoNo(demo, at)
  const isPaid = sample.outcome === 'paid' || sample.outcome === 'refunded'
  const paidAt = isPaid ? later(demo, at, 45 / 3_600) : null
  const order = addOrder(demo, sample, { orderNo, by, at, paidAt })
  const status = isPaid ? 'paid' : (sample.outcome as 'expired' | 'failed')
  const id = demoNo(demo, at)
  demo.history.add(paymentIntents, {
    id,
    agentId: sample.agentId,
    accountId: by.id,
    accountName: by.name,
    businessType: BUSINESS_TYPES[sample.asset],
    asset: sample.asset,
    orderNo,
    amountFen: sample.amountFen,
    subject: sample.subject,
    token: randomBytes(32).toString('base64url'),
    displayUntil: at,
    status,
    paidBy: isPaid ? sample.channel : null,
    createdAt: at,
    expiresAt: new Date(Date.parse(at) + LIMITS.orderSeconds * 1_000).toISOString(),
    paidAt,
    askedAt: paidAt,
  })
  const attempt = demo.history.add(paymentAttempts, {
    intentId: id,
    agentId: sample.agentId,
    channel: sample.channel,
    outTradeNo: outTradeNoOf(id, sample.channel),
    amountFen: sample.amountFen,
    status: isPaid ? 'paid' : status === 'failed' ? 'failed' : 'closed',
    transactionId: isPaid ? `42${id}` : null,
    payer: isPaid ? '138****0001' : null,
    paidAt,
    providerWords: isPaid ? 'SUCCESS' : status === 'failed' ? '商户号该产品权限未开通 (NO_AUTH)' : '已关闭',
    createdAt: at,
    updatedAt: paidAt ?? new Date(Date.parse(at) + 601_000).toISOString(),
    asked: 3,
  })
  if (sample.outcome === 'refunded' && order)
    demo.history.at(later(demo, at, 50), doneAt => refund(demo, { sample, order, attempt, at: doneAt }))
}

type Ordered = { orderNo: string; by: Person; at: string; paidAt: string | null }
type SmsOrder = typeof smsOrders.$inferInsert

/** The order that is paid, and what it credits; answers an order of SMS. */
function addOrder(demo: Demo, sample: Sample, { orderNo, by, at, paidAt }: Ordered): SmsOrder | null {
  const { agentId, asset, amount, amountFen, channel } = sample
  const common = { orderNo, agentId, createdBy: by.id, createdByName: by.name, createdAt: at, paidAt }
  const status = paidAt === null ? 'quoted' : 'paid'
  const row: SmsOrder = {
    ...common,
    status,
    kind: 'recharge',
    name: '短信充值',
    pieces: amount,
    originalCents: amountFen,
    discountBasisPoints: 10_000,
    totalCents: amountFen,
    payMethod: channel,
  }
  const order = asset === 'sms' ? demo.history.add(smsOrders, row) : row
  if (asset === 'token') {
    const payMethod = paidAt === null ? null : channel
    demo.history.add(tokenOrders, { ...common, status, tokenCents: amount, amountFen, payMethod })
  }
  if (paidAt !== null)
    demo.history.at(paidAt, () => {
      credit(demo, sample, order, paidAt)
      tell(demo, by, paidAt, {
        topic: 'PaymentStatus_Notify',
        title: '支付成功',
        body: `${sample.subject}，${CHANNEL_NAMES[channel]}支付 ${formatCents(amountFen)} 元，已到账`,
        link: `/admin/order/${orderNo}`,
        args: { orderNo, asset, status: 'paid' },
      })
    })
  return asset === 'sms' ? order : null
}

const bookOf = (asset: DemoAsset) =>
  ({ kind: 'vendor', book: asset === 'sms' ? 'sms-supplier' : 'issued' }) as const
const credits = kept(() => new Map<SmsOrder, ReturnType<typeof post>>())

function credit(demo: Demo, { agentId, asset, amount, channel }: Sample, order: SmsOrder, at: string): void {
  const agent = { kind: 'agent', id: agentId } as const
  const smsBefore = demoBalance(demo, agent, asset)
  Object.assign(order, { smsBefore, smsAfter: smsBefore + amount })
  const credited = post(demo, {
    kind: asset === 'sms' ? 'sms-recharge' : 'token-recharge',
    asset,
    amount,
    from: bookOf(asset),
    to: agent,
    document: order.orderNo,
    payMethod: channel,
    agentId,
    at,
    by: null,
    description: asset === 'sms' ? '短信充值' : '代币充值',
  })
  credits(demo).set(order, credited)
}

type Refunded = { sample: Sample; order: SmsOrder; attempt: typeof paymentAttempts.$inferInsert; at: string }

/** By the operator: the credit goes back first, then the money. */
function refund(demo: Demo, { sample, order, attempt, at }: Refunded): void {
  const by = demoOperator(demo)
  const held = demoBalance(demo, { kind: 'agent', id: sample.agentId }, 'sms')
  const reason = '代理商重复下单，申请退款'
  demo.history.add(paymentRefunds, {
    attemptId: attempt.id as number,
    agentId: sample.agentId,
    refundNo: refundNoOf(attempt.outTradeNo),
    amountFen: sample.amountFen,
    reason: 'operator',
    remark: reason,
    status: 'done',
    providerWords: 'SUCCESS',
    createdBy: by.id,
    createdByName: by.name,
    createdAt: at,
    doneAt: later(demo, at, 20 / 3_600),
    asked: 1,
  })
  Object.assign(order, {
    ...{ status: 'recycled', undoneAt: at, undoneBy: by.id, undoneByName: by.name, undoneReason: reason },
    ...{ changedAt: at, changeBefore: held, changeAfter: held - sample.amount },
  })
  const reverses = credits(demo).get(order)
  if (reverses)
    post(demo, {
      ...reverses,
      kind: 'recharge-refund',
      from: reverses.to,
      to: reverses.from,
      at,
      by,
      description: '短信充值退款',
      remark: reason,
      reverses,
    })
}

/** Two were paid a second time, on their other channel: one has gone back, the other's channel refused. */
function createSecondPayments({ client, now }: Demo) {
  return client.query(
    `with again as (
       insert into payment_attempts (intent_id, agent_id, channel, out_trade_no, amount_fen, status, transaction_id, payer, paid_at,
         provider_words, created_at, updated_at, asked)
       select id, agent_id, case paid_by when 'wechat' then 'alipay' else 'wechat' end, id || case paid_by when 'wechat' then '${CHANNELS.alipay.suffix}' else '${CHANNELS.wechat.suffix}' end,
         amount_fen, 'paid', '42' || id || '2', '138****0001', paid_at + interval '8 seconds', 'SUCCESS', created_at, paid_at, 3
       from payment_intents where agent_id = 102 and status = 'paid' and paid_at > $1::timestamptz - interval '10 days' returning *)
     insert into payment_refunds (attempt_id, agent_id, refund_no, amount_fen, reason, status, provider_words, created_by, created_by_name,
       created_at, done_at, asked)
     select id, agent_id, out_trade_no || 'R', amount_fen, 'second', case channel when 'wechat' then 'done' else 'failed' end,
       case channel when 'wechat' then 'SUCCESS' else '卖家余额不足 (ACQ.SELLER_BALANCE_NOT_ENOUGH)' end, 0, '系统', paid_at,
       case channel when 'wechat' then paid_at + interval '20 seconds' end, 1
     from again`,
    [now.toISOString()],
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
         'amountFen', ${FOREIGN_FEN}, 'currency', 'CNY', 'paidAt', $2::timestamptz, 'payer', null, 'providerState', 'SUCCESS')::jsonb
       union all
       (select channel, out_trade_no, 'refused', updated_at, 'payment', json_build_object('state', 'paid', 'transactionId', '4200003',
         'amountFen', ${FOREIGN_FEN}, 'currency', 'CNY', 'paidAt', updated_at, 'payer', null, 'providerState', 'SUCCESS')::jsonb
       from payment_attempts where status = 'failed' limit 1))
     insert into provider_events (channel, event_id, content, body, out_trade_no, status, problem, received_at, processed_at)
     select channel, id, jsonb_build_object('eventId', id, 'occurredAt', at, 'kind', kind, 'fact', fact || jsonb_build_object('outTradeNo', out_trade_no)),
       '', out_trade_no, status, case status when 'refused' then $3 else '' end, at + interval '1 second', at + interval '1 second'
     from (select *, gen_random_uuid()::text as id from told order by at) as named`,
    [
      FOREIGN_NO,
      foreignAt,
      flawOf({ amountFen: FOREIGN_FEN, currency: 'CNY' }, { amountFen: FAILED_YUAN * 100 }),
    ],
  )
}

const FOREIGN_NO = 'MANUAL0002'
const FOREIGN_FEN = 990

/** Two weeks up to the day of the last payment. Two bills of WeChat have a payment that nobody here knows; one was looked into. */
async function createComparisons({ client, now }: Demo): Promise<void> {
  const day = formatDay(ago({ now }, 1.3))
  await client.query(
    `with asked as (
       select c.channel, $1::date - back as day, (c.channel = 'wechat' and back < 2)::int as more, c.channel = 'alipay' and back = $4::int - 1 as is_missing
       from unnest($6::text[]) c(channel), generate_series(0, $4::int - 1) back),
     ours as (
       select channel, day, more, is_missing, least($2::timestamptz, (day + 1 + time '12:30') at time zone 'Asia/Shanghai') as at, p.n, p.fen,
         r.n as refunds, r.fen as refund_fen
       from asked, lateral (select count(*) as n, coalesce(sum(amount_fen), 0) as fen from payment_attempts a
         where a.channel = asked.channel and status = 'paid' and shanghai_day(paid_at) = day) p,
         lateral (select count(*) as n, coalesce(sum(r.amount_fen), 0) as fen from payment_refunds r
           join payment_attempts a on a.id = r.attempt_id where a.channel = asked.channel and shanghai_day(r.done_at) = day) r),
     made as (
       insert into payment_reconciliations (channel, day, status, problem, bill_payments, bill_fen, our_payments, our_fen, bill_refunds, bill_refund_fen,
         our_refunds, our_refund_fen, differences, wanted_at, compared_at)
       select channel, day, case when is_missing then 'failed' else 'done' end, case when is_missing then $5 else '' end,
         n + more, fen + more * ${FOREIGN_FEN}, n, fen, refunds, refund_fen, refunds, refund_fen, more, at, case when not is_missing then at end
       from ours order by day returning *)
     insert into payment_differences (reconciliation_id, kind, is_refund, out_trade_no, transaction_id, bill_fen, resolution,
       resolved_by_name, resolved_at)
     select id, 'missing-here', false, case when day = $1::date then $3 else 'MANUAL0001' end, '420000' || case when day = $1::date then 2 else 1 end, ${FOREIGN_FEN},
       case when day < $1::date then '线下收款误用同一商户号，已与渠道核对' else '' end,
       case when day < $1::date then (select name from accounts where login_name = '10001') else '' end,
       case when day < $1::date then compared_at end
     from made where differences > 0 order by day`,
    [day, now.toISOString(), FOREIGN_NO, COMPARED_DAYS, NO_BILL, PAY_CHANNELS],
  )
}

/**
 * Payments to agents' own accounts hang on the accounts that the simulators know, and are told to those with each start, since they
 * keep none: a refund goes where the money came from.
 */
export async function rememberOwnPayments(
  services: Services,
  simulatedAt: Partial<Record<PayChannelName, string>>,
): Promise<void> {
  const accounts = await actAsSystem(services, 'demo', async ctx => {
    await ctx.db.execute(sql`update payment_attempts a set settings_id = s.id from payment_intents i, payment_settings s
      where i.id = a.intent_id and s.agent_id = i.payee_agent_id and s.channel = a.channel and s.replaced_at is null
        and a.settings_id is null`)
    const paid = await ctx.db
      .select({ attempt: paymentAttempts, subject: paymentIntents.subject })
      .from(paymentAttempts)
      .innerJoin(paymentIntents, eq(paymentIntents.id, paymentAttempts.intentId))
      .where(and(eq(paymentAttempts.status, 'paid'), isNotNull(paymentAttempts.settingsId)))
    const known = Map.groupBy(paid, ({ attempt }) => attempt.settingsId ?? 0)
    return Promise.all(
      [...known].map(async ([settingsId, rows]) => ({
        rows,
        values: await valuesOf(ctx, settingsId),
        path: (await ownConnection(ctx, settingsId))?.callbackPath ?? '',
      })),
    )
  })
  for (const { rows, values, path } of accounts) {
    const channel = rows[0]?.attempt.channel
    const url = channel && simulatedAt[channel]
    if (!url) continue
    const paid = rows.map(({ attempt, subject }) => ({
      ...{ outTradeNo: attempt.outTradeNo, amountFen: attempt.amountFen, paidAt: attempt.paidAt, subject },
      ...{ transactionId: attempt.transactionId ?? '', payer: attempt.payer ?? '' },
      notifyUrl: `${services.baseUrl()}/callbacks/pay/${path}`,
    }))
    const answer = await fetch(new URL('/__sim/remember', url), {
      method: 'POST',
      body: JSON.stringify({ accounts: identitiesOf(channel, values), paid }),
    })
    if (!answer.ok) throw new Error(`the simulator of ${channel} answered ${answer.status}`)
  }
}

/** Whose the account is, by what is typed of it. */
function identitiesOf(channel: PayChannelName, values: Readonly<Record<string, string>>): string[] {
  return Object.entries(OWN_SETTINGS[channel] ?? {}).flatMap(([name, { isIdentity }]) =>
    isIdentity && values[name] ? [values[name]] : [],
  )
}
