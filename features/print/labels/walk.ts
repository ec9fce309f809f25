import { templateWalk } from '#features/print/print-templates/walk.ts'
import type { FeatureWalk } from '#test/walk-types.ts'
import { SYSTEM_LABELS } from './reference.ts'

const label = SYSTEM_LABELS[0]?.label ?? {}
const templates = templateWalk('label', { ...label })

/** Of the vendor alone. */
export const walk: FeatureWalk = {
  sessionOnly: [],
  movesMoney: [],
  scene: null,
  attempts: {
    ...templates.attempts,
    'labels.shopSample': [{ as: ({ b }) => ({ merchantId: b.shop }), expect: ['FORBIDDEN'] }],
    'labels.paper': [{ as: () => ({ content: label, data: {} }), expect: ['FORBIDDEN'] }],
  },
  reads: templates.reads,
  scoped: [],
  changes: templates.changes,
}
