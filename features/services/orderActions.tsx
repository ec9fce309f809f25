// What every list of orders needs: its row number, its undo, and its filters in words.
import { useQuery } from '@tanstack/react-query'
import type { agents } from '#features/agents/contract.ts'
import { refuseUndo, UNDO_REFUSALS } from '#features/orders/rules.ts'
import { api } from '#web/api.ts'
import type { ActiveFilter, ListAnswer, RowAction } from '#web/ListPage.tsx'

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

type Undoable = { isPaid: boolean; isUndone: boolean; paidAt: string | null }

/** Refused in the page by the server's own rule (D3 §9): disabled with its reason, not hidden. */
export function undoAction(order: Undoable, onClick: () => void): RowAction {
  const code = refuseUndo(order, new Date().toISOString())
  return { key: 'undo', label: '撤销', danger: true, disabled: code && UNDO_REFUSALS[code], onClick }
}

type Filtered = { from?: string; to?: string; agentId?: number }

/** The days and the agent that are filtered, in words; the agent's name is fetched only when one is chosen. */
export function useFiltersInWords(
  params: Filtered,
  clearDays: () => void,
): { days: ActiveFilter[]; agent: ActiveFilter[] } {
  const { from, to, agentId } = params
  const found = useQuery({
    queryKey: ['agents', 'options', String(agentId)],
    queryFn: () => agentsApi.options({ search: String(agentId) }),
    enabled: agentId !== undefined,
  })
  const name = found.data?.rows.find(row => row.id === agentId)?.companyName
  return {
    days:
      from || to
        ? [{ key: 'dates', label: '时间', text: `${from ?? '最早'} 至 ${to ?? '今天'}`, onRemove: clearDays }]
        : [],
    agent: agentId === undefined ? [] : [{ key: 'agentId', label: '代理商', text: name ?? String(agentId) }],
  }
}

/** The address of a list's file with what is filtered. */
export function exportAddress(path: `/api/${string}`, params: Record<string, unknown>): string {
  const { page: _page, size: _size, ...filters } = params
  const given = Object.entries(filters).filter(([, value]) => value !== undefined)
  return `${path}?${new URLSearchParams(given.map(([key, value]) => [key, String(value)]))}`
}
