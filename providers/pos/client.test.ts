// The service that keeps shops' own data, called over HTTP: what is believed, what is a refusal, and what nobody knows.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import test, { after, before, beforeEach, describe } from 'node:test'
import { ProviderBusy, ProviderRefused, ProviderUnknown } from '#kit/ports/providers.ts'
import type { Effect } from '#providers/simulator.ts'
import { ANSWERED_WITHIN_MS, GIVEN_UP_AFTER_MS, untilMet } from '#test/patience.ts'
import { makePosService } from './client.ts'
import {
  makePosServiceKeys,
  type PosServiceSimulator,
  posServiceSettings,
  startPosServiceSimulator,
} from './simulator.ts'

const keys = makePosServiceKeys()
let simulator: PosServiceSimulator
let nonces = 0
const surroundings = {
  fetch: globalThis.fetch,
  now: () => new Date(),
  nonce: () => `nonce${++nonces}`,
  timeoutMs: ANSWERED_WITHIN_MS,
}
const service = (secret = keys.secret) =>
  makePosService(posServiceSettings({ secret }, simulator.url), surroundings)
const fault = (match: string, effect: Effect) => simulator.control.faults.push({ match, times: 1, effect })
let acts = 0
const act = () => `act-of-a-test-${String(++acts).padStart(4, '0')}`

before(async () => {
  simulator = await startPosServiceSimulator({ keys })
})
after(() => simulator.stop())
beforeEach(() => {
  simulator.control.faults.length = 0
})

const unknown = (error: unknown) => error instanceof ProviderUnknown
const refused = (code: string) => (error: unknown) => error instanceof ProviderRefused && error.code === code

test('a table is counted, backed up, emptied and brought back, each once', async () => {
  const pos = service()
  const shop = 10_000_001
  const before = await pos.tables(shop)
  assert.deepEqual(
    before.map(({ name }) => name),
    ['会员', '商品', '销售单', '储值记录'],
  )
  const count = before[0]?.rows ?? 0
  const [backupAct, emptyAct, restoreAct] = [act(), act(), act()]
  assert.equal(await pos.task(shop, backupAct), null)
  const { backup } = await pos.backUp(shop, 'members', backupAct)
  assert.ok(backup)
  assert.equal(backup.rows, count)
  assert.deepEqual((await pos.backUp(shop, 'members', backupAct)).backup, backup)
  const done = await pos.empty(shop, 'members', backup, emptyAct)
  assert.deepEqual([done.state, done.rows], ['done', count])
  simulator.books.add(shop, 'members', 2)
  // The same act is not done twice: what came since stays.
  assert.deepEqual(await pos.empty(shop, 'members', backup, emptyAct), done)
  assert.equal((await pos.tables(shop))[0]?.rows, 2)
  const back = await pos.restore(shop, 'members', backup.id, restoreAct)
  assert.deepEqual([back.rows, back.beside], [count, 2])
  assert.deepEqual(await pos.restore(shop, 'members', backup.id, restoreAct), back)
  assert.deepEqual(await pos.task(shop, emptyAct), done)
  assert.equal(await pos.task(shop + 1, emptyAct), null)
})

test('a backup that is made is running first', async () => {
  const slow = await startPosServiceSimulator({ keys, paceMs: 60_000 })
  try {
    const pos = makePosService(posServiceSettings(keys, slow.url), surroundings)
    const mine = act()
    const begun = await pos.backUp(10_000_002, 'members', mine)
    assert.deepEqual([begun.state, begun.backup], ['running', null])
    slow.control.moveClock(61_000)
    assert.equal((await pos.task(10_000_002, mine))?.state, 'done')
  } finally {
    await slow.stop()
  }
})

