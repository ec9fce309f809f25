// The pages of this feature by path (D3 §2).
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type RoutePage } from '#kit/declare/pages.ts'
import type { LABEL_TEMPLATES } from './fields.ts'

export const PAGES = [
  {
    path: '/admin/template/labelPrintList',
    title: '标签模板',
    words: ['价签', '条码', '打印', '模板', '标签打印'],
    permission: 'labels.list',
    file: 'features/print/labels/LabelListPage.tsx',
    group: '价格与资料',
    entry: '标签与小票',
    order: 60,
    early: [{ address: '/api/label-templates', permission: 'labels.list' }],
    search: asks<ListParams<typeof LABEL_TEMPLATES>>(),
  },
  {
    path: '/admin/template/labelPrinting',
    title: '标签设计',
    permission: 'labels.list',
    file: 'features/print/labels/LabelDesignerPage.tsx',
    under: '/admin/template/labelPrintList',
    search: asks<{ id?: number }>(),
  },
] as const satisfies readonly RoutePage[]
