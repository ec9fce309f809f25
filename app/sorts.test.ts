// Every list that declares what it is sorted by: its rows come in that order through the real program, and its pages by an index.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { DEMO_PASSWORD } from '#features/office/access/sample.ts'
import { addDays, formatDay } from '#kit/time.ts'
import { type Office, openOffice } from '#test/app.ts'
import { DECLARED } from '#test/house/declared.ts'
import { call, everyOperation } from '#test/walk.ts'

let office: Office
const cookies: string[] = []
before(async () => {
  office = await openOffice({ demo: true })
  for (const name of ['20001', '10001']) cookies.push(await office.login(name, DEMO_PASSWORD))
})
after(() => office.stop())

const LISTS = [
  ...new Map(DECLARED.flatMap(({ list }) => (list?.sorts ? [[list.key, list] as const] : []))).values(),
]
const OPERATIONS = everyOperation()

/** Asked besides, where a list is of a time: in a month that has just begun nothing may have happened yet. */
const ASKED: Record<string, object> = {
  'insights.partners': { month: addDays(formatDay(new Date()), -31).slice(0, 7) },
}

type Page = { rows: Record<string, string | number | null>[]; total: number }

async function read(key: string, cookie: string, input: object): Promise<Page | null> {
  const operation = OPERATIONS.find(({ name }) => name === key)
  assert.ok(operation, key)
  const { status, body } = await call(office.app, cookie, operation, input as Record<string, unknown>)
  if (status === 403) return null
  assert.equal(status, 200, `${key} ${JSON.stringify(body)}`)
  return body as Page
}

for (const { key, sorts = [] } of LISTS)
  for (const sort of sorts)
    test(`${key} is sorted by ${sort} in both directions, page by page`, async () => {
      let seen = 0
      for (const cookie of cookies)
        for (const order of ['asc', 'desc']) {
          const pages = [1, 2].map(page => read(key, cookie, { ...ASKED[key], sort, order, page, size: 10 }))
          const rows = (await Promise.all(pages)).flatMap(page => page?.rows ?? [])
          const values = rows.flatMap(row => row[sort] ?? [])
          const rising = values.toSorted((a, b) => (a < b ? -1 : Number(a > b)))
          assert.deepEqual(values, order === 'asc' ? rising : rising.toReversed(), order)
          seen += values.length
        }
      assert.ok(seen > 0)
    })

const LIVE_DEMANDS = 'deleted_at is null and merged_into_id is null'

