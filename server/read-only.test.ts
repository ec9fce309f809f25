// What only looks writes nothing: the database refuses it, whatever the code says.
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import test, { after, before } from 'node:test'
import { call } from '@orpc/server'
import { z } from 'zod'
import { downloads } from '#app/joined.ts'
import { download, op } from '#kit/declare/op.ts'
import { type Office, openOffice } from '#test/app.ts'
import { makeAgent } from '#test/make.ts'
import { type CallContext, type Ctx, NO_CALLER } from './ctx.ts'
import { firstCause, sqlState } from './db.ts'
import { openDownload, serveDownload } from './documents/export.ts'
import { openPdf, servePdf } from './documents/pdf.ts'
import { openReadyFile, serveReadyFile } from './ready-file.ts'
import { serve } from './serve.ts'
import { readAsSystem } from './system.ts'

let office: Office
let context: CallContext

before(async () => {
  office = await openOffice()
  const { loginName } = await makeAgent(office)
  const cookie = await office.login(loginName)
  const request = {
    id: 'test',
    ip: '127.0.0.1',
    userAgent: '',
    ...NO_CALLER,
    sessionToken: cookie.slice(cookie.indexOf('=') + 1),
    setSession: () => undefined,
    setView: () => undefined,
    setDevice: () => undefined,
  }
  context = { services: office.app.services, request }
})
after(() => office.stop())

const write = ({ client }: Pick<Ctx, 'client'>, subject: string) =>
  client.query('insert into login_failures (subject, created_at) values ($1, now())', [subject])

async function written(): Promise<string[]> {
  const { rows } = await office.owner.query<{ subject: string }>('select subject from login_failures')
  return rows.map(({ subject }) => subject)
}

async function refused(work: Promise<unknown>): Promise<void> {
  await assert.rejects(work, error => {
    assert.equal(sqlState(error), '25006')
    assert.match(String(firstCause(error)), /cannot execute INSERT in a read-only transaction/)
    return true
  })
  assert.deepEqual(await written(), [])
}

const done = z.object({ written: z.string() })
const contract = {
  look: op({ permission: 'session' }, { method: 'GET', path: '/look', summary: 'Looks' }).output(done),
  change: op(
    { permission: 'session', ephemeral: true },
    { method: 'POST', path: '/change', summary: 'Changes' },
  ).output(done),
}
const verb = async (ctx: Ctx) => {
  await write(ctx, 'by an operation')
  return { written: 'by an operation' }
}
const { look, change } = serve(contract, { look: verb, change: verb })
assert.ok(look && change)
const asked = (operation: typeof look) => call(operation, undefined, { context })

const paths = {
  permission: 'session',
  log: '文件',
  path: '/made',
  fileName: '文件',
  input: z.object({}),
} as const
const ready = { name: '文件.txt', type: 'text/plain', rows: 0 }
const empty = { ...ready, open: async () => ({ bytes: Readable.from([]) }) }

test('an operation that looks is refused what it writes, and its connection serves on', async () => {
  await refused(asked(look))
  await refused(readAsSystem(office.app.services, ctx => write(ctx, 'by the program')))
  assert.deepEqual(await asked(change), { written: 'by an operation' })
  assert.deepEqual(await written(), ['by an operation'])
  await office.owner.query('delete from login_failures')
  // The connection that a change had looks again.
  await refused(asked(look))
})

test('who sees own shops alone is refused alike', async () => {
  for (const policies of [true, false]) {
    const identity = { agentId: 1, scope: 'own', ownShops: { managerId: 1, views: true, policies } } as const
    await refused(office.app.services.database.read(identity, lent => write(lent, 'by a colleague')))
  }
})

test('a file is refused what it writes while it is made', async () => {
  const list = serveDownload(download(paths), async ctx => {
    await write(ctx, 'by a list')
    throw new Error('written')
  })
  await refused(openDownload(list, context, {}))
  const paper = servePdf(download({ ...paths, format: 'pdf' }), async ctx => {
    await write(ctx, 'by a paper')
    throw new Error('written')
  })
  await refused(openPdf(paper, context, {}))
  const file = serveReadyFile(download(paths), async ctx => {
    await write(ctx, 'by a file')
    return empty
  })
  await refused(openReadyFile(file, context, {}))
})

test('a file that is declared to count writes its count beside its row of the log, and no other can', async () => {
  const counts = async (ctx: Ctx) => {
    await write(ctx, 'by a count')
    return true
  }
  const file = serveReadyFile(download({ ...paths, counts: true }), async () => empty, counts)
  await openReadyFile(file, context, {})
  assert.deepEqual(await written(), ['by a count'])
  await office.owner.query('delete from login_failures')
  assert.throws(() => serveReadyFile(download(paths), async () => empty, counts), /declared to/)
  assert.throws(() => serveReadyFile(download({ ...paths, counts: true }), async () => empty), /declared to/)
})

test('one download of the program counts', () => {
  const counting = Object.entries(downloads).flatMap(([feature, files]) =>
    Object.entries(files).flatMap(([name, file]) => (file.download.counts ? [`${feature}.${name}`] : [])),
  )
  assert.deepEqual(counting, ['downloads.file'])
})
