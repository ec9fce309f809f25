// How long each table keeps its rows: every table stands here, or goes by its age as its feature says (`clearing`). docs/KEEPING.md is made
// of it (npm run keeping:document); test/keeping.test.ts finds a table that is not told of.
import type { Feature } from '#server/feature.ts'
import type { Cleared } from '#server/keeping.ts'
import { CLEAR_ANSWERS } from '#server/serve.ts'
import { FEATURES } from './features.ts'

const declared: readonly Feature[] = Object.values(FEATURES)

/** What goes by its age. */
export const CLEARED: readonly Cleared[] = [
  CLEAR_ANSWERS,
  ...declared.flatMap(({ clearing = [] }) => clearing),
]

export type Staying = {
  title: string
  why: string
  tables: readonly string[]
}

/** What stays. A table of which only some rows go stands here as well. */
export const STAYING: readonly Staying[] = [
  {
    title: 'Books and vouchers',
    why: 'kept for ever: the law on accounting archives (会计档案管理办法) asks for 30 years of ledgers and vouchers, and orders and payments are the vouchers of entries. Closed years of the ledger can be written as signed files (`npm run ledger:archive`), and stay in it',
    tables: [
      ...['ledger_accounts', 'ledger_transfers', 'ledger_entries', 'ledger_moves', 'ledger_days'],
      ...['version_orders', 'version_order_effects', 'service_orders', 'sms_orders', 'token_orders'],
      ...['hardware_orders', 'hardware_order_lines', 'online_renewals', 'renewal_batches', 'undo_requests'],
      ...['deposits', 'deposit_payments', 'deposit_requests', 'payment_intents', 'payment_attempts'],
      ...['payment_refunds', 'payment_reconciliations', 'payment_differences', 'provider_events'],
      ...['acquirer_test_payments', 'outbox_messages'],
    ],
  },
  {
    title: 'Shops, and what hangs on them',
    why: 'as long as the office: a used shop is disabled and not deleted, since the books name it. As many rows as shops, times what was done with each; papers lose their key when they end (docs/PRIVACY.md)',
    tables: [
      ...['merchants', 'merchant_services', 'tool_actions', 'renewed_terms', 'renewal_marks', 'sms_uses'],
      ...['documents', 'document_uses', 'paper_readings', 'verifications', 'shop_signatures', 'shop_codes'],
      ...['payment_applications', 'application_refusals', 'onboardings', 'onboarding_people'],
      ...['acquirer_onboardings', 'account_changes', 'acquiring_progress', 'owner_papers'],
      ...['program_applications', 'program_flows', 'program_flow_answers', 'program_profiles'],
      ...['program_profile_changes', 'program_codes', 'program_audits', 'program_testers'],
      ...['release_train_shops', 'print_template_shops', 'shop_import_rows', 'approval_requests'],
      ...['feedback_messages', 'threads', 'thread_messages', 'thread_pictures', 'table_clearings'],
      ...['platform_events', 'sms_days'],
    ],
  },
  {
    title: 'Partners and their people',
    why: 'as long as the office: a partner that ended and an account that was deleted keep their row, since books and log name them. As many rows as partners and people, times what they set',
    tables: [
      ...['agents', 'accounts', 'roles', 'agent_level_changes', 'discounts', 'selling_prices'],
      ...['partner_applications', 'partner_application_notes', 'partner_closings', 'partner_notes'],
      ...['partner_closing_failures', 'partner_papers', 'partner_invitations', 'agent_pay_channels'],
      ...['agent_payment_methods', 'version_sellers', 'payment_settings', 'payment_setting_values'],
      ...['payment_sign_keys', 'api_keys', 'api_key_uses', 'compat_uses', 'webhook_endpoints'],
      ...['factor_rules', 'factor_totps', 'factor_proofs', 'passkeys', 'recovery_codes'],
      ...['notice_preferences', 'notice_thresholds', 'list_columns', 'saved_views', 'setup_put_off'],
      ...['inbox_items', 'campaigns', 'shop_imports', 'shop_import_mappings', 'shop_import_requests'],
      ...['renewal_offers', 'renewal_prices', 'shop_page_drafts', 'shop_page_versions'],
      ...['shop_page_pictures', 'hardware_cart_lines'],
    ],
  },
  {
    title: 'What the vendor keeps for partners',
    why: 'as long as the office: written by its people, some thousand rows a year',
    tables: [
      ...['consultations', 'demands', 'demand_events', 'demand_files', 'demand_pictures'],
      ...['demand_relations', 'demand_sources', 'demand_subscribers', 'work_orders', 'work_order_events'],
      ...['work_order_messages', 'work_order_pictures', 'help_articles', 'help_categories'],
      ...['help_pictures', 'help_reads', 'help_votes', 'download_files', 'download_takes', 'content_items'],
      ...['release_trains', 'insight_plans', 'agency_exports', 'print_templates', 'print_template_versions'],
      ...['print_template_pictures', 'print_template_events', 'receipt_groups', 'person_erasures'],
      'person_erasure_items',
    ],
  },
  {
    title: 'Prices, texts and settings',
    why: 'as long as the office: a row for each thing there is to set, and what held before, since orders were priced by it',
    tables: [
      ...['prices', 'price_campaigns', 'price_reviews', 'agent_levels', 'versions', 'version_functions'],
      ...['version_adjustments', 'services', 'hardware_products', 'sms_packages', 'sms_recharge_packages'],
      ...['sms_templates', 'payment_methods', 'industries', 'manager_labels', 'permission_nodes'],
      ...['approval_reasons', 'reasons', 'verification_reasons', 'refusal_causes', 'thread_answers'],
      ...['program_category_lists', 'notice_texts', 'office_settings', 'business_days', 'removed_rows'],
      ...['region_changes', 'region_edition', 'compat_closed_calls', 'platform_credentials'],
    ],
  },
  {
    title: 'Sums',
    why: 'bounded: a row for each agency and day or month, and kind; what is counted here need not be read again',
    tables: [
      ...['merchant_counts', 'merchant_days', 'order_days', 'sms_agent_days', 'insight_sums'],
      'insight_cohorts',
    ],
  },
  {
    title: 'Where the program stands',
    why: 'bounded: one row, one for each agency, or what waits for a moment and goes once it is done',
    tables: [
      ...[
        'operation_log_archives',
        'operation_log_heads',
        'operation_log_anchors',
        'operation_log_waiting',
        'change_inbox',
      ],
      ...['shop_change_ends', 'webhook_cursor', 'service_checks', 'removed_files'],
    ],
  },
  {
    title: 'Files',
    why: 'as long as something uses them: what nothing has used for a day goes with its bytes (`clear-unused-files`)',
    tables: ['files'],
  },
]

