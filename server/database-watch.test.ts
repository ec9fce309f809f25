import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import test, { after, before } from 'node:test'
import { type Office, openOffice } from '#test/app.ts'
import { watchDatabase } from './database-watch.ts'

let office: Office
before(async () => {
  office = await openOffice()
})
after(() => office.stop())

test('a database that answers is there, and one question is asked for all who ask at once', async () => {
  const watch = watchDatabase(office.ownerUrl, 60_000)
  try {
    const [first, second] = [watch.answers(), watch.answers()]
    assert.equal(first, second)
    assert.deepEqual(await Promise.all([first, watch.answers()]), [true, true])
  } finally {
    await watch.close()
  }
})

test('one that takes a connection and says nothing is not there', async () => {
  const wires = new Set<Socket>()
  const silent = createServer(wire => wires.add(wire)).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const watch = watchDatabase(`postgres://nobody:x@127.0.0.1:${port}/none`, 50)
  try {
    assert.equal(await watch.answers(), false)
    assert.equal(await watch.answers(), false)
  } finally {
    for (const wire of wires) wire.destroy()
    silent.close()
    await watch.close()
  }
})

test('one that is not reached is not there', async () => {
  const watch = watchDatabase('postgres://nobody:x@127.0.0.1:1/none', 60_000)
  try {
    assert.equal(await watch.answers(), false)
  } finally {
    await watch.close()
  }
})

test('a full pool of requests is no missing database', async () => {
  const held = []
  for (let at = 0; at < office.app.services.env.poolSize; at++)
    held.push(await office.app.services.database.pool.connect())
  try {
    const answer = await office.app.http.inject('/readyz')
    assert.equal(answer.json().checks.database, true)
  } finally {
    for (const client of held) client.release()
  }
})
