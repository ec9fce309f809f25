// Pairing without a typed address, and the program's own page: who may read and change what.
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { ASK_PATH, BRIDGE_LIMITS, CLOSED } from '#kit/print/bridge/bridge.ts'
import { connect, openDesks, type TestDesk } from '#test/print/desk.ts'
import { languageOf } from './found.ts'
import type { Bridge } from './server.ts'

const { newDesk, started } = openDesks()
const OFFICE = 'https://office.example.com'
const OTHER = 'https://other.example.com'
const keyOf = ({ ownAddress }: Bridge) => new URL(ownAddress).hash.slice(1)

type Answer = { status: number; text: string }
/** A plain request as any program of the machine may make it. */
function ask(port: number, { path = '/own', key = '', host = `127.0.0.1:${port}`, deed = null as unknown }) {
  return new Promise<Answer>((resolve, reject) => {
    const method = deed === null ? 'GET' : 'POST'
    const headers = { host, authorization: `Bearer ${key}` }
    const asked = request({ host: '127.0.0.1', port, path, method, headers }, async answer => {
      let text = ''
      for await (const part of answer) text += String(part)
      resolve({ status: answer.statusCode ?? 0, text })
    })
    asked.once('error', reject)
    asked.end(deed === null ? undefined : JSON.stringify(deed))
  })
}
const stateOf = async (bridge: Bridge) =>
  JSON.parse((await ask(bridge.port, { key: keyOf(bridge) })).text) as {
    asks: { id: string; origin: string; office: string; code: string }[]
    offices: { origin: string }[]
    printers: { id: string; name: string; place: string; language: string }[]
    found: { way: string; place: string; language: string }[]
    log: string[]
  }
const act = (bridge: Bridge, deed: object) => ask(bridge.port, { key: keyOf(bridge), deed })
const originsOf = (desk: TestDesk) =>
  (JSON.parse(readFileSync(join(desk.dir, 'config.json'), 'utf8')) as { origins: string[] }).origins

describe('a page that asks to be paired', () => {
  test('is let in once the person allows it, and its office is then known, also after a restart', async () => {
    const desk = newDesk({ origins: [] })
    const bridge = await desk.start()
    await assert.rejects(connect(bridge.port, { origin: OFFICE }), /403/)
    const page = await connect(bridge.port, { origin: OFFICE, path: ASK_PATH })
    page.send({ type: 'ask', office: '伙伴后台' })
    const { code } = await page.next('asked')
    const [asked] = (await stateOf(bridge)).asks
    assert.deepEqual([asked?.origin, asked?.office, asked?.code], [OFFICE, '伙伴后台', code])
    assert.match(code, /^\d{4}$/)
    assert.equal((await act(bridge, { deed: 'decide', id: asked?.id, allows: true })).status, 200)
    const { token } = await page.next('paired')
    assert.equal(await page.closed, 1000)
    assert.deepEqual(originsOf(desk), [OFFICE])
    const again = await connect(bridge.port, { origin: OFFICE })
    again.send({ type: 'hello', token })
    await again.next('welcome')
    const twice = await act(bridge, { deed: 'decide', id: asked?.id, allows: true })
    assert.deepEqual([twice.status, /已经过期/.test(twice.text)], [409, true])
    await bridge.stop()
    const later = await started(desk)
    const back = await connect(later.port, { origin: OFFICE })
    back.send({ type: 'hello', token })
    await back.next('welcome')
  })

  test('gets nothing where it is refused, goes away, or says anything else', async () => {
    const desk = newDesk({ origins: [] })
    const bridge = await started(desk)
    const page = await connect(bridge.port, { origin: OFFICE, path: ASK_PATH })
    page.send({ type: 'ask', office: '' })
    await page.next('asked')
    const [asked] = (await stateOf(bridge)).asks
    await act(bridge, { deed: 'decide', id: asked?.id, allows: false })
    assert.equal((await page.next('unpaired')).reason, 'refused')
    assert.equal(await page.closed, CLOSED.unpaired)
    const gone = await connect(bridge.port, { origin: OFFICE, path: ASK_PATH })
    gone.send({ type: 'ask', office: '' })
    await gone.next('asked')
    const [left] = (await stateOf(bridge)).asks
    gone.socket.terminate()
    await gone.closed
    while ((await stateOf(bridge)).asks.length > 0);
    assert.equal((await act(bridge, { deed: 'decide', id: left?.id, allows: true })).status, 409)
    for (const said of [
      { type: 'hello', token: 'x' },
      { type: 'pair', code: '1', office: '' },
      { type: 'log' },
    ]) {
      const other = await connect(bridge.port, { origin: OFFICE, path: ASK_PATH })
      other.send(said)
      assert.equal(await other.closed, CLOSED.refused)
    }
    assert.deepEqual(originsOf(desk), [])
  })

  test('asks once for an office, and pages that ask leave room for those that print', async () => {
    const desk = newDesk({ origins: [] })
    const bridge = await started(desk)
    const first = await connect(bridge.port, { origin: OFFICE, path: ASK_PATH })
    first.send({ type: 'ask', office: '' })
    await first.next('asked')
    const second = await connect(bridge.port, { origin: OFFICE, path: ASK_PATH })
    second.send({ type: 'ask', office: '' })
    await second.next('asked')
    assert.equal((await first.next('unpaired')).reason, 'late')
    assert.equal((await stateOf(bridge)).asks.length, 1)
    await first.closed
    for (let at = 1; at < BRIDGE_LIMITS.asks; at += 1)
      await connect(bridge.port, { origin: `https://o${at}.example.com`, path: ASK_PATH })
    await assert.rejects(connect(bridge.port, { origin: OTHER, path: ASK_PATH }), /503/)
    await assert.rejects(connect(bridge.port, { origin: 'null', path: ASK_PATH }), /403/)
  })
})

