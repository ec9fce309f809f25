// A desk is set up and prints: the real print program, a folder and a printer on a port, and every state in words.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Bridge } from '#bridge/server.ts'
import { freePort, makeDesk, startPrinter, type TestDesk } from '#test/print/desk.ts'
import {
  axeFindings,
  type BrowserOffice,
  DESKTOP,
  eventually,
  gone,
  openBrowserOffice,
  PHONE,
  see,
  sidewaysScroll,
  toast,
} from '../browser.ts'

let office: BrowserOffice
let desk: TestDesk
let bridge: Bridge | null = null
let printer: Awaited<ReturnType<typeof startPrinter>>
before(async () => {
  const bridgePort = await freePort()
  office = await openBrowserOffice({ bridgePort })
  printer = await startPrinter()
  desk = makeDesk({ port: bridgePort, printerPort: printer.port, language: 'zpl', origins: [office.url] })
})
after(async () => {
  await bridge?.stop()
  await printer.pull()
  desk.remove()
  await office.stop()
})

const looksWell = async (page: Page) =>
  assert.deepEqual([await axeFindings(page), await sidewaysScroll(page)], [[], 0])
const state = (page: Page, word: string) =>
  page.locator('[data-part=bridge-state]').getByText(word, { exact: true })

test('a desk is paired, calibrated and prints the same bytes to a folder and to a printer', async () => {
  const page = await office.openAs('10001', '/admin/template/printers', { viewport: DESKTOP })
  await see(page.getByRole('heading', { level: 1, name: '打印设置' }), state(page, '未连接').first())
  await see(page.getByText(`node bridge.mjs --origin ${office.url}`))
  await looksWell(page)
  const file = await page.request.get('/bridge.mjs')
  assert.equal(file.status(), 200)
  assert.match(await file.text(), /pairing\.json/)

  bridge = await desk.start()
  await page.getByRole('button', { name: '重新连接' }).click()
  await see(state(page, '未配对'))
  await looksWell(page)
  const code = desk.pairingCode()
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
  await eventually(async () => printer.jobs.length, 1)
  const [printed] = desk.printed()
  assert.ok(printed && printed.length > 300 && printer.jobs[0]?.equals(printed))
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
  await eventually(async () => printer.jobs.length, 2)
  assert.ok(!printer.jobs[1]?.equals(printed))

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
  await eventually(async () => desk.printed().length, 2)
  assert.ok(desk.printed().every(bytes => bytes.equals(printed)))

  await page.getByRole('button', { name: '试打一张' }).click()
  const trial = page.getByRole('dialog', { name: '打印标签' })
  await see(trial.getByText('ZPL（标签机） · 就绪'))
  await looksWell(page)
  await trial.getByRole('radio', { name: /^前台标签机/ }).check()
  await trial.getByLabel('份数').fill('0')
  await see(trial.getByText('份数为 1 到 100'))
  await trial.getByLabel('份数').fill('2')
  await trial.getByText('设为标签的默认打印机').click()
  await printer.pull()
  await trial.getByRole('button', { name: '打印', exact: true }).click()
  await see(trial.getByText('打印机连不上，连上后会自动继续'))
  await looksWell(page)
  await printer.plug()
  await eventually(async () => printer.jobs.length, 3)
  await gone(trial)
  await see(toast(page, '打印完成'))
  const [, once, twice] = printer.jobs
  assert.ok(once && twice?.equals(Buffer.concat([once, once])))

  await page.setViewportSize(PHONE)
  await looksWell(page)
  await page.getByRole('button', { name: '试打一张' }).click()
  await see(trial.getByRole('radio', { name: /^前台标签机/, checked: true }))
  await looksWell(page)
})

test('a program that is too old, and one that is gone, are told of in words', async () => {
  await bridge?.stop()
  bridge = await desk.start({ version: 0 })
  const page = await office.openAs('10001', '/admin/template/printers', { viewport: PHONE })
  await see(state(page, '未配对'))
  await looksWell(page)
  await page.getByLabel('配对码', { exact: true }).fill(desk.pairingCode())
  await page.getByRole('button', { name: '配对', exact: true }).click()
  await see(state(page, '版本过旧'), page.getByText('请下载最新客户端'))
  await looksWell(page)
  await bridge.stop()
  bridge = null
  await see(state(page, '未连接').first())
  await page.getByRole('button', { name: '试打一张' }).click()
  const dialog = page.getByRole('dialog', { name: '打印标签' })
  await dialog.getByRole('radio', { name: /^下载 PDF/ }).check()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: '下载 PDF' }).click(),
  ])
  assert.equal(file.suggestedFilename(), '试打页.pdf')
})
