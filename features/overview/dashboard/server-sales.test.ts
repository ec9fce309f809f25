// 销售额 is one figure: start page, statement and the lists that it opens are of one mind, whatever was sold and undone.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { daysOfMonth, ORDER_KINDS, type OrderKind, SALES_PARTS } from '#features/sales/settlement/rules.ts'
import { formatDay } from '#kit/time.ts'
import { type Client, type Office, openOffice } from '#test/app.ts'
import { makeAgent, makeMerchant, newMerchantForm } from '#test/make.ts'
import { makeOrder } from '#test/make-orders.ts'
import { renewShop } from '#test/make-settlement.ts'
import { pastDays } from './rules.ts'

let office: Office
before(async () => {
  office = await openOffice()
})
after(() => office.stop())

const today = formatDay(new Date())

async function listed(
  who: Client,
  kind: OrderKind,
  from: string,
  to: string,
  agentId?: number,
): Promise<number> {
  const asked = { ...SALES_PARTS[kind].filters(from, to), ...(agentId && { agentId }) } as never
  if (kind === 'version') return (await who.orders.list(asked)).settledCents
  if (kind === 'service') return (await who.services.orders(asked)).totalCents
  return (await who.smsDesk.orders(asked)).totalCents
}

/** 销售额 by kind as statement, charts and lists have it, once all three were found to agree. */
async function agreed(who: Client, staff: Client, agentId: number): Promise<number[]> {
  const { sales } = await who.settlement.statement({ month: today.slice(0, 7) })
  assert.deepEqual((await staff.settlement.statement({ agentId, month: today.slice(0, 7) })).sales, sales)
  for (const { month, cents } of sales) {
    const { first, last } = daysOfMonth(month)
    for (const [index, kind] of ORDER_KINDS.entries()) {
      assert.equal(cents[index], await listed(who, kind, first, last), `${month} ${kind}`)
      assert.equal(cents[index], await listed(staff, kind, first, last, agentId), `${month} ${kind}, staff`)
    }
  }
  const charts = await who.dashboard.charts()
  const days = pastDays(today)
  const drawn = { version: charts.versionCents, service: charts.serviceCents, sms: charts.smsCents }
  for (const kind of ORDER_KINDS) {
    for (const at of [0, 7, 29])
      assert.equal(
        drawn[kind][at],
        await listed(who, kind, days[at] as string, days[at] as string),
        `${days[at]} ${kind}`,
      )
    const sum = drawn[kind].reduce((total, cents) => total + cents, 0)
    assert.equal(sum, await listed(who, kind, days[0] as string, today), `30 days of ${kind}`)
  }
  return ORDER_KINDS.map((_, index) => sales.reduce((sum, month) => sum + (month.cents[index] ?? 0), 0))
}

test('what is sold counts once in all places; gifts, recharges and what was undone do not', async () => {
  const agent = await makeAgent(office, { tokens: 10_000, sms: 500 })
  const me = office.as(await office.login(agent.loginName))
  const staff = office.as(await office.login((await makeAgent(office, { staff: true })).loginName))
  assert.deepEqual(await agreed(me, staff, agent.id), [0, 0, 0])
  const { orderNo, totalCents } = await me.selling.quote(newMerchantForm())
  const { id } = await me.selling.add({ orderNo })
  const renewal = await renewShop(me, id)
  const again = await renewShop(me, id)
  await me.services.buy({
    merchantId: id,
    items: [{ serviceId: 11, quantity: 1, years: 1 }],
    totalCents: 10_000,
  })
  const sms = await me.sms.buy({ merchantId: id, packageId: 1, totalCents: 2_000 })
  await me.sms.buy({ merchantId: id, packageId: 1, totalCents: 2_000 })
  await me.sms.gift({ merchantId: id, pieces: 10, remark: '' })
  assert.deepEqual(await agreed(me, staff, agent.id), [
    totalCents + renewal.totalCents + again.totalCents,
    10_000,
    4_000,
  ])
  await me.settlement.undo({ kind: 'version', orderNo: again.orderNo, reason: '试' })
  await me.settlement.undo({ kind: 'sms', orderNo: sms.orderNo, reason: '试' })
  assert.deepEqual(await agreed(me, staff, agent.id), [totalCents + renewal.totalCents, 10_000, 2_000])
})

test('orders of any day, amount and state', async () => {
  const agent = await makeAgent(office)
  const me = office.as(await office.login(agent.loginName))
  const staff = office.as(await office.login((await makeAgent(office, { staff: true })).loginName))
  const merchantId = await makeMerchant(office, agent.id)
  let seed = 4_711
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  let sold = 0
  for (let i = 0; i < 60; i++) {
    const [total, status] = [random(90_000), (['paid', 'paid', 'recycled'] as const)[random(3)] ?? 'paid']
    const paidAt = new Date(Date.now() - random(300 * 86_400) * 1_000).toISOString()
    await makeOrder(office, {
      agentId: agent.id,
      createdBy: agent.accountId,
      merchantId,
      paidAt,
      status,
      totalCents: total,
    })
    if (status === 'paid') sold += total
  }
  assert.deepEqual(await agreed(me, staff, agent.id), [sold, 0, 0])
})
