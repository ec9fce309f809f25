// What the office asks of the service that keeps shops' own data at the point of sale: the protocol stands in docs/POS.md.

/** Why nothing came of asking, while a person waits. */
export const POS_REFUSALS = {
  POS_NOT_CONNECTED: '收银系统数据服务未接入：在服务器上设置 POS_SERVICE_URL 和 POS_SERVICE_SECRET',
  POS_SILENT: '收银系统没有应答，请稍后再试',
  POS_BUSY: '收银系统繁忙，请稍后再试',
  POS_REFUSED: '收银系统拒绝了查询，请核对 POS_SERVICE_SECRET',
  POS_UNREADABLE: '收银系统的应答有误，请查看服务器日志',
} as const

/** One table of a shop that can be emptied, and how many rows it has now. */
export type PosTable = { key: string; name: string; rows: number }

/** running: it goes on there by itself. failed: nothing was done. */
export type PosTaskState = 'running' | 'done' | 'failed'

/** Work that the service was given under an id of ours (`act`); asked for again it answers where that stands. */
export type PosTask = {
  act: string
  kind: 'backup' | 'empty' | 'restore'
  state: PosTaskState
  /** 0 to 100. */
  percent: number
  /** Rows that the backup holds, that were removed, or that were brought back. */
  rows: number
  /** Of a backup that is complete. */
  backup: PosBackup | null
  /** Rows that came after the table was emptied and stand beside those that were brought back. */
  beside: number
  /** Why it failed, in words. */
  reason: string
}

export type PosBackup = {
  id: string
  rows: number
  /** SHA-256 of what it holds, 64 hexadecimal digits. */
  checksum: string
  /** Until when it can be brought back. */
  keptUntil: string
}

/** What a shop has entered of an article, by the keys of the items of a label (kit/print/label-items.ts) and of its addresses of QR codes. */
export const GOODS_TEXTS = [
  ...['productName', 'brand', 'category', 'origin', 'spec', 'unit', 'size', 'colour', 'fabric', 'material'],
  ...['composition', 'season', 'grade', 'safety', 'standard', 'netWeight', 'supplier', 'producer', 'batch'],
  ...['warrantyDays', 'productionDate', 'expiryDate', 'barcode', 'itemNumber', 'serialNumber', 'remark'],
  ...['mallUrl', 'appletUrl'],
] as const
/** In fen. */
export const GOODS_PRICES = [
  ...['retailPrice', 'unitPrice', 'totalPrice', 'wholesalePrice', 'promotionPrice', 'originalPrice'],
  'memberPrice',
] as const

/** What an answer may hold at most; beyond it is none. */
export const GOODS_LIMITS = {
  page: 50,
  search: 50,
  id: 64,
  text: 500,
  fen: 999_999_999,
  category: 50,
  categories: 200,
  level: 32,
  levels: 20,
  cursor: 200,
} as const

export type PosGoodsQuery = {
  /** A part of a name, an item number or a barcode; '' for all. */
  search: string
  /** One of those that were answered; '' for all. */
  category: string
  /** The `next` of the page before; null: the first page. */
  after: string | null
  /** Goods of a page, up to GOODS_LIMITS.page. */
  size: number
}

/** What the shop has not entered is absent. */
export type PosGood = {
  id: string
  /** By GOODS_TEXTS; a name is always there. */
  texts: Readonly<Record<string, string>>
  /** By GOODS_PRICES. */
  prices: Readonly<Record<string, number>>
  /** By the level of the member. */
  memberPrices: Readonly<Record<string, number>>
}

export type PosGoodsPage = {
  goods: PosGood[]
  /** How many the search finds. */
  total: number
  /** Of all goods of the shop, in its own order. */
  categories: string[]
  /** Where the next page begins; null: there is none. */
  next: string | null
}

/**
 * Each call rejects with ProviderRefused (it said no, and did nothing), ProviderBusy, or ProviderUnknown. After the last `task` is asked
 * before anything is sent again; the same `act` is never done twice there.
 */
export type PosService = {
  tables(shopId: number): Promise<PosTable[]>
  /** Refused with CURSOR_GONE where `after` leads nowhere any more, with SHOP_UNKNOWN where the shop has nothing there. */
  goods(shopId: number, query: PosGoodsQuery): Promise<PosGoodsPage>
  /** Null: it has never heard of this act. */
  task(shopId: number, act: string): Promise<PosTask | null>
  backUp(shopId: number, table: string, act: string): Promise<PosTask>
  /** Refused with TABLE_CHANGED where the table is no longer as the backup has it, with BACKUP_GONE where there is none. */
  empty(shopId: number, table: string, backup: Omit<PosBackup, 'keptUntil'>, act: string): Promise<PosTask>
  /** Refused with BACKUP_GONE where it is kept no more. */
  restore(shopId: number, table: string, backupId: string, act: string): Promise<PosTask>
}
