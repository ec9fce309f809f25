// Owns what is refused of a change of reference data, and for what staff choose a reason (D1 §9, D2 §3, D3 §3).
// Must never read a clock or a database.

import { EDITION_LIMITS } from '#features/office/regions/rules.ts'
import type { RowValues } from '#kit/declare/reference.ts'
import { countText } from '#kit/money.ts'
import { sheetRefusals } from '#kit/words/sheet.ts'

/** Of a table that is brought. */
export const TABLE_LIMITS = {
  fileBytes: 2 * 1024 * 1024,
  unpackedBytes: 40 * 1024 * 1024,
  columns: 60,
  rows: EDITION_LIMITS.lines + 10,
  cell: 2_000,
  readMs: 20_000,
} as const
export const TABLE_BODY_MOST = Math.ceil((TABLE_LIMITS.fileBytes / 3) * 4) + 4_096
export const TABLE_REFUSALS = sheetRefusals(TABLE_LIMITS, '要导入的', '检查文件')

export const REFERENCE_REFUSALS = {
  ROW_IN_USE: '正在使用，不能删除',
  ROW_RETIRED: '该项已停用',
  ROW_NOT_RETIRED: '该项未停用',
  ROW_LAST: '至少保留一项可以选择',
  ROW_TAKEN: '已有同名的项',
  ROW_WRONG: '请检查填写的内容',
  ROWS_FIXED: '此表的项由程序决定，不能新增、删除或停用',
  ORDER_CHANGED: '列表已变动，请刷新后重新排序',
  RETIRE_PAST: '停用时间不能早于现在',
  SETTING_WRONG: '请输入允许范围内的数值',
  FILE_WRONG: '不是本系统的配置文件',
  FILE_VERSION: '配置文件的版本不受支持',
  FILE_REFUSED: '文件有不能导入的项，请先处理',
  SOURCE_WRONG: `请输入版本，不超过${EDITION_LIMITS.source}字`,
  FILE_CHANGED: '数据已变动，请重新选择文件',
} as const

/** What a configuration file says of itself. */
export const CONFIGURATION_FORMAT = 'partner-office-configuration'
export const CONFIGURATION_VERSION = 1

export const ROWS_MOST = 500
/** Of one table in a configuration file, and of the whole file. */
export const FILE_ROWS_MOST = 20_000
export const FILE_BYTES_MOST = 8 * 1024 * 1024
/** Of rows that are brought as lines of text, and how many of their errors are told. */
export const LINES_LIMITS = { chars: 300_000, bytes: 1024 * 1024 } as const
export const ERRORS_SHOWN = 50
export const LIMITS = { reason: 50, dayName: 20 } as const

/** For what a reason is given; each form offers those of its own. */
export const REASON_KINDS = {
  verification: '认证失败',
  undo: '撤销订单',
  tool: '售后操作',
  credit: '运营充值',
  refund: '支付退款',
  return: '硬件退货',
  stock: '库存调整',
  lost: '不再续费',
} as const
export type ReasonKind = keyof typeof REASON_KINDS
export const REASON_KIND_KEYS = Object.keys(REASON_KINDS) as ReasonKind[]

export type UseCount = { what: string; counted: string; count: number; capped: boolean }

/** What uses a row, in words: 商户 1,234 家、代理商 2 家. */
export function usesText(uses: readonly UseCount[]): string {
  return uses
    .filter(({ count }) => count > 0)
    .map(({ what, counted, count, capped }) => `${what} ${countText(count, counted)}${capped ? '以上' : ''}`)
    .join('、')
}

/** Why a row cannot be deleted, with what uses it, or null. */
export function inUseText(uses: readonly UseCount[], retires: boolean): string | null {
  const used = usesText(uses)
  if (used === '') return null
  return `${used}正在使用，不能删除${retires ? '，可以停用' : ''}`
}

/** What people know a row of the table by. */
export const nameOf = ({ named }: { named: string }, { values }: { values: RowValues }) =>
  String(values[named] ?? '')
