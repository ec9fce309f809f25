// Demo rows of deposits, one in each state, with what was paid and given back of them.
import { randomBytes } from 'node:crypto'
import { demoNo, post } from '#features/money/ledger/demo.ts'
import {
  DEMO_AGENTS,
  demoOperator,
  demoSeller,
  demoStaff,
  type Person,
} from '#features/office/access/demo.ts'
import { BUSINESS_TYPES, outTradeNoOf, refundNoOf } from '#features/sales/payments/rules.ts'
import { paymentAttempts, paymentIntents, paymentRefunds } from '#features/sales/payments/tables.ts'
import { type DemoShop, demoShops, isInUse } from '#features/sales/selling/demo.ts'
import { formatDay } from '#kit/time.ts'
import { ago, type Demo, later, workHour } from '#server/demo.ts'
import { depositRow } from './rows.ts'
import { type DepositKind, REQUEST_KINDS, type RequestKind } from './rules.ts'
import { depositPayments, depositRequests, deposits } from './tables.ts'

type Part = { kind: RequestKind; fen: number; reason: string; isAsked?: true; isByHand?: true }
type Sample = {
  daysAgo: number
  kind: DepositKind
  subject: string
  fen: number
  cancelReason?: string
  isPaid?: true
  parts?: readonly Part[]
}

const SAMPLES: readonly Sample[] = [
  { daysAgo: 96, kind: 'device', subject: '刷脸支付终端 1 台', fen: 80_000, isPaid: true },
  {
    ...{ daysAgo: 75, kind: 'device', subject: '扫码机 2 台', fen: 60_000, isPaid: true },
    parts: [
      { kind: 'return', fen: 40_000, reason: '退回 1 台，设备完好' },
      { kind: 'keep', fen: 20_000, reason: '1 台屏幕损坏，按协议扣留' },
    ],
  },
  {
    ...{ daysAgo: 48, kind: 'channel', subject: '支付渠道保证金', fen: 200_000, isPaid: true },
    parts: [{ kind: 'return', fen: 50_000, reason: '交易额达标，退还部分保证金', isByHand: true }],
  },
  {
    ...{ daysAgo: 30, kind: 'device', subject: '扫码机 1 台', fen: 30_000, isPaid: true },
    parts: [{ kind: 'return', fen: 30_000, reason: '商户停业，设备已寄回', isAsked: true }],
  },
  {
    ...{ daysAgo: 20, kind: 'channel', subject: '渠道保证金', fen: 100_000 },
    cancelReason: '商户改用其他渠道',
  },
  { daysAgo: 2, kind: 'device', subject: '收银称 1 台', fen: 45_000 },
]

export function demo(demo: Demo): void {
  const at = ago(demo, 100)
  demo.history.at(at, () => {
    const shops = demoShops(demo).filter(
      shop => shop.agentId === DEMO_AGENTS.first && isInUse(shop, at) && isInUse(shop, ago(demo, 0)),
    )
    for (const [place, sample] of SAMPLES.entries()) {
      const shop = shops[place]
      if (shop) demo.history.at(workHour(demo, sample.daysAgo), askedAt => add(demo, shop, sample, askedAt))
    }
  })
}

const token = () => randomBytes(24).toString('base64url')

function add(demo: Demo, shop: DemoShop, sample: Sample, askedAt: string): void {
  const { agentId } = shop
  const merchantId = shop.id as number
  const by = demoStaff(demo)
  const orderNo = demoNo(demo, askedAt)
  const deposit = demo.history.add(
    deposits,
    depositRow({
      ...{ orderNo, agentId, merchantId, code: token(), askedAt },
      ...{ kind: sample.kind, subject: sample.subject, amountFen: sample.fen },
      ...{ askedBy: by.id, askedByName: by.name },
      ...(sample.cancelReason !== undefined && {
        ...{ state: 'cancelled', cancelReason: sample.cancelReason, cancelledByName: by.name },
        cancelledAt: later(demo, askedAt, 20),
      }),
    }),
  )
  if (!sample.isPaid) return
  const paidAt = later(demo, askedAt, 1)
  demo.history.at(paidAt, () => {
    const payment = pay(demo, shop, deposit, paidAt)
    for (const [place, part] of (sample.parts ?? []).entries())
      demo.history.at(later(demo, paidAt, 48 * (place + 1)), asked =>
        take(demo, { deposit, attempt: payment, part, asked, place }),
      )
  })
}

type Deposit = typeof deposits.$inferInsert
type Attempt = typeof paymentAttempts.$inferInsert

