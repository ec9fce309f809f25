// The filters of a list in words.
import { useQuery } from '@tanstack/react-query'
import type { agents } from '#features/agents/contract.ts'
import { api } from '#web/api.ts'
import type { ActiveFilter } from '#web/list/ListPage.tsx'

const agentsApi = api<typeof agents>('agents')

/** The name of the id that is filtered by, if any; the id until its name is known. */
function nameFilter(
  key: string,
  label: string,
  rows: readonly { id: number; name: string }[] | undefined,
  id: number | undefined,
): ActiveFilter[] {
  if (id === undefined) return []
  return [{ key, label, text: rows?.find(row => row.id === id)?.name ?? String(id) }]
}

type Filtered = { from?: string; to?: string; agentId?: number }

/** The days and the agent that are filtered, in words; the agent's name is fetched only when one is chosen. */
export function useFiltersInWords(
  { from, to, agentId }: Filtered,
  clearDays: () => void,
  daysLabel = '时间',
): { days: ActiveFilter[]; agent: ActiveFilter[] } {
  const found = useQuery({
    queryKey: ['agents', 'options', String(agentId)],
    queryFn: () => agentsApi.options({ search: String(agentId) }),
    enabled: agentId !== undefined,
  })
  const names = found.data?.rows.map(({ id, companyName }) => ({ id, name: companyName }))
  const text = `${from ?? '最早'} 至 ${to ?? '今天'}`
  return {
    days: from || to ? [{ key: 'dates', label: daysLabel, text, onRemove: clearDays }] : [],
    agent: nameFilter('agentId', '代理商', names, agentId),
  }
}
