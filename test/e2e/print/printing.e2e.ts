// A desk is set up and prints: the real print program, a folder and a printer on a port, and every state in words.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { DEMO_PASSWORD } from '#features/office/access/sample.ts'
import { UNCALIBRATED } from '#kit/print/bridge/bridge.ts'
import { sheetFor } from '#kit/print/bridge/bridge-sheet.ts'
import { exhaustive } from '../../lane.ts'
import { looksWell, openDeskOffice, pair } from '../at-desk.ts'
import { DESKTOP, eventually, gone, PHONE, see, sidewaysScroll, toast } from '../browser.ts'
import { openBrowserOfNames } from '../chromium.ts'

const here = openDeskOffice(printerPort => ({ printerPort, language: 'zpl' }), { starts: false })

const state = (page: Page, word: string) =>
  page.locator('[data-part=bridge-state]').getByText(word, { exact: true })

test('a desk is paired, calibrated and prints the same bytes to a folder and to a printer', async () => {
  const page = await here.office.openAs('10001', '/admin/template/printers', { viewport: DESKTOP })
  await see(page.getByRole('heading', { level: 1, name: '打印设置' }), state(page, '未连接').first())
  await see(page.getByRole('link', { name: /^下载打印程序/ }), page.getByText('不装程序也能打印'))
  await looksWell(page)
  const file = await page.request.get('/bridge.mjs')
  assert.equal(file.status(), 200)
  assert.match(await file.text(), /pairing\.json/)

  await here.startProgram()
  // Found by itself.
  await see(state(page, '未配对'))
  await looksWell(page)
  const code = here.desk.pairingCode()
  const field = page.getByLabel('配对码', { exact: true })
  await field.fill(code === '12345678' ? '12345679' : '12345678')
  await page.getByRole('button', { name: '配对', exact: true }).click()
  await see(page.getByText('配对码不对，还可以试 4 次'))
  await field.fill(`${code.slice(0, 4)} ${code.slice(4)}`)
  await field.press('Enter')
  await see(state(page, '已连接'), page.getByText('还没有打印过'))

  for (const name of ['打印到文件夹', '前台标签机']) {
    await page.getByRole('button', { name: `打印校准页 ${name}` }).click()
    await see(page.locator('[data-part=job]').filter({ hasText: name }).getByText('已打印', { exact: true }))
  }
  await eventually(async () => here.printer.jobs.length, 1)
  const [printed] = here.desk.printed()
  assert.ok(printed && printed.length > 300 && here.printer.jobs[0]?.equals(printed))
  await looksWell(page)

  await page.getByRole('button', { name: '校准 前台标签机', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: '校准 前台标签机' })
  await dialog.getByLabel('左边到竖线').fill('5.5')
  await dialog.getByLabel('横尺总长').fill('39.9')
  await dialog.getByRole('button', { name: '按测量值计算' }).click()
  await see(dialog.getByText(/左移 0\.51 毫米，横向 100\.25%/))
  await looksWell(page)
  await dialog.getByRole('button', { name: '保存' }).click()
  const card = page.locator('[data-part=printer]').filter({ hasText: '前台标签机' })
  await see(card.getByText('校准：左移 0.51 毫米，横向 100.25%'))
  await page.getByRole('button', { name: '打印校准页 前台标签机' }).click()
  await eventually(async () => here.printer.jobs.length, 2)
  assert.ok(!here.printer.jobs[1]?.equals(printed))

  const modes = card.getByRole('radiogroup', { name: '打印方式 前台标签机' })
  await modes.getByText('文字（快）').click()
  await see(card.getByText(/^按文字发送.*中文仍按点阵打出$/))
  await looksWell(page)
  await modes.getByText('点阵').click()
  await see(card.getByText(/^按图形发送/))

  await page.locator('[data-part=job]').last().getByRole('button', { name: '重打' }).click()
  await page
    .getByRole('alertdialog', { name: '重打“校准页”？' })
    .getByRole('button', { name: '重打' })
    .click()
  await eventually(async () => here.desk.printed().length, 2)
  assert.ok(here.desk.printed().every(bytes => bytes.equals(printed)))

  await page.getByRole('button', { name: '试打一张' }).click()
  const trial = page.getByRole('dialog', { name: '打印标签' })
  await see(trial.getByText('ZPL（标签机） · 就绪'))
  await looksWell(page)
  await trial.getByRole('radio', { name: /^前台标签机/ }).check()
  await trial.getByLabel('份数').fill('0')
  await see(trial.getByText('份数为 1 到 100'))
  await trial.getByLabel('份数').fill('2')
  await trial.getByText('设为标签的默认打印机').click()
  await here.printer.pull()
  await trial.getByRole('button', { name: '打印', exact: true }).click()
  await see(trial.getByText('打印机连不上，连上后会自动继续'))
  await looksWell(page)
  await here.printer.plug()
  await eventually(async () => here.printer.jobs.length, 3)
  await gone(trial)
  await see(toast(page, '打印完成'))
  const [, once, twice] = here.printer.jobs
  assert.ok(once && twice?.equals(Buffer.concat([once, once])))

  await page.setViewportSize(PHONE)
  await looksWell(page)
  await page.getByRole('button', { name: '试打一张' }).click()
  await see(trial.getByRole('radio', { name: /^前台标签机/, checked: true }))
  await looksWell(page)
})

