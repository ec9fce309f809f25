import type { Office } from '#test/app.ts'
import type { FeatureWalk } from '#test/walk-types.ts'

const FORBIDDEN = (input: Record<string, unknown>) => [{ as: () => input, expect: ['FORBIDDEN'] }]

const PRICE = { book: 'version', item: 12, part: 'year', kind: 'list' } as const
const LATER = new Date(Date.now() + 30 * 86_400_000).toISOString()
const DISCOUNT = { levelId: 3, agentId: null, book: null, basisPoints: 5_500 } as const
const CAMPAIGN = {
  name: '双十一',
  book: 'version',
  items: null,
  part: null,
  levelIds: null,
  agentIds: null,
  basisPoints: 9_000,
  cents: null,
  firstOf: null,
  startsAt: null,
  endsAt: LATER,
} as const
let made = 0
/** No two prices are alike, and no two begin together. */
const nextPrice = () => ({ ...PRICE, cents: 30_000 + ++made, startsAt: at(++made) })
/** Another level than the agent has then, later than every other. */
async function nextLevel({ owner }: Office, agentId: number) {
  const startsAt = at(++made)
  const { rows } = await owner.query(
    'select level_at(id, level_id, $2::timestamptz) as level from agents where id = $1',
    [agentId, startsAt],
  )
  return { agentId, levelId: rows[0].level === 5 ? 4 : 5, startsAt }
}
const at = (minutes: number) => new Date(Date.parse(LATER) + minutes * 60_000).toISOString()

export const walk: FeatureWalk = {
  sessionOnly: [],
  movesMoney: [],
  scene: null,
  attempts: {
    'priceDesk.prices': FORBIDDEN({}),
    'priceDesk.history': FORBIDDEN({ book: 'version', item: 12 }),
    'priceDesk.preview': FORBIDDEN({ ...PRICE, cents: 1 }),
    'priceDesk.setPrice': FORBIDDEN({ ...PRICE, cents: 1, startsAt: null }),
    'priceDesk.withdrawPrice': FORBIDDEN({ id: 1 }),
    'priceDesk.review': FORBIDDEN({}),
    'priceDesk.discounts': FORBIDDEN({}),
    'priceDesk.choices': FORBIDDEN({}),
    'priceDesk.setDiscount': [
      {
        as: ({ a }) => ({ ...DISCOUNT, levelId: null, agentId: a.id, startsAt: null }),
        expect: ['FORBIDDEN'],
      },
    ],
    'priceDesk.withdrawDiscount': FORBIDDEN({ id: 1 }),
    'priceDesk.saveLevel': FORBIDDEN({ id: 3, name: '银牌', basisPoints: null }),
    'priceDesk.levelChanges': FORBIDDEN({}),
    'priceDesk.previewLevel': [{ as: ({ a }) => ({ agentId: a.id, levelId: 4 }), expect: ['FORBIDDEN'] }],
    'priceDesk.setLevel': [
      { as: ({ b }) => ({ agentId: b.id, levelId: 5, startsAt: null }), expect: ['FORBIDDEN'] },
    ],
    'priceDesk.withdrawLevel': FORBIDDEN({ id: 1 }),
    'priceDesk.campaigns': FORBIDDEN({}),
    'priceDesk.addCampaign': FORBIDDEN(CAMPAIGN),
    'priceDesk.endCampaign': FORBIDDEN({ id: 1 }),
  },
  scoped: [],
  reads: desk => ({
    'priceDesk.previewLevel': async () => ({ agentId: desk.partner.id, levelId: 5 }),
    'priceDesk.history': async () => ({ book: 'version', item: 12 }),
    'priceDesk.preview': async () => ({ ...PRICE, cents: 1 }),
  }),
  changes: desk => {
    const staff = () => desk.office.as(desk.operatorCookie)
    const rowOf = async (table: string): Promise<number> => {
      const { rows } = await desk.office.owner.query(`select max(id)::int as id from ${table}`)
      return rows[0].id
    }
    const unknown = { input: () => ({ id: 99_999_999 }), code: 'NOT_FOUND' }
    return {
      'priceDesk.review': {
        accepted: async () => desk.asOperator({}, '价格与等级折扣'),
        refused: null,
      },
      'priceDesk.setPrice': {
        accepted: async () => desk.asOperator(nextPrice(), '高级版'),
        refused: {
          input: () => ({ ...PRICE, item: 99_999, cents: 1, startsAt: null }),
          code: 'ITEM_UNKNOWN',
        },
      },
      'priceDesk.withdrawPrice': {
        async accepted() {
          await staff().priceDesk.setPrice(nextPrice())
          return desk.asOperator({ id: await rowOf('prices') }, '高级版')
        },
        refused: unknown,
      },
      'priceDesk.setDiscount': {
        accepted: async () => desk.asOperator({ ...DISCOUNT, startsAt: at(++made) }, '银牌代理'),
        refused: { input: () => ({ ...DISCOUNT, levelId: null, startsAt: null }), code: 'WHOM_REQUIRED' },
      },
      'priceDesk.withdrawDiscount': {
        async accepted() {
          await staff().priceDesk.setDiscount({ ...DISCOUNT, startsAt: at(++made) })
          return desk.asOperator({ id: await rowOf('discounts') }, '银牌代理')
        },
        refused: unknown,
      },
      'priceDesk.saveLevel': {
        accepted: async () => {
          const name = `等级${++made}`
          return desk.asOperator({ id: null, name, basisPoints: 8_000 }, name)
        },
        refused: { input: () => ({ id: null, name: '', basisPoints: 8_000 }), code: 'NAME_REQUIRED' },
      },
      'priceDesk.setLevel': {
        accepted: async () =>
          desk.asOperator(await nextLevel(desk.office, desk.partner.id), `(${desk.partner.id})`),
        refused: {
          input: () => ({ agentId: 99_999_999, levelId: 5, startsAt: null }),
          code: 'NOT_FOUND',
        },
      },
      'priceDesk.withdrawLevel': {
        async accepted() {
          await staff().priceDesk.setLevel(await nextLevel(desk.office, desk.operator.id))
          return desk.asOperator({ id: await rowOf('agent_level_changes') }, `(${desk.operator.id})`)
        },
        refused: unknown,
      },
      'priceDesk.addCampaign': {
        accepted: async () => desk.asOperator({ ...CAMPAIGN, startsAt: at(-60), endsAt: at(60) }, '双十一'),
        refused: { input: () => ({ ...CAMPAIGN, name: '' }), code: 'NAME_REQUIRED' },
      },
      'priceDesk.endCampaign': {
        async accepted() {
          const { id } = await staff().priceDesk.addCampaign({
            ...CAMPAIGN,
            startsAt: at(-60),
            endsAt: at(60),
          })
          return desk.asOperator({ id }, '双十一')
        },
        refused: unknown,
      },
    }
  },
}
