type OfAgent = { agentId: number; agentName: string }

const agentText = ({ agentId, agentName }: OfAgent) => `${agentName}（${agentId}）`

/** Name and number of a row's agent. */
export const AGENT_CELL = { copy: agentText, render: agentText }
