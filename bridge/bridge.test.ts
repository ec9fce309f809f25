// The desk's print program: whom it lets in, and that every job comes to paper once.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { BRIDGE_LIMITS, CLOSED, PAIRING } from '#kit/print/bridge/bridge.ts'
import { connect, letIn, ORIGIN, openDesks, pairedPage, printOf, type TestDesk } from '#test/print/desk.ts'

const DATA = Buffer.from([...Array(256).keys(), ...Buffer.from('^XA便民超市^XZ')])
const hashOf = (data: Buffer) => createHash('sha256').update(data).digest('hex')

const { newDesk, newPrinter, started } = openDesks()

const isAlive = async (desk: TestDesk, port: number) => {
  const { page } = await pairedPage(desk, port)
  page.send(printOf(`alive-${randomBytes(4).toString('hex')}`, 'folder', DATA))
  assert.equal((await page.next('done')).sha256, hashOf(DATA))
  page.socket.close()
}

describe('the door', () => {
  test('is shut to pages of other origins, to other names of this machine, and to other paths', async () => {
    const desk = newDesk()
    const { port } = await started(desk)
    const foreign = [
      'http://127.0.0.1:4998',
      'https://evil.example',
      'null',
      `${ORIGIN}.evil.example`,
      `${ORIGIN}/`,
    ]
    for (const origin of foreign) await assert.rejects(connect(port, { origin }), /403/, origin)
    const hosts = [
      'localhost',
      `localhost:${port}`,
      `evil.example:${port}`,
      '127.0.0.1',
      `127.0.0.1:${port + 1}`,
    ]
    for (const host of hosts) await assert.rejects(connect(port, { host }), /403/, host)
    await isAlive(desk, port)
  })

  test('lets nobody print without a token, nor with one of another office or a wrong one', async () => {
    const other = 'https://office.example'
    const desk = newDesk({ origins: [ORIGIN, other] })
    const { port } = await started(desk)
    const stranger = await connect(port)
    stranger.send(printOf('a', 'folder', DATA))
    assert.equal(await stranger.closed, CLOSED.refused)
    const { token } = await pairedPage(desk, port)
    for (const [origin, given] of [
      [other, token],
      [ORIGIN, randomBytes(32).toString('base64url')],
      [ORIGIN, ''],
    ] as const) {
      const page = await connect(port, { origin })
      page.send({ type: 'hello', token: given })
      assert.equal((await page.next('unpaired')).reason, 'token')
      assert.equal(await page.closed, CLOSED.unpaired)
    }
    assert.deepEqual(desk.printed(), [])
  })

  test('keeps a token as its hash alone, and forgets it when told so', async () => {
    const desk = newDesk()
    const { port } = await started(desk)
    const { page, token } = await pairedPage(desk, port)
    const state = readFileSync(join(desk.dir, 'state.json'), 'utf8')
    assert.ok(!state.includes(token) && state.includes(hashOf(Buffer.from(token))))
    const sibling = await letIn(port, token)
    page.send({ type: 'forget' })
    assert.deepEqual([await page.closed, await sibling.closed], [CLOSED.unpaired, CLOSED.unpaired])
    const again = await connect(port)
    again.send({ type: 'hello', token })
    assert.equal((await again.next('unpaired')).reason, 'token')
  })

  test('stands a thousand hostile messages, on open connections and on paired ones', async () => {
    const desk = newDesk()
    const { port } = await started(desk)
    const hostile = [
      ...['', '{', '[]', 'null', '"x"', '{"type":"hello"}', '{"type":"__proto__"}', '\u0000'.repeat(100)],
      ...['{"__proto__":{"token":"x"},"type":"print"}', '[['.repeat(900), 'x'.repeat(1_900)],
      JSON.stringify({ type: 'hello', token: { toString: 'x' } }),
      JSON.stringify({
        type: 'print',
        id: '../../x',
        target: 'folder',
        copies: 1,
        kind: 'label',
        name: '',
        data: 'AAAA',
      }),
    ]
    for (let sent = 0; sent < 500; ) {
      const page = await connect(port)
      for (let at = 0; at < 50; at += 1, sent += 1) page.send(hostile[sent % hostile.length])
      assert.equal(await page.closed, CLOSED.refused)
    }
    const { token } = await pairedPage(desk, port)
    for (let sent = 0; sent < 500; ) {
      const page = await letIn(port, token)
      for (let at = 0; at < 50; at += 1, sent += 1) page.send(hostile[sent % hostile.length])
      assert.equal(await page.closed, CLOSED.refused)
    }
    assert.deepEqual(desk.printed(), [])
    await isAlive(desk, port)
  })

  test('takes no message too large, no flood and no crowd', async () => {
    const desk = newDesk()
    const { port } = await started(desk)
    const stranger = await connect(port)
    stranger.send('x'.repeat(BRIDGE_LIMITS.strangerMost + 1))
    assert.equal(await stranger.closed, CLOSED.refused)
    const { page, token } = await pairedPage(desk, port)
    page.send('x'.repeat(BRIDGE_LIMITS.messageMost + 1))
    assert.equal(await page.closed, 1009)
    const large = await letIn(port, token)
    large.send(printOf('large', 'folder', Buffer.alloc(BRIDGE_LIMITS.dataMost + 1)))
    assert.equal((await large.next('failed')).reason, 'too-large')
    const flood = await letIn(port, token)
    for (let at = 0; at < BRIDGE_LIMITS.burst * 2; at += 1) flood.send({ type: 'log' })
    assert.equal(await flood.closed, CLOSED.tooMany)
    const crowd = []
    for (let at = 1; at < BRIDGE_LIMITS.connections; at += 1) crowd.push(await letIn(port, token))
    await assert.rejects(connect(port), /503/)
    for (const { socket } of [...crowd, large]) socket.close()
    await Promise.all([...crowd, large].map(({ closed }) => closed))
    await isAlive(desk, port)
  })
})

