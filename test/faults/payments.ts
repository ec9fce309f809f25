// npm run faults -- payments: P7, P8 and P9 at length. Orders raced by callback, poll, expiry and second channel; sequences of
// callbacks; calls without an answer; the program killed while callbacks come, between a shop's payment and its renewal, and while deposits are
// paid and go back. Each with wrong variants, which must be caught.
// Prints one line of figures per part; exits 1 where anything was credited, lost or sent wrongly, or a variant went unseen.
//   --races N (1000)   --sequences N (10000)   --kills N (8)   --only races|sequences|kills|renewals|deposits|variants
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { NO_PROVIDERS } from '#app/providers.ts'
import { workOnCallbacks } from '#features/sales/payments/server-callbacks.ts'
import type { Providers } from '#kit/ports/providers.ts'
import { type Office, openOffice } from '../app.ts'
import { makeAgent } from '../make.ts'
import { openTill, type Till } from '../make-payments.ts'
import {
  judge,
  makeSigner,
  makeWaiting,
  type Sequence,
  type Signer,
  send,
  sequences,
} from '../payment-callbacks.ts'
import { type CallLog, races, runRace, watchCalls } from '../payment-races.ts'
import { killDuringDeposits, sendTwice } from './deposits-killed.ts'
import { killDuringCallbacks } from './payments-killed.ts'
import { forgetRenewals, killDuringRenewals } from './renewals-killed.ts'

const CHUNK = 200
const VARIANT_KILLS = 2

const { values } = parseArgs({
  args: process.argv.slice(2).filter(argument => argument !== 'payments'),
  options: {
    races: { type: 'string', default: '1000' },
    sequences: { type: 'string', default: '10000' },
    kills: { type: 'string', default: '8' },
    only: { type: 'string', default: '' },
  },
})
const wanted = (part: string) => values.only === '' || values.only === part

let failed = false
function tell(
  part: string,
  holds: boolean,
  figures: Record<string, unknown>,
  breaches: readonly string[] = [],
): void {
  failed ||= !holds
  for (const breach of breaches.slice(0, 5)) process.stdout.write(`breach: ${breach}\n`)
  const text = Object.entries(figures).map(([name, value]) => `${name}=${value}`)
  process.stdout.write(`${part} ${holds ? 'passed' : 'FAILED'} ${text.join(' ')}\n`)
}

if (wanted('races')) {
  const found = await raceAll(Number(values.races))
  tell('P7/P9 races', found.breaches.length === 0 && found.blind === 0, figuresOf(found), found.breaches)
}
if (wanted('sequences')) {
  const found = await sendAll(Number(values.sequences), makeSigner())
  tell('P8 sequences', found.breaches.length === 0, figuresOf(found), found.breaches)
}
if (wanted('variants')) await tryVariants()
if (wanted('kills')) {
  const found = await killDuringCallbacks(Number(values.kills))
  tell('P8 killed during callbacks', found.breaches.length === 0, figuresOf(found), found.breaches)
}
if (wanted('renewals')) {
  const found = await killDuringRenewals(Number(values.kills))
  tell('online renewals killed', found.breaches.length === 0, figuresOf(found), found.breaches)
  const { breaches } = await killDuringRenewals(VARIANT_KILLS, { spoil: forgetRenewals })
  const twice = breaches.filter(breach => / with [2-9] orders/.test(breach)).length
  tell('variant: a renewal is bought without its state', twice > 0, { caught: twice })
}
if (wanted('deposits')) {
  const found = await killDuringDeposits(Number(values.kills))
  tell('deposits killed', found.breaches.length === 0, figuresOf(found), found.breaches)
  const { breaches } = await killDuringDeposits(1, { spoil: sendTwice, parts: [20_000] })
  const twice = breaches.filter(breach => / and 2 refunds/.test(breach)).length
  tell('variant: what goes back is sent under two numbers', twice > 0, { caught: twice })
}
process.exitCode = failed ? 1 : 0

function figuresOf<F extends { breaches: readonly string[] }>(found: F) {
  return { ...found, breaches: found.breaches.length }
}

type Raced = {
  races: number
  payments: number
  both: number
  credits: number
  refunds: number
  sent: number
  unknown: number
  blind: number
  ledger: string
  breaches: string[]
}

/** `spoil` takes a guard away once the office is open; `lie` stands between the product and its channels. */
async function raceAll(
  count: number,
  {
    spoil,
    lie = same => same,
  }: { spoil?: (till: Till) => Promise<void>; lie?: (providers: Providers) => Providers } = {},
): Promise<Raced> {
  const log: CallLog = { creates: 0, unknown: 0, blind: [] }
  const watch = watchCalls(log)
  const till = await openTill({ timeoutMs: 2_000, around: providers => lie(watch(providers)) })
  const found: Raced = {
    races: 0,
    payments: 0,
    both: 0,
    credits: 0,
    refunds: 0,
    sent: 0,
    unknown: 0,
    blind: 0,
    ledger: '',
    breaches: [],
  }
  try {
    await spoil?.(till)
    for (const race of fc.sample(races, count)) {
      const verdict = await runRace(till, race)
      found.races++
      found.payments += verdict.paid.length
      found.both += verdict.paid.length === 2 ? 1 : 0
      found.credits += verdict.credits
      found.refunds += verdict.refunds
      found.breaches.push(...verdict.breaches)
    }
    Object.assign(found, { sent: log.creates, unknown: log.unknown, blind: log.blind.length })
    found.ledger = await soundness(till.office)
    if (found.ledger !== 'sound') found.breaches.push(found.ledger)
  } finally {
    await till.stop()
  }
  return found
}

