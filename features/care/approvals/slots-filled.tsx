import { lazy } from 'react'
import * as slots from '#features/shops/merchants/slots.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'

const AskedSignature = lazy(() => import('./AskedSignature.tsx'))
const ShopRequests = lazy(() => import('./ShopRequests.tsx'))

export function fillSlots(): void {
  slots.AskedSignature.fill(({ shop }) => (
    <Suspense fallback={shop.signature}>
      <AskedSignature shop={shop} />
    </Suspense>
  ))
  slots.ShopRequests.fill(({ merchant }) => (
    <Suspense>
      <ShopRequests merchant={merchant} />
    </Suspense>
  ))
}