describe('the pairing code', () => {
  const attempt = async (port: number, code: string) => {
    const page = await connect(port)
    page.send({ type: 'pair', code, office: '' })
    return Promise.race([
      page.next('paired').then(() => 'paired'),
      page.next('unpaired').then(({ reason }) => reason),
    ])
  }

  test('is good once, with or without its gap', async () => {
    const desk = newDesk()
    const { port } = await started(desk)
    assert.equal(await attempt(port, '12345678'), 'none')
    const code = desk.pairingCode()
    assert.equal(await attempt(port, `${code.slice(0, 4)} ${code.slice(4)}`), 'paired')
    assert.equal(await attempt(port, code), 'none')
  })

  test('is over after its tries and after its time', async () => {
    let now = Date.now()
    const desk = newDesk()
    const { port } = await started(desk, { now: () => now })
    const code = desk.pairingCode()
    const wrong = code === '00000000' ? '00000001' : '00000000'
    for (let left = PAIRING.tries - 1; left >= 0; left -= 1)
      assert.equal(await attempt(port, wrong), left > 0 ? 'code' : 'tries')
    assert.equal(await attempt(port, code), 'tries')
    const late = desk.pairingCode()
    now += PAIRING.minutes * 60_000 + 1_000
    assert.equal(await attempt(port, late), 'expired')
  })
})

