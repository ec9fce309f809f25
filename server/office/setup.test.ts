import assert from 'node:assert/strict'
import test from 'node:test'
import { joinSteps } from './setup.ts'

const step = (key: string, order = 1) => ({ key, order })

test('steps stand in the order in which they are done', () => {
  const joined = joinSteps([step('team.people', 9), step('prices.review', 3)])
  assert.deepEqual(
    joined.map(({ key }) => key),
    ['prices.review', 'team.people'],
  )
})

test('a step that could not be answered, or is called what another is, is refused where it is declared', () => {
  for (const key of ['team', 'team.pe-ople', 'Team.people', `a.${'b'.repeat(60)}`])
    assert.throws(() => joinSteps([step(key)]), /setup step .*must be <feature>\.<what>/, key)
  assert.throws(() => joinSteps([step('a.b'), step('a.b', 2)]), /setup step a\.b: is declared twice/)
})
