import { PAY_METHODS } from '#features/money/ledger/rules.ts'
import type { Divisions } from '#features/office/regions/divisions.ts'
import { regionsOf } from '#features/office/regions/server.ts'
import { fileColumns, serveDownload } from '#server/documents/export.ts'
import { hardwareDownloads } from './contract.ts'
import { HARDWARE_ORDERS } from './fields.ts'
import { EXPORT_ROW, ordersForExport } from './server-list.ts'

type Selected = Readonly<Record<string, unknown>>

const cellsOf = ({ formatAddress }: Divisions) => ({
  fullAddress: (row: Selected) => formatAddress(String(row.districtCode), String(row.address)),
  lines: (row: Selected) => row.content,
  payMethod: () => PAY_METHODS.balance,
})

export const hardwareOrdersDownload = serveDownload(
  hardwareDownloads.orders,
  async (ctx, { columns, ...filters }) => ({
    ...(await ordersForExport(ctx, filters)),
    ...fileColumns(HARDWARE_ORDERS, EXPORT_ROW, columns, cellsOf(await regionsOf(ctx))),
  }),
)
