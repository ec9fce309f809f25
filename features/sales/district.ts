// Its features in their order: each may import of those before it, and of earlier districts. A new one is a line here.
import { feature as priceDesk } from '#features/office/prices/desk/feature.ts'
import type { Feature } from '#server/feature.ts'
import { feature as aftersales } from './aftersales/feature.ts'
import { feature as catalogue } from './catalogue/feature.ts'
import { feature as deposits } from './deposits/feature.ts'
import { feature as hardware } from './hardware/feature.ts'
import { feature as margins } from './margins/feature.ts'
import { feature as orderDetails } from './order-details/feature.ts'
import { feature as orders } from './orders/feature.ts'
import { feature as paymentDesk } from './payments/desk/feature.ts'
import { feature as payments } from './payments/feature.ts'
import { feature as purchases } from './purchases/feature.ts'
import { feature as selling } from './selling/feature.ts'
import { feature as services } from './services/feature.ts'
import { feature as settlement } from './settlement/feature.ts'
import { feature as shopPages } from './shop-pages/feature.ts'
import { feature as smsDesk } from './sms/desk/feature.ts'
import { feature as sms } from './sms/feature.ts'

export const sales = {
  orders,
  selling,
  services,
  sms,
  payments,
  paymentDesk,
  smsDesk,
  purchases,
  hardware,
  settlement,
  margins,
  shopPages,
  aftersales,
  deposits,
  catalogue,
  orderDetails,
  priceDesk,
} satisfies Record<string, Feature>
