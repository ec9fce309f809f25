import { lazy, useState } from 'react'
import { type ShopTools, useShopTools } from '#features/shops/merchants/slots.tsx'
import { useNavigate } from '#web/client/navigation.ts'
import { allows, useSession } from '#web/client/session.ts'
import { Suspense } from '#web/controls/Suspense.tsx'

const ExtendDialog = lazy(() => import('./ExtendDialog.tsx'))

/** The tools of after-sales that the account may use, each with the shop filled in. */
function useTools(): ShopTools {
  const session = useSession()
  const navigate = useNavigate()
  const [extended, setExtended] = useState<{ id: number; shopName: string } | null>(null)
  return {
    actionsOf: shop => {
      const search = String(shop.id)
      const tools: [permission: string, key: string, label: string, onClick: () => void][] = [
        ['aftersales.extend', 'extend', '延期', () => setExtended(shop)],
        [
          'aftersales.provider',
          'provider',
          '换服务商',
          () => void navigate({ to: '/admin/tool/merchantsToAdjust', search: { search } }),
        ],
        [
          'aftersales.adjust',
          'adjust',
          '调版本',
          () => void navigate({ to: '/admin/tool/merchantsToAdjust', search: { version: search } }),
        ],
        [
          'aftersales.cancel',
          'cancel',
          '撤销订单',
          () => void navigate({ to: '/admin/tool/order', search: { search } }),
        ],
        [
          'tableClearing.find',
          'clear',
          '清空数据',
          () => void navigate({ to: '/admin/tool/clearTable', search: { search } }),
        ],
      ]
      return tools
        .filter(([permission]) => allows(session, permission))
        .map(([, key, label, onClick]) => ({ key, label, onClick }))
    },
    dialog: (
      <Suspense>{extended && <ExtendDialog shop={extended} onClose={() => setExtended(null)} />}</Suspense>
    ),
  }
}

export function fillSlots(): void {
  useShopTools.fill(useTools)
}
