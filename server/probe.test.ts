import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type Office, openOffice } from '#test/app.ts'
import { judgeProxies, PROBE_HEADER, PROBE_PATH, probeTicket } from './probe.ts'

let office: Office
before(async () => {
  office = await openOffice()
})
after(() => office.stop())

const ask = (headers: Record<string, string>) =>
  office.app.http.inject({ method: 'GET', url: PROBE_PATH, headers })

test('how a request was seen is told to who holds the key of the office', async () => {
  const { secrets, clock } = office.app.services
  const ticket = probeTicket(secrets, clock.now())
  const { statusCode, body } = await ask({
    [PROBE_HEADER]: ticket,
    'x-forwarded-for': '203.0.113.7, 10.0.0.9',
    host: 'office.example.com',
  })
  assert.equal(statusCode, 200)
  assert.deepEqual(JSON.parse(body), {
    address: '127.0.0.1',
    socketAddress: '127.0.0.1',
    forwardedFor: ['203.0.113.7', '10.0.0.9'],
    host: 'office.example.com',
  })
})

test('without a ticket of now there is nothing', async () => {
  const { secrets, clock } = office.app.services
  const old = probeTicket(secrets, new Date(clock.now().getTime() - 3 * 60_000))
  assert.equal((await ask({})).statusCode, 404)
  for (const ticket of ['', 'f'.repeat(64), old])
    assert.equal((await ask({ [PROBE_HEADER]: ticket })).statusCode, 404)
})

const FORGED = '203.0.113.7'
const CALLER = '198.51.100.4'
for (const [what, forwardedFor, believed, expected] of [
  ['no proxy', [FORGED], 0, ['right', 0]],
  ['no proxy, and one is believed', [FORGED], 1, ['tooMany', 0]],
  ['one that adds', [FORGED, CALLER], 1, ['right', 1]],
  ['one that adds, and none is believed', [FORGED, CALLER], 0, ['tooFew', 1]],
  ['one that adds, and two are believed', [FORGED, CALLER], 2, ['tooMany', 1]],
  ['one that puts its own in place', [CALLER], 1, ['right', 1]],
  ['two', [FORGED, CALLER, '10.0.0.8'], 2, ['right', 2]],
  ['two, and one is believed', [FORGED, CALLER, '10.0.0.8'], 1, ['tooFew', 2]],
] as const)
  test(`${what}: ${expected.join(' ')}`, () => {
    const seen = { socketAddress: '10.0.0.9', forwardedFor: [...forwardedFor] }
    const { kind, proxies } = judgeProxies(seen, { forged: FORGED, believed })
    assert.deepEqual([kind, proxies], expected)
  })
