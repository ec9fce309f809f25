// The desk's print program under those who mean it no good: programs of the same machine, which can claim any origin.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createConnection, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { BRIDGE_LIMITS, CLOSED } from '#kit/print/bridge/bridge.ts'
import { connect, letIn, ORIGIN, openDesks, pairedPage, printOf } from '#test/print/desk.ts'

const DATA = Buffer.from('^XA便民超市^XZ')
const { atEnd, newDesk, started } = openDesks()

/** A connection below the WebSocket. */
async function rawSocket(
  port: number,
): Promise<{ socket: Socket; said: () => string; closed: Promise<void> }> {
  const socket = createConnection({ port, host: '127.0.0.1' })
  let said = ''
  socket.on('data', part => {
    said += part.toString('latin1')
  })
  socket.on('error', () => undefined)
  const closed = new Promise<void>(resolve => socket.once('close', () => resolve()))
  await new Promise(resolve => socket.once('connect', resolve))
  atEnd(async () => void socket.destroy())
  return { socket, said: () => said, closed }
}

const upgrade = (port: number) =>
  [
    'GET / HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    `Origin: ${ORIGIN}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
    '\r\n',
  ].join('\r\n')

/** A frame as a page sends it. */
function frame(code: number, payload: Buffer, { last = true } = {}): Buffer {
  const { length } = payload
  const size = Buffer.alloc(length < 126 ? 0 : 2)
  if (length >= 126) size.writeUInt16BE(length)
  const head = Buffer.from([(last ? 0x80 : 0) | code, 0x80 | Math.min(length, 126)])
  // A mask of zeros changes nothing.
  return Buffer.concat([head, size, Buffer.alloc(4), payload])
}

describe('a program of the same machine', () => {
  test('does not lock pages out: strangers make room, however many there are', async () => {
    const desk = newDesk()
    const { port } = await started(desk)
    const { page, token } = await pairedPage(desk, port)
    const crowd = []
    for (let at = 0; at < BRIDGE_LIMITS.connections * 3; at += 1) crowd.push(await connect(port))
    const late = await letIn(port, token)
    for (const one of [page, late]) {
      one.send({ type: 'log' })
      await one.next('log')
    }
    // Of those who said nothing the first are gone.
    await crowd[0]?.closed
    assert.equal(crowd.at(-1)?.socket.readyState, late.socket.OPEN)
  })

  test('does not hold connections with a handshake that never ends', async () => {
    const desk = newDesk()
    const { port } = await started(desk, { handshakeMs: 200 })
    const slow = []
    for (let at = 0; at < BRIDGE_LIMITS.sockets; at += 1) {
      const one = await rawSocket(port)
      one.socket.write('GET / HTTP/1.1\r\nHost: 127.0.0.1')
      slow.push(one)
    }
    await Promise.all(slow.map(({ closed }) => closed))
    await pairedPage(desk, port)
  })

  test('is cut off where its fragments or its one long frame come to too much', async () => {
    const desk = newDesk()
    const { port } = await started(desk)
    const part = Buffer.alloc(60_000, 0x20)
    for (const frames of [
      [frame(1, part, { last: false }), frame(0, part, { last: false }), frame(0, part, { last: false })],
      // Announced as ten megabytes, of which some come.
      [Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0xa0, 0, 0, 0, 0, 0, 0]), part, part, part],
    ]) {
      const stranger = await rawSocket(port)
      stranger.socket.write(upgrade(port))
      for (const one of frames) stranger.socket.write(one)
      await stranger.closed
    }
    // One that is let in may send a job's size, in however many fragments, and no more.
    const { page } = await pairedPage(desk, port)
    const text = Buffer.alloc(1_048_576, 0x20)
    for (let at = 0; at < 12; at += 1) page.socket.send(text, { fin: false, binary: false })
    assert.equal(await page.closed, 1009)
    await pairedPage(desk, port)
  })

  test('is cut off where it floods with pings or with pongs', async () => {
    const desk = newDesk()
    const { port } = await started(desk)
    const { page, token } = await pairedPage(desk, port)
    const other = await letIn(port, token)
    for (let at = 0; at < BRIDGE_LIMITS.burst * 2; at += 1) {
      page.socket.ping()
      other.socket.pong()
    }
    assert.deepEqual(await Promise.all([page.closed, other.closed]), [1006, 1006])
    await letIn(port, token)
  })

  test('is cut off where it asks on and reads nothing of it', async () => {
    const desk = newDesk({ more: { logMost: 100 } })
    const { port } = await started(desk)
    const { page, token } = await pairedPage(desk, port)
    for (let at = 0; at < 100; at += 1) {
      page.send(printOf(`j-${at}`, 'folder', DATA, { name: '价'.repeat(80) }))
      await page.next('done', `j-${at}`)
    }
    const deaf = await letIn(port, token)
    deaf.socket.pause()
    for (let at = 1; at < BRIDGE_LIMITS.burst; at += 1) deaf.send({ type: 'log' })
    // The system holds some megabytes of it.
    const asking = setInterval(() => {
      for (let at = 0; at < 9; at += 1) deaf.send({ type: 'log' })
    }, 100)
    atEnd(async () => clearInterval(asking))
    const raw = deaf.socket as unknown as { _socket: Socket }
    await new Promise<void>(resolve => raw._socket.once('close', () => resolve()))
    await letIn(port, token)
  })

  test('reaches nothing by the names of things', async () => {
    const desk = newDesk({
      more: {
        targets: [{ way: 'file', id: 'constructor', name: '文件夹', language: 'zpl', folder: 'printed' }],
      },
    })
    const { port } = await started(desk)
    const page = await connect(port)
    page.send({ type: 'pair', code: desk.pairingCode(), office: '测试' })
    const { targets, defaults } = await page.next('welcome')
    assert.deepEqual(
      targets.map(({ calibration }) => calibration.scaleX),
      [10_000],
    )
    assert.deepEqual(defaults, { label: null, receipt: null })
    for (const target of ['__proto__', 'toString', '../printed', '..', '/etc/passwd', 'constructor/../x']) {
      page.send(printOf('t', target, DATA))
      assert.equal((await page.next('failed')).reason, 'target-unknown', target)
      page.send({ type: 'default', kind: 'label', target })
      assert.equal((await page.next('refused')).reason, 'target-unknown', target)
    }
    // Of no known shape: what stands in an id or beside what is known.
    for (const message of [
      printOf('../../x', 'constructor', DATA),
      printOf('x/y', 'constructor', DATA),
      printOf('x\u0000', 'constructor', DATA),
      printOf('p', 'constructor', DATA, { path: '/tmp/x' }),
      { type: 'default', kind: '__proto__', target: 'constructor' },
      { type: 'ask', id: ['a'] },
    ]) {
      page.send(message)
      assert.equal((await page.next('refused')).reason, 'message', JSON.stringify(message))
    }
    page.send(`{"type":"ask","id":"n","__proto__":{"id":"x"}}`)
    await Promise.race([page.next('refused'), page.next('unknown')])
    assert.equal(({} as { id?: string }).id, undefined)

    // A name is a name, however it looks; two jobs of one name are two files.
    const names = ['../../../tmp/x', '/etc/passwd', '..', 'a\u0000b', 'CON', '💥'.repeat(40), '. .']
    for (const [at, name] of names.entries()) {
      page.send(printOf(`n-${at}`, 'constructor', DATA, { name }))
      await page.next('done', `n-${at}`)
    }
    page.send(printOf('same', 'constructor', DATA, { name: 'CON' }))
    await page.next('done', 'same')
    const files = readdirSync(join(desk.dir, 'printed'))
    assert.equal(files.length, names.length + 1)
    assert.ok(
      files.every(name => /^[^./\\\0][^/\\\0]*-[0-9a-f]{12}\.zpl$/.test(name)),
      files.join(),
    )
    assert.deepEqual(readdirSync(desk.dir).toSorted(), [
      'config.json',
      'jobs.jsonl',
      'own-key',
      'printed',
      'spool',
      'state.json',
    ])
  })
})

