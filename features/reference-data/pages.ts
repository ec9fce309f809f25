// The pages of this feature by path.
import type { RoutePage } from '#kit/pages.ts'

export const PAGES: readonly RoutePage[] = [
  {
    path: '/admin/operations/reference',
    title: '基础数据',
    words: ['行业', '收款方式', '原因', '短信模板'],
    permission: 'referenceData.manage',
    file: 'features/reference-data/ReferencePage.tsx',
    group: '运营管理',
    order: 40,
  },
]
