// Fills what pages leave to features after their own. A feature that fills a slot is a line here.
import { fillSlots as approvals } from '#features/care/approvals/slots-filled.tsx'
import { fillSlots as documents } from '#features/care/documents/slots-filled.tsx'
import { fillSlots as renewals } from '#features/care/renewals/slots-filled.tsx'
import { fillSlots as shopAccess } from '#features/care/shop-access/slots-filled.tsx'
import { fillSlots as verification } from '#features/care/verification/slots-filled.tsx'
import { fillSlots as referenceData } from '#features/office/reference-data/slots-filled.tsx'
import { fillSlots as operationLog } from '#features/overview/operation-log/slots-filled.tsx'
import { fillSlots as payments } from '#features/sales/payments/slots-filled.tsx'
import { fillSlots as purchases } from '#features/sales/purchases/slots-filled.tsx'
import { fillSlots as settlement } from '#features/sales/settlement/slots-filled.tsx'
import { fillSlots as shopPages } from '#features/sales/shop-pages/slots-filled.tsx'
import { fillSlots as sms } from '#features/sales/sms/slots-filled.tsx'
import { fillSlots as messageDesk } from '#features/shops/messages/desk/slots-filled.tsx'
import { fillSlots as demands } from '#features/support/demands/slots-filled.tsx'

export function fillSlots(): void {
  for (const fill of [
    approvals,
    demands,
    documents,
    messageDesk,
    operationLog,
    payments,
    purchases,
    referenceData,
    renewals,
    settlement,
    shopAccess,
    shopPages,
    sms,
    verification,
  ])
    fill()
}
