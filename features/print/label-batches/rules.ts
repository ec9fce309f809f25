// Owns what holds for printing labels by the batch beside what the layout says: files, goods, sheets at once, refusals.
// Must never know how a point of sale is asked.
import { POS_REFUSALS } from '#kit/ports/pos-service.ts'
import { BATCH_LIMITS } from '#kit/print/batch/batch-rows.ts'
import { sheetRefusals } from '#kit/words/sheet.ts'

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

/** Goods of a shop that are offered at once. */
export const GOODS_PAGE = 20

export const BATCH_REFUSALS = {
  ...sheetRefusals(FILE_LIMITS, '商品', '拆成几批打印'),
  SHEET_TOO_SMALL: 'A4 纸上放不下一张标签，请减小边距，或换横向、换小一些的标签',
  SHEETS_TOO_MANY: `一次最多排 ${SHEETS_MOST} 张 A4 纸`,
} as const
export const GOODS_REFUSALS = {
  ...POS_REFUSALS,
  GOODS_MOVED: '商品列表已有变动，请从第一页重新查看',
  GOODS_SHOP_UNKNOWN: '收银系统里没有这家店铺的商品资料',
} as const
export type BatchRefusal = keyof typeof BATCH_REFUSALS
