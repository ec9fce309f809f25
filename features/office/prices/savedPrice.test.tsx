import { expect, test } from 'vitest'
import { type SavedPrice, savedPriceQuestion } from './savedPrice.tsx'

const price = (beforeCents: number | null, afterCents: number): SavedPrice => ({
  ...{ name: '价格', unit: '代币', beforeCents, afterCents },
})

const SAVED: [what: string, price: SavedPrice, asked: string | null][] = [
  ['a first one', price(null, 100), null],
  ['a first one of nothing', price(null, 0), '价格为 0，购买不收费。价格为 0.00 代币，适用于全部代理商。'],
  ['the same', price(100, 100), null],
  ['another', price(100, 120), '立即生效。价格由 1.00 变为 1.20 代币，适用于全部代理商。'],
  ['half', price(100, 50), '降价一半或更多；立即生效。价格由 1.00 变为 0.50 代币，适用于全部代理商。'],
]
for (const [what, saved, asked] of SAVED)
  test(`a price that is saved with what has it, ${what}, is asked about: ${asked ?? 'nothing'}`, () => {
    expect(savedPriceQuestion([saved])?.text ?? null).toBe(asked)
  })
