import type { Desk, FeatureWalk } from '#test/walk-types.ts'

const FORBIDDEN = (input: Record<string, unknown>) => [{ as: () => input, expect: ['FORBIDDEN'] }]

let made = 0
const version = () => ({
  seen: null,
  name: `试销版${++made}`,
  code: `WALK_${made}`,
  pricingRule: 'perShopYear' as const,
  buyCode: 4,
  renewCode: 1,
  isPack: false,
  offeredOnAdd: true,
  offeredOnChange: true,
  position: 9,
  remark: '',
  sellers: 'all' as const,
  sellerIds: [],
  functionIds: [1],
})
const part = () => ({ seen: null, name: `试用功能${++made}`, remark: '', position: 1, enabled: true })
const item = () => ({
  seen: null,
  itemKind: 'service' as const,
  name: `试用服务${++made}`,
  remark: '',
  groupId: 2,
  code: `walk-${made}`,
  serviceUnit: 'year' as const,
  headOnly: false,
  pieces: null,
  priceCents: 10_000,
  position: 9,
})
const group = () => ({ seen: null, name: `试用分类${++made}`, remark: '', position: 900 })
const retired = { revision: 1, renewable: true, renewUntil: null }

/** A new version of the operator's. */
async function added({ office, operatorCookie }: Desk) {
  const form = version()
  const { id } = await office.as(operatorCookie).catalogue.saveVersion(form)
  return { id, told: `${form.name} (${id})` }
}

/** A new service of the operator's. */
async function addedItem({ office, operatorCookie }: Desk) {
  const form = item()
  const { id } = await office.as(operatorCookie).catalogue.saveItem(form)
  return { of: { itemKind: form.itemKind, id, revision: 1 }, told: `${form.name} (${id})` }
}

/** The catalogue is the vendor's own. */
export const walk: FeatureWalk = {
  sessionOnly: [],
  movesMoney: [],
  scene: null,
  attempts: {
    'catalogue.versions': FORBIDDEN({}),
    'catalogue.version': FORBIDDEN({ id: 12 }),
    'catalogue.saveVersion': FORBIDDEN(version()),
    'catalogue.retirement': FORBIDDEN({ id: 78 }),
    'catalogue.retireVersion': FORBIDDEN({ id: 5, ...retired }),
    'catalogue.resumeVersion': FORBIDDEN({ id: 5, revision: 1 }),
    'catalogue.functions': FORBIDDEN({}),
    'catalogue.saveFunction': FORBIDDEN(part()),
    'catalogue.adjustments': FORBIDDEN({}),
    'catalogue.saveAdjustment': FORBIDDEN({ fromVersionId: 12, toVersionId: 1, enabled: false }),
    'catalogue.items': FORBIDDEN({}),
    'catalogue.saveItem': FORBIDDEN(item()),
    'catalogue.itemRetirement': FORBIDDEN({ itemKind: 'sms', id: 1 }),
    'catalogue.retireItem': FORBIDDEN({ itemKind: 'sms', id: 1, revision: 1 }),
    'catalogue.resumeItem': FORBIDDEN({ itemKind: 'sms', id: 1, revision: 1 }),
    'catalogue.groups': FORBIDDEN({}),
    'catalogue.saveGroup': FORBIDDEN(group()),
  },
  scoped: [],
  reads: () => ({
    'catalogue.version': async () => ({ id: 12 }),
    'catalogue.retirement': async () => ({ id: 12 }),
    'catalogue.itemRetirement': async () => ({ itemKind: 'service', id: 21 }),
  }),
  changes: desk => ({
    'catalogue.saveVersion': {
      accepted: async () => {
        const form = version()
        return desk.asOperator(form, form.name)
      },
      refused: { input: () => ({ ...version(), code: 'klein' }), code: 'CODE_FORMAT' },
    },
    'catalogue.retireVersion': {
      accepted: async () => {
        const { id, told } = await added(desk)
        return desk.asOperator({ id, ...retired }, told)
      },
      refused: { input: () => ({ id: 99_999_999, ...retired }), code: 'NOT_FOUND' },
    },
    'catalogue.resumeVersion': {
      accepted: async () => {
        const { id, told } = await added(desk)
        await desk.office.as(desk.operatorCookie).catalogue.retireVersion({ id, ...retired })
        return desk.asOperator({ id, revision: 2 }, told)
      },
      refused: { input: async () => ({ id: (await added(desk)).id, revision: 1 }), code: 'NOT_RETIRED' },
    },
    'catalogue.saveFunction': {
      accepted: async () => {
        const form = part()
        return desk.asOperator(form, form.name)
      },
      refused: { input: () => ({ ...part(), position: null }), code: 'INPUT_INVALID' },
    },
    'catalogue.saveAdjustment': {
      accepted: async () => {
        const { id } = await added(desk)
        return desk.asOperator({ fromVersionId: id, toVersionId: 3, enabled: true }, '连锁版')
      },
      refused: {
        input: () => ({ fromVersionId: 3, toVersionId: 3, enabled: true }),
        code: 'PAIR_SAME',
      },
    },
    'catalogue.saveItem': {
      accepted: async () => {
        const form = item()
        return desk.asOperator(form, form.name)
      },
      refused: { input: () => ({ ...item(), groupId: null }), code: 'GROUP_REQUIRED' },
    },
    'catalogue.retireItem': {
      accepted: async () => {
        const { of, told } = await addedItem(desk)
        return desk.asOperator(of, told)
      },
      refused: { input: () => ({ itemKind: 'sms', id: 99_999_999, revision: 1 }), code: 'NOT_FOUND' },
    },
    'catalogue.resumeItem': {
      accepted: async () => {
        const { of, told } = await addedItem(desk)
        await desk.office.as(desk.operatorCookie).catalogue.retireItem(of)
        return desk.asOperator({ ...of, revision: 2 }, told)
      },
      refused: { input: async () => (await addedItem(desk)).of, code: 'ITEM_NOT_RETIRED' },
    },
    'catalogue.saveGroup': {
      accepted: async () => {
        const form = group()
        return desk.asOperator(form, form.name)
      },
      refused: { input: () => ({ ...group(), position: null }), code: 'INPUT_INVALID' },
    },
  }),
}
