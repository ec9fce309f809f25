// What programs at the point of sale are told of: in order, without a gap, and to nobody else.
import assert from 'node:assert/strict'
import test, { after, before, describe } from 'node:test'
import pg from 'pg'
import { acting } from '#test/acting.ts'
import { type Office, openOffice, refusalOf } from '#test/app.ts'
import { feedOf } from '#test/changes/feed.ts'
import { type MadeAgent, makeAccount, makeAgent, makeMerchant, makeMerchants } from '#test/make.ts'
import { makeKey, nodeId, posCaller } from '#test/make-api-keys.ts'
import { clearChanges } from './jobs.ts'
import { sequenceChanges } from './server.ts'

let office: Office
let agent: MadeAgent
let other: MadeAgent
let cookie: string
let staff: string
before(async () => {
  office = await openOffice()
  agent = await makeAgent(office, { tokens: 10_000, sms: 5_000 })
  other = await makeAgent(office)
  cookie = await office.login(agent.loginName)
  staff = await office.login((await makeAgent(office, { operator: true })).loginName)
})
after(() => office.stop())

const run = (text: string, ...values: unknown[]) => office.owner.query(text, values)
const feed = feedOf(() => office)
const { read, sequence } = feed
const told = (work: () => Promise<unknown>) => feed.told(work, cookie)
const lastOf = () => feed.lastOf(cookie)

describe('the order', () => {
  test('of two transactions at one shop is that of their commits', async () => {
    const shop = await makeMerchant(office, agent.id)
    const [first, second] = [await office.owner.connect(), await office.owner.connect()]
    const all = await told(async () => {
      await first.query('begin')
      await second.query('begin')
      await first.query(`update merchants set address = '一' where id = $1`, [shop])
      const waits = second.query(`update merchants set status = 'disabled' where id = $1`, [shop])
      // The first is not committed: nothing of it is seen, and what another shop tells goes before.
      const between = await told(() => run(`update merchants set address = '旁' where id = $1`, beside))
      assert.deepEqual(
        between.map(({ shopId }) => shopId),
        [beside],
      )
      await first.query('commit')
      await waits
      await second.query('commit')
    })
    first.release()
    second.release()
    assert.deepEqual(
      all.filter(({ shopId }) => shopId === shop).map(({ topic }) => topic),
      ['shop.changed', 'shop.disabled'],
    )
  })

  let beside: number
  before(async () => {
    beside = await makeMerchant(office, agent.id)
  })

  test('has consecutive numbers with 32 writers of which some roll back, and a reader misses none', async () => {
    const [WRITERS, EACH] = [32, 12]
    const shops = await makeMerchants(office, agent.id, WRITERS, () => ({}))
    await sequence()
    const start = await lastOf()
    const pool = new pg.Pool({ connectionString: office.ownerUrl, max: WRITERS, options: '-c app.scope=all' })
    let writing = true
    const wanted: string[] = []
    const writers = Promise.all(
      shops.map(async (shop, nth) => {
        const client = await pool.connect()
        for (let n = 0; n < EACH; n++) {
          await client.query('begin')
          await client.query('update merchants set address = $2 where id = $1', [shop, `${n}`])
          await client.query('select pg_sleep(random() * 0.01)')
          const keeps = (nth + n) % 4 !== 0
          await client.query(keeps ? 'commit' : 'rollback')
          if (keeps) wanted.push(`${shop}`)
        }
        client.release()
      }),
    ).finally(() => {
      writing = false
    })
    const numbering = [1, 2].map(async () => {
      while (writing) await sequenceChanges(office.app.services)
    })
    const seen: { seq: number; shopId: number | null }[] = []
    let after = start
    const follow = async () => {
      const page = await read(after, cookie, 7)
      seen.push(...page.changes)
      after = page.last
      return page.changes.length > 0
    }
    while (writing) await follow()
    await Promise.all([writers, ...numbering])
    await pool.end()
    await sequence()
    while (await follow());
    assert.deepEqual(
      seen.map(({ seq }) => seq),
      Array.from(seen, (_, n) => start + 1 + n),
    )
    assert.deepEqual(seen.map(({ shopId }) => `${shopId}`).sort(), wanted.sort())
  })
})

