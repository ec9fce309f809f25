// What each feature adds to the walks over the contract: permissions, tenancy, operation log.
import { walk as aftersales } from './walks/aftersales.ts'
import { walk as campaigns } from './walks/campaigns.ts'
import { walk as captcha } from './walks/captcha.ts'
import { walk as consultations } from './walks/consultations.ts'
import { walk as content } from './walks/content.ts'
import { walk as dashboard } from './walks/dashboard.ts'
import { walk as exports } from './walks/exports.ts'
import { walk as feedback } from './walks/feedback.ts'
import { walk as hardware } from './walks/hardware.ts'
import { walk as messages } from './walks/messages.ts'
import { walk as notices } from './walks/notices.ts'
import { walk as orders } from './walks/orders.ts'
import { walk as payments } from './walks/payments.ts'
import { walk as purchases } from './walks/purchases.ts'
import { walk as renewals } from './walks/renewals.ts'
import { walk as services } from './walks/services.ts'
import { walk as settlement } from './walks/settlement.ts'
import { walk as sms } from './walks/sms.ts'
import { walk as views } from './walks/views.ts'

export const WALKS = {
  messages,
  notices,
  orders,
  services,
  sms,
  payments,
  campaigns,
  purchases,
  hardware,
  renewals,
  settlement,
  aftersales,
  views,
  exports,
  captcha,
  content,
  feedback,
  consultations,
  dashboard,
}
