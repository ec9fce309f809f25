import { lazy, Suspense } from 'react'
import { useReminders } from '#features/messages/Reminders.tsx'
import { useTrade } from '#features/purchases/MerchantTrade.tsx'
import { api } from '#web/api.ts'
import { ListPage } from '#web/ListPage.tsx'
import { look } from '#web/look.ts'
import { useSession } from '#web/session.ts'
import type { merchants } from './contract.ts'
import { useDrawer } from './MerchantDrawerAddress.tsx'
import { REMARK } from './MerchantInPlace.tsx'
import { COLUMNS, type Column, type Row } from './merchantColumns.tsx'
import { OVERDUE_SINCE } from './rules.ts'

const merchantsApi = api<typeof merchants>('merchants')
const MerchantDrawer = lazy(() => import('./MerchantDrawer.tsx'))

type OverdueParams = {
  page?: number
  size?: number
  search?: string
  sort?: 'expiresAt'
  order?: 'asc' | 'desc'
}

/** Shops that expired since 2017-01-01, the latest first (D1 §2). */
export default function OverdueMerchantsPage() {
  const session = useSession()
  const drawer = useDrawer()
  const reminders = useReminders('批量提醒')
  const trade = useTrade()
  const mayOpen = session.permissions.includes('merchants.details')
  return (
    <>
      <ListPage<Row, OverdueParams>
        title="过期商户"
        listKey="merchants.overdue"
        queryKey={['merchants', 'overdue']}
        fetchPage={({ sort: _sort, ...wanted }) => merchantsApi.overdue(wanted)}
        rowKey={row => row.id}
        columns={columnsFor(session.isVendorStaff)}
        searchPlaceholder="商户ID / 姓名 / 店铺 / 账号 / 推荐人"
        summary={() => <span className={look.quiet}>{OVERDUE_SINCE} 以来到期的商户</span>}
        ownParams={['user_id']}
        openKey={drawer.id}
        emptyText="没有过期的商户"
        onOpen={mayOpen ? row => drawer.open(row.id) : undefined}
        rowActions={row => [
          ...trade.actionsOf(row).filter(({ key }) => key === 'version'),
          ...reminders.actionsOf(row),
          ...(mayOpen ? [{ key: 'details', label: '详情', onClick: () => drawer.open(row.id) }] : []),
        ]}
        actionsWidth={reminders.bulk ? 184 : 136}
        bulk={reminders.bulk}
      />
      {trade.dialog}
      {reminders.dialog}
      {drawer.id !== null && (
        <Suspense>
          <MerchantDrawer id={drawer.id} onClose={drawer.close} />
        </Suspense>
      )}
    </>
  )
}

function columnsFor(isVendorStaff: boolean): Column[] {
  const { id, shopName, personName, account, versionName, expiresAt, overdue, lastLoginAt } = COLUMNS
  const { referrer, managerName, status, agentName } = COLUMNS
  return [
    id,
    shopName,
    personName,
    account,
    versionName,
    expiresAt,
    overdue,
    { ...lastLoginAt, sortable: false },
    referrer,
    managerName,
    REMARK,
    status,
    ...(isVendorStaff ? [agentName] : []),
  ]
}
