// Who reads what on a shop's timeline, and whose money an order of several shops is.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type Client, type Office, openOffice } from '#test/app.ts'
import { type MadeAgent, makeAccount, makeAgent, makeMerchant } from '#test/make.ts'
import { makeOrder } from '#test/make-orders.ts'
import { renewShop } from '#test/make-settlement.ts'
import { editOf } from '#test/tenancy-scene.ts'

let office: Office
let agent: MadeAgent
let me: Client
let staff: Client
let shop: number
let branch: number

before(async () => {
  office = await openOffice()
  agent = await makeAgent(office, { tokens: 5_000, sms: 10 })
  me = office.as(await office.login(agent.loginName))
  staff = office.as(await office.login((await makeAgent(office, { operator: true })).loginName))
  shop = await makeMerchant(office, agent.id)
  branch = await makeMerchant(office, agent.id, { store_kind: 'branch', head_id: shop })
  await makeVersionOrder()
  await me.sms.buy({ merchantId: shop, packageId: 1, totalCents: 2_000 })
  await me.merchants.setRemark({ id: shop, remark: '欠款客户' })
  await staff.messageDesk.remind({ merchantIds: [shop] })
  await makeServiceOrder()
})
after(() => office.stop())

const as = async (nodeIds: number[]) =>
  office.as(await office.login((await makeAccount(office, agent.id, { nodeIds })).loginName))
const timeline = async (who: Client, merchantId = shop) => (await who.renewals.timeline({ merchantId })).rows
const ordersOf = async (who: Client, merchantId = shop) =>
  (await timeline(who, merchantId)).filter(row => row.kind === 'order').map(row => row.title)

test('the owner and vendor staff read all of it', async () => {
  for (const who of [me, staff]) {
    const rows = await timeline(who)
    assert.equal(rows.filter(row => row.kind === 'order').length, 3)
    assert.equal(rows.find(row => row.kind === 'edit')?.detail, '备注：空 → 欠款客户')
    assert.match(rows.find(row => row.kind === 'message')?.detail ?? '', /尊敬的商户/)
  }
})

test('a remark that looks like an instant stands as it was typed, and an instant in words', async () => {
  const typed = await makeMerchant(office, agent.id, { remark: '', registered_at: '2026-01-02T03:04:05Z' })
  for (const remark of ['2026-13-45T99:99:99Z', '2026-01-02T03:04:05Z'])
    await me.merchants.setRemark({ id: typed, remark })
  await staff.merchants.edit({
    ...editOf(await staff.merchants.details({ id: typed })),
    registeredAt: '2026-01-03T03:04:05Z',
  } as Parameters<Client['merchants']['edit']>[0])
  assert.deepEqual(
    (await timeline(staff, typed)).map(row => row.detail),
    [
      '注册时间：2026-01-02 11:04:05 → 2026-01-03 11:04:05',
      '备注：2026-13-45T99:99:99Z → 2026-01-02T03:04:05Z',
      '备注：空 → 2026-13-45T99:99:99Z',
    ],
  )
})

test('a sub-user who may only read details sees no order, no text and no value', async () => {
  const clerk = await as([24])
  const rows = await timeline(clerk)
  assert.deepEqual(
    rows.map(({ kind, title, detail, amountCents, orderNo }) => [kind, title, detail, amountCents, orderNo]),
    [
      ['message', '续费提醒', '', null, null],
      ['edit', '修改商户备注', '', null, null],
    ],
  )
  assert.deepEqual([...new Set(rows.map(row => row.actorName))], ['姓名'])
  assert.deepEqual((await clerk.renewals.timeline({ merchantId: shop, kind: 'order' })).rows, [])
  assert.ok(!JSON.stringify(rows).includes('欠款'))
})

test('a sub-user sees the orders of the lists that are the sub-user’s', async () => {
  assert.deepEqual(await ordersOf(await as([24, 31])), ['版本购买 一年，1 年'])
  assert.deepEqual(await ordersOf(await as([24, 32])), ['增值服务 扫码点餐 × 2'])
  const reader = await as([24, 34])
  assert.deepEqual(await ordersOf(reader), ['短信包200条 200条'])
  assert.match((await timeline(reader)).find(row => row.kind === 'message')?.detail ?? '', /尊敬的商户/)
})

