// What an office offers as an update: taken where its key has signed it for this system and it is newer, refused otherwise.
import assert from 'node:assert/strict'
import { createHash, sign } from 'node:crypto'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { PACKS_PATH, type PackSystem } from '#kit/print/bridge/packs.ts'
import { manifestText } from '#kit/print/bridge/updates.ts'
import { publicHalf } from '#scripts/print-updates.ts'
import { newKey, SYSTEM, startUpdateOffice, type UpdateOffice } from '#test/print/update-office.ts'
import { fetchUpdate, findUpdate, type Self, type UpdateRefusal } from './updates.ts'

let office: UpdateOffice
let other: UpdateOffice
let self: Self
beforeEach(async () => {
  ;[office, other] = await Promise.all([startUpdateOffice(), startUpdateOffice()])
  self = { key: office.publicKey, system: SYSTEM, version: '1.2.0' }
})
afterEach(() => Promise.all([office.stop(), other.stop()]))

const PROGRAM = Buffer.from('the new program'.repeat(1_000))
const FOREIGN: PackSystem = 'win-x64'
const refusedAs = (reason: UpdateRefusal) => (error: unknown) => {
  assert.equal((error as { reason?: string }).reason, reason)
  return true
}
const found = () => findUpdate(office.origin, self)
async function taken(): Promise<Buffer> {
  const update = await found()
  assert.ok(update)
  return fetchUpdate(update)
}

describe('an update that is offered', () => {
  test('is fetched whole where it is newer, signed and for this system', async () => {
    office.offer({ version: '1.10.0', program: PROGRAM })
    assert.ok((await taken()).equals(PROGRAM))
    assert.deepEqual(office.asked, [`${PACKS_PATH}/packs.json`, `${PACKS_PATH}/program-1.10.0.gz`])
  })

  test('is none where the version is the own one, and where nothing is packed for this system', async () => {
    office.offer({ version: '1.2.0', program: PROGRAM })
    assert.equal(await found(), null)
    office.offer({ version: '1.3.0', program: PROGRAM, system: FOREIGN })
    assert.equal(await found(), null)
    office.state.updates = []
    assert.equal(await found(), null)
    // Of an office that signs nothing yet.
    office.state.instead = (_path, reply) => Boolean(reply.end('{"program":"1.1.0","files":[]}'))
    assert.equal(await found(), null)
  })

  test('is refused where it was signed by another, or by nobody, or changed afterwards', async () => {
    office.offer({ version: '1.3.0', program: PROGRAM, key: newKey() })
    await assert.rejects(found, refusedAs('forged'))
    const offered = office.offer({ version: '1.3.0', program: PROGRAM })
    const changes = [
      { signature: '' },
      { signature: 'not base64!' },
      { signature: Buffer.alloc(64).toString('base64') },
      { manifest: offered.manifest.replace('1.3.0', '1.4.0') },
      { manifest: `${offered.manifest} ` },
      { manifest: '' },
    ]
    for (const change of changes) {
      office.state.updates = [{ ...offered, ...change }]
      await assert.rejects(found, refusedAs('forged'), JSON.stringify(change))
    }
    assert.ok(!office.asked.some(path => path.endsWith('.gz')))
  })

  test('is refused where it is older, whatever stands beside it', async () => {
    for (const version of ['1.1.9', '0.99.0', '1.0.1000']) {
      office.offer({ version, program: PROGRAM })
      await assert.rejects(found, refusedAs('older'), version)
    }
  })

  test('is refused where what was signed is for another system', async () => {
    const offered = office.offer({ version: '1.3.0', program: PROGRAM, system: FOREIGN })
    office.state.updates = [{ ...offered, system: SYSTEM }]
    await assert.rejects(found, refusedAs('system'))
  })

  test('is refused where the office signs something else with its key', async () => {
    const text = JSON.stringify({ purpose: 'licence', system: SYSTEM, version: '1.3.0' })
    const key = newKey()
    const signature = sign(null, Buffer.from(text), key).toString('base64')
    office.state.updates = [{ system: SYSTEM, name: 'x', byteSize: 1, manifest: text, signature }]
    await assert.rejects(findUpdate(office.origin, { ...self, key: publicHalf(key) }), refusedAs('answer'))
  })
})

