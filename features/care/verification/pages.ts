// The pages of this feature by path.
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type RoutePage } from '#kit/declare/pages.ts'
import type { VERIFICATIONS } from './fields.ts'

export const PAGES = [
  {
    path: '/admin/merchant/verification',
    title: '实名审核',
    words: ['实名认证', '身份证', '营业执照'],
    permission: 'verification.reviews',
    file: 'features/care/verification/VerificationsPage.tsx',
    group: '商户管理',
    entry: '店铺资料',
    order: 24,
    list: '/api/verification',
    search: asks<ListParams<typeof VERIFICATIONS> & { user_id?: number }>(),
  },
] as const satisfies readonly RoutePage[]
