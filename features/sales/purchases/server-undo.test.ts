import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { addMonths, daysBetween } from '#kit/time.ts'
import type { Ctx } from '#server/ctx.ts'
import { asAnswer } from '#server/serve.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant, newMerchantForm } from '#test/make.ts'
import { actingAs, makeChain, shopState, tokensOf } from '#test/make-purchases.ts'
import { rowsOfAllTables } from '#test/rows.ts'
import { previewUndo, undoVersionOrder } from './server-undo.ts'
import { previewBatchUndo, undoBatch } from './server-undo-many.ts'

let office: Office
let agent: MadeAgent
let cookie: string
let me: Client
let otherCookie: string
let staffCookie: string

before(async () => {
  office = await openOffice()
  agent = await makeAgent(office, { tokens: 200_000, sms: 1_000, levelId: 3 })
  cookie = await office.login(agent.loginName)
  me = office.as(cookie)
  otherCookie = await office.login((await makeAgent(office)).loginName)
  staffCookie = await office.login((await makeAgent(office, { staff: true })).loginName)
})
after(() => office.stop())

const as = <T>(who: string, work: (ctx: Ctx) => Promise<T>) => actingAs(office, who, work)
const undo = (orderNo: string, who = cookie, reason = '客户退款') =>
  as(who, ctx => undoVersionOrder(ctx, orderNo, reason))
const preview = (orderNo: string, who = cookie) => as(who, ctx => previewUndo(ctx, orderNo))

type Form = Parameters<Client['purchases']['quote']>[0]
async function buy(merchantId: number, changes: Partial<Form> = {}): Promise<string> {
  const asked = { merchantId, versionId: 12, scope: 'head', term: 'year' } as const
  const quote = await me.purchases.quote({
    ...asked,
    branchIds: [],
    periods: 1,
    shops: 1,
    remark: '',
    ...changes,
  })
  return (await me.purchases.confirm({ orderNo: quote.orderNo })).orderNo
}
async function buyTogether(merchantIds: number[]): Promise<string> {
  const quote = await me.purchases.bulkQuote({ merchantIds, term: 'year', periods: 1, remark: '' })
  return (await me.purchases.bulkConfirm({ batchNo: quote.batchNo })).batchNo
}
const EXPIRES = `${new Date().getUTCFullYear() + 1}-03-10T02:30:00.000Z`
const YEARS_LEFT = addMonths(new Date(), 12) < new Date(EXPIRES) ? 2 : 1
/** Its new term starts now, so that the days taken back are not those of whole months. */
const RESTARTED = null
const shopOf = (columns: Record<string, unknown> = {}) =>
  makeMerchant(office, agent.id, { expires_at: EXPIRES, ...columns })
const extend = (id: number, days: number) =>
  office.owner.query(
    'update merchants set expires_at = expires_at + make_interval(days => $2) where id = $1',
    [id, days],
  )
const paidAgo = (orderNo: string, interval: string) =>
  office.owner.query('update version_orders set paid_at = now() - $2::interval where order_no = $1', [
    orderNo,
    interval,
  ])
const orderRow = async (orderNo: string) =>
  (
    await office.owner.query(
      'select status, undone_at is not null as undone, undone_by::int from version_orders where order_no = $1',
      [orderNo],
    )
  ).rows[0]

