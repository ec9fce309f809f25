import { fileColumns, serveDownload } from '#server/export.ts'
import { smsDownloads } from './contract.ts'
import { SMS_ORDERS } from './fields.ts'
import { ROW, selectForExport } from './server-list.ts'

export const smsOrdersDownload = serveDownload(smsDownloads.orders, async (ctx, { columns, ...filters }) => ({
  ...(await selectForExport(ctx, filters)),
  ...fileColumns(SMS_ORDERS, ROW, columns),
}))
