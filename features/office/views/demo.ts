// Demo rows of saved views.
import { DEMO_AGENTS, demoOwner } from '#features/office/access/demo.ts'
import { ago, type Demo } from '#server/demo.ts'
import { savedViews } from './tables.ts'

const VIEWS: [list: string, name: string, params: Record<string, string>, isShared: boolean][] = [
  ['merchants.list', '餐饮商户', { industryId: '2' }, true],
  ['merchants.list', '30 天未登录', { lastLoginDays: '30' }, false],
  ['orders.list', '续费订单', { salesType: 'renew' }, true],
]

export function demo(demo: Demo): void {
  const { id: accountId } = demoOwner(demo, DEMO_AGENTS.first)
  for (const [list, name, params, isShared] of VIEWS)
    demo.history.add(savedViews, {
      ...{ agentId: DEMO_AGENTS.first, accountId, list, name, params, isShared, createdAt: ago(demo, 80) },
    })
}
