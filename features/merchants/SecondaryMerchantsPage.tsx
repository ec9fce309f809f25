import { lazy } from 'react'
import { api } from '#web/api.ts'
import { ListPage } from '#web/ListPage.tsx'
import { look } from '#web/look.ts'
import { useListParams } from '#web/useListParams.ts'
import type { merchants } from './contract.ts'
import { type ListParams, useFilterChips } from './MerchantFilterChips.tsx'
import { COLUMNS, type Column, exportAddress, type Row } from './merchantColumns.tsx'

const merchantsApi = api<typeof merchants>('merchants')
const MerchantFilters = lazy(() => import('./MerchantFilters.tsx'))

/** The shops of the acting agent's sub-agents, to be read alone (decisions.md, "Stubs and defects"). */
export default function SecondaryMerchantsPage() {
  const [params, setParams] = useListParams<ListParams>()
  return (
    <ListPage<Row, ListParams>
      title="下级商户"
      listKey="merchants.secondary"
      queryKey={['merchants', 'secondary']}
      fetchPage={wanted => merchantsApi.secondary(wanted)}
      rowKey={row => row.id}
      columns={SHOWN}
      searchPlaceholder="商户ID / 姓名 / 店铺 / 账号 / 推荐人"
      filters={<MerchantFilters params={params} onChange={setParams} agents="below" />}
      activeFilters={useFilterChips(params, 'below')}
      summary={() => <span className={look.quiet}>下级代理商的商户，仅供查看</span>}
      exportHref={(wanted, shown) => exportAddress('/api/merchants/secondary/export.xlsx', wanted, shown)}
      exportPermission="merchants.secondary"
      emptyText="下级代理商还没有商户"
    />
  )
}

const REMARK: Column = {
  key: 'remark',
  title: '备注',
  width: 184,
  copy: row => row.remark,
  render: row => row.remark,
  card: 'hidden',
}

const SIGNATURE: Column = {
  key: 'signature',
  title: '短信签名',
  width: 128,
  copy: row => row.signature,
  render: row => row.signature,
  card: 'hidden',
}

const SHOWN: readonly Column[] = [
  COLUMNS.id,
  COLUMNS.shopName,
  { ...COLUMNS.agentName, title: '下级代理商', card: 'fact' },
  COLUMNS.personName,
  COLUMNS.account,
  COLUMNS.versionName,
  COLUMNS.industryName,
  COLUMNS.registeredAt,
  COLUMNS.expiresAt,
  COLUMNS.lastLoginAt,
  COLUMNS.referrer,
  COLUMNS.managerName,
  REMARK,
  SIGNATURE,
  COLUMNS.verificationStatus,
  COLUMNS.status,
]
