import { DAY_KINDS } from '#kit/business-days.ts'
import { permissionNodes } from '#kit/declare/permission.ts'
import { PICTURE_KB } from '#kit/picture.ts'
import type { EditedTable } from '#server/ctx.ts'
import { type Feature, rowsOf } from '#server/feature.ts'
import { referenceData as contract } from './contract.ts'
import { BUSINESS_DAYS, REASONS } from './reference.ts'
import { LIMITS, REASON_KINDS } from './rules.ts'
import { referenceDataRouter as router } from './server.ts'
import { businessDays, reasons } from './tables.ts'

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
  imports: true,
  uses: [],
}

const DAY_TABLE: EditedTable = {
  key: 'business-days',
  title: '工作日历',
  about: '与周一至周五不同的日子。到期提醒不在休息日发出，合作申请的回复期限按工作日计算。',
  table: businessDays,
  id: businessDays.day,
  named: 'day',
  fields: {
    day: { kind: 'day', label: '日期', required: true, fixed: true },
    kind: { kind: 'word', label: '类型', words: DAY_KINDS, required: true },
    name: { kind: 'text', label: '说明', max: LIMITS.dayName, required: true },
  },
  adds: true,
  orders: false,
  retires: false,
  imports: true,
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
  reference: [rowsOf(reasons, REASONS), rowsOf(businessDays, BUSINESS_DAYS, 'day')],
  edited: [REASON_TABLE, DAY_TABLE],
  settings: [PICTURE_KB],
} satisfies Feature
