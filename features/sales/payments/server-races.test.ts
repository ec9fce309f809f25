// P7, P8 and P9 of reliability.md in short; `npm run faults -- payments` runs them at length, and shows that they catch.
import assert from 'node:assert/strict'
import test, { after, before, describe } from 'node:test'
import fc from 'fast-check'
import { NO_PROVIDERS } from '#app/providers.ts'
import { type Office, openOffice } from '#test/app.ts'
import { times } from '#test/lane.ts'
import { type MadeAgent, makeAgent } from '#test/make.ts'
import { openTill, type Till } from '#test/make-payments.ts'
import { judge, makeSigner, makeWaiting, type Sequence, send, sequences } from '#test/payment-callbacks.ts'
import { type CallLog, races, runRace, watchCalls } from '#test/payment-races.ts'
import { workOnCallbacks } from './server-callbacks.ts'

describe('whatever happens to an order at once', () => {
  const log: CallLog = { creates: 0, unknown: 0, blind: [] }
  let till: Till
  before(async () => {
    till = await openTill({ timeoutMs: 2_000, around: watchCalls(log) })
  })
  after(() => till.stop())

  test('it is credited once if it was paid, a second payment goes back, and nothing is sent blindly', async () => {
    let paid = 0
    await fc.assert(
      fc.asyncProperty(races, async race => {
        const verdict = await runRace(till, race)
        paid += verdict.paid.length
        assert.deepEqual(verdict.breaches, [])
      }),
      { numRuns: times(12, 25), endOnFailure: true },
    )
    assert.ok(paid > 0, `${paid} payments`)
    assert.deepEqual(log.blind, [])
    await till.office.verifyLedger()
  })
})

describe('whatever is said of an order', () => {
  const signer = makeSigner()
  let office: Office
  let agent: MadeAgent
  before(async () => {
    office = await openOffice({ providers: signer.providers(NO_PROVIDERS) })
    agent = await makeAgent(office)
  })
  after(() => office.stop())

  test('only what its channel signed, for us, in full, counts, and once', async () => {
    const tried = fc.sample(sequences, times(60, 200))
    const ids = await makeWaiting(office, agent, tried.length)
    const kept: number[] = []
    for (const [i, sequence] of tried.entries())
      kept.push(await send(office, signer, ids[i] as string, sequence as Sequence))
    await workOnCallbacks(office.app.services)
    for (const [i, sequence] of tried.entries())
      assert.deepEqual(await judge(office, ids[i] as string, sequence as Sequence, kept[i] as number), [])
    await office.verifyLedger()
  })
})
