// The pages of all features: read by the router and by the server's HTML. A feature with pages is a line here.
import { PAGES as agentProfile } from '#features/agencies/agent-profile/pages.ts'
import { PAGES as apiKeys } from '#features/agencies/api-keys/pages.ts'
import {
  PAGES as partnerApplications,
  PUBLIC_PAGES as publicApplications,
} from '#features/agencies/partner-applications/pages.ts'
import { PAGES as partnerClosing } from '#features/agencies/partner-closing/pages.ts'
import { PAGES as partnerDesk } from '#features/agencies/partners/desk/pages.ts'
import { PUBLIC_PAGES as publicPartners } from '#features/agencies/partners/pages.ts'
import { PAGES as signIn } from '#features/agencies/sign-in/pages.ts'
import { PAGES as team } from '#features/agencies/team/pages.ts'
import { PAGES as webhooks } from '#features/agencies/webhooks/pages.ts'
import { PAGES as approvals } from '#features/care/approvals/pages.ts'
import { PAGES as campaigns } from '#features/care/campaigns/pages.ts'
import { PAGES as documents } from '#features/care/documents/pages.ts'
import { PAGES as feedback } from '#features/care/feedback/pages.ts'
import { PAGES as renewals } from '#features/care/renewals/pages.ts'
import { PAGES as shopAccess } from '#features/care/shop-access/pages.ts'
import { PAGES as shopImport } from '#features/care/shop-import/pages.ts'
import { PAGES as tableClearing } from '#features/care/table-clearing/pages.ts'
import { PAGES as threads } from '#features/care/threads/pages.ts'
import { PAGES as verification } from '#features/care/verification/pages.ts'
import { PAGES as ledger, type OpenedOrder } from '#features/money/ledger/pages.ts'
import { PAGES as paymentSettings } from '#features/money/payment-settings/pages.ts'
import { PAGES as agentDesk } from '#features/office/agents/desk/pages.ts'
import { PAGES as content } from '#features/office/content/pages.ts'
import { PAGES as factors } from '#features/office/factors/pages.ts'
import { PAGES as notices } from '#features/office/notices/pages.ts'
import { PAGES as priceDesk } from '#features/office/prices/desk/pages.ts'
import { PAGES as referenceData } from '#features/office/reference-data/pages.ts'
import { PAGES as dashboard } from '#features/overview/dashboard/pages.ts'
import { PAGES as exports } from '#features/overview/exports/pages.ts'
import { PAGES as inbox } from '#features/overview/inbox/pages.ts'
import { PAGES as insights } from '#features/overview/insights/pages.ts'
import { PAGES as operationLog } from '#features/overview/operation-log/pages.ts'
import { PAGES as labelBatches } from '#features/print/label-batches/pages.ts'
import { PAGES as labels } from '#features/print/labels/pages.ts'
import { PAGES as printing } from '#features/print/printing/pages.ts'
import { PAGES as receipts } from '#features/print/receipts/pages.ts'
import { PAGES as aftersales } from '#features/sales/aftersales/pages.ts'
import { PAGES as catalogue } from '#features/sales/catalogue/pages.ts'
import { PAGES as hardware } from '#features/sales/hardware/pages.ts'
import { PAGES as margins } from '#features/sales/margins/pages.ts'
import { PAGES as orderDetails } from '#features/sales/order-details/pages.ts'
import { PAGES as orders } from '#features/sales/orders/pages.ts'
import { PAGES as paymentDesk } from '#features/sales/payments/desk/pages.ts'
import { PUBLIC_PAGES as publicPayments } from '#features/sales/payments/pages.ts'
import { PAGES as purchases } from '#features/sales/purchases/pages.ts'
import { PAGES as selling } from '#features/sales/selling/pages.ts'
import { PAGES as services } from '#features/sales/services/pages.ts'
import { PAGES as settlement } from '#features/sales/settlement/pages.ts'
import { PUBLIC_PAGES as publicShopPages, PAGES as shopPages } from '#features/sales/shop-pages/pages.ts'
import { PAGES as smsDesk } from '#features/sales/sms/desk/pages.ts'
import { PAGES as merchants } from '#features/shops/merchants/pages.ts'
import { PAGES as messageDesk } from '#features/shops/messages/desk/pages.ts'
import {
  PAGES as consultations,
  PUBLIC_PAGES as publicConsultations,
} from '#features/support/consultations/pages.ts'
import { PAGES as demands } from '#features/support/demands/pages.ts'
import { PAGES as downloads } from '#features/support/downloads/pages.ts'
import { PAGES as help } from '#features/support/help/pages.ts'
import { PAGES as workOrders } from '#features/support/work-orders/pages.ts'
import { pageAt as knownPageAt, type Path, PRINT_HASH, type RoutePage } from '#kit/declare/pages.ts'

const PAGES = [
  ...dashboard,
  ...inbox,
  ...merchants,
  ...selling,
  ...shopAccess,
  ...documents,
  ...shopImport,
  ...approvals,
  ...verification,
  ...purchases,
  ...renewals,
  ...priceDesk,
  ...services,
  ...settlement,
  ...margins,
  ...ledger,
  ...hardware,
  ...orders,
  ...orderDetails,
  ...smsDesk,
  ...aftersales,
  ...tableClearing,
  ...catalogue,
  ...messageDesk,
  ...agentDesk,
  ...partnerDesk,
  ...campaigns,
  ...paymentSettings,
  ...paymentDesk,
  ...referenceData,
  ...consultations,
  ...partnerApplications,
  ...partnerClosing,
  ...content,
  ...demands,
  ...factors,
  ...feedback,
  ...help,
  ...downloads,
  ...printing,
  ...threads,
  ...workOrders,
  ...labels,
  ...labelBatches,
  ...notices,
  ...exports,
  ...agentProfile,
  ...operationLog,
  ...shopPages,
  ...signIn,
  ...team,
  ...apiKeys,
  ...webhooks,
  ...insights,
  ...receipts,
] as const satisfies readonly RoutePage[]
export const ROUTE_PAGES: readonly RoutePage[] = PAGES

declare module '#kit/declare/pages.ts' {
  interface Registered {
    pages: typeof PAGES
    anyPage: OpenedOrder
  }
}

export const HOME_PATH = '/admin/index'
export const LOGIN_PATH = '/login'
/** Tokens and SMS credit by QR. */
export const TOP_UP_PATH = '/admin/account/msgRecharge'

export const PUBLIC_PAGES = [
  ...publicPayments,
  ...publicConsultations,
  ...publicApplications,
  ...publicShopPages,
  ...publicPartners,
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
  '/admin/template': '/admin/template/labelPrintList',
}

/** The page at a path, after redirects; null when there is none. */
export function pageAt(pathname: string): RoutePage | null {
  const plain = pathname.replace(/\/+$/, '')
  const [path = plain] = (REDIRECTS[plain] ?? plain).split('#')
  return knownPageAt(ROUTE_PAGES, path) ?? null
}
