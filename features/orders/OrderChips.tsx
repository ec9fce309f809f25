import { useQuery } from '@tanstack/react-query'
import type { agents } from '#features/agents/contract.ts'
import { PAY_METHODS, type PayMethod } from '#features/ledger/rules.ts'
import type { versions } from '#features/versions/contract.ts'
import { api } from '#web/api.ts'
import type { ActiveFilter } from '#web/ListPage.tsx'
import { type ListParams, useListParams } from '#web/useListParams.ts'
import type { orders } from './contract.ts'
import { ORDER_STATUSES, type OrderStatus, SALES_TYPES, type SalesType } from './rules.ts'

const ordersApi = api<typeof orders>('orders')
const agentsApi = api<typeof agents>('agents')
const versionsApi = api<typeof versions>('versions')

export type OrderParams = ListParams & {
  versionId?: number
  payMethod?: PayMethod
  salesType?: SalesType
  status?: OrderStatus
  actorId?: number
  agentId?: number
  paidFrom?: string
  paidTo?: string
}

/** The catalogue, also of versions that are not sold any more. */
export function useVersions(enabled: boolean) {
  return useQuery({ queryKey: ['versions', 'list'], queryFn: () => versionsApi.list(), enabled })
}

/** People of the operator filter; of the chosen agent where vendor staff look at one. */
export function useActors(agentId: number | undefined, enabled: boolean) {
  return useQuery({
    queryKey: ['orders', 'actors', agentId],
    queryFn: () => ordersApi.actors(agentId === undefined ? {} : { agentId }),
    enabled,
  })
}

/** What is filtered, in words; names are fetched only for filters that hold an id. */
export function useActiveFilters(): ActiveFilter[] {
  const [params, setParams] = useListParams<OrderParams>()
  const { versionId, payMethod, salesType, status, actorId, agentId, paidFrom, paidTo } = params
  const catalogue = useVersions(versionId !== undefined)
  const actors = useActors(agentId, actorId !== undefined)
  const found = useQuery({
    queryKey: ['agents', 'options', String(agentId)],
    queryFn: () => agentsApi.options({ search: String(agentId) }),
    enabled: agentId !== undefined,
  })
  const chip = (key: string, label: string, text: string | undefined): ActiveFilter[] =>
    text === undefined ? [] : [{ key, label, text }]
  const version = catalogue.data?.rows.find(row => row.id === versionId)
  const actor = actors.data?.rows.find(row => row.id === actorId)
  const agent = found.data?.rows.find(row => row.id === agentId)
  const named = (name: string | undefined, id: number | undefined) =>
    name ?? (id === undefined ? undefined : String(id))
  const dates: ActiveFilter = {
    key: 'paid',
    label: '支付时间',
    text: `${paidFrom ?? '最早'} 至 ${paidTo ?? '今天'}`,
    onRemove: () => setParams({ paidFrom: undefined, paidTo: undefined }),
  }
  return [
    ...chip('versionId', '版本', named(version?.name, versionId)),
    ...chip('payMethod', '支付方式', payMethod && (PAY_METHODS[payMethod] ?? payMethod)),
    ...chip('salesType', '订单类型', salesType && (SALES_TYPES[salesType] ?? salesType)),
    ...chip('status', '订单状态', status && (ORDER_STATUSES[status] ?? status)),
    ...chip('actorId', '操作人', named(actor?.name, actorId)),
    ...(paidFrom || paidTo ? [dates] : []),
    ...chip('agentId', '代理商', named(agent?.companyName, agentId)),
  ]
}

/** The filters of an address as a query. */
export function queryOf({ page: _page, size: _size, ...filters }: OrderParams): string {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined)
  return new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString()
}
