import { fileColumns, serveDownload } from '#server/documents/export.ts'
import { ledgerDownloads } from './contract.ts'
import { BALANCE_CHANGES } from './fields.ts'
import { CHANGE, changesForExport } from './server-changes.ts'

export const changesDownload = serveDownload(ledgerDownloads.changes, (ctx, { columns, ...filters }) => ({
  ...changesForExport(ctx, filters),
  ...fileColumns(BALANCE_CHANGES, CHANGE, columns),
}))
