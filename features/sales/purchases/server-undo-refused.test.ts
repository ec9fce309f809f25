// Undos that later events at a shop stand against: orders of another agent, branches, credit used meanwhile.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant, newMerchantForm } from '#test/make.ts'
import { actingAs, makeChain, shopState } from '#test/make-purchases.ts'
import { previewUndo, undoVersionOrder } from './server-undo.ts'

let office: Office
let agent: MadeAgent
let other: MadeAgent
let cookie: string
let staffCookie: string
let theirCookie: string
let me: Client
let them: Client

before(async () => {
  office = await openOffice()
  agent = await makeAgent(office, { tokens: 200_000, sms: 1_000 })
  other = await makeAgent(office, { tokens: 200_000 })
  cookie = await office.login(agent.loginName)
  me = office.as(cookie)
  theirCookie = await office.login(other.loginName)
  them = office.as(theirCookie)
  staffCookie = await office.login((await makeAgent(office, { staff: true })).loginName)
})
after(() => office.stop())

const undo = (orderNo: string, who = cookie) =>
  actingAs(office, who, ctx => undoVersionOrder(ctx, orderNo, '客户退款'))
const preview = (orderNo: string) => actingAs(office, cookie, ctx => previewUndo(ctx, orderNo))

const EXPIRES = new Date(Date.now() + 200 * 86_400_000).toISOString()
type Form = Parameters<Client['purchases']['quote']>[0]
async function buy(client: Client, merchantId: number, changes: Partial<Form> = {}): Promise<string> {
  const quote = await client.purchases.quote({
    ...{ merchantId, versionId: 12, scope: 'head', branchIds: [], term: 'year' },
    ...{ periods: 1, shops: 1, remark: '' },
    ...changes,
  })
  return (await client.purchases.confirm({ orderNo: quote.orderNo })).orderNo
}
const move = (id: number, to: MadeAgent) =>
  office.owner.query('update merchants set agent_id = $2 where id = $1', [id, to.id])

test('an order of another agent, made while the shop was away, comes later too', async () => {
  const id = await makeMerchant(office, agent.id, { expires_at: EXPIRES })
  const opened = await me.selling.quote(newMerchantForm())
  const { id: added } = await me.selling.add({ orderNo: opened.orderNo })
  const first = await buy(me, id)
  for (const shop of [id, added]) await move(shop, other)
  const theirs = await buy(them, id)
  const theirsToo = await buy(them, added)
  for (const shop of [id, added]) await move(shop, agent)
  for (const orderNo of [first, opened.orderNo]) {
    assert.equal((await preview(orderNo)).refusal?.code, 'UNDO_NOT_LAST')
    assert.equal(await refusalOf(undo(orderNo)), 'UNDO_NOT_LAST')
    assert.equal(await refusalOf(undo(orderNo, staffCookie)), 'UNDO_NOT_LAST')
  }
  for (const shop of [id, added]) await move(shop, other)
  for (const orderNo of [theirs, theirsToo]) await undo(orderNo, theirCookie)
  for (const shop of [id, added]) await move(shop, agent)
  assert.equal((await preview(first)).refusal, null, 'one that was undone does not count')
  assert.equal(await refusalOf(undo(first)), 'accepted')
})

test('the question tells nothing about an order of another agent', async () => {
  const id = await makeMerchant(office, agent.id, { expires_at: EXPIRES })
  const first = await buy(me, id)
  await buy(me, id)
  const { rows } = await office.owner.query('select id from version_orders where order_no = $1', [first])
  const asked = (who: string) =>
    actingAs(office, who, async ctx => {
      const text = 'select later_effect_exists($1, $2) as later'
      return (await ctx.client.query(text, [id, rows[0].id])).rows[0].later
    })
  assert.equal(await asked(cookie), true)
  assert.equal(await asked(theirCookie), false)
})

test('an effect that was written is changed and deleted by nobody', async () => {
  const { rows } = await office.owner.query(
    `select privilege_type from information_schema.table_privileges
     where grantee = 'partner_office_app' and table_schema = 'public' and table_name = 'version_order_effects' order by 1`,
  )
  assert.deepEqual(
    rows.map(row => row.privilege_type),
    ['INSERT', 'SELECT'],
  )
})

test('more branches are not taken back while branches fill them', async () => {
  const { head, branches } = await makeChain(office, agent.id, 1, { expires_at: EXPIRES })
  const renewal = await buy(me, head, { versionId: 3 })
  assert.equal((await preview(renewal)).refusal, null, 'a renewal leaves the number of shops as it is')
  await undo(renewal)
  const years = (await me.purchases.offers({ merchantId: head })).offers
    .flatMap(({ scopes }) => scopes)
    .find(({ scope }) => scope === 'addBranches')?.periodsFixed
  assert.equal(years, 1)
  const more = await buy(me, head, { versionId: 3, scope: 'addBranches', shops: 1 })
  const third = await makeMerchant(office, agent.id, { version_id: 3 })
  await office.owner.query(`update merchants set head_id = $2, store_kind = 'branch' where id = $1`, [
    third,
    head,
  ])
  assert.deepEqual((await preview(more)).refusal, {
    code: 'UNDO_HAS_BRANCHES',
    message: '请先解除连锁关联，再撤销该订单',
  })
  assert.equal(await refusalOf(undo(more)), 'UNDO_HAS_BRANCHES')
  await office.owner.query(`update merchants set head_id = null, store_kind = 'head' where id = $1`, [
    branches[0],
  ])
  assert.equal(await refusalOf(undo(more)), 'accepted')
  assert.equal((await shopState(office, head)).shops, 2)
})

test('a new head with branches is not taken back', async () => {
  const opened = await me.selling.quote(newMerchantForm())
  const { id } = await me.selling.add({ orderNo: opened.orderNo })
  const branch = await makeMerchant(office, agent.id, { store_kind: 'branch', head_id: id })
  assert.equal(await refusalOf(undo(opened.orderNo)), 'UNDO_HAS_BRANCHES')
  await office.owner.query(`update merchants set head_id = null, store_kind = 'head' where id = $1`, [branch])
  assert.equal(await refusalOf(undo(opened.orderNo)), 'accepted')
})

test('credit that is used while the undo runs refuses it in the words of an undo', async () => {
  const opened = await me.selling.quote(newMerchantForm({ smsCount: 50 }))
  const { id } = await me.selling.add({ orderNo: opened.orderNo })
  const spender = await office.owner.connect()
  try {
    await spender.query('begin')
    await spender.query('select ledger_post($1::jsonb)', [
      JSON.stringify([
        {
          ...{ kind: 'sms-recall', asset: 'sms', amount: 20, document: `SENT${id}`, payMethod: 'balance' },
          ...{ from: { kind: 'merchant', id }, to: { kind: 'vendor', book: 'sms-supplier' } },
          ...{ agentId: agent.id, actorId: 1, actorName: '测试', description: '发送' },
        },
      ]),
    ])
    const undone = refusalOf(undo(opened.orderNo))
    let waits = false
    while (!waits) {
      const { rows } = await office.owner.query(
        'select count(*)::int as waiting from pg_locks where not granted',
      )
      waits = rows[0].waiting > 0
    }
    await spender.query('commit')
    assert.equal(await undone, 'SMS_SPENT')
  } finally {
    spender.release()
  }
  assert.equal((await shopState(office, id)).status, 'normal')
  await office.verifyLedger()
})
