// No agent reaches another's data: every operation and download, called with the other's ids, with both walls and with
// either one taken away (reliability.md S2). An operation without an entry in CALLS fails the walk.
import assert from 'node:assert/strict'
import test, { after, before, describe } from 'node:test'
import pg from 'pg'
import readXlsx from 'read-excel-file/node'
import { appUrlOf } from '#server/postgres/migrate.ts'
import { makeSecrets } from '#server/secrets.ts'
import { TEST_SECRET } from './database.ts'
import { makeAgent, newMerchantForm } from './make.ts'
import { editOf, makeScene, type Scene } from './tenancy-scene.ts'
import { type Answered, call, everyOperation, type Walked } from './walk.ts'
import { type Attempt, byAgent, MARK, own, search, theirShop } from './walk-types.ts'
import { WALKS } from './walks.ts'

const CALLS: Record<string, Attempt[]> = {
  'access.current': [own()],
  'agentDesk.list': [own(), search(() => MARK), search(({ a }) => a.id)],
  'agents.options': [own(), search(() => MARK), search(({ a }) => a.id)],
  'versions.list': [own()],
  'ledger.wallet': [own()],
  'ledger.changes': [
    own(),
    byAgent,
    search(() => MARK),
    search(({ a }) => a.paidOrder),
    search(({ a }) => a.shops[0]),
    { as: ({ a }) => ({ actorId: a.accountId }), expect: 'own' },
  ],
  'ledger.changeActors': [own()],
  'ledger.credit': [
    {
      as: ({ a }) => ({ agentId: a.id, asset: 'token', amount: 100, reason: '试' }),
      expect: ['AGENT_UNKNOWN'],
    },
  ],
  'merchants.list': [
    own(),
    byAgent,
    search(() => MARK),
    search(({ a }) => a.shops[0]),
    search(() => MARK[0]),
    own({ sort: 'expiresAt', order: 'asc' }),
    own({ sort: 'lastLoginAt', lastLoginDays: 1 }),
    own({ size: 100, status: 'normal' }),
  ],
  'merchants.overdue': [own(), byAgent, search(() => MARK)],
  'merchants.overduePreview': [own()],
  'merchants.find': [search(() => MARK), search(({ a }) => a.shops[0])],
  'merchants.options': [own(), { as: ({ a }) => ({ merchantId: a.shops[0] }), expect: ['NOT_FOUND'] }],
  'selling.quote': [
    {
      as: ({ a }) => newMerchantForm({ managerId: a.accountId }),
      expect: ['MANAGER_UNKNOWN'],
    },
    { as: ({ a }) => newMerchantForm({ account: String(a.shop.account) }), expect: ['ACCOUNT_TAKEN'] },
    { as: () => newMerchantForm({ paymentMethodId: 5 }), expect: ['PAYMENT_METHOD_UNKNOWN'] },
  ],
  'selling.add': [
    { as: ({ a }) => ({ orderNo: a.quotedOrder }), expect: ['QUOTE_UNKNOWN'] },
    { as: ({ a }) => ({ orderNo: a.paidOrder }), expect: ['QUOTE_UNKNOWN'] },
  ],
  'merchants.details': [theirShop()],
  'merchants.edit': [
    { as: ({ a }) => ({ ...editOf(a.shop), remark: '改' }), expect: ['NOT_FOUND'] },
    { as: ({ a, b }) => ({ ...editOf(b.details), managerId: a.accountId }), expect: ['MANAGER_UNKNOWN'] },
  ],
  'merchants.setSignature': [theirShop({ signature: '改' })],
  'merchants.setRemark': [theirShop({ remark: '改' })],
  'merchants.enable': [{ as: ({ a }) => ({ id: a.shops[1] }), expect: ['NOT_FOUND'] }],
  'merchants.disable': [theirShop()],
  'merchants.list (file)': [own(), byAgent, search(() => MARK)],
  'merchants.bySource': [
    own({ source: 'backOffice' }),
    byAgent,
    search(() => MARK),
    search(({ a }) => a.shops[0]),
  ],
  'merchants.source (file)': [own(), byAgent, search(() => MARK)],
  'merchants.overdue (file)': [own(), byAgent, search(() => MARK)],
  'agentDesk.secondary': [
    { as: () => ({}), expect: 'empty' },
    byAgent,
    search(() => MARK),
    search(({ a }) => a.shops[0]),
  ],
  'agentDesk.secondary (file)': [byAgent, search(() => MARK)],
  'agentDesk.secondaryAgents': [search(() => MARK), search(({ a }) => a.id)],
  'ledger.changes (file)': [own(), byAgent, search(() => MARK)],
  ...Object.assign({}, ...WALKS.map(walk => walk.attempts)),
}

const TENANT_TABLES = `select table_name as name from information_schema.columns
  where table_schema = 'public' and column_name = 'agent_id' order by 1`

const LOOKS = new WeakMap<pg.Pool, Promise<string>>()

/** One statement for all tables, and the same for an office from its first look on: it is planned once. */
async function lookAt(owner: pg.Pool): Promise<string> {
  const { rows: tables } = await owner.query<{ name: string }>(TENANT_TABLES)
  const parts = tables.map(
    ({ name }) =>
      `select '${name}' as place, t::text as row from ${pg.escapeIdentifier(name)} t where agent_id = $1`,
  )
  return [...parts, `select 'agents', a::text from agents a where id = $1`].join(' union all ')
}

