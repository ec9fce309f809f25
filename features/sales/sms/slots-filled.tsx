import { lazy } from 'react'
import * as slots from '#features/shops/merchants/slots.tsx'

const SmsCreditFact = lazy(() =>
  import('./SmsCreditFact.tsx').then(file => ({ default: file.SmsCreditFact })),
)

export function fillSlots(): void {
  slots.SmsCreditFact.fill(shop => <SmsCreditFact {...shop} />)
}
