// All features in their one order: each may import of those before it. A new feature is a line here.
import { feature as agentProfile } from '#features/agencies/agent-profile/feature.ts'
import { feature as apiKeys } from '#features/agencies/api-keys/feature.ts'
import { feature as partnerApplications } from '#features/agencies/partner-applications/feature.ts'
import { feature as partnerClosing } from '#features/agencies/partner-closing/feature.ts'
import { feature as partnerDesk } from '#features/agencies/partners/desk/feature.ts'
import { feature as partners } from '#features/agencies/partners/feature.ts'
import { feature as pos } from '#features/agencies/pos/feature.ts'
import { feature as signIn } from '#features/agencies/sign-in/feature.ts'
import { feature as team } from '#features/agencies/team/feature.ts'
import { feature as webhooks } from '#features/agencies/webhooks/feature.ts'
import { feature as approvals } from '#features/care/approvals/feature.ts'
import { feature as campaigns } from '#features/care/campaigns/feature.ts'
import { feature as documents } from '#features/care/documents/feature.ts'
import { feature as feedback } from '#features/care/feedback/feature.ts'
import { feature as renewals } from '#features/care/renewals/feature.ts'
import { feature as shopAccess } from '#features/care/shop-access/feature.ts'
import { feature as shopImport } from '#features/care/shop-import/feature.ts'
import { feature as tableClearing } from '#features/care/table-clearing/feature.ts'
import { feature as threads } from '#features/care/threads/feature.ts'
import { feature as verification } from '#features/care/verification/feature.ts'
import { feature as ledger } from '#features/money/ledger/feature.ts'
import { feature as paymentSettings } from '#features/money/payment-settings/feature.ts'
import { feature as access } from '#features/office/access/feature.ts'
import { feature as agentDesk } from '#features/office/agents/desk/feature.ts'
import { feature as agents } from '#features/office/agents/feature.ts'
import { feature as captcha } from '#features/office/captcha/feature.ts'
import { feature as content } from '#features/office/content/feature.ts'
import { feature as factors } from '#features/office/factors/feature.ts'
import { feature as notices } from '#features/office/notices/feature.ts'
import { feature as priceDesk } from '#features/office/prices/desk/feature.ts'
import { feature as prices } from '#features/office/prices/feature.ts'
import { feature as referenceData } from '#features/office/reference-data/feature.ts'
import { feature as regions } from '#features/office/regions/feature.ts'
import { feature as viewAs } from '#features/office/view-as/feature.ts'
import { feature as views } from '#features/office/views/feature.ts'
import { feature as dashboard } from '#features/overview/dashboard/feature.ts'
import { feature as exports } from '#features/overview/exports/feature.ts'
import { feature as inbox } from '#features/overview/inbox/feature.ts'
import { feature as insights } from '#features/overview/insights/feature.ts'
import { feature as operationLog } from '#features/overview/operation-log/feature.ts'
import { feature as fonts } from '#features/print/fonts/feature.ts'
import { feature as labelBatches } from '#features/print/label-batches/feature.ts'
import { feature as labels } from '#features/print/labels/feature.ts'
import { feature as printTemplates } from '#features/print/print-templates/feature.ts'
import { feature as printing } from '#features/print/printing/feature.ts'
import { feature as receipts } from '#features/print/receipts/feature.ts'
import { feature as aftersales } from '#features/sales/aftersales/feature.ts'
import { feature as catalogue } from '#features/sales/catalogue/feature.ts'
import { feature as hardware } from '#features/sales/hardware/feature.ts'
import { feature as margins } from '#features/sales/margins/feature.ts'
import { feature as orderDetails } from '#features/sales/order-details/feature.ts'
import { feature as orders } from '#features/sales/orders/feature.ts'
import { feature as paymentDesk } from '#features/sales/payments/desk/feature.ts'
import { feature as payments } from '#features/sales/payments/feature.ts'
import { feature as purchases } from '#features/sales/purchases/feature.ts'
import { feature as selling } from '#features/sales/selling/feature.ts'
import { feature as services } from '#features/sales/services/feature.ts'
import { feature as settlement } from '#features/sales/settlement/feature.ts'
import { feature as shopPages } from '#features/sales/shop-pages/feature.ts'
import { feature as smsDesk } from '#features/sales/sms/desk/feature.ts'
import { feature as sms } from '#features/sales/sms/feature.ts'
import { feature as merchants } from '#features/shops/merchants/feature.ts'
import { feature as messageDesk } from '#features/shops/messages/desk/feature.ts'
import { feature as messages } from '#features/shops/messages/feature.ts'
import { feature as posChanges } from '#features/shops/pos-changes/feature.ts'
import { feature as signatures } from '#features/shops/signatures/feature.ts'
import { feature as versions } from '#features/shops/versions/feature.ts'
import { feature as consultations } from '#features/support/consultations/feature.ts'
import { feature as demands } from '#features/support/demands/feature.ts'
import { feature as downloads } from '#features/support/downloads/feature.ts'
import { feature as help } from '#features/support/help/feature.ts'
import { feature as workOrders } from '#features/support/work-orders/feature.ts'
import type { Feature } from '#server/feature.ts'

export const FEATURES = {
  regions,
  agents,
  prices,
  access,
  referenceData,
  notices,
  viewAs,
  captcha,
  factors,
  versions,
  ledger,
  merchants,
  posChanges,
  signatures,
  messages,
  agentProfile,
  signIn,
  orders,
  selling,
  shopAccess,
  documents,
  approvals,
  verification,
  services,
  sms,
  paymentSettings,
  payments,
  paymentDesk,
  messageDesk,
  smsDesk,
  agentDesk,
  partners,
  campaigns,
  purchases,
  hardware,
  settlement,
  shopImport,
  margins,
  shopPages,
  aftersales,
  tableClearing,
  catalogue,
  orderDetails,
  renewals,
  priceDesk,
  pos,
  views,
  exports,
  content,
  feedback,
  help,
  downloads,
  fonts,
  printing,
  threads,
  consultations,
  partnerApplications,
  demands,
  workOrders,
  printTemplates,
  labels,
  labelBatches,
  receipts,
  team,
  apiKeys,
  webhooks,
  inbox,
  partnerClosing,
  operationLog,
  dashboard,
  insights,
  partnerDesk,
} satisfies Record<string, Feature>
