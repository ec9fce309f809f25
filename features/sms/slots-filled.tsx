import * as slots from '#features/merchants/slots.tsx'
import { SmsCreditFact } from './SmsCreditFact.tsx'

export function fillSlots(): void {
  slots.SmsCreditFact.fill(SmsCreditFact)
}
