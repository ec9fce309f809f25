// The packed print program as a counter meets it: started, paired by a press on each side, printing a label, becoming the version that
// its office has signed, and let go of.

import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { BRIDGE_PROGRAM } from '#kit/print/bridge/bridge.ts'
import { publicHalf, signedUpdate } from '#scripts/print-updates.ts'
import { freePort } from '#test/free-port.ts'
import { makeDesk, startPrinter, type TestDesk } from '#test/print/desk.ts'
import { type Packed, packedProgram } from '#test/print/packed.ts'
import { newKey, SYSTEM } from '#test/print/update-office.ts'
import { button, looksWell } from '../at-desk.ts'
import { type BrowserOffice, DESKTOP, eventually, gone, openBrowserOffice, PHONE, see } from '../browser.ts'

const NEXT = '9.0.0'
const opened = new AsyncDisposableStack()
const key = newKey()
let office: BrowserOffice
let printer: Awaited<ReturnType<typeof startPrinter>>
let desk: TestDesk
let program: Packed
let packsDir: string
let port: number
before(async () => {
  port = await freePort()
  packsDir = opened.adopt(mkdtempSync(join(tmpdir(), 'partner-office-packs-')), dir =>
    rmSync(dir, { recursive: true, force: true }),
  )
  office = opened.adopt(await openBrowserOffice({ bridgePort: port, packsDir }), one => one.stop())
  printer = opened.adopt(await startPrinter(), one => one.pull())
  // Of no office yet: nobody types an address.
  desk = opened.adopt(makeDesk({ port, printerPort: printer.port, language: 'zpl', origins: [] }), one =>
    one.remove(),
  )
  program = opened.use(await packedProgram(publicHalf(key)))
})
after(() => opened.disposeAsync())

/** As `npm run bridge:pack` leaves it for the office to hand out. */
function packNext(): void {
  const bytes = gzipSync(program.as(NEXT))
  const name = `program-${SYSTEM}-${NEXT}.gz`
  const updates = [signedUpdate(key, { system: SYSTEM, version: NEXT, name, bytes })]
  mkdirSync(packsDir, { recursive: true })
  writeFileSync(join(packsDir, name), bytes)
  writeFileSync(join(packsDir, 'packs.json'), JSON.stringify({ program: NEXT, files: [], updates }))
}

test('a counter starts the program, pairs it by a press, prints a label, gets the next version and lets it go', async () => {
  const page = await office.openAs('10001', '/admin/template/printers', { viewport: DESKTOP })
  const state = page.locator('[data-part=bridge-state]')
  await see(state.getByText('未连接', { exact: true }))

  await program.start(desk.dir)
  const own = await page.context().newPage()
  await own.goto(`http://127.0.0.1:${port}/#${readFileSync(join(desk.dir, 'own-key'), 'utf8').trim()}`)
  await see(own.getByText(`正在运行，版本 ${BRIDGE_PROGRAM}`), own.getByText('还没有配对', { exact: false }))
  await see(own.getByText('前台标签机', { exact: true }))

  await button(page, '请求配对').click()
  const code = await state.getByText(/^\d{4}$/).innerText()
  await see(own.getByText(code, { exact: true }), own.getByText(`（${office.url}）请求在这台电脑上打印`))
  await button(own, '允许').click()
  await see(state.getByText('已连接', { exact: true }), own.getByText(office.url, { exact: true }))

  await button(page, '打印校准页 前台标签机').click()
  await eventually(async () => printer.jobs.length, 1)
  assert.match(String(printer.jobs[0]), /^\^XA.*\^XZ\s*$/s)

  await button(own, '检查更新').click()
  await see(own.getByText(`${BRIDGE_PROGRAM} 已是最新版本`))
  packNext()
  await button(own, '检查更新').click()
  await see(own.getByText(`正在运行，版本 ${NEXT}`), button(own, `换回 ${BRIDGE_PROGRAM}`))
  await see(state.getByText(`版本 ${NEXT}`))
  await button(page, '打印校准页 前台标签机').click()
  await eventually(async () => printer.jobs.length, 2)
  assert.ok(printer.jobs[1]?.equals(printer.jobs[0] as Buffer))
  for (const viewport of [DESKTOP, PHONE]) {
    await own.setViewportSize(viewport)
    await looksWell(own)
  }

  await button(own, '移除 前台标签机').click()
  const card = page.locator('[data-part=printer]').filter({ hasText: '前台标签机' })
  await gone(card, button(own, '移除 前台标签机'))
  await button(page, '解除配对').click()
  await page.getByRole('alertdialog').getByRole('button', { name: '解除配对' }).click()
  await see(state.getByText('未配对', { exact: true }), own.getByText('还没有配对', { exact: false }))
})
