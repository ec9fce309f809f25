// Printers of Windows, as far as another system can tell: the script, what it is given, and what becomes of its end.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDesks, pairedPage, printOf } from '#test/print/desk.ts'
import { standInForSpooler } from '#test/print/spooler.ts'
import { isSpoolerReached, sendToSpooler } from './spooler.ts'

const { atEnd, newDesk, started } = openDesks()

function newSpooler(desk = newDesk()) {
  const spooler = standInForSpooler(desk.dir)
  atEnd(async () => spooler.end())
  const send = (printer: string, { name = '价签', bytes = Buffer.from('^XA^XZ'), signal = never() } = {}) =>
    sendToSpooler(printer, { name, bytes, signal }, desk.dir)
  const onTheirWay = () => readdirSync(desk.dir).filter(name => name.endsWith('.spool'))
  return { spooler, send, onTheirWay, dir: desk.dir }
}
const never = () => new AbortController().signal

/** Each of them means something to PowerShell, to a shell, or to the pattern of Get-Printer. */
const HOSTILE = [
  `a'; Remove-Item C:\\ -Recurse #`,
  `"; Start-Process calc; "`,
  '$(Start-Process calc)',
  '$env:USERNAME `n',
  `\n'@\n[Spool]::Send('other', 'x', $null)\n@'`,
  '-Command calc',
  '[a-z]*?',
  '& calc | calc > x %PATH%',
  '\\\\server\\前台 标签机（备用）🏷',
  "')) + 'x",
]

describe('a printer of Windows', () => {
  test('is given by its name alone, which is never part of the script', async () => {
    const { spooler, send } = newSpooler()
    await isSpoolerReached('Zebra')
    await send('Zebra')
    const [asked, sent] = spooler.calls()
    for (const name of HOSTILE) {
      await isSpoolerReached(name)
      await send(name, { name: `${name} 2`.replace(/\s+/g, ' ') })
      const [again, sentAgain] = spooler.calls().slice(-2)
      assert.equal(again?.bare, asked?.bare)
      assert.equal(sentAgain?.bare, sent?.bare)
      assert.deepEqual(again?.given, { printer: name })
      assert.equal(sentAgain?.given.printer, name)
      for (const call of [again, sentAgain])
        assert.deepEqual(call?.args.slice(0, -1), asked?.args.slice(0, -1))
    }
  })

  test('is asked for as it is called, and gets the bytes raw, in one document with the name of the job', async () => {
    const { spooler, send, onTheirWay } = newSpooler()
    const bytes = Buffer.concat([randomBytes(300_000), Buffer.from('\r\n\x00\x1a\x04')])
    await isSpoolerReached('前台[1]')
    await send('前台[1]', { bytes, name: '\u0000价签\n 12\u202e' })
    await send('前台[1]', { name: '\n' })
    const [asked, sent, nameless] = spooler.calls()
    assert.match(
      asked?.bare ?? '',
      /Get-Printer -Name \(\[Management\.Automation\.WildcardPattern\]::Escape\(\$printer\)\)/,
    )
    assert.ok(sent?.bytes?.equals(bytes))
    assert.match(sent?.bare ?? '', /Name = title, Type = "RAW"/)
    assert.match(
      sent?.bare ?? '',
      /\[Spool\]::Send\(\$printer, \$title, \[IO\.File\]::ReadAllBytes\(\$file\)\)/,
    )
    assert.equal(sent?.given.title, '价签  12')
    assert.equal(nameless?.given.title, 'job')
    assert.deepEqual(onTheirWay(), [])
  })

  test('is called in words that are short enough for Windows, without a profile, a question or a window of its own', async () => {
    const { spooler, send } = newSpooler()
    await send('签'.repeat(300), { name: '价'.repeat(80) })
    const [sent] = spooler.calls()
    const length = ['powershell.exe', ...(sent?.args ?? [])].join(' ').length
    assert.ok(length < 32_767, String(length))
    for (const flag of ['-NoProfile', '-NonInteractive']) assert.ok(sent?.args.includes(flag))
    assert.equal(sent?.args.at(-2), '-EncodedCommand')
    // A script stops at its first error, and ends with a code that is not 0.
    assert.match(sent?.bare ?? '', /\$ErrorActionPreference = 'Stop'/)
  })

  test('that says no is told of in its own words, cut where they have no end', async () => {
    const { spooler, send, onTheirWay } = newSpooler()
    spooler.fails(1, '  找不到打印机“前台”。\r\n')
    await assert.rejects(isSpoolerReached('前台'), { message: '找不到打印机“前台”。' })
    await assert.rejects(send('前台'), { message: '找不到打印机“前台”。' })
    assert.deepEqual(onTheirWay(), [])
    spooler.fails(1, 'x'.repeat(5_000))
    await assert.rejects(send('前台'), { message: 'x'.repeat(300) })
    spooler.fails(5, '')
    await assert.rejects(send('前台'), { message: 'powershell.exe: 5' })
  })

  test('that has only warned has taken the job', async () => {
    const { spooler, send } = newSpooler()
    spooler.fails(0, 'WARNING: slow')
    await send('前台')
  })

  test('is said to be missing where the system has no such program', async () => {
    const { spooler, send } = newSpooler()
    const { PATH } = process.env
    process.env.PATH = ''
    try {
      await assert.rejects(send('前台'), { message: 'powershell.exe: ENOENT' })
    } finally {
      process.env.PATH = PATH
    }
    assert.deepEqual(spooler.calls(), [])
  })

  test('that never answers is let go of with the job, and leaves nothing behind', async () => {
    const { spooler, send, onTheirWay } = newSpooler()
    spooler.hangs()
    const job = new AbortController()
    const sent = assert.rejects(send('前台', { signal: job.signal }), /ABORT_ERR/)
    while (spooler.calls().length === 0) await sleep(5)
    assert.equal(onTheirWay().length, 1)
    job.abort()
    await sent
    assert.deepEqual(onTheirWay(), [])
  })
})

describe('a job for a printer of Windows', () => {
  const target = { way: 'spool', id: 'front', name: '前台', language: 'zpl', printer: `O'Neil "前台"` }

  test('waits while Windows does not know the printer, and is printed once it does', async () => {
    const desk = newDesk({ more: { targets: [target] } })
    const { spooler } = newSpooler(desk)
    spooler.fails(1, '找不到打印机')
    const { port } = await started(desk)
    const { page } = await pairedPage(desk, port)
    const data = randomBytes(100_000)
    page.send(printOf('one', 'front', data))
    assert.equal((await page.next('waiting', 'one')).reason, 'offline')
    assert.ok(spooler.calls().every(call => call.bytes === null))
    spooler.works()
    page.send({ type: 'check', target: 'front' })
    await page.next('done', 'one')
    const sent = spooler.calls().filter(call => call.bytes !== null)
    assert.equal(sent.length, 1)
    assert.ok(sent[0]?.bytes?.equals(data))
    assert.equal(sent[0]?.given.printer, target.printer)
  })
})
