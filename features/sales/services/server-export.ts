import { fileColumns, serveDownload } from '#server/documents/export.ts'
import { servicesDownloads } from './contract.ts'
import { SERVICE_ORDERS } from './fields.ts'
import { ROW, selectForExport } from './server-list.ts'

export const serviceOrdersDownload = serveDownload(
  servicesDownloads.orders,
  async (ctx, { columns, ...filters }) => ({
    ...(await selectForExport(ctx, filters)),
    ...fileColumns(SERVICE_ORDERS, ROW, columns),
  }),
)
