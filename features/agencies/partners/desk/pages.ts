// The pages of this feature by path.
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type RoutePage } from '#kit/declare/pages.ts'
import type { PARTNERS } from './fields.ts'

export const PAGES = [
  {
    path: '/admin/operations/agents',
    title: '代理商',
    words: ['合作伙伴', '新增代理商', '合同到期'],
    permission: 'agentDesk.list',
    file: 'features/agencies/partners/desk/AgentsPage.tsx',
    group: '伙伴管理',
    order: 1,
    list: '/api/agents',
    search: asks<ListParams<typeof PARTNERS>>(),
  },
  {
    path: '/admin/operations/agentTree',
    title: '代理商结构',
    words: ['上级', '下级', '调整上级'],
    permission: 'partnerDesk.view',
    file: 'features/agencies/partners/desk/TreePage.tsx',
    group: '伙伴管理',
    under: '/admin/operations/agents',
  },
  {
    path: '/admin/operations/agents/$id',
    title: '代理商详情',
    permission: 'partnerDesk.view',
    file: 'features/agencies/partners/desk/PartnerPage.tsx',
    group: '伙伴管理',
    under: '/admin/operations/agents',
    search: asks<{ tab?: string }>(),
  },
] as const satisfies readonly RoutePage[]
