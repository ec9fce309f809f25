// What every simulator does with the faults it is told of.
import assert from 'node:assert/strict'
import test from 'node:test'
import { json, startSimulator } from './simulator.ts'

test('a request that is kept waiting takes nothing that is meant for a later one', async t => {
  const { url, control, stop } = await startSimulator({
    nameOf: () => 'any',
    handle: () => json({}),
    errorOf: () => json({}, 500),
  })
  t.after(stop)
  const status = async () => (await fetch(url)).status
  control.faults.push({ match: '*', times: 1, effect: { kind: 'latency', ms: 200 } })
  const waiting = status()
  await t.waitFor(() => assert.equal(control.faults[0]?.times, 0))
  control.faults.push({ match: '*', times: 1, effect: { kind: 'status', status: 503 } })
  assert.equal(await waiting, 200)
  assert.equal(await status(), 503)
})
