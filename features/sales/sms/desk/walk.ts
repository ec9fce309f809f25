// Also of features/sales/sms, whose rows these are.
import { byAgent, type Desk, type FeatureWalk, MARK, own, search } from '#test/walk-types.ts'

const PACKAGE = { packageId: 1, totalCents: 2_000 }
const theirs = (more: Record<string, unknown> = {}) => ({
  as: ({ a }: { a: { shops: number[] } }) => ({ merchantId: a.shops[0], ...more }),
  expect: ['NOT_FOUND'],
})

/** A fresh shop of the partner, as `merchantId` of the input. */
async function shopOf(desk: Desk, more: Record<string, unknown>, columns: Record<string, unknown> = {}) {
  const shop = await desk.onShop({}, columns)
  return { ...shop, input: { merchantId: shop.input.id as number, ...more } }
}

export const walk: FeatureWalk = {
  sessionOnly: [],
  movesMoney: ['sms.buy', 'sms.recall', 'sms.gift'],
  scene: async ({ office, a }) => {
    const { rows } = await office.owner.query<{ no: string }>('select next_order_no() as no')
    const smsOrder = rows[0]?.no
    await office.owner.query(
      `insert into sms_orders (order_no, agent_id, merchant_id, kind, package_id, name, pieces, original_cents,
         discount_basis_points, total_cents, pay_method, status, sms_before, sms_after, remark, created_by,
         created_by_name, created_at, paid_at)
       values ($1, $2, $3, 'package', 1, '短信包200条', 200, 2000, 6000, 1200, 'interface', 'paid', 0, 200, $4, $5, $4, now(), now())`,
      [smsOrder, a.id, a.shops[0], MARK, a.accountId],
    )
    await office.owner.query(`update sms_orders set changed_at = now() where order_no = $1`, [smsOrder])
    return { smsOrder }
  },
  attempts: {
    'sms.packages': [theirs()],
    'sms.buy': [theirs({ packageId: 1, totalCents: 1_200 })],
    'sms.recallable': [theirs()],
    'sms.recall': [theirs({ pieces: 1 })],
    'smsDesk.orders': [
      own(),
      byAgent,
      search(() => MARK),
      search(({ a }) => a.shops[0]),
      search(({ extra }) => extra.smsOrder),
      search(({ extra }) => String(extra.smsOrder).slice(-8)),
      own({ kind: 'package', status: 'paid', payMethod: 'balance' }),
    ],
    'sms.gift': [theirs({ pieces: 1 })],
    'smsDesk.changes': [
      own(),
      byAgent,
      search(() => MARK),
      search(({ a }) => a.shops[0]),
      search(({ extra }) => extra.smsOrder),
      own({ kind: 'withdrawn' }),
    ],
    'smsDesk.changes (file)': [own(), byAgent, search(({ extra }) => extra.smsOrder)],
    'smsDesk.merchantChanges': [
      own(),
      { as: ({ a }) => ({ merchantId: a.shops[0] }), expect: 'empty' },
      { as: ({ a }) => ({ agentId: a.id }), expect: 'own' },
      search(({ a }) => a.shops[0]),
    ],
    'smsDesk.merchantChanges (file)': [
      own(),
      { as: ({ a }) => ({ merchantId: a.shops[0] }), expect: 'empty' },
    ],
    'smsDesk.orders (file)': [own(), byAgent, search(() => MARK), search(({ extra }) => extra.smsOrder)],
  },
  scoped: [
    'sms.gift',
    'smsDesk.changes',
    'smsDesk.changes (file)',
    'sms.packages',
    'sms.buy',
    'sms.recallable',
    'sms.recall',
    'smsDesk.orders',
    'smsDesk.orders (file)',
  ],
  changes: desk => ({
    'sms.buy': {
      accepted: () => shopOf(desk, PACKAGE),
      refused: {
        input: async () => (await shopOf(desk, PACKAGE, { status: 'disabled' })).input,
        code: 'MERCHANT_DISABLED',
      },
    },
    'sms.recall': {
      accepted: async () => {
        const shop = await shopOf(desk, { pieces: 10 })
        await desk.mine().sms.buy({ merchantId: shop.input.merchantId, ...PACKAGE })
        return shop
      },
      refused: { input: async () => (await shopOf(desk, { pieces: 10 })).input, code: 'RECALL_EMPTY' },
    },
    'sms.gift': {
      accepted: () => shopOf(desk, { pieces: 10, remark: '' }),
      refused: { input: async () => (await shopOf(desk, { pieces: 0 })).input, code: 'GIFT_REQUIRED' },
    },
    'smsDesk.changes (file)': {
      accepted: async () => desk.asPartner({ kind: 'recalled' }, '短信变动订单'),
      refused: { input: () => ({ kind: 'nonsense' }), code: 'INPUT_INVALID' },
    },
    'smsDesk.merchantChanges (file)': {
      accepted: async () => desk.asPartner({ kind: 'sms-gift' }, '商户短信变动'),
      refused: { input: () => ({ kind: 'nonsense' }), code: 'INPUT_INVALID' },
    },
    'smsDesk.orders (file)': {
      accepted: async () => desk.asPartner({ kind: 'package' }, '短信订单'),
      refused: { input: () => ({ kind: 'nonsense' }), code: 'INPUT_INVALID' },
    },
  }),
}
