// What stands over the columns of the archive's tables, and what its words are: the product's own, where a list or a form has some;
// otherwise those of server-column-words.ts.
import { ACQUIRER_ONBOARDING_FIELDS } from '#features/acquiring/acquirer-onboardings/fields.ts'
import { PROGRESS_FIELDS } from '#features/acquiring/acquiring-progress/fields.ts'
import { OWNER_PAPERS_FIELDS } from '#features/acquiring/owner-papers/fields.ts'
import { APPLICATION_FIELDS as PAYMENT_FIELDS } from '#features/acquiring/payment-applications/fields.ts'
import { KEY_FIELDS } from '#features/agencies/api-keys/fields.ts'
import { ROLE_FIELDS, STAFF_FIELDS } from '#features/agencies/team/fields.ts'
import { DELIVERY_FIELDS, ENDPOINT_FIELDS } from '#features/agencies/webhooks/fields.ts'
import { APPROVAL_FIELDS } from '#features/care/approvals/fields.ts'
import { CAMPAIGN_FIELDS } from '#features/care/campaigns/fields.ts'
import { DOCUMENT_FIELDS } from '#features/care/documents/fields.ts'
import { FEEDBACK_FIELDS } from '#features/care/feedback/fields.ts'
import { IMPORT_FIELDS } from '#features/care/shop-import/fields.ts'
import { CLEARING_FIELDS } from '#features/care/table-clearing/fields.ts'
import { THREAD_FIELDS } from '#features/care/threads/fields.ts'
import { VERIFICATION_FIELDS } from '#features/care/verification/fields.ts'
import { ASSET_NAMES, PAY_METHODS, TRANSFER_KINDS } from '#features/money/ledger/rules.ts'
import { AGENT_FIELDS, AGENT_PROFILE_FIELDS } from '#features/office/agents/fields.ts'
import { NOTICE_FIELDS } from '#features/office/notices/fields.ts'
import { LOG_FIELDS } from '#features/overview/operation-log/fields.ts'
import { APPLICATION_FIELDS as PROGRAM_FIELDS } from '#features/programs/program-applications/fields.ts'
import { FLOW_FIELDS } from '#features/programs/program-flow/fields.ts'
import { TRAIN_SHOP_FIELDS } from '#features/programs/release-trains/fields.ts'
import { DEPOSIT_FIELDS } from '#features/sales/deposits/fields.ts'
import { HARDWARE_ORDER_FIELDS } from '#features/sales/hardware/fields.ts'
import { ORDER_FIELDS } from '#features/sales/orders/fields.ts'
import { INTENT_FIELDS, REFUND_FIELDS } from '#features/sales/payments/desk/fields.ts'
import { SERVICE_ORDER_FIELDS } from '#features/sales/services/fields.ts'
import { REQUEST_FIELDS } from '#features/sales/settlement/fields.ts'
import { ONLINE_RENEWAL_FIELDS } from '#features/sales/shop-pages/fields.ts'
import { SMS_ORDER_FIELDS } from '#features/sales/sms/desk/fields.ts'
import { MERCHANT_FIELDS } from '#features/shops/merchants/fields.ts'
import { MESSAGE_FIELDS } from '#features/shops/messages/desk/fields.ts'
import { WORK_ORDER_FIELDS } from '#features/support/work-orders/fields.ts'
import type { Fields, Words } from '#kit/declare/fields.ts'
import { COLUMN_WORDS } from './server-column-words.ts'

const OF_TABLES: Readonly<Record<string, Fields>> = {
  accounts: STAFF_FIELDS,
  acquirer_onboardings: ACQUIRER_ONBOARDING_FIELDS,
  acquirer_test_payments: ACQUIRER_ONBOARDING_FIELDS,
  acquiring_progress: PROGRESS_FIELDS,
  agents: { ...AGENT_PROFILE_FIELDS, ...AGENT_FIELDS },
  api_keys: KEY_FIELDS,
  approval_requests: APPROVAL_FIELDS,
  campaigns: CAMPAIGN_FIELDS,
  deposits: DEPOSIT_FIELDS,
  deposit_requests: DEPOSIT_FIELDS,
  documents: DOCUMENT_FIELDS,
  feedback_messages: FEEDBACK_FIELDS,
  hardware_orders: HARDWARE_ORDER_FIELDS,
  ledger_accounts: { asset: { kind: 'word', label: '资产', words: ASSET_NAMES } },
  ledger_entries: {
    asset: { kind: 'word', label: '资产', words: ASSET_NAMES },
    accountId: { kind: 'id', label: '账户编号' },
  },
  ledger_transfers: {
    asset: { kind: 'word', label: '资产', words: ASSET_NAMES },
    kind: { kind: 'word', label: '类型', words: TRANSFER_KINDS },
  },
  merchants: MERCHANT_FIELDS,
  notices: NOTICE_FIELDS,
  online_renewals: ONLINE_RENEWAL_FIELDS,
  operation_logs: LOG_FIELDS,
  outbox_messages: MESSAGE_FIELDS,
  owner_papers: OWNER_PAPERS_FIELDS,
  payment_applications: PAYMENT_FIELDS,
  payment_intents: INTENT_FIELDS,
  payment_refunds: REFUND_FIELDS,
  program_applications: PROGRAM_FIELDS,
  program_flows: FLOW_FIELDS,
  release_train_shops: TRAIN_SHOP_FIELDS,
  roles: ROLE_FIELDS,
  service_orders: SERVICE_ORDER_FIELDS,
  shop_imports: IMPORT_FIELDS,
  sms_orders: SMS_ORDER_FIELDS,
  table_clearings: CLEARING_FIELDS,
  threads: THREAD_FIELDS,
  undo_requests: REQUEST_FIELDS,
  verifications: VERIFICATION_FIELDS,
  version_orders: ORDER_FIELDS,
  webhook_deliveries: DELIVERY_FIELDS,
  webhook_endpoints: ENDPOINT_FIELDS,
  work_orders: WORK_ORDER_FIELDS,
}

const WORDS: Readonly<Record<string, Words>> = { payMethod: PAY_METHODS }

export const keyOf = (column: string): string =>
  column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** The head of a column. */
export function headingOf(table: string, column: string): string {
  const key = keyOf(column)
  const known = labelOf(table, key)
  // Whoever did it stands beside by name.
  const byName = key.endsWith('By') ? labelOf(table, `${key}Name`) : null
  return known ?? (byName ? `${byName}编号` : column)
}

const labelOf = (table: string, key: string): string | null =>
  OF_TABLES[table]?.[key]?.label ?? COLUMN_WORDS[key] ?? null

/** What stands for a word that the column holds; null: it holds none that is known. */
export function wordsOf(table: string, column: string): Words | null {
  const key = keyOf(column)
  return OF_TABLES[table]?.[key]?.words ?? WORDS[key] ?? null
}
