// The pages of this feature by path (D2 §2, D3 §2).
import type { RoutePage } from '#kit/pages.ts'
import { APPROVAL_LISTS } from './rules.ts'

export const PAGES: readonly RoutePage[] = [
  {
    path: '/admin/merchant/smsManage',
    title: '短信签名',
    words: ['审批', '签名审核'],
    permission: APPROVAL_LISTS.signature,
    file: 'features/approvals/SignaturesPage.tsx',
    group: '短信',
    order: 9,
    list: '/api/approvals/signatures',
  },
  {
    path: '/admin/merchant/storeName',
    title: '店铺名称',
    words: ['审批', '改名'],
    permission: APPROVAL_LISTS.shopName,
    file: 'features/approvals/ShopNamesPage.tsx',
    group: '商户管理',
    order: 21,
    list: '/api/approvals/shop-names',
  },
  {
    path: '/admin/merchant/appellationManage',
    title: '会员称谓',
    words: ['审批'],
    permission: APPROVAL_LISTS.memberTitle,
    file: 'features/approvals/MemberTitlesPage.tsx',
    group: '商户管理',
    order: 22,
    list: '/api/approvals/member-titles',
  },
]
