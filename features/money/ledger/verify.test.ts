import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import pg from 'pg'
import { appUrlOf } from '#server/postgres/migrate.ts'
import { makeSecrets } from '#server/secrets.ts'
import { type Office, openOffice } from '#test/app.ts'
import { TEST_SECRET } from '#test/database.ts'
import { type MadeAgent, makeAgent, makeMerchant, newMerchantForm } from '#test/make.ts'
import { makeOrder as makeHardwareOrder, makeProduct } from '#test/make-hardware.ts'
import { renewShop } from '#test/make-settlement.ts'
import { verifyLedger } from './verify.ts'

const TABLES = ['ledger_accounts', 'ledger_transfers', 'ledger_entries'] as const
const REFUSED = '42501'

let office: Office
let agent: MadeAgent
let stranger: MadeAgent
/** Past triggers and foreign keys, as somebody with the database's files or its owner's password is. */
let intruder: pg.Client
/** The database as the program sees it. */
let role: pg.Client

before(async () => {
  office = await openOffice()
  agent = await makeAgent(office, { tokens: 10_000, sms: 500 })
  stranger = await makeAgent(office, { tokens: 10_000 })
  const me = office.as(await office.login(agent.loginName))
  for (const smsCount of [5, 0, 7]) {
    const quote = await me.selling.quote(newMerchantForm({ smsCount }))
    await me.selling.add({ orderNo: quote.orderNo })
  }
  intruder = new pg.Client({
    connectionString: office.ownerUrl,
    options: '-c session_replication_role=replica',
  })
  await intruder.connect()
  const url = appUrlOf(office.ownerUrl, makeSecrets(TEST_SECRET).databasePassword)
  role = new pg.Client({ connectionString: url, options: `-c app.agent_id=${agent.id} -c app.scope=own` })
  await role.connect()
})
after(async () => {
  await intruder.end()
  await role.end()
  await office.stop()
})

async function isSound(): Promise<boolean> {
  return (await verifyLedger(intruder)).sound
}

type Column = { table: string; name: string; type: string }

async function columnsOf(table: string): Promise<Column[]> {
  const { rows } = await intruder.query<Column>(
    `select table_name as table, column_name as name, udt_name as type from information_schema.columns
     where table_schema = 'public' and table_name = $1 order by ordinal_position`,
    [table],
  )
  assert.ok(rows.length > 5)
  return rows
}

/** Values that a column may be changed to, as SQL over its present value. */
const CHANGES: Record<string, string[]> = {
  int8: ['coalesce(VALUE, 0) + 1000003', '-coalesce(VALUE, 1)', 'null'],
  text: [`coalesce(VALUE, '') || 'x'`, 'null'],
  bytea: [`coalesce(VALUE, '') || '\\x00'`, 'null'],
  timestamptz: [`VALUE + interval '1 millisecond'`, 'null'],
}

/** Whether the change was found, or could not be made; the row is put back. */
async function tamper(
  column: Column,
  id: string,
  change: string,
): Promise<'found' | 'refused' | 'same' | 'MISSED'> {
  const { table, name, type } = column
  const at = (row: string) => `where id = ${row}`
  const { rows } = await intruder.query(`select ${name}::text as old from ${table} ${at('$1')}`, [id])
  const old = rows[0].old as string | null
  const query = `update ${table} set ${name} = ${change.replace('VALUE', name)} ${at('$1')} returning id::text, ${name}::text as new`
  let changed: { id: string; new: string | null }
  try {
    changed = (await intruder.query(query, [id])).rows[0]
  } catch (error) {
    const code = (error as pg.DatabaseError).code ?? ''
    if (!code.startsWith('23')) throw error
    return 'refused'
  }
  const found = !(await isSound())
  await intruder.query(`update ${table} set ${name} = $1::${type} ${at('$2')}`, [old, changed.id])
  if (changed.new === old) return 'same'
  return found ? 'found' : 'MISSED'
}

for (const table of TABLES)
  test(`an edit of any column of any row of ${table} is found`, async () => {
    assert.ok(await isSound())
    const columns = await columnsOf(table)
    const { rows } = await intruder.query<{ id: string }>(`select id from ${table} order by id`)
    const outcomes: Record<string, number> = {}
    const missed: string[] = []
    for (const column of columns)
      for (const { id } of rows)
        for (const change of CHANGES[column.type] ?? assert.fail(`no change known for ${column.type}`)) {
          const outcome = await tamper(column, id, change)
          outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
          if (outcome === 'MISSED') missed.push(`${column.name} of ${id}: ${change}`)
        }
    assert.deepEqual(missed, [])
    assert.ok((outcomes.found ?? 0) > columns.length, JSON.stringify(outcomes))
    assert.ok(await isSound(), 'all rows are as they were')
  })

