import { type MessageKind, shownPhone } from '#features/shops/messages/rules.ts'
import type { DownloadIn } from '#kit/declare/op.ts'
import type { Ctx } from '#server/ctx.ts'
import { type ExportPlan, fileColumns, serveDownload } from '#server/documents/export.ts'
import { messageDeskDownloads } from './contract.ts'
import { SENT_MESSAGES } from './fields.ts'
import { EXPORT_ROW, selectForExport } from './server-log.ts'

export const messageLogDownload = serveDownload(messageDeskDownloads.log, planExport)

async function planExport(ctx: Ctx, input: DownloadIn<typeof messageDeskDownloads.log>): Promise<ExportPlan> {
  const { columns, ...filters } = input
  return {
    ...(await selectForExport(ctx, filters)),
    ...fileColumns(SENT_MESSAGES, EXPORT_ROW, columns, CELLS),
  }
}

const CELLS = {
  phone: (row: Readonly<Record<string, unknown>>) =>
    shownPhone({ kind: row.kind as MessageKind, phone: String(row.phone) }),
}
