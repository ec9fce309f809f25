// P11 for the operation log: any row that was changed, removed or put in is found, on a copy of what happened.
import assert from 'node:assert/strict'
import test, { after, before, describe } from 'node:test'
import type pg from 'pg'
import { type Office, openOffice } from '#test/app.ts'
import { allLinked } from '#test/links.ts'
import { type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { logAt } from '#test/make-log.ts'
import { verifyLog } from './verify.ts'

let office: Office
let agent: MadeAgent
let other: MadeAgent
let shops: number[]
let owner: pg.PoolClient

before(async () => {
  office = await openOffice()
  agent = await makeAgent(office)
  other = await makeAgent(office)
  for (const { id, loginName } of [agent, other]) {
    const me = office.as(await office.login(loginName))
    shops = await Promise.all(Array.from({ length: 4 }, () => makeMerchant(office, id)))
    for (const [at, shop] of shops.entries()) await me.merchants.setRemark({ id: shop, remark: `第${at}家` })
  }
  owner = await office.owner.connect()
  await allLinked(owner)
})
after(async () => {
  owner.release()
  await office.stop()
})

const check = () => verifyLog(owner)
/** What is found once the log was changed so, in a copy that is thrown away: the check's own transaction runs within it. */
async function foundAfter(...statements: string[]) {
  await owner.query('begin')
  try {
    for (const statement of statements) {
      const { rowCount } = await owner.query(statement)
      assert.ok(rowCount === null || rowCount > 0, `${statement} changed nothing`)
    }
    const plain = { query: (...asked: never[]) => outsideTransaction(asked) } as unknown as pg.PoolClient
    return await verifyLog(plain)
  } finally {
    await owner.query('rollback')
  }
}
/** The statements of the check but those that begin and end its own transaction. */
function outsideTransaction(asked: never[]) {
  const [text] = asked as unknown as [string]
  if (/^(begin|commit)/.test(text)) return Promise.resolve({ rows: [] })
  return (owner.query as (...asked: never[]) => unknown)(...asked)
}

test('a log that nobody touched is sound', async () => {
  const { sound, figures } = await check()
  assert.ok(sound)
  assert.ok(figures.entries >= 10 && figures.agents >= 2)
})

const THIRD = () => `agent_id = ${agent.id} and sequence = 3`
const third = () => `id = (select id from operation_log_links where ${THIRD()})`
const EDITS: Record<string, string> = {
  id: 'id + 1000003',
  agent_id: `agent_id + 1`,
  account_id: 'account_id + 1',
  account_name: `account_name || 'x'`,
  operation: `operation || 'x'`,
  title: `title || 'x'`,
  subject: `subject || 'x'`,
  objects: `objects || 'order:1'::text`,
  merchant_id: 'coalesce(merchant_id, 0) + 1',
  about_agent_id: 'coalesce(about_agent_id, 0) + 1',
  outcome: `'refused'`,
  changes: `'[]'`,
  request_id: `request_id || 'x'`,
  ip: `ip || 'x'`,
  user_agent: `user_agent || 'x'`,
  created_at: `created_at + interval '1 millisecond'`,
}
const EDITS_OF_LINKS: Record<string, string> = {
  agent_id: `agent_id + 1`,
  sequence: 'sequence + 1000003',
  id: 'id + 1000003',
  hash: `sha256(hash)`,
  created_at: `created_at + interval '1 millisecond'`,
}

describe('what was done to one row is found', () => {
  test('every column is among the edits', async () => {
    for (const [table, edits] of [
      ['operation_logs', EDITS],
      ['operation_log_links', EDITS_OF_LINKS],
    ] as const) {
      const { rows } = await owner.query<{ name: string }>(
        `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0
           and not attisdropped and attgenerated = ''`,
        [table],
      )
      assert.deepEqual(rows.map(row => row.name).sort(), Object.keys(edits).sort())
    }
  })
  for (const [column, value] of Object.entries(EDITS))
    test(`${column} was changed`, async () => {
      const { sound } = await foundAfter(`update operation_logs set ${column} = ${value} where ${third()}`)
      assert.ok(!sound)
    })
  for (const [column, value] of Object.entries(EDITS_OF_LINKS))
    test(`${column} of its link was changed`, async () => {
      const { sound } = await foundAfter(
        `update operation_log_links set ${column} = ${value} where ${THIRD()}`,
      )
      assert.ok(!sound)
    })
  /** Rows of the agent with their links, by the links' places. */
  const removed = (places: string) => [
    `delete from operation_logs where id in (select id from operation_log_links where agent_id = ${agent.id} and ${places})`,
    `delete from operation_log_links where agent_id = ${agent.id} and ${places}`,
  ]
  const lastOne = () =>
    `sequence = (select entry_count from operation_log_heads where agent_id = ${agent.id})`
  const DEEDS: Record<string, () => string[]> = {
    'one in the middle was removed': () => [`delete from operation_logs where ${third()}`],
    'its link was removed': () => [`delete from operation_log_links where ${THIRD()}`],
    'both were removed': () => removed('sequence = 3'),
    'the first was removed': () => removed('sequence = 1'),
    'the last was removed': () => removed(lastOne()),
    'the link of the last was removed': () => [
      `delete from operation_log_links where agent_id = ${agent.id} and ${lastOne()}`,
    ],
    'all of an agent were removed': () => removed('true'),
    'all links of an agent were removed, with their end': () => [
      `delete from operation_log_links where agent_id = ${agent.id}`,
      `delete from operation_log_heads where agent_id = ${agent.id}`,
    ],
    'with their end too': () => [
      ...removed('sequence > 2'),
      `update operation_log_heads set entry_count = 2 where agent_id = ${agent.id}`,
    ],
    'the end was removed': () => [`delete from operation_log_heads where agent_id = ${agent.id}`],
    'one was put in': () => [
      `insert into operation_logs (agent_id, account_id, account_name, operation, title, subject, objects, outcome,
         changes, request_id, ip, user_agent, created_at)
       select agent_id, account_id, account_name, operation, 'x', subject, objects, outcome, changes, request_id, ip,
         user_agent, created_at from operation_logs where ${third()}`,
    ],
    'one was put in with a link': () => [
      `insert into operation_logs (id, agent_id, account_id, account_name, operation, title, subject, objects, outcome,
         changes, request_id, ip, user_agent, created_at)
       select 1000003, agent_id, account_id, account_name, operation, 'x', subject, objects, outcome, changes, request_id, ip,
         user_agent, created_at from operation_logs where ${third()}`,
      `insert into operation_log_links (agent_id, sequence, id, hash, created_at)
       select agent_id, 4, 1000003, hash, created_at + interval '1 millisecond' from operation_log_links where ${THIRD()}`,
    ],
    'two changed places': () => [
      `update operation_log_links set sequence = -sequence where agent_id = ${agent.id} and sequence in (3, 4)`,
      `update operation_log_links set sequence = 7 + sequence where agent_id = ${agent.id} and sequence in (-3, -4)`,
    ],
    'one was given to another agent': () => [
      `update operation_logs set agent_id = ${other.id} where ${third()}`,
      `update operation_log_links set agent_id = ${other.id}, sequence = 1000 where ${THIRD()}`,
    ],
    'its beginning was said to be dropped': () => [
      ...removed('sequence <= 2'),
      `insert into operation_log_anchors values (${agent.id}, 2, '\\x00', now())`,
    ],
  }
  for (const [deed, statements] of Object.entries(DEEDS))
    test(deed, async () => assert.ok(!(await foundAfter(...statements())).sound))
})

test('64 writers at once leave one whole chain', async () => {
  const me = office.as(await office.login(agent.loginName))
  const shop = await makeMerchant(office, agent.id)
  const shopOf = await Promise.all(Array.from({ length: 64 }, () => makeMerchant(office, agent.id)))
  await Promise.all(shopOf.map(id => me.merchants.setRemark({ id, remark: String(shop) })))
  assert.ok((await check()).sound)
})

test('months that are dropped are whole, the chain goes on from its anchor, and a past that runs backwards is refused', async () => {
  const told = (at: string) => logAt(owner, at, { agentId: 7 })
  const drop = async () =>
    (await owner.query(`select drop_operation_log_months('2021-03-10T00:00:00Z') as dropped`)).rows[0].dropped
  await owner.query(`select make_operation_log_months('2021-01-15')`)
  await owner.query('begin')
  for (const at of ['2021-01-20', '2021-02-03', '2021-02-27', '2021-04-01']) await told(`${at}T00:00:00Z`)
  assert.equal(await drop(), 0, 'a month whose rows wait for their links stays')
  await owner.query('commit')
  await allLinked(owner)
  assert.ok((await check()).sound)
  assert.equal(await drop(), 2)
  const left = await owner.query('select sequence::int from operation_log_links where agent_id = 7')
  assert.deepEqual(left.rows, [{ sequence: 4 }])
  const rows = await owner.query('select 1 from operation_logs where agent_id = 7')
  assert.equal(rows.rowCount, 1)
  assert.ok((await check()).sound)
  assert.ok(!(await foundAfter(`update operation_log_anchors set sequence = 2 where agent_id = 7`)).sound)
  await assert.rejects(told('2021-03-20T00:00:00Z'), /before the last of its chain/)
})
