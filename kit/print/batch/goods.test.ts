import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { GOODS_PRICES, GOODS_TEXTS, type PosGood } from '#kit/ports/pos-service.ts'
import { LABEL_ITEMS } from '../label-items.ts'
import type { BatchField } from './fields.ts'
import { columnsWithout, contentOfGood, dataOfGood } from './goods.ts'

const GOOD: PosGood = {
  id: 'g1',
  texts: { productName: ' 茉莉花茶 ', unit: '袋', barcode: '6901234567892' },
  prices: { retailPrice: 12_888_850, memberPrice: 5, promotionPrice: 0 },
  memberPrices: { '2': 3_790 },
}
const NOW = new Date('2026-03-15T18:30:05Z')

test('what is on a label is the good’s own, the shop’s, of the moment, of a sale, or the template’s', () => {
  const others = {
    shop: ['shopName', 'address', 'phone'],
    moment: ['date', 'printTime'],
    sale: ['operator', 'orderNumber', 'queueNumber', 'orderTime'],
    template: ['washing', 'customText', 'qrCode'],
  }
  const known: string[] = [...GOODS_TEXTS, ...GOODS_PRICES, ...Object.values(others).flat()]
  assert.deepEqual(
    LABEL_ITEMS.map(({ key }) => key).filter(key => !known.includes(key)),
    [],
  )
  // Of QR codes: addresses that are no items of their own.
  const items = new Set(LABEL_ITEMS.map(({ key }) => key))
  assert.deepEqual(
    known.filter(key => !items.has(key)),
    ['mallUrl', 'appletUrl'],
  )
})

test('texts and prices are as they are printed', () => {
  assert.deepEqual(dataOfGood(GOOD), {
    productName: '茉莉花茶',
    unit: '袋',
    barcode: '6901234567892',
    retailPrice: '128888.50',
    memberPrice: '0.05',
    promotionPrice: '0.00',
    'memberPrice.2': '37.90',
  })
})

describe('a column is filled', () => {
  const data = { ...dataOfGood(GOOD), shopName: '便民超市' }
  const CASES: [what: string, key: string, text: string | undefined][] = [
    ['with what the shop has entered', 'productName', '茉莉花茶'],
    ['with the price of a level', 'memberPrice.2', '37.90'],
    ['with that of all members, where a level has none', 'memberPrice.4', '0.05'],
    ['with what is the shop’s own', 'shopName', '便民超市'],
    ['with the day on which it is made, as it is in Shanghai', 'date', '2026-03-16'],
    ['with the time at which it is made', 'printTime', '2026-03-16 02:30:05'],
    ['with nothing, where there is nothing', 'size', undefined],
    ['with nothing that belongs to a sale', 'orderNumber', undefined],
  ]
  for (const [what, key, text] of CASES)
    test(what, () => {
      const content = contentOfGood([{ key, label: key }], data, '3', NOW)
      assert.deepEqual(content, { data: text === undefined ? {} : { [key]: text }, copies: '3' })
    })
})

test('columns in which no good has anything are named', () => {
  const fields: BatchField[] = ['productName', 'size', 'colour'].map(key => ({ key, label: key }))
  const contents: { data: Record<string, string> }[] = [
    { data: { productName: '茶' } },
    { data: { productName: '衣', colour: '黑' } },
  ]
  assert.deepEqual(
    columnsWithout(fields, contents).map(({ key }) => key),
    ['size'],
  )
})
