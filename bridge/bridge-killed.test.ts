// The desk's print program: what it remembers, and what it does where it was killed.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { BRIDGE_LIMITS } from '#kit/print/bridge/bridge.ts'
import { connect, letIn, openDesks, pairedPage, printOf, type TestDesk } from '#test/print/desk.ts'
import { readConfig } from './config.ts'

const DATA = Buffer.from([...Array(256).keys(), ...Buffer.from('^XA便民超市^XZ')])

const { atEnd, newDesk, newPrinter, started } = openDesks()

describe('the desk', () => {
  test('shares defaults, calibrations and modes with every page of it, through a restart', async () => {
    const desk = newDesk()
    const bridge = await desk.start()
    const { page, token } = await pairedPage(desk, bridge.port)
    const calibration = { dots: 12, offsetX: 500, offsetY: -250, scaleX: 10_020, scaleY: 9_990 }
    page.send({ type: 'calibrate', target: 'folder', calibration })
    await page.next('desk')
    page.send({ type: 'default', kind: 'label', target: 'folder' })
    await page.next('desk')
    page.send({ type: 'mode', target: 'folder', mode: 'text' })
    await page.next('desk')
    for (const setting of [
      { type: 'default', kind: 'label', target: 'elsewhere' },
      { type: 'mode', mode: 'text', target: 'elsewhere' },
    ]) {
      page.send(setting)
      assert.equal((await page.next('refused')).reason, 'target-unknown')
    }
    await bridge.stop()
    const { port } = await started(desk)
    const later = await connect(port)
    later.send({ type: 'hello', token })
    const { targets, defaults } = await later.next('welcome')
    assert.deepEqual([targets[0]?.calibration, defaults], [calibration, { label: 'folder', receipt: null }])
    assert.deepEqual(targets[0]?.speech, { mode: 'text', font: null })
  })

  test('says which setting is wrong', () => {
    const wrong = newDesk({
      more: { targets: [{ way: 'cups', id: 'x', name: 'x', language: 'zpl', queue: '-o' }] },
    })
    assert.throws(() => readConfig(wrong.dir), /config.json 有误。targets.0.queue/)
  })

  test('lets in the office whose address is copied from the browser, and none before it', () => {
    const desk = newDesk()
    const dir = join(desk.dir, 'new')
    assert.deepEqual(readConfig(dir, 'https://Office.example:8443/admin/index?x=1').origins, [
      'https://office.example:8443',
    ])
    assert.deepEqual(readConfig(dir, 'http://127.0.0.1:3000/').origins, [
      'https://office.example:8443',
      'http://127.0.0.1:3000',
    ])
    assert.throws(() => readConfig(dir, 'office.example'), /不是后台网址/)
  })
})

describe('a program that is killed', () => {
  const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))

  /** The program as a process of its own; resolves when it listens. */
  async function spawned(desk: TestDesk): Promise<{ port: number; kill(): Promise<void> }> {
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', MAIN, '--dir', desk.dir],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    const gone = new Promise<void>(resolve => child.once('exit', () => resolve()))
    const kill = async () => {
      child.kill('SIGKILL')
      await gone
    }
    atEnd(kill)
    const port = await new Promise<number>((resolve, reject) => {
      child.once('exit', () => reject(new Error('did not start')))
      child.stdout?.on('data', (part: Buffer) => {
        const found = /127\.0\.0\.1:(\d+)/.exec(String(part))?.[1]
        if (found) resolve(Number(found))
      })
    })
    return { port, kill }
  }

  test('between accepted and printed prints on, once; what it was in the middle of it tells', async () => {
    const printer = await newPrinter()
    const desk = newDesk({ printerPort: printer.port })
    const first = await spawned(desk)
    const { page, token } = await pairedPage(desk, first.port)
    const data = randomBytes(BRIDGE_LIMITS.dataMost)
    printer.hold(true)
    page.send(printOf('begun', 'front', data))
    await page.next('waiting', 'begun')
    page.send(printOf('waits', 'front', DATA))
    await page.next('accepted', 'waits')
    await first.kill()
    printer.hold(false)
    // As where the power went while a line was written.
    appendFileSync(join(desk.dir, 'jobs.jsonl'), '{"id":"torn')
    const second = await spawned(desk)
    const later = await letIn(second.port, token)
    later.send(printOf('begun', 'front', data))
    assert.equal((await later.next('failed', 'begun')).reason, 'interrupted')
    later.send(printOf('waits', 'front', DATA))
    await later.next('done', 'waits')
    assert.equal(printer.jobs.filter(job => job.equals(DATA)).length, 1)
    assert.equal(printer.jobs.filter(job => job.equals(data)).length, 0)
    await second.kill()
  })
})
