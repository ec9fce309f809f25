// The pages of this feature by path (D1 §2, D3 §2).
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type RoutePage } from '#kit/declare/pages.ts'
import type { BALANCE_CHANGES } from './fields.ts'

export const PAGES = [
  {
    path: '/admin/detail/personalDetails',
    title: '余额变动',
    words: ['代币', '流水', '扣款'],
    permission: 'ledger.changes',
    file: 'features/money/ledger/BalanceChangesPage.tsx',
    group: '结算中心',
    order: 2,
    list: '/api/wallet/changes',
    search: asks<ListParams<typeof BALANCE_CHANGES>>(),
  },
] as const satisfies readonly RoutePage[]

/** An order over whatever page is open: any address may name it. */
export type OpenedOrder = { orderNo?: string | undefined }
