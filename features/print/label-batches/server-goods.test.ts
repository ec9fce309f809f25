// The goods of a shop through the real router and the simulated point of sale: whose they are, and what is said where none come.
import assert from 'node:assert/strict'
import test, { after, before, beforeEach, describe } from 'node:test'
import { POS_REFUSALS } from '#kit/ports/pos-service.ts'
import type { Effect } from '#providers/simulator.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { makeAccount, makeAgent, makeMerchant } from '#test/make.ts'
import { type Outside, startOutside } from '#test/outside.ts'
import { ANSWERED_WITHIN_MS, GIVEN_UP_AFTER_MS } from '#test/patience.ts'
import { GOODS_PAGE } from './rules.ts'

const PRINTING = 931

let outside: Outside
let office: Office
let staff: Client
let partner: Client
/** Sees of the vendor's own shops those alone that it looks after. */
let colleague: Client
let shop: number
let [others, own] = [0, 0]
before(async () => {
  outside = await startOutside()
  office = await openOffice({ providers: outside.providers })
  const [vendor, agent] = [await makeAgent(office, { operator: true }), await makeAgent(office)]
  const sub = await makeAccount(office, vendor.id, { nodeIds: [PRINTING], dataScope: 'own' })
  const as = async (loginName: string) => office.as(await office.login(loginName))
  staff = await as(vendor.loginName)
  partner = await as(agent.loginName)
  colleague = await as(sub.loginName)
  shop = await selling(agent.id)
  others = await selling(vendor.id)
  own = await selling(vendor.id, { manager_id: sub.accountId })
})
after(async () => {
  await office.stop()
  await outside.stop()
})
beforeEach(() => {
  outside.simulators.pos.control.faults.length = 0
})

/** A market, which has barcodes; some shops of the simulator sell nothing. */
async function selling(agentId: number, columns: Record<string, unknown> = {}): Promise<number> {
  for (;;) {
    const id = await makeMerchant(office, agentId, {
      ...{ shop_name: '便民超市', shop_phone: '13800000000' },
      ...columns,
    })
    if (id % 3 === 0 && id % 8 !== 5) return id
  }
}
const fault = (effect: Effect) =>
  outside.simulators.pos.control.faults.push({ match: 'goods', times: 1, effect })
const calls = (merchantId: number, more: object = {}) => staff.labelBatches.goods({ merchantId, ...more })

test('goods come page by page, with what a label shows of them and of their shop', async () => {
  const first = await calls(shop)
  assert.deepEqual([first.shop.id, first.shop.data.shopName], [shop, '便民超市'])
  assert.equal(first.shop.data.phone, '13800000000')
  assert.equal(first.rows.length, GOODS_PAGE)
  const [good] = first.rows
  assert.ok(good)
  assert.match(good.data.barcode ?? '', /^69\d{11}$/)
  assert.match(good.data.retailPrice ?? '', /^\d+\.\d\d$/)
  assert.match(good.data['memberPrice.2'] ?? '', /^\d+\.\d\d$/)
  assert.ok(first.next)
  const second = await calls(shop, { after: first.next })
  assert.ok(!second.rows.some(({ id }) => first.rows.some(one => one.id === id)))
  const found = await calls(shop, { search: good.data.barcode })
  assert.deepEqual(found.rows, [good])
  const category = first.categories[1] ?? ''
  assert.ok((await calls(shop, { category })).rows.every(({ data }) => data.category === category))
})

test('a shop that sells nothing has none', async () => {
  outside.simulators.pos.books.empty(others, 'products')
  const { rows, total, next } = await calls(others)
  assert.deepEqual([rows, total, next], [[], 0, null])
})

test('nobody asks for goods of a shop that it does not see, and partners for none', async () => {
  assert.equal(await refusalOf(calls(99_999_999)), 'NOT_FOUND')
  assert.equal(await refusalOf(partner.labelBatches.goods({ merchantId: shop })), 'FORBIDDEN')
  assert.ok((await colleague.labelBatches.goods({ merchantId: own })).total > 0)
  for (const merchantId of [others, shop])
    assert.equal(await refusalOf(colleague.labelBatches.goods({ merchantId })), 'NOT_FOUND')
  assert.equal(await refusalOf(calls(shop, { search: '茶'.repeat(51) })), 'INPUT_INVALID')
})

test('a cursor that leads nowhere any more is told', async () => {
  assert.equal(await refusalOf(calls(shop, { after: 'elsewhere' })), 'GOODS_MOVED')
})

describe('where no goods come, it is said why, once asked', () => {
  const CASES: [what: string, effect: Effect, code: string][] = [
    ['nobody answers', { kind: 'reset-before' }, 'POS_SILENT'],
    ['it is cut off', { kind: 'reset-after' }, 'POS_SILENT'],
    ['it takes too long', { kind: 'silence' }, 'POS_SILENT'],
    ['the service has failed', { kind: 'status', status: 503 }, 'POS_SILENT'],
    ['half an answer comes', { kind: 'malformed' }, 'POS_SILENT'],
    ['the answer is somebody else’s', { kind: 'wrong-signature' }, 'POS_SILENT'],
    ['the shop is unknown there', { kind: 'error', code: 'SHOP_UNKNOWN' }, 'GOODS_SHOP_UNKNOWN'],
    ['it is refused', { kind: 'error', code: 'FORBIDDEN' }, 'POS_REFUSED'],
  ]
  for (const [what, effect, code] of CASES)
    test(what, async () => {
      fault(effect)
      if (effect.kind === 'silence') outside.waitFor(GIVEN_UP_AFTER_MS)
      assert.equal(await refusalOf(calls(shop)), code)
      outside.waitFor(ANSWERED_WITHIN_MS)
      outside.simulators.pos.control.faults.length = 0
      // It was asked once, and the next question is answered.
      assert.equal((await calls(shop)).rows.length, GOODS_PAGE)
    })

  test('the answer has another form, or is larger than any may be', async () => {
    const page = { goods: [], total: 0, categories: [], next: null }
    for (const answer of [{ goods: '没有' }, { ...page, more: 'x'.repeat(1024 * 1024) }]) {
      outside.simulators.pos.answerGoodsWith(answer)
      assert.equal(await refusalOf(calls(shop)), 'POS_UNREADABLE')
    }
  })

  test('there is no service', async () => {
    const { services } = office.app
    const { pos } = services.providers
    try {
      services.providers.pos = null
      await assert.rejects(calls(shop), { message: POS_REFUSALS.POS_NOT_CONNECTED })
    } finally {
      services.providers.pos = pos
    }
  })
})
