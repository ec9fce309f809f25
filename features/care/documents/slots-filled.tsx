import { lazy } from 'react'
import * as slots from '#features/shops/merchants/slots.tsx'
import { Permit } from '#web/controls/Permit.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'

const ShopDocuments = lazy(() => import('./ShopDocuments.tsx'))

export function fillSlots(): void {
  slots.ShopDocuments.fill(({ merchant }) => (
    <Permit permission="documents.view">
      <Suspense>
        <ShopDocuments merchant={merchant} />
      </Suspense>
    </Permit>
  ))
}