describe('the own page', () => {
  test('shows and changes nothing without its key, under another name, or by another path', async () => {
    const desk = newDesk()
    const bridge = await started(desk)
    const { port } = bridge
    const shell = await ask(port, { path: '/' })
    assert.equal(shell.status, 200)
    assert.ok(!shell.text.includes(keyOf(bridge)))
    assert.equal((await ask(port, {})).status, 403)
    assert.equal((await ask(port, { key: 'x', deed: { deed: 'remove', id: 'folder' } })).status, 403)
    assert.equal((await ask(port, { key: keyOf(bridge), host: 'evil.example' })).status, 403)
    assert.equal((await ask(port, { key: keyOf(bridge), path: '/config.json' })).status, 404)
    for (const deed of [{}, { deed: 'decide' }, { deed: 'remove', id: 1 }, 'x'.repeat(5_000)])
      assert.equal((await ask(port, { key: keyOf(bridge), deed })).status, 400)
    assert.equal((await stateOf(bridge)).printers.length, 1)
  })

  test('takes over a printer that the system knows, and lets it go', async () => {
    const desk = newDesk()
    const bin = join(desk.dir, 'bin')
    mkdirSync(bin)
    writeFileSync(
      join(bin, 'lpstat'),
      '#!/bin/sh\n[ "$1" = -e ] && printf "Zebra_ZD420\\nOffice\\n"\nexit 0\n',
    )
    chmodSync(join(bin, 'lpstat'), 0o755)
    const path = process.env.PATH
    process.env.PATH = `${bin}:${path}`
    try {
      const bridge = await started(desk)
      const found = (await stateOf(bridge)).found.filter(({ way }) => way === 'cups')
      assert.deepEqual(
        found.map(({ place, language }) => [place, language]),
        [
          ['Zebra_ZD420', 'zpl'],
          ['Office', 'pdf'],
        ],
      )
      const add = { deed: 'add', way: 'cups', place: 'Zebra_ZD420', language: 'zpl' }
      assert.equal((await act(bridge, add)).status, 200)
      const twice = await act(bridge, add)
      assert.deepEqual([twice.status, /已经添加/.test(twice.text)], [409, true])
      assert.equal((await act(bridge, { ...add, place: '-oraw' })).status, 409)
      const { page } = await pairedByCode(desk, bridge)
      const { targets } = await page.next('welcome')
      assert.deepEqual(
        targets.map(({ name }) => name),
        ['打印到文件夹', 'Zebra_ZD420'],
      )
      const [, added] = (await stateOf(bridge)).printers
      assert.equal((await act(bridge, { deed: 'remove', id: added?.id })).status, 200)
      assert.equal((await page.next('desk')).targets.length, 1)
      assert.doesNotMatch(readFileSync(join(desk.dir, 'config.json'), 'utf8'), /Zebra/)
    } finally {
      process.env.PATH = path
    }
  })

  test('says of a program that was not packed that it does not replace itself', async () => {
    const desk = newDesk()
    const bridge = await started(desk)
    assert.equal(JSON.parse((await ask(bridge.port, { key: keyOf(bridge) })).text).update, null)
    for (const deed of ['update', 'back']) {
      const { status, text } = await act(bridge, { deed })
      assert.deepEqual([status, /在后台的“打印设置”里下载/.test(text)], [409, true])
    }
  })

  test('guesses what a printer understands by its name', () => {
    const names = ['ZDesigner GK420t', 'TSC TTP-244', 'XP-58', 'EPSON TM-T82', 'HP LaserJet']
    assert.deepEqual(
      names.map(name => languageOf(name, 'pdf')),
      ['zpl', 'tspl', 'escpos', 'escpos', 'pdf'],
    )
  })
})

async function pairedByCode(desk: TestDesk, { port }: Bridge) {
  const first = await connect(port)
  first.send({ type: 'pair', code: desk.pairingCode(), office: '测试' })
  const { token } = await first.next('paired')
  const page = await connect(port)
  page.send({ type: 'hello', token })
  return { page, token }
}
