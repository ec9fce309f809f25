// The pages of all features: read by the router and by the server's HTML. A feature with pages is a line here.
import { PAGES as aftersales } from '#features/aftersales/pages.ts'
import { PAGES as agentDesk } from '#features/agent-desk/pages.ts'
import { PAGES as agentProfile } from '#features/agent-profile/pages.ts'
import { PAGES as apiKeys } from '#features/api-keys/pages.ts'
import { PAGES as approvals } from '#features/approvals/pages.ts'
import { PAGES as campaigns } from '#features/campaigns/pages.ts'
import { PAGES as catalogue } from '#features/catalogue/pages.ts'
import { PAGES as consultations, PUBLIC_PAGES as publicConsultations } from '#features/consultations/pages.ts'
import { PAGES as content } from '#features/content/pages.ts'
import { PAGES as dashboard } from '#features/dashboard/pages.ts'
import { PAGES as demands } from '#features/demands/pages.ts'
import { PAGES as documents } from '#features/documents/pages.ts'
import { PAGES as downloads } from '#features/downloads/pages.ts'
import { PAGES as exports } from '#features/exports/pages.ts'
import { PAGES as factors } from '#features/factors/pages.ts'
import { PAGES as feedback } from '#features/feedback/pages.ts'
import { PAGES as hardware } from '#features/hardware/pages.ts'
import { PAGES as help } from '#features/help/pages.ts'
import { PAGES as inbox } from '#features/inbox/pages.ts'
import { PAGES as insights } from '#features/insights/pages.ts'
import { PAGES as labelBatches } from '#features/label-batches/pages.ts'
import { PAGES as labels } from '#features/labels/pages.ts'
import { PAGES as ledger, type OpenedOrder } from '#features/ledger/pages.ts'
import { PAGES as margins } from '#features/margins/pages.ts'
import { PAGES as merchants } from '#features/merchants/pages.ts'
import { PAGES as messageDesk } from '#features/message-desk/pages.ts'
import { PAGES as notices } from '#features/notices/pages.ts'
import { PAGES as operationLog } from '#features/operation-log/pages.ts'
import { PAGES as orderDetails } from '#features/order-details/pages.ts'
import { PAGES as orders } from '#features/orders/pages.ts'
import {
  PAGES as partnerApplications,
  PUBLIC_PAGES as publicApplications,
} from '#features/partner-applications/pages.ts'
import { PAGES as partnerClosing } from '#features/partner-closing/pages.ts'
import { PAGES as partnerDesk } from '#features/partner-desk/pages.ts'
import { PUBLIC_PAGES as publicPartners } from '#features/partners/pages.ts'
import { PAGES as paymentDesk } from '#features/payment-desk/pages.ts'
import { PAGES as paymentSettings } from '#features/payment-settings/pages.ts'
import { PUBLIC_PAGES as publicPayments } from '#features/payments/pages.ts'
import { PAGES as priceDesk } from '#features/price-desk/pages.ts'
import { PAGES as printing } from '#features/printing/pages.ts'
import { PAGES as purchases } from '#features/purchases/pages.ts'
import { PAGES as receipts } from '#features/receipts/pages.ts'
import { PAGES as referenceData } from '#features/reference-data/pages.ts'
import { PAGES as renewals } from '#features/renewals/pages.ts'
import { PAGES as selling } from '#features/selling/pages.ts'
import { PAGES as services } from '#features/services/pages.ts'
import { PAGES as settlement } from '#features/settlement/pages.ts'
import { PAGES as shopAccess } from '#features/shop-access/pages.ts'
import { PAGES as shopImport } from '#features/shop-import/pages.ts'
import { PUBLIC_PAGES as publicShopPages, PAGES as shopPages } from '#features/shop-pages/pages.ts'
import { PAGES as signIn } from '#features/sign-in/pages.ts'
import { PAGES as smsDesk } from '#features/sms-desk/pages.ts'
import { PAGES as tableClearing } from '#features/table-clearing/pages.ts'
import { PAGES as team } from '#features/team/pages.ts'
import { PAGES as threads } from '#features/threads/pages.ts'
import { PAGES as verification } from '#features/verification/pages.ts'
import { PAGES as webhooks } from '#features/webhooks/pages.ts'
import { PAGES as workOrders } from '#features/work-orders/pages.ts'
import { pageAt as knownPageAt, type Path, PRINT_HASH, type RoutePage } from '#kit/pages.ts'

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

declare module '#kit/pages.ts' {
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