test('a long timeline is read to its end, page by page, by kind and whole', async () => {
  const edited = await makeMerchant(office, agent.id)
  for (let i = 0; i < 100; i++) await me.merchants.setRemark({ id: edited, remark: `备注${i}` })
  for (const kind of ['edit', undefined] as const) {
    const keys: string[] = []
    let before: string | null = ''
    while (before !== null) {
      const page: { rows: { key: string }[]; next: string | null } = await me.renewals.timeline({
        ...{ merchantId: edited, kind },
        ...(before ? { before } : {}),
      })
      keys.push(...page.rows.map(({ key }) => key))
      before = page.next
    }
    assert.deepEqual([keys.length, new Set(keys).size], [100, 100], String(kind))
  }
})

test('an order’s tokens stand at its own shop, not again at its branches', async () => {
  const amounts = async (merchantId: number) =>
    (await timeline(me, merchantId)).filter(row => row.title.includes('版本购买')).map(row => row.amountCents)
  assert.deepEqual(await amounts(shop), [-128_000])
  assert.deepEqual(await amounts(branch), [null])
})

test('an undo tells who undid an order and why, not the remark of the order', async () => {
  const sold = await makeMerchant(office, agent.id)
  const remark = '首单'
  const { orders } = await me.services.buy({
    merchantId: sold,
    items: [{ serviceId: 11, quantity: 1, years: 1 }],
    totalCents: 10_000,
    remark,
  })
  const renewal = await renewShop(me, sold)
  const pack = await me.sms.buy({ merchantId: sold, packageId: 1, totalCents: 2_000, remark })
  for (const [kind, orderNo] of [
    ['service', orders[0]?.orderNo ?? ''],
    ['version', renewal.orderNo],
    ['sms', pack.orderNo],
  ] as const)
    await me.settlement.undo({ kind, orderNo, reason: '客户退款' })
  const undone = (await timeline(me, sold)).filter(row => row.title.startsWith('撤销'))
  assert.deepEqual(
    undone.map(({ detail, actorName }) => [detail, actorName]),
    Array.from({ length: 3 }, () => ['客户退款', '姓名']),
  )
})

test('what the vendor changes at a shop stands in the log of its agent, in words, and in nobody else’s', async () => {
  const cared = await makeMerchant(office, agent.id, { remark: '' })
  await staff.merchants.setRemark({ id: cared, remark: '已回访' })
  await staff.shopAccess.setRecoveryCode({ id: cared, needsRecoveryCode: true })
  assert.deepEqual(
    (await timeline(me, cared)).map(row => row.detail),
    ['回收需验证码：否 → 是', '备注：空 → 已回访'],
  )
  const readers = { [agent.id]: 2, [(await makeAgent(office)).id]: 0 }
  for (const [reader, expected] of Object.entries(readers)) {
    const seen = await asApp(Number(reader), 'select title from operation_logs where merchant_id = $1', [
      cared,
    ])
    assert.equal(seen.length, expected)
  }
})

test('a gift stands on the timeline once', async () => {
  const given = await makeMerchant(office, agent.id)
  await me.sms.gift({ merchantId: given, pieces: 5 })
  assert.deepEqual(
    (await timeline(me, given)).map(row => row.title),
    ['赠送短信 5条'],
  )
})

/** As the app's role reads it for one agent, past the explicit scope. */
function asApp(agentId: number, text: string, values: unknown[]): Promise<unknown[]> {
  return office.app.services.database.read({ agentId, scope: 'own' }, async ({ client }) => {
    const { rows } = await client.query(text, values)
    return rows
  })
}

async function makeVersionOrder(): Promise<void> {
  const orderNo = await makeOrder(office, {
    agentId: agent.id,
    createdBy: agent.accountId,
    merchantId: shop,
    paidAt: new Date().toISOString(),
    salesType: 'renew',
    totalCents: 128_000,
    content: '版本购买 一年',
  })
  for (const merchantId of [shop, branch])
    await office.owner.query(
      `insert into version_order_effects (order_id, agent_id, merchant_id, version_before, version_after,
           shops_before, shops_after) select id, $2, $3, 12, 12, 1, 1 from version_orders where order_no = $1`,
      [orderNo, agent.id, merchantId],
    )
}

async function makeServiceOrder(): Promise<void> {
  await office.owner.query(
    `insert into service_orders (order_no, agent_id, merchant_id, service_id, service_name, unit_cents, quantity, quantity_before,
         original_cents, discount_basis_points, total_cents, pay_method, state, created_by, created_by_name,
         created_at, paid_at)
       select next_order_no(), $1, $2, id, '扫码点餐', 500, 2, 0, 1000, 10000, 1000, 'balance', 'completed', $3, '姓名',
         now(), now() from services order by id limit 1`,
    [agent.id, shop, agent.accountId],
  )
}
