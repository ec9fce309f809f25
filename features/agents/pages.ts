// The pages of this feature by path (D1 §2, D3 §2).
import type { RoutePage } from '#kit/pages.ts'

export const PAGES: readonly RoutePage[] = [
  {
    path: '/admin/operations/agents',
    title: '代理商',
    permission: 'agents.list',
    file: 'features/agents/AgentsPage.tsx',
    group: '运营管理',
    list: '/api/agents',
  },
]
