import assert from 'node:assert/strict'
import test from 'node:test'
import { joinSources } from './inbox.ts'

const join = (...keys: string[]) => joinSources(keys.map(key => ({ key })))

test('a source that the inbox could not answer is refused where it is declared, not at the first row', () => {
  assert.equal(join('owner-papers.decide', 'deposits.payOut').length, 2)
  for (const key of [
    'deposits.pay-out',
    'deposits',
    'Deposits.payOut',
    "deposits.x' or 'y",
    `a.${'b'.repeat(60)}`,
  ])
    assert.throws(() => join('owner-papers.decide', key), /inbox source .*must be <feature>\.<what>/, key)
})

test('two sources are not called alike', () => {
  assert.throws(
    () => join('deposits.payOut', 'deposits.payOut'),
    /inbox source deposits\.payOut: is declared twice/,
  )
})
