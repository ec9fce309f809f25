// Owns what the start page counts and over which days (D1 §2 dashboard, §3 dashboard statistics).
// Must never read a clock or a database.
import { addDays } from '#kit/time.ts'

/** Kinds of orders that are counted per day. */
export const ORDER_KINDS = ['version', 'service', 'sms'] as const
export type OrderKind = (typeof ORDER_KINDS)[number]

/** Prefixes of the documents: s_ SMS orders, u_ new merchants, d_ software orders, v_ value-added orders. */
export const TILES = ['sms', 'merchants', 'versions', 'services'] as const
export type Tile = (typeof TILES)[number]

/** The list that each tile counts, and its filters for a day (YYYY-MM-DD): its total is the tile's number. */
export const TILE_LISTS = {
  sms: {
    name: '短信订单',
    unit: '笔',
    path: '/admin/order/msgOrder',
    permission: 'smsDesk.orders',
    filters: (day: string) => ({ status: 'paid', from: day, to: day }) as const,
  },
  merchants: {
    name: '新增商户',
    unit: '家',
    path: '/admin/merchant/myMerchant',
    permission: 'merchants.list',
    filters: (day: string) => ({ registeredFrom: day, registeredTo: day }),
  },
  versions: {
    name: '软件订单',
    unit: '笔',
    path: '/admin/order/versionsOrder',
    permission: 'orders.list',
    filters: (day: string) => ({ status: 'paid', paidFrom: day, paidTo: day }) as const,
  },
  services: {
    name: '增值订单',
    unit: '笔',
    path: '/admin/order/appreciationOrder',
    permission: 'services.orders',
    filters: (day: string) => ({ state: 'completed', from: day, to: day }) as const,
  },
} as const

/** Days of each chart. */
export const CHART_DAYS = 30

/** The days of the charts that look back: so many until `today`, the first one first. */
export function pastDays(today: string): string[] {
  return Array.from({ length: CHART_DAYS }, (_, i) => addDays(today, i - CHART_DAYS + 1))
}

/** The days of the chart that looks ahead: so many from `today` on. */
export function comingDays(today: string): string[] {
  return Array.from({ length: CHART_DAYS }, (_, i) => addDays(today, i))
}

/** How today stands against yesterday: the arrow and the words. */
export function comparison(today: number, yesterday: number): { trend: 'up' | 'down' | 'same'; by: number } {
  const by = today - yesterday
  return { trend: by > 0 ? 'up' : by < 0 ? 'down' : 'same', by: Math.abs(by) }
}
