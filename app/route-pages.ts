// The pages of all districts: read by the router and by the server's HTML. A feature's pages are a line of its district's pages.ts.
import { PAGES as acquiring, PUBLIC_PAGES as publicAcquiring } from '#features/acquiring/pages.ts'
import { PAGES as agencies, PUBLIC_PAGES as publicAgencies } from '#features/agencies/pages.ts'
import { PAGES as care } from '#features/care/pages.ts'
import type { OpenedOrder } from '#features/money/ledger/pages.ts'
import { PAGES as money } from '#features/money/pages.ts'
import { PAGES as office } from '#features/office/pages.ts'
import { INBOX_PATH } from '#features/overview/inbox/pages.ts'
import { PAGES as overview } from '#features/overview/pages.ts'
import { PAGES as print } from '#features/print/pages.ts'
import { PAGES as programs, PUBLIC_PAGES as publicPrograms } from '#features/programs/pages.ts'
import { PUBLIC_PAGES as publicSales, PAGES as sales } from '#features/sales/pages.ts'
import { PAGES as shops } from '#features/shops/pages.ts'
import { PUBLIC_PAGES as publicSupport, PAGES as support } from '#features/support/pages.ts'
import { pageAt as knownPageAt, type Path, PRINT_HASH, type RoutePage } from '#kit/declare/pages.ts'
import { HOME_PATH } from './paths.ts'

const PAGES = [
  ...office,
  ...money,
  ...shops,
  ...sales,
  ...care,
  ...acquiring,
  ...programs,
  ...print,
  ...support,
  ...agencies,
  ...overview,
] as const satisfies readonly RoutePage[]
export const ROUTE_PAGES: readonly RoutePage[] = PAGES

declare module '#kit/declare/pages.ts' {
  interface Registered {
    pages: typeof PAGES
    anyPage: OpenedOrder
  }
}

export const PUBLIC_PAGES = [
  ...publicSales,
  ...publicAcquiring,
  ...publicPrograms,
  ...publicSupport,
  ...publicAgencies,
] as const

export function publicPageAt(pathname: string): (typeof PUBLIC_PAGES)[number] | null {
  return PUBLIC_PAGES.find(({ prefix }) => pathname.startsWith(prefix)) ?? null
}

/**
 * Groups lead to their first page (D3 §2), one name of the purchase page to the other with its query (D2 §2), the orders for paper to
 * their list, which prints itself.
 */
export const REDIRECTS: Readonly<Record<string, Path | `${Path}#${typeof PRINT_HASH}`>> = {
  '/admin': HOME_PATH,
  '/admin/merchant': '/admin/merchant/myMerchant',
  '/admin/account/merchantMsgChanges': '/admin/detail/merchantMsgChanges',
  '/admin/merchant/versionUpdata': '/admin/merchant/versionUp1',
  '/admin/order': '/admin/order/versionsOrder',
  '/admin/order/versionsOrderPrint': `/admin/order/versionsOrder#${PRINT_HASH}`,
  '/admin/tool': '/admin/tool/order',
  '/admin/detail': '/admin/detail/billingDetails',
  '/admin/account': '/admin/account/personalData',
  '/admin/operations': '/admin/operations/agents',
  '/admin/insights': '/admin/insights/partners',
  '/admin/help': '/admin/help/problem',
  // What the documents keep in pages of their own: to-do's stand in one list, and a file of shops is imported on one page.
  '/admin/schedule': INBOX_PATH,
  '/admin/tool/merchantImportH5': '/admin/merchant/acquiring',
  '/admin/template': '/admin/template/labelPrintList',
}

/** The page at a path, after redirects; null when there is none. */
export function pageAt(pathname: string): RoutePage | null {
  const plain = pathname.replace(/\/+$/, '')
  const [path = plain] = (REDIRECTS[plain] ?? plain).split('#')
  return knownPageAt(ROUTE_PAGES, path) ?? null
}
