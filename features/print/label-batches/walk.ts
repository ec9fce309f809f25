import { SYSTEM_LABELS } from '#features/print/labels/reference.ts'
import { SHEET_SETUP } from '#kit/print/batch/sheet.ts'
import type { FeatureWalk } from '#test/walk-types.ts'

const FORBIDDEN = ['FORBIDDEN']
const sheet = {
  content: SYSTEM_LABELS[0]?.label ?? {},
  rows: [{ data: {}, copies: 1 }],
  setup: SHEET_SETUP,
}

/** Of the vendor alone but for the goods of one's own shops; nothing is kept. */
export const walk: FeatureWalk = {
  sessionOnly: [],
  movesMoney: [],
  scene: null,
  attempts: {
    'labelBatches.templates': [{ as: () => ({}), expect: FORBIDDEN }],
    'labelBatches.readFile': [{ as: () => ({ bytes: '' }), expect: FORBIDDEN }],
    'labelBatches.goods': [{ as: ({ a }) => ({ merchantId: a.shops[0] }), expect: ['NOT_FOUND'] }],
    'labelBatches.sheets': [{ as: () => sheet, expect: FORBIDDEN }],
    'labelBatches.template (file)': [{ as: () => ({ id: 1 }), expect: FORBIDDEN }],
  },
  scoped: [],
  withoutService: { 'labelBatches.goods': 'POS_NOT_CONNECTED' },
  changes: desk => ({
    'labelBatches.template (file)': {
      async accepted() {
        const { rows } = await desk.office.owner.query<{ id: string }>(
          `select id from print_templates where kind = 'label' and deleted_at is null order by id limit 1`,
        )
        return desk.asOperator({ id: Number(rows[0]?.id) }, '标签批量打印')
      },
      refused: { input: () => ({ id: 99_999_999 }), code: 'NOT_FOUND' },
    },
  }),
}
