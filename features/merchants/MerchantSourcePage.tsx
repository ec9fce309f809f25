import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import type { agents } from '#features/agents/contract.ts'
import type { Out } from '#kit/op.ts'
import { api } from '#web/api.ts'
import { type ActiveFilter, type ListColumn, ListPage } from '#web/ListPage.tsx'
import { useSession } from '#web/session.ts'
import { useListParams } from '#web/useListParams.ts'
import type { merchants } from './contract.ts'
import { useDrawer } from './MerchantDrawerAddress.tsx'
import { rangeText } from './MerchantFilterChips.tsx'
import { COLUMNS, exportAddress } from './merchantColumns.tsx'
import { SOURCES, type Source } from './rules.ts'

const merchantsApi = api<typeof merchants>('merchants')
const agentsApi = api<typeof agents>('agents')
const MerchantSourceFilters = lazy(() => import('./MerchantSourceFilters.tsx'))
const MerchantDrawer = lazy(() => import('./MerchantDrawer.tsx'))

type Row = Out<typeof merchants.bySource>['rows'][number]

export type SourceParams = {
  page?: number
  size?: number
  search?: string
  source?: Source
  agentId?: number
  registeredFrom?: string
  registeredTo?: string
  sort?: 'registeredAt'
  order?: 'asc' | 'desc'
}

/** Where the shops of all agents came from (D2 §2 screen 3). */
export default function MerchantSourcePage() {
  const session = useSession()
  const [params, setParams] = useListParams<SourceParams>()
  const drawer = useDrawer()
  const mayOpen = session.permissions.includes('merchants.details')
  return (
    <>
      <ListPage<Row, SourceParams>
        title="商户来源"
        listKey="merchants.source"
        queryKey={['merchants', 'source']}
        fetchPage={({ sort: _sort, ...wanted }) => merchantsApi.bySource(wanted)}
        rowKey={row => row.id}
        columns={SHOWN}
        searchPlaceholder="商户ID / 姓名 / 店铺 / 账号 / 推荐人"
        filters={<MerchantSourceFilters params={params} onChange={setParams} />}
        activeFilters={useSourceChips()}
        ownParams={['user_id']}
        openKey={drawer.id}
        exportHref={({ sort: _sort, ...wanted }, shown) =>
          exportAddress('/api/merchants/source/export.xlsx', wanted, shown)
        }
        exportPermission="merchants.sourceExport"
        emptyText="还没有商户"
        onOpen={mayOpen ? row => drawer.open(row.id) : undefined}
      />
      <Suspense>{drawer.id !== null && <MerchantDrawer id={drawer.id} onClose={drawer.close} />}</Suspense>
    </>
  )
}

const SOURCE: ListColumn<Row> = {
  key: 'source',
  title: '来源',
  width: 96,
  copy: row => SOURCES[row.source],
  render: row => SOURCES[row.source],
  card: 'fact',
}

const SHOWN: readonly ListColumn<Row>[] = [
  COLUMNS.id,
  COLUMNS.shopName,
  COLUMNS.account,
  SOURCE,
  COLUMNS.referrer,
  { ...COLUMNS.agentName, card: 'fact' },
  { ...COLUMNS.registeredAt, card: 'fact' },
  COLUMNS.versionName,
  COLUMNS.status,
]

/** What is filtered, in words; the agent's name is fetched only when one is chosen. */
function useSourceChips(): ActiveFilter[] {
  const [{ source, agentId, registeredFrom, registeredTo }, setParams] = useListParams<SourceParams>()
  const found = useQuery({
    queryKey: ['agents', 'options', String(agentId)],
    queryFn: () => agentsApi.options({ search: String(agentId) }),
    enabled: agentId !== undefined,
  })
  const days = rangeText(registeredFrom, registeredTo)
  const agent = found.data?.rows.find(row => row.id === agentId)
  return [
    ...(source ? [{ key: 'source', label: '来源', text: SOURCES[source] ?? source }] : []),
    ...(agentId === undefined
      ? []
      : [{ key: 'agentId', label: '代理商', text: agent?.companyName ?? String(agentId) }]),
    ...(days === undefined
      ? []
      : [
          {
            key: 'registered',
            label: '注册',
            text: days,
            onRemove: () => setParams({ registeredFrom: undefined, registeredTo: undefined }),
          },
        ]),
  ]
}
