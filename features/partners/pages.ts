// The pages of this feature by path.
import type { PublicPage, RoutePage } from '#kit/pages.ts'
import { INVITE_PREFIX } from './rules.ts'

export const PAGES: readonly RoutePage[] = [
  {
    path: '/admin/operations/agents',
    title: '代理商',
    words: ['合作伙伴', '新增代理商'],
    permission: 'agentDesk.list',
    file: 'features/partners/AgentsPage.tsx',
    group: '运营管理',
    order: 1,
    list: '/api/agents',
  },
]

export const PUBLIC_PAGES = [
  { prefix: INVITE_PREFIX, title: '设置登录密码', file: 'features/partners/InvitePage.tsx' },
] as const satisfies readonly PublicPage[]
