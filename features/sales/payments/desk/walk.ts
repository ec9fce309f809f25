// Also of features/sales/payments, whose rows these are.
import { connected, SURROUNDINGS } from '#app/providers.ts'
import { perChannel } from '#kit/ports/channels.ts'
import type { Providers } from '#kit/ports/providers.ts'
import { roomOf } from '#providers/rooms.ts'
import type { Office } from '#test/app.ts'
import { byAgent, type Desk, type FeatureWalk, MARK, own, type Scene, search } from '#test/walk-types.ts'

const UNKNOWN = '99999999999999999999'
const NO_TOKEN = 'A'.repeat(32)
const FORBIDDEN = (input: Record<string, unknown>) => [{ as: () => input, expect: ['FORBIDDEN'] }]
const their = (more: Record<string, unknown> = {}, name = 'queryId') => ({
  as: ({ extra }: Scene) => ({ [name]: extra.intent, ...more }),
  expect: ['NOT_FOUND'],
})

const NOWHERE = 'http://127.0.0.1:9'
let channels: Providers['pay'] | null = null

/** Channels that nobody answers: the walks call nothing outside. */
function openChannel(office: Office): void {
  channels ??= connected(
    perChannel(name => {
      const { simulated, make } = roomOf(name)
      return simulated ? make(simulated.settings(simulated.makeKeys(), NOWHERE), SURROUNDINGS) : undefined
    }),
  )
  office.app.services.providers = { ...office.app.services.providers, pay: channels }
}

async function nextNo(office: Office): Promise<string> {
  const { rows } = await office.owner.query<{ no: string }>('select next_order_no() as no')
  return rows[0]?.no ?? ''
}

/** A paid intent of tokens with its attempt, its refund in `refund`, and the order that it paid. */
async function makePaid(
  office: Office,
  agent: { id: number; accountId: number },
  refund: 'none' | 'failed' | 'failed, and nothing was credited' = 'none',
) {
  const [intent, order] = [await nextNo(office), await nextNo(office)]
  const { rows } = await office.owner.query<{ id: number }>(
    `with o as (insert into token_orders (order_no, agent_id, token_cents, amount_fen, status, pay_method, created_by, created_by_name, created_at, paid_at)
         values ($2, $3, 100, 100, 'paid', 'alipay', $4, $5, now(), now())),
       i as (insert into payment_intents (id, agent_id, account_id, account_name, business_type, asset, order_no, amount_fen, subject, token,
           display_until, status, paid_by, created_at, expires_at, paid_at)
         values ($1, $3, $4, $5, 12, 'token', $2, 100, $5, 'token-of-' || $1, now(), 'paid', 'alipay', now(), now(), now()) returning id),
       a as (insert into payment_attempts (intent_id, agent_id, channel, out_trade_no, amount_fen, status, created_at, updated_at, paid_at)
         select id, $3, 'alipay', id || 'A', 100, 'paid', now(), now(), now() from i returning id),
       r as (insert into payment_refunds (attempt_id, agent_id, refund_no, amount_fen, reason, remark, status, created_by, created_by_name, created_at)
         select id, $3, $1 || 'AR', 100, 'operator', $5, 'failed', $4, $5, now() from a where $6 like 'failed%' returning id)
     select id from r union all select id from a limit 1`,
    [intent, order, agent.id, agent.accountId, MARK, refund],
  )
  if (!refund.endsWith('credited'))
    await office.owner.query('select ledger_post($1::jsonb)', [JSON.stringify([creditOf(agent.id, order)])])
  return { intent, order, id: Number(rows[0]?.id) }
}

function creditOf(agentId: number, document: string) {
  return {
    kind: 'token-recharge',
    asset: 'token',
    amount: 100,
    from: { kind: 'vendor', book: 'issued' },
    to: { kind: 'agent', id: agentId },
    document,
    payMethod: 'alipay',
    agentId,
    actorId: 0,
    actorName: '系统',
    description: '代币充值',
  }
}

async function makeDifference(office: Office, day = '2026-01-01'): Promise<{ id: number; no: string }> {
  const no = `${await nextNo(office)}A`
  const { rows } = await office.owner.query<{ id: string }>(
    `with r as (insert into payment_reconciliations (channel, day, status, wanted_at, compared_at) values ('alipay', $2, 'done', now(), now())
         on conflict (channel, day) do update set status = 'done' returning id)
     insert into payment_differences (reconciliation_id, kind, is_refund, out_trade_no, bill_fen) select id, 'missing-here', false, $1, 100 from r returning id`,
    [no, day],
  )
  return { id: Number(rows[0]?.id), no }
}