exhaustive(
  'a program that is too old, and one that is gone, are told of in words',
  ['test/e2e/print/from-nothing.e2e.ts', 'test/e2e/print/printing.e2e.ts'],
  async () => {
    await here.startProgram({ version: 0 })
    const page = await here.office.openAs('10001', '/admin/template/printers', { viewport: PHONE })
    await see(state(page, '未配对'))
    await looksWell(page)
    await pair(page, here.desk)
    await see(state(page, '版本过旧'), page.getByText('请下载最新客户端'))
    await looksWell(page)
    await here.stopProgram()
    await see(state(page, '未连接').first())
    await page.getByRole('button', { name: '试打一张' }).click()
    const dialog = page.getByRole('dialog', { name: '打印标签' })
    await dialog.getByRole('radio', { name: /^下载 PDF/ }).check()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: '下载 PDF' }).click(),
    ])
    assert.equal(file.suggestedFilename(), '试打页.pdf')
  },
)

/** Devices of a test in place of those that a browser reaches: `parts` is what went out of them, `pulled` after how many. */
const DEVICES = `
  globalThis.parts = []
  globalThis.pulled = Infinity
  const take = part => {
    if (parts.length >= pulled) throw new DOMException('The device was disconnected.', 'NetworkError')
    parts.push([...part])
  }
  const device = {
    productName: '桌面标签机', serialNumber: '1', configuration: null,
    open: async () => undefined,
    close: async () => { if (parts.length >= pulled) throw new DOMException('gone', 'NotFoundError') },
    selectConfiguration: async () => {
      const endpoints = [{ endpointNumber: 2, direction: 'out', type: 'bulk' }]
      device.configuration = { interfaces: [{ interfaceNumber: 0, alternate: { interfaceClass: 7, endpoints } }] }
    },
    claimInterface: async () => undefined,
    transferOut: async (endpoint, part) => { take(part); return { status: endpoint === 2 ? 'ok' : 'stall' } },
  }
  const port = {
    writable: null,
    open: async () => { port.writable = new WritableStream({ write: take }) },
    close: async () => { if (port.writable.locked) throw new TypeError('locked'); port.writable = null },
  }
  const put = (name, value) => Object.defineProperty(navigator, name, { value })
  put('usb', { getDevices: async () => [device] })
  put('serial', { getPorts: async () => [port] })
`

exhaustive(
  'a device of the browser gets its bytes in parts; one that is pulled is told of, and nothing is printed twice',
  ['web/print/devices.test.tsx', 'test/e2e/print/from-nothing.e2e.ts'],
  async () => {
    const page = await here.office.open({ unused: true })
    await page.addInitScript(DEVICES)
    await signIn(page, '/admin/template/printers')
    const dialog = page.getByRole('dialog', { name: '打印标签' })
    const parts = () => page.evaluate<number[][]>('parts')
    for (const name of ['桌面标签机', '串口打印机 1']) {
      const sheet = Buffer.from(await sheetFor('tspl', UNCALIBRATED))
      const choose = async () => {
        await page.getByRole('button', { name: '试打一张' }).click()
        await dialog.getByRole('radio', { name: new RegExp(`^${name}\\s*TSPL`) }).check()
      }
      await choose()
      await dialog.getByRole('button', { name: '打印', exact: true }).click()
      await gone(dialog)
      assert.ok((await parts()).length > 1)
      assert.ok(Buffer.from((await parts()).flat()).equals(sheet))

      // Pulled in the second part of the second of three.
      await page.evaluate('parts.length = 0; pulled = 3')
      await choose()
      await dialog.getByLabel('份数').fill('3')
      await dialog.getByRole('button', { name: '打印', exact: true }).click()
      const told = '打印失败：打印机中途断开，可能已打出一部分，请核对后再打（已打出 1 份）'
      await see(dialog.getByText(told), dialog.getByRole('button', { name: '仍要再打一次' }))
      assert.equal((await parts()).length, 3)
      await page.evaluate('parts.length = 0; pulled = Infinity')
      await dialog.getByLabel('份数').fill('2')
      await dialog.getByRole('button', { name: '仍要再打一次' }).click()
      await gone(dialog)
      assert.ok(Buffer.from((await parts()).flat()).equals(Buffer.concat([sheet, sheet])))
      await page.evaluate('parts.length = 0')
    }
  },
)

