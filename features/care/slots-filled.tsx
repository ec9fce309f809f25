// What its features add to pages of earlier ones. A feature that fills a slot is a line here.
import { fillSlots as messageDesk } from '#features/shops/messages/desk/slots-filled.tsx'
import { fillSlots as approvals } from './approvals/slots-filled.tsx'
import { fillSlots as documents } from './documents/slots-filled.tsx'
import { fillSlots as renewals } from './renewals/slots-filled.tsx'
import { fillSlots as shopAccess } from './shop-access/slots-filled.tsx'
import { fillSlots as verification } from './verification/slots-filled.tsx'

export function fillSlots(): void {
  for (const fill of [shopAccess, documents, approvals, verification, messageDesk, renewals]) fill()
}
