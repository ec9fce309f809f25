// The pages of this feature by path (D2 §2, D3 §2).
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type RoutePage } from '#kit/declare/pages.ts'
import type { APPROVALS } from './fields.ts'

export const PAGES = [
  {
    path: '/admin/merchant/smsManage',
    title: '短信签名',
    words: ['审批', '签名审核'],
    permission: 'approvals.signatures',
    file: 'features/care/approvals/SignaturesPage.tsx',
    group: '短信',
    order: 9,
    list: '/api/approvals/signatures',
    search: asks<ListParams<(typeof APPROVALS)['signature']> & { request?: number; user_id?: number }>(),
  },
  {
    path: '/admin/merchant/storeName',
    title: '店铺名称',
    words: ['审批', '改名'],
    permission: 'approvals.shopNames',
    file: 'features/care/approvals/ShopNamesPage.tsx',
    group: '商户管理',
    entry: '店铺资料',
    order: 21,
    list: '/api/approvals/shop-names',
    search: asks<ListParams<(typeof APPROVALS)['shopName']> & { request?: number; user_id?: number }>(),
  },
  {
    path: '/admin/merchant/appellationManage',
    title: '会员称谓',
    words: ['审批'],
    permission: 'approvals.memberTitles',
    file: 'features/care/approvals/MemberTitlesPage.tsx',
    group: '商户管理',
    entry: '店铺资料',
    order: 22,
    list: '/api/approvals/member-titles',
    search: asks<ListParams<(typeof APPROVALS)['memberTitle']> & { request?: number; user_id?: number }>(),
  },
] as const satisfies readonly RoutePage[]
