import * as slots from '#features/money/ledger/slots.tsx'
import { MissingPay } from './MissingPay.tsx'

export function fillSlots(): void {
  slots.MissingPay.fill(MissingPay)
}
