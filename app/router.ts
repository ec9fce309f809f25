// Joins the features' routers and downloads.
import { accessRouter } from '#features/access/server.ts'
import { aftersalesRouter } from '#features/aftersales/server.ts'
import { agentsRouter } from '#features/agents/server.ts'
import { exportsRouter } from '#features/exports/server.ts'
import { exportFileDownload } from '#features/exports/server-file.ts'
import { hardwareRouter } from '#features/hardware/server.ts'
import { hardwareOrdersDownload } from '#features/hardware/server-export.ts'
import { ledgerRouter } from '#features/ledger/server.ts'
import { changesDownload } from '#features/ledger/server-export.ts'
import { merchantsRouter } from '#features/merchants/server.ts'
import { merchantsDownload } from '#features/merchants/server-export.ts'
import { secondaryDownload } from '#features/merchants/server-secondary.ts'
import { sourceDownload } from '#features/merchants/server-source.ts'
import { messagesRouter } from '#features/messages/server.ts'
import { ordersDownload } from '#features/orders/server-export.ts'
import { ordersRouter } from '#features/orders/server-list.ts'
import { purchasesRouter } from '#features/purchases/server.ts'
import { renewalsRouter } from '#features/renewals/server.ts'
import { servicesRouter } from '#features/services/server.ts'
import { serviceOrdersDownload } from '#features/services/server-export.ts'
import { settlementRouter } from '#features/settlement/server.ts'
import { billsDownload } from '#features/settlement/server-bills.ts'
import { statementDownload, statementPdf } from '#features/settlement/server-statement-files.ts'
import { smsRouter } from '#features/sms/server.ts'
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
}

export const downloadHandlers = [
  exportFileDownload,
  merchantsDownload,
  sourceDownload,
  secondaryDownload,
  changesDownload,
  ordersDownload,
  serviceOrdersDownload,
  smsOrdersDownload,
  billsDownload,
  statementDownload,
  statementPdf,
  hardwareOrdersDownload,
]

/** The downloads that can also be made in the background. */
export const exportHandlers = downloadHandlers.filter(
  (handler): handler is DownloadHandler => 'plan' in handler,
)
