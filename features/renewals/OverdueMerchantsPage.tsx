import { lazy } from 'react'
import type { merchants } from '#features/merchants/contract.ts'
import { OVERDUE_MERCHANTS } from '#features/merchants/fields.ts'
import { SHOP_OPTIONS } from '#features/merchants/MerchantOptions.tsx'
import { OVERDUE_DAYS, SHOP_CELLS } from '#features/merchants/merchantCells.tsx'
import { OVERDUE_SINCE } from '#features/merchants/rules.ts'
import { useDrawer } from '#features/merchants/ShopAddress.tsx'
import { useShopActions } from '#features/merchants/slots.tsx'
import { api } from '#web/api.ts'
import { List } from '#web/list/List.tsx'
import { look } from '#web/look.ts'
import { Suspense } from '#web/Suspense.tsx'
import { usePermission } from '#web/session.ts'

const merchantsApi = api<typeof merchants>('merchants')
const MerchantDrawer = lazy(() => import('#features/merchants/MerchantDrawer.tsx'))

/** Shops that expired since 2017-01-01, the latest first (D1 §2). */
export default function OverdueMerchantsPage() {
  const drawer = useDrawer()
  const shops = useShopActions()
  const mayOpen = usePermission('merchants.details')
  return (
    <>
      <List
        of={OVERDUE_MERCHANTS}
        from={merchantsApi.overdue}
        cells={{ ...SHOP_CELLS, overdueDays: OVERDUE_DAYS }}
        options={SHOP_OPTIONS}
        summary={() => <span className={look.quiet}>{OVERDUE_SINCE} 以来到期的商户</span>}
        openKey={drawer.id}
        onOpen={mayOpen ? row => drawer.open(row.id) : undefined}
        rowActions={row => shops.actionsOf(row).filter(({ key }) => key !== 'services' && key !== 'sms')}
        actionsWidth={176}
        bulk={shops.bulk}
      />
      {shops.dialogs}
      <Suspense>{drawer.id !== null && <MerchantDrawer id={drawer.id} onClose={drawer.close} />}</Suspense>
    </>
  )
}
