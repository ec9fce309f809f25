// What is filtered in the list of version orders, as a file with the columns that the list shows.
import { fileColumns, serveDownload } from '#server/documents/export.ts'
import { orderDownloads } from './contract.ts'
import { VERSION_ORDERS } from './fields.ts'
import { ORDER_ROW, orderList, ordersForExport } from './server-rows.ts'

export const ordersDownload = serveDownload(orderDownloads.list, async (ctx, { columns, ...filters }) => {
  const { list } = await orderList(ctx, filters)
  return { ...ordersForExport(ctx, list), ...fileColumns(VERSION_ORDERS, ORDER_ROW, columns) }
})
