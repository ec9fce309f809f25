// Demo rows of partners that ended: one whose shop has gone to another, and one whose end was put off.
import { DEMO_AGENTS, demoOperator } from '#features/office/access/demo.ts'
import { ago, type Demo } from '#server/demo.ts'
import { partnerClosings } from './tables.ts'

/** Of the partners' demo: it is suspended. */
const SUSPENDED = 106

export function demo(demo: Demo): void {
  const by = demoOperator(demo)
  const both = { takerId: DEMO_AGENTS.other, createdBy: by.id, createdByName: by.name } as const
  demo.history.add(partnerClosings, {
    ...both,
    agentId: DEMO_AGENTS.gone,
    balances: 'refund',
    reason: '合同到期不再续签',
    state: 'done',
    shops: 1,
    moved: 1,
    createdAt: ago(demo, 200),
    finishedAt: ago(demo, 199.99),
  })
  demo.history.add(partnerClosings, {
    ...both,
    agentId: SUSPENDED,
    balances: 'move',
    reason: '合同款逾期，协商转让',
    state: 'paused',
    shops: 0,
    createdAt: ago(demo, 2),
  })
}
