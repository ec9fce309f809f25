// Fills what pages leave to features after their own. A feature that fills a slot is a line here.
import { fillSlots as approvals } from '#features/approvals/slots-filled.tsx'
import { fillSlots as demands } from '#features/demands/slots-filled.tsx'
import { fillSlots as documents } from '#features/documents/slots-filled.tsx'
import { fillSlots as messageDesk } from '#features/message-desk/slots-filled.tsx'
import { fillSlots as operationLog } from '#features/operation-log/slots-filled.tsx'
import { fillSlots as payments } from '#features/payments/slots-filled.tsx'
import { fillSlots as purchases } from '#features/purchases/slots-filled.tsx'
import { fillSlots as referenceData } from '#features/reference-data/slots-filled.tsx'
import { fillSlots as renewals } from '#features/renewals/slots-filled.tsx'
import { fillSlots as settlement } from '#features/settlement/slots-filled.tsx'
import { fillSlots as shopAccess } from '#features/shop-access/slots-filled.tsx'
import { fillSlots as shopPages } from '#features/shop-pages/slots-filled.tsx'
import { fillSlots as sms } from '#features/sms/slots-filled.tsx'

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
  ])
    fill()
}
