// Goods of a shop, asked page by page over HTTP: each once, as they were looked for, and no answer in another form is believed.
import assert from 'node:assert/strict'
import test, { after, before, describe } from 'node:test'
import { GOODS_LIMITS, type PosGoodsPage, type PosGoodsQuery } from '#kit/ports/pos-service.ts'
import { ProviderRefused, ProviderUnreadable } from '#kit/ports/providers.ts'
import { ANSWERED_WITHIN_MS } from '#test/patience.ts'
import { makePosService } from './client.ts'
import { sellsNothing } from './simulated-goods.ts'
import {
  makePosServiceKeys,
  type PosServiceSimulator,
  posServiceSettings,
  startPosServiceSimulator,
} from './simulator.ts'

const keys = makePosServiceKeys()
let simulator: PosServiceSimulator
let nonces = 0
const ask = (shop: number, query: Partial<PosGoodsQuery> = {}) =>
  makePosService(posServiceSettings(keys, simulator.url), {
    fetch: globalThis.fetch,
    now: () => new Date(),
    nonce: () => `nonce${++nonces}`,
    timeoutMs: ANSWERED_WITHIN_MS,
  }).goods(shop, { search: '', category: '', after: null, size: 50, ...query })

before(async () => {
  simulator = await startPosServiceSimulator({ keys })
})
after(() => simulator.stop())

/** One that sells something, of each trade. */
const shops = Array.from({ length: 24 }, (_, at) => 10_000_000 + at).filter(id => !sellsNothing(id))
const ofTrade = (trade: number) => shops.find(id => id % 3 === trade) ?? 0
const [WITH_CODES, DISHES] = [0, 1]

async function all(shop: number, query: Partial<PosGoodsQuery> = {}): Promise<PosGoodsPage['goods']> {
  const found: PosGoodsPage['goods'] = []
  for (let after: string | null = null; ; ) {
    const page: PosGoodsPage = await ask(shop, { ...query, after })
    found.push(...page.goods)
    if (page.next === null) return found
    after = page.next
  }
}

test('pages follow each other, each good once, the same whenever one asks', async () => {
  const shop = shops.find(id => simulator.books.countOf(id, 'products') > 250) ?? 0
  const { total } = await ask(shop)
  const found = await all(shop)
  assert.equal(found.length, total)
  assert.equal(new Set(found.map(({ id }) => id)).size, total)
  assert.deepEqual(await all(shop, { size: 7 }), found)
  assert.ok(found.some(({ texts }) => (texts.productName ?? '').length > 30))
  assert.ok(found.some(({ texts }) => texts.barcode?.startsWith('散称')))
})

test('goods are found by name, item number, barcode and category', async () => {
  const shop = ofTrade(WITH_CODES)
  const { goods, categories } = await ask(shop)
  const [first] = goods
  assert.ok(first)
  for (const field of ['productName', 'itemNumber', 'barcode'] as const) {
    const text = first.texts[field] ?? ''
    const found = await all(shop, { search: text })
    assert.ok(
      found.some(({ id }) => id === first.id),
      field,
    )
    assert.ok(found.every(({ texts }) => texts[field]?.includes(text)))
  }
  const category = categories[1] ?? ''
  const found = await all(shop, { category })
  assert.ok(found.length > 0 && found.every(({ texts }) => texts.category === category))
  assert.deepEqual(await all(shop, { search: '没有这样的商品' }), [])
})

test('a shop may have none, and what was emptied is on sale no more', async () => {
  const none = { goods: [], total: 0, categories: [], next: null }
  assert.deepEqual(await ask(10_000_005), none)
  simulator.books.empty(ofTrade(DISHES), 'products')
  assert.deepEqual(await ask(ofTrade(DISHES)), none)
})

test('a cursor that leads nowhere, or is that of another search, is refused', async () => {
  const shop = ofTrade(WITH_CODES)
  const { next } = await ask(shop, { size: 5 })
  for (const query of [{ after: 'elsewhere' }, { after: next, search: '茶' }])
    await assert.rejects(
      ask(shop, query),
      error => error instanceof ProviderRefused && error.code === 'CURSOR_GONE',
    )
})

