import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { BUSINESS_TYPES } from '#features/sales/payments/rules.ts'
import { paymentIntents } from '#features/sales/payments/tables.ts'
import type { Office } from '#test/app.ts'
import { makeMerchant } from '#test/make.ts'
import { byAgent, type FeatureWalk, MARK, own, search } from '#test/walk-types.ts'
import { depositRow } from './rows.ts'
import type { DepositState } from './rules.ts'
import { depositPayments, depositRequests, deposits } from './tables.ts'

type Made = {
  agentId: number
  merchantId: number
  state?: Extract<DepositState, 'waiting' | 'held' | 'deciding'>
  subject?: string
}

let made = 0
const freshNo = () => `77${String(++made).padStart(20, '0')}`

type Posted = { kind: 'deposit-paid' | 'deposit-returned'; amount: number; document: string } & Made

async function postDeposit(office: Office, { kind, amount, document, agentId, merchantId }: Posted) {
  const [books, shop] = [
    { kind: 'vendor', book: 'payment-clearing' },
    { kind: 'merchant', id: merchantId },
  ]
  const movement = {
    ...{ kind, asset: 'deposit', amount, document, merchantId, agentId, payMethod: 'wechat' },
    ...(kind === 'deposit-paid' ? { from: books, to: shop } : { from: shop, to: books }),
    ...{ actorId: 0, actorName: '系统', description: '押金' },
  }
  await office.owner.query('select ledger_post($1::jsonb)', [JSON.stringify([movement])])
}

/** A deposit of a shop, paid unless it waits. */
async function makeDeposit(office: Office, given: Made): Promise<{ id: number; code: string }> {
  const { agentId, merchantId, state = 'waiting' } = given
  const askedAt = new Date().toISOString()
  const code = randomBytes(24).toString('base64url')
  const [orderNo, intentId, paymentNo] = [freshNo(), freshNo(), freshNo()]
  const isPaid = state !== 'waiting'
  const db = drizzle(office.owner)
  const [row] = await db
    .insert(deposits)
    .values(
      depositRow({
        ...{ orderNo, code, askedAt },
        ...(isPaid && { paidAt: askedAt, heldFen: 50_000, payMethod: 'wechat' }),
        ...given,
      }),
    )
    .returning({ id: deposits.id })
  const id = row?.id as number
  if (isPaid) {
    await db.insert(paymentIntents).values({
      ...{ id: intentId, agentId, accountId: 0, accountName: MARK, businessType: BUSINESS_TYPES.deposit },
      ...{ asset: 'deposit', orderNo: paymentNo, amountFen: 50_000, subject: MARK, token: `of-${intentId}` },
      ...{ displayUntil: askedAt, status: 'paid', paidBy: 'wechat', createdAt: askedAt },
      ...{ expiresAt: askedAt, paidAt: askedAt },
    })
    await db.insert(depositPayments).values({
      ...{ depositId: id, agentId, merchantId, orderNo: paymentNo, intentId },
      ...{ state: 'paid', createdAt: askedAt },
    })
    await postDeposit(office, {
      kind: 'deposit-paid',
      amount: 50_000,
      document: orderNo,
      agentId,
      merchantId,
    })
  }
  return { id, code }
}

/** Something is asked of it by `askedBy`: undecided, or to be paid out by hand. */
async function makeRequest(
  office: Office,
  given: { agentId: number; merchantId: number; askedBy: number; state?: 'asked' | 'owed' },
): Promise<number> {
  const { agentId, merchantId, askedBy, state = 'asked' } = given
  const isAsked = state === 'asked'
  const now = new Date().toISOString()
  const db = drizzle(office.owner)
  const deposit = await makeDeposit(office, { agentId, merchantId, state: isAsked ? 'deciding' : 'held' })
  const [row] = await db
    .insert(depositRequests)
    .values({
      ...{ depositId: deposit.id, agentId, merchantId, kind: 'return', amountFen: 20_000, reason: MARK },
      ...{ state, askedBy, askedByName: MARK, askedAt: now },
      ...(!isAsked && { decidedBy: askedBy + 1_000_000, decidedByName: '李四', decidedAt: now }),
    })
    .returning({ id: depositRequests.id })
  if (!isAsked) {
    const [left] = await db
      .update(deposits)
      .set({ heldFen: 30_000, returnedFen: 20_000 })
      .where(eq(deposits.id, deposit.id))
      .returning({ document: deposits.orderNo })
    const document = left?.document as string
    await postDeposit(office, { kind: 'deposit-returned', amount: 20_000, document, agentId, merchantId })
  }
  return row?.id as number
}

const NONE = ['NOT_FOUND']
const NOBODYS = 'A'.repeat(32)
const theirs = (name: 'waitingDeposit' | 'heldDeposit' | 'askedRequest' | 'owedRequest', more = {}) => [
  { as: ({ extra }: { extra: Record<string, unknown> }) => ({ id: extra[name], ...more }), expect: NONE },
]
const WISH = { kind: 'return', amountFen: 20_000, heldFen: 50_000, reason: '设备已退回' } as const

