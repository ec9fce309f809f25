// Whoever sees its own shops alone reaches none of a colleague's: every operation and download, called with the ids of shops of
// the same agency that others look after, with either wall taken away, and with both in the long lane.
import assert from 'node:assert/strict'
import test, { after, before, describe } from 'node:test'
import pg from 'pg'
import { APP_ROLE, appUrlOf, OWN_SHOPS_ROLE } from '#server/postgres/migrate.ts'
import { makeSecrets } from '#server/secrets.ts'
import { TEST_SECRET } from './database.ts'
import { sampled } from './lane.ts'
import { makeAccount, makeAgent, makeMerchant, makeMerchants, newMerchantForm } from './make.ts'
import { editOf, type KeptScene, keepScene } from './tenancy-scene.ts'
import { assertCaught, CALLS, leakIn, SCOPED, SHOP_TABLES, testTries } from './tenancy-walk.ts'
import { everyOperation, soon, type Walked } from './walk.ts'
import { type Attempt, MARK, type Scene } from './walk-types.ts'
import { WALKS } from './walks.ts'

/** What is the agency's and no shop's, as the features' walks say: features, operations and files. */
const OF_THE_AGENCY = new Set(WALKS.flatMap(({ ofAgency = [] }) => ofAgency))
/** Sums of the agency's money, whoever looks. */
const OF_NO_SHOP = new Set(['settlement.statement (file)'])

const OPERATIONS = everyOperation().filter(
  ({ name }) => !OF_THE_AGENCY.has(name) && !OF_THE_AGENCY.has(name.split('.', 1)[0] ?? ''),
)

test('what is said to be of the agency is there', () => {
  const names = everyOperation().flatMap(({ name }) => [name, name.split('.', 1)[0] ?? ''])
  assert.deepEqual(
    [...OF_THE_AGENCY].filter(name => !names.includes(name)),
    [],
  )
})

/** What is filtered by the agency finds one's own shops there. */
const asColleague = ({ as, expect }: Attempt): Attempt => ({
  as,
  expect: expect === 'empty' ? 'own' : expect,
})

const callsOf = ({ name }: Walked) => (CALLS[name] ?? []).map(asColleague)

const BOTH = { explicitScope: true, rowSecurity: true }
/** Each wall takes rows away and adds none: what gets through both gets through each, so that both are walked in the long lane alone. */
const WALLS = sampled(
  [
    ['with row-level security alone', { explicitScope: false, rowSecurity: true }],
    ['with both walls', BOTH],
    ['with the views alone', { explicitScope: true, rowSecurity: false }],
  ] as const,
  2,
)

let kept: KeptScene
before(async () => {
  kept = await keepScene({ isColleague: true })
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
      theirs: "a colleague's shops",
    })

    test('the owner sees all of them, so the walk looks at something', async () => {
      const list = await scene.office.as(scene.cookieA).merchants.list({ search: MARK })
      assert.deepEqual(list.rows.map(row => row.id).sort(), [...scene.a.shops].sort())
      assert.ok(leakIn(list, scene), 'a leak would be seen')
    })

    test('one sees the own shop, and the orders and movements of it', async () => {
      const { b, a } = scene
      const me = scene.office.as(scene.cookieB)
      const seen = (await me.merchants.list({ size: 100 })).rows.map(({ id }) => id)
      assert.ok(seen.includes(b.shop) && !seen.some(id => a.shops.includes(id)))
      await assert.rejects(me.orderDetails.find({ orderNo: a.paidOrder }), { code: 'ORDER_UNKNOWN' })
      const { rows } = await me.ledger.changes({ size: 100 })
      assert.ok(rows.length > 0 && !rows.some(row => a.shops.includes(row.merchantId ?? 0)))
    })
  })

