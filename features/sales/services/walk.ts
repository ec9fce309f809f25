import { byAgent, type FeatureWalk, MARK, own, search } from '#test/walk-types.ts'

const SEAT = { serviceId: 11, quantity: 1, years: 1 }
const SEAT_CENTS = 10_000
const theirs = (more: Record<string, unknown> = {}) => ({
  as: ({ a }: { a: { shops: number[] } }) => ({ merchantId: a.shops[0], ...more }),
  expect: ['NOT_FOUND'],
})

export const walk: FeatureWalk = {
  sessionOnly: [],
  movesMoney: ['services.buy'],
  scene: async ({ office, a }) => {
    const { rows } = await office.owner.query<{ no: string }>('select next_order_no() as no')
    const serviceOrder = rows[0]?.no
    await office.owner.query(
      `insert into service_orders (order_no, agent_id, merchant_id, service_id, service_name, unit_cents, quantity,
         original_cents, discount_basis_points, total_cents, pay_method, state, remark, quantity_before, created_by,
         created_by_name, created_at, paid_at)
       values ($1, $2, $3, 11, '操作员账号', 10000, 1, 10000, 6000, 6000, 'interface', 'completed', $4, 0, $5, $4, now(), now())`,
      [serviceOrder, a.id, a.shops[0], MARK, a.accountId],
    )
    await office.owner.query(
      'insert into merchant_services (agent_id, merchant_id, service_id, quantity) values ($1, $2, 11, 1)',
      [a.id, a.shops[0]],
    )
    return { serviceOrder }
  },
  attempts: {
    'services.ofMerchant': [theirs()],
    'services.buy': [theirs({ items: [SEAT], totalCents: 6_000 })],
    'services.orders': [
      own(),
      byAgent,
      search(() => MARK),
      search(({ a }) => a.shops[0]),
      search(({ extra }) => extra.serviceOrder),
      search(({ extra }) => String(extra.serviceOrder).slice(-8)),
      search(() => '操作员'),
      own({ state: 'completed', serviceId: 11 }),
    ],
    'services.options': [own()],
    'services.orders (file)': [own(), byAgent, search(() => MARK), search(({ extra }) => extra.serviceOrder)],
  },
  scoped: ['services.ofMerchant', 'services.buy', 'services.orders', 'services.orders (file)'],
  changes: desk => ({
    'services.buy': {
      accepted: async () => {
        const shop = await desk.onShop()
        const input = { merchantId: shop.input.id, items: [SEAT], totalCents: SEAT_CENTS }
        return { ...shop, input }
      },
      refused: {
        input: async () => {
          const shop = await desk.onShop({}, { status: 'disabled' })
          return { merchantId: shop.input.id, items: [SEAT], totalCents: SEAT_CENTS }
        },
        code: 'MERCHANT_DISABLED',
      },
    },
    'services.orders (file)': {
      accepted: async () => desk.asPartner({ state: 'completed' }, '增值订单'),
      refused: { input: () => ({ state: 'nonsense' }), code: 'INPUT_INVALID' },
    },
  }),
}
