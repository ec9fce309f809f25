import assert from 'node:assert/strict'
import test from 'node:test'
import { setImmediate as rest } from 'node:timers/promises'
import fc from 'fast-check'
import { until } from '#test/patience.ts'
import { fairShares, NoPlaceError, paces, type ShareLimits, weightOf } from './shares.ts'

const LIMITS: ShareLimits = { atOnce: 4, alone: 3, beside: 2, waiting: 4, waitMs: 60_000 }

/** Work that ends when it is told to, and what has begun so far. */
function desk(changes: Partial<ShareLimits> = {}) {
  const shares = fairShares({ ...LIMITS, ...changes })
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const refused: string[] = []
  const give = async (party: string, name: string, weight?: number) => {
    try {
      ends.set(name, await shares.take(party, weight))
      begun.push(name)
    } catch (error) {
      if (!(error instanceof NoPlaceError)) throw error
      refused.push(`${name} ${error.why}`)
    }
  }
  const end = async (name: string) => {
    ends.get(name)?.()
    await rest()
  }
  return { shares, begun, refused, give, end }
}

test('a place that is there is given at once, without waiting', () => {
  const free = fairShares(LIMITS).take('a')
  assert.equal(typeof free, 'function')
})

test('whoever is alone has more than its share, and all but its share is for whoever comes', async () => {
  const { begun, give, end } = desk()
  for (const name of ['a1', 'a2', 'a3', 'a4']) void give('a', name)
  await rest()
  assert.deepEqual(begun, ['a1', 'a2', 'a3'])
  void give('b', 'b1')
  await rest()
  assert.deepEqual(
    begun,
    ['a1', 'a2', 'a3', 'b1'],
    'the last place is not for one that has more than its share',
  )
  await end('a1')
  assert.deepEqual(begun.slice(4), [], 'beside another it has two')
  await end('a2')
  assert.deepEqual(begun.slice(4), ['a4'])
})

test('each party has its turn, however long the line of another is', async () => {
  const { begun, give, end } = desk({ atOnce: 1, alone: 1, beside: 1 })
  for (const name of ['a1', 'a2', 'a3', 'a4']) void give('a', name)
  for (const name of ['b1', 'b2']) void give('b', name)
  await rest()
  for (const name of ['a1', 'a2', 'b1', 'a3', 'b2']) await end(name)
  assert.deepEqual(begun, ['a1', 'a2', 'b1', 'a3', 'b2', 'a4'])
})

test('a party of twice the weight has twice the places', async () => {
  const { begun, give } = desk({ atOnce: 9 })
  void give('b', 'b1')
  for (let n = 1; n <= 5; n++) void give('staff', `s${n}`, 2)
  await rest()
  assert.deepEqual(begun, ['b1', 's1', 's2', 's3', 's4'])
})

test('more than may wait is refused, its own line alone, and taken again once there is room', async () => {
  const { begun, refused, give, end } = desk({ atOnce: 2, alone: 1, beside: 1, waiting: 1 })
  for (const name of ['a1', 'a2', 'a3']) void give('a', name)
  void give('b', 'b1')
  await rest()
  assert.deepEqual([begun, refused], [['a1', 'b1'], ['a3 own']])
  await end('a1')
  void give('a', 'a4')
  await end('a2')
  assert.deepEqual(begun, ['a1', 'b1', 'a2', 'a4'])
})

test('a refusal for a full line may be held back, and the line is not', async () => {
  const { begun, refused, give, end } = desk({ alone: 1, waiting: 1, holdMs: 1 })
  for (const name of ['a1', 'a2', 'a3']) void give('a', name)
  await rest()
  await end('a1')
  assert.deepEqual(begun, ['a1', 'a2'])
  await until(() => refused.length === 1)
  assert.deepEqual(refused, ['a3 own'])
})

test('who waits too long is told behind whom', async () => {
  const { refused, give } = desk({ atOnce: 1, alone: 1, beside: 1, waitMs: 1 })
  for (const name of ['a1', 'a2']) void give('a', name)
  void give('b', 'b1')
  await until(() => refused.length === 2)
  assert.deepEqual(refused.sort(), ['a2 own', 'b1 others'])
})

test('giving a place back twice gives it back once', async () => {
  const { shares, begun, give } = desk({ alone: 1 })
  const free = await shares.take('a')
  for (const name of ['a2', 'a3']) void give('a', name)
  free()
  free()
  await rest()
  assert.deepEqual(begun, ['a2'])
})

test('a place rests where its party has more waiting and others are there, and others go on meanwhile', async () => {
  const { begun, give, shares } = desk({ atOnce: 1, alone: 1, beside: 1, rests: true })
  const free = await shares.take('a')
  for (const name of ['a2', 'a3']) void give('a', name)
  void give('b', 'b1')
  const beganMs = performance.now()
  await until(() => performance.now() - beganMs > 5)
  free()
  await rest()
  assert.deepEqual(begun, ['b1'])
})

test('whatever comes and ends: no more at once than there is room for, all is done, and nobody is passed over for long', async () => {
  const piece = fc.record({ party: fc.constantFrom('a', 'b', 'c', 'd'), ends: fc.nat(3) })
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 60 }), async pieces => {
      const shares = fairShares({ ...LIMITS, waiting: 100 })
      const open: { party: string; free: () => void }[] = []
      let served = 0
      const turnsOf: string[] = []
      for (const { party, ends } of pieces) {
        Promise.resolve(shares.take(party)).then(free => {
          served++
          turnsOf.push(party)
          open.push({ party, free })
        })
        await rest()
        assert.ok(open.length <= LIMITS.atOnce)
        for (const name of 'abcd')
          assert.ok(open.filter(one => one.party === name).length <= LIMITS.alone, 'more than its share')
        for (let n = 0; n < ends; n++) open.shift()?.free()
      }
      // Who was given the last place hears of it.
      await rest()
      while (open.length > 0 || shares.waiting() > 0) {
        open.shift()?.free()
        await rest()
      }
      assert.equal(served, pieces.length)
    }),
    { numRuns: 200 },
  )
})

test('beside others, who sends hundreds begins a page at once and the rest at a pace; nobody else waits for it', async () => {
  const begin = paces()
  const begun: string[] = []
  begin('b', () => begun.push('b'))
  for (let n = 0; n < 300; n++) begin('a', () => begun.push('a'))
  const atOnce = begun.length
  assert.ok(atOnce < 100, `${atOnce} began at once`)
  begin('b', () => begun.push('b'))
  assert.equal(begun.at(-1), 'b')
  await until(() => begun.length === 302)
})

test('who is alone begins all it sends, in its order, and the event loop is free in between', async () => {
  const begin = paces()
  const begun: number[] = []
  for (let n = 0; n < 300; n++) begin('a', () => begun.push(n))
  assert.ok(begun.length < 300)
  await until(() => begun.length === 300)
  assert.deepEqual(
    begun,
    [...begun].sort((a, b) => a - b),
  )
})

test('beside another, large bodies begin one after the other, and the next party at once', async () => {
  const begin = paces()
  const begun: string[] = []
  const weight = weightOf(150_000)
  begin('b', () => begun.push('b'))
  for (let n = 0; n < 5; n++) begin('a', () => begun.push('a'), weight)
  assert.deepEqual(begun, ['b', 'a'])
  begin('b', () => begun.push('b'))
  assert.deepEqual(begun, ['b', 'a', 'b'])
  await until(() => begun.length === 7)
})

test('a request weighs as its body does, up to a bound', () => {
  const weights = [0, 4_095, 40_960, 10 ** 9].map(weightOf)
  assert.deepEqual(weights, [1, 1, 11, 250])
})