function pay(demo: Demo, shop: DemoShop, deposit: Deposit, paidAt: string): Attempt {
  const { agentId, merchantId, amountFen } = deposit
  const createdAt = new Date(Date.parse(paidAt) - 60_000).toISOString()
  const [intentId, orderNo] = [demoNo(demo, createdAt), demoNo(demo, createdAt)]
  demo.history.add(paymentIntents, {
    ...{ id: intentId, agentId, accountId: 0, accountName: shop.shopName },
    ...{ businessType: BUSINESS_TYPES.deposit, asset: 'deposit', orderNo, amountFen },
    subject: `${shop.shopName} 押金：${deposit.subject}`,
    ...{ token: token(), displayUntil: createdAt, status: 'paid', paidBy: 'wechat' },
    ...{ createdAt, expiresAt: later(demo, createdAt, 1 / 6), paidAt, askedAt: paidAt },
  })
  const attempt = demo.history.add(paymentAttempts, {
    ...{ intentId, agentId, channel: 'wechat', outTradeNo: outTradeNoOf(intentId, 'wechat'), amountFen },
    ...{ status: 'paid', transactionId: `44${intentId}`, payer: '138****0003', paidAt },
    ...{ providerWords: 'SUCCESS', createdAt, updatedAt: paidAt, asked: 1 },
  })
  demo.history.add(depositPayments, {
    ...{ depositId: deposit.id as number, agentId, merchantId, orderNo, intentId },
    ...{ state: 'paid', createdAt },
  })
  Object.assign(deposit, { state: 'held', heldFen: amountFen, intentId, payMethod: 'wechat', paidAt })
  post(demo, {
    ...{ kind: 'deposit-paid', asset: 'deposit', amount: amountFen },
    from: { kind: 'vendor', book: 'payment-clearing' },
    to: { kind: 'merchant', id: merchantId },
    ...{ document: deposit.orderNo, merchantId, payMethod: 'wechat', agentId, at: paidAt, by: null },
    description: `押金收取：${deposit.subject}`,
  })
  return attempt
}

type Taken = { deposit: Deposit; attempt: Attempt; part: Part; asked: string; place: number }

/** Asked for by the shop's agent, what is kept by staff; decided by the operator. Its row names its refund, which stands before it. */
function take(demo: Demo, { deposit, attempt, part, asked, place }: Taken): void {
  const { agentId, merchantId } = deposit
  const { kind, fen, reason } = part
  const asker: Person = kind === 'keep' ? demoStaff(demo) : demoSeller(demo, agentId)
  const request = {
    ...{ depositId: deposit.id as number, agentId, merchantId, kind, amountFen: fen, reason },
    state: 'asked',
    ...{ askedBy: asker.id, askedByName: asker.name, askedAt: asked },
  } as const
  if (part.isAsked) {
    demo.history.add(depositRequests, request)
    Object.assign(deposit, { state: 'deciding' })
    return
  }
  const by = demoOperator(demo)
  demo.history.at(later(demo, asked, 3), decidedAt => {
    const heldFen = (deposit.heldFen ?? 0) - fen
    Object.assign(deposit, {
      ...{ heldFen, state: heldFen === 0 ? 'settled' : 'held' },
      settledAt: heldFen === 0 ? decidedAt : null,
      returnedFen: (deposit.returnedFen ?? 0) + (kind === 'return' ? fen : 0),
      keptFen: (deposit.keptFen ?? 0) + (kind === 'keep' ? fen : 0),
    })
    demo.history.add(depositRequests, {
      ...request,
      ...{ state: 'done', decidedBy: by.id, decidedByName: by.name, decidedAt },
      ...wentBack(demo, { attempt, part, place, by, decidedAt }),
    })
    post(demo, {
      ...{ kind: kind === 'keep' ? 'deposit-kept' : 'deposit-returned', asset: 'deposit', amount: fen },
      from: { kind: 'merchant', id: merchantId },
      to: { kind: 'vendor', book: kind === 'keep' ? 'revenue' : 'payment-clearing' },
      ...{ document: deposit.orderNo, merchantId, payMethod: 'wechat', agentId, at: decidedAt, by },
      description: `押金${REQUEST_KINDS[kind]}：${deposit.subject}`,
      remark: reason,
    })
  })
}

type WentBack = Pick<Taken, 'attempt' | 'part' | 'place'> & { by: Person; decidedAt: string }

/** What is kept goes nowhere; the rest by its channel, or by hand where that has refused. */
function wentBack(demo: Demo, { attempt, part, place, by, decidedAt }: WentBack) {
  if (part.kind === 'keep') return { doneAt: decidedAt }
  const doneAt = later(demo, decidedAt, part.isByHand ? 2 : 20 / 3_600)
  const refund = demo.history.add(paymentRefunds, {
    ...{ attemptId: attempt.id as number, agentId: attempt.agentId, amountFen: part.fen },
    refundNo: refundNoOf(attempt.outTradeNo, place + 1),
    reason: 'deposit',
    ...{ remark: part.reason, asked: 1 },
    ...{ createdBy: by.id, createdByName: by.name, createdAt: decidedAt },
    ...(part.isByHand
      ? { status: 'replaced' as const, providerWords: '基本账户余额不足 (NOT_ENOUGH)' }
      : { status: 'done' as const, providerWords: 'SUCCESS', doneAt }),
  })
  if (!part.isByHand) return { refundId: refund.id, doneAt }
  const receiptNo = `HD${formatDay(doneAt).replaceAll('-', '')}01`
  return { refundId: refund.id, receiptNo, paidOutByName: by.name, doneAt }
}
