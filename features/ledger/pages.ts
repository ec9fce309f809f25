// The pages of this feature by path (D1 §2, D3 §2).
import type { RoutePage } from '#kit/pages.ts'

export const PAGES: readonly RoutePage[] = [
  {
    path: '/admin/detail/personalDetails',
    title: '余额变动',
    words: ['代币', '流水', '扣款'],
    permission: 'ledger.changes',
    file: 'features/ledger/BalanceChangesPage.tsx',
    group: '结算中心',
    order: 2,
    list: '/api/wallet/changes',
  },
]
