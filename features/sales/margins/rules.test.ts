import assert from 'node:assert/strict'
import test from 'node:test'
import { LIMITS, type Prices, refusePrices } from './rules.ts'

const NONE: Prices = { yearFen: null, monthFen: null, lifetimeFen: null }

const CASES: [prices: Partial<Prices>, stands: boolean, ReturnType<typeof refusePrices>][] = [
  [{ yearFen: 1 }, false, null],
  [{ lifetimeFen: LIMITS.priceMax }, false, null],
  [{}, false, { field: 'yearFen', code: 'PRICE_REQUIRED' }],
  [{}, true, null],
  [{ yearFen: 100, monthFen: 0 }, true, { field: 'monthFen', code: 'PRICE_WRONG' }],
  [{ lifetimeFen: LIMITS.priceMax + 1 }, true, { field: 'lifetimeFen', code: 'PRICE_WRONG' }],
  [{ yearFen: 1.5 }, true, { field: 'yearFen', code: 'PRICE_WRONG' }],
  [{ yearFen: Number.NaN }, true, { field: 'yearFen', code: 'PRICE_WRONG' }],
]
for (const [prices, stands, refused] of CASES)
  test(`${JSON.stringify(prices)}${stands ? ' in place of others' : ''} is ${refused?.code ?? 'kept'}`, () => {
    assert.deepEqual(refusePrices({ ...NONE, ...prices }, stands), refused)
  })
