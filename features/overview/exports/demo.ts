// Demo rows of exports: one that the program writes as soon as it runs, and one that was taken back.
import { DEMO_AGENTS, demoOwner } from '#features/office/access/demo.ts'
import { VERSION_ORDERS } from '#features/sales/orders/fields.ts'
import { MY_MERCHANTS } from '#features/shops/merchants/fields.ts'
import { ago, type Demo } from '#server/demo.ts'
import { exportJobs } from './tables.ts'

export function demo(demo: Demo): void {
  const { id: accountId } = demoOwner(demo, DEMO_AGENTS.first)
  const common = { agentId: DEMO_AGENTS.first, accountId }
  const cancelledAt = ago(demo, 0.05)
  demo.history.add(exportJobs, {
    ...common,
    path: VERSION_ORDERS.file.path,
    title: VERSION_ORDERS.file.name,
    conditions: '订单类型：续费',
    query: { salesType: 'renew' },
    state: 'cancelled',
    createdAt: cancelledAt,
    finishedAt: cancelledAt,
  })
  demo.history.add(exportJobs, {
    ...common,
    path: MY_MERCHANTS.file.path,
    title: MY_MERCHANTS.file.name,
    conditions: '状态：正常',
    query: { status: 'normal' },
    state: 'queued',
    createdAt: ago(demo, 0.001),
  })
}
