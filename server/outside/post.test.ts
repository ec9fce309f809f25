import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import test, { after, describe } from 'node:test'
import { AddressRefused, type OutsidePost, postOutside, type Resolve } from './post.ts'

const servers: Server[] = []
after(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

async function listening(answer: RequestListener): Promise<number> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
const post = (url: string, more: Partial<OutsidePost> = {}) =>
  postOutside({
    ...{
      url,
      headers: { 'content-type': 'application/json' },
      body: '{"a":"店"}',
      withinMs: 2_000,
      answerMost: 64,
    },
    toLoopback: true,
    ...more,
  })
const at =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 }))

describe('a request to an address of somebody else', () => {
  test('carries headers and body, and brings the status with the beginning of the answer', async () => {
    let got = ''
    const port = await listening(async (request, response) => {
      for await (const part of request) got += part
      response.writeHead(202, { 'x-type': request.headers['content-type'] }).end('y'.repeat(100_000))
    })
    assert.deepEqual(await post(`http://127.0.0.1:${port}/hook`), { status: 202, answer: 'y'.repeat(64) })
    assert.equal(got, '{"a":"店"}')
  })

  test('goes to the address that was looked at, whatever the name leads to afterwards', async () => {
    const port = await listening((request, response) => response.end(request.headers.host))
    let asked = 0
    const resolve: Resolve = async () => {
      asked++
      return [{ address: asked === 1 ? '127.0.0.1' : '192.0.2.1', family: 4 }]
    }
    const { answer } = await post(`http://pos.example:${port}/`, { resolve })
    assert.deepEqual([answer, asked], [`pos.example:${port}`, 1])
  })

  test('is not sent where one address of the name is closed', async () => {
    let calls = 0
    const port = await listening((_, response) => {
      calls++
      response.end()
    })
    for (const resolve of [
      at('127.0.0.1'),
      at('8.8.8.8', '10.0.0.1'),
      at('::1'),
      at('::ffff:127.0.0.1'),
      at(),
    ])
      await assert.rejects(
        post(`https://pos.example:${port}/`, { toLoopback: false, resolve }),
        AddressRefused,
      )
    await assert.rejects(
      post('https://pos.example/', { resolve: at('127.0.0.1', '10.0.0.1') }),
      AddressRefused,
    )
    for (const host of [
      '127.0.0.1',
      '[::1]',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '127.1',
      '[::ffff:7f00:1]',
    ])
      await assert.rejects(post(`https://${host}:${port}/`, { toLoopback: false }), AddressRefused, host)
    assert.equal(calls, 0)
  })

  test('is sealed, but on this machine', async () => {
    await assert.rejects(post('http://pos.example/', { resolve: at('8.8.8.8') }), AddressRefused)
    await assert.rejects(post('ftp://127.0.0.1/'), AddressRefused)
  })

  test('does not follow where it is sent on', async () => {
    let calls = 0
    const port = await listening((_, response) => {
      calls++
      response.writeHead(302, { location: '/other' }).end()
    })
    assert.equal((await post(`http://127.0.0.1:${port}/`)).status, 302)
    assert.equal(calls, 1)
  })

  test('ends when its time is over: before an answer, in the middle of one, and while the name is looked for', async () => {
    const silent = await listening(() => undefined)
    const slow = await listening((_, response) => void response.writeHead(200).write('x'))
    for (const port of [silent, slow])
      await assert.rejects(post(`http://127.0.0.1:${port}/`, { withinMs: 100 }), { name: 'TimeoutError' })
    const never: Resolve = () => new Promise(() => undefined)
    await assert.rejects(post('https://pos.example/', { withinMs: 100, resolve: never }), {
      name: 'TimeoutError',
    })
  })

  test('can be stopped', async () => {
    const port = await listening(() => undefined)
    const stop = new AbortController()
    const sent = post(`http://127.0.0.1:${port}/`, { signal: stop.signal })
    stop.abort()
    await assert.rejects(sent, { name: 'AbortError' })
  })

  test('keeps no zero bytes of an answer, which no text of the database holds', async () => {
    const port = await listening((_, response) => response.end('a\0b'))
    assert.equal((await post(`http://127.0.0.1:${port}/`)).answer, 'ab')
  })
})
