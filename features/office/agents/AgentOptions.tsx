import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { api } from '#web/client/api.ts'
import type { Options } from '#web/list/options.ts'
import type { FindAgents } from './AgentFilter.tsx'
import type { agents } from './contract.ts'

const agentsApi = api<typeof agents>('agents')
const AgentFilter = lazy(() => import('./AgentFilter.tsx'))

/** For a filter by agent: those that `find` answers with. */
export function agentOptions(queryKey: readonly string[], find: FindAgents): Options {
  return {
    useName: id =>
      useQuery({
        queryKey: [...queryKey, String(id)],
        queryFn: () => find({ search: String(id) }),
        enabled: id !== undefined,
      }).data?.rows.find(row => row.id === id)?.companyName,
    Picker: props => <AgentFilter {...props} queryKey={queryKey} find={find} />,
  }
}

export const AGENT_OPTIONS = agentOptions(['agents', 'options'], agentsApi.options)
