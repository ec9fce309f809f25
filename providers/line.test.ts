import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import test, { after, before } from 'node:test'
import { ProviderUnknown } from '#kit/ports/providers.ts'
import { call } from './call.ts'
import { openLine } from './line.ts'

const FAR_OFF_MS = 600_000
let url: string
/** Answers nothing, half of an answer, or all of it. */
const server = createServer(({ url: path }, response) => {
  if (path === '/half') response.write('half')
  if (path === '/whole') response.writeHead(201, { 'x-own': 'kept' }).end('whole')
  if (path === '/empty') response.writeHead(204).end()
})

before(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
after(() => {
  server.close()
  server.closeAllConnections()
})

test('an answer comes through as it is, with or without a body', async () => {
  const line = openLine()
  const ask = (path: string) => call({ fetch: line.fetch, timeoutMs: FAR_OFF_MS }, url + path, {})
  const { status, headers, body } = await ask('/whole')
  assert.deepEqual([status, headers.get('x-own'), body.toString()], [201, 'kept', 'whole'])
  assert.deepEqual([(await ask('/empty')).status, (await ask('/empty')).body.length], [204, 0])
})

for (const path of ['/nothing', '/half'])
  test(`who stops does not wait for ${path}: what became of the call is unknown`, async () => {
    const line = openLine()
    const asking = call({ fetch: line.fetch, timeoutMs: FAR_OFF_MS }, url + path, {})
    await once(server, 'request')
    line.hangUp(0)
    await assert.rejects(asking, (error: Error) => {
      assert.ok(error instanceof ProviderUnknown)
      assert.match(String((error.cause as Error).message), /stopping/)
      assert.equal((error.cause as NodeJS.ErrnoException).code, undefined, 'it may have been done')
      return true
    })
  })

test('a call under way when the program stops still gets its answer', async () => {
  const line = openLine()
  const asking = line.fetch(`${url}/whole`)
  line.hangUp()
  assert.equal(await (await asking).text(), 'whole')
})

test('who stops begins no call, and says that nothing has left', async () => {
  const line = openLine()
  line.hangUp()
  let calls = 0
  const count = () => void calls++
  server.on('request', count)
  await assert.rejects(
    call({ fetch: line.fetch, timeoutMs: FAR_OFF_MS }, `${url}/whole`, {}),
    (error: Error) => {
      assert.ok(error instanceof ProviderUnknown)
      assert.equal((error.cause as NodeJS.ErrnoException).code, 'ECONNREFUSED')
      return true
    },
  )
  server.off('request', count)
  assert.equal(calls, 0)
})
