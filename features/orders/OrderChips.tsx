import { useQuery } from '@tanstack/react-query'
import { PAY_METHODS, type PayMethod } from '#features/ledger/rules.ts'
import { nameFilter, useFiltersInWords, wordFilter } from '#features/services/orderActions.tsx'
import type { versions } from '#features/versions/contract.ts'
import { api } from '#web/api.ts'
import type { ActiveFilter } from '#web/list/ListPage.tsx'
import { type ListParams, useListParams } from '#web/list/useListParams.ts'
import type { orders } from './contract.ts'
import { ORDER_STATUSES, type OrderStatus, SALES_TYPES, type SalesType } from './rules.ts'

const ordersApi = api<typeof orders>('orders')
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
  return useQuery({ ...versionsApi.list.query(), enabled })
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
  const words = useFiltersInWords(
    { from: paidFrom, to: paidTo, agentId },
    () => setParams({ paidFrom: undefined, paidTo: undefined }),
    '支付时间',
  )
  return [
    ...nameFilter('versionId', '版本', catalogue.data?.rows, versionId),
    ...wordFilter('payMethod', '支付方式', PAY_METHODS, payMethod),
    ...wordFilter('salesType', '订单类型', SALES_TYPES, salesType),
    ...wordFilter('status', '订单状态', ORDER_STATUSES, status),
    ...nameFilter('actorId', '操作人', actors.data?.rows, actorId),
    ...words.days,
    ...words.agent,
  ]
}
