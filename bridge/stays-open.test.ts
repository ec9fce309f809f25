// Printers that never close a connection: a batch runs as fast as they take it, and what the program says of a job stays true.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDesks, pairedPage, printOf } from '#test/print/desk.ts'
import { OF_LINUX, OF_NETSTAT, takenIn } from './taken.ts'

const { newDesk, newPrinter, started } = openDesks()
/** Less than the print program's system holds for it, more than the printer's. */
const HELD_BYTES = 400_000

test('a printer that never closes takes a batch as fast as it can, and nothing is said to be done that is not', async () => {
  const printer = await newPrinter()
  const desk = newDesk({ printerPort: printer.port })
  const { port } = await started(desk)
  const { page } = await pairedPage(desk, port)
  const print = async (id: string, data = Buffer.from(`label ${id}`)) => {
    page.send(printOf(id, 'front', data))
    await page.next('done', id)
  }
  printer.endsBy('staying')
  const taken = async (work: () => Promise<void>) => {
    const since = performance.now()
    await work()
    return Math.round(performance.now() - since)
  }
  // The first one shows how it is.
  const first = await taken(() => print('first'))
  const six = await taken(async () => {
    for (let at = 0; at < 6; at += 1) await print(`b-${at}`)
  })
  // Each would take as long as the first if nothing had been learnt of that.
  assert.ok(six < 4 * first, `six labels took ${six} ms, the first one ${first}`)
  assert.equal(printer.jobs.length, 7)

  // Out of paper: what lies in this machine was not taken.
  printer.hold(true)
  const long = randomBytes(HELD_BYTES)
  page.send(printOf('held', 'front', long))
  assert.equal((await page.next('waiting', 'held')).reason, 'stalled')
  await sleep(600)
  page.send({ type: 'ask', id: 'held' })
  await page.next('waiting', 'held')
  printer.hold(false)
  await page.next('done', 'held')
  assert.ok(printer.jobs.at(-1)?.equals(long))

  // Lost with its last byte.
  printer.endsBy('breaking')
  page.send(printOf('lost', 'front', Buffer.from('lost')))
  assert.equal((await page.next('failed', 'lost')).reason, 'broken')
  printer.endsBy('staying')

  // Unplugged between two labels.
  await print('before')
  await printer.pull()
  page.send(printOf('after', 'front', Buffer.from('label after')))
  assert.equal((await page.next('waiting', 'after')).reason, 'offline')
  await printer.plug()
  await page.next('done', 'after')
  const last = printer.jobs.slice(-2).map(String)
  assert.deepEqual(last, ['label before', 'label after'])

  // One that closes after all is waited for no longer than it takes.
  printer.endsBy('closing')
  await print('closing')
  assert.equal(printer.jobs.length, 11)
})

describe('what a printer has taken', () => {
  const ports = { local: 51_234, remote: 9_100 }

  test('is read of the table of Linux', () => {
    const line = (state: string, local = 'C822') =>
      `   7: 0501A8C0:${local} 2801A8C0:238C ${state} 00000000:00000000 00:00000000 00000000  1000        0 42`
    const taken = (...lines: string[]) => takenIn(lines.join('\n'), OF_LINUX, ports)
    assert.deepEqual(
      [taken(line('04')), taken(line('05')), taken(line('01')), taken(line('0A')), taken()],
      [false, true, false, null, null],
    )
    assert.equal(taken(line('04', 'C823'), line('05')), true)
    // To two printers from the same port.
    assert.equal(taken(line('05'), line('04')), false)
  })

  test('is read of netstat, as macOS and as Windows write it, and not guessed from words of other languages', () => {
    const mac = (state: string) =>
      `tcp4       0      0  192.168.1.5.51234      192.168.1.40.9100      ${state}`
    const windows = (state: string) => `  TCP    192.168.1.5:51234      192.168.1.40:9100      ${state}\r`
    for (const line of [mac, windows])
      assert.deepEqual(
        ['FIN_WAIT_1', 'FIN_WAIT_2', 'FIN_WARTEN_2'].map(state => takenIn(line(state), OF_NETSTAT, ports)),
        [false, true, null],
      )
  })
})
