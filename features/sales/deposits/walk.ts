import { randomBytes } from 'node:crypto'
import { drizzle } from 'drizzle-orm/node-postgres'
import type { Office } from '#test/app.ts'
import { makeMerchant } from '#test/make.ts'
import { byAgent, type FeatureWalk, MARK, own, search } from '#test/walk-types.ts'
import { depositRow } from './rows.ts'
import type { DepositState, RequestState } from './rules.ts'
import { depositRequests, deposits } from './tables.ts'

type Made = { agentId: number; merchantId: number; state?: DepositState; subject?: string }

let made = 0
const freshNo = () => `77${String(++made).padStart(20, '0')}`

/** A deposit of a shop, with no money behind it: `verifyLedger` finds one that was paid. */
async function makeDeposit(office: Office, given: Made): Promise<{ id: number; code: string }> {
  const askedAt = new Date().toISOString()
  const isPaid = given.state !== undefined && given.state !== 'waiting' && given.state !== 'cancelled'
  const code = randomBytes(24).toString('base64url')
  const [row] = await drizzle(office.owner)
    .insert(deposits)
    .values(
      depositRow({
        ...{ orderNo: freshNo(), code, askedAt },
        ...(isPaid && { paidAt: askedAt, heldFen: 50_000, payMethod: 'wechat' }),
        ...given,
      }),
    )
    .returning({ id: deposits.id })
  return { id: row?.id as number, code }
}

/** Something is asked of it, by `askedBy`. */
async function makeRequest(
  office: Office,
  given: { agentId: number; merchantId: number; askedBy: number; state?: RequestState },
): Promise<number> {
  const { agentId, merchantId, askedBy, state = 'asked' } = given
  const deposit = await makeDeposit(office, {
    ...{ agentId, merchantId },
    state: state === 'asked' ? 'deciding' : 'held',
  })
  const [row] = await drizzle(office.owner)
    .insert(depositRequests)
    .values({
      ...{ depositId: deposit.id, agentId, merchantId, kind: 'return', amountFen: 20_000, reason: MARK },
      ...{ state, askedBy, askedByName: MARK, askedAt: new Date().toISOString() },
      ...(state === 'owed' && {
        ...{ decidedBy: askedBy + 1_000_000, decidedByName: '李四', decidedAt: new Date().toISOString() },
      }),
    })
    .returning({ id: depositRequests.id })
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
        expect: ['SHOP_UNKNOWN', 'FORBIDDEN'],
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
    const deposit = async (state: DepositState) => {
      const { of, subject } = await fresh()
      return { ...(await makeDeposit(office, { ...of, state })), subject }
    }
    const request = async (state: RequestState = 'asked') => {
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
          const { of, subject } = await fresh()
          const { id } = await makeDeposit(office, { ...of, state: 'held' })
          await office.owner.query('select ledger_post($1::jsonb)', [
            JSON.stringify([
              {
                ...{ kind: 'deposit-paid', asset: 'deposit', amount: 50_000, payMethod: 'wechat' },
                ...{ from: { kind: 'vendor', book: 'payment-clearing' }, document: `WALK${id}` },
                ...{ to: { kind: 'merchant', id: of.merchantId }, merchantId: of.merchantId },
                ...{ agentId: of.agentId, actorId: 0, actorName: '系统', description: '押金收取' },
              },
            ]),
          ])
          await desk.mine().deposits.request({ id, ...WISH })
          const { requests } = await desk.mine().deposits.details({ id })
          return desk.asOperator({ id: requests[0]?.id }, subject)
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