/** All rows of A in every table that knows agents, as text. Failed logins and logs of others are not among them. */
async function rowsOf(owner: pg.Pool, agentId: number): Promise<string> {
  const look = LOOKS.get(owner) ?? lookAt(owner)
  LOOKS.set(owner, look)
  const { rows } = await owner.query<{ place: string; row: string }>({
    name: 'rows-of-an-agent',
    text: `select place, row from (${await look}) as found (place, row) order by 1, 2`,
    values: [agentId],
  })
  return rows.map(({ place, row }) => `${place} ${row}`).join('\n')
}

/** Where an answer holds something of A's; null when it does not. */
function leakIn(answer: unknown, scene: Scene, path = ''): string | null {
  const { a } = scene
  if (typeof answer === 'string') {
    const texts = [MARK, a.loginName, a.sub.loginName, a.paidOrder, a.quotedOrder, String(a.shop.account)]
    return texts.some(text => answer.includes(text)) ? `${path} is ${answer}` : null
  }
  if (typeof answer === 'number') {
    if (a.shops.includes(answer)) return `${path} is A's shop ${answer}`
    const isAgent = /agentId$|^rows\.\d+\.id$/.test(path) && answer === a.id
    return isAgent ? `${path} is A's id` : null
  }
  if (answer === null || typeof answer !== 'object') return null
  for (const [key, value] of Object.entries(answer)) {
    const leak = leakIn(value, scene, path ? `${path}.${key}` : key)
    if (leak) return leak
  }
  return null
}

async function presented(answer: Answered, operation: Walked): Promise<unknown> {
  if (!operation.isDownload || answer.status !== 200) return answer.body
  if (answer.headers['content-type'] === 'application/pdf') return answer.body
  const sheets = (await readXlsx(answer.bytes)) as unknown as { data?: unknown[][] }[]
  return sheets[0]?.data ?? sheets
}

async function attempt(scene: Scene, operation: Walked, { as, expect }: Attempt): Promise<void> {
  const { office, a, b } = scene
  const before = await rowsOf(office.owner, a.id)
  const input = as(scene)
  const where = `${operation.name} ${JSON.stringify(input)}`
  const cookie = operation.name === 'signIn.logout' ? await office.login(b.loginName) : scene.cookieB
  const answer = await call(office.app, cookie, operation, input)
  const body = await presented(answer, operation)
  if (Array.isArray(expect))
    assert.ok(expect.includes(answer.code ?? ''), `${where} answered ${answer.status} ${answer.code}`)
  else {
    assert.equal(answer.status, 200, `${where} answered ${answer.status} ${answer.code} ${answer.message}`)
    if (expect === 'empty') {
      const rows = operation.isDownload ? (body as unknown[]).slice(1) : (body as { rows: unknown[] }).rows
      assert.deepEqual(rows, [], `${where} answered rows`)
      const total = (body as { total?: number }).total
      assert.ok(total === undefined || total === 0, `${where} counted ${total} rows of another agent`)
    }
  }
  assert.equal(leakIn(body, scene), null, `${where} let something of A's out`)
  assert.equal(await rowsOf(office.owner, a.id), before, `${where} changed rows of A`)
}

const WALLS = [
  ['with both walls', { explicitScope: true, rowSecurity: true }],
  ['with row-level security alone', { explicitScope: false, rowSecurity: true }],
  ['with explicit scope alone', { explicitScope: true, rowSecurity: false }],
] as const

for (const [name, walls] of WALLS)
  describe(name, () => {
    let scene: Scene
    before(async () => {
      scene = await makeScene(walls)
    })
    after(() => scene.office.stop())

    for (const operation of everyOperation())
      test(`${operation.name} neither shows nor changes another agent's rows`, async () => {
        const attempts = CALLS[operation.name]
        assert.ok(attempts && attempts.length > 0, `add ${operation.name} to CALLS of this file`)
        for (const one of attempts) await attempt(scene, operation, one)
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

describe('with no wall at all', () => {
  let scene: Scene
  before(async () => {
    scene = await makeScene({ explicitScope: false, rowSecurity: false })
  })
  after(() => scene.office.stop())

  const scoped = [
    'agentDesk.list',
    'agents.options',
    'ledger.changes',
    'ledger.changes (file)',
    'ledger.credit',
    'merchants.list',
    'merchants.list (file)',
    'merchants.overdue',
    'merchants.overduePreview',
    'merchants.find',
    'merchants.details',
    'merchants.edit',
    'merchants.setSignature',
    'merchants.setRemark',
    'merchants.enable',
    'merchants.disable',
    'merchants.bySource',
    'merchants.source (file)',
    'merchants.overdue (file)',
    'agentDesk.secondary',
    'agentDesk.secondary (file)',
    'agentDesk.secondaryAgents',
    ...WALKS.flatMap(walk => walk.scoped),
  ]
  for (const operation of everyOperation().filter(({ name }) => scoped.includes(name)))
    test(`the walk catches ${operation.name}`, async () => {
      const walk = async () => {
        for (const one of CALLS[operation.name] as Attempt[]) await attempt(scene, operation, one)
      }
      await assert.rejects(walk(), assert.AssertionError)
    })
})

describe('the database alone', () => {
  let scene: Scene
  let app: pg.Client
  before(async () => {
    scene = await makeScene({ explicitScope: true, rowSecurity: true })
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
  const count = async (table: string, where: string) =>
    Number((await app.query(`select count(*) from ${table} where ${where}`)).rows[0].count)

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
