// The pages of this feature by path.
import { asks, type RoutePage } from '#kit/declare/pages.ts'

export const PAGES = [
  {
    path: '/admin/schedule/appletCategories',
    title: '小程序类目',
    words: ['类目', '资质', '许可证'],
    permission: 'programCategories.list',
    file: 'features/programs/program-categories/CategoriesPage.tsx',
    group: '支付与小程序',
    entry: '小程序',
    order: 14,
    search: asks<{ search?: string }>(),
  },
] as const satisfies readonly RoutePage[]
