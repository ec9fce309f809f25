// P7 and P9: one intent, and everything that can happen to it at once, in random order: payments by both channels, lost,
// repeated and late callbacks, polls, refreshes, the end of its time, lost answers. Then it comes to rest and is judged.
import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { workOnCallbacks } from '#features/sales/payments/server-callbacks.ts'
import { workOnPayments } from '#features/sales/payments/server-work.ts'
import type { PayChannelName } from '#kit/ports/channels.ts'
import { type PayChannel, type Providers, ProviderUnknown } from '#kit/ports/providers.ts'
import type { Effect } from '#providers/simulator.ts'
import { outTradeNo, type Till } from './make-payments.ts'
import { patient } from './patience.ts'

const CHANNELS: PayChannelName[] = ['wechat', 'alipay']
const PIECES = 100
const REST_WITHIN_MS = 60_000

type Step = { what: (typeof STEPS)[number]; afterMs: number }
const STEPS = [
  'pay by wechat',
  'pay by alipay',
  'pay by wechat, late',
  'pay by alipay, late',
  'fail by wechat',
  'poll',
  'refresh',
  'end',
  'look',
  'look',
  'lose a callback',
  'repeat a callback',
  'reorder callbacks',
  'lose an answer',
  'refuse to answer',
] as const

/** What happens to the calls that make the codes. */
const OPENINGS = [
  'answered',
  'answered',
  'answer lost',
  'never arrived',
  'server error',
  'unreadable',
] as const
type Opening = (typeof OPENINGS)[number]
const EFFECTS: Record<Exclude<Opening, 'answered'>, Effect> = {
  'answer lost': { kind: 'reset-after' },
  'never arrived': { kind: 'reset-before' },
  'server error': { kind: 'status', status: 500 },
  unreadable: { kind: 'malformed' },
}

export type Race = { steps: Step[]; opened: PayChannelName[]; opening: Opening }

export const races: fc.Arbitrary<Race> = fc.record({
  steps: fc.array(fc.record({ what: fc.constantFrom(...STEPS), afterMs: fc.nat({ max: 60 }) }), {
    minLength: 3,
    maxLength: 12,
  }),
  opened: fc.constantFrom<PayChannelName[]>(
    ['wechat', 'alipay'],
    ['alipay', 'wechat'],
    ['wechat'],
    ['alipay'],
  ),
  opening: fc.constantFrom(...OPENINGS),
})

export type Verdict = {
  queryId: string
  paid: PayChannelName[]
  credits: number
  refunds: number
  breaches: string[]
}

/** Runs the race, lets it come to rest, and says what is wrong with where it came to. */
export async function runRace(till: Till, race: Race): Promise<Verdict> {
  const { queryId } = await till.me.payments.startSms({ pieces: PIECES })
  for (const channel of race.opened) await open(till, queryId, channel, race.opening)
  await Promise.all(
    race.steps.map(async ({ what, afterMs }) => {
      await pause(afterMs)
      await act(till, queryId, what)
    }),
  )
  for (const channel of CHANNELS) till.outside.simulators.paying(channel).control.faults.length = 0
  await comeToRest(till, queryId)
  return judge(till, queryId)
}

/** Until its code is there, whatever happens to the first calls. */
async function open(till: Till, queryId: string, channel: PayChannelName, opening: Opening): Promise<void> {
  const { faults } = till.outside.simulators.paying(channel).control
  if (opening !== 'answered') {
    faults.push({ match: channel === 'wechat' ? 'native' : 'precreate', times: 1, effect: EFFECTS[opening] })
    faults.push({ match: 'query', times: 1, effect: EFFECTS[opening] })
  }
  const token = await till.token(queryId)
  await till.office.as(null).payments.cashierAttempt({ token, channel })
  for (let round = 0; round < 20; round++) {
    await till.work()
    const { code } = await till.one<{ code: string | null }>(
      'select code_url as code from payment_attempts where out_trade_no = $1',
      [outTradeNo(queryId, channel)],
    )
    if (code !== null) return
    await till.hurry()
  }
  throw new Error(`${queryId} gets no code of ${channel}`)
}

