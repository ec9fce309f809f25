import { useTrade } from '#features/merchants/slots.tsx'
import { useMerchantTrade } from './MerchantTrade.tsx'

export function fillSlots(): void {
  useTrade.fill(useMerchantTrade)
}
