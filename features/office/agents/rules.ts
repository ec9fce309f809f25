// Owns the vocabulary of agents (D1 §3, §6; decisions.md "Ids that are data"): states, flags and account formats.
// Must never name an agent's id.
import type { Tone } from '#kit/declare/fields.ts'
import type { Machine } from '#kit/declare/machine.ts'

/** What the operator's company is called before anybody has said it. */
export const FIRST_COMPANY = '运营中心'

/** Which account numbers an agent may give to shops (D1 §5); the widest that applies. */
export const ACCOUNT_FORMATS = ['standard', 'long', 'any'] as const
export type AccountFormat = (typeof ACCOUNT_FORMATS)[number]

/** suspended: its people see everything and change nothing, and its tokens stay. closed: nobody signs in. */
export const AGENT_STATUSES = { active: '正常', suspended: '已暂停', closed: '停用' } as const
export type AgentStatus = keyof typeof AGENT_STATUSES
export const AGENT_STATUS_KEYS = Object.keys(AGENT_STATUSES) as AgentStatus[]
export const AGENT_TONES: Record<AgentStatus, Tone> = {
  active: 'done',
  suspended: 'attention',
  closed: 'problem',
}

export const AGENT_STEPS = {
  suspend: { from: ['active'], to: 'suspended', by: ['partners.manage', 'partnerClosing.manage'] },
  resume: { from: ['suspended'], to: 'active', by: ['partners.manage'] },
  close: { from: ['active', 'suspended'], to: 'closed', by: ['program'] },
} as const satisfies Machine<AgentStatus>

export type DatedLevel = {
  fromLevelId: number
  levelId: number
  startsAt: string
  withdrawnAt: string | null
}

/** The level of an agent at a moment, by its changes and by what stands at the agent; the database's `level_at` says the same. */
export function levelAt(changes: readonly DatedLevel[], standing: number, at: string): number {
  const inOrder = changes
    .filter(({ withdrawnAt }) => withdrawnAt === null)
    .toSorted((a, b) => Date.parse(a.startsAt) - Date.parse(b.startsAt))
  const begun = inOrder.filter(({ startsAt }) => Date.parse(startsAt) <= Date.parse(at))
  return begun.at(-1)?.levelId ?? inOrder[0]?.fromLevelId ?? standing
}
