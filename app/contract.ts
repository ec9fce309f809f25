// Joins the features' contracts; the page's client and the API description are made from it.
import { access } from '#features/access/contract.ts'
import { aftersales } from '#features/aftersales/contract.ts'
import { agents } from '#features/agents/contract.ts'
import { exportDownloads, exports } from '#features/exports/contract.ts'
import { hardware, hardwareDownloads } from '#features/hardware/contract.ts'
import { ledger, ledgerDownloads } from '#features/ledger/contract.ts'
import { merchantDownloads, merchants } from '#features/merchants/contract.ts'
import { messages } from '#features/messages/contract.ts'
import { orderDownloads, orders } from '#features/orders/contract.ts'
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
}

export const downloads = {
  exports: exportDownloads,
  ledger: ledgerDownloads,
  merchants: merchantDownloads,
  orders: orderDownloads,
  services: servicesDownloads,
  sms: smsDownloads,
  settlement: settlementDownloads,
  hardware: hardwareDownloads,
}