const CASES: [string, Record<string, unknown>, Partial<Form>, number | null][] = [
  ['a renewal', {}, { periods: 2 }, 24],
  ['months', {}, { term: 'month', periods: 3 }, 3],
  ['another yearly version with more shops', {}, { versionId: 3, shops: 4 }, RESTARTED],
  [
    'more branches',
    { version_id: 3, shops_bought: 2 },
    { versionId: 3, scope: 'addBranches', shops: 3, periods: YEARS_LEFT },
    0,
  ],
  ['the old advanced version', { version_id: 4 }, { versionId: 4 }, 12],
  ['a lifetime', { shops_bought: 2 }, { versionId: 1, term: 'lifetime' }, null],
  [
    'more shops for life',
    { version_id: 1, expires_at: null },
    { versionId: 1, term: 'lifetime', shops: 3 },
    null,
  ],
  ['a pack, at a shop whose term had ended', { expires_at: '2020-05-01T00:00:00Z' }, { versionId: 78 }, null],
]
/** [what, the shop, what it buys, months that are taken back; null where a term was or is permanent or had ended] */
for (const [name, columns, asked, months] of CASES)
  test(`undone: ${name}`, async () => {
    const id = await shopOf(columns)
    const [before, tokens] = [await shopState(office, id), await tokensOf(office, agent.id)]
    const orderNo = await buy(id, asked)
    const [bought, price] = [await shopState(office, id), tokens - (await tokensOf(office, agent.id))]
    const seen = await preview(orderNo)
    assert.deepEqual([seen.refusal, seen.tokensBackCents, seen.smsBack, seen.smsSpent], [null, price, 0, 0])
    assert.deepEqual([seen.merchantId, seen.shopName, seen.agentId], [id, '测试店铺', agent.id])
    assert.deepEqual(await shopState(office, id), bought, 'a preview changes nothing')
    const done = await undo(orderNo)
    assert.deepEqual({ ...done, notes: [] }, { ...seen, notes: [] })
    assert.deepEqual(await shopState(office, id), before)
    assert.equal(await tokensOf(office, agent.id), tokens)
    const [shop] = done.shops
    assert.equal(shop?.expiresNow && new Date(shop.expiresNow).toISOString(), bought.expires)
    assert.equal(shop?.expiresThen && new Date(shop.expiresThen).toISOString(), before.expires)
    const days = months === null ? null : daysBetween(EXPIRES, addMonths(EXPIRES, months))
    if (days !== null || bought.expires === null) assert.equal(shop?.daysRemoved, days)
    assert.deepEqual(await orderRow(orderNo), {
      status: 'recycled',
      undone: true,
      undone_by: agent.accountId,
    })
    assert.equal(await refusalOf(undo(orderNo)), 'UNDO_DONE')
    assert.equal((await preview(orderNo)).refusal?.code, 'UNDO_DONE')
    await office.verifyLedger()
  })

test('all shops of a purchase go back, each by its own days', async () => {
  const { head, branches } = await makeChain(office, agent.id, 2, { expires_at: EXPIRES })
  const ids = [head, ...branches]
  await office.owner.query(`update merchants set expires_at = '2020-02-01T00:00:00Z' where id = $1`, [
    branches[0],
  ])
  const before = await Promise.all(ids.map(id => shopState(office, id)))
  const orderNo = await buy(head, { versionId: 3, scope: 'all' })
  const done = await undo(orderNo)
  assert.deepEqual(
    done.shops.map(shop => shop.merchantId),
    ids,
  )
  assert.deepEqual(await Promise.all(ids.map(id => shopState(office, id))), before)
})

test('days given in between stay, and the preview says so', async () => {
  const id = await shopOf()
  const orderNo = await buy(id)
  await extend(id, 10)
  const seen = await preview(orderNo)
  assert.deepEqual(seen.notes, ['测试店铺 购买后另行延长的 10 天予以保留'])
  await undo(orderNo)
  assert.equal((await shopState(office, id)).expires, EXPIRES.replace('-10T', '-20T'))
})

test('a new shop is disabled, its term ends, and SMS credit returns as far as it still holds it', async () => {
  const tokens = await tokensOf(office, agent.id)
  const quote = await me.selling.quote(newMerchantForm({ smsCount: 50, shops: 2 }))
  const { id } = await me.selling.add({ orderNo: quote.orderNo })
  await office.owner.query('select ledger_post($1::jsonb)', [
    JSON.stringify([
      {
        kind: 'sms-recall',
        asset: 'sms',
        amount: 20,
        from: { kind: 'merchant', id },
        to: { kind: 'vendor', book: 'sms-supplier' },
        document: `SENT${id}`,
        payMethod: 'balance',
        agentId: agent.id,
        actorId: 1,
        actorName: '测试',
        description: '发送',
      },
    ]),
  ])
  const seen = await preview(quote.orderNo)
  assert.deepEqual([seen.tokensBackCents, seen.smsBack, seen.smsSpent], [35_760, 30, 20])
  assert.deepEqual(seen.notes, ['店铺将被禁用，使用期限即刻结束', '已使用的短信 20 条不退回'])
  assert.ok([364, 365].includes(seen.shops[0]?.daysRemoved ?? 0))
  await undo(quote.orderNo)
  const shop = await shopState(office, id)
  assert.equal(shop.status, 'disabled')
  assert.ok(Math.abs(new Date(shop.expires as string).getTime() - Date.now()) < 60_000)
  assert.equal(await tokensOf(office, agent.id), tokens)
  const { rows } = await office.owner.query(
    `select owner_kind, balance::int from ledger_accounts
     where asset = 'sms' and ((owner_kind = 'agent' and owner_id = $1) or (owner_kind = 'merchant' and owner_id = $2)) order by 1`,
    [agent.id, id],
  )
  assert.deepEqual(rows, [
    { owner_kind: 'agent', balance: 980 },
    { owner_kind: 'merchant', balance: 0 },
  ])
  assert.equal(await refusalOf(undo(quote.orderNo)), 'UNDO_DONE')
  await office.verifyLedger()
})

