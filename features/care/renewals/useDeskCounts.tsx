import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { merchants } from '#features/shops/merchants/contract.ts'
import { api } from '#web/client/api.ts'
import type { Options } from '#web/list/options.ts'
import type { renewals } from './contract.ts'
import type { Window } from './rules.ts'

const renewalsApi = api<typeof renewals>('renewals')
const merchantsApi = api<typeof merchants>('merchants')

const NO_MANAGER = { id: 0, name: '未分配' }

/** Counts of windows and managers; asked again when something was bought or noted. */
export function useDeskCounts(agentId: number | undefined, window: Window) {
  return useQuery({
    ...renewalsApi.counts.query({ agentId, window }),
    placeholderData: keepPreviousData,
  })
}

function useManagers(
  agentId: number | undefined,
  window: Window,
  enabled: boolean,
): { id: number; name: string }[] {
  const options = useQuery({
    ...merchantsApi.options.query({}),
    enabled: enabled && agentId === undefined,
  })
  const counts = useDeskCounts(agentId, window)
  const due = (counts.data?.managers ?? []).map(row => ({ id: row.managerId, name: row.managerName }))
  const own = agentId === undefined ? (options.data?.managers ?? []) : []
  const others = own.filter(manager => !due.some(row => row.id === manager.id))
  const known = [...due, ...others].filter(manager => manager.id !== NO_MANAGER.id)
  return [NO_MANAGER, ...known]
}

/** Managers that shops can be filtered by: the agent's own, and those who have something due. */
export function managerOptions(agentId: number | undefined, window: Window): Options {
  return { useRows: wanted => useManagers(agentId, window, wanted) }
}
