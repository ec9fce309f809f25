// Demo rows of what staff wrote about partners.
import { DEMO_AGENTS, demoStaff } from '#features/access/demo.ts'
import { ago, type Demo } from '#server/demo.ts'
import { partnerNotes } from './tables.ts'

const NOTES: readonly [agentId: number, days: number, text: string][] = [
  [DEMO_AGENTS.first, 90, '季度回访：主要做餐饮和烘焙，计划明年在东莞再开一个网点。'],
  [DEMO_AGENTS.first, 21, '反馈续费提醒短信很有用，希望可以自定义文字。已转产品。'],
  [DEMO_AGENTS.other, 6, '合同下月到期，已电话沟通续签，对方在走内部审批。'],
]

export function demo(demo: Demo): void {
  const by = demoStaff(demo)
  for (const [agentId, days, text] of NOTES)
    demo.history.add(partnerNotes, {
      agentId,
      text,
      createdBy: by.id,
      createdByName: by.name,
      createdAt: ago(demo, days),
    })
}