export type Growing = {
  table: string
  /** Rows a year of the office of docs/CAPACITY.md. */
  aYear: number
  /** Of one row with its indexes, as measured in the seeded database. */
  bytes: number
  /** As `clearing` says it, where only such rows are counted. */
  only?: string
}

const PURCHASES = 2_000_000
/** What people do beside purchases: 2,000 of them, 20 changes each of 250 days. */
const DEEDS = 10_000_000
const MESSAGES = 4_000_000

/** What has most rows. */
export const GROWING: readonly Growing[] = [
  { table: 'operation_logs', aYear: 2 * PURCHASES + DEEDS, bytes: 1_024 },
  { table: 'operation_log_links', aYear: 2 * PURCHASES + DEEDS, bytes: 228 },
  { table: 'idempotency_keys', aYear: PURCHASES + DEEDS, bytes: 587 },
  { table: 'shop_changes', aYear: 2 * PURCHASES + DEEDS / 2, bytes: 192 },
  { table: 'webhook_deliveries', aYear: 2 * PURCHASES + DEEDS / 2, bytes: 600 },
  { table: 'notices', aYear: 1_500_000, bytes: 799 },
  { table: 'sign_ins', aYear: 1_000_000, bytes: 443 },
  {
    ...{ table: 'outbox_messages', aYear: MESSAGES / 2, bytes: 897 },
    only: `payer = 'vendor' and charged = 0`,
  },
  { table: 'outbox_messages', aYear: MESSAGES / 2, bytes: 897 },
  { table: 'sms_days', aYear: MESSAGES / 2, bytes: 146 },
  { table: 'version_orders', aYear: PURCHASES, bytes: 1_163 },
  { table: 'version_order_effects', aYear: PURCHASES, bytes: 250 },
  { table: 'renewed_terms', aYear: PURCHASES / 2, bytes: 341 },
  { table: 'ledger_transfers', aYear: PURCHASES + MESSAGES / 2, bytes: 340 },
  { table: 'ledger_entries', aYear: 2 * PURCHASES + MESSAGES, bytes: 320 },
  { table: 'payment_intents', aYear: 100_000, bytes: 705 },
  { table: 'payment_attempts', aYear: 100_000, bytes: 430 },
  { table: 'provider_events', aYear: 100_000, bytes: 2_000 },
]
