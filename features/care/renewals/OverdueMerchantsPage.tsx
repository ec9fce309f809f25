import { lazy } from 'react'
import type { merchants } from '#features/shops/merchants/contract.ts'
import { OVERDUE_MERCHANTS } from '#features/shops/merchants/fields.ts'
import { SHOP_OPTIONS } from '#features/shops/merchants/MerchantOptions.tsx'
import { OVERDUE_DAYS, SHOP_CELLS } from '#features/shops/merchants/merchantCells.tsx'
import { OVERDUE_SINCE } from '#features/shops/merchants/rules.ts'
import { useDrawer } from '#features/shops/merchants/ShopAddress.tsx'
import { useShopActions } from '#features/shops/merchants/slots.tsx'
import { api } from '#web/client/api.ts'
import { usePermission } from '#web/client/session.ts'
import { look } from '#web/controls/look.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { List } from '#web/list/List.tsx'

const merchantsApi = api<typeof merchants>('merchants')
const MerchantDrawer = lazy(() => import('#features/shops/merchants/MerchantDrawer.tsx'))

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
