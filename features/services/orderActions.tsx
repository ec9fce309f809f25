// What every list of orders needs: its row number, its filters in words, and the address of its file.
import { useQuery } from '@tanstack/react-query'
import type { agents } from '#features/agents/contract.ts'
import { api } from '#web/api.ts'
import type { ActiveFilter, ListAnswer } from '#web/list/ListPage.tsx'

const agentsApi = api<typeof agents>('agents')

export type Numbered<Row> = Row & { index: number }

/** Gives each row its place in the whole list (index). */
export function numbered<Row, Answer extends ListAnswer<Row>>(
  answer: Answer,
  { page, size }: { page: number; size: number },
): Omit<Answer, 'rows'> & { rows: Numbered<Row>[] } {
  const first = (page - 1) * size + 1
  return { ...answer, rows: answer.rows.map((row, place) => ({ ...row, index: first + place })) }
}

/** The word that is filtered by, if any; an unknown one of an old address as it stands there. */
export function wordFilter<Word extends string>(
  key: string,
  label: string,
  names: Readonly<Record<Word, string>>,
  word: Word | undefined,
): ActiveFilter[] {
  return word === undefined ? [] : [{ key, label, text: names[word] ?? word }]
}

/** The name of the id that is filtered by, if any; the id until its name is known. */
export function nameFilter(
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

/** The address of a list's file with what is filtered. */
export function exportAddress(
  path: `/api/${string}`,
  { page: _page, size: _size, ...filters }: Record<string, unknown>,
): string {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined)
  return `${path}?${new URLSearchParams(given.map(([key, value]) => [key, String(value)]))}`
}