async function soundness(office: Office): Promise<string> {
  try {
    await office.verifyLedger()
    return 'sound'
  } catch (error) {
    return (error as Error).message
  }
}

type Sent = {
  sequences: number
  callbacks: number
  kept: number
  credits: number
  ledger: string
  breaches: string[]
}

async function sendAll(
  count: number,
  signer: Signer,
  {
    spoil,
    lie = same => same,
  }: { spoil?: (office: Office) => Promise<void>; lie?: (providers: Providers) => Providers } = {},
): Promise<Sent> {
  const office = await openOffice({ providers: lie(signer.providers(NO_PROVIDERS)) })
  const found: Sent = { sequences: 0, callbacks: 0, kept: 0, credits: 0, ledger: '', breaches: [] }
  try {
    const agent = await makeAgent(office)
    await spoil?.(office)
    while (found.sequences < count) {
      const tried = fc.sample(sequences, Math.min(CHUNK, count - found.sequences)) as Sequence[]
      await sendChunk(office, signer, agent, tried, found)
    }
    const { rows } = await office.owner.query<{ count: number }>(
      `select count(*)::int as count from ledger_transfers where kind = 'sms-recharge'`,
    )
    found.credits = rows[0]?.count ?? 0
    found.ledger = await soundness(office)
    if (found.ledger !== 'sound') found.breaches.push(found.ledger)
  } finally {
    await office.stop()
  }
  return found
}

async function sendChunk(
  office: Office,
  signer: Signer,
  agent: { id: number; accountId: number },
  tried: readonly Sequence[],
  found: Sent,
): Promise<void> {
  const ids = await makeWaiting(office, agent, tried.length)
  const kept: number[] = []
  for (const [i, sequence] of tried.entries()) {
    found.callbacks += sequence.messages.reduce((sum, { times }) => sum + times, 0)
    try {
      kept.push(await send(office, signer, ids[i] as string, sequence))
    } catch (error) {
      found.breaches.push((error as Error).message)
      kept.push(-1)
    }
  }
  await workOnCallbacks(office.app.services)
  for (const [i, sequence] of tried.entries()) {
    found.breaches.push(...(await judge(office, ids[i] as string, sequence, kept[i] as number)))
    found.kept += Math.max(0, kept[i] as number)
  }
  found.sequences += tried.length
}

/** The database forgets that these were paid: the conditional updates that settle once hold nothing back any more. */
function forget(...tables: string[]): (office: Office) => Promise<void> {
  return async office => {
    await office.owner.query(`create function forget() returns trigger language plpgsql as $$
      begin new.status := old.status; return new; end $$`)
    for (const table of tables)
      await office.owner.query(
        `create trigger forget before update of status on ${table} for each row when (new.status = 'paid') execute function forget()`,
      )
  }
}

/** The program with one guard taken away, each of which a run must catch. */
async function tryVariants(): Promise<void> {
  const signer = makeSigner()
  const variants: [name: string, run: () => Promise<{ breaches: string[]; blind?: number }>][] = [
    [
      'an intent is settled without its condition',
      () => raceAll(60, { spoil: till => forget('payment_intents', 'sms_orders')(till.office) }),
    ],
    ['a channel is not asked before an order is sent again', () => raceAll(60, { lie: neverAsk })],
    [
      'callbacks settle without their conditions',
      () => sendAll(CHUNK, signer, { spoil: forget('payment_attempts', 'payment_intents', 'sms_orders') }),
    ],
    ['callbacks are not told apart by their number', () => sendAll(CHUNK, signer, { spoil: numberAnew })],
    [
      'the amount of a callback is not compared',
      () => sendAll(CHUNK, signer, { lie: signer.believingAmounts }),
    ],
    [
      'the signature of a callback is not verified',
      () => sendAll(CHUNK, signer, { lie: signer.believingForgers }),
    ],
  ]
  for (const [name, run] of variants) {
    const { breaches, blind = 0 } = await run()
    tell(`variant: ${name}`, breaches.length + blind > 0, { caught: breaches.length + blind })
  }
}

/** Every callback gets a number of its own before it is kept. */
async function numberAnew(office: Office): Promise<void> {
  await office.owner.query(`create function number_anew() returns trigger language plpgsql as $$
    begin new.event_id := new.event_id || gen_random_uuid(); return new; end $$`)
  await office.owner.query(
    'create trigger number_anew before insert on provider_events for each row execute function number_anew()',
  )
}

/** Says that nobody has paid, without asking. */
function neverAsk(providers: Providers): Providers {
  return {
    ...providers,
    pay: Object.fromEntries(
      Object.entries(providers.pay).map(([name, channel]) => [
        name,
        {
          ...channel,
          query: async (outTradeNo: string) => ({
            outTradeNo,
            state: 'waiting' as const,
            transactionId: null,
            amountFen: null,
            currency: 'CNY',
            paidAt: null,
            payer: null,
            providerState: '',
          }),
        },
      ]),
    ) as Providers['pay'],
  }
}
