// Links of the log's chains are made behind the commit: whoever writes waits for nobody, and no row is left out or comes in late.
import assert from 'node:assert/strict'
import test, { after, afterEach, before, beforeEach, describe } from 'node:test'
import type pg from 'pg'
import { SYSTEM } from '#server/db.ts'
import { type Office, openOffice } from '#test/app.ts'
import { waitsFor } from '#test/locks.ts'
import { type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { logEntry } from '#test/make-log.ts'
import { comesTrue, until } from '#test/patience.ts'
import { linkAll } from './server-link.ts'
import { verifyLog } from './verify.ts'

let office: Office
let agent: MadeAgent
/** A colleague's connection, a worker's, and one that looks. */
let one: pg.PoolClient
let other: pg.PoolClient
let owner: pg.PoolClient
before(async () => {
  office = await openOffice()
  ;[one, other, owner] = await Promise.all([
    office.owner.connect(),
    office.owner.connect(),
    office.owner.connect(),
  ])
})
after(async () => {
  for (const client of [one, other, owner]) client.release()
  await office.stop()
})
beforeEach(async () => {
  agent = await makeAgent(office)
})
afterEach(async () => {
  await one.query('rollback')
  await other.query('rollback')
  await link()
  const { sound, line } = await verifyLog(owner)
  assert.ok(sound, line)
})

const entry = (subject: string) => logEntry({ agentId: agent.id, accountId: agent.accountId, subject })
const write = (client: pg.PoolClient, subject: string) =>
  client.query('select log_operation($1)', [entry(subject)])
const writeAt = (subject: string, at: string) =>
  owner.query(`select log_operation_at($1, ${at})`, [entry(subject)])
/** Subjects of the agent's rows in the order of its chain. */
async function chain(): Promise<string[]> {
  const { rows } = await owner.query<{ subject: string }>(
    `select l.subject from operation_log_links k join operation_logs l using (id, created_at)
       where k.agent_id = $1 order by k.sequence`,
    [agent.id],
  )
  return rows.map(({ subject }) => subject)
}
const waiting = async () =>
  Number(
    (await owner.query('select count(*) from operation_log_waiting where agent_id = $1', [agent.id])).rows[0]
      .count,
  )
/** What began before in other databases of the server has ended: links wait for that too. */
async function othersEnded(): Promise<void> {
  const { rows } = await owner.query<{ xmax: string }>(
    'select pg_snapshot_xmax(pg_current_snapshot())::text as xmax',
  )
  await until(async () => {
    const { rowCount } = await owner.query(
      `select from pg_stat_activity where datname <> current_database() and backend_xid::text::bigint < $1`,
      [rows[0]?.xmax],
    )
    return rowCount === 0
  }, 'another database’s transaction does not end')
}
const link = async () => {
  await othersEnded()
  await linkAll(owner)
}
const problems = async () => {
  await othersEnded()
  const found = Object.entries((await verifyLog(owner)).problems).filter(([, count]) => count > 0)
  return Object.fromEntries(found)
}

test('a change does not wait for a colleague’s that is not committed yet', async () => {
  const shops = [await makeMerchant(office, agent.id), await makeMerchant(office, agent.id)]
  const me = office.as(await office.login(agent.loginName))
  await one.query('begin')
  await one.query('update merchants set remark = $2 where id = $1', [shops[0], '还没提交'])
  await write(one, '甲')
  assert.equal(
    await waitsFor(one, me.merchants.setRemark({ id: shops[1] as number, remark: '已提交' })),
    false,
  )
  await one.query('commit')
})

test('a row is linked once all that began before it has ended, in that order', async () => {
  await one.query('begin')
  await write(one, '先写')
  await write(other, '先提交')
  await link()
  assert.deepEqual([await chain(), await waiting()], [[], 1])
  await one.query('commit')
  await link()
  assert.deepEqual([await chain(), await waiting()], [['先写', '先提交'], 0])
})

test('what was taken back leaves no gap in the chain', async () => {
  await write(owner, '甲')
  await one.query('begin')
  await write(one, '取消')
  await write(other, '乙')
  await one.query('rollback')
  await write(owner, '丙')
  await link()
  assert.deepEqual(await chain(), ['甲', '乙', '丙'])
})

test('a worker that ends half-way leaves nothing, and another does it again', async () => {
  for (const subject of ['甲', '乙', '丙']) await write(owner, subject)
  await othersEnded()
  await one.query('begin')
  assert.deepEqual((await one.query('select link_operation_log(2) as rows')).rows, [{ rows: 2 }])
  await one.query('rollback')
  assert.deepEqual([await chain(), await waiting()], [[], 3])
  await link()
  assert.deepEqual([await chain(), await waiting()], [['甲', '乙', '丙'], 0])
})

test('two workers at once link each row once, in its order', async () => {
  for (const subject of ['甲', '乙']) await write(owner, subject)
  await othersEnded()
  await one.query('begin')
  await one.query('select link_operation_log(2)')
  await write(owner, '丙')
  await othersEnded()
  const second = linkAll(other)
  assert.ok(await waitsFor(one, second))
  await one.query('commit')
  await second
  assert.deepEqual([await chain(), await waiting()], [['甲', '乙'], 1])
  await link()
  assert.deepEqual(await chain(), ['甲', '乙', '丙'])
})

test('many rows of several agents are linked part by part', async () => {
  const first = agent
  const agents = [first, await makeAgent(office), await makeAgent(office)]
  for (let at = 0; at < 12; at++) {
    agent = agents[at % 3] as MadeAgent
    await write(owner, String(at))
  }
  await othersEnded()
  const parts: number[] = []
  for (let rows = 1; rows > 0; parts.push(rows))
    rows = (await owner.query('select link_operation_log(5) as rows')).rows[0].rows
  assert.deepEqual(parts, [5, 5, 2, 0])
  for (const [at, each] of agents.entries()) {
    agent = each
    assert.deepEqual(
      await chain(),
      [0, 3, 6, 9].map(n => String(n + at)),
    )
  }
})

test('a row of a month that is behind already belongs to the next', async () => {
  await owner.query(`select make_operation_log_months(now() - interval '3 months')`)
  await writeAt('后', `date_trunc('month', now(), 'UTC') - interval '1 month'`)
  await writeAt('前', `date_trunc('month', now(), 'UTC') - interval '1 month 1 second'`)
  await link()
  const { rows } = await owner.query(
    `select count(distinct created_at)::int as moments from operation_logs where agent_id = $1`,
    [agent.id],
  )
  assert.deepEqual([await chain(), rows], [['后', '前'], [{ moments: 1 }]])
})

test('a row of a copy that was restored on another server is linked', async () => {
  await write(owner, '甲')
  await owner.query(`update operation_log_waiting set transaction = '900000000000000' where agent_id = $1`, [
    agent.id,
  ])
  await link()
  assert.deepEqual(await chain(), ['甲'])
})

test('the program links what is written by itself', async () => {
  const busy = await openOffice({ loops: true })
  try {
    const { id, loginName } = await makeAgent(busy)
    const shop = await makeMerchant(busy, id)
    await busy.as(await busy.login(loginName)).merchants.setRemark({ id: shop, remark: '甲' })
    const linked = async () =>
      (await busy.owner.query('select 1 from operation_log_links where agent_id = $1', [id])).rows.length > 0
    assert.ok(await comesTrue(linked))
  } finally {
    await busy.stop()
  }
})

describe('what still waits for its link', () => {
  const TAMPERED: Record<string, [problem: string, count: number, statement: string]> = {
    'is changed': [
      'waiting_altered',
      1,
      `update operation_logs set subject = '改' where agent_id = $1 and subject = '乙'`,
    ],
    'is removed': ['waiting_altered', 1, `delete from operation_logs where agent_id = $1 and subject = '乙'`],
    'is made to wait no more': [
      'rows_without_link',
      1,
      `delete from operation_log_waiting where id = (select id from operation_logs where agent_id = $1 and subject = '乙')`,
    ],
    'is put in': [
      'rows_without_link',
      1,
      `insert into operation_logs (agent_id, account_id, account_name, operation, title, subject, objects, outcome, changes,
         request_id, ip, user_agent, created_at)
       select agent_id, account_id, account_name, operation, title, '丁', objects, outcome, changes, request_id, ip, user_agent,
         created_at from operation_logs where agent_id = $1 and subject = '乙'`,
    ],
  }
  for (const [deed, [problem, count, statement]] of Object.entries(TAMPERED))
    test(`that a row ${deed} is found, and holds up no other`, async () => {
      for (const subject of ['甲', '乙', '丙']) await write(owner, subject)
      const { rowCount } = await owner.query(statement, [agent.id])
      assert.equal(rowCount, 1)
      const found = await problems()
      assert.equal(found[problem], count, JSON.stringify(found))
      assert.equal((await chain()).filter(subject => subject !== '乙').join(), '甲,丙')
      assert.equal((await problems())[problem], count, 'it is found again')
      await owner.query('delete from operation_log_waiting where agent_id = $1', [agent.id])
      await owner.query(
        `delete from operation_logs l where agent_id = $1 and not exists (select from operation_log_links k where k.id = l.id)`,
        [agent.id],
      )
    })

  test('is told of once it has waited for minutes', async () => {
    await one.query('begin')
    await write(one, '久')
    await write(owner, '甲')
    assert.deepEqual(await problems(), {})
    await owner.query(
      `update operation_log_waiting w set created_at = created_at - interval '10 minutes' where agent_id = $1`,
      [agent.id],
    )
    assert.equal((await problems()).waiting_long, 1)
    await owner.query(
      `update operation_log_waiting w set created_at = created_at + interval '10 minutes' where agent_id = $1`,
      [agent.id],
    )
  })

  test('is not the app’s role’s to change, nor is a chain', async () => {
    await write(owner, '甲')
    const { database } = office.app.services
    for (const table of ['operation_log_waiting', 'operation_log_links', 'operation_log_heads'])
      for (const statement of [
        `update ${table} set agent_id = 0`,
        `delete from ${table}`,
        `truncate ${table}`,
        `insert into ${table} (agent_id) values (1)`,
      ])
        await assert.rejects(
          database.write(SYSTEM, ({ client }) => client.query(statement)),
          { code: '42501' },
          statement,
        )
  })
})
