// Owns what holds for printing labels by the batch beside what the layout says (issue 15 §5): files, sheets at once, refusals.
import { BATCH_LIMITS } from '#kit/print/batch/batch-rows.ts'

export const BATCH_PATH = '/admin/template/batch'

/** Of a table that somebody brings. */
export const FILE_LIMITS = {
  /** Heads and what stands above them come on top. */
  rows: BATCH_LIMITS.rows,
  columns: 60,
  fileBytes: 2 * 1024 * 1024,
  unpackedBytes: 40 * 1024 * 1024,
  cell: BATCH_LIMITS.text,
  readMs: 20_000,
} as const
/** Lines above the heads. */
export const LINES_BEFORE = 10
export const FILE_BODY_MOST = Math.ceil((FILE_LIMITS.fileBytes / 3) * 4) + 4_096

/** Sheets of one PDF; of more there are several. */
export const SHEETS_MOST = 50
export const PAPER_BODY_MOST = 4 * 1024 * 1024
/** Templates that are offered at once. */
export const TEMPLATES_MOST = 60

export const BATCH_REFUSALS = {
  FILE_EMPTY: '文件是空的，请选择有内容的表格',
  FILE_TOO_LARGE: `文件不得超过 ${FILE_LIMITS.fileBytes / 1024 / 1024} MB，请拆成几个文件`,
  FILE_NO_TABLE: '该文件不是表格，请选择 .xlsx 或 .csv 文件',
  FILE_LOCKED: '该文件设有密码或是旧版 .xls，请在表格软件中另存为不带密码的 .xlsx',
  FILE_BROKEN: '文件已损坏，无法读取，请在表格软件中重新保存后再试',
  FILE_SWOLLEN: '文件解压后过大，可能被恶意构造，未予读取',
  FILE_SLOW: '文件过于复杂，无法在限定时间内读取，请只保留商品数据后再试',
  FILE_COLUMNS: `表格超过 ${FILE_LIMITS.columns} 列，请只保留商品数据的列`,
  FILE_ROWS: `表格超过 ${FILE_LIMITS.rows.toLocaleString('en-US')} 行，请拆成几批打印`,
  SHEET_TOO_SMALL: 'A4 纸上放不下一张标签，请减小边距，或换横向、换小一些的标签',
  SHEETS_TOO_MANY: `一次最多排 ${SHEETS_MOST} 张 A4 纸`,
} as const
export type BatchRefusal = keyof typeof BATCH_REFUSALS
