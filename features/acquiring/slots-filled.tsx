// What its features add to pages of earlier ones. A feature that fills a slot is a line here.
import { fillSlots as acquirerOnboardings } from './acquirer-onboardings/slots-filled.tsx'
import { fillSlots as onboardings } from './onboardings/slots-filled.tsx'
import { fillSlots as ownerPapers } from './owner-papers/slots-filled.tsx'
import { fillSlots as paymentApplications } from './payment-applications/slots-filled.tsx'
import { fillSlots as settlementAccounts } from './settlement-accounts/slots-filled.tsx'

export function fillSlots(): void {
  for (const fill of [paymentApplications, onboardings, settlementAccounts, acquirerOnboardings, ownerPapers])
    fill()
}
