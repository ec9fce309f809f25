import { lazy, useState } from 'react'
import { REFUSALS, refuseDisabled } from '#features/shops/merchants/rules.ts'
import type { RenewedShop, TradedShop, useTrade } from '#features/shops/merchants/slots.tsx'
import { useNavigate } from '#web/client/navigation.ts'
import { useSession } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { useOrigin } from './PurchaseOrigin.tsx'
import { NOT_OWN_SHOP } from './rules.ts'

const SmsPackageDialog = lazy(() => import('#features/sales/sms/SmsPackageDialog.tsx'))
const BulkRenewal = lazy(() => import('./BulkRenewal.tsx'))

type Renewing = { shops: readonly RenewedShop[]; clear: () => void }

/** What can be sold to a shop, by permission: its version, services, SMS; and the renewal of many. The dialog belongs into the page. */
export function useMerchantTrade(): ReturnType<typeof useTrade> {
  const session = useSession()
  const navigate = useNavigate()
  const origin = useOrigin()
  const [sending, setSending] = useState<TradedShop | null>(null)
  const [renewing, setRenewing] = useState<Renewing | null>(null)
  const stepsOf = (
    shop: TradedShop,
  ): [permission: string, key: string, label: string, onClick: () => void][] => [
    [
      'purchases.buy',
      'version',
      '续费/升级',
      () =>
        void navigate({
          to: '/admin/merchant/versionUp1',
          search: {
            user_id: shop.id,
            sv_versionid: shop.versionId,
            isStore: shop.storeKind === 'branch',
            from: origin,
          },
        }),
    ],
    [
      'services.buy',
      'services',
      '增值服务',
      () =>
        void navigate({
          to: '/admin/merchant/addedServices',
          search: {
            sv_us_name: shop.shopName,
            user_id: shop.id,
            isStore: shop.storeKind === 'branch',
          },
        }),
    ],
    ['sms.buy', 'sms', '短信', () => setSending(shop)],
  ]
  return {
    actionsOf: shop => {
      // The vendor's staff can never buy for an agent's shop.
      if (session.isVendorStaff && shop.agentId !== session.agentId) return []
      const lock = refuseDisabled(shop.status)
      const disabled = lock ? REFUSALS[lock] : shop.agentId === session.agentId ? null : NOT_OWN_SHOP
      return stepsOf(shop)
        .filter(([permission]) => session.permissions.includes(permission))
        .map(([, key, label, onClick]) => ({ key, label, onClick, disabled }))
    },
    bulk: session.permissions.includes('purchases.bulk')
      ? (shops, clear) => (
          <Button kind="primary" onClick={() => setRenewing({ shops, clear })}>
            批量续费
          </Button>
        )
      : undefined,
    dialog: (
      <Suspense>
        {renewing && (
          <BulkRenewal
            shops={renewing.shops}
            onClose={() => setRenewing(null)}
            onDone={() => {
              renewing.clear()
              setRenewing(null)
            }}
          />
        )}
        {sending && <SmsPackageDialog merchant={sending} onClose={() => setSending(null)} />}
      </Suspense>
    ),
  }
}
