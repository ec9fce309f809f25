// A partner ends: what is rehearsed, what moves in the background in small batches, and what is left where it was.
import assert from 'node:assert/strict'
import test, { after, before, describe } from 'node:test'
import { merchantRow } from '#features/shops/merchants/rows.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { insertRows } from '#server/insert-rows.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { waitsFor } from '#test/locks.ts'
import { type MadeAgent, makeAgent, makeMerchant, newMerchantForm } from '#test/make.ts'
import { blocksOf, percentOf, refusePartner, refuseTaker } from './rules.ts'
import { workOnClosings } from './server-work.ts'

let office: Office
let operator: Client
const reason = '合同到期'

before(async () => {
  office = await openOffice()
  operator = office.as(await office.login((await makeAgent(office, { operator: true })).loginName))
})
after(() => office.stop())

const owner = <R>(sql: string, ...values: unknown[]) =>
  office.owner.query<R & Record<string, unknown>>(sql, values).then(({ rows }) => rows)
const one = async (sql: string, ...values: unknown[]) =>
  Number(Object.values((await owner(sql, ...values))[0] ?? {})[0] ?? 0)
const shopsOf = (agentId: number) => one('select count(*) from merchants where agent_id = $1', agentId)
const statusOf = async (id: number) =>
  (await owner<{ status: string }>('select status from agents where id = $1', id))[0]?.status

/** Works until nothing waits, in batches of so many heads. */
async function workThrough(atOnce: number): Promise<number> {
  let batches = 0
  while (await workOnClosings(office.app.services, atOnce)) batches++
  return batches
}

/** Far from the numbers that the office gives. */
let nextShop = 50_000_000

/** A partner with shops, of which every tenth is a head with a branch. */
async function partnerWith(shops: number, options: Parameters<typeof makeAgent>[1] = {}): Promise<MadeAgent> {
  const partner = await makeAgent(office, options)
  const base = nextShop
  nextShop += shops
  const now = Date.now()
  const rows = Array.from({ length: shops }, (_, n) =>
    merchantRow({
      id: base + n,
      agentId: partner.id,
      account: `c${base + n}`,
      registeredAt: new Date(now - n * 3_600_000).toISOString(),
      expiresAt: new Date(now + 100 * 86_400_000).toISOString(),
      ...(n % 10 === 9 ? { storeKind: 'branch', headId: base + n - 1 } : {}),
    }),
  )
  await insertRows(office.owner, merchants, rows)
  return partner
}

const begin = async (agentId: number, takerId: number, balances: 'refund' | 'move' = 'refund') =>
  (await operator.partnerClosing.start({ agentId, takerId, balances, reason })).id

describe('what is refused', () => {
  const fine = { id: 1, status: 'active', isVendor: false, isClosing: false } as const
  const partners = [
    [fine, null],
    [null, 'PARTNER_REQUIRED'],
    [{ ...fine, isVendor: true }, 'PARTNER_VENDOR'],
    [{ ...fine, status: 'closed' }, 'CLOSED_ALREADY'],
    [{ ...fine, isClosing: true }, 'CLOSING_ALREADY'],
    [{ ...fine, status: 'suspended' }, null],
  ] as const
  for (const [partner, expected] of partners)
    test(`a partner: ${expected}`, () => assert.equal(refusePartner(partner), expected))
  const takers = [
    [{ ...fine, id: 2 }, null],
    [null, 'TAKER_REQUIRED'],
    [fine, 'TAKER_SAME'],
    [{ ...fine, id: 2, status: 'suspended' }, 'TAKER_INACTIVE'],
    [{ ...fine, id: 2, status: 'closed' }, 'TAKER_INACTIVE'],
    [{ ...fine, id: 2, isClosing: true }, 'TAKER_CLOSING'],
  ] as const
  for (const [taker, expected] of takers)
    test(`a taker: ${expected}`, () => assert.equal(refuseTaker(1, taker), expected))
  test('each hindrance is said with its number', () => {
    assert.deepEqual(blocksOf({ children: 0, undos: 0, renewals: 0, closings: 0 }), [])
    const all = blocksOf({ children: 2, undos: 1, renewals: 3, closings: 1 })
    assert.deepEqual(
      all.map(({ key }) => key),
      ['children', 'undos', 'renewals', 'closings'],
    )
    assert.match(all[0]?.message ?? '', /2/)
  })
  test('100 percent is said of all alone', () => {
    assert.equal(percentOf({ moved: 999, shops: 1_000 }), 99)
    assert.equal(percentOf({ moved: 0, shops: 0 }), 100)
  })
})

