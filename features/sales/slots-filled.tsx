// What its features add to pages of earlier ones. A feature that fills a slot is a line here.
import { fillSlots as aftersales } from './aftersales/slots-filled.tsx'
import { fillSlots as deposits } from './deposits/slots-filled.tsx'
import { fillSlots as payments } from './payments/slots-filled.tsx'
import { fillSlots as purchases } from './purchases/slots-filled.tsx'
import { fillSlots as settlement } from './settlement/slots-filled.tsx'
import { fillSlots as shopPages } from './shop-pages/slots-filled.tsx'
import { fillSlots as sms } from './sms/slots-filled.tsx'

export function fillSlots(): void {
  for (const fill of [sms, payments, purchases, settlement, shopPages, deposits, aftersales]) fill()
}
