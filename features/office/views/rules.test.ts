import assert from 'node:assert/strict'
import test from 'node:test'
import { NAME_MAX, REFUSALS, refuseAnother, refuseChange, refuseName, refuseShare } from './rules.ts'

test('a view has a name of at most 20 characters that no other has', () => {
  const cases: [string, string | null][] = [
    ['', 'NAME_REQUIRED'],
    ['   ', 'NAME_REQUIRED'],
    ['待续费', null],
    ['字'.repeat(NAME_MAX), null],
    ['字'.repeat(NAME_MAX + 1), 'NAME_TOO_LONG'],
    ['😀'.repeat(NAME_MAX), null],
    [' 本月到期 ', 'NAME_TAKEN'],
  ]
  for (const [name, refusal] of cases) assert.equal(refuseName(name, ['本月到期']), refusal, name)
  assert.match(REFUSALS.NAME_TOO_LONG, /20/)
})

test('twenty views are enough, and only the owner shares', () => {
  assert.equal(refuseAnother(19), null)
  assert.equal(refuseAnother(20), 'TOO_MANY')
  assert.equal(refuseShare(true, false), 'NOT_OWNER')
  assert.equal(refuseShare(true, true), null)
  assert.equal(refuseShare(false, false), null)
})

test('a view is changed by its maker, a shared one also by the owner', () => {
  const cases: [boolean, number, boolean, string | null][] = [
    [false, 1, false, null],
    [true, 1, false, null],
    [true, 2, true, null],
    [true, 2, false, 'NOT_YOURS'],
    [false, 2, true, 'NOT_YOURS'],
  ]
  for (const [isShared, accountId, isOwner, refusal] of cases)
    assert.equal(refuseChange({ accountId: 1, isShared }, { accountId, isOwner }), refusal)
})
