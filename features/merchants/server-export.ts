import type { DownloadIn } from '#kit/op.ts'
import type { Ctx } from '#server/ctx.ts'
import { type ExportPlan, serveDownload } from '#server/export.ts'
import type { XlsxColumn } from '#server/xlsx.ts'
import { EXPORT_COLUMNS, merchantDownloads } from './contract.ts'
import { MERCHANT_STATUSES, STORE_KINDS, VERIFICATION_STATUSES } from './rules.ts'
import { ROW, selectForExport } from './server-list.ts'

type Key = (typeof EXPORT_COLUMNS)[number]

const COLUMNS: Record<Key, XlsxColumn & { names?: Record<string, string> }> = {
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
}

const POSITIONS = new Map(Object.keys(ROW).map((key, position) => [key, position]))

export const merchantsDownload = serveDownload(merchantDownloads.list, planExport)

function planExport(ctx: Ctx, input: DownloadIn<typeof merchantDownloads.list>): ExportPlan {
  const { columns, sort, order, ...filters } = input
  const keys = chosen(columns)
  const readers = keys.map(key => {
    const position = POSITIONS.get(key) as number
    const names = COLUMNS[key].names
    return (row: readonly unknown[]) => (names ? names[row[position] as string] : row[position])
  })
  return {
    columns: keys.map(key => COLUMNS[key]),
    ...selectForExport(ctx, filters, { sort, order }),
    cells: row => readers.map(read => read(row)),
  }
}

/** The chosen columns in their order; unknown names are passed over, and none chosen means all. */
function chosen(columns: string | undefined): Key[] {
  const keys = (columns ?? '').split(',').filter((key): key is Key => Object.hasOwn(COLUMNS, key))
  return keys.length > 0 ? keys : [...EXPORT_COLUMNS]
}
