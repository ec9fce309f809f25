import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, createServer as createListener, type Socket } from 'node:net'
import test from 'node:test'
import { type Channel, type FromProcess, openProcessLink, type ToProcess } from './process-link.ts'

const failed = (error: unknown) => assert.fail(String(error))

/** The other end of a channel. */
function channelOf(said: (message: FromProcess) => void) {
  const hearers: Parameters<Channel['onMessage']>[0][] = []
  const hear = (message: ToProcess, socket?: Socket) => {
    for (const one of hearers) one(message, socket)
  }
  return { channel: { send: said, onMessage: (one: (typeof hearers)[0]) => void hearers.push(one) }, hear }
}

test('a connection is said to be taken before anything of it is read, and an idle one can be closed', async () => {
  const said: FromProcess['kind'][] = []
  const { channel, hear } = channelOf(({ kind }) => said.push(kind))
  const link = openProcessLink(2, channel, failed)
  const server = createServer((_, answer) => {
    assert.deepEqual(said, ['ready', 'taken'])
    answer.end('answered')
  })
  link.ready(server)
  const listener = createListener({ pauseOnConnect: true }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const caller = connect((listener.address() as AddressInfo).port, '127.0.0.1')
  const [socket] = (await once(listener, 'connection')) as [Socket]
  hear({ kind: 'connection', id: 1 }, socket)
  socket.resume()
  caller.write('GET / HTTP/1.1\r\nhost: office\r\n\r\n')
  assert.match(String((await once(caller, 'data'))[0]), /answered/)
  const emptied = link.emptied()
  const ended = once(caller, 'close')
  caller.resume()
  server.closeIdleConnections()
  await Promise.all([emptied, ended])
  server.close()
  listener.close()
})

test('a connection that ended on its way is said to be taken, too', () => {
  const said: FromProcess[] = []
  const { channel, hear } = channelOf(message => said.push(message))
  openProcessLink(1, channel, failed)
  hear({ kind: 'connection', id: 7 })
  assert.deepEqual(said, [{ kind: 'taken', id: 7, open: 0 }])
})
