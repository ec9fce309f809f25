// The pages of this feature by path (D2 §2 18 to 20; D3 §2).
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type RoutePage } from '#kit/declare/pages.ts'
import type { APPLICATIONS, REVIEWS } from './fields.ts'

export const PAGES = [
  {
    path: '/admin/schedule/payApplication',
    title: '支付申请',
    words: ['支付进件', '微信支付', '特约商户'],
    permission: 'paymentApplications.list',
    file: 'features/acquiring/payment-applications/ApplicationsPage.tsx',
    group: '支付与小程序',
    entry: '支付申请',
    order: 1,
    list: '/api/payment-applications',
    search: asks<ListParams<typeof APPLICATIONS> & { id?: number }>(),
  },
  {
    path: '/admin/schedule/submitPayment',
    title: '提交支付资料',
    words: ['支付进件', '开户行', '对公', '对私'],
    permission: 'paymentApplications.edit',
    file: 'features/acquiring/payment-applications/SubmitPage.tsx',
    group: '支付与小程序',
    under: '/admin/schedule/payApplication',
    search: asks<{ user_id?: number }>(),
  },
  {
    path: '/admin/schedule/payInformation',
    title: '支付受理',
    words: ['微信支付', '受理', '支付进件'],
    permission: 'paymentApplications.reviews',
    file: 'features/acquiring/payment-applications/ReviewsPage.tsx',
    group: '支付与小程序',
    entry: '支付申请',
    order: 2,
    list: '/api/payment-applications/reviews',
    search: asks<ListParams<typeof REVIEWS> & { id?: number }>(),
  },
] as const satisfies readonly RoutePage[]
