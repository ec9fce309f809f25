// Everything that names an agency is taken along or stays for a reason, and nothing that opens a door goes along.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type Office, openOffice } from '#test/app.ts'
import { CONTENTS, GROUPED, LEFT_OUT } from './server-contents.ts'
import { csvOf } from './server-rows.ts'
import { openSnapshot } from './server-snapshot.ts'

let office: Office
before(async () => {
  office = await openOffice()
})
after(() => office.stop())

const LEFT: readonly string[] = Object.values(LEFT_OUT).flat()

/** Tables without a column of their agency whose rows belong to one that has it (test/cut.test.ts). */
const BY_ANOTHER = [
  ...['account_codes', 'agents', 'factor_challenges', 'factor_failures', 'factor_proofs', 'idempotency_keys'],
  ...['ledger_moves', 'partner_closing_failures', 'print_template_shops'],
]

test('each table that names an agency is in the archive, or is left out for a reason', async () => {
  const { rows } = await office.owner.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'agent_id' and not a.attisdropped
       where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and not c.relispartition`,
  )
  const naming = [...rows.map(({ name }) => name), ...BY_ANOTHER]
  assert.deepEqual(
    naming.filter(name => !(name in CONTENTS) && !LEFT.includes(name)),
    [],
    'Name them in CONTENTS of server-contents.ts, or in LEFT_OUT with the reason.',
  )
  assert.deepEqual(
    [...Object.keys(CONTENTS), ...LEFT].filter(name => !naming.includes(name)),
    [],
    'No such table names an agency.',
  )
  assert.deepEqual(
    LEFT.filter(name => name in CONTENTS),
    [],
  )
})

test('each has a name of its own, so that none takes the place of another in the archive', () => {
  const names = GROUPED.flatMap(({ group, tables }) =>
    tables.map(table => `${group}/${CONTENTS[table]?.title}`),
  )
  assert.equal(new Set(names).size, names.length)
})

/** Columns that sound like a key and open nothing, and why. */
const HARMLESS: Readonly<Record<string, string>> = {
  'acquirer_onboardings.code': 'the number of an acquirer',
  'acquirer_onboardings.handed_over_code': 'as above',
  'acquirer_onboardings.application_code': 'as above',
  'acquirer_test_payments.code': 'as above',
  'account_changes.bank_code': 'the number of a bank',
  'account_changes.merchant_code': 'the number of an acquirer',
  'agents.district_code': 'of a region',
  'api_keys.token_end': 'the last letters alone, as the list shows them',
  'campaigns.template_key': 'names a text',
  'hardware_orders.district_code': 'of a region',
  'merchants.city_code': 'of a region',
  'merchants.district_code': 'of a region',
  'merchants.province_code': 'of a region',
  'merchants.needs_recovery_code': 'yes or no',
  'notices.once_key': 'names what it tells of',
  'onboardings.business_code': 'a number of ours',
  'outbox_messages.error_code': 'of the service',
  'owner_papers.credit_code': 'of a company, as its licence says',
  'payment_applications.bank_code': 'the number of a bank',
  'payment_attempts.payer_code': 'names a channel',
  'program_applications.company_code': 'of a company, as its licence says',
  'program_flow_answers.code': 'of the platform',
  'release_train_shops.reason_key': 'names a reason',
  'shop_signatures.code': 'of the service',
  'table_clearings.table_key': 'names a table',
  'verifications.credit_code': 'of a company, as its licence says',
  'version_orders.purchase_code': 'a number of the old list of purchases',
  'webhook_deliveries.http_code': 'what was answered',
  'webhook_endpoints.secret_end': 'the last letters alone, as the list shows them',
}

test('no column that opens something is taken along', async () => {
  const snapshot = await openSnapshot(office.app.services.database.pool, 1, { rest: 0 })
  try {
    const found: string[] = []
    for (const table of Object.keys(CONTENTS))
      for (const { name, kind } of await snapshot.columnsOf(table)) {
        const isLike = /token(?!_cents)|secret|password|hash|digest|(^|_)(key|code)$/.test(name)
        if (isLike && kind !== 'amount') found.push(`${table}.${name}`)
      }
    assert.deepEqual(
      found.filter(name => !(name in HARMLESS)),
      [],
      'Leave it behind (STAYS, without), or say here why it opens nothing.',
    )
    assert.deepEqual(
      Object.keys(HARMLESS).filter(name => !found.includes(name)),
      [],
      'No such column is taken along.',
    )
  } finally {
    snapshot.end()
  }
})

test('each column has a heading in words, and no two of a table the same', async () => {
  const snapshot = await openSnapshot(office.app.services.database.pool, 1, { rest: 0 })
  try {
    const found: string[] = []
    for (const table of Object.keys(CONTENTS)) {
      const columns = await snapshot.columnsOf(table)
      const heads = csvOf(table, columns, () => null, new Map())
        .head.trim()
        .split(',')
      assert.equal(heads.length, columns.length)
      for (const [at, head] of heads.entries())
        if (!/\p{Script=Han}|^(AppID|ID|QQ)$/u.test(head) || heads.indexOf(head) !== at)
          found.push(`${table}.${columns[at]?.name}: ${head}`)
    }
    assert.deepEqual(found, [], 'Name it in COLUMN_WORDS, or in the fields of its feature.')
  } finally {
    snapshot.end()
  }
})