test('what is kept of jobs stays within its bounds, however many are printed', async () => {
  const desk = newDesk({ more: { logMost: 100, keptMost: 100_000 } })
  const { port } = await started(desk)
  const { page } = await pairedPage(desk, port)
  for (let at = 0; at < 150; at += 1) {
    page.send(printOf(`g-${at}`, 'folder', randomBytes(2_000)))
    await page.next('done', `g-${at}`)
  }
  const lines = readFileSync(join(desk.dir, 'jobs.jsonl'), 'utf8').split('\n').length
  assert.ok(lines <= 100 * 4 + 2, `${lines} lines`)
  const spool = readdirSync(join(desk.dir, 'spool')).map(name => statSync(join(desk.dir, 'spool', name)).size)
  const kept = spool.reduce((sum, size) => sum + size, 0)
  assert.ok(kept <= 100_000, `${kept} bytes`)
  page.send({ type: 'ask', id: 'g-149' })
  await page.next('done', 'g-149')
  // Older than all rows that are kept.
  page.send({ type: 'ask', id: 'g-0' })
  await page.next('unknown', 'g-0')
})

test('a code that is half written pairs nobody and breaks nothing', async () => {
  const desk = newDesk()
  const { port } = await started(desk)
  const hash = createHash('sha256').update('12345678').digest('hex')
  for (const content of ['', '{', '[]', JSON.stringify({ hash, left: 5 })]) {
    writeFileSync(join(desk.dir, 'pairing.json'), content)
    const page = await connect(port)
    page.send({ type: 'pair', code: '12345678', office: '' })
    assert.notEqual(await page.closed, CLOSED.tooLate)
    assert.ok(!page.heard.some(({ type }) => type === 'paired'))
  }
  await pairedPage(desk, port)
})
