import * as slots from '#features/merchants/slots.tsx'
import { AccountFact, PasswordFact, RecoveryCodeFact } from './MerchantAccess.tsx'

export function fillSlots(): void {
  slots.AccountFact.fill(AccountFact)
  slots.PasswordFact.fill(PasswordFact)
  slots.RecoveryCodeFact.fill(RecoveryCodeFact)
}
