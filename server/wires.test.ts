import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import test from 'node:test'
import { openOffice } from '#test/app.ts'
import { until } from '#test/patience.ts'

test('while stopping, nobody who sends byte by byte is waited for until the time of requests is over', async () => {
  const leaving = await openOffice({ listen: true })
  const { server } = leaving.app.http
  const { port } = server.address() as AddressInfo
  const asked = once(server, 'request')
  const slow = connect(port, '127.0.0.1')
  const heard: Buffer[] = []
  slow.on('data', bytes => heard.push(bytes))
  await once(slow, 'connect')
  slow.write('POST /callbacks/pay/wechat HTTP/1.1\r\nhost: office\r\ncontent-length: 100\r\n\r\nabc')
  await asked
  const cut = once(slow, 'close')
  await leaving.stop()
  await cut
  assert.equal(Buffer.concat(heard).toString(), '', 'it was cut, and not told that its time is over')
})

test('while stopping, a connection over which nothing was asked is not waited for', async () => {
  const leaving = await openOffice({ listen: true })
  const { server } = leaving.app.http
  const { port } = server.address() as AddressInfo
  const asked = once(server, 'request')
  let connections = 0
  server.on('connection', () => connections++)
  // Its time is over when all others are cut: then this one was waited for.
  const slow = connect(port, '127.0.0.1')
  const unused = connect(port, '127.0.0.1')
  await until(() => connections === 2)
  slow.write('POST /callbacks/pay/wechat HTTP/1.1\r\nhost: office\r\ncontent-length: 100\r\n\r\nabc')
  await asked
  const ended: string[] = []
  slow.on('error', () => undefined).once('close', () => ended.push('slow'))
  unused.on('error', () => undefined).once('close', () => ended.push('unused'))
  await leaving.stop()
  await until(() => ended.length === 2)
  assert.deepEqual(ended, ['unused', 'slow'])
})

test('whoever may send no large file holds no connection by sending one byte by byte', async () => {
  const office = await openOffice({ listen: true })
  try {
    const { port } = office.app.http.server.address() as AddressInfo
    const slow = connect(port, '127.0.0.1')
    const heard: Buffer[] = []
    slow.on('data', bytes => heard.push(bytes)).on('error', () => undefined)
    const cut = once(slow, 'close')
    slow.write(
      'POST /api/large-files?purpose=download HTTP/1.1\r\nhost: office\r\nx-requested-with: partner-office\r\n' +
        'content-type: application/octet-stream\r\ncontent-length: 100000\r\n\r\nabc',
    )
    await cut
    assert.match(Buffer.concat(heard).toString(), /^HTTP\/1\.1 401 /)
  } finally {
    await office.stop()
  }
})