const GOOD = { id: 'g', texts: { productName: '茶' }, prices: {}, memberPrices: {} }
const PAGE = { goods: [GOOD], total: 1, categories: [], next: null }
const good = (more: object) => ({ ...PAGE, goods: [{ ...GOOD, ...more }] })
const times = (count: number) => Array.from({ length: count }, (_, at) => ({ ...GOOD, id: `g${at}` }))
const long = (length: number) => '长'.repeat(length)

describe('an answer is not believed', () => {
  const WRONG: [what: string, answer: unknown][] = [
    ['that is a list', [GOOD]],
    ['that is nothing', null],
    ['without goods', { ...PAGE, goods: undefined }],
    ['whose goods are no list', { ...PAGE, goods: { 0: GOOD } }],
    ['with more goods than were asked for', { ...PAGE, goods: times(6) }],
    ['with one of them twice', { ...PAGE, goods: [GOOD, GOOD] }],
    ['with a good that is none', { ...PAGE, goods: [null] }],
    ['with a good without id', good({ id: '' })],
    ['with an id that is a number', good({ id: 7 })],
    ['with an id that is too long', good({ id: long(GOODS_LIMITS.id + 1) })],
    ['with a good without name', good({ texts: { productName: ' ' } })],
    ['with texts that are none', good({ texts: '茶' })],
    ['with a text that is a number', good({ texts: { productName: '茶', barcode: 6901 } })],
    ['with a text that is too long', good({ texts: { productName: long(GOODS_LIMITS.text + 1) } })],
    ['with a price as a text', good({ prices: { retailPrice: '39.90' } })],
    ['with a part of a fen', good({ prices: { retailPrice: 39.9 } })],
    ['with a price below nothing', good({ prices: { retailPrice: -1 } })],
    ['with a price beyond all', good({ prices: { retailPrice: GOODS_LIMITS.fen + 1 } })],
    ['with prices of members as a list', good({ memberPrices: [100] })],
    ['with a level without name', good({ memberPrices: { '': 100 } })],
    [
      'with too many levels',
      good({ memberPrices: Object.fromEntries(Array.from({ length: 21 }, (_, level) => [level, 1])) }),
    ],
    ['without a total', { ...PAGE, total: undefined }],
    ['with a total below nothing', { ...PAGE, total: -1 }],
    ['with categories that are none', { ...PAGE, categories: [''] }],
    [
      'with too many categories',
      { ...PAGE, categories: Array.from({ length: GOODS_LIMITS.categories + 1 }, (_, at) => `类${at}`) },
    ],
    ['that does not say whether there is more', { ...PAGE, next: undefined }],
    ['whose next page is this one', { ...PAGE, next: 'here' }],
    ['of an empty page with a next one', { ...PAGE, goods: [], next: 'on' }],
    ['with a cursor that is too long', { ...PAGE, next: long(GOODS_LIMITS.cursor + 1) }],
    ['that is larger than any may be', { ...PAGE, more: 'x'.repeat(1024 * 1024) }],
  ]
  for (const [what, answer] of WRONG)
    test(what, async () => {
      simulator.answerGoodsWith(answer)
      await assert.rejects(ask(10_000_001, { size: 5, after: 'here' }), error => {
        assert.ok(error instanceof ProviderUnreadable, String(error))
        return true
      })
    })

  test('but what it says beside is left out, and what the shop has not entered is absent', async () => {
    simulator.answerGoodsWith({
      ...good({
        texts: { productName: '茶', brand: null, origin: '', spec: ' ', other: 7 },
        prices: { retailPrice: 0, promotionPrice: null, cost: 'secret' },
        stock: 3,
      }),
      cached: true,
    })
    const page = await ask(10_000_001)
    assert.deepEqual(page, {
      ...PAGE,
      goods: [{ ...GOOD, prices: { retailPrice: 0 } }],
    })
  })
})