describe('a job', () => {
  test('comes byte by byte to a file and to a TCP printer, in as many copies as were asked for', async () => {
    const printer = await newPrinter()
    const desk = newDesk({ printerPort: printer.port })
    const { port } = await started(desk)
    const { page } = await pairedPage(desk, port)
    const data = randomBytes(300_000)
    for (const target of ['folder', 'front']) {
      page.send(printOf(`job-${target}`, target, data, { copies: 2 }))
      await page.next('accepted')
      assert.equal((await page.next('done', `job-${target}`)).sha256, hashOf(data))
    }
    const twice = Buffer.concat([data, data])
    assert.ok(desk.printed()[0]?.equals(twice) && printer.jobs[0]?.equals(twice))
    page.send({ type: 'log' })
    const { rows } = await page.next('log')
    assert.deepEqual(
      rows.map(({ id, state, sha256, copies, kept }) => ({ id, state, sha256, copies, kept })),
      ['front', 'folder'].map(target => ({
        ...{ id: `job-${target}`, state: 'done', sha256: hashOf(data), copies: 2, kept: true },
      })),
    )
    page.send({ type: 'reprint', id: 'again', of: 'job-front', copies: 1 })
    await page.next('done', 'again')
    assert.ok(printer.jobs[1]?.equals(data))
  })

  test('asked for twice is printed once, also after a lost connection and a restart; another under its id is refused', async () => {
    const desk = newDesk()
    const bridge = await desk.start()
    const { page, token } = await pairedPage(desk, bridge.port)
    page.send(printOf('one', 'folder', DATA))
    page.socket.terminate()
    const again = await letIn(bridge.port, token)
    again.send(printOf('one', 'folder', DATA))
    await again.next('done', 'one')
    await bridge.stop()
    const { port } = await started(desk)
    const later = await letIn(port, token)
    later.send(printOf('one', 'folder', DATA))
    await later.next('done', 'one')
    later.send({ type: 'ask', id: 'one' })
    await later.next('done', 'one')
    later.send({ type: 'ask', id: 'none' })
    await later.next('unknown', 'none')
    later.send(printOf('one', 'folder', Buffer.from('other')))
    assert.equal((await later.next('failed', 'one')).reason, 'id-reused')
    assert.equal(desk.printed().length, 1)
  })

  test('is refused with its reason: unknown printer, unknown kind, too many copies', async () => {
    const desk = newDesk({ more: { copiesMost: 3 } })
    const { port } = await started(desk)
    const { page } = await pairedPage(desk, port)
    for (const [target, more, reason] of [
      ['10.0.0.1:9100', {}, 'target-unknown'],
      ['folder', { kind: 'cheque' }, 'kind-unknown'],
      ['folder', { copies: 4 }, 'copies-too-many'],
    ] as const) {
      page.send(printOf(`r-${reason}`, target, DATA, more))
      assert.equal((await page.next('failed')).reason, reason)
    }
  })

  test('of a batch waits while the printer is unplugged, then goes on where it stopped, without a double', async () => {
    const printer = await newPrinter()
    const desk = newDesk({ printerPort: printer.port })
    const { port } = await started(desk)
    const { page } = await pairedPage(desk, port)
    const labels = Array.from({ length: 12 }, (_, at) => Buffer.from(`label ${at}`))
    for (const at of labels.keys()) {
      if (at === 5) {
        await page.next('done', 'b-4')
        await printer.pull()
      }
      page.send(printOf(`b-${at}`, 'front', labels[at] as Buffer))
    }
    assert.equal((await page.next('waiting', 'b-5')).reason, 'offline')
    // Whoever resumes asks for all that it does not know as done.
    for (const at of labels.keys()) page.send(printOf(`b-${at}`, 'front', labels[at] as Buffer))
    await printer.plug()
    await page.next('done', 'b-11')
    assert.deepEqual(printer.jobs.map(String), labels.map(String))
  })

  test('waits for paper as long as the printer takes nothing, and is told of', async () => {
    const printer = await newPrinter()
    const desk = newDesk({ printerPort: printer.port })
    const { port } = await started(desk)
    const { page } = await pairedPage(desk, port)
    const data = randomBytes(BRIDGE_LIMITS.dataMost)
    printer.hold(true)
    page.send(printOf('long', 'front', data))
    assert.equal((await page.next('waiting', 'long')).reason, 'stalled')
    printer.hold(false)
    await page.next('done', 'long')
    assert.deepEqual(printer.jobs.map(hashOf), [hashOf(data)])
  })

  test('cut off in the middle is not printed again by itself', async () => {
    const printer = await newPrinter()
    const desk = newDesk({ printerPort: printer.port })
    const { port } = await started(desk)
    const { page } = await pairedPage(desk, port)
    const data = randomBytes(BRIDGE_LIMITS.dataMost)
    printer.hold(true)
    page.send(printOf('cut', 'front', data))
    await page.next('waiting', 'cut')
    await printer.pull()
    assert.equal((await page.next('failed', 'cut')).reason, 'broken')
    await printer.plug()
    printer.hold(false)
    page.send(printOf('cut', 'front', data))
    assert.equal((await page.next('failed', 'cut')).reason, 'broken')
    assert.deepEqual(printer.jobs, [])
  })

  test('is taken back while it waits', async () => {
    const printer = await newPrinter()
    const desk = newDesk({ printerPort: printer.port })
    const { port } = await started(desk)
    const { page } = await pairedPage(desk, port)
    await printer.pull()
    page.send(printOf('first', 'front', DATA))
    page.send(printOf('second', 'front', DATA))
    await page.next('waiting', 'first')
    for (const id of ['second', 'first']) {
      page.send({ type: 'cancel', id })
      assert.equal((await page.next('failed', id)).reason, 'cancelled')
    }
    await printer.plug()
    page.send(printOf('third', 'front', Buffer.from('third')))
    await page.next('done', 'third')
    assert.deepEqual(printer.jobs.map(String), ['third'])
  })
})
