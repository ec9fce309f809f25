import { lazy } from 'react'
import * as slots from '#features/shops/merchants/slots.tsx'

const MerchantTimeline = lazy(() => import('./MerchantTimeline.tsx'))

export function fillSlots(): void {
  slots.MerchantTimeline.fill(shop => <MerchantTimeline {...shop} />)
}
