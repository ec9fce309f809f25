import { lazy } from 'react'
import { ShopPageFact } from '#features/shops/merchants/slots.tsx'

const ShopLink = lazy(() => import('./ShopLink.tsx').then(file => ({ default: file.ShopLink })))

export function fillSlots(): void {
  ShopPageFact.fill(shop => <ShopLink {...shop} />)
}
