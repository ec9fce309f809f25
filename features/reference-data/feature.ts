import { permissionNodes } from '#kit/permission.ts'
import { type Feature, rowsOf } from '#server/feature.ts'
import type { EditedTable } from '#server/office/reference-tables.ts'
import { referenceData as contract } from './contract.ts'
import { REASONS } from './reference.ts'
import { LIMITS, REASON_KINDS } from './rules.ts'
import { referenceDataRouter as router } from './server.ts'
import { reasons } from './tables.ts'

const REASON_TABLE: EditedTable = {
  key: 'reasons',
  title: '常用原因',
  about: '各表单里可以直接选择的原因，也可以另行填写。',
  table: reasons,
  id: reasons.id,
  named: 'name',
  within: 'kind',
  fields: {
    kind: { kind: 'word', label: '用于', words: REASON_KINDS, required: true, fixed: true },
    name: { kind: 'text', label: '原因', max: LIMITS.reason, required: true },
  },
  adds: true,
  orders: true,
  retires: true,
  uses: [],
}

export const feature = {
  contract,
  router,
  permissions: permissionNodes([
    [695, 6, 79, 'referenceData.manage', '基础数据', '/admin/operations/reference', 'none'],
    [
      6951,
      695,
      80,
      'referenceData.configure',
      '导出导入配置',
      '/admin/operations/reference#configure',
      'none',
    ],
  ]),
  reference: [rowsOf(reasons, REASONS)],
  edited: [REASON_TABLE],
} satisfies Feature