test('a new shop that was sold for life ends too; one whose term had ended keeps that end', async () => {
  const quote = await me.selling.quote(newMerchantForm({ versionId: 1, term: 'lifetime' }))
  const { id } = await me.selling.add({ orderNo: quote.orderNo })
  assert.equal((await undo(quote.orderNo)).shops[0]?.daysRemoved, null)
  assert.notEqual((await shopState(office, id)).expires, null)
  const monthly = await me.selling.quote(newMerchantForm({ term: 'month' }))
  const ended = await me.selling.add({ orderNo: monthly.orderNo })
  await office.owner.query(`update merchants set expires_at = '2020-06-01T00:00:00Z' where id = $1`, [
    ended.id,
  ])
  await undo(monthly.orderNo)
  assert.equal((await shopState(office, ended.id)).expires, '2020-06-01T00:00:00.000Z')
})

test('the 15 days are counted on the server, to the moment that the undo was asked for', async () => {
  const orderNo = await buy(await shopOf())
  await paidAgo(orderNo, '15 days 1 minute')
  assert.equal(await refusalOf(undo(orderNo)), 'UNDO_TOO_LATE')
  const asked = new Date(Date.now() - 3_600_000).toISOString()
  const then = await as(cookie, ctx => previewUndo(ctx, orderNo, asked))
  assert.equal(then.refusal, null)
  await paidAgo(orderNo, '14 days 23 hours 59 minutes')
  assert.equal(await refusalOf(undo(orderNo)), 'accepted')
})

test('an undo is refused with the first reason against it, and writes nothing', async () => {
  const id = await shopOf()
  const first = await buy(id)
  const second = await buy(id)
  const quoted = await me.purchases.quote({
    ...{ merchantId: id, versionId: 12, scope: 'head', branchIds: [], term: 'year' },
    ...{ periods: 1, shops: 1, remark: '' },
  })
  const changed = await shopOf()
  const changedOrder = await buy(changed)
  await office.owner.query('update merchants set version_id = 78 where id = $1', [changed])
  const moved = await shopOf()
  const movedOrder = await buy(moved)
  await office.owner.query('update merchants set agent_id = $2 where id = $1', [
    moved,
    (await makeAgent(office)).id,
  ])
  const left = await me.selling.quote(newMerchantForm({ smsCount: 10 }))
  const { id: gone } = await me.selling.add({ orderNo: left.orderNo })
  const elsewhere = (await makeAgent(office)).id
  await office.owner.query('update merchants set agent_id = $2 where id = $1', [gone, elsewhere])
  await office.owner.query(
    `update ledger_accounts set agent_id = $2 where owner_kind = 'merchant' and owner_id = $1`,
    [gone, elsewhere],
  )
  const opened = await me.selling.quote(newMerchantForm())
  await buy((await me.selling.add({ orderNo: opened.orderNo })).id)
  const before = await rowsOfAllTables(office)
  const refused: [string, string, string, string][] = [
    [first, cookie, '退', 'UNDO_NOT_LAST'],
    [opened.orderNo, cookie, '退', 'UNDO_NOT_LAST'],
    [quoted.orderNo, cookie, '退', 'UNDO_NOT_PAID'],
    [changedOrder, cookie, '退', 'UNDO_CHANGED'],
    [movedOrder, cookie, '退', 'UNDO_MOVED'],
    [movedOrder, staffCookie, '退', 'UNDO_MOVED'],
    [left.orderNo, cookie, '退', 'UNDO_MOVED'],
    ['1'.repeat(22), cookie, '退', 'UNDO_UNKNOWN'],
    [second, otherCookie, '退', 'UNDO_UNKNOWN'],
    [second, cookie, '  ', 'UNDO_REASON_REQUIRED'],
    [second, cookie, '因'.repeat(51), 'UNDO_REASON_TOO_LONG'],
  ]
  for (const [orderNo, who, reason, code] of refused)
    assert.equal(await refusalOf(undo(orderNo, who, reason)), code, `${orderNo} ${code}`)
  assert.deepEqual(await rowsOfAllTables(office), before)
  assert.equal(await refusalOf(preview(second, otherCookie)), 'UNDO_UNKNOWN')
  assert.equal((await preview(first)).refusal?.message, '该商户之后还有订单，请先撤销之后的订单')
  assert.equal((await preview(left.orderNo)).refusal?.code, 'UNDO_MOVED')
  await office.owner.query(
    `update ledger_accounts set agent_id = $2 where owner_kind = 'merchant' and owner_id = $1`,
    [gone, agent.id],
  )
  await undo(second)
  await undo(first)
  assert.equal((await shopState(office, id)).expires, EXPIRES)
})

