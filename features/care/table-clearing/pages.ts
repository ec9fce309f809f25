// The pages of this feature by path (D3 §2).
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type RoutePage } from '#kit/declare/pages.ts'
import type { CLEARINGS } from './fields.ts'

export const PAGES = [
  {
    path: '/admin/tool/clearTable',
    title: '清空数据',
    words: ['清表', '清空表', '删除数据', '恢复数据', '备份'],
    permission: 'tableClearing.find',
    file: 'features/care/table-clearing/ClearTablePage.tsx',
    group: '售后工具',
    order: 5,
    search: asks<{ search?: string }>(),
  },
  {
    path: '/admin/tool/clearings',
    title: '清空记录',
    words: ['恢复数据', '备份'],
    permission: 'tableClearing.list',
    file: 'features/care/table-clearing/ClearingsPage.tsx',
    group: '售后工具',
    order: 6,
    list: '/api/tools/clearings',
    search: asks<ListParams<typeof CLEARINGS> & { id?: number }>(),
  },
] as const satisfies readonly RoutePage[]
