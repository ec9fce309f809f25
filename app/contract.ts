// Joins the features' contracts; the page's client and the API description are made from it.
import { access } from '#features/access/contract.ts'
import { aftersales } from '#features/aftersales/contract.ts'
import { agents } from '#features/agents/contract.ts'
import { campaigns } from '#features/campaigns/contract.ts'
import { captcha } from '#features/captcha/contract.ts'
import { consultations } from '#features/consultations/contract.ts'
import { content } from '#features/content/contract.ts'
import { dashboard } from '#features/dashboard/contract.ts'
import { exportDownloads, exports } from '#features/exports/contract.ts'
import { feedback } from '#features/feedback/contract.ts'
import { hardware, hardwareDownloads } from '#features/hardware/contract.ts'
import { ledger, ledgerDownloads } from '#features/ledger/contract.ts'
import { merchantDownloads, merchants } from '#features/merchants/contract.ts'
import { messageDownloads, messages } from '#features/messages/contract.ts'
import { notices } from '#features/notices/contract.ts'
import { orderDownloads, orders } from '#features/orders/contract.ts'
import { payments } from '#features/payments/contract.ts'
import { purchases } from '#features/purchases/contract.ts'
import { renewals } from '#features/renewals/contract.ts'
import { services, servicesDownloads } from '#features/services/contract.ts'
import { settlement, settlementDownloads } from '#features/settlement/contract.ts'
import { sms, smsDownloads } from '#features/sms/contract.ts'
import { versions } from '#features/versions/contract.ts'
import { views } from '#features/views/contract.ts'

export const contract = {
  access,
  agents,
  versions,
  ledger,
  messages,
  orders,
  merchants,
  services,
  sms,
  purchases,
  hardware,
  renewals,
  settlement,
  aftersales,
  views,
  exports,
  notices,
  captcha,
  payments,
  campaigns,
  content,
  feedback,
  consultations,
  dashboard,
}

export const downloads = {
  exports: exportDownloads,
  ledger: ledgerDownloads,
  merchants: merchantDownloads,
  messages: messageDownloads,
  orders: orderDownloads,
  services: servicesDownloads,
  sms: smsDownloads,
  settlement: settlementDownloads,
  hardware: hardwareDownloads,
}
