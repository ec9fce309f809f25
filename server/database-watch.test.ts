import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import test, { after, before } from 'node:test'
import { type Office, openOffice } from '#test/app.ts'
import { until } from '#test/patience.ts'
import { type DatabaseWatch, watchDatabase, watchStandstill } from './database-watch.ts'

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

/** A database that says what it is told to, and what its users were told of it. */
function standing() {
  const now = { answers: true, pieces: 1, heardBytes: 0, hears: false }
  const told: boolean[] = []
  let asked = 0
  const watch: DatabaseWatch = {
    async answers() {
      asked++
      if (now.hears) now.heardBytes++
      return now.answers
    },
    close: async () => undefined,
  }
  const database = { underWay: () => ({ ...now }), stand: (isStill: boolean) => void told.push(isStill) }
  const problems: unknown[] = []
  const { stop } = watchStandstill(watch, database, error => problems.push(error))
  return { now, told, problems, stop, asked: () => asked }
}

test('a database that is silent again and again stands still, which is told once; and when it is back', async () => {
  const { now, told, problems, stop } = standing()
  try {
    now.answers = false
    await until(() => told.length === 1)
    now.answers = true
    await until(() => told.length === 2)
    assert.deepEqual(told, [true, false])
    assert.match(String(problems), /stands still/)
  } finally {
    stop()
  }
})

test('one of which something is heard elsewhere is slow and no more', async () => {
  const { now, told, asked, stop } = standing()
  try {
    Object.assign(now, { answers: false, hears: true })
    await until(() => asked() >= 4)
    assert.deepEqual(told, [])
  } finally {
    stop()
  }
})
