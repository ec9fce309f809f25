// Agencies are where the database can be cut (docs/CAPACITY.md): no table, unique index or reference comes that crosses the cut unsaid.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type Office, openOffice } from './app.ts'

let office: Office
before(async () => {
  office = await openOffice()
})
after(() => office.stop())

/** Tables whose rows name no agency: what each would be on the other side of a cut. */
const WITHOUT_AGENCY = {
  'the same on every node, read by all and changed by the vendor': [
    ...['agent_levels', 'approval_reasons', 'business_days', 'content_items', 'download_files'],
    ...[
      'hardware_products',
      'help_articles',
      'help_categories',
      'help_pictures',
      'industries',
      'manager_labels',
    ],
    ...['notice_texts', 'office_settings', 'payment_methods', 'permission_nodes', 'price_campaigns'],
    ...['price_reviews', 'prices', 'print_template_events', 'print_template_pictures'],
    ...['print_template_versions', 'print_templates', 'program_category_lists', 'reasons', 'receipt_groups'],
    ...['refusal_causes', 'region_changes', 'region_edition', 'removed_rows', 'services', 'sms_packages'],
    ...['sms_recharge_packages', 'sms_templates', 'thread_answers', 'verification_reasons'],
    ...['version_adjustments', 'version_functions', 'versions'],
  ],
  'the vendor’s own, on the node that lets people in': [
    ...['agents', 'captcha_challenges', 'captcha_passes', 'compat_closed_calls', 'consultations'],
    ...['demand_events', 'demand_files', 'demand_pictures', 'demand_relations', 'demand_sources'],
    ...['demand_subscribers', 'demands', 'insight_cohorts', 'insight_plans', 'login_failures'],
    ...['partner_application_codes', 'partner_application_notes', 'payment_differences', 'person_erasures'],
    ...['payment_reconciliations', 'platform_credentials', 'platform_events', 'provider_events'],
    ...['release_trains', 'service_checks'],
  ],
  'each node’s own: where it stands, and what it clears away': [
    ...[
      'compat_acts',
      'operation_log_archives',
      'removed_files',
      'shop_change_ends',
      'socket_io_attachments',
      'webhook_cursor',
    ],
  ],
  'of a row that names the agency, which would name it too': [
    ...['account_codes', 'factor_challenges', 'factor_failures', 'factor_proofs', 'idempotency_keys'],
    ...['ledger_moves', 'partner_closing_failures', 'print_template_shops'],
  ],
} as const
const KINDS = Object.entries(WITHOUT_AGENCY).flatMap(([kind, tables]) =>
  tables.map(table => [table as string, kind] as const),
)

/** Columns that are unique in the whole office, not within an agency, and what would keep them so. */
const UNIQUE_EVERYWHERE: Readonly<Record<string, string>> = {
  login_name: 'a table of names on the node that lets people in',
  account: 'as login_name: shops sign in to the software they bought with it',
  mobile: 'of applications, which belong to the vendor',
  order_no: 'one sequence: a node’s digits in front',
  batch_no: 'as order_no',
  document_no: 'as order_no',
  refund_no: 'as order_no',
  out_trade_no: 'as order_no',
  appid: 'the platform’s own: a mini program belongs to one shop',
  business_code: 'made of the onboarding’s number',
  token: 'random',
  token_hash: 'random',
  previous_hash: 'random',
  code: 'random',
  callback_key: 'random',
  seq: 'each node counts for itself',
}

/** References between what names an agency and what is the vendor’s. */
const CROSSING = [
  ...['demand_sources.feedback_messages', 'demand_sources.merchants', 'demand_sources.threads'],
  ...['demand_subscribers.accounts', 'demands.accounts', 'demands.merchants'],
  ...['partner_application_notes.partner_applications', 'person_erasure_items.person_erasures'],
  'provider_events.payment_settings',
  'release_train_shops.release_trains',
]

test('each table names its agency, or is known to be of no agency', async () => {
  const { rows } = await office.owner.query<{ name: string }>(
    `select c.relname as name from pg_class c
       where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and not c.relispartition and not exists
         (select from pg_attribute where attrelid = c.oid and attname = 'agent_id' and not attisdropped) order by 1`,
  )
  assert.deepEqual(
    rows.map(({ name }) => name),
    KINDS.map(([table]) => table).sort(),
  )
})

test('what is unique is so within an agency, or there is a way to keep it unique across nodes', async () => {
  const { rows } = await office.owner.query<{ name: string; columns: string[] }>(
    `select i.indexrelid::regclass::text as name, array_agg(a.attname::text) as columns
       from pg_index i join pg_class c on c.oid = i.indrelid
         join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
       where i.indisunique and c.relnamespace = 'public'::regnamespace and not c.relispartition and exists
         (select from pg_attribute where attrelid = c.oid and attname = 'agent_id' and not attisdropped)
       group by 1 order by 1`,
  )
  // A row’s own number, or that of a row it belongs to, is an agency’s: the agency would stand in front.
  const isOfAgency = (column: string) => column === 'id' || column.endsWith('_id')
  const used = new Set<string>()
  const unsaid = rows.filter(({ columns }) => {
    if (columns.some(isOfAgency)) return false
    const known = columns.filter(column => UNIQUE_EVERYWHERE[column])
    for (const column of known) used.add(column)
    return known.length === 0
  })
  assert.deepEqual(unsaid, [])
  const unused = Object.keys(UNIQUE_EVERYWHERE).filter(column => !used.has(column))
  assert.deepEqual(unused, [])
})

test('no reference crosses the cut but those that are known', async () => {
  const { rows } = await office.owner.query<{ of: string; to: string }>(
    `select conrelid::regclass::text as of, confrelid::regclass::text as to from pg_constraint
       where contype = 'f' and connamespace = 'public'::regnamespace and confrelid <> 'agents'::regclass`,
  )
  const side = new Map(
    KINDS.map(([table, kind]) => [table, kind.startsWith('of a row') ? 'agency' : kind] as const),
  )
  const sideOf = (table: string) => side.get(table) ?? 'agency'
  const isVendors = (table: string) => sideOf(table).startsWith('the vendor')
  const crossing = rows
    // Pictures and whoever made a row stay where the row is.
    .filter(({ of, to }) => to !== 'files' && isVendors(of) !== isVendors(to))
    .filter(({ of, to }) => !sideOf(of).startsWith('the same') && !sideOf(to).startsWith('the same'))
    .map(({ of, to }) => `${of}.${to}`)
  assert.deepEqual([...new Set(crossing)].sort(), CROSSING.toSorted())
})
