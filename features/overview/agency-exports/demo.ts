// A demo row: what an agency that has left took along. The archive itself is past its time.
import { DEMO_AGENTS, demoOperator } from '#features/office/access/demo.ts'
import { ago, type Demo } from '#server/demo.ts'
import { agencyExports } from './tables.ts'

export function demo(demo: Demo): void {
  const by = demoOperator(demo)
  const common = { createdBy: by.id, createdByName: by.name, agentId: DEMO_AGENTS.gone } as const
  demo.history.add(agencyExports, {
    ...common,
    reason: '合作终止，移交全部数据',
    state: 'deleted',
    rowsWritten: 318,
    rowsExpected: 318,
    byteSize: 96_418,
    createdAt: ago(demo, 199),
    finishedAt: ago(demo, 198.99),
    expiresAt: ago(demo, 185),
  })
  demo.history.add(agencyExports, {
    ...common,
    reason: '合作终止，移交全部数据',
    state: 'failed',
    error: '服务器存储空间不足，请清理后重试',
    createdAt: ago(demo, 199.1),
    finishedAt: ago(demo, 199.09),
  })
}
