import { useQuery } from '@tanstack/react-query'
import type { agents } from '#features/agents/contract.ts'
import type { versions } from '#features/versions/contract.ts'
import { api } from '#web/api.ts'
import type { ActiveFilter } from '#web/ListPage.tsx'
import type { merchants } from './contract.ts'
import { MERCHANT_STATUSES, STORE_KINDS } from './rules.ts'

const merchantsApi = api<typeof merchants>('merchants')
const versionsApi = api<typeof versions>('versions')
const agentsApi = api<typeof agents>('agents')
const findAgents = { all: agentsApi.options, below: merchantsApi.secondaryAgents }

export type ListParams = {
  page?: number
  size?: number
  search?: string
  status?: 'normal' | 'disabled'
  storeKind?: 'head' | 'branch'
  versionId?: number
  industryId?: number
  paymentMethodId?: number
  agentId?: number
  registeredFrom?: string
  registeredTo?: string
  expiresFrom?: string
  expiresTo?: string
  lastLoginDays?: number
  sort?: 'registeredAt' | 'expiresAt' | 'lastLoginAt'
  order?: 'asc' | 'desc'
}

export function lastLoginText(days: number): string {
  return days === 0 ? '今天' : `${days} 天未登录`
}

/** The parameters that a chip of two days stands for. */
const CHIP_PARAMS: Record<string, string[]> = {
  registered: ['registeredFrom', 'registeredTo'],
  expires: ['expiresFrom', 'expiresTo'],
}

/** What is filtered, in words. Names are fetched only for filters that hold an id. */
export function useFilterChips(params: ListParams, agentsOf: 'all' | 'below' = 'all'): ActiveFilter[] {
  const options = useQuery({
    queryKey: ['merchants', 'options'],
    queryFn: () => merchantsApi.options({}),
    enabled: params.industryId !== undefined || params.paymentMethodId !== undefined,
  })
  const catalogue = useQuery({ ...versionsApi.list.query(), enabled: params.versionId !== undefined })
  const found = useQuery({
    queryKey: [agentsOf === 'all' ? 'agents' : 'subAgents', 'options', String(params.agentId)],
    queryFn: () => findAgents[agentsOf]({ search: String(params.agentId) }),
    enabled: params.agentId !== undefined,
  })
  const nameIn = (rows: readonly { id: number; name: string }[] | undefined, id: number | undefined) =>
    id === undefined ? undefined : (rows?.find(row => row.id === id)?.name ?? String(id))
  const agent = found.data?.rows.find(row => row.id === params.agentId)
  const chips: [key: string, label: string, text: string | undefined][] = [
    ['registered', '注册', rangeText(params.registeredFrom, params.registeredTo)],
    ['expires', '到期', rangeText(params.expiresFrom, params.expiresTo)],
    [
      'lastLoginDays',
      '登录',
      params.lastLoginDays === undefined ? undefined : lastLoginText(params.lastLoginDays),
    ],
    ['status', '状态', params.status && MERCHANT_STATUSES[params.status]],
    ['versionId', '版本', nameIn(catalogue.data?.rows, params.versionId)],
    ['industryId', '行业', nameIn(options.data?.industries, params.industryId)],
    ['storeKind', '门店', params.storeKind && STORE_KINDS[params.storeKind]],
    ['paymentMethodId', '支付', nameIn(options.data?.paymentMethods, params.paymentMethodId)],
    [
      'agentId',
      '代理商',
      params.agentId === undefined ? undefined : (agent?.companyName ?? String(params.agentId)),
    ],
  ]
  return chips.flatMap(([key, label, text]) => (text ? [{ key, label, text, params: CHIP_PARAMS[key] }] : []))
}

export function rangeText(from: string | undefined, to: string | undefined): string | undefined {
  if (from && to) return `${from} 至 ${to}`
  if (from) return `${from} 起`
  return to ? `${to} 止` : undefined
}
