// A shop's accounts go to another agent: balances, entries and chains stay, and an unlawful change is still found.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import pg from 'pg'
import { appUrlOf } from '#server/postgres/migrate.ts'
import { makeSecrets } from '#server/secrets.ts'
import { type Office, openOffice } from '#test/app.ts'
import { TEST_SECRET } from '#test/database.ts'
import { type MadeAgent, makeAgent, newMerchantForm } from '#test/make.ts'
import { verifyLedger } from './verify.ts'

let office: Office
let first: MadeAgent
let second: MadeAgent
let shop: number
let role: pg.Client

const problems = async () => {
  const client = await office.owner.connect()
  try {
    const found = await verifyLedger(client)
    return Object.entries(found.problems)
      .filter(([, count]) => count > 0)
      .map(([name]) => name)
  } finally {
    client.release()
  }
}
const account = async () =>
  (
    await office.owner.query(
      `select id::int, agent_id::int, balance::int, entry_count::int from ledger_accounts
       where owner_kind = 'merchant' and owner_id = $1 and asset = 'sms'`,
      [shop],
    )
  ).rows[0]
const moveTo = async (agentId: number) => {
  await office.owner.query('update merchants set agent_id = $1 where id = $2', [agentId, shop])
  return (await office.owner.query('select ledger_move_merchant($1, 1, $2) as moved', [shop, '运营'])).rows[0]
    .moved
}
const sendSms = (from: object, to: object, agentId: number, amount: number) =>
  office.owner.query('select ledger_post($1::jsonb)', [
    JSON.stringify([
      {
        kind: 'sms-package',
        asset: 'sms',
        amount,
        from,
        to,
        document: `MOVE${amount}`,
        merchantId: shop,
        payMethod: 'balance',
        agentId,
        actorId: 1,
        actorName: '测试',
        description: '短信',
      },
    ]),
  ])

before(async () => {
  office = await openOffice()
  first = await makeAgent(office, { tokens: 10_000, sms: 500 })
  second = await makeAgent(office, { tokens: 10_000, sms: 500 })
  const me = office.as(await office.login(first.loginName))
  const quote = await me.selling.quote(newMerchantForm({ smsCount: 40 }))
  shop = (await me.selling.add({ orderNo: quote.orderNo })).id
  const url = appUrlOf(office.ownerUrl, makeSecrets(TEST_SECRET).databasePassword)
  role = new pg.Client({ connectionString: url, options: `-c app.agent_id=${first.id} -c app.scope=own` })
  await role.connect()
})
after(async () => {
  await role.end()
  await office.stop()
})

test('the app’s role moves no account while it acts for one agent, and writes no move', async () => {
  for (const [query, values] of [
    ['select ledger_move_merchant($1, 1, $2)', [shop, '我']],
    ['insert into ledger_moves select * from ledger_moves', []],
    ['update ledger_moves set sequence = 0', []],
    ['delete from ledger_moves', []],
  ] as [string, unknown[]][])
    await assert.rejects(role.query(query, values), { code: '42501' }, query)
})

test('the balance goes along, the entries before stay the former agent’s, and the chain goes on', async () => {
  assert.equal(await moveTo(second.id), 1)
  assert.equal(await moveTo(second.id), 0, 'a second time there is nothing to move')
  assert.deepEqual(await account(), {
    ...(await account()),
    agent_id: second.id,
    balance: 40,
    entry_count: 1,
  })
  assert.deepEqual(await problems(), [])
  await sendSms({ kind: 'agent', id: second.id }, { kind: 'merchant', id: shop }, second.id, 10)
  assert.equal(await moveTo(first.id), 1)
  await sendSms({ kind: 'agent', id: first.id }, { kind: 'merchant', id: shop }, first.id, 5)
  assert.equal(await moveTo(second.id), 1)
  assert.equal((await account()).balance, 55)
  assert.deepEqual(await problems(), [])
  const { rows } = await office.owner.query(
    'select agent_id::int as agent from ledger_entries where account_id = $1 order by sequence',
    [(await account()).id],
  )
  assert.deepEqual(
    rows.map(row => row.agent),
    [first.id, second.id, first.id],
  )
})

test('an agent reads its own entries of the shop and the moves from and to it', async () => {
  const { rows } = await role.query('select distinct agent_id::int as agent from ledger_entries')
  assert.deepEqual(rows, [{ agent: first.id }])
  assert.equal((await role.query('select * from ledger_moves')).rows.length, 3)
  await role.query(`select set_config('app.agent_id', '999999', false)`)
  assert.equal((await role.query('select * from ledger_moves')).rows.length, 0)
})

test('an account that changed hands without a move is found', async () => {
  const { id } = await account()
  await office.owner.query('update ledger_accounts set agent_id = $1 where id = $2', [first.id, id])
  assert.ok((await problems()).length > 0)
  await office.owner.query('update ledger_accounts set agent_id = $1 where id = $2', [second.id, id])
  assert.deepEqual(await problems(), [])
})

test('an edit of any column of any move, a missing one and one too many are found', async () => {
  const changes: Record<string, string> = {
    id: 'id + 1000',
    account_id: '(select min(id) from ledger_accounts)',
    sequence: 'sequence + 1',
    from_agent_id: 'from_agent_id + 1',
    to_agent_id: 'to_agent_id + 1',
    actor_id: 'actor_id + 1',
    actor_name: `actor_name || 'x'`,
    hash: `hash || '\\x00'`,
    created_at: `created_at + interval '1 second'`,
  }
  const { rows: columns } = await office.owner.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_schema = 'public' and table_name = 'ledger_moves'`,
  )
  assert.deepEqual(columns.map(({ name }) => name).sort(), Object.keys(changes).sort())
  const { rows } = await office.owner.query<{ row: object }>(
    'select to_jsonb(m) as row from ledger_moves m order by id',
  )
  const restore = async () => {
    await office.owner.query('delete from ledger_moves')
    for (const { row } of rows)
      await office.owner.query(
        'insert into ledger_moves select * from jsonb_populate_record(null::ledger_moves, $1)',
        [JSON.stringify(row)],
      )
    assert.deepEqual(await problems(), [])
  }
  await restore()
  for (const { row } of rows) {
    const { id } = row as { id: number }
    for (const [column, change] of Object.entries(changes)) {
      await office.owner.query(`update ledger_moves set ${column} = ${change} where id = $1`, [id])
      assert.ok((await problems()).length > 0, `${column} of ${id}`)
      await restore()
    }
    await office.owner.query('delete from ledger_moves where id = $1', [id])
    assert.ok((await problems()).length > 0, `${id} is missing`)
    await restore()
  }
  await office.owner.query(
    `insert into ledger_moves (account_id, sequence, from_agent_id, to_agent_id, actor_id, actor_name, hash, created_at)
     select account_id, sequence, from_agent_id, to_agent_id, actor_id, actor_name, hash, created_at from ledger_moves limit 1`,
  )
  assert.ok((await problems()).length > 0)
})
