import { fileColumns, serveDownload } from '#server/documents/export.ts'
import { smsDeskDownloads } from './contract.ts'
import { SMS_ORDERS } from './fields.ts'
import { ROW, selectForExport } from './server-list.ts'

export const smsOrdersDownload = serveDownload(
  smsDeskDownloads.orders,
  async (ctx, { columns, ...filters }) => ({
    ...(await selectForExport(ctx, filters)),
    ...fileColumns(SMS_ORDERS, ROW, columns),
  }),
)
