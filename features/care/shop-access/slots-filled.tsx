import { lazy } from 'react'
import * as slots from '#features/shops/merchants/slots.tsx'

const access = () => import('./MerchantAccess.tsx')
const AccountFact = lazy(() => access().then(file => ({ default: file.AccountFact })))
const PasswordFact = lazy(() => access().then(file => ({ default: file.PasswordFact })))
const RecoveryCodeFact = lazy(() => access().then(file => ({ default: file.RecoveryCodeFact })))

export function fillSlots(): void {
  slots.AccountFact.fill(shop => <AccountFact {...shop} />)
  slots.PasswordFact.fill(shop => <PasswordFact {...shop} />)
  slots.RecoveryCodeFact.fill(shop => <RecoveryCodeFact {...shop} />)
}