async function act(till: Till, queryId: string, what: Step['what']): Promise<void> {
  const { services } = till.office.app
  const { simulators } = till.outside
  const channel: PayChannelName = Math.random() < 0.5 ? 'wechat' : 'alipay'
  const fault = (match: string, effect: Effect) =>
    simulators.paying(channel).control.faults.push({ match, times: 1, effect })
  if (what.startsWith('pay by') || what.startsWith('fail by')) {
    const payer = what.includes('wechat') ? 'wechat' : 'alipay'
    return pay(till, queryId, payer, { late: what.endsWith('late'), fails: what.startsWith('fail') })
  }
  // Whatever a page is told here is no breach: the order may be over.
  if (what === 'poll') await till.me.payments.result({ queryId })
  else if (what === 'refresh') await till.me.payments.refresh({ queryId }).catch(() => undefined)
  else if (what === 'end') await till.end(queryId)
  else if (what === 'lose a callback') fault('notify', { kind: 'callback-drop' })
  else if (what === 'repeat a callback') fault('notify', { kind: 'callback-duplicate' })
  else if (what === 'reorder callbacks') fault('notify', { kind: 'callback-reorder' })
  else if (what === 'lose an answer') fault('*', { kind: 'reset-after' })
  else if (what === 'refuse to answer') fault('query', { kind: 'status', status: 503 })
  else {
    await till.hurry()
    // Two instances look at once.
    await Promise.all([workOnPayments(services), workOnCallbacks(services), workOnPayments(services)])
  }
}

/** Where it can be paid; a phone is told that it cannot where the code has ended. */
async function pay(
  till: Till,
  queryId: string,
  channel: PayChannelName,
  { late, fails }: { late: boolean; fails: boolean },
): Promise<void> {
  const row = await till.one<{ code_url: string | null }>(
    'select code_url from payment_attempts where out_trade_no = $1',
    [outTradeNo(queryId, channel)],
  )
  const code = row?.code_url
  if (code == null) return
  const outcome = fails ? 'failed' : 'paid'
  if (channel === 'alipay') till.outside.simulators.alipay.pay({ code, outcome, late })
  else
    try {
      till.outside.simulators.wechat.pay({ code, payer: 'payer', outcome, late })
    } catch (error) {
      if ((error as { code?: string }).code === undefined) throw error
    }
}

/** Its time ends, every channel is asked until it has answered, every callback is recorded, every refund has ended. */
async function comeToRest(till: Till, queryId: string): Promise<void> {
  const { services } = till.office.app
  await till.end(queryId)
  const startedAt = performance.now()
  for (;;) {
    await till.hurry()
    await workOnPayments(services)
    await workOnCallbacks(services)
    const { open } = await till.one<{ open: number }>(
      `select (select count(*) from payment_intents where id = $1 and status = 'waiting')
         + (select count(*) from payment_attempts where intent_id = $1 and (status in ('creating', 'waiting', 'unknown') or ask_at is not null))
         + (select count(*) from payment_refunds r join payment_attempts a on a.id = r.attempt_id
            where a.intent_id = $1 and r.status in ('wanted', 'processing'))
         + (select count(*) from provider_events where status = 'kept' and out_trade_no like $1 || '_') as open`,
      [queryId],
    )
    if (Number(open) === 0) return
    if (performance.now() - startedAt > patient(REST_WITHIN_MS))
      throw new Error(`${queryId} does not come to rest`)
    await pause(10)
  }
}

