import { AgentChoice } from '#features/agents/AgentPicker.tsx'
import { api } from '#web/api.ts'
import type { merchants } from './contract.ts'

const merchantsApi = api<typeof merchants>('merchants')

type Props = { value: number | undefined; onChange: (agentId: number | undefined) => void }

/** One of the agents below the acting one. */
export function SubAgentPicker(props: Props) {
  return (
    <AgentChoice
      {...props}
      what="下级代理商"
      queryKey={['subAgents', 'options']}
      find={merchantsApi.secondaryAgents}
    />
  )
}
