import { lazy, Suspense } from 'react'
import type { merchants } from '#features/merchants/contract.ts'
import { OVERDUE_MERCHANTS } from '#features/merchants/fields.ts'
import { useDrawer } from '#features/merchants/MerchantDrawerAddress.tsx'
import { OVERDUE_DAYS, PLAIN_CELLS, SHOP_CELLS } from '#features/merchants/merchantCells.tsx'
import { OVERDUE_SINCE } from '#features/merchants/rules.ts'
import { useReminders, useTrade } from '#features/merchants/slots.tsx'
import { api } from '#web/api.ts'
import { List } from '#web/list/List.tsx'
import { look } from '#web/look.ts'
import { usePermission } from '#web/session.ts'

const merchantsApi = api<typeof merchants>('merchants')
const MerchantDrawer = lazy(() => import('#features/merchants/MerchantDrawer.tsx'))

/** Shops that expired since 2017-01-01, the latest first (D1 §2). */
export default function OverdueMerchantsPage() {
  const drawer = useDrawer()
  const reminders = useReminders('批量提醒')
  const trade = useTrade()
  const mayOpen = usePermission('merchants.details')
  return (
    <>
      <List
        of={OVERDUE_MERCHANTS}
        from={merchantsApi.overdue}
        cells={{ ...PLAIN_CELLS, remark: SHOP_CELLS.remark, overdueDays: OVERDUE_DAYS }}
        summary={() => <span className={look.quiet}>{OVERDUE_SINCE} 以来到期的商户</span>}
        openKey={drawer.id}
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
