import type { DownloadIn } from '#kit/op.ts'
import type { Ctx } from '#server/ctx.ts'
import { chosenColumns, type ExportPlan, type NamedColumn, serveDownload } from '#server/export.ts'
import { LOG_EXPORT_COLUMNS, messageDownloads } from './contract.ts'
import { MESSAGE_KINDS, MESSAGE_STATUSES } from './rules.ts'
import { EXPORT_ROW, selectForExport } from './server-log.ts'

type Key = (typeof LOG_EXPORT_COLUMNS)[number]

const COLUMNS: Record<Key, NamedColumn> = {
  createdAt: { header: '时间', kind: 'time', width: 20 },
  merchantId: { header: '商户ID', kind: 'integer', width: 12 },
  shopName: { header: '店铺名称', kind: 'text', width: 28 },
  phone: { header: '手机号', kind: 'text', width: 14 },
  kind: { header: '类型', kind: 'text', width: 16, names: MESSAGE_KINDS },
  text: { header: '短信内容', kind: 'text', width: 60 },
  segments: { header: '计费条数', kind: 'integer', width: 12 },
  status: { header: '状态', kind: 'text', width: 12, names: MESSAGE_STATUSES },
  reason: { header: '失败原因', kind: 'text', width: 28 },
  submittedAt: { header: '提交时间', kind: 'time', width: 20 },
  reportedAt: { header: '回执时间', kind: 'time', width: 20 },
  isReissued: { header: '是否已重发', kind: 'text', width: 12 },
  createdByName: { header: '提交人', kind: 'text', width: 12 },
  agentName: { header: '代理商', kind: 'text', width: 24 },
}

export const messageLogDownload = serveDownload(messageDownloads.log, planExport)

async function planExport(ctx: Ctx, input: DownloadIn<typeof messageDownloads.log>): Promise<ExportPlan> {
  const { columns, ...filters } = input
  const file = { row: EXPORT_ROW, columns: COLUMNS, all: LOG_EXPORT_COLUMNS }
  return { ...(await selectForExport(ctx, filters)), ...chosenColumns(file, columns) }
}
