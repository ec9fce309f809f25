// P14 of the rules alone: what purchases do to the terms of shops, taken back in any order that is allowed, leaves them as they were. The same
// through the operations, with tokens, services and SMS beside it: test/sequences.test.ts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type ShopEffect, termsWithout } from '#features/sales/orders/rules.ts'
import { times } from '#test/lane.ts'
import { ADVANCED, branch, CHAIN, EXTREME, PACK, PAST, PERMANENT, plan, shop } from '#test/make-plans.ts'
import { SCOPES, type ShopFacts } from './rules.ts'

const SEED = 20_261_130
const STEPS = 200
const BRANCHES = [21, 22]

const bought = fc.record({
  shop: fc.nat(5),
  // What is bought for ever is bought no more until that is taken back.
  versionId: fc.oneof(
    { weight: 30, arbitrary: fc.constantFrom(ADVANCED, CHAIN, EXTREME, PACK) },
    { weight: 1, arbitrary: fc.constant(PERMANENT) },
  ),
  scope: fc.constantFrom('head' as const, 'head' as const, ...SCOPES),
  term: fc.constantFrom('year' as const, 'year' as const, 'month' as const),
  periods: fc.integer({ min: 1, max: 9 }),
  shops: fc.integer({ min: 1, max: 5 }),
})
const steps = fc.array(
  fc.oneof(
    bought.map(asked => ({ asked })),
    fc.nat(99).map(undone => ({ undone })),
  ),
  {
    minLength: STEPS,
    maxLength: STEPS,
  },
)

const startOf = (): Map<number, ShopFacts> =>
  new Map(
    [
      shop({ id: 1, termDay: 10 }),
      shop({ id: 2, expiresAt: PAST, termDay: 5 }),
      shop({ id: 3, versionId: PERMANENT, expiresAt: null, shopsBought: 2 }),
      shop({ id: 4, versionId: CHAIN, shopsBought: 3, termDay: 10 }),
      branch(21, { termDay: 31, expiresAt: '2027-02-28T02:30:00.000Z' }),
      // Its term keeps the day of its end.
      branch(22, { termDay: null, expiresAt: '2027-03-31T02:30:00.000Z' }),
    ].map(one => [one.id, one]),
  )

test('purchases and their undos in any order leave the terms of shops as they were', () => {
  let sold = 0
  fc.assert(
    fc.property(steps, sequence => {
      const shops = startOf()
      const ids = [...shops.keys()]
      const standing: ShopEffect[][] = []
      const takeBack = (effects: readonly ShopEffect[]) => {
        for (const effect of effects) {
          const present = shops.get(effect.merchantId) as ShopFacts
          shops.set(effect.merchantId, { ...present, ...termsWithout(effect, present) })
        }
      }
      for (const step of sequence) {
        if ('undone' in step) {
          const at = step.undone % Math.max(1, standing.length)
          const [order, ...later] = standing.slice(at)
          const touches = ({ merchantId }: ShopEffect) => order?.some(one => one.merchantId === merchantId)
          if (!order || later.flat().some(touches)) continue
          takeBack(order)
          standing.splice(at, 1)
          continue
        }
        const { shop: nth, versionId, ...asked } = step.asked
        const of = shops.get(ids[nth % ids.length] as number) as ShopFacts
        const branches = of.id === 4 ? BRANCHES.map(id => shops.get(id) as ShopFacts) : []
        const made = plan(of, versionId, { ...asked, branches })
        if ('refusal' in made) continue
        const { effects } = made.plan
        for (const { merchantId, versionAfter, expiresAfter, termDayAfter, shopsAfter } of effects)
          shops.set(merchantId, {
            ...(shops.get(merchantId) as ShopFacts),
            ...{
              versionId: versionAfter,
              expiresAt: expiresAfter,
              termDay: termDayAfter,
              shopsBought: shopsAfter,
            },
          })
        standing.push(effects)
        sold++
      }
      for (const effects of standing.toReversed()) takeBack(effects)
      assert.deepEqual(shops, startOf())
    }),
    { numRuns: times(100, 10_000), seed: SEED },
  )
  assert.ok(sold > times(100, 10_000) * 10, `${sold} were sold`)
})