/** What the channels say they were paid. */
async function paidAt(
  till: Till,
  queryId: string,
): Promise<{ channel: PayChannelName; refundedFen: number }[]> {
  const { wechat, alipay } = till.outside.simulators
  const native = wechat.orders().find(order => order.outTradeNo === outTradeNo(queryId, 'wechat'))
  const answer = await fetch(`${alipay.url}/__sim/orders`)
  const { orders } = (await answer.json()) as {
    orders: {
      outTradeNo: string
      trade: { paidAt: string | null; refunds: { amountFen: number }[] } | null
    }[]
  }
  const scanned = orders.find(order => order.outTradeNo === outTradeNo(queryId, 'alipay'))?.trade
  const sum = (list: { refundFen?: number; amountFen?: number; status?: string }[]) =>
    list
      .filter(({ status = 'SUCCESS' }) => status === 'SUCCESS')
      .reduce((fen, { refundFen, amountFen }) => fen + (refundFen ?? amountFen ?? 0), 0)
  return [
    ...(native?.paidAt ? [{ channel: 'wechat' as const, refundedFen: sum(native.refunds) }] : []),
    ...(scanned?.paidAt ? [{ channel: 'alipay' as const, refundedFen: sum(scanned.refunds) }] : []),
  ]
}

async function judge(till: Till, queryId: string): Promise<Verdict> {
  const paid = await paidAt(till, queryId)
  const row = await till.one<{
    status: string
    credits: number
    pieces: number
    refunds: number
    amount: number
    order: string
  }>(
    `select i.status, i.amount_fen::int as amount, o.status as order,
       (select count(*)::int from ledger_transfers t where t.document = i.order_no and t.kind = 'sms-recharge') as credits,
       (select coalesce(sum(t.amount), 0)::int from ledger_transfers t where t.document = i.order_no) as pieces,
       (select count(*)::int from payment_refunds r join payment_attempts a on a.id = r.attempt_id where a.intent_id = i.id) as refunds
     from payment_intents i join sms_orders o on o.order_no = i.order_no where i.id = $1`,
    [queryId],
  )
  const due = paid.length > 0 ? 1 : 0
  const breaches: string[] = []
  const must = (holds: boolean, what: string) => {
    if (!holds)
      breaches.push(
        `${queryId}: ${what} (paid by ${paid.map(one => one.channel).join(' and ') || 'nobody'}, ${JSON.stringify(row)})`,
      )
  }
  must(row.credits === due && row.pieces === due * PIECES, 'was not credited exactly what was paid')
  must((row.status === 'paid') === (due === 1), 'has another status than its payments')
  must((row.order === 'paid') === (due === 1), 'has an order of another status')
  must(row.refunds === Math.max(0, paid.length - 1), 'has not a refund for each further payment')
  const returned = paid.reduce((fen, one) => fen + one.refundedFen, 0)
  must(returned === Math.max(0, paid.length - 1) * row.amount, `returned ${returned} fen`)
  return { queryId, paid: paid.map(one => one.channel), credits: row.credits, refunds: row.refunds, breaches }
}

export type CallLog = { creates: number; unknown: number; blind: string[] }

/**
 * Watches what is sent to the channels. Blind: an order or refund that is sent again although nobody knows what became of
 * it, without its channel having been asked since.
 */
export function watchCalls(log: CallLog): (providers: Providers) => Providers {
  return providers => ({
    ...providers,
    pay: Object.fromEntries(
      Object.entries(providers.pay).map(([name, channel]) => [name, watched(channel, log)]),
    ) as Providers['pay'],
  })
}

function watched(channel: PayChannel, log: CallLog): PayChannel {
  const open = new Set<string>()
  const sends = async <T>(number: string, call: () => Promise<T>): Promise<T> => {
    log.creates++
    if (open.has(number)) log.blind.push(`${channel.name} ${number}`)
    open.add(number)
    try {
      const answer = await call()
      open.delete(number)
      return answer
    } catch (error) {
      if (error instanceof ProviderUnknown) log.unknown++
      else open.delete(number)
      throw error
    }
  }
  const asks = async <T>(number: string, call: () => Promise<T>): Promise<T> => {
    const answer = await call()
    open.delete(number)
    return answer
  }
  return {
    ...channel,
    create: order => sends(order.outTradeNo, () => channel.create(order)),
    query: number => asks(number, () => channel.query(number)),
    refund: order => sends(order.refundNo, () => channel.refund(order)),
    queryRefund: (number, refundNo) => asks(refundNo, () => channel.queryRefund(number, refundNo)),
  }
}