describe('who reads', () => {
  test('an agency its own alone, also past the explicit wall', async () => {
    const theirs = await makeMerchant(office, other.id)
    await sequence()
    const all = (await read(0, cookie)).changes
    assert.ok(all.length > 0)
    assert.deepEqual(new Set(all.map(({ agentId }) => agentId)), new Set([agent.id]))
    const { rows } = await acting(office, cookie, ctx =>
      ctx.client.query('select count(*)::int as n from shop_changes where merchant_id = $1', [theirs]),
    )
    assert.equal(rows[0].n, 0)
    assert.ok((await read(0, staff)).changes.some(({ shopId }) => shopId === theirs))
  })

  test('an account that sees its own shops those of its shops', async () => {
    const nodeIds = [nodeId('merchants.list')]
    const one = await makeAccount(office, agent.id, { nodeIds, dataScope: 'own' })
    const as = await office.login(one.loginName)
    const mine = await makeMerchant(office, agent.id, { manager_id: one.accountId })
    const colleagues = await makeMerchant(office, agent.id, { manager_id: agent.accountId })
    await sequence()
    const shops = new Set((await read(0, as)).changes.map(({ shopId }) => shopId))
    assert.ok(shops.has(mine))
    assert.ok(!shops.has(colleagues))
    assert.deepEqual(
      [...shops].filter(shop => shop !== mine && shop !== null),
      [],
    )
    for (const shop of [mine, colleagues])
      await run(
        `with gone as (delete from merchants where id = $1 returning id, agent_id, manager_id)
         select note_shop_removed(id, agent_id, manager_id) from gone`,
        shop,
      )
    await sequence()
    const removed = (await read(0, as)).changes.filter(({ topic }) => topic === 'shop.removed')
    assert.deepEqual(
      removed.map(({ shopId, data }) => [shopId, data]),
      [[mine, {}]],
    )
  })

  test('nobody writes a change or gives it a number but by the functions for it', async () => {
    for (const statement of [
      `insert into change_inbox (agent_id, topic, data, at) values (1, 'x', '{}', now())`,
      'delete from shop_changes',
      'update shop_change_ends set last = 0',
    ])
      await assert.rejects(
        acting(office, cookie, ctx => ctx.client.query(statement)),
        { code: '42501' },
      )
  })
})

describe('how far back', () => {
  test('what is older than it is kept goes in batches, and who comes later is told to begin anew', async () => {
    await makeMerchants(office, agent.id, 30, () => ({}))
    await sequence()
    const last = await lastOf()
    await run(`update shop_changes set at = now() - interval '31 days' where seq <= $1`, last - 4)
    assert.equal(await refusalOf(read(0, cookie)), 'accepted')
    assert.equal(await clearChanges(office.owner, 10), last - 4)
    assert.equal(await refusalOf(read(last - 5, cookie)), 'CURSOR_GONE')
    assert.equal((await read(last - 4, cookie)).changes.length, 4)
    assert.equal(await clearChanges(office.owner, 10), 0)
    const { rows } = await run('select count(*)::int as n from shop_changes')
    assert.equal(rows[0].n, 4)
  })

  test('a number that was never given is refused, and the last one is answered to whoever has none', async () => {
    const last = await lastOf()
    assert.equal(await refusalOf(read(last + 1, cookie)), 'CURSOR_GONE')
    assert.deepEqual(await read(undefined, cookie), { changes: [], last, more: false })
    assert.deepEqual(await read(last, cookie), { changes: [], last, more: false })
  })

  test('is told at the door for point-of-sale software, where a place that is gone is 410', async () => {
    const key = await makeKey(office, cookie, ['pos.read'])
    const ask = posCaller(office, key.bearer)
    const shop = await makeMerchant(office, agent.id)
    const { last } = (await ask('posChanges.changes')).body as { last: number }
    await sequence()
    const { status, body } = await ask('posChanges.changes', { after: last })
    const { changes, more } = body as Awaited<ReturnType<typeof read>>
    assert.deepEqual(
      [status, more, changes.map(({ topic, shopId, agentId }) => [topic, shopId, agentId])],
      [200, false, [['shop.created', shop, agent.id]]],
    )
    assert.match(changes[0]?.at ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const gone = await ask('posChanges.changes', { after: last + 1_000 })
    assert.deepEqual([gone.status, gone.code], [410, 'CURSOR_GONE'])
    const blind = await makeKey(office, cookie, ['pos.signIn'])
    assert.equal((await ask('posChanges.changes', {}, { by: blind.bearer })).code, 'FORBIDDEN')
  })

  test('pages follow one another without a change missing or twice', async () => {
    await makeMerchants(office, agent.id, 25, () => ({}))
    await sequence()
    const { rows } = await run('select cleared::int as cleared from shop_change_ends')
    const whole = (await read(rows[0].cleared, cookie)).changes.map(({ seq }) => seq)
    const pieces: number[] = []
    for (let page = await read(rows[0].cleared, cookie, 10); ; page = await read(page.last, cookie, 10)) {
      pieces.push(...page.changes.map(({ seq }) => seq))
      assert.equal(page.more, pieces.length < whole.length)
      if (!page.more) break
    }
    assert.deepEqual(pieces, whole)
  })
})
