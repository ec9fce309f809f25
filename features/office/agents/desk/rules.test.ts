import assert from 'node:assert/strict'
import test from 'node:test'
import { CHECKED_MAX, refuseChecked, refuseReset } from './rules.ts'

for (const [text, refused] of [
  ['', 'CHECKED_REQUIRED'],
  ['  ', 'CHECKED_REQUIRED'],
  ['回拨登记的手机号', null],
  ['核'.repeat(CHECKED_MAX), null],
  ['核'.repeat(CHECKED_MAX + 1), 'CHECKED_TOO_LONG'],
] as const)
  test(`"${text.slice(0, 10)}" says how the person was checked: ${refused ?? 'taken'}`, () => {
    assert.equal(refuseChecked(text), refused)
  })

for (const [actorId, owner, refused] of [
  [1, { id: 1, hasFactor: true }, 'OWNER_SELF'],
  [1, { id: 2, hasFactor: false }, 'NO_FACTOR'],
  [1, { id: 2, hasFactor: true }, null],
] as const)
  test(`${actorId} resets ${JSON.stringify(owner)}: ${refused ?? 'done'}`, () => {
    assert.equal(refuseReset(actorId, owner), refused)
  })
