import type { DownloadIn } from '#kit/op.ts'
import type { Ctx } from '#server/ctx.ts'
import { chosenColumns, type ExportPlan, type NamedColumn, serveDownload } from '#server/export.ts'
import type { Condition } from '#server/list.ts'
import { EXPORT_COLUMNS, merchantDownloads } from './contract.ts'
import { MERCHANT_STATUSES, SOURCES, STORE_KINDS, VERIFICATION_STATUSES } from './rules.ts'
import { conditionsOf, ROW, type Sorting, selectForExport } from './server-list.ts'

type Key = (typeof EXPORT_COLUMNS)[number] | 'source'

const COLUMNS: Record<Key, NamedColumn> = {
  id: { header: '商户ID', kind: 'integer', width: 12 },
  storeKind: { header: '门店类型', kind: 'text', names: STORE_KINDS },
  shopName: { header: '店铺名称', kind: 'text', width: 28 },
  shortName: { header: '店铺简称', kind: 'text', width: 14 },
  personName: { header: '商户姓名', kind: 'text', width: 12 },
  account: { header: '账号', kind: 'text', width: 14 },
  agentName: { header: '代理商', kind: 'text', width: 24 },
  versionName: { header: '软件版本', kind: 'text', width: 14 },
  shopsBought: { header: '店铺数', kind: 'integer' },
  industryName: { header: '行业类型', kind: 'text', width: 12 },
  status: { header: '状态', kind: 'text', names: MERCHANT_STATUSES },
  registeredAt: { header: '注册时间', kind: 'time', width: 20 },
  expiresAt: { header: '到期时间', kind: 'time', width: 20 },
  lastLoginAt: { header: '最近登录', kind: 'time', width: 20 },
  referrer: { header: '推荐人', kind: 'text', width: 12 },
  managerName: { header: '客户经理/客服', kind: 'text', width: 12 },
  remark: { header: '备注', kind: 'text', width: 28 },
  signature: { header: '短信签名', kind: 'text', width: 16 },
  verificationStatus: { header: '认证状态', kind: 'text', names: VERIFICATION_STATUSES },
  source: { header: '来源', kind: 'text', names: SOURCES },
}

export const merchantsDownload = serveDownload(merchantDownloads.list, planExport)

function planExport(ctx: Ctx, input: DownloadIn<typeof merchantDownloads.list>): ExportPlan {
  const { columns, sort, order, ...filters } = input
  return planRows(ctx, conditionsOf(ctx, filters), { sort, order }, { chosen: columns, all: EXPORT_COLUMNS })
}

/** The file of a list of shops; `chosen` names its columns in their order, and none means all. */
export function planRows(
  ctx: Ctx,
  conditions: readonly Condition[],
  sorting: Sorting,
  columns: { chosen: string | undefined; all: readonly Key[] },
): ExportPlan {
  const file = { row: ROW, columns: COLUMNS, all: columns.all }
  return { ...selectForExport(ctx, conditions, sorting), ...chosenColumns(file, columns.chosen) }
}
