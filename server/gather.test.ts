import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { comesTrue } from '#test/patience.ts'
import { gather } from './gather.ts'

const TOGETHER = { afterMs: 1, most: 2 }

test('what comes at any moment around the end of a batch is handed over too', async () => {
  for (let turns = 0; turns <= 30; turns++) {
    const handed: string[] = []
    const gathering = gather<string>(
      TOGETHER,
      async batch => {
        handed.push(...batch)
        if (batch.includes('first')) void addLater()
      },
      assert.ifError,
    )
    const addLater = async () => {
      for (let i = 0; i < turns; i++) await null
      gathering.add('second')
    }
    gathering.add('first')
    await comesTrue(() => handed.length === 2)
    assert.deepEqual(handed, ['first', 'second'], `after ${turns} turns`)
  }
})

test('stopping hands over what is left, in batches of at most so many, and takes nothing more', async () => {
  const batches: number[][] = []
  const gathering = gather<number>(
    TOGETHER,
    async batch => {
      await pause(1)
      batches.push(batch)
    },
    assert.ifError,
  )
  for (let i = 0; i < 5; i++) gathering.add(i)
  await gathering.stop()
  gathering.add(9)
  await gathering.stop()
  assert.deepEqual(batches, [[0, 1], [2, 3], [4]])
})

test('a batch that fails is told, and what comes after it is handed over', async () => {
  const problems: unknown[] = []
  const handed: number[] = []
  const gathering = gather<number>(
    { afterMs: 1, most: 1 },
    async batch => {
      if (batch.includes(0)) throw new Error('refused')
      handed.push(...batch)
    },
    error => problems.push(error),
  )
  gathering.add(0)
  gathering.add(1)
  await gathering.stop()
  assert.equal(problems.length, 1)
  assert.deepEqual(handed, [1])
})
