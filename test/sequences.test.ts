// A few short ones; `npm run faults -- sequences` plays thousands that are long.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import fc from 'fast-check'
import { type Office, openOffice } from './app.ts'
import { times } from './lane.ts'
import { allowUndos, type Played, play, stepsOf } from './sequences.ts'

const SEED = 20_261_130
const STEPS = times(40, 200)

let office: Office
before(async () => {
  office = await openOffice()
  await allowUndos(office)
})
after(() => office.stop())

test('any sequence of business and its undos ends where it began', async () => {
  const all: Played = { sold: 0, undone: 0, refused: 0 }
  for (const steps of fc.sample(stepsOf(STEPS), { numRuns: times(2, 20), seed: SEED })) {
    const played = await play(office, steps)
    for (const key of Object.keys(all) as (keyof Played)[]) all[key] += played[key]
  }
  assert.ok(all.sold > STEPS / 2 && all.undone > STEPS / 2, `it plays something: ${JSON.stringify(all)}`)
  await office.verifyLedger()
})
