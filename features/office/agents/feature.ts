import { type Feature, rowsOf } from '#server/feature.ts'
import { agents as contract } from './contract.ts'
import { AGENT_LEVELS } from './reference.ts'
import { agentsRouter as router } from './server.ts'
import { followLevels } from './server-levels.ts'
import { agentLevels, agents } from './tables.ts'

export const feature = {
  contract,
  router,
  reference: [rowsOf(agentLevels, AGENT_LEVELS)],
  districts: [{ what: '代理商', counted: '家', column: agents.districtCode }],
  loops: { levels: { everyMs: 5_000, afterMs: 0, work: followLevels } },
  configured: [
    {
      key: 'agent-levels',
      title: '代理商等级',
      table: agentLevels,
      id: agentLevels.id,
      named: 'name',
      leaves: {},
    },
  ],
} satisfies Feature
