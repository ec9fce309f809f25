import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import pg from 'pg'
import { appUrlOf } from '#server/migrate.ts'
import { makeSecrets } from '#server/secrets.ts'
import { type Office, openOffice } from '#test/app.ts'
import { TEST_SECRET } from '#test/database.ts'
import { type MadeAgent, makeAgent, makeMerchant, newMerchantForm } from '#test/make.ts'
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
    const quote = await me.merchants.quote(newMerchantForm({ smsCount }))
    await me.merchants.add({ orderNo: quote.orderNo })
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

test('a paid order without its transfer is found', async () => {
  const { rows } = await intruder.query(`update version_orders set total_cents = total_cents + 1
    where id = (select max(id) from version_orders where status = 'paid') returning id`)
  assert.equal((await verifyLedger(intruder)).problems.paid_orders_without_transfer, 1)
  await intruder.query('update version_orders set total_cents = total_cents - 1 where id = $1', [rows[0].id])
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

test('acting for one agent, the role reads no other agent’s accounts, transfers and entries', async () => {
  for (const table of TABLES) {
    const { rows } = await role.query(`select distinct agent_id from ${table}`)
    assert.deepEqual(rows, [{ agent_id: String(agent.id) }], table)
  }
})
