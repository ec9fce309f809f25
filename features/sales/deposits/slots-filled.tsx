import { ShopDepositFact } from '#features/shops/merchants/slots.tsx'
import { ShopDeposit } from './ShopDeposit.tsx'

export function fillSlots(): void {
  ShopDepositFact.fill(({ merchant }) => <ShopDeposit merchantId={merchant.id} />)
}
