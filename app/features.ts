// All features in their one order: each may import of those before it. A new feature is a line here.
import { feature as access } from '#features/access/feature.ts'
import { feature as aftersales } from '#features/aftersales/feature.ts'
import { feature as agentDesk } from '#features/agent-desk/feature.ts'
import { feature as agentProfile } from '#features/agent-profile/feature.ts'
import { feature as agents } from '#features/agents/feature.ts'
import { feature as apiKeys } from '#features/api-keys/feature.ts'
import { feature as approvals } from '#features/approvals/feature.ts'
import { feature as campaigns } from '#features/campaigns/feature.ts'
import { feature as captcha } from '#features/captcha/feature.ts'
import { feature as catalogue } from '#features/catalogue/feature.ts'
import { feature as consultations } from '#features/consultations/feature.ts'
import { feature as content } from '#features/content/feature.ts'
import { feature as dashboard } from '#features/dashboard/feature.ts'
import { feature as demands } from '#features/demands/feature.ts'
import { feature as documents } from '#features/documents/feature.ts'
import { feature as downloads } from '#features/downloads/feature.ts'
import { feature as exports } from '#features/exports/feature.ts'
import { feature as factors } from '#features/factors/feature.ts'
import { feature as feedback } from '#features/feedback/feature.ts'
import { feature as fonts } from '#features/fonts/feature.ts'
import { feature as hardware } from '#features/hardware/feature.ts'
import { feature as help } from '#features/help/feature.ts'
import { feature as inbox } from '#features/inbox/feature.ts'
import { feature as insights } from '#features/insights/feature.ts'
import { feature as labelBatches } from '#features/label-batches/feature.ts'
import { feature as labels } from '#features/labels/feature.ts'
import { feature as ledger } from '#features/ledger/feature.ts'
import { feature as margins } from '#features/margins/feature.ts'
import { feature as merchants } from '#features/merchants/feature.ts'
import { feature as messageDesk } from '#features/message-desk/feature.ts'
import { feature as messages } from '#features/messages/feature.ts'
import { feature as notices } from '#features/notices/feature.ts'
import { feature as operationLog } from '#features/operation-log/feature.ts'
import { feature as orderDetails } from '#features/order-details/feature.ts'
import { feature as orders } from '#features/orders/feature.ts'
import { feature as partnerApplications } from '#features/partner-applications/feature.ts'
import { feature as partnerClosing } from '#features/partner-closing/feature.ts'
import { feature as partnerDesk } from '#features/partner-desk/feature.ts'
import { feature as partners } from '#features/partners/feature.ts'
import { feature as paymentDesk } from '#features/payment-desk/feature.ts'
import { feature as paymentSettings } from '#features/payment-settings/feature.ts'
import { feature as payments } from '#features/payments/feature.ts'
import { feature as pos } from '#features/pos/feature.ts'
import { feature as posChanges } from '#features/pos-changes/feature.ts'
import { feature as priceDesk } from '#features/price-desk/feature.ts'
import { feature as prices } from '#features/prices/feature.ts'
import { feature as printTemplates } from '#features/print-templates/feature.ts'
import { feature as printing } from '#features/printing/feature.ts'
import { feature as purchases } from '#features/purchases/feature.ts'
import { feature as receipts } from '#features/receipts/feature.ts'
import { feature as referenceData } from '#features/reference-data/feature.ts'
import { feature as regions } from '#features/regions/feature.ts'
import { feature as renewals } from '#features/renewals/feature.ts'
import { feature as selling } from '#features/selling/feature.ts'
import { feature as services } from '#features/services/feature.ts'
import { feature as settlement } from '#features/settlement/feature.ts'
import { feature as shopAccess } from '#features/shop-access/feature.ts'
import { feature as shopImport } from '#features/shop-import/feature.ts'
import { feature as shopPages } from '#features/shop-pages/feature.ts'
import { feature as signIn } from '#features/sign-in/feature.ts'
import { feature as signatures } from '#features/signatures/feature.ts'
import { feature as sms } from '#features/sms/feature.ts'
import { feature as smsDesk } from '#features/sms-desk/feature.ts'
import { feature as tableClearing } from '#features/table-clearing/feature.ts'
import { feature as team } from '#features/team/feature.ts'
import { feature as threads } from '#features/threads/feature.ts'
import { feature as verification } from '#features/verification/feature.ts'
import { feature as versions } from '#features/versions/feature.ts'
import { feature as viewAs } from '#features/view-as/feature.ts'
import { feature as views } from '#features/views/feature.ts'
import { feature as webhooks } from '#features/webhooks/feature.ts'
import { feature as workOrders } from '#features/work-orders/feature.ts'
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
