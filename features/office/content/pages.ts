// The pages of this feature by path (D1 §2, D3 §2).
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type RoutePage } from '#kit/declare/pages.ts'
import type { CAROUSEL, NOTICES } from './fields.ts'
import type { ContentKind } from './rules.ts'

export const PAGES = [
  {
    path: '/admin/operations/content',
    title: '内容管理',
    permission: 'content.manage',
    file: 'features/office/content/ContentPage.tsx',
    group: '价格与资料',
    order: 35,
    list: '/api/content',
    search: asks<(ListParams<typeof CAROUSEL> | ListParams<typeof NOTICES>) & { kind?: ContentKind }>(),
  },
] as const satisfies readonly RoutePage[]
