// Whatever is written down meanwhile, nobody pays a price that was not shown: services, SMS, hardware, recharge, renewals of one
// shop and of many; and an undo gives back what was paid.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import fc from 'fast-check'
import { priceOf as hardwarePrice } from '#features/sales/hardware/rules.ts'
import { packPrice } from '#features/sales/payments/rules.ts'
import { priceOf as servicePrice } from '#features/sales/services/rules.ts'
import { type Client, refusalOf } from '#test/app.ts'
import { makeAgent, makeMerchant } from '#test/make.ts'
import { makeProduct } from '#test/make-hardware.ts'
import { openTill, type Till } from '#test/make-payments.ts'
import { tokensOf, writePrice } from '#test/make-purchases.ts'

/** `more`: what is given beside it. */
type Shown = { total: number; offer: string; more: number }
type Seller = {
  book: 'version' | 'service' | 'sms' | 'hardware' | 'recharge'
  item: number
  part: string
  /** Asks for the price as the page does. A quote also keeps it. */
  look: () => Promise<Shown>
  quotes: boolean
  /** Answers the numbers of the orders. */
  buy: (shown: Shown) => Promise<string[]>
  /** What the orders hold. */
  table: string
  undo: 'version' | 'service' | 'sms' | 'batch' | null
}

let till: Till
let me: Client
let agentId: number
let sellers: Record<string, Seller>

const sql = (text: string, values: unknown[]) => till.office.owner.query(text, values)

before(async () => {
  till = await openTill()
  const agent = await makeAgent(till.office, { tokens: 9_000_000, levelId: 3 })
  agentId = agent.id
  me = till.office.as(await till.office.login(agent.loginName))
  const [shop, renewed, ...many] = [
    await makeMerchant(till.office, agent.id),
    await makeMerchant(till.office, agent.id),
    await makeMerchant(till.office, agent.id),
    await makeMerchant(till.office, agent.id),
  ] as const
  const product = await makeProduct(till.office, { stock: 100_000 })
  const lines = [{ productId: product, quantity: 3 }]
  const quoted = new Map<'one' | 'many', string>()
  sellers = {
    service: {
      ...{ book: 'service', item: 11, part: 'unit', quotes: false, undo: 'service' },
      table: 'service_orders',
      async look() {
        const { groups, discountBasisPoints } = await me.services.ofMerchant({ merchantId: shop })
        const seat = groups.flatMap(({ services }) => services).find(({ id }) => id === 11)
        const price = servicePrice(seat ?? assert.fail(), { quantity: 2, years: 1 }, discountBasisPoints)
        return { total: price.totalCents, offer: price.offer ?? '', more: 0 }
      },
      async buy({ total }) {
        const items = [{ serviceId: 11, quantity: 2, years: 1 }]
        const { orders } = await me.services.buy({ merchantId: shop, items, totalCents: total })
        return orders.map(({ orderNo }) => orderNo)
      },
    },
    sms: {
      ...{ book: 'sms', item: 2, part: 'pack', quotes: false, undo: 'sms', table: 'sms_orders' },
      async look() {
        const { rows } = await me.sms.packages({ merchantId: shop })
        const { totalCents, offer = '' } = rows.find(({ id }) => id === 2) ?? assert.fail()
        return { total: totalCents, offer, more: 0 }
      },
      buy: async ({ total }) => [
        (await me.sms.buy({ merchantId: shop, packageId: 2, totalCents: total })).orderNo,
      ],
    },
    hardware: {
      ...{ book: 'hardware', item: product, part: 'unit', quotes: false, undo: null },
      table:
        '(select o.order_no, l.offer, l.total_cents from hardware_orders o join hardware_order_lines l on l.order_id = o.id)',
      async look() {
        const { rows } = await me.hardware.products({ size: 100 })
        const { totalCents, offer = '' } = hardwarePrice(
          rows.find(({ id }) => id === product) ?? assert.fail(),
          3,
        )
        return { total: totalCents, offer, more: 0 }
      },
      async buy({ total }) {
        const { orderNo } = await me.hardware.order({
          ...{ lines, totalCents: total, contactName: '李', contactPhone: '13800001234' },
          ...{ districtCode: '440305', address: '一路一号', remark: '' },
        })
        return [orderNo]
      },
    },
    recharge: {
      ...{ book: 'recharge', item: 1, part: 'pack', quotes: false, undo: null, table: 'sms_orders' },
      async look() {
        const { packages, discountBasisPoints } = await me.payments.offer()
        const pack = packages.find(({ id }) => id === 1) ?? assert.fail()
        const price = packPrice(pack, { discountBasisPoints, conditions: pack.conditions })
        return { total: price.amountFen, offer: price.offer ?? '', more: price.bonus }
      },
      buy: async ({ total, more }) => [
        (await me.payments.startSms({ packageId: 1, amountFen: total, bonus: more })).orderNo,
      ],
    },
    renewal: {
      ...{ book: 'version', item: 12, part: 'year', quotes: true, undo: 'version', table: 'version_orders' },
      async look() {
        const quote = await me.purchases.quote({
          ...{ merchantId: renewed, versionId: 12, scope: 'head', branchIds: [], term: 'year' },
          ...{ periods: 1, shops: 1, remark: '' },
        })
        quoted.set('one', quote.orderNo)
        return { total: quote.totalCents, offer: quote.offer ?? '', more: 0 }
      },
      async buy() {
        const orderNo = quoted.get('one') ?? assert.fail('no quote')
        await me.purchases.confirm({ orderNo })
        return [orderNo]
      },
    },
    bulk: {
      ...{ book: 'version', item: 12, part: 'year', quotes: true, undo: 'batch', table: 'version_orders' },
      async look() {
        const quote = await me.purchases.bulkQuote({
          ...{ merchantIds: [...many], term: 'year', periods: 1, remark: '' },
        })
        quoted.set('many', quote.batchNo)
        return { total: quote.totalCents, offer: quote.lines[0]?.offer ?? '', more: 0 }
      },
      async buy() {
        const batchNo = quoted.get('many') ?? assert.fail('no quote')
        const { receipts } = await me.purchases.bulkConfirm({ batchNo })
        return receipts.flatMap(({ orderNo }) => orderNo ?? [])
      },
    },
  }
})
after(() => till.stop())

