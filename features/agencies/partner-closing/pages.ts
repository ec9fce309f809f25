// The pages of this feature by path.
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type RoutePage } from '#kit/declare/pages.ts'
import type { CLOSINGS } from './fields.ts'

export const PAGES = [
  {
    path: '/admin/operations/closings',
    title: '停止合作',
    words: ['关闭代理商', '注销代理商', '商户转移'],
    permission: 'partnerClosing.manage',
    file: 'features/agencies/partner-closing/ClosingsPage.tsx',
    group: '伙伴管理',
    entry: '合作申请',
    order: 13,
    list: '/api/partner-closings',
    search: asks<ListParams<typeof CLOSINGS> & { closing?: number; close?: number }>(),
  },
] as const satisfies readonly RoutePage[]