test('a row that is missing, the last ones included, is found', async () => {
  for (const table of TABLES) {
    const { rows } = await intruder.query<{ id: string }>(`select id from ${table} order by id`)
    for (const { id } of rows) {
      const deleted = await intruder.query(
        `delete from ${table} where id = $1 returning to_jsonb(${table}) as row`,
        [id],
      )
      assert.equal(await isSound(), false, `${table} ${id}`)
      await intruder.query(`insert into ${table} select * from jsonb_populate_record(null::${table}, $1)`, [
        JSON.stringify(deleted.rows[0].row),
      ])
    }
  }
  assert.ok(await isSound(), 'all rows are as they were')
})

test('the last transfer with both its entries missing is found', async () => {
  const { rows } = await intruder.query(`
    with last as (select max(id) as id from ledger_transfers),
      entries as (delete from ledger_entries where transfer_id = (select id from last) returning to_jsonb(ledger_entries) as row),
      transfers as (delete from ledger_transfers where id = (select id from last) returning to_jsonb(ledger_transfers) as row)
    select 'ledger_entries' as table, row from entries union all select 'ledger_transfers', row from transfers`)
  assert.equal(rows.length, 3)
  assert.equal(await isSound(), false)
  for (const { table, row } of rows)
    await intruder.query(`insert into ${table} select * from jsonb_populate_record(null::${table}, $1)`, [
      JSON.stringify(row),
    ])
  assert.ok(await isSound())
})

const EXTRA = {
  ledger_accounts: { id: 999_999, owner_id: 999_999 },
  ledger_transfers: { id: 999_999 },
  ledger_entries: { id: 999_999, sequence: null },
}

test('a row too many is found', async () => {
  for (const table of TABLES) {
    const added = await intruder.query(
      `insert into ${table} select (jsonb_populate_record(t, $1)).* from ${table} t order by id limit 1`,
      [JSON.stringify(EXTRA[table])],
    )
    assert.equal(added.rowCount, 1)
    assert.equal(await isSound(), false, table)
    await intruder.query(`delete from ${table} where id = 999999`)
  }
  assert.ok(await isSound())
})

/** An order of each kind that stands, and one of each that was taken back. */
async function boughtOfEachKind(): Promise<void> {
  const me = office.as(await office.login(agent.loginName))
  const desk = office.as(await office.login((await makeAgent(office, { staff: true })).loginName))
  const merchantId = await makeMerchant(office, agent.id)
  const product = await makeProduct(office)
  const service = { merchantId, items: [{ serviceId: 11, quantity: 1, years: 1 }], totalCents: 10_000 }
  for (const isUndone of [true, false]) {
    const version = await renewShop(me, merchantId)
    const sold = (await me.services.buy(service)).orders[0]?.orderNo ?? ''
    const sms = await me.sms.buy({ merchantId, packageId: 1, totalCents: 2_000 })
    const hardware = await makeHardwareOrder(office, me, { productId: product })
    if (!isUndone) continue
    for (const [kind, orderNo] of [
      ['version', version.orderNo],
      ['service', sold],
      ['sms', sms.orderNo],
    ] as const)
      await me.settlement.undo({ kind, orderNo, reason: '试' })
    await desk.hardware.cancel({ orderNo: hardware, reason: '试' })
  }
}

test('an order whose tokens are not what it cost is found, whatever its kind and state', async () => {
  await boughtOfEachKind()
  assert.ok(await isSound())
  const cases = [
    ['version_orders', 'status', 'paid', 'recycled'],
    ['service_orders', 'state', 'completed', 'recalled'],
    ['sms_orders', 'status', 'paid', 'recycled'],
    ['hardware_orders', 'delivery_status', 'awaitingShipment', 'cancelled'],
  ] as const
  for (const [table, column, stands, undone] of cases)
    for (const [was, change] of [
      [stands, 'total_cents = total_cents + 1'],
      [stands, 'total_cents = 0'],
      [stands, `${column} = '${undone}'`],
      [undone, `${column} = '${stands}'`],
      [stands, `agent_id = ${stranger.id}`],
      [stands, `order_no = order_no || 'x'`],
    ] as const) {
      const { rows } = await intruder.query<{ id: string; row: object }>(
        `select id, to_jsonb(o) - 'search_text' as row from ${table} o where ${column} = $1 order by id desc limit 1`,
        [was],
      )
      const [{ id, row }] = rows as [{ id: string; row: Record<string, unknown> }]
      await intruder.query(`update ${table} set ${change} where id = $1`, [id])
      const { problems } = await verifyLedger(intruder)
      assert.equal(problems[`${table}_unlike_transfers`], 1, `${table} ${was}: ${change}`)
      await intruder.query(
        `update ${table} set total_cents = $2, ${column} = $3, agent_id = $4, order_no = $5 where id = $1`,
        [id, row.total_cents, row[column], row.agent_id, row.order_no],
      )
    }
  assert.ok(await isSound())
})