describe('the rehearsal', () => {
  test('counts what the partner has, and what stands in the way', async () => {
    const partner = await makeAgent(office, { tokens: 5_000, sms: 300, levelId: 3 })
    const asPartner = office.as(await office.login(partner.loginName))
    const quote = await asPartner.selling.quote(
      newMerchantForm({ smsCount: 30, managerId: partner.accountId }),
    )
    const { id } = await asPartner.selling.add({ orderNo: quote.orderNo })
    await makeMerchant(office, partner.id, { store_kind: 'branch', head_id: id })
    await makeMerchant(office, partner.id, { expires_at: null })
    await asPartner.selling.quote(newMerchantForm({ managerId: partner.accountId }))
    const child = await makeAgent(office, { parentId: partner.id })
    const taker = await makeAgent(office)
    const asked = { agentId: partner.id, takerId: taker.id }
    const { figures, blocks } = await operator.partnerClosing.rehearse(asked)
    assert.deepEqual(
      [figures.shops, figures.heads, figures.branches, figures.permanent, figures.shopSms, figures.people],
      [3, 2, 1, 1, 30, 1],
    )
    assert.equal(figures.quotes, 1)
    const wallet = await asPartner.ledger.wallet()
    assert.deepEqual([figures.tokenCents, figures.sms], [wallet.tokenCents, wallet.sms])
    assert.deepEqual(
      blocks.map(({ key }) => key),
      ['children'],
    )
    const start = { ...asked, balances: 'refund', reason } as const
    assert.equal(await refusalOf(operator.partnerClosing.start(start)), 'BLOCKED')
    await owner('update agents set parent_id = null where id = $1', child.id)
    assert.deepEqual((await operator.partnerClosing.rehearse(asked)).blocks, [])
  })
})