describe('own shops', () => {
  let scene: Scene
  before(async () => {
    scene = await kept.behind(BOTH)
  })
  after(() => scene.office.stop())

  const seenBy = async (cookie: string) =>
    (await scene.office.as(cookie).merchants.list({ size: 100 })).rows.map(({ id }) => id)
  const give = (shop: number, to: number | null) =>
    scene.office.owner.query('update merchants set manager_id = $2 where id = $1', [shop, to])

  test('a shop that changes hands leaves one and enters with the other at once', async () => {
    const { office, a, b, cookieB } = scene
    const shop = await makeMerchant(office, a.id, { shop_name: '易手' })
    assert.ok(!(await seenBy(cookieB)).includes(shop))
    const asOwner = office.as(scene.cookieA)
    const { id, ...form } = await editFormOf(asOwner, shop)
    await asOwner.merchants.edit({ id, ...form, managerId: b.accountId } as never)
    assert.ok((await seenBy(cookieB)).includes(shop))
    await give(shop, null)
    assert.ok(!(await seenBy(cookieB)).includes(shop))
    await assert.rejects(office.as(cookieB).merchants.details({ id: shop }), { code: 'NOT_FOUND' })
  })

  test('what one adds is its own, and can be given to nobody else', async () => {
    const { office, a, b, cookieB } = scene
    const me = office.as(cookieB)
    assert.deepEqual(
      (await me.merchants.options({})).managers.map(({ id }) => id),
      [b.accountId],
    )
    await assert.rejects(me.selling.quote(newMerchantForm({ managerId: a.accountId })), {
      code: 'MANAGER_UNKNOWN',
    })
    const { orderNo } = await me.selling.quote(newMerchantForm({ shopName: '我的新店' }))
    const { id } = await me.selling.add({ orderNo })
    assert.equal((await me.merchants.details({ id })).managerId, b.accountId)
    assert.ok((await seenBy(cookieB)).includes(id))
    await office.verifyLedger()
  })

  test('the start page counts what its lists hold', async () => {
    const me = scene.office.as(scene.cookieB)
    const { tiles } = await me.dashboard.figures()
    const list = await me.merchants.list({ size: 100 })
    const today = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)
    const fresh = await me.merchants.list({ registeredFrom: today, registeredTo: today })
    assert.equal(tiles.merchants.today, fresh.total)
    assert.equal(list.total, list.rows.length)
    const owners = await scene.office.as(scene.cookieA).dashboard.figures()
    assert.ok(owners.tiles.merchants.today > tiles.merchants.today)
    const orders = await me.orders.list({ size: 100 })
    assert.equal(
      (await me.dashboard.charts()).versionCents.reduce((sum, cents) => sum + cents, 0),
      orders.settledCents,
    )
  })

  test('of a shop those are told who see it', async () => {
    const { office, a, b, cookieB } = scene
    const me = office.as(cookieB)
    const told = async () => (await me.notices.list({ size: 100 })).rows.map(({ body }) => body)
    const staff = await makeAgent(office, { staff: true })
    const asStaff = office.as(await office.login(staff.loginName))
    await asStaff.merchants.setSignature({ id: a.shops[0] as number, signature: '甲方' })
    await asStaff.merchants.setSignature({ id: b.shop, signature: '乙方' })
    const bodies = (await told()).join()
    assert.ok(bodies.includes('乙方') && !bodies.includes('甲方'))
  })

  test('goods for a colleague’s shop are not seen, those for none and for the own are', async () => {
    const { office, a, b, cookieB } = scene
    const { rows: before } = await office.owner.query(
      'select order_no from hardware_orders where agent_id = $1',
      [a.id],
    )
    const [first, second] = before.map(row => row.order_no)
    await office.owner.query('update hardware_orders set merchant_id = $2 where order_no = $1', [
      first,
      a.shops[0],
    ])
    await office.owner.query('update hardware_orders set merchant_id = $2 where order_no = $1', [
      second,
      b.shop,
    ])
    const numbers = (await office.as(cookieB).hardware.orders({ size: 100 })).rows.map(
      ({ orderNo }) => orderNo,
    )
    assert.ok(!numbers.includes(first) && numbers.includes(second))
  })

  test('a change of what one sees holds for the sessions that are open', async () => {
    const { office, a } = scene
    const { loginName, accountId } = await makeAccount(office, a.id, { nodeIds: [22] })
    const cookie = await office.login(loginName)
    assert.ok((await seenBy(cookie)).length > 1)
    await office.owner.query(`update accounts set data_scope = 'own' where id = $1`, [accountId])
    assert.ok(await soon(async () => (await seenBy(cookie)).length === 0))
    await assert.rejects(
      office.owner.query(`update accounts set data_scope = 'own' where id = $1`, [a.accountId]),
      { code: '23514' },
    )
  })

  test('every table that knows a shop has both walls', async () => {
    const { rows } = await scene.office.owner.query<{ name: string; policy: boolean; view: boolean }>(
      `select name, exists (select from pg_policies p where p.tablename = name and p.policyname = 'own_shops'
           and p.permissive = 'RESTRICTIVE') as policy,
         to_regclass('own_shops.' || name) is not null as view
       from (${SHOP_TABLES}) as known (name) union all select 'merchants', true, to_regclass('own_shops.merchants') is not null`,
    )
    assert.ok(rows.length >= 12)
    for (const { name, policy, view } of rows)
      assert.ok(
        policy && view,
        `${name} knows shops: its line in migrations/again/who-sees-what.sql says 'all'`,
      )
  })

  test('the list of own shops is read by an index; nobody else’s plan knows of managers', async () => {
    const { office, a, b } = scene
    await makeMerchants(office, a.id, 3_000, n => (n % 100 === 0 ? { managerId: b.accountId } : {}))
    // As anywhere, most shops are of others: else an index over all agents' would serve as well.
    await makeMerchants(office, (await makeAgent(office)).id, 3_000, () => ({}))
    await office.owner.query('analyze merchants')
    const url = new URL(appUrlOf(office.ownerUrl, makeSecrets(TEST_SECRET).databasePassword))
    const explained = async (role: string, settings: string) => {
      url.username = role
      const client = new pg.Client({ connectionString: url.toString(), options: settings })
      await client.connect()
      try {
        const { rows } = await client.query(
          `explain select id from merchants where agent_id = ${a.id} order by registered_at desc, id desc limit 10`,
        )
        return rows.map(row => row['QUERY PLAN']).join('\n')
      } finally {
        await client.end()
      }
    }
    const acting = `-c app.agent_id=${a.id} -c app.scope=own`
    const mine = await explained(
      OWN_SHOPS_ROLE,
      `${acting} -c app.manager_id=${b.accountId} -c search_path=own_shops,public`,
    )
    assert.match(mine, /merchants_manager/)
    assert.doesNotMatch(mine, /Sort|Seq Scan/)
    const all = await explained(APP_ROLE, acting)
    assert.match(all, /merchants_registered/)
    assert.doesNotMatch(all, /manager/)
  })

  test('a connection that was not told whose shops sees none', async () => {
    const url = new URL(appUrlOf(scene.office.ownerUrl, makeSecrets(TEST_SECRET).databasePassword))
    url.username = OWN_SHOPS_ROLE
    const client = new pg.Client({
      connectionString: url.toString(),
      options: `-c app.agent_id=${scene.a.id}`,
    })
    await client.connect()
    try {
      for (const table of ['merchants', 'own_shops.merchants', 'merchant_counts', 'order_days'])
        assert.equal((await client.query(`select from ${table}`)).rowCount, 0, table)
    } finally {
      await client.end()
    }
  })
})

describe('with no wall at all', () => {
  let scene: Scene
  before(async () => {
    scene = await kept.behind({ explicitScope: false, rowSecurity: false })
  })
  after(() => scene.office.stop())

  for (const operation of OPERATIONS.filter(({ name }) => SCOPED.includes(name) && !OF_NO_SHOP.has(name)))
    test(`the walk catches ${operation.name}`, () => assertCaught(scene, operation, callsOf(operation)))
})

async function editFormOf(who: ReturnType<Scene['office']['as']>, id: number) {
  return editOf(await who.merchants.details({ id }))
}
