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
    }),
    fc.record({
      name: fc.constant('价'),
      part: fc.constant('p'),
      basisPoints: fc.constant(null),
      cents,
      bonusBasisPoints: fc.constant(null),
    }),
  ),
  { maxLength: 3 },
)
const conditions: fc.Arbitrary<Conditions> = fc.record({
  minimums: fc.oneof(fc.constant({}), fc.record({ p: cents })),
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
        const of = (n: number) => priceLine({ part: 'p', unitCents, count: n }, basis, given)
        const { originalCents, totalCents } = of(count)
        assert.equal(originalCents, unitCents * count)
        assert.ok(Number.isSafeInteger(totalCents) && totalCents >= 0 && totalCents <= originalCents)
        const minimum = (given.minimums.p ?? 0) * count
        assert.ok(totalCents >= Math.min(minimum, originalCents))
        assert.ok(of(count + 1).totalCents >= totalCents)
      },
    ),
  )
})

test('an offer never makes it dearer, and its name stands there only where it makes it cheaper', () => {
  fc.assert(
    fc.property(cents, share, offers, (unitCents, basis, given) => {
      const line = { part: 'p', unitCents, count: 3 }
      const without = priceLine(line, basis)
      const found = priceLine(line, basis, { minimums: {}, offers: given })
      assert.ok(found.totalCents <= without.totalCents)
      assert.equal(found.offer !== undefined, found.totalCents < without.totalCents)
    }),
  )
})

test('with what is given beside it, one costs no more than without, and no less than the minimum', () => {
  const bonuses = fc.array(
    fc.record({
      name: fc.constant('送'),
      part: fc.constant(null),
      basisPoints: fc.constant(null),
      cents: fc.constant(null),
      bonusBasisPoints: share,
    }),
    { maxLength: 2 },
  )
  fc.assert(
    fc.property(cents, share, offers, bonuses, cents, (unitCents, basis, cheaper, giving, minimum) => {
      const line = { part: 'p', unitCents, count: 1 }
      const given = { minimums: { p: minimum }, offers: [...cheaper, ...giving] }
      const found = priceLine(line, basis, given)
      const without = priceLine(line, basis, { ...given, offers: [] })
      const got = 10_000 + (found.bonusBasisPoints ?? 0)
      assert.ok(BigInt(found.totalCents) * 10_000n <= BigInt(without.totalCents) * BigInt(got))
      assert.ok(
        found.totalCents >= Math.min(minimum, unitCents) &&
          (got === 10_000 || BigInt(found.totalCents) * 10_000n >= BigInt(minimum) * BigInt(got)),
      )
      assert.ok(found.totalCents <= found.originalCents)
    }),
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
