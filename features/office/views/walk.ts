import { type FeatureWalk, own } from '#test/walk-types.ts'

const LIST = 'merchants.list'
const view = (name: string, isShared = false) => ({
  list: LIST,
  name,
  params: { status: 'normal' },
  columns: null,
  isShared,
})

let width = 100

export const walk: FeatureWalk = {
  ofAgency: ['views'],
  sessionOnly: [
    'views.columns',
    'views.setColumns',
    'views.list',
    'views.save',
    'views.change',
    'views.remove',
  ],
  movesMoney: [],
  async scene({ office, cookieA }) {
    const asA = office.as(cookieA)
    await asA.views.setColumns({ list: LIST, columns: [{ key: '甲方专有' }] })
    const saved = await asA.views.save({ ...view('甲方专有', true), params: { search: '甲方专有' } })
    return { savedView: saved.id }
  },
  attempts: {
    'views.columns': [own()],
    'views.setColumns': [own({ list: LIST, columns: [{ key: 'id' }] })],
    'views.list': [{ as: () => ({ list: LIST }), expect: 'empty' }],
    'views.save': [own(view('乙方视图'))],
    'views.change': [{ as: ({ extra }) => ({ id: extra.savedView, name: '改' }), expect: ['NOT_FOUND'] }],
    'views.remove': [{ as: ({ extra }) => ({ id: extra.savedView }), expect: ['NOT_FOUND'] }],
  },
  scoped: [],
  reads: () => ({ 'views.list': async () => ({ list: LIST }) }),
  changes: desk => {
    let made = 0
    const name = () => `视图${++made}`
    const saved = () => desk.mine().views.save(view(name()))
    return {
      'views.setColumns': {
        // Each time another width: what stands already is no change.
        accepted: async () => desk.asPartner({ list: LIST, columns: [{ key: 'id', width: ++width }] }, LIST),
        refused: { input: () => ({ list: 'nonsense', columns: [] }), code: 'INPUT_INVALID' },
      },
      'views.save': {
        accepted: async () => {
          const fresh = name()
          return desk.asPartner(view(fresh), `${fresh} (${LIST})`)
        },
        refused: { input: () => view('  '), code: 'NAME_REQUIRED' },
      },
      'views.change': {
        accepted: async () => {
          const { id, name: before } = await saved()
          return desk.asPartner({ id, name: name() }, `${before} (${LIST})`)
        },
        refused: { input: () => ({ id: 99_999_999, name: '改' }), code: 'NOT_FOUND' },
      },
      'views.remove': {
        accepted: async () => {
          const { id, name: before } = await saved()
          return desk.asPartner({ id }, `${before} (${LIST})`)
        },
        refused: { input: () => ({ id: 99_999_999 }), code: 'NOT_FOUND' },
      },
    }
  },
}
