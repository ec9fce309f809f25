// The pages of its features. A feature with pages is a line here.
import { PAGES as priceDesk } from '#features/office/prices/desk/pages.ts'
import type { RoutePage } from '#kit/declare/pages.ts'
import { PAGES as aftersales } from './aftersales/pages.ts'
import { PAGES as catalogue } from './catalogue/pages.ts'
import { PAGES as deposits, PUBLIC_PAGES as publicDeposits } from './deposits/pages.ts'
import { PAGES as hardware } from './hardware/pages.ts'
import { PAGES as margins } from './margins/pages.ts'
import { PAGES as orderDetails } from './order-details/pages.ts'
import { PAGES as orders } from './orders/pages.ts'
import { PAGES as paymentDesk } from './payments/desk/pages.ts'
import { PUBLIC_PAGES as publicPayments } from './payments/pages.ts'
import { PAGES as purchases } from './purchases/pages.ts'
import { PAGES as selling } from './selling/pages.ts'
import { PAGES as services } from './services/pages.ts'
import { PAGES as settlement } from './settlement/pages.ts'
import { PUBLIC_PAGES as publicShopPages, PAGES as shopPages } from './shop-pages/pages.ts'
import { PAGES as smsDesk } from './sms/desk/pages.ts'

export const PAGES = [
  ...orders,
  ...selling,
  ...services,
  ...paymentDesk,
  ...smsDesk,
  ...purchases,
  ...hardware,
  ...settlement,
  ...margins,
  ...shopPages,
  ...aftersales,
  ...deposits,
  ...catalogue,
  ...orderDetails,
  ...priceDesk,
] as const satisfies readonly RoutePage[]

export const PUBLIC_PAGES = [...publicPayments, ...publicShopPages, ...publicDeposits] as const
