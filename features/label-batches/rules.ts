// Owns what holds for printing labels by the batch beside what the layout says (issue 15 §5): files, sheets at once, refusals.
import { BATCH_LIMITS } from '#kit/print/batch/batch-rows.ts'
import { sheetRefusals } from '#kit/texts/sheet.ts'

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
  ...sheetRefusals(FILE_LIMITS, '商品', '拆成几批打印'),
  SHEET_TOO_SMALL: 'A4 纸上放不下一张标签，请减小边距，或换横向、换小一些的标签',
  SHEETS_TOO_MANY: `一次最多排 ${SHEETS_MOST} 张 A4 纸`,
} as const
export type BatchRefusal = keyof typeof BATCH_REFUSALS