/** The statement of a page's ids, as its list asks for it: table, column, and what only some rows are in its index for. */
const PAGES: Record<string, [table: string, column: string, only?: string, nulls?: true]> = {
  'ledger.changes createdAt': ['ledger_entries', 'created_at', 'agent_id is not null', true],
  'smsDesk.merchantChanges createdAt': ['ledger_entries', 'created_at', 'account_id = 1', true],
  'orders.list createdAt': ['version_orders', 'created_at', undefined, true],
  'orders.list paidAt': ['version_orders', 'paid_at', 'paid_at is not null'],
  'settlement.bills paidAt': ['version_orders', 'paid_at', 'paid_at is not null'],
  'services.orders createdAt': ['service_orders', 'created_at'],
  'smsDesk.orders createdAt': ['sms_orders', 'created_at'],
  'smsDesk.changes changedAt': ['sms_orders', 'changed_at', 'changed_at is not null'],
  'hardware.orders createdAt': ['hardware_orders', 'created_at'],
  'messageDesk.log createdAt': ['outbox_messages', 'created_at'],
  'messageDesk.outbox createdAt': ['outbox_messages', 'created_at'],
  'messageDesk.abnormal createdAt': [
    'outbox_messages',
    'created_at',
    `status in ('failed', 'unknown', 'expired')`,
  ],
  'approvals.signatures createdAt': ['approval_requests', 'created_at', `kind = 'signature'`],
  'approvals.shopNames createdAt': ['approval_requests', 'created_at', `kind = 'shopName'`],
  'approvals.memberTitles createdAt': ['approval_requests', 'created_at', `kind = 'memberTitle'`],
  'documents.list expiresOn': ['documents', 'expires_on'],
  'downloads.list createdAt': ['download_files', 'created_at'],
  'help.list updatedAt': ['help_articles', 'updated_at'],
  'help.list views': ['help_articles', 'views'],
  'labels.list createdAt': ['print_templates', 'created_at', `kind = 'label' and deleted_at is null`],
  'labels.list updatedAt': ['print_templates', 'updated_at', `kind = 'label' and deleted_at is null`],
  'demands.list createdAt': ['demands', 'created_at', LIVE_DEMANDS],
  'demands.list weight': ['demands', 'weight_rank', LIVE_DEMANDS],
  'demands.list deadline': ['demands', 'deadline', LIVE_DEMANDS],
  'verification.reviews submittedAt': [
    'verifications',
    'submitted_at',
    `state <> 'unverified' and submitted_at is not null`,
  ],
  'paymentApplications.list submittedAt': [
    'payment_applications',
    'submitted_at',
    `state <> 'draft' and submitted_at is not null`,
  ],
  'programApplications.list createdAt': ['program_applications', 'created_at', 'deleted_at is null'],
  'programFlow.list createdAt': ['program_applications', 'created_at', 'deleted_at is null'],
  'acquiringProgress.list since': ['acquiring_progress', 'since', "turn <> 'none'"],
  'acquirerOnboardings.list createdAt': ['acquirer_onboardings', 'created_at'],
  'paymentApplications.reviews handledAt': [
    'payment_applications',
    'handled_at',
    'review_state is not null and handled_at is not null',
  ],
  'receipts.list createdAt': ['print_templates', 'created_at', `kind = 'receipt' and deleted_at is null`],
  'receipts.list updatedAt': ['print_templates', 'updated_at', `kind = 'receipt' and deleted_at is null`],
  'threads.list lastAt': ['threads', 'last_at', `agent_id = 101`],
  'threads.all lastAt': ['threads', 'last_at', `desk = 'vendor'`],
  'workOrders.list lastAt': ['work_orders', 'last_at', 'deleted_at is null'],
  'workOrders.all lastAt': ['work_orders', 'last_at', 'deleted_at is null'],
  'workOrders.all pressingAt': ['work_orders', 'pressing_at', 'deleted_at is null'],
  'refusals.causes lastAt': ['refusal_causes', 'last_at'],
  'refusals.causes times': ['refusal_causes', 'times'],
  'deposits.list askedAt': ['deposits', 'asked_at'],
  'shopPages.renewals createdAt': ['online_renewals', 'created_at'],
  'paymentDesk.intents createdAt': ['payment_intents', 'created_at'],
  'paymentDesk.events receivedAt': ['provider_events', 'received_at'],
  'paymentDesk.refunds createdAt': ['payment_refunds', 'created_at'],
  'paymentDesk.reconciliations day': ['payment_reconciliations', 'day'],
}
/** Of shops, which `bench/plans.ts` measures. */
const OF_SHOPS = /^(merchants|agentDesk|renewals)\./
/** Agents, a few thousand at the most, by what is reckoned of sums: there is no index of it (`bench/insights.ts`). */
const OF_SUMS = /^(insights|partnerDesk)\./
/** Their rows are the vendor's. */
const OF_NOBODY = [
  'provider_events',
  'payment_reconciliations',
  'demands',
  'download_files',
  'help_articles',
  'print_templates',
  'refusal_causes',
]
/** Of many tables, each kind by an index of its own: `features/overview/inbox/server-plans.test.ts`. */
const OF_KINDS = /^inbox\./

test('each sort has an index that its page is read from without sorting, of one agent and of all', async () => {
  const declared = LISTS.flatMap(({ key, sorts = [] }) => sorts.map(sort => `${key} ${sort}`))
  assert.deepEqual(
    declared.filter(name => ![OF_SHOPS, OF_SUMS, OF_KINDS].some(others => others.test(name))).sort(),
    Object.keys(PAGES).sort(),
  )
  await office.owner.query('set enable_sort = off; set enable_seqscan = off; set enable_bitmapscan = off')
  for (const [name, [table, column, only = 'true', nulls]] of Object.entries(PAGES))
    for (const order of ['asc', 'desc']) {
      const by = nulls ? `${order} nulls ${order === 'asc' ? 'first' : 'last'}` : order
      const hasAgent = !OF_NOBODY.includes(table)
      for (const whose of hasAgent ? ['agent_id = 101', 'true'] : ['true']) {
        const statement = `select id from ${table} where ${whose} and ${only} order by ${column} ${by}, id ${by} limit 10`
        const { rows } = await office.owner.query<{ 'QUERY PLAN': string }>(`explain ${statement}`)
        const plan = rows.map(row => row['QUERY PLAN']).join('\n')
        assert.ok(!/\bSort\b/.test(plan), `${name}: ${statement}\n${plan}`)
      }
    }
})