export const walk: FeatureWalk = {
  sessionOnly: [],
  movesMoney: ['deposits.approve'],
  async scene({ office, a }) {
    const of = { agentId: a.id, merchantId: a.shops[0] as number }
    return {
      waitingDeposit: (await makeDeposit(office, { ...of, subject: MARK })).id,
      heldDeposit: (await makeDeposit(office, { ...of, subject: MARK, state: 'held' })).id,
      askedRequest: await makeRequest(office, { ...of, askedBy: a.accountId }),
      owedRequest: await makeRequest(office, { ...of, askedBy: a.accountId, state: 'owed' }),
    }
  },
  attempts: {
    'deposits.list': [own(), byAgent, search(({ a }) => a.shops[0])],
    'deposits.list (file)': [own(), byAgent],
    'deposits.details': theirs('heldDeposit'),
    'deposits.ofShop': [{ as: ({ a }) => ({ merchantId: a.shops[0] }), expect: NONE }],
    'deposits.ask': [
      {
        as: ({ a }) => ({ merchantId: a.shops[0], kind: 'device', subject: '扫码机', amountFen: 100 }),
        expect: ['SHOP_UNKNOWN'],
      },
    ],
    'deposits.cancel': theirs('waitingDeposit', { reason: '不再需要' }),
    'deposits.request': theirs('heldDeposit', WISH),
    'deposits.withdraw': theirs('askedRequest'),
    'deposits.approve': theirs('askedRequest'),
    'deposits.reject': theirs('askedRequest', { reason: '设备没有收到' }),
    'deposits.payOut': theirs('owedRequest', { receiptNo: 'HD-1' }),
    // Whoever has the address pays; nobody finds it by trying.
    'deposits.page': [{ as: () => ({ code: NOBODYS }), expect: NONE }],
    'deposits.pay': [{ as: () => ({ code: NOBODYS }), expect: NONE }],
  },
  scoped: [
    'deposits.list',
    'deposits.list (file)',
    'deposits.details',
    'deposits.ofShop',
    'deposits.request',
  ],
  reads: desk => {
    const shop = async () => ({
      agentId: desk.partner.id,
      merchantId: await makeMerchant(desk.office, desk.partner.id),
    })
    return {
      'deposits.details': async () => ({ id: (await makeDeposit(desk.office, await shop())).id }),
      'deposits.ofShop': async () => ({ merchantId: (await shop()).merchantId }),
      'deposits.page': async () => ({ code: (await makeDeposit(desk.office, await shop())).code }),
    }
  },
  changes: desk => {
    const { office, partner } = desk
    const fresh = async () => {
      const { input, subject } = await desk.onShop()
      return { of: { agentId: partner.id, merchantId: Number(input.id) }, subject }
    }
    const deposit = async (state: 'waiting' | 'held') => {
      const { of, subject } = await fresh()
      return { ...(await makeDeposit(office, { ...of, state })), subject }
    }
    const request = async (state: 'asked' | 'owed' = 'asked') => {
      const { of, subject } = await fresh()
      return { id: await makeRequest(office, { ...of, state, askedBy: partner.accountId }), subject }
    }
    return {
      'deposits.ask': {
        async accepted() {
          const { of, subject } = await fresh()
          const input = { merchantId: of.merchantId, kind: 'channel', subject: '保证金', amountFen: 100 }
          return desk.asOperator(input, subject)
        },
        refused: {
          input: async () => ({
            ...{ merchantId: (await fresh()).of.merchantId, kind: 'device', subject: '扫码机', amountFen: 0 },
          }),
          code: 'AMOUNT_REQUIRED',
        },
      },
      'deposits.cancel': {
        async accepted() {
          const { id, subject } = await deposit('waiting')
          return desk.asOperator({ id, reason: '不再需要' }, subject)
        },
        refused: {
          input: async () => ({ id: (await deposit('held')).id, reason: '不再需要' }),
          code: 'NOT_WAITING',
        },
      },
      'deposits.request': {
        async accepted() {
          const { id, subject } = await deposit('held')
          return desk.asPartner({ id, ...WISH }, subject)
        },
        refused: {
          input: async () => ({ id: (await deposit('waiting')).id, ...WISH }),
          code: 'NOT_HELD',
        },
      },
      'deposits.withdraw': {
        async accepted() {
          const { id, subject } = await request()
          return desk.asPartner({ id }, subject)
        },
        refused: { input: async () => ({ id: (await request('owed')).id }), code: 'DECIDED_ALREADY' },
      },
      'deposits.approve': {
        async accepted() {
          const { id, subject } = await request()
          return desk.asOperator({ id }, subject)
        },
        refused: { input: async () => ({ id: (await request('owed')).id }), code: 'DECIDED_ALREADY' },
      },
      'deposits.reject': {
        async accepted() {
          const { id, subject } = await request()
          return desk.asOperator({ id, reason: '设备没有收到' }, subject)
        },
        refused: { input: async () => ({ id: (await request()).id, reason: '' }), code: 'REASON_REQUIRED' },
      },
      'deposits.payOut': {
        async accepted() {
          const { id, subject } = await request('owed')
          return desk.asOperator({ id, receiptNo: 'HD-20261129-01' }, subject)
        },
        refused: { input: async () => ({ id: (await request()).id, receiptNo: 'HD-1' }), code: 'NOT_OWED' },
      },
      'deposits.list (file)': {
        accepted: async () => desk.asPartner({ state: 'held' }, '押金'),
        refused: { input: () => ({ from: 'nonsense' }), code: 'INPUT_INVALID' },
      },
      'deposits.pay': {
        async accepted() {
          const { code, subject } = await deposit('waiting')
          const account = { loginName: '', accountId: 0, id: partner.id, name: '测试店铺' }
          return { cookie: null, input: { code }, subject, account }
        },
        refused: { input: async () => ({ code: (await deposit('held')).code }), code: 'DEPOSIT_PAID' },
      },
    }
  },
}
