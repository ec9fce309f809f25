// P8: callbacks as a channel, or somebody else, may send them: right, forged, stale, for another amount, currency or merchant,
// for nothing of ours, again and again, in any order and at once. They are signed here, by code that is no client's.
import { createCipheriv, createSign, randomBytes, randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { SURROUNDINGS } from '#app/providers.ts'
import { workOnCallbacks } from '#features/sales/payments/server-callbacks.ts'
import type { PayChannelName } from '#kit/ports/channels.ts'
import type { PayCallback, PayChannel, Providers } from '#kit/ports/providers.ts'
import { makeAlipay } from '#providers/alipay/client.ts'
import { alipaySettingsFor, makeAlipayKeys } from '#providers/alipay/simulator.ts'
import { makeWechatPay } from '#providers/wechat-pay/client.ts'
import { makeWechatPayKeys, settingsFor } from '#providers/wechat-pay/simulator.ts'
import type { Office } from './app.ts'

export const AMOUNT_FEN = 500
export const PIECES = 100
const NOWHERE = 'http://127.0.0.1:9'

const KINDS = [
  'right',
  'right',
  'forged',
  'altered',
  'stale',
  'wrong amount',
  'wrong currency',
  'wrong merchant',
  'unknown order',
  'closed',
] as const
type Kind = (typeof KINDS)[number]
export type Sequence = { channel: PayChannelName; messages: { kind: Kind; times: number }[]; atOnce: boolean }

export const sequences: fc.Arbitrary<Sequence> = fc.record({
  channel: fc.constantFrom<PayChannelName[]>('wechat', 'alipay'),
  messages: fc.array(fc.record({ kind: fc.constantFrom(...KINDS), times: fc.integer({ min: 1, max: 3 }) }), {
    minLength: 1,
    maxLength: 5,
  }),
  atOnce: fc.boolean(),
})

/** Alipay's amounts are CNY always, and it signs no time that could be stale. */
function isPossible(channel: PayChannelName, kind: Kind): boolean {
  return channel === 'wechat' || (kind !== 'wrong currency' && kind !== 'stale')
}

type Message = { body: string; headers: Record<string, string> }
export type Signer = {
  providers(base: Providers): Providers
  make(channel: PayChannelName, kind: Kind, no: string): Message
  /** Wrong on purpose: channels that take any amount, or any key's signature. */
  believingAmounts(providers: Providers): Providers
  believingForgers(providers: Providers): Providers
}

export function makeSigner(): Signer {
  const wechat = makeWechatPayKeys()
  const alipay = makeAlipayKeys()
  return {
    providers: base => ({
      ...base,
      pay: {
        wechat: makeWechatPay(settingsFor(wechat, NOWHERE, { mode: 'public-key' }), SURROUNDINGS),
        alipay: makeAlipay(alipaySettingsFor(alipay, NOWHERE), SURROUNDINGS),
      },
    }),
    believingAmounts: providers =>
      withCallbacks(providers, async (channel, headers, body) => {
        const callback = await channel.readCallback(headers, body)
        if (callback.kind !== 'payment') return callback
        return { ...callback, fact: { ...callback.fact, amountFen: AMOUNT_FEN, currency: 'CNY' } }
      }),
    believingForgers: providers => {
      const settings = alipaySettingsFor({ ...alipay, alipayPublicKey: alipay.appPublicKey }, NOWHERE)
      const forged = makeAlipay(settings, SURROUNDINGS)
      return withCallbacks(providers, (channel, headers, body) =>
        channel.readCallback(headers, body).catch(error => {
          if (channel.name !== 'alipay') throw error
          return forged.readCallback(headers, body)
        }),
      )
    },
    make(channel, kind, outTradeNo) {
      const no = kind === 'unknown order' ? `9${outTradeNo}` : outTradeNo
      return channel === 'wechat' ? ofWechat(wechat, kind, no) : ofAlipay(alipay, kind, no)
    },
  }
}

type Read = (channel: PayChannel, ...call: Parameters<PayChannel['readCallback']>) => Promise<PayCallback>

function withCallbacks(providers: Providers, read: Read): Providers {
  const pay = Object.fromEntries(
    Object.entries(providers.pay).map(([name, channel]) => [
      name,
      {
        ...channel,
        readCallback: (...call: Parameters<PayChannel['readCallback']>) => read(channel, ...call),
      },
    ]),
  )
  return { ...providers, pay: pay as Providers['pay'] }
}

function ofWechat(keys: ReturnType<typeof makeWechatPayKeys>, kind: Kind, outTradeNo: string): Message {
  const { direct } = keys
  const transaction = {
    mchid: kind === 'wrong merchant' ? '1900009999' : direct.mchid,
    appid: direct.appid,
    out_trade_no: outTradeNo,
    transaction_id: `42${randomUUID().replaceAll('-', '')}`.slice(0, 32),
    trade_state: kind === 'closed' ? 'CLOSED' : 'SUCCESS',
    success_time: new Date().toISOString(),
    amount: {
      total: kind === 'wrong amount' ? AMOUNT_FEN - 1 : AMOUNT_FEN,
      currency: kind === 'wrong currency' ? 'USD' : 'CNY',
    },
  }
  const nonce = randomBytes(6).toString('hex')
  const cipher = createCipheriv('aes-256-gcm', direct.apiV3Key, nonce)
  cipher.setAAD(Buffer.from('transaction'))
  const sealed = Buffer.concat([
    cipher.update(JSON.stringify(transaction)),
    cipher.final(),
    cipher.getAuthTag(),
  ])
  const body = JSON.stringify({
    id: randomUUID(),
    create_time: new Date().toISOString(),
    event_type: 'TRANSACTION.SUCCESS',
    resource_type: 'encrypt-resource',
    resource: {
      algorithm: 'AEAD_AES_256_GCM',
      original_type: 'transaction',
      associated_data: 'transaction',
      nonce,
      ciphertext: sealed.toString('base64'),
    },
  })
  const seconds = Math.floor(Date.now() / 1_000) - (kind === 'stale' ? 900 : 0)
  // A forger has a key of its own.
  const key = kind === 'forged' ? direct.privateKeyPem : keys.publicKey.privateKeyPem
  const signature = createSign('RSA-SHA256').update(`${seconds}\n${nonce}\n${body}\n`).sign(key, 'base64')
  return {
    body: kind === 'altered' ? body.replace('transaction"', 'transaction" ') : body,
    headers: {
      'content-type': 'application/json',
      'wechatpay-timestamp': String(seconds),
      'wechatpay-nonce': nonce,
      'wechatpay-serial': keys.publicKey.id,
      'wechatpay-signature': signature,
    },
  }
}

function ofAlipay(keys: ReturnType<typeof makeAlipayKeys>, kind: Kind, outTradeNo: string): Message {
  const now = new Date(Date.now() + 28_800_000).toISOString().slice(0, 19).replace('T', ' ')
  const fields: Record<string, string> = {
    app_id: keys.appId,
    buyer_logon_id: '138****0001',
    gmt_create: now,
    gmt_payment: now,
    notify_id: randomUUID(),
    notify_time: now,
    notify_type: 'trade_status_sync',
    out_trade_no: outTradeNo,
    seller_id: kind === 'wrong merchant' ? '2088000000000000' : keys.sellerId,
    subject: '短信充值 100条',
    total_amount: kind === 'wrong amount' ? '0.01' : '5.00',
    trade_no: randomUUID().replaceAll('-', ''),
    trade_status: kind === 'closed' ? 'TRADE_CLOSED' : 'TRADE_SUCCESS',
  }
  if (kind === 'closed') {
    delete fields.gmt_payment
    fields.gmt_close = now
  }
  const text = Object.keys(fields)
    .sort()
    .map(name => `${name}=${fields[name]}`)
    .join('&')
  const key = kind === 'forged' ? keys.appPrivateKey : keys.alipayPrivateKey
  const sign = createSign('RSA-SHA256').update(text).sign(key, 'base64')
  const sent = {
    ...fields,
    ...(kind === 'altered' ? { subject: '短信充值 999条' } : {}),
    sign_type: 'RSA2',
    sign,
  }
  return {
    body: new URLSearchParams(sent).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
  }
}

/** So many orders that wait for their payment, each with an attempt of both channels that nobody asks about. */
export async function makeWaiting(office: Office, agent: { id: number; accountId: number }, count: number) {
  const { rows } = await office.owner.query<{ id: string }>(
    `with numbers as (select next_order_no() as no from generate_series(1, $3)),
       o as (insert into sms_orders (order_no, agent_id, kind, name, pieces, original_cents, discount_basis_points, total_cents, pay_method,
           status, created_by, created_by_name, created_at)
         select no, $1, 'recharge', '短信充值', ${PIECES}, ${AMOUNT_FEN}, 10000, ${AMOUNT_FEN}, 'wechat', 'quoted', $2, '姓名', now() from numbers),
       i as (insert into payment_intents (id, agent_id, account_id, account_name, business_type, asset, order_no, amount_fen, subject, token,
           display_until, status, created_at, expires_at)
         select no, $1, $2, '姓名', 11, 'sms', no, ${AMOUNT_FEN}, '短信充值 100条', md5(random()::text), now(), 'waiting', now(),
           now() + interval '600 seconds' from numbers returning id),
       a as (insert into payment_attempts (intent_id, agent_id, channel, out_trade_no, amount_fen, status, created_at, updated_at)
         select id, $1, c.name, id || c.letter, ${AMOUNT_FEN}, 'waiting', now(), now()
         from i, (values ('wechat', 'W'), ('alipay', 'A')) c(name, letter))
     select id from i`,
    [agent.id, agent.accountId, count],
  )
  return rows.map(row => row.id)
}

/** Sends a sequence about one order; answers how many distinct callbacks had to be kept. */
export async function send(
  office: Office,
  signer: Signer,
  queryId: string,
  sequence: Sequence,
): Promise<number> {
  const { channel } = sequence
  const no = `${queryId}${channel === 'wechat' ? 'W' : 'A'}`
  const possible = sequence.messages.filter(({ kind }) => isPossible(channel, kind))
  const calls = possible.flatMap(({ kind, times }) => {
    const message = signer.make(channel, kind, no)
    return Array.from({ length: times }, () => ({ kind, message }))
  })
  const one = async ({ kind, message }: (typeof calls)[number]) => {
    const answer = await office.app.http.inject({
      method: 'POST',
      url: `/callbacks/pay/${channel}`,
      headers: message.headers,
      payload: message.body,
    })
    const isKept = answer.statusCode === 200 && answer.body !== 'failure'
    if (isKept !== isGenuine(kind))
      throw new Error(`a callback that is ${kind} was answered ${answer.statusCode} ${answer.body}`)
  }
  if (sequence.atOnce) await Promise.all([...calls.map(one), workOnCallbacks(office.app.services)])
  else for (const call of calls) await one(call)
  return possible.filter(({ kind }) => isGenuine(kind)).length
}

/** Signed by the channel, for this merchant, and new: kept, whatever it says. */
function isGenuine(kind: Kind): boolean {
  return kind !== 'forged' && kind !== 'altered' && kind !== 'stale' && kind !== 'wrong merchant'
}

/** What is wrong with where an order came to after its sequence; empty where nothing is. */
export async function judge(
  office: Office,
  queryId: string,
  sequence: Sequence,
  keptEvents: number,
): Promise<string[]> {
  const due = sequence.messages.some(({ kind }) => kind === 'right') ? 1 : 0
  const { rows } = await office.owner.query<Record<string, unknown>>(
    `select i.status, o.status as order,
       (select count(*)::int from ledger_transfers t where t.document = i.order_no) as credits,
       (select coalesce(sum(amount), 0)::int from ledger_transfers t where t.document = i.order_no) as pieces,
       (select count(*)::int from payment_refunds r join payment_attempts a on a.id = r.attempt_id where a.intent_id = i.id) as refunds,
       (select count(*)::int from provider_events e where e.out_trade_no in (i.id || 'W', i.id || 'A', '9' || i.id || 'W', '9' || i.id || 'A')) as events,
       (select count(*)::int from provider_events e where e.out_trade_no in (i.id || 'W', i.id || 'A') and e.status in ('kept', 'unmatched')) as strays
     from payment_intents i join sms_orders o on o.order_no = i.order_no where i.id = $1`,
    [queryId],
  )
  const expected = {
    status: due ? 'paid' : 'waiting',
    order: due ? 'paid' : 'quoted',
    credits: due,
    pieces: due * PIECES,
    refunds: 0,
    events: keptEvents,
    strays: 0,
  }
  return Object.entries(expected)
    .filter(([name, value]) => rows[0]?.[name] !== value)
    .map(
      ([name, value]) =>
        `${queryId} ${name} is ${rows[0]?.[name]}, not ${value}: ${JSON.stringify(sequence)}`,
    )
}