async function codeOf(query: string, values: unknown[] = []): Promise<string | undefined> {
  return role.query(query, values).then(
    () => 'accepted',
    (error: pg.DatabaseError) => error.code,
  )
}

test('the app’s role can add to the money tables only by posting, and change or remove nothing', async () => {
  for (const table of TABLES) {
    const columns = await columnsOf(table)
    for (const { name } of columns)
      assert.equal(await codeOf(`update ${table} set ${name} = ${name}`), REFUSED, name)
    assert.equal(await codeOf(`delete from ${table}`), REFUSED)
    assert.equal(await codeOf(`truncate ${table} cascade`), REFUSED)
    assert.equal(await codeOf(`insert into ${table} select * from ${table}`), REFUSED)
    assert.equal(await codeOf(`alter table ${table} disable trigger all`), REFUSED)
    assert.equal(await codeOf(`alter table ${table} disable row level security`), REFUSED)
    assert.equal(await codeOf(`drop table ${table}`), REFUSED)
  }
  assert.equal(await codeOf(`set session_replication_role = replica`), REFUSED)
  assert.equal(
    await codeOf(`select ledger_account_of('{"kind":"vendor","book":"issued"}', 'token')`),
    REFUSED,
  )
  assert.equal(
    await codeOf(`select ledger_write_entry(t, t.to_account_id, 1) from ledger_transfers t limit 1`),
    REFUSED,
  )
  assert.equal(await codeOf(`select ledger_post_at('[]', '{}')`), REFUSED)
  for (const change of [
    'update operation_logs set subject = subject',
    'delete from operation_logs',
    'truncate operation_logs',
  ])
    assert.equal(await codeOf(change), REFUSED, change)
  assert.equal(await codeOf('update merchant_counts set total = 0'), REFUSED)
})

type Owner = { kind: string; id?: number; book?: string }

function post(from: Owner, to: Owner, agentId: number): Promise<string | undefined> {
  const movement = {
    kind: 'credit',
    asset: 'token',
    amount: 1,
    from,
    to,
    document: 'TEST',
    payMethod: 'gift',
    agentId,
  }
  return codeOf('select ledger_post($1::jsonb)', [
    JSON.stringify([{ ...movement, actorId: 1, actorName: '测试', description: '测试' }]),
  ])
}

test('acting for one agent, the role can move no other agent’s money', async () => {
  const mine = { kind: 'agent', id: agent.id }
  const theirs = { kind: 'agent', id: stranger.id }
  const revenue = { kind: 'vendor', book: 'revenue' }
  const theirShop = { kind: 'merchant', id: await makeMerchant(office, stranger.id) }
  const myShop = { kind: 'merchant', id: await makeMerchant(office, agent.id) }
  assert.equal(await post(mine, revenue, agent.id), 'accepted')
  assert.equal(await post(mine, myShop, agent.id), 'accepted')
  for (const [from, to, agentId] of [
    [theirs, revenue, stranger.id],
    [theirs, revenue, agent.id],
    [theirs, mine, agent.id],
    [mine, theirs, agent.id],
    [mine, theirShop, agent.id],
    [mine, revenue, stranger.id],
  ] as const)
    assert.equal(await post(from, to, agentId), REFUSED, JSON.stringify({ from, to, agentId }))
  assert.equal(await post(mine, { kind: 'agent', id: 999_999 }, agent.id), REFUSED)
  assert.ok(await isSound())
})

type Posted = { from: Owner; to: Owner; amount?: number } & Record<string, unknown>

function postAll(...movements: Posted[]): Promise<string | undefined> {
  const common = {
    kind: 'credit',
    asset: 'token',
    amount: 5,
    document: 'TEST',
    payMethod: 'gift',
    agentId: agent.id,
  }
  const by = { actorId: 1, actorName: '测试', description: '测试' }
  return codeOf('select ledger_post($1::jsonb)', [
    JSON.stringify(movements.map(movement => ({ ...common, ...by, ...movement }))),
  ])
}

