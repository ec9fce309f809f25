// Printers that hang on the machine itself. A pipe takes the place of a device, and programs of the tests that of CUPS.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createReadStream, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { standInForCups } from '#test/print/cups.ts'
import { openDesks, pairedPage, printOf } from '#test/print/desk.ts'

const { atEnd, newDesk, started } = openDesks()

describe('a device', () => {
  test('gets every byte, waits while its other end is away, and is taken back while it takes nothing', async () => {
    const device = { way: 'serial', id: 'till', name: '收银小票机', language: 'escpos', device: '' }
    const desk = newDesk()
    device.device = join(desk.dir, 'till')
    writeFileSync(
      join(desk.dir, 'config.json'),
      JSON.stringify({
        ...JSON.parse(readFileSync(join(desk.dir, 'config.json'), 'utf8')),
        targets: [device],
      }),
    )
    execFileSync('mkfifo', [device.device])
    const { port } = await started(desk)
    const { page } = await pairedPage(desk, port)
    const data = Buffer.concat([randomBytes(300_000), Buffer.from('\n\r\n\x04\x03\x11\x13')])
    page.send(printOf('one', 'till', data))
    assert.equal((await page.next('waiting', 'one')).reason, 'offline')

    const read = createReadStream(device.device)
    atEnd(async () => void read.destroy())
    const parts: Buffer[] = []
    read.on('data', part => parts.push(part as Buffer))
    const ended = new Promise<void>(resolve => read.once('end', () => resolve()))
    await page.next('done', 'one')
    await ended
    assert.ok(Buffer.concat(parts).equals(data))

    const deaf = createReadStream(device.device)
    atEnd(async () => void deaf.destroy())
    page.send(printOf('two', 'till', data))
    assert.equal((await page.next('waiting', 'two')).reason, 'stalled')
    page.send({ type: 'cancel', id: 'two' })
    assert.equal((await page.next('failed', 'two')).reason, 'cancelled')
  })
})

describe('a queue of CUPS', () => {
  test('gets the very bytes, raw; one that is paused or takes no jobs is waited for', async () => {
    const desk = newDesk({
      more: {
        targets: [
          { way: 'cups', id: 'raw', name: '标签机', language: 'zpl', queue: 'Labels' },
          { way: 'cups', id: 'paper', name: '办公室', language: 'pdf', queue: 'Office' },
        ],
      },
    })
    const cups = standInForCups(desk.dir)
    atEnd(async () => cups.end())
    const { port } = await started(desk)
    const { page } = await pairedPage(desk, port)
    const data = randomBytes(200_000)
    cups.put('printer Labels disabled since Thu Nov 26 21:18:55 2026 -\n\tPaused\n')
    page.send(printOf('one', 'raw', data, { name: '-o\nraw\u0000' }))
    assert.equal((await page.next('waiting', 'one')).reason, 'offline')
    cups.put('printer Labels is idle.  enabled since Thu Nov 26 21:18:55 2026\n\tRejecting Jobs\n')
    page.send({ type: 'check', target: 'raw' })
    assert.equal((await page.next('waiting', 'one')).reason, 'offline')
    cups.put('printer Labels is idle.  enabled since Thu Nov 26 21:18:24 2026\n')
    page.send({ type: 'check', target: 'raw' })
    await page.next('done', 'one')
    const [first] = cups.jobs()
    assert.ok(first?.bytes.equals(data))
    assert.equal(first?.words, '-d\nLabels\n-o\nraw\n-t\n-o raw\n')
    page.send(printOf('two', 'paper', data, { name: '' }))
    await page.next('done', 'two')
    assert.equal(cups.jobs()[1]?.words, '-d\nOffice\n-t\njob\n')
  })
})