describe('the file of an update', () => {
  test('is refused where it is cut, longer, another, or no program in gzip', async () => {
    const { name } = office.offer({ version: '1.3.0', program: PROGRAM })
    const file = office.files.get(name) as Buffer
    const changed = Buffer.from(file)
    changed[20] = (changed[20] ?? 0) ^ 1
    const wrong = [
      file.subarray(0, -1),
      file.subarray(0, 10),
      Buffer.alloc(0),
      Buffer.concat([file, Buffer.from('x')]),
      changed,
      gzipSync('another program'),
    ]
    for (const [at, bytes] of wrong.entries()) {
      office.files.set(name, bytes)
      await assert.rejects(taken, refusedAs('cut'), String(at))
    }
  })

  test('is refused where it is signed and nothing that can be unpacked', async () => {
    const bytes = Buffer.from('not gzip')
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    office.files.set('plain.gz', bytes)
    const manifest = { version: '1.3.0', system: SYSTEM, name: 'plain.gz', byteSize: bytes.length, sha256 }
    assert.ok(manifestText(manifest))
    const update = { origin: office.origin, manifest: JSON.parse(manifestText(manifest)) }
    await assert.rejects(fetchUpdate(update), refusedAs('cut'))
  })

  test('that breaks off in the middle is not taken for a whole one', async () => {
    const { name } = office.offer({ version: '1.3.0', program: PROGRAM })
    const file = office.files.get(name) as Buffer
    office.state.instead = (path, reply) => {
      if (!path.endsWith('.gz')) return false
      reply.writeHead(200, { 'content-length': file.length })
      reply.write(file.subarray(0, 20), () => reply.destroy())
      return true
    }
    await assert.rejects(taken, refusedAs('unreached'))
  })
})

describe('where an update comes from', () => {
  test('is the office itself: it is not followed to another place, with its list or its file', async () => {
    other.offer({ version: '1.3.0', program: PROGRAM })
    office.offer({ version: '1.3.0', program: PROGRAM })
    for (const [ending, status] of [
      ['packs.json', 302],
      ['.gz', 307],
      ['.gz', 301],
    ] as const) {
      office.state.instead = (path, reply) => {
        if (!path.endsWith(ending)) return false
        reply.writeHead(status, { location: `${other.origin}${path}` }).end()
        return true
      }
      await assert.rejects(taken, refusedAs('moved'), `${ending} ${status}`)
    }
    assert.deepEqual(other.asked, [])
  })

  test('is never without TLS but on this machine', async () => {
    for (const origin of [
      'http://office.example.com',
      'http://192.168.1.5:3000',
      'http://127.0.0.1.example.com',
      'http://localhost.example.com',
    ])
      await assert.rejects(findUpdate(origin, self), refusedAs('plain'), origin)
    const manifest = JSON.parse(office.offer({ version: '1.3.0', program: PROGRAM }).manifest)
    await assert.rejects(fetchUpdate({ origin: 'http://office.example.com', manifest }), refusedAs('plain'))
  })

  test('says in words that it cannot be reached, or says what nobody understands', async () => {
    const answers = [
      ['{"updates":{}}', 'answer'],
      ['<html>', 'answer'],
      ['null', 'answer'],
      [`{"updates":[{"system":"${SYSTEM}"}]}`, 'answer'],
      [' '.repeat(70_000), 'cut'],
    ] as const
    for (const [text, reason] of answers) {
      office.state.instead = (_path, reply) => Boolean(reply.end(text))
      await assert.rejects(found, refusedAs(reason), text.trim())
    }
    office.state.instead = (_path, reply) => Boolean(reply.writeHead(502).end())
    await assert.rejects(found, refusedAs('unreached'))
    await office.stop()
    await assert.rejects(found, refusedAs('unreached'))
  })
})