test('acting for one agent, the role creates nothing out of the vendor’s books', async () => {
  const child = await makeAgent(office, { parentId: agent.id })
  const mine = { kind: 'agent', id: agent.id }
  const childs = { kind: 'agent', id: child.id }
  const shop = { kind: 'merchant', id: await makeMerchant(office, agent.id) }
  const book = (name: string) => ({ kind: 'vendor', book: name })
  const [issued, revenue, supplier, clearing] = ['issued', 'revenue', 'sms-supplier', 'payment-clearing'].map(
    book,
  )
  assert.ok(issued && revenue && supplier && clearing)
  const { rows } = await intruder.query<{ id: string }>(
    `select id from ledger_transfers t where agent_id = $1 and kind = 'version-new' and amount > 5
       and not exists (select 1 from ledger_transfers r where r.reverses_id = t.id) order by id limit 1`,
    [agent.id],
  )
  const reversesId = Number(rows[0]?.id)
  const give = { kind: 'allocate', from: mine, to: clearing }
  const take = { kind: 'allocate', from: clearing, to: childs, agentId: child.id }
  const undo = { kind: 'undo', reversesId, from: revenue, to: mine }
  assert.equal(await postAll(give, take), 'accepted')
  const last = await intruder.query<{ id: string }>(
    `select max(id) as id from ledger_transfers where kind = 'allocate' and agent_id = $1`,
    [agent.id],
  )
  const allocated = Number(last.rows[0]?.id)
  const cases: [what: string, movements: Posted[], expected: string][] = [
    ['credit to itself', [{ from: issued, to: mine }], REFUSED],
    ['credit to its child', [{ from: issued, to: childs, agentId: child.id }], REFUSED],
    ['gifts', [{ from: book('gifts'), to: mine, kind: 'allocate' }], REFUSED],
    ['SMS credit', [{ from: supplier, to: mine, asset: 'sms' }], REFUSED],
    ['tokens to its shop', [{ from: issued, to: shop }], REFUSED],
    ['SMS of another book to its shop', [{ from: issued, to: shop, asset: 'sms' }], REFUSED],
    ['an allocation out of nothing', [{ ...take }], REFUSED],
    ['one of less than it takes', [{ ...give, amount: 4 }, take], REFUSED],
    ['one of more than it takes', [{ ...give, amount: 6 }, take], REFUSED],
    ['two for one', [give, take, take], REFUSED],
    ['one of another asset', [{ ...give, asset: 'sms' }, take], REFUSED],
    ['one of another kind', [{ ...give, kind: 'hardware' }, take], REFUSED],
    ['one paid by the vendor', [{ ...give, from: issued }, take], REFUSED],
    ['from one book to another', [{ from: issued, to: clearing, kind: 'allocate' }], REFUSED],
    ['without the book’s name', [{ from: { kind: 'vendor' }, to: mine }], REFUSED],
    ['a reversal of nothing', [{ ...undo, reversesId: 999_999_999 }], REFUSED],
    ['a reversal of more than was paid', [{ ...undo, amount: 100_000_000 }], REFUSED],
    ['a reversal from another book', [{ ...undo, from: issued }], REFUSED],
    ['a reversal to somebody else', [{ ...undo, to: childs, agentId: child.id }], REFUSED],
    ['an allocation back', [{ ...undo, reversesId: allocated, from: clearing }], REFUSED],
    ['an allocation', [give, take], 'accepted'],
    [
      'SMS credit of its shop’s package',
      [{ from: supplier, to: shop, asset: 'sms', kind: 'sms-package' }],
      'accepted',
    ],
    ['a reversal', [undo], 'accepted'],
  ]
  const before = await intruder.query('select count(*)::int as n from ledger_transfers')
  // Everything is taken back afterwards, so that what one case moved is not in the way of the next.
  for (const [what, movements, expected] of cases) {
    await role.query('begin')
    assert.equal(await postAll(...movements), expected, what)
    await role.query('rollback')
  }
  assert.deepEqual(
    (await intruder.query('select count(*)::int as n from ledger_transfers')).rows,
    before.rows,
  )
})

test('acting for one agent, the role reads no other agent’s accounts, transfers and entries', async () => {
  for (const table of TABLES) {
    const { rows } = await role.query(`select distinct agent_id from ${table}`)
    assert.deepEqual(rows, [{ agent_id: String(agent.id) }], table)
  }
})
