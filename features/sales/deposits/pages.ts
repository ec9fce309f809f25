// The pages of this feature by path (D3 §2, importDeposit).
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type PublicPage, type RoutePage } from '#kit/declare/pages.ts'
import type { DEPOSITS } from './fields.ts'

export const PAGES = [
  {
    path: '/admin/tool/importDeposit',
    title: '押金',
    words: ['保证金', '退押金', '设备押金'],
    permission: 'deposits.list',
    file: 'features/sales/deposits/DepositsPage.tsx',
    group: '支付与小程序',
    order: 4,
    list: '/api/deposits',
    search: asks<ListParams<typeof DEPOSITS> & { id?: number }>(),
  },
] as const satisfies readonly RoutePage[]

export const PUBLIC_PAGES = [
  { prefix: '/d/', title: '支付押金', file: 'features/sales/deposits/PayPage.tsx' },
] as const satisfies readonly PublicPage[]