describe('it refuses', () => {
  test('to empty by another backup, one of another shop or table, or a table that has changed', async () => {
    const pos = service()
    const shop = 10_000_003
    const { backup } = await pos.backUp(shop, 'members', act())
    assert.ok(backup)
    const other = { ...backup, checksum: '0'.repeat(64) }
    await assert.rejects(pos.empty(shop, 'members', other, act()), refused('BACKUP_OTHER'))
    await assert.rejects(pos.empty(shop + 1, 'members', backup, act()), refused('BACKUP_GONE'))
    await assert.rejects(pos.empty(shop, 'products', backup, act()), refused('BACKUP_GONE'))
    simulator.books.add(shop, 'members', 1)
    await assert.rejects(pos.empty(shop, 'members', backup, act()), refused('TABLE_CHANGED'))
    await assert.rejects(pos.backUp(shop, 'accounts', act()), refused('TABLE_UNKNOWN'))
  })

  test('to bring back what is kept no more', async () => {
    const aged = await startPosServiceSimulator({ keys })
    try {
      const pos = makePosService(posServiceSettings(keys, aged.url), surroundings)
      const { backup } = await pos.backUp(10_000_004, 'members', act())
      assert.ok(backup)
      // Signatures are of now: the service's own rows are made older instead.
      const kept = aged.books.backup(backup.id)
      assert.ok(kept)
      kept.keptUntil = new Date(Date.now() - 1_000).toISOString()
      await assert.rejects(pos.restore(10_000_004, 'members', backup.id, act()), refused('BACKUP_GONE'))
    } finally {
      await aged.stop()
    }
  })

  test('a call that is not signed with its secret, and one that was signed for another call', async () => {
    await assert.rejects(service(makePosServiceKeys().secret).tables(10_000_001), unknown)
    const body = JSON.stringify({ call: 'tables', shopId: 10_000_001 })
    const seconds = String(Math.floor(Date.now() / 1_000))
    const key = Buffer.from(keys.secret.slice('whsec_'.length), 'base64')
    const signature = createHmac('sha256', key).update(`call_1.${seconds}.${body}`).digest('base64')
    const answer = await fetch(`${simulator.url}/office/v1/empty`, {
      method: 'POST',
      headers: {
        'webhook-id': 'call_1',
        'webhook-timestamp': seconds,
        'webhook-signature': `v1,${signature}`,
      },
      body,
    })
    assert.equal(answer.status, 400)
  })
})

describe('nobody knows what became of a call', () => {
  const EFFECTS: [string, Effect][] = [
    ['no connection', { kind: 'reset-before' }],
    ['a connection cut after the work', { kind: 'reset-after' }],
    ['a server error', { kind: 'status', status: 502, body: 'bad gateway' }],
    ['a refusal that is not signed', { kind: 'status', status: 409, body: '{"code":"TABLE_UNKNOWN"}' }],
    ['half an answer', { kind: 'malformed' }],
    ['a wrong signature', { kind: 'wrong-signature' }],
    ['an answer of long ago', { kind: 'stale-timestamp' }],
  ]
  for (const [what, effect] of EFFECTS)
    test(`where there is ${what}`, async () => {
      const mine = act()
      fault('backup', effect)
      await assert.rejects(service().backUp(10_000_005, 'members', mine), unknown)
      assert.equal((await service().backUp(10_000_005, 'members', mine)).state, 'done')
    })

  test('where there is none within the time', async () => {
    const mine = act()
    const hurried = makePosService(posServiceSettings(keys, simulator.url), {
      ...surroundings,
      timeoutMs: GIVEN_UP_AFTER_MS,
    })
    fault('backup', { kind: 'silence' })
    await assert.rejects(hurried.backUp(10_000_005, 'members', mine), unknown)
    await untilMet(simulator.control.faults)
    assert.equal((await service().backUp(10_000_005, 'members', mine)).state, 'done')
  })

  test('an answer to another call is none to this one', async () => {
    const first = makePosService(posServiceSettings(keys, simulator.url), surroundings)
    let kept: Response | null = null
    const replaying = makePosService(posServiceSettings(keys, simulator.url), {
      ...surroundings,
      fetch: async (...call) => {
        const answer = await fetch(...call)
        const before = kept
        kept = answer.clone()
        return before ?? answer
      },
    })
    assert.equal((await replaying.tables(10_000_006)).length, 4)
    await assert.rejects(replaying.tables(10_000_006), unknown)
    assert.equal((await first.tables(10_000_006)).length, 4)
  })

  test('too many calls are a refusal for now', async () => {
    const busy = makePosService(posServiceSettings(keys, simulator.url), {
      ...surroundings,
      fetch: async (_url, init) => signedBusy(init as RequestInit),
    })
    await assert.rejects(busy.tables(10_000_001), error => error instanceof ProviderBusy)
  })
})

function signedBusy({ headers }: RequestInit): Response {
  const id = new Headers(headers).get('webhook-id') ?? ''
  const seconds = String(Math.floor(Date.now() / 1_000))
  const body = '{"code":"BUSY","message":"请稍后再试"}'
  const key = Buffer.from(keys.secret.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')
  return new Response(body, {
    status: 429,
    headers: { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': `v1,${signature}` },
  })
}
