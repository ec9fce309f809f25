import { AgentLink } from './AgentLink.tsx'

type OfAgent = { agentId: number; agentName: string }

const agentText = ({ agentId, agentName }: OfAgent) => `${agentName}（${agentId}）`

/** Name and number of a row's agent; leads to its page. */
export const AGENT_CELL = {
  copy: agentText,
  render: (row: OfAgent) => <AgentLink id={row.agentId}>{agentText(row)}</AgentLink>,
}
