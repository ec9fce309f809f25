// The pages of this feature by path (D1 §2, D3 §2).
import { asks, type RoutePage } from '#kit/declare/pages.ts'

export const PAGES = [
  {
    path: '/admin/index',
    title: '首页',
    permission: 'home',
    file: 'features/overview/dashboard/HomePage.tsx',
    order: 1,
    early: [
      { address: '/api/dashboard/todo', permission: 'session' },
      { address: '/api/setup', permission: 'session' },
      { address: '/api/dashboard/month', permission: 'dashboard.figures' },
      { address: '/api/dashboard/figures', permission: 'dashboard.figures' },
      { address: '/api/content/shown', permission: 'session' },
    ],
    search: asks<{ feedback?: 'mine' }>(),
  },
] as const satisfies readonly RoutePage[]
