// No agent reaches another's data: every operation and download, called with the other's ids, with either
// wall taken away, and with both in the long lane (reliability.md S2). An operation without an entry in CALLS fails the walk.
import assert from 'node:assert/strict'
import test, { after, before, describe } from 'node:test'
import pg from 'pg'
import { appUrlOf } from '#server/postgres/migrate.ts'
import { makeSecrets } from '#server/secrets.ts'
import { TEST_SECRET } from './database.ts'
import { sampled } from './lane.ts'
import { makeAgent } from './make.ts'
import { makeKey, withoutLimit } from './make-api-keys.ts'
import { type KeptScene, keepScene } from './tenancy-scene.ts'
import { assertCaught, CALLS, leakIn, SCOPED, TENANT_TABLES, testTries } from './tenancy-walk.ts'
import { everyOperation, type Walked } from './walk.ts'
import { MARK, type Scene } from './walk-types.ts'

const BOTH = { explicitScope: true, rowSecurity: true }
/** Each wall takes rows away and adds none: what gets through both gets through each, so that both are walked in the long lane alone. */
const WALLS = sampled(
  [
    ['with row-level security alone', { explicitScope: false, rowSecurity: true }],
    ['with both walls', BOTH],
    ['with explicit scope alone', { explicitScope: true, rowSecurity: false }],
  ] as const,
  2,
)

const OPERATIONS = everyOperation()
const callsOf = ({ name }: Walked) => {
  const calls = CALLS[name]
  assert.ok(calls && calls.length > 0, `add ${name} to the attempts of its walk.ts`)
  return calls
}

let kept: KeptScene
before(async () => {
  kept = await keepScene()
})
after(() => kept.drop())

for (const [name, walls] of WALLS)
  describe(name, () => {
    let scene: Scene
    before(async () => {
      scene = await kept.behind(walls)
    })
    after(() => scene.office.stop())

    testTries({
      operations: OPERATIONS,
      callsOf,
      scene: () => scene,
      again: () => kept.behind(walls),
      theirs: "another agent's rows",
    })

    test('the owner of the rows reaches them, so the walk looks at something', async () => {
      const asA = scene.office.as(scene.cookieA)
      const list = await asA.merchants.list({ search: MARK })
      assert.deepEqual(list.rows.map(row => row.id).sort(), [...scene.a.shops].sort())
      assert.ok(leakIn(list, scene), 'a leak would be seen')
      assert.equal((await asA.merchants.list({})).total, 4)
      assert.equal((await asA.ledger.changes({})).total, 2)
    })

    test('a sub-user sees the shops of its agent and no others', async () => {
      const cookie = await scene.office.login(scene.a.sub.loginName)
      const list = await scene.office.as(cookie).merchants.list({ size: 100 })
      assert.deepEqual(list.rows.map(row => row.id).sort(), [...scene.a.shops].sort())
    })

    test("vendor staff see everyone's shops, and the filter narrows them to one agent", async () => {
      const staff = await makeAgent(scene.office, { staff: true })
      const asStaff = scene.office.as(await scene.office.login(staff.loginName))
      const all = await asStaff.merchants.list({ size: 100 })
      assert.deepEqual(new Set(all.rows.map(row => row.agentId)), new Set([scene.a.id, scene.b.id]))
      const ofA = await asStaff.merchants.list({ agentId: scene.a.id, size: 100 })
      assert.deepEqual(ofA.rows.map(row => row.id).sort(), [...scene.a.shops].sort())
      const shop = await asStaff.merchants.details({ id: scene.a.shops[0] as number })
      assert.equal(shop.shopName, MARK)
    })
  })

describe('by a program with a key of the other', () => {
  const withKey = async () => {
    const scene = await kept.behind(BOTH)
    const { nodes } = await scene.office.as(scene.cookieB).apiKeys.tree()
    const verbs = nodes.filter(({ path }) => path !== '').map(({ key }) => key)
    const key = await makeKey(scene.office, scene.cookieB, verbs)
    await withoutLimit(scene.office, key)
    return { ...scene, cookieB: key.bearer }
  }
  let scene: Scene
  before(async () => {
    scene = await withKey()
  })
  after(() => scene.office.stop())

  testTries({
    operations: OPERATIONS.filter(({ forKeys, stepUp }) => forKeys && !stepUp),
    callsOf,
    scene: () => scene,
    again: withKey,
    theirs: "another agent's rows",
  })
})

describe('with no wall at all', () => {
  let scene: Scene
  before(async () => {
    scene = await kept.behind({ explicitScope: false, rowSecurity: false })
  })
  after(() => scene.office.stop())

  for (const operation of OPERATIONS.filter(({ name }) => SCOPED.includes(name)))
    test(`the walk catches ${operation.name}`, () => assertCaught(scene, operation, callsOf(operation)))
})

