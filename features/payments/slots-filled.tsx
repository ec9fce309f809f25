import * as slots from '#features/ledger/slots.tsx'
import { MissingPay } from './MissingPay.tsx'

export function fillSlots(): void {
  slots.MissingPay.fill(MissingPay)
}
