import { type FeatureWalk, own } from '#test/walk-types.ts'

let made = 0
const industry = () => ({ table: 'industries', id: null, seen: null, values: { name: `行业${++made}` } })

/** Reference data is the vendor's: there is no row of A to reach. */
export const walk: FeatureWalk = {
  // The vendor's.
  ofAgency: ['referenceData'],
  sessionOnly: ['referenceData.reasons', 'referenceData.limits'],
  movesMoney: [],
  scene: null,
  attempts: {
    'referenceData.tables': [own()],
    'referenceData.rows': [own({ table: 'industries' })],
    'referenceData.uses': [own({ table: 'industries', id: '1' })],
    'referenceData.save': [own(industry())],
    'referenceData.retire': [own({ table: 'industries', id: '2', from: null })],
    'referenceData.restore': [own({ table: 'industries', id: '2' })],
    'referenceData.remove': [own({ table: 'industries', id: '3' })],
    'referenceData.reorder': [{ ...own({ table: 'industries', ids: ['1'] }), expect: ['ORDER_CHANGED'] }],
    'referenceData.readTable': [
      own({ table: 'industries', bytes: Buffer.from('行业名称\n茶叶').toString('base64') }),
    ],
    'referenceData.rehearseRows': [own({ table: 'industries', text: '行业名称\n茶叶' })],
    'referenceData.importRows': [
      { ...own({ table: 'industries', text: '行业名称\n茶叶', token: 'none' }), expect: ['FILE_CHANGED'] },
    ],
    'referenceData.regions': [own()],
    'referenceData.regionsText': [own()],
    'referenceData.rehearseRegions': [own({ text: '代码,名称' })],
    'referenceData.importRegions': [
      { ...own({ source: '2026-12-31', text: '代码,名称', token: 'none' }), expect: ['FILE_REFUSED'] },
    ],
    'referenceData.reasons': [own()],
    'referenceData.settings': [own()],
    'referenceData.setSetting': [own({ key: 'undo-days', seen: 15, value: 16 })],
    'referenceData.limits': [own()],
    'referenceData.exportConfiguration': [own()],
    'referenceData.rehearse': [{ ...own({ file: {} }), expect: ['FILE_WRONG'] }],
    'referenceData.importConfiguration': [{ ...own({ file: {}, token: 'none' }), expect: ['FILE_WRONG'] }],
  },
  scoped: [],
  reads: () => ({
    'referenceData.rows': async () => ({ table: 'industries' }),
    'referenceData.uses': async () => ({ table: 'industries', id: '1' }),
  }),
  changes: desk => {
    const operator = () => desk.office.as(desk.operatorCookie).referenceData
    const added = async () => {
      const input = industry()
      const { id } = await operator().save(input)
      return { input: { table: 'industries', id }, subject: `行业：${input.values.name}` }
    }
    const set = async () => {
      const { settings } = await operator().settings()
      const { key, value, label } = settings[0] as (typeof settings)[number]
      return { key, seen: value, value: value + 1, label }
    }
    const unknown = { table: 'industries', id: '99999' }
    return {
      'referenceData.save': {
        accepted: async () => {
          const input = industry()
          return desk.asOperator(input, `行业：${input.values.name}`)
        },
        refused: { input: () => ({ ...industry(), values: { name: '' } }), code: 'ROW_WRONG' },
      },
      'referenceData.retire': {
        accepted: async () => {
          const { input, subject } = await added()
          return desk.asOperator({ ...input, from: null }, subject)
        },
        refused: { input: () => ({ ...unknown, from: null }), code: 'NOT_FOUND' },
      },
      'referenceData.restore': {
        accepted: async () => {
          const { input, subject } = await added()
          await operator().retire({ ...input, from: null })
          return desk.asOperator(input, subject)
        },
        refused: { input: () => unknown, code: 'NOT_FOUND' },
      },
      'referenceData.remove': {
        accepted: async () => {
          const { input, subject } = await added()
          return desk.asOperator(input, subject)
        },
        refused: { input: () => unknown, code: 'NOT_FOUND' },
      },
      'referenceData.importRegions': {
        accepted: async () => {
          const { text } = await operator().regionsText()
          const { token } = await operator().rehearseRegions({ text })
          return desk.asOperator({ source: `版本${++made}`, text, token }, '行政区划')
        },
        refused: { input: () => ({ source: ' ', text: 'x', token: 'none' }), code: 'SOURCE_WRONG' },
      },
      'referenceData.importRows': {
        accepted: async () => {
          const input = { table: 'industries', text: `行业名称\n行业${++made}` }
          const { token } = await operator().rehearseRows(input)
          return desk.asOperator({ ...input, token }, '行业')
        },
        refused: {
          input: () => ({ table: 'industries', text: '行业名称\n', token: 'none' }),
          code: 'FILE_REFUSED',
        },
      },
      'referenceData.setSetting': {
        accepted: async () => {
          const { label, ...input } = await set()
          return desk.asOperator(input, label)
        },
        refused: {
          input: async () => {
            const { label: _, ...input } = await set()
            return { ...input, value: 0 }
          },
          code: 'SETTING_WRONG',
        },
      },
      'referenceData.exportConfiguration': {
        accepted: async () => desk.asOperator({}, '配置文件'),
        refused: null,
      },
      'referenceData.importConfiguration': {
        accepted: async () => {
          const file = await operator().exportConfiguration()
          file.settings['undo-days'] = (file.settings['undo-days'] ?? 0) + 1
          const { token } = await operator().rehearse({ file })
          return desk.asOperator({ file, token }, '配置文件')
        },
        refused: { input: () => ({ file: {}, token: 'none' }), code: 'FILE_WRONG' },
      },
      'referenceData.reorder': {
        accepted: async () => {
          const { rows } = await operator().rows({ table: 'industries' })
          return desk.asOperator({ table: 'industries', ids: rows.map(({ id }) => id).reverse() }, '行业')
        },
        refused: { input: () => ({ table: 'industries', ids: ['1'] }), code: 'ORDER_CHANGED' },
      },
    }
  },
}
