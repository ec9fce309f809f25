// The pages of this feature by path.
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type RoutePage } from '#kit/declare/pages.ts'
import type { ERASURES } from './fields.ts'

export const PAGES = [
  {
    path: '/admin/operations/person-erasures',
    title: '个人信息删除',
    words: ['个人信息保护', '注销个人信息', '被遗忘', '查阅个人信息'],
    permission: 'personErasures.manage',
    file: 'features/overview/person-erasures/ErasuresPage.tsx',
    group: '伙伴管理',
    entry: '合作申请',
    order: 15,
    list: '/api/person-erasures',
    search: asks<ListParams<typeof ERASURES> & { erasure?: number }>(),
  },
] as const satisfies readonly RoutePage[]