describe('the database alone', () => {
  let scene: Scene
  let app: pg.Client
  before(async () => {
    scene = await kept.behind(BOTH)
    app = new pg.Client({
      connectionString: appUrlOf(scene.office.ownerUrl, makeSecrets(TEST_SECRET).databasePassword),
    })
    await app.connect()
  })
  after(async () => {
    await app.end()
    await scene.office.stop()
  })

  const tables = async () =>
    (await scene.office.owner.query<{ name: string }>(TENANT_TABLES)).rows.map(row => row.name)
  /** Of a table that the role may not read at all it sees none. */
  const count = async (table: string, where: string) =>
    app.query<{ count: string }>(`select count(*) from ${table} where ${where}`).then(
      ({ rows: [row] }) => Number(row?.count),
      (error: pg.DatabaseError) => (error.code === '42501' ? 0 : Promise.reject(error)),
    )

  test('every table that knows agents has row-level security with a policy', async () => {
    const { rows } = await scene.office.owner.query<{ name: string; guarded: boolean; policies: string }>(
      `select c.relname as name, c.relrowsecurity as guarded,
         (select count(*) from pg_policies p where p.schemaname = 'public' and p.tablename = c.relname) as policies
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = 'public' and c.relkind in ('r', 'p')`,
    )
    const known = await tables()
    assert.ok(known.length >= 11)
    for (const name of [...known, 'agents']) {
      const table = rows.find(row => row.name === name)
      assert.ok(table?.guarded && Number(table.policies) > 0, `${name} has an agent and no policy`)
    }
  })

  test("the app's role owns nothing, is no superuser and cannot pass row-level security", async () => {
    const { rows } = await app.query(
      `select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb,
         (select count(*)::int from pg_class where relowner = r.oid) as owned
       from pg_roles r where rolname = current_user`,
    )
    assert.deepEqual(rows, [
      { rolsuper: false, rolbypassrls: false, rolcreaterole: false, rolcreatedb: false, owned: 0 },
    ])
  })

  test('a connection that was not told who acts sees no row of any agent', async () => {
    for (const table of await tables()) assert.equal(await count(table, 'agent_id <> 0'), 0, table)
    assert.equal(await count('agents', 'true'), 0)
  })

  test("a connection of B sees B's rows and none of A's, and writes none", async () => {
    await app.query(`select set_config('app.agent_id', $1, false)`, [String(scene.b.id)])
    assert.equal(await count('merchants', `agent_id = ${scene.b.id}`), 2)
    for (const table of await tables()) {
      assert.equal(await count(table, `agent_id = ${scene.a.id}`), 0, table)
      for (const statement of [
        `update ${table} set agent_id = agent_id where agent_id = ${scene.a.id}`,
        `delete from ${table} where agent_id = ${scene.a.id}`,
      ]) {
        const changed = await app.query(statement).then(
          done => done.rowCount,
          (error: pg.DatabaseError) => error.code,
        )
        assert.ok(changed === 0 || changed === '42501', `${statement} answered ${changed}`)
      }
    }
    await assert.rejects(
      app.query(`update merchants set agent_id = $1 where id = $2`, [scene.a.id, scene.b.shop]),
      { code: '42501' },
    )
    await assert.rejects(
      app.query(`insert into agent_payment_methods (agent_id, payment_method_id) values ($1, 5)`, [
        scene.b.id,
      ]),
      { code: '42501' },
    )
  })

  test('a connection of an agent writes no price, discount or campaign of the vendor', async () => {
    await app.query(`select set_config('app.agent_id', $1, false)`, [String(scene.b.id)])
    const at = `date_trunc('milliseconds', clock_timestamp()), 0, '', now()`
    const written = 'starts_at, created_by, created_by_name, created_at'
    for (const book of ['version', 'service', 'sms', 'hardware', 'recharge'])
      await assert.rejects(
        app.query(
          `insert into prices (book, item, part, kind, cents, ${written}) values ($1, 1, 'unit', 'list', 1, ${at})`,
          [book],
        ),
        { code: '42501' },
        book,
      )
    for (const whose of [`level_id`, `agent_id`])
      await assert.rejects(
        app.query(`insert into discounts (${whose}, basis_points, ${written}) values ($1, 100, ${at})`, [
          whose === 'level_id' ? 3 : scene.b.id,
        ]),
        { code: '42501' },
        whose,
      )
    await assert.rejects(
      app.query(
        `insert into price_campaigns (name, book, bonus_basis_points, agent_ids, ${written})
         values ('送', 'recharge', 10000, array[$1::bigint], ${at})`,
        [scene.b.id],
      ),
      { code: '42501' },
    )
    const ended = await app.query(`update price_campaigns set ended_at = now()`)
    const withdrawn = await app.query(`update prices set withdrawn_at = now()`)
    assert.deepEqual([ended.rowCount, withdrawn.rowCount], [0, 0])
  })

  test("the ledger's door refuses a movement of another agent's account", async () => {
    const movement = {
      kind: 'credit',
      asset: 'token',
      amount: 1,
      from: { kind: 'agent', id: scene.a.id },
      to: { kind: 'agent', id: scene.b.id },
      document: 'THEFT',
      payMethod: 'gift',
      actorId: 1,
      actorName: '乙',
      description: '转',
    }
    for (const agentId of [scene.a.id, scene.b.id])
      await assert.rejects(
        app.query('select ledger_post($1::jsonb)', [JSON.stringify([{ ...movement, agentId }])]),
        { code: '42501' },
      )
    await scene.office.verifyLedger()
  })
})
