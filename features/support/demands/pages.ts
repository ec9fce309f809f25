// The pages of this feature by path (D3 §2).
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type RoutePage } from '#kit/declare/pages.ts'
import type { DEMANDS } from './fields.ts'
import { FORM_PATH } from './rules.ts'

export const PAGES = [
  {
    path: '/admin/demand',
    title: '需求管理',
    words: ['需求', 'Bug', '任务'],
    permission: 'demands.list',
    file: 'features/support/demands/DemandsPage.tsx',
    order: 1,
    list: '/api/demands',
    search: asks<ListParams<typeof DEMANDS>>(),
  },
  {
    path: '/admin/demand/board',
    title: '需求看板',
    permission: 'demands.list',
    file: 'features/support/demands/DemandBoardPage.tsx',
    under: '/admin/demand',
    search: asks<ListParams<typeof DEMANDS>>(),
  },
  {
    path: FORM_PATH,
    title: '需求',
    permission: 'demands.list',
    file: 'features/support/demands/DemandFormPage.tsx',
    under: '/admin/demand',
    early: [{ address: '/api/demands/options', permission: 'demands.list' }],
    search: asks<{ id?: number; feedback?: number; thread?: number; pictures?: string }>(),
  },
] as const satisfies readonly RoutePage[]