describe('a closing', () => {
  test('moves every shop once with its credit, in batches, ends the partner, and leaves what was where it was', async () => {
    const partner = await partnerWith(230, { tokens: 1_000, sms: 70, levelId: 3 })
    const taker = await makeAgent(office, { tokens: 10 })
    const cookie = await office.login(partner.loginName)
    const asPartner = office.as(cookie)
    const quote = await asPartner.selling.quote(
      newMerchantForm({ smsCount: 30, managerId: partner.accountId }),
    )
    const sold = await asPartner.selling.add({ orderNo: quote.orderNo })
    const left = await asPartner.ledger.wallet()
    const id = await begin(partner.id, taker.id, 'move')
    assert.equal(await statusOf(partner.id), 'suspended')
    assert.equal(
      await refusalOf(
        operator.partnerClosing.start({ agentId: partner.id, takerId: taker.id, balances: 'move', reason }),
      ),
      'CLOSING_ALREADY',
    )
    assert.ok((await workThrough(20)) > 8)
    assert.equal(await shopsOf(partner.id), 0)
    assert.equal(await shopsOf(taker.id), 231)
    const done = await operator.partnerClosing.details({ id })
    assert.deepEqual(
      [done.state, done.moved, done.shops, done.failed, done.tokenCents, done.sms],
      ['done', 231, 231, 0, left.tokenCents, left.sms],
    )
    assert.equal(await statusOf(partner.id), 'closed')
    assert.equal(await refusalOf(asPartner.ledger.wallet()), 'UNAUTHENTICATED')
    const asTaker = office.as(await office.login(taker.loginName))
    assert.deepEqual(await asTaker.ledger.wallet(), { tokenCents: 1_000 + left.tokenCents, sms: left.sms })
    assert.equal(
      await one(
        'select agent_id from ledger_accounts where owner_kind = $1 and owner_id = $2',
        'merchant',
        sold.id,
      ),
      taker.id,
    )
    assert.equal(
      await one('select agent_id from version_orders where order_no = $1', quote.orderNo),
      partner.id,
    )
    assert.equal(
      await one(
        `select count(*) from merchants m join merchants h on h.id = m.head_id where m.agent_id <> h.agent_id`,
      ),
      0,
    )
    await office.verifyLedger()
  })

  test('stands in the history of every shop, of the partner and of the taker, and the taker is told', async () => {
    const partner = await partnerWith(30)
    const taker = await makeAgent(office)
    await begin(partner.id, taker.id)
    await workThrough(7)
    const [shop] = await owner<{ id: string }>(
      'select id from merchants where agent_id = $1 limit 1',
      taker.id,
    )
    const logged = `select count(*) from operation_logs where objects @> array[$1]`
    for (const object of [`merchant:${shop?.id}`, `agent:${partner.id}`, `agent:${taker.id}`])
      assert.ok((await one(logged, object)) > 0, object)
    assert.equal(
      await one(
        `select count(distinct merchant_id) from tool_actions where agent_id = $1 and reason = $2`,
        partner.id,
        reason,
      ),
      30,
    )
    const told = await owner<{ title: string }>(
      `select title from notices where account_id = $1 and topic = 'ShopMoved_Notify' order by id`,
      taker.accountId,
    )
    assert.deepEqual(
      told.map(({ title }) => title),
      ['将有商户转入', '商户已转入'],
    )
  })

  test('two instances at once move each shop once', async () => {
    const partner = await partnerWith(120)
    const taker = await makeAgent(office)
    const id = await begin(partner.id, taker.id)
    await Promise.all([workThrough(10), workThrough(10), workThrough(10)])
    await workThrough(10)
    const { state, moved } = await operator.partnerClosing.details({ id })
    assert.deepEqual([state, moved, await shopsOf(taker.id)], ['done', 120, 120])
    assert.equal(await one('select count(*) from tool_actions where agent_id = $1', partner.id), 120)
  })

  test('pauses between two batches, lists of others answer, and goes on', async () => {
    const partner = await partnerWith(60)
    const taker = await makeAgent(office)
    const other = await partnerWith(12)
    const asOther = office.as(await office.login(other.loginName))
    const id = await begin(partner.id, taker.id)
    await workOnClosings(office.app.services, 10)
    assert.equal((await asOther.merchants.list({})).total, 12)
    await operator.partnerClosing.pause({ id })
    const before = await shopsOf(taker.id)
    assert.equal(await workOnClosings(office.app.services, 10), false)
    assert.equal(await shopsOf(taker.id), before)
    assert.equal(await refusalOf(operator.partnerClosing.pause({ id })), 'STEP_NOT_NOW')
    await operator.partnerClosing.resume({ id })
    await workThrough(10)
    assert.equal(await shopsOf(taker.id), 60)
  })

  test('a shop that cannot be moved stays with its branch and its reason, the others go; a retry ends it', async () => {
    const partner = await partnerWith(40)
    const taker = await makeAgent(office)
    const [bad] = await owner<{ id: string }>(
      `select head_id as id from merchants where agent_id = $1 and store_kind = 'branch' limit 1`,
      partner.id,
    )
    await owner(`create function stay() returns trigger language plpgsql as $$ begin
      if new.id = ${bad?.id} then raise exception 'this one stays'; end if; return new; end $$`)
    await owner(
      'create trigger stay before update of agent_id on merchants for each row execute function stay()',
    )
    const id = await begin(partner.id, taker.id)
    await workThrough(15)
    const stuck = await operator.partnerClosing.details({ id })
    assert.deepEqual(
      [stuck.state, stuck.moved, stuck.failed, stuck.failures.map(({ merchantId }) => merchantId)],
      ['stuck', 38, 1, [Number(bad?.id)]],
    )
    assert.match(stuck.failures[0]?.reason ?? '', /转移时发生错误/)
    assert.equal(await shopsOf(partner.id), 2)
    assert.equal(await statusOf(partner.id), 'suspended')
    await owner('drop trigger stay on merchants')
    await operator.partnerClosing.retry({ id })
    await workThrough(15)
    const { state, failed } = await operator.partnerClosing.details({ id })
    assert.deepEqual([state, failed, await shopsOf(taker.id)], ['done', 0, 40])
  })

  test('a shop that others hold for a moment is asked for again and goes', async () => {
    const partner = await partnerWith(3)
    const taker = await makeAgent(office)
    await owner('create sequence held')
    await owner(`create function held() returns trigger language plpgsql as $$ begin
      if nextval('held') <= 3 then raise exception 'held' using errcode = '40P01'; end if; return new; end $$`)
    await owner('grant usage on sequence held to public')
    await owner(
      'create trigger held before update of agent_id on merchants for each row execute function held()',
    )
    const id = await begin(partner.id, taker.id)
    await workThrough(10)
    await owner('drop trigger held on merchants')
    const { state, failed } = await operator.partnerClosing.details({ id })
    assert.deepEqual([state, failed, await shopsOf(taker.id)], ['done', 0, 3])
  })

  test('a shop that reaches the partner while it ends goes to the taker as well', async () => {
    const [partner, taker, giver] = [await partnerWith(2), await makeAgent(office), await partnerWith(1)]
    const id = await begin(partner.id, taker.id)
    // As a move that had looked at the partner before it was suspended, and is not through yet.
    const late = await office.owner.connect()
    await late.query('begin')
    await late.query('update merchants set agent_id = $1 where agent_id = $2', [partner.id, giver.id])
    const working = workThrough(10)
    assert.ok(await waitsFor(late, working))
    await late.query('commit')
    late.release()
    await working
    const { state } = await operator.partnerClosing.details({ id })
    assert.deepEqual([state, await shopsOf(partner.id), await shopsOf(taker.id)], ['done', 0, 3])
  })

  test('what has come in the way meanwhile is said, and nothing is closed', async () => {
    const partner = await partnerWith(5, { tokens: 20 })
    const taker = await makeAgent(office)
    const id = await begin(partner.id, taker.id)
    const child = await makeAgent(office, { parentId: partner.id })
    await workThrough(10)
    const stuck = await operator.partnerClosing.details({ id })
    assert.equal(stuck.state, 'stuck')
    assert.match(stuck.problem, /下级/)
    assert.equal(await statusOf(partner.id), 'suspended')
    await owner('update agents set parent_id = null where id = $1', child.id)
    await operator.partnerClosing.retry({ id })
    await workThrough(10)
    assert.equal((await operator.partnerClosing.details({ id })).state, 'done')
    await office.verifyLedger()
  })
})
