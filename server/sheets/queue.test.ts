import assert from 'node:assert/strict'
import test from 'node:test'
import { setImmediate as rest } from 'node:timers/promises'
import { queue } from './queue.ts'

/** Work that ends when it is told to, and what has begun so far. */
function desk(limits: Parameters<typeof queue>[0]) {
  const inTurn = queue(limits)
  const begun: string[] = []
  const ends = new Map<string, (fails?: boolean) => void>()
  const give = (party: number, name: string) =>
    inTurn(party, () => {
      begun.push(name)
      const { promise, resolve, reject } = Promise.withResolvers<string>()
      ends.set(name, fails => (fails ? reject(new Error(name)) : resolve(name)))
      return promise
    })
  const end = async (name: string, fails = false) => {
    ends.get(name)?.(fails)
    await rest()
  }
  return { begun, give, end }
}

test('one piece of a party at a time, in the order in which they came, those of others beside it', async () => {
  const { begun, give, end } = desk({ atOnce: 2, waiting: 4 })
  const all = [give(1, 'a'), give(1, 'b'), give(2, 'c'), give(1, 'd')]
  await rest()
  assert.deepEqual(begun, ['a', 'c'])
  await end('c')
  assert.deepEqual(begun, ['a', 'c'])
  await end('a')
  assert.deepEqual(begun, ['a', 'c', 'b'])
  await end('b')
  await end('d')
  assert.deepEqual(await Promise.all(all), ['a', 'b', 'c', 'd'])
})

test('no more at once than there is room for, and nobody is passed over', async () => {
  const { begun, give, end } = desk({ atOnce: 1, waiting: 4 })
  const all = [give(1, 'a'), give(1, 'b'), give(2, 'c')]
  await rest()
  await end('a')
  assert.deepEqual(begun, ['a', 'c'], 'the second of the first party waits behind the first of the second')
  await end('c')
  await end('b')
  assert.equal((await Promise.all(all)).length, 3)
})

test('what fails lets the next one begin', async () => {
  const { begun, give, end } = desk({ atOnce: 1, waiting: 1 })
  const failing = assert.rejects(give(1, 'a'), /a/)
  const next = give(1, 'b')
  await rest()
  await end('a', true)
  await failing
  assert.deepEqual(begun, ['a', 'b'])
  await end('b')
  assert.equal(await next, 'b')
})

test('more than may wait is refused at once, and taken again once there is room', async () => {
  const { begun, give, end } = desk({ atOnce: 1, waiting: 1 })
  const all = [give(1, 'a'), give(1, 'b')]
  assert.equal(await give(1, 'c'), null)
  await rest()
  await end('a')
  await end('b')
  await Promise.all(all)
  const again = give(1, 'd')
  await rest()
  await end('d')
  assert.equal(await again, 'd')
  assert.deepEqual(begun, ['a', 'b', 'd'])
})