async function makeEvent(office: Office, text: string): Promise<{ id: number; eventId: string }> {
  const eventId = `${text}${await nextNo(office)}`
  const { rows } = await office.owner.query<{ id: string }>(
    `insert into provider_events (channel, event_id, content, body, out_trade_no, status, received_at)
     values ('alipay', $1, '{"kind": "payment", "fact": {"state": "waiting"}}', '', 'elsewhere', 'unmatched', now()) returning id`,
    [eventId],
  )
  return { id: Number(rows[0]?.id), eventId }
}

/** Nobody acts in what is public: the row is the system's. */
const nobody = (input: Record<string, unknown>, subject: string) => ({
  cookie: null,
  input,
  subject,
  account: { loginName: '', accountId: 0, id: 0, name: '系统' },
})

async function started(desk: Desk) {
  openChannel(desk.office)
  const shown = await desk.mine().payments.startTokens({ tokenCents: 100 })
  return { ...shown, token: shown.payUrl.split('/').at(-1) ?? '' }
}

export const walk: FeatureWalk = {
  ofAgency: ['payments', 'paymentDesk'],
  sessionOnly: ['payments.refresh', 'payments.result'],
  movesMoney: ['payments.startSms', 'payments.startTokens', 'paymentDesk.refund'],
  scene: async ({ office, a }) => {
    const paid = await makePaid(office, a, 'failed, and nothing was credited')
    // Nothing was credited, so its order stands unpaid.
    await office.owner.query(
      `update token_orders set status = 'quoted', pay_method = null, paid_at = null where order_no = $1`,
      [paid.order],
    )
    const [event, difference] = [await makeEvent(office, MARK), await makeDifference(office)]
    await office.owner.query(
      `insert into agent_pay_channels (agent_id, channel, enabled) values ($1, 'wechat', false)`,
      [a.id],
    )
    return {
      intent: paid.intent,
      tokenOrder: paid.order,
      refund: paid.id,
      event: event.id,
      difference: difference.id,
    }
  },
  attempts: {
    'payments.offer': [own()],
    'payments.startSms': [{ as: () => ({ packageId: 1 }), expect: ['NO_CHANNEL'] }],
    'payments.startTokens': [{ as: () => ({ tokenCents: 100 }), expect: ['NO_CHANNEL'] }],
    'payments.refresh': [their()],
    'payments.result': [their()],
    'payments.check': [{ as: ({ extra }) => ({ orderNo: extra.tokenOrder }), expect: ['NOT_FOUND'] }],
    'payments.cashier': [{ as: () => ({ token: NO_TOKEN }), expect: ['NOT_FOUND'] }],
    'payments.cashierAttempt': [
      { as: () => ({ token: NO_TOKEN, channel: 'alipay' }), expect: ['NOT_FOUND'] },
    ],
    'payments.cashierInApp': [
      { as: () => ({ token: NO_TOKEN, channel: 'wechat', code: '1' }), expect: ['NOT_FOUND'] },
    ],
    'paymentDesk.intents': [
      { as: () => ({}), expect: 'empty' },
      byAgent,
      search(({ extra }) => extra.intent),
    ],
    'paymentDesk.find': [{ as: ({ extra }) => ({ number: extra.intent }), expect: 'empty' }],
    'paymentDesk.intent': [their({}, 'id')],
    'paymentDesk.events': [{ as: () => ({}), expect: 'empty' }],
    'paymentDesk.refunds': [
      { as: () => ({}), expect: 'empty' },
      byAgent,
      search(({ extra }) => extra.intent),
    ],
    'paymentDesk.ask': [their({}, 'id')],
    'paymentDesk.retryEvent': [{ as: ({ extra }) => ({ id: extra.event }), expect: ['NOT_FOUND'] }],
    'paymentDesk.refund': [their({ reason: '退' }, 'id')],
    'paymentDesk.retryRefund': [{ as: ({ extra }) => ({ id: extra.refund }), expect: ['NOT_FOUND'] }],
    'paymentDesk.reconciliations': [{ as: () => ({}), expect: 'empty' }],
    'paymentDesk.differences': [{ as: () => ({}), expect: 'empty' }],
    'paymentDesk.reconcile': FORBIDDEN({ channel: 'alipay', day: '2026-01-02' }),
    'paymentDesk.resolveDifference': [
      { as: ({ extra }) => ({ id: extra.difference, note: '已核对' }), expect: ['NOT_FOUND'] },
    ],
    'paymentDesk.settings': [own()],
    'paymentDesk.setPrices': FORBIDDEN({ tokenFen: 1, smsHundredFen: 1 }),
    'paymentDesk.agentChannels': [{ as: () => ({}), expect: 'empty' }, byAgent],
    'paymentDesk.setAgentChannels': [
      {
        as: ({ a }) => ({ agentId: a.id, choice: perChannel(() => true) }),
        expect: ['AGENT_UNKNOWN'],
      },
      { as: () => ({ agentId: 0, choice: perChannel(() => true) }), expect: ['FORBIDDEN'] },
    ],
  },
  scoped: [
    'payments.refresh',
    'payments.result',
    'paymentDesk.intents',
    'paymentDesk.find',
    'paymentDesk.intent',
    'paymentDesk.events',
    'paymentDesk.refunds',
    'paymentDesk.ask',
    'paymentDesk.retryEvent',
    'paymentDesk.refund',
    'paymentDesk.retryRefund',
    'paymentDesk.reconciliations',
    'paymentDesk.differences',
    'paymentDesk.resolveDifference',
    'paymentDesk.agentChannels',
    'paymentDesk.setAgentChannels',
  ],
  reads: desk => ({
    'payments.result': async () => ({ queryId: (await started(desk)).queryId }),
    'payments.cashier': async () => ({ token: (await started(desk)).token }),
    'paymentDesk.find': async () => ({ number: UNKNOWN }),
    'paymentDesk.intent': async () => ({ id: (await makePaid(desk.office, desk.partner, 'failed')).intent }),
  }),
  changes: desk => ({
    'payments.startSms': {
      accepted: async () => {
        openChannel(desk.office)
        return desk.asPartner({ packageId: 1 }, '短信充值 4,000条')
      },
      refused: { input: () => ({ pieces: 0 }), code: 'COUNT_REQUIRED' },
    },
    'payments.startTokens': {
      accepted: async () => {
        openChannel(desk.office)
        return desk.asPartner({ tokenCents: 100 }, '代币充值 1.00')
      },
      refused: { input: () => ({ tokenCents: 0 }), code: 'COUNT_REQUIRED' },
    },
    'payments.cashierAttempt': {
      accepted: async () =>
        nobody({ token: (await started(desk)).token, channel: 'alipay' }, '代币充值 1.00'),
      refused: { input: () => ({ token: NO_TOKEN, channel: 'alipay' }), code: 'NOT_FOUND' },
    },
    'payments.cashierInApp': {
      accepted: async () =>
        nobody({ token: (await started(desk)).token, channel: 'wechat', code: 'payer-1' }, '代币充值 1.00'),
      refused: { input: () => ({ token: NO_TOKEN, channel: 'wechat', code: 'payer-1' }), code: 'NOT_FOUND' },
    },
    'paymentDesk.ask': {
      accepted: async () => {
        const { intent } = await makePaid(desk.office, desk.partner)
        return desk.asOperator({ id: intent }, intent)
      },
      refused: { input: () => ({ id: UNKNOWN }), code: 'NOT_FOUND' },
    },
    'paymentDesk.retryEvent': {
      accepted: async () => {
        const { id, eventId } = await makeEvent(desk.office, '通知')
        return desk.asOperator({ id }, eventId)
      },
      refused: { input: () => ({ id: 99_999_999 }), code: 'NOT_FOUND' },
    },
    'paymentDesk.refund': {
      accepted: async () => {
        const { intent } = await makePaid(desk.office, desk.partner)
        return desk.asOperator({ id: intent, reason: '客户要求' }, intent)
      },
      refused: { input: () => ({ id: UNKNOWN, reason: ' ' }), code: 'REASON_REQUIRED' },
    },
    'paymentDesk.retryRefund': {
      accepted: async () => {
        const { id, intent } = await makePaid(desk.office, desk.partner, 'failed')
        return desk.asOperator({ id }, `${intent}AR`)
      },
      refused: { input: () => ({ id: 99_999_999 }), code: 'NOT_FOUND' },
    },
    'paymentDesk.reconcile': {
      accepted: async () => {
        openChannel(desk.office)
        return desk.asOperator({ channel: 'alipay', day: '2026-01-02' }, '支付宝 2026-01-02')
      },
      refused: { input: () => ({ channel: 'alipay', day: '2099-01-01' }), code: 'DAY_OPEN' },
    },
    'paymentDesk.resolveDifference': {
      accepted: async () => {
        const { id, no } = await makeDifference(desk.office)
        return desk.asOperator({ id, note: '已核对' }, no)
      },
      refused: { input: () => ({ id: 99_999_999, note: '已核对' }), code: 'NOT_FOUND' },
    },
    'paymentDesk.setPrices': {
      accepted: async () =>
        desk.asOperator({ tokenFen: 100, smsHundredFen: 400, answered: ['now'] }, '充值价格'),
      refused: { input: () => ({ tokenFen: 0, smsHundredFen: 1 }), code: 'PRICE_INVALID' },
    },
    'paymentDesk.setAgentChannels': {
      accepted: async () =>
        desk.asOperator(
          { agentId: desk.partner.id, choice: { ...perChannel(() => null), alipay: true } },
          `(${desk.partner.id})`,
        ),
      refused: {
        input: () => ({ agentId: 99_999, choice: perChannel(() => null) }),
        code: 'AGENT_UNKNOWN',
      },
    },
  }),
}
