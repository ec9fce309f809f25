// The pages of this feature by path.
import type { RoutePage } from '#kit/pages.ts'

export const PAGES: readonly RoutePage[] = [
  {
    path: '/admin/merchant/verification',
    title: '实名审核',
    words: ['实名认证', '身份证', '营业执照'],
    permission: 'verification.reviews',
    file: 'features/verification/VerificationsPage.tsx',
    group: '商户管理',
    order: 24,
    list: '/api/verification',
  },
]