/** A viewer of PDFs, which this browser has not; every frame counts its printing, or refuses it. */
const VIEWER = `
  Object.defineProperty(navigator, 'pdfViewerEnabled', { value: true })
  const make = URL.createObjectURL.bind(URL)
  URL.createObjectURL = blob => make(blob.type === 'application/pdf' ? new Blob(['PDF'], { type: 'text/html' }) : blob)
  if (top === self) { globalThis.printed = 0; globalThis.refuses = false }
  else globalThis.print = () => {
    if (top.refuses) throw new DOMException('cross-origin', 'SecurityError')
    top.printed += 1
  }
`

exhaustive(
  'the browser prints over the page, and leaves nothing in it; where it cannot a window is opened',
  ['web/print/frame.test.tsx'],
  async () => {
    const page = await here.office.open({ unused: true })
    await page.addInitScript(VIEWER)
    await signIn(page, '/admin/template/printers')
    const dialog = page.getByRole('dialog', { name: '打印标签' })
    const start = async () => {
      await page.getByRole('button', { name: '试打一张' }).click()
      await dialog.getByRole('radio', { name: /^浏览器打印/ }).check()
      await dialog.getByRole('button', { name: '打印', exact: true }).click()
      await gone(dialog)
    }
    await start()
    await eventually(() => page.evaluate<number>('printed'), 1)
    assert.equal(await page.locator('iframe').count(), 1)
    assert.equal(await sidewaysScroll(page), 0)
    // The first that is done in the page after its print window.
    await page.getByRole('heading', { level: 1 }).click()
    await eventually(() => page.locator('iframe').count(), 0)
    await start()
    await eventually(() => page.evaluate<number>('printed'), 2)
    await page.evaluate(
      `document.querySelector('iframe').contentWindow.dispatchEvent(new Event('afterprint'))`,
    )
    await eventually(() => page.locator('iframe').count(), 0)
    await page.evaluate('refuses = true')
    const [shown] = await Promise.all([page.waitForEvent('popup'), start()])
    assert.match(shown.url(), /^blob:/)
    assert.equal(await page.locator('iframe').count(), 0)
  },
)

test('an office of the internet that the browser keeps from this machine says in words what to do', async () => {
  const browser = await openBrowserOfNames()
  try {
    const context = await browser.newContext({ locale: 'zh-CN', viewport: DESKTOP })
    const page = await context.newPage()
    await page.goto(here.office.url.replace('127.0.0.1', 'office.example'))
    // By the browser, which alone knows the name.
    const status = await page.evaluate<number>(`fetch('/api/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-requested-with': 'partner-office' },
      body: JSON.stringify({ loginName: '10001', password: '${DEMO_PASSWORD}' }),
    }).then(answer => answer.status)`)
    assert.equal(status, 200)
    const printers = here.office.url.replace('127.0.0.1', 'office.example').concat('/admin/template/printers')
    await page.goto(printers)
    await see(state(page, '浏览器已拦截'), page.getByText(/请用 https:\/\/ 开头的网址打开本后台/))
    // As if it came by https.
    await page.addInitScript(`Object.defineProperty(window, 'isSecureContext', { value: true })`)
    await page.goto(printers)
    await see(state(page, '等待允许'), page.getByText(/请选择允许；询问已经关掉的，请点重新连接/))
    await looksWell(page)
    // All that is not granted is refused: the page hears of it by itself.
    await context.grantPermissions([])
    await see(state(page, '浏览器已拦截'))
    await see(page.getByText(/请点击地址栏左侧的图标，把“本地网络访问”改为允许，然后重新连接/))
    await looksWell(page)
  } finally {
    await browser.close()
  }
})

async function signIn(page: Page, path: string): Promise<void> {
  const answer = await page.request.post('/api/session', {
    headers: { 'x-requested-with': 'partner-office' },
    data: { loginName: '10001', password: DEMO_PASSWORD },
  })
  assert.ok(answer.ok())
  await page.goto(path)
}
