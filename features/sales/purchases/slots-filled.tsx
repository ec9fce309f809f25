import { useTrade } from '#features/shops/merchants/slots.tsx'
import { useMerchantTrade } from './MerchantTrade.tsx'

export function fillSlots(): void {
  useTrade.fill(useMerchantTrade)
}