test('vendor staff undo for an agent, whose tokens return', async () => {
  const tokens = await tokensOf(office, agent.id)
  const orderNo = await buy(await shopOf())
  await undo(orderNo, staffCookie)
  assert.equal(await tokensOf(office, agent.id), tokens)
  assert.equal((await orderRow(orderNo)).status, 'recycled')
  await office.verifyLedger()
})

test('a hundred undos at once give exactly one', async () => {
  const id = await shopOf()
  const tokens = await tokensOf(office, agent.id)
  const orderNo = await buy(id)
  const answers = await Promise.all(
    Array.from({ length: 100 }, () =>
      refusalOf(undo(orderNo).catch(error => Promise.reject(asAnswer(error)))),
    ),
  )
  assert.equal(answers.filter(answer => answer === 'accepted').length, 1)
  assert.ok(
    answers.every(answer => ['accepted', 'UNDO_DONE', 'BUSY'].includes(answer)),
    answers.join(),
  )
  assert.ok(answers.includes('UNDO_DONE'))
  assert.equal(await tokensOf(office, agent.id), tokens)
  assert.equal((await shopState(office, id)).expires, EXPIRES)
  const { rows } = await office.owner.query(
    `select count(*)::int as undos from ledger_transfers where document = $1 and kind = 'undo'`,
    [orderNo],
  )
  assert.equal(rows[0].undos, 1)
  await office.verifyLedger()
})

test('an undo and a renewal at once leave one order after another', async () => {
  const id = await shopOf()
  for (let i = 0; i < 10; i++) {
    const orderNo = await buy(id)
    const quote = await me.purchases.quote({
      ...{ merchantId: id, versionId: 12, scope: 'head', branchIds: [], term: 'year' },
      ...{ periods: 1, shops: 1, remark: '' },
    })
    const [undone, bought] = await Promise.all([
      refusalOf(undo(orderNo)),
      refusalOf(me.purchases.confirm({ orderNo: quote.orderNo })),
    ])
    const both = `${undone} ${bought}`
    assert.ok(['accepted QUOTE_STALE', 'UNDO_NOT_LAST accepted'].includes(both), both)
    await office.owner.query('update merchants set expires_at = $2 where id = $1', [id, EXPIRES])
  }
  await office.verifyLedger()
})

test('a batch is undone together; lines that cannot be keep standing and say why', async () => {
  const ids = [await shopOf(), await shopOf(), await shopOf()] as [number, number, number]
  const tokens = await tokensOf(office, agent.id)
  const batchNo = await buyTogether(ids)
  await buy(ids[1])
  const seen = await as(cookie, ctx => previewBatchUndo(ctx, batchNo))
  assert.deepEqual(
    seen.map(line => [line.merchantId, line.refusal?.code ?? null, line.tokensBackCents]),
    [
      [ids[0], null, 17_880],
      [ids[1], 'UNDO_NOT_LAST', 17_880],
      [ids[2], null, 17_880],
    ],
  )
  const done = await as(cookie, ctx => undoBatch(ctx, batchNo, '重复续费'))
  assert.deepEqual(done, seen)
  assert.equal(await tokensOf(office, agent.id), tokens - 2 * 17_880)
  assert.equal((await shopState(office, ids[0])).expires, EXPIRES)
  assert.equal((await shopState(office, ids[1])).expires, addMonths(EXPIRES, 24).toISOString())
  assert.equal(await refusalOf(as(cookie, ctx => undoBatch(ctx, batchNo, '再来'))), 'UNDO_DONE')
  const { rows } = await office.owner.query(
    `select status, count(*)::int as orders from version_orders where batch_no = $1 group by 1 order by 1`,
    [batchNo],
  )
  assert.deepEqual(rows, [
    { status: 'paid', orders: 1 },
    { status: 'recycled', orders: 2 },
  ])
  await office.verifyLedger()
})

test('one line of a batch is undone alone, and the rest of the batch after it', async () => {
  const ids = [await shopOf(), await shopOf()] as [number, number]
  const batchNo = await buyTogether(ids)
  const [line] = await as(cookie, ctx => previewBatchUndo(ctx, batchNo))
  await undo(line?.orderNo as string)
  const done = await as(cookie, ctx => undoBatch(ctx, batchNo, '退'))
  assert.deepEqual(
    done.map(one => one.refusal?.code ?? null),
    ['UNDO_DONE', null],
  )
  assert.equal(await refusalOf(as(otherCookie, ctx => undoBatch(ctx, batchNo, '退'))), 'UNDO_UNKNOWN')
  assert.deepEqual(await as(otherCookie, ctx => previewBatchUndo(ctx, batchNo)), [])
  const shops = await Promise.all(ids.map(id => shopState(office, id)))
  assert.ok(shops.every(shop => shop.expires === EXPIRES))
  await office.verifyLedger()
})
