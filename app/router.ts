// Joins the features' routers and downloads.
import { accessRouter } from '#features/access/server.ts'
import { aftersalesRouter } from '#features/aftersales/server.ts'
import { agentsRouter } from '#features/agents/server.ts'
import { campaignsRouter } from '#features/campaigns/server.ts'
import { captchaRouter } from '#features/captcha/server.ts'
import { consultationsRouter } from '#features/consultations/server.ts'
import { contentRouter } from '#features/content/server.ts'
import { dashboardRouter } from '#features/dashboard/server.ts'
import { exportsRouter } from '#features/exports/server.ts'
import { exportFileDownload } from '#features/exports/server-file.ts'
import { feedbackRouter } from '#features/feedback/server.ts'
import { hardwareRouter } from '#features/hardware/server.ts'
import { hardwareOrdersDownload } from '#features/hardware/server-export.ts'
import { ledgerRouter } from '#features/ledger/server.ts'
import { changesDownload } from '#features/ledger/server-export.ts'
import { merchantsRouter } from '#features/merchants/server.ts'
import { merchantsDownload } from '#features/merchants/server-export.ts'
import { secondaryDownload } from '#features/merchants/server-secondary.ts'
import { sourceDownload } from '#features/merchants/server-source.ts'
import { messagesRouter } from '#features/messages/server.ts'
import { messageLogDownload } from '#features/messages/server-export.ts'
import { receiptCallback } from '#features/messages/server-receipts.ts'
import { noticesRouter } from '#features/notices/server.ts'
import { ordersDownload } from '#features/orders/server-export.ts'
import { ordersRouter } from '#features/orders/server-list.ts'
import { paymentsRouter } from '#features/payments/server.ts'
import { payCallback } from '#features/payments/server-callbacks.ts'
import { purchasesRouter } from '#features/purchases/server.ts'
import { renewalsRouter } from '#features/renewals/server.ts'
import { servicesRouter } from '#features/services/server.ts'
import { serviceOrdersDownload } from '#features/services/server-export.ts'
import { settlementRouter } from '#features/settlement/server.ts'
import { billsDownload } from '#features/settlement/server-bills.ts'
import { statementDownload, statementPdf } from '#features/settlement/server-statement-files.ts'
import { smsRouter } from '#features/sms/server.ts'
import { smsChangesDownload } from '#features/sms/server-changes.ts'
import { smsEntriesDownload } from '#features/sms/server-entries.ts'
import { smsOrdersDownload } from '#features/sms/server-export.ts'
import { versionsRouter } from '#features/versions/server.ts'
import { viewsRouter } from '#features/views/server.ts'
import type { DownloadHandler } from '#server/export.ts'

export const router = {
  access: accessRouter,
  agents: agentsRouter,
  versions: versionsRouter,
  ledger: ledgerRouter,
  messages: messagesRouter,
  orders: ordersRouter,
  merchants: merchantsRouter,
  services: servicesRouter,
  sms: smsRouter,
  purchases: purchasesRouter,
  hardware: hardwareRouter,
  renewals: renewalsRouter,
  settlement: settlementRouter,
  aftersales: aftersalesRouter,
  views: viewsRouter,
  exports: exportsRouter,
  notices: noticesRouter,
  captcha: captchaRouter,
  payments: paymentsRouter,
  campaigns: campaignsRouter,
  content: contentRouter,
  feedback: feedbackRouter,
  consultations: consultationsRouter,
  dashboard: dashboardRouter,
}

export const callbackHandlers = [payCallback, receiptCallback]

export const downloadHandlers = [
  exportFileDownload,
  merchantsDownload,
  sourceDownload,
  secondaryDownload,
  changesDownload,
  ordersDownload,
  serviceOrdersDownload,
  messageLogDownload,
  smsOrdersDownload,
  smsChangesDownload,
  smsEntriesDownload,
  billsDownload,
  statementDownload,
  statementPdf,
  hardwareOrdersDownload,
]

/** The downloads that can also be made in the background. */
export const exportHandlers = downloadHandlers.filter(
  (handler): handler is DownloadHandler => 'plan' in handler,
)
