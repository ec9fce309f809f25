// What holds of any price, whatever is written down.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Conditions, type DatedDiscount, discountFor, priceLine } from './rules.ts'

const NOW = '2026-11-20T04:00:00.000Z'
const silver = { agentId: 101, levelId: 3 }
const discount = (of: Partial<DatedDiscount>): DatedDiscount => ({
  ...{ levelId: null, agentId: null, book: null, basisPoints: null },
  ...{ startsAt: '2020-01-01T00:00:00.000Z', withdrawnAt: null },
  ...of,
})

const cents = fc.integer({ min: 0, max: 10_000_000 })
const share = fc.integer({ min: 0, max: 10_000 })
const offers = fc.array(
  fc.oneof(
    fc.record({
      name: fc.constant('折'),
      part: fc.constant(null),
      basisPoints: share,
      cents: fc.constant(null),
      bonusBasisPoints: fc.constant(null),
      bonusPieces: fc.constant(null),
    }),
    fc.record({
      name: fc.constant('价'),
      part: fc.constant('pack'),
      basisPoints: fc.constant(null),
      cents,
      bonusBasisPoints: fc.constant(null),
      bonusPieces: fc.constant(null),
    }),
  ),
  { maxLength: 3 },
)
const conditions: fc.Arbitrary<Conditions> = fc.record({
  minimums: fc.oneof(fc.constant({}), fc.record({ pack: cents })),
  offers,
})

test('never below the minimum but where the list price is, never above the list price, more never costs less', () => {
  fc.assert(
    fc.property(
      cents,
      fc.integer({ min: 1, max: 999 }),
      share,
      conditions,
      (unitCents, count, basis, given) => {
        const of = (n: number) => priceLine({ part: 'pack', unitCents, count: n }, basis, given)
        const { originalCents, totalCents } = of(count)
        assert.equal(originalCents, unitCents * count)
        assert.ok(Number.isSafeInteger(totalCents) && totalCents >= 0 && totalCents <= originalCents)
        const minimum = (given.minimums.pack ?? 0) * count
        assert.ok(totalCents >= Math.min(minimum, originalCents))
        assert.ok(of(count + 1).totalCents >= totalCents)
      },
    ),
  )
})

test('an offer never makes it dearer, and its name stands there only where it makes it cheaper', () => {
  fc.assert(
    fc.property(cents, share, offers, (unitCents, basis, given) => {
      const line = { part: 'pack', unitCents, count: 3 }
      const without = priceLine(line, basis)
      const found = priceLine(line, basis, { minimums: {}, offers: given })
      assert.ok(found.totalCents <= without.totalCents)
      assert.equal(found.offer !== undefined, found.totalCents < without.totalCents)
    }),
  )
})

test('with what is given beside it, one costs no more than without, and no less than the minimum', () => {
  const giving = { part: fc.constant(null), basisPoints: fc.constant(null), cents: fc.constant(null) }
  const bonuses = fc.array(
    fc.oneof(
      fc.record({
        ...giving,
        name: fc.constant('送'),
        bonusBasisPoints: share,
        bonusPieces: fc.constant(null),
      }),
      fc.record({
        ...giving,
        name: fc.constant('条'),
        bonusBasisPoints: fc.constant(null),
        bonusPieces: fc.integer({ min: 1, max: 100_000 }),
      }),
    ),
    { maxLength: 3 },
  )
  const brought = fc.integer({ min: 1, max: 1_000_000 })
  fc.assert(
    fc.property(
      cents,
      share,
      offers,
      bonuses,
      cents,
      brought,
      (unitCents, basis, cheaper, giving, minimum, brings) => {
        const line = { part: 'pack', unitCents, count: 1, brings }
        const given = { minimums: { pack: minimum }, offers: [...cheaper, ...giving] }
        const found = priceLine(line, basis, given)
        const without = priceLine(line, basis, { ...given, offers: [] })
        const { totalCents, bonus = 0 } = found
        const got = BigInt(brings + bonus)
        assert.ok(BigInt(totalCents) * BigInt(brings) <= BigInt(without.totalCents) * got)
        assert.ok(totalCents >= Math.min(minimum, unitCents) && totalCents <= found.originalCents)
        assert.ok(bonus === 0 || BigInt(totalCents) * BigInt(brings) >= BigInt(minimum) * got)
        // What is given is whole, and stands under the name of its offer.
        assert.ok(Number.isSafeInteger(bonus) && bonus >= 0)
        assert.equal(bonus > 0, found.offer === '送' || found.offer === '条')
        if (found.offer === '条') assert.ok(giving.some(({ bonusPieces }) => bonusPieces === bonus))
      },
    ),
  )
})

test('who pays less than others is said by the discount that was found', () => {
  fc.assert(
    fc.property(share, share, (ofLevel, ofAgent) => {
      const rows = [
        discount({ levelId: 3, basisPoints: ofLevel }),
        discount({ agentId: 101, basisPoints: ofAgent }),
      ]
      assert.deepEqual(discountFor(rows, 'version', silver, NOW), { by: 'agent', basisPoints: ofAgent })
      assert.deepEqual(discountFor(rows, 'version', { agentId: 7, levelId: 3 }, NOW), {
        by: 'level',
        basisPoints: ofLevel,
      })
    }),
  )
})
