import { makeAgent, makeMerchant, newMerchantForm } from '#test/make.ts'
import { makeOrder } from '#test/make-orders.ts'
import {
  type Attempt,
  type Change,
  type Desk,
  type FeatureWalk,
  own,
  type Scene,
  search,
} from '#test/walk-types.ts'

const reason = '客户要求'

const theirs = (more: (scene: Scene) => Record<string, unknown>): Attempt => ({
  as: scene => ({ id: scene.a.shops[0], revision: scene.a.shop.revision, reason, ...more(scene) }),
  expect: ['NOT_FOUND'],
})
const mine = (more: (scene: Scene) => Record<string, unknown>, code: string): Attempt => ({
  as: scene => ({ id: scene.b.shop, revision: scene.b.details.revision, reason, ...more(scene) }),
  expect: [code],
})
/** By id and by account: nothing of A's is answered. */
const FINDS: Attempt[] = [
  { as: ({ a }) => ({ search: String(a.shops[0]) }), expect: 'own' },
  { as: ({ a }) => ({ search: String(a.shop.account) }), expect: 'own' },
]

/** A shop of the partner for one change by the operator; the subject is the shop. */
async function onShop(desk: Desk, more: Record<string, unknown>, columns: Record<string, unknown> = {}) {
  const id = await makeMerchant(desk.office, desk.partner.id, columns)
  return desk.asOperator({ id, revision: 1, reason, ...more }, `测试店铺 (${id})`)
}
const headOf = (desk: Desk) => makeMerchant(desk.office, desk.partner.id, { shops_bought: 9 })

/** A change of a shop, refused without a reason. */
function change(
  desk: Desk,
  more: () => Promise<Record<string, unknown>>,
  columns: () => Promise<Record<string, unknown>> = async () => ({}),
): Change {
  return {
    accepted: async () => onShop(desk, await more(), await columns()),
    refused: {
      input: async () => ({ ...(await onShop(desk, await more(), await columns())).input, reason: '' }),
      code: 'INPUT_INVALID',
    },
  }
}

export const walk: FeatureWalk = {
  ofAgency: ['aftersales.providers', 'aftersales.move'],
  sessionOnly: [],
  movesMoney: ['aftersales.cancel'],
  async scene({ office, a }) {
    await office.owner.query(
      `insert into tool_actions (agent_id, merchant_id, shop_name, kind, changes, reason, created_by, created_by_name, created_at)
       select $1, $2, $3, kind, '[]', $3, 1, $3, now()
       from unnest(array['extend', 'provider', 'version', 'associate', 'dissolve', 'cancel']) as kind`,
      [a.id, a.shops[0], a.shop.shopName],
    )
    // Too old for any undo of this walk, so that it can still be found when its turn has come.
    await makeOrder(office, {
      agentId: a.id,
      createdBy: a.accountId,
      merchantId: a.shops[0] ?? null,
      paidAt: new Date(Date.now() - 20 * 86_400_000).toISOString(),
      salesType: 'renew',
      payMethod: 'interface',
      totalCents: 29_800,
      content: String(a.shop.shopName),
    })
    return {}
  },
  attempts: {
    'aftersales.cancelFind': [search(({ a }) => a.paidOrder), search(({ a }) => a.shop.shopName)],
    'aftersales.cancelPreview': [{ as: ({ a }) => ({ orderNo: a.paidOrder }), expect: 'own' }],
    'aftersales.cancel': [{ as: ({ a }) => ({ orderNo: a.paidOrder, reason }), expect: ['NOT_FOUND'] }],
    'aftersales.cancelActions': [own()],
    'aftersales.chainFind': FINDS,
    'aftersales.associate': [
      theirs(({ b }) => ({ headId: b.shop })),
      mine(({ a }) => ({ headId: a.shops[0] }), 'NOT_FOUND'),
    ],
    'aftersales.dissolve': [theirs(() => ({}))],
    'aftersales.chainActions': [own()],
    'aftersales.providerFind': FINDS,
    'aftersales.providers': [own(), search(({ a }) => a.id), search(({ a }) => a.shop.shopName)],
    'aftersales.movePreview': [
      theirs(({ b }) => ({ agentId: b.id })),
      { as: ({ a, b }) => ({ id: b.shop, agentId: a.id }), expect: 'own' },
    ],
    'aftersales.move': [
      theirs(({ b }) => ({ agentId: b.id })),
      mine(({ a }) => ({ agentId: a.id }), 'AGENT_UNKNOWN'),
    ],
    'aftersales.versionFind': FINDS,
    'aftersales.adjustVersion': [theirs(() => ({ versionId: 3 }))],
    'aftersales.adjustActions': [own()],
    'aftersales.extendFind': FINDS,
    'aftersales.extend': [theirs(() => ({ days: 7 }))],
    'aftersales.extendActions': [own()],
  },
  scoped: [
    'aftersales.cancelFind',
    'aftersales.cancelPreview',
    'aftersales.cancel',
    'aftersales.cancelActions',
    'aftersales.chainFind',
    'aftersales.associate',
    'aftersales.dissolve',
    'aftersales.chainActions',
    'aftersales.providerFind',
    'aftersales.providers',
    'aftersales.movePreview',
    'aftersales.move',
    'aftersales.versionFind',
    'aftersales.adjustVersion',
    'aftersales.adjustActions',
    'aftersales.extendFind',
    'aftersales.extend',
    'aftersales.extendActions',
  ],
  changes: desk => ({
    'aftersales.cancel': {
      accepted: async () => {
        const { orderNo } = await desk.mine().selling.quote(newMerchantForm())
        await desk.mine().selling.add({ orderNo })
        return desk.asOperator({ orderNo, reason }, '深圳老张面馆')
      },
      refused: { input: () => ({ orderNo: '1'.repeat(22), reason }), code: 'NOT_FOUND' },
    },
    'aftersales.associate': change(desk, async () => ({ headId: await headOf(desk) })),
    'aftersales.dissolve': change(
      desk,
      async () => ({}),
      async () => ({ store_kind: 'branch', head_id: await headOf(desk) }),
    ),
    'aftersales.move': change(desk, async () => ({ agentId: (await makeAgent(desk.office)).id })),
    'aftersales.adjustVersion': change(
      desk,
      async () => ({ versionId: 3 }),
      async () => ({ version_id: 4 }),
    ),
    'aftersales.extend': change(desk, async () => ({ days: 7 })),
  }),
}
