import { type Desk, type FeatureWalk, MARK, own, search } from '#test/walk-types.ts'

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
const retired = { revision: 1, renewable: true, renewUntil: null }

/** A new version of the operator's. */
async function added({ office, operatorCookie }: Desk) {
  const form = version()
  const { id } = await office.as(operatorCookie).catalogue.saveVersion(form)
  return { id, told: `${form.name} (${id})` }
}

/** The catalogue is the vendor's own: there is no row of A to reach, beyond its name as a seller. */
export const walk: FeatureWalk = {
  sessionOnly: [],
  movesMoney: [],
  scene: null,
  attempts: {
    'catalogue.versions': [own(), search(() => MARK)],
    'catalogue.version': [own({ id: 12 })],
    'catalogue.saveVersion': [own(version())],
    'catalogue.retirement': [own({ id: 78 })],
    'catalogue.retireVersion': [{ as: () => ({ id: 5, ...retired, revision: 99 }), expect: ['STALE'] }],
    'catalogue.resumeVersion': [{ as: () => ({ id: 5, revision: 99 }), expect: ['STALE'] }],
    'catalogue.functions': [own()],
    'catalogue.saveFunction': [own(part())],
    'catalogue.adjustments': [own()],
    'catalogue.saveAdjustment': [own({ fromVersionId: 12, toVersionId: 1, enabled: false })],
  },
  scoped: [],
  reads: () => ({
    'catalogue.version': async () => ({ id: 12 }),
    'catalogue.retirement': async () => ({ id: 12 }),
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
      refused: { input: () => ({ ...part(), position: null }), code: 'POSITION_INVALID' },
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
  }),
}
