import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { sql } from 'drizzle-orm'
import { pgTable } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { appUrlOf } from '#server/postgres/migrate.ts'
import { freshDatabase, TEST_SECRET } from '#test/database.ts'
import { until } from '#test/patience.ts'
import { instant } from './columns.ts'
import { type Database, isLinkFailure, openDatabase, SYSTEM, sqlState } from './db.ts'
import { Refusal } from './refuse.ts'
import { makeSecrets } from './secrets.ts'

let fresh: Awaited<ReturnType<typeof freshDatabase>>
let database: Database
let url: string
const problems: unknown[] = []
const open = (queryTimeoutMs: number) =>
  openDatabase({ url, poolSize: 2, queryTimeoutMs, onProblem: error => problems.push(error) })

before(async () => {
  fresh = await freshDatabase()
  url = appUrlOf(fresh.ownerUrl, makeSecrets(TEST_SECRET).databasePassword)
  database = open(60_000)
})
after(async () => {
  await database.close()
  await fresh.drop()
})

const WHO = `select current_setting('app.agent_id', true) as agent, current_setting('app.scope', true) as scope`
const identity = (agentId: number) => ({ agentId, scope: 'own' }) as const
const who = async (agentId: number) =>
  database.read(identity(agentId), async ({ client }) => (await client.query(WHO)).rows[0])

test('each read acts as its own agent, however the connections are shared', async () => {
  const agents = Array.from({ length: 40 }, (_, i) => (i % 7) + 1)
  const seen = await Promise.all(agents.map(who))
  assert.deepEqual(
    seen,
    agents.map(agent => ({ agent: String(agent), scope: 'own' })),
  )
})

test('a write acts as its agent and leaves nothing of it on the connection', async () => {
  await who(5)
  const inside = await database.write(identity(9), async ({ client }) => (await client.query(WHO)).rows[0])
  assert.deepEqual(inside, { agent: '9', scope: 'own' })
  assert.deepEqual(await who(5), { agent: '5', scope: 'own' })
  assert.deepEqual(await database.read(SYSTEM, async ({ client }) => (await client.query(WHO)).rows[0]), {
    agent: '0',
    scope: 'all',
  })
})

test('a statement has one processor, so that none is taken from others', async () => {
  const setting = 'show max_parallel_workers_per_gather'
  const shown = await database.read(identity(3), async ({ client }) => (await client.query(setting)).rows[0])
  assert.deepEqual(shown, { max_parallel_workers_per_gather: '0' })
})

test('who sees own shops alone finds its views first, and a now() of a test before PostgreSQL’s own', async () => {
  const ownShops = { managerId: 1, views: true, policies: false }
  const url = appUrlOf(fresh.ownerUrl, makeSecrets(TEST_SECRET).databasePassword)
  const pathWith = async (sqlPath?: string) => {
    const own = openDatabase({ url, poolSize: 2, queryTimeoutMs: 400, sqlPath, onProblem: () => undefined })
    try {
      return await own.read({ ...identity(1), ownShops }, async ({ client }) => {
        const { rows } = await client.query('show search_path')
        return rows[0].search_path
      })
    } finally {
      await own.close()
    }
  }
  assert.equal(await pathWith(), 'own_shops,public')
  assert.equal(await pathWith('clock,pg_catalog'), 'own_shops,public,clock,pg_catalog')
})

test('an instant has three digits of its second, whatever zeros the database leaves out', async () => {
  const { at } = pgTable('moments', { at: instant() })
  for (const text of [
    '2026-11-24T00:22:06.670Z',
    '2026-11-24T00:22:06.600Z',
    '2026-11-24T00:22:06.000Z',
    '2026-11-24T00:22:06.007Z',
    '2026-11-24T00:22:06.123Z',
  ]) {
    const rows = await database.read(SYSTEM, ({ db }) =>
      db.select({ at: sql`${text}::timestamptz(3)`.mapWith(at) }).from(sql`(values (1)) as one`),
    )
    assert.deepEqual(rows, [{ at: text }])
  }
})

test('a statement that takes too long is ended, and its connection serves again', async () => {
  const hurried = open(400)
  try {
    const ask = (statement: string) => hurried.read(identity(3), ({ client }) => client.query(statement))
    await assert.rejects(ask('select pg_sleep(60)'), error => sqlState(error) === '57014')
    assert.deepEqual((await ask(WHO)).rows, [{ agent: '3', scope: 'own' }])
  } finally {
    await hurried.close()
  }
})

test('what still runs beside a statement that failed keeps nobody waiting', async () => {
  const PID = 'select pg_backend_pid() as pid'
  const busy: number[] = []
  const both = () =>
    database.read(identity(1), async ({ client }) => {
      busy.push((await client.query(PID)).rows[0].pid)
      await Promise.all([client.query('select 1 / 0'), client.query('select pg_sleep(600)')])
    })
  await Promise.all([assert.rejects(both()), assert.rejects(both())])
  for (let i = 0; i < 4; i++) {
    const pid = await database.read(identity(i), async ({ client }) => (await client.query(PID)).rows[0].pid)
    assert.ok(!busy.includes(pid), 'the next read got a connection that was still at work')
  }
  assert.ok(database.pool.totalCount <= 2)
})