const SELLERS = ['service', 'sms', 'hardware', 'recharge', 'renewal', 'bulk'] as const
const step = fc.record({
  seller: fc.constantFrom(...SELLERS),
  does: fc.oneof(
    fc.record({ price: fc.integer({ min: 1, max: 50_000 }) }),
    fc.record({ minimum: fc.integer({ min: 0, max: 30_000 }) }),
    fc.record({ share: fc.integer({ min: 100, max: 10_000 }) }),
    fc.record({
      offer: fc.integer({ min: 100, max: 10_000 }),
      gives: fc.constantFrom('less', 'fixed', 'more', 'pieces'),
    }),
    fc.record({ buy: fc.constantFrom('what was shown before', 'after a look') }),
    fc.record({ undo: fc.constant(true) }),
  ),
})
type Does = typeof step extends fc.Arbitrary<{ does: infer D }> ? D : never

async function write({ book, item, part }: Seller, does: Does): Promise<void> {
  const now = `date_trunc('milliseconds', clock_timestamp())`
  if ('price' in does) await writePrice(sql, { book, item, part, cents: does.price })
  if ('minimum' in does) await writePrice(sql, { book, item, part, kind: 'minimum', cents: does.minimum })
  if ('share' in does)
    await sql(
      `insert into discounts (agent_id, book, basis_points, starts_at, created_by, created_by_name, created_at)
       values ($1, $2, $3, ${now}, 0, '', now())`,
      [agentId, book, does.share],
    )
  if ('offer' in does) {
    const isMore = does.gives === 'more' || does.gives === 'pieces'
    const gives = isMore && book !== 'recharge' ? 'less' : does.gives
    await sql(
      `insert into price_campaigns (name, book, items, part, basis_points, cents, bonus_basis_points, bonus_pieces, starts_at, ends_at,
         created_by, created_by_name, created_at)
       values ($1, $2, array[$3::bigint], $4, $5, $6, $7, $8, ${now}, now() + interval '1 hour', 0, '', now())`,
      [
        ...[`${gives}${does.offer}`, book, item, part, gives === 'less' ? does.offer : null],
        ...[gives === 'fixed' ? does.offer : null, gives === 'more' ? does.offer : null],
        gives === 'pieces' ? does.offer : null,
      ],
    )
  }
}

/** What the orders hold that somebody has paid or is about to pay. */
async function held({ table }: Seller, orderNos: readonly string[]): Promise<Shown> {
  const more = table === 'sms_orders' ? 'sum(bonus_pieces)' : '0'
  const { rows } = await sql(
    `select sum(total_cents)::int as total, max(offer) as offer, ${more}::int as more from ${table} as bought
     where order_no = any($1)`,
    [orderNos],
  )
  return rows[0]
}

test('whatever is written down, no order has a price that was not shown, and an undo gives back what was paid', async () => {
  const shown = new Map<string, Shown>()
  const bought = new Map<string, { orderNos: string[]; total: number; batchNo?: string }>()
  const outcomes = { paid: 0, refused: 0, undone: 0 }
  const buyFrom = async (name: string, seller: Seller) => {
    const before = shown.get(name) ?? assert.fail()
    const now = seller.quotes ? before : await seller.look()
    const tokens = await tokensOf(till.office, agentId)
    const asked = seller.buy(before)
    if (now.total !== before.total || now.more !== before.more) {
      assert.equal(await refusalOf(asked), 'PRICE_CHANGED', name)
      outcomes.refused++
      return
    }
    const orderNos = await asked
    const paid = await held(seller, orderNos)
    assert.deepEqual(paid, { ...before, offer: now.offer }, name)
    if (name !== 'recharge') assert.equal(tokens - (await tokensOf(till.office, agentId)), before.total, name)
    outcomes.paid++
    bought.set(name, { orderNos, total: before.total })
    // A quote is paid once.
    if (seller.quotes) shown.delete(name)
  }
  const undo = async (name: string, seller: Seller) => {
    const last = bought.get(name)
    if (!last || seller.undo === null) return
    bought.delete(name)
    const tokens = await tokensOf(till.office, agentId)
    let orderNo = last.orderNos[0] ?? ''
    if (seller.undo === 'batch')
      orderNo = (await sql('select batch_no from version_orders where order_no = $1', [orderNo])).rows[0]
        .batch_no
    await me.settlement.undo({ kind: seller.undo, orderNo, reason: '买错了' })
    assert.equal((await tokensOf(till.office, agentId)) - tokens, last.total, name)
    outcomes.undone++
    // What was quoted for the shop as it stood.
    if (seller.quotes) shown.delete(name)
  }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 14 }), async steps => {
      for (const { seller: name, does } of steps) {
        const seller = sellers[name] ?? assert.fail(name)
        if ('undo' in does) await undo(name, seller)
        else if (!('buy' in does)) await write(seller, does)
        else {
          if (does.buy === 'after a look' || !shown.has(name)) shown.set(name, await seller.look())
          await buyFrom(name, seller)
        }
      }
    }),
    { numRuns: 25 },
  )
  assert.ok(outcomes.paid > 0 && outcomes.refused > 0 && outcomes.undone > 0, JSON.stringify(outcomes))
  await till.office.verifyLedger()
})
