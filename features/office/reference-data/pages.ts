// The pages of this feature by path.
import { asks, type RoutePage } from '#kit/declare/pages.ts'

export const PAGES = [
  {
    path: '/admin/operations/reference',
    title: '基础数据',
    words: [
      '行业',
      '收款方式',
      '原因',
      '短信模板',
      '消息文案',
      '行政区划',
      '工作日历',
      '客户经理称谓',
      '限额',
      '配置',
    ],
    permission: 'referenceData.manage',
    file: 'features/office/reference-data/ReferencePage.tsx',
    group: '价格与资料',
    order: 40,
    search: asks<{ table?: string }>(),
  },
] as const satisfies readonly RoutePage[]