test('a refusal leaves the connection to the next', async () => {
  const pidOf = () =>
    database.read(
      identity(1),
      async ({ client }) => (await client.query('select pg_backend_pid() as pid')).rows[0].pid,
    )
  const pid = await pidOf()
  const refused = database.read(identity(1), async ({ client }) => {
    await client.query('select 1')
    throw new Refusal('NOT_FOUND', '')
  })
  await assert.rejects(refused)
  assert.equal(await pidOf(), pid)
})

test('a transaction that fails leaves nothing, unless the error says that it keeps what was written', async () => {
  const note = (subject: string, keeps: boolean) =>
    database
      .write(
        SYSTEM,
        async ({ client }) => {
          await client.query('insert into login_failures (subject, created_at) values ($1, now())', [subject])
          throw new Error('refused')
        },
        () => keeps,
      )
      .catch((error: Error) => assert.equal(error.message, 'refused'))
  await note('lost', false)
  await note('kept', true)
  const rows = await database.read(SYSTEM, async ({ client }) =>
    (await client.query('select subject from login_failures')).rows.map(row => row.subject),
  )
  assert.deepEqual(rows, ['kept'])
})

test('the last statement goes with the commit; where it is refused nothing is kept, and the connection serves again', async () => {
  const insert = 'insert into login_failures (subject, created_at) values ($1, now())'
  const end = (first: string, last: pg.QueryConfig) =>
    database.write(SYSTEM, async ({ client, withCommit }) => {
      await client.query(insert, [first])
      withCommit(last)
    })
  await end('first', { text: insert, values: ['last'] })
  await assert.rejects(end('lost', { text: insert, values: [null] }), { code: '23502' })
  await assert.rejects(
    database.write(SYSTEM, async ({ withCommit }) => {
      withCommit({ text: insert, values: ['not sent'] })
      throw new Error('refused')
    }),
    /refused/,
  )
  await end('next', { text: insert, values: ['its last'] })
  const rows = await database.read(SYSTEM, async ({ client }) =>
    (
      await client.query(`select subject from login_failures where subject <> 'kept' order by subject`)
    ).rows.map(row => row.subject),
  )
  assert.deepEqual(rows, ['first', 'its last', 'last', 'next'])
})

test('a connection that the server ends is replaced', async () => {
  await assert.rejects(
    database.read(identity(1), ({ client }) => client.query('select pg_terminate_backend(pg_backend_pid())')),
  )
  for (let i = 0; i < 4; i++) assert.deepEqual(await who(i + 1), { agent: String(i + 1), scope: 'own' })
})

test('a statement is built once per connection and key', async () => {
  let built = 0
  const build = () => ++built
  await database.read(identity(1), async ({ prepared }) => {
    assert.equal(prepared('a', build), prepared('a', build))
    assert.notEqual(prepared('b', build), prepared('a', build))
  })
  assert.equal(built, 2)
})

test('an identity that is no number never reaches the database', async () => {
  const wrong = { agentId: `1', true); drop table merchants; --` as unknown as number, scope: 'own' } as const
  await assert.rejects(
    database.read(wrong, async () => 'reached'),
    /not an integer/,
  )
})

test('an idle connection that the server ends is told of and replaced', async () => {
  await who(1)
  const idle = database.pool.idleCount
  await runAsOwner(`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'partner-office' and datname = current_database()`)
  while (problems.length < idle) await new Promise(resolve => setTimeout(resolve, 10))
  assert.equal((await who(2)).agent, '2')
})

async function runAsOwner(statement: string): Promise<void> {
  const owner = new pg.Client({ connectionString: fresh.ownerUrl })
  await owner.connect()
  await owner.query(statement)
  await owner.end()
}

test('while the database stands still, what is under way and what waits fails at once, and so does what comes, until it is back', async () => {
  const own = open(60_000)
  const sleep = () => own.read(SYSTEM, ({ client }) => client.query('select pg_sleep(50)'))
  const failsAsLink = (work: Promise<unknown>) => assert.rejects(work, error => isLinkFailure(error))
  try {
    const sleeping = [sleep(), sleep(), sleep()].map(failsAsLink)
    await until(() => own.underWay().pieces === 3)
    own.stand(true)
    await Promise.all(sleeping)
    await failsAsLink(own.read(identity(1), ({ client }) => client.query('select 1')))
    own.stand(false)
    const { rows } = await own.read(identity(1), ({ client }) => client.query('select 1 as one'))
    assert.deepEqual(rows, [{ one: 1 }])
  } finally {
    await own.close()
  }
})
