import { useQuery } from '@tanstack/react-query'
import type { agents } from '#features/agents/contract.ts'
import type { merchants } from '#features/merchants/contract.ts'
import { api } from '#web/api.ts'
import type { ActiveFilter } from '#web/list/ListPage.tsx'
import type { renewals } from './contract.ts'
import { type DeskParams, MARK_FILTERS } from './deskColumns.tsx'

const renewalsApi = api<typeof renewals>('renewals')
const merchantsApi = api<typeof merchants>('merchants')
const agentsApi = api<typeof agents>('agents')

export const NO_MANAGER = { id: 0, name: '未分配' }

/** Counts of windows and managers; asked again when something was bought or noted. */
export function useCounts(agentId: number | undefined) {
  return useQuery({
    queryKey: ['renewals', 'counts', agentId ?? null],
    queryFn: () => renewalsApi.counts({ agentId }),
  })
}

/** Managers that shops can be filtered by: the agent's own, and those who have something due. */
export function useManagers(agentId: number | undefined, enabled: boolean): { id: number; name: string }[] {
  const options = useQuery({
    queryKey: ['merchants', 'options'],
    queryFn: () => merchantsApi.options({}),
    enabled: enabled && agentId === undefined,
  })
  const counts = useCounts(agentId)
  const due = (counts.data?.managers ?? []).map(row => ({ id: row.managerId, name: row.managerName }))
  const own = agentId === undefined ? (options.data?.managers ?? []) : []
  const others = own.filter(manager => !due.some(row => row.id === manager.id))
  const known = [...due, ...others].filter(manager => manager.id !== NO_MANAGER.id)
  return [NO_MANAGER, ...known]
}

/** What is filtered, in words. */
export function useDeskChips(params: DeskParams): ActiveFilter[] {
  const { managerId, mark, agentId } = params
  const managers = useManagers(agentId, managerId !== undefined)
  const found = useQuery({
    queryKey: ['agents', 'options', String(agentId)],
    queryFn: () => agentsApi.options({ search: String(agentId) }),
    enabled: agentId !== undefined,
  })
  const agent = found.data?.rows.find(row => row.id === agentId)
  const manager = managers.find(row => row.id === managerId)
  const chips: [key: string, label: string, text: string | undefined][] = [
    ['managerId', '客户经理', managerId === undefined ? undefined : (manager?.name ?? String(managerId))],
    ['mark', '跟进', mark && (MARK_FILTERS[mark] ?? mark)],
    ['agentId', '代理商', agentId === undefined ? undefined : (agent?.companyName ?? String(agentId))],
  ]
  return chips.flatMap(([key, label, text]) => (text ? [{ key, label, text }] : []))
}
