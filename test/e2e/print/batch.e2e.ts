// Labels by the batch: out of a spreadsheet to a printer that is unplugged, breaks off, loses its program and its page,
// and prints each label once; on A4 from the fifth place on; and of goods that a shop keeps at the point of sale.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import { cellBox, gridOf, SHEET_SETUP } from '#kit/print/batch/sheet.ts'
import { pictureOf } from '#kit/print/scanned.ts'
import { umOfMm } from '#kit/print/units.ts'
import { cutOut, readByZxing, readPdf, readTspl } from '#test/print/readers.ts'
import { exhaustive } from '../../lane.ts'
import {
  BATCH,
  button,
  chooseTemplate,
  looksWell,
  openDeskOffice,
  pair,
  printed,
  template,
} from '../at-desk.ts'
import { DESKTOP, eventually, gone, PHONE, rowOf, see } from '../browser.ts'

const LABEL = { width: umOfMm(40), height: umOfMm(30) }
const [TEA, COFFEE, MILK] = ['6901234567892', '96385074', '6935364021115']

const here = openDeskOffice(printerPort => ({ printerPort, language: 'tspl' }), { outside: true })

/** The codes in the cells of an A4 sheet, from the first on. */
async function codesOn(file: string, cells: number): Promise<string[]> {
  const [paper, ...others] = await readPdf(await readFile(file), 8)
  assert.ok(paper && others.length === 0)
  assert.deepEqual([paper.widthMm.toFixed(2), paper.heightMm.toFixed(2)], ['210.00', '297.00'])
  const grid = gridOf(LABEL, SHEET_SETUP)
  const found: string[] = []
  for (let at = 0; at < cells; at++) {
    const reads = await readByZxing(pictureOf(cutOut(paper.bitmap, cellBox(grid, at), 8)))
    found.push(reads.map(({ text }) => text).join())
  }
  return found
}

/** What a label of the printer says to a scanner. */
const codeOf = async (tspl: Buffer): Promise<string> =>
  (await readByZxing(pictureOf(readTspl(tspl).bitmap))).map(({ text }) => text).join()

/** Whether it has the colour that links have. */
const isOfLinks = (link: Locator): Promise<boolean> =>
  link.evaluate(node => {
    const { body, defaultView } = node.ownerDocument
    const plain = node.ownerDocument.createElement('a')
    body.append(plain)
    const [shown, known] = [node, plain].map(one => defaultView?.getComputedStyle(one).color)
    plain.remove()
    return shown === known
  })

test('a spreadsheet is mended and printed, each label once whatever comes in between', async () => {
  const page = await here.office.openAs('10001', BATCH, { viewport: DESKTOP })
  await see(template(page))
  await looksWell(page)
  await chooseTemplate(page)
  await pair(page, here.desk)

  await button(page, '从表格读取').click()
  const dialog = page.getByRole('dialog', { name: '从表格读取' })
  assert.ok(await isOfLinks(dialog.getByRole('link', { name: '下载表格模板' })))
  const lines = [
    ['价签六月'],
    ['品名', '商品条码', '售价', '数量', '备注'],
    ['绿茶', TEA, '3.50', '2', '新'],
    ['咖啡', '没有', '12', '', ''],
    ['牛奶', MILK, '5', '0', ''],
  ]
  const file = (text: string) => ({ name: '六月.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  await dialog.getByLabel('表格').setInputFiles(file('甲,乙\n丙,丁'))
  await see(dialog.getByRole('alert').getByText('没有认出列名，请在下面逐列选择'))
  await dialog.getByLabel('表格').setInputFiles(file(lines.map(cells => cells.join(',')).join('\n')))
  const head = dialog.getByLabel('「商品条码」是')
  await eventually(() => head.inputValue(), 'barcode')
  await looksWell(page)
  await head.selectOption('不使用')
  await head.selectOption('条码')
  await button(page, '放入 3 行').click()
  await gone(dialog)
  await see(page.getByText('2 行有误：'), page.getByText('条码：条码里有中文等不能用的字符'))
  await see(page.getByText('份数不是 1 到 999 的整数'))
  await looksWell(page)
  await see(page.getByText('1 行，2 张标签'))
  await page.getByLabel('第 2 行条码').fill(COFFEE)
  await page.getByLabel('第 2 行条码').press('Enter')
  await see(page.locator('input[aria-label="第 3 行条码"]:focus'))
  await page.getByLabel('第 3 行份数').fill('1')
  await see(page.getByText('3 行，4 张标签'))
  await gone(page.getByText('2 行有误：'))

  await page.getByRole('radio', { name: /^前台标签机/ }).check()
  here.printer.pullAfter(2)
  await button(page, '开始打印').click()
  const alert = page.getByRole('alert')
  await see(alert.getByText('打印机连不上，连上后会自动继续'), printed(page, '2 / 4 张标签'))
  await see(page.getByText(/接下来：第 2 行“咖啡”第 1 份/))
  await looksWell(page)
  await here.stopProgram()
  await see(alert.getByText(/^打印程序未连接/))
  await here.startProgram()
  await see(alert.getByText('打印机连不上，连上后会自动继续'))

  // Meanwhile the page is closed, and the program goes on alone with the one that it has.
  await page.reload()
  await see(page.getByText('已暂停', { exact: true }), printed(page, '2 / 4 张标签'))
  await here.printer.plug()
  await eventually(async () => here.printer.jobs.length, 3)
  here.printer.breakNext()
  await button(page, '继续').click()
  await see(page.getByText('第 3 行“牛奶”第 1 份', { exact: true }), printed(page, '3 / 4 张标签'))
  await see(alert.getByText('打印机中途断开，可能已打出一部分，请核对后再打'))
  await page.setViewportSize(PHONE)
  await looksWell(page)
  await page.setViewportSize(DESKTOP)
  await button(page, '没有打出，重打这一张').click()
  await see(page.getByText('全部打完'), printed(page, '4 / 4 张标签'))
  assert.deepEqual(await Promise.all(here.printer.jobs.map(codeOf)), [TEA, TEA, COFFEE, MILK])
  await button(page, '打印下一批').click()
  await see(page.getByText('0 行，0 张标签'))
})

test('a batch is paused, stopped, and what is left goes back into the table', async () => {
  const before = here.printer.jobs.length
  const page = await here.office.openAs('10001', BATCH, { viewport: PHONE })
  await chooseTemplate(page)
  await pair(page, here.desk)
  await page.getByLabel('第 1 行商品名称').fill('绿茶')
  await page.getByLabel('第 1 行条码').fill(TEA)
  await page.getByLabel('第 1 行份数').fill('3')
  await see(page.getByText('1 行，3 张标签'))
  await looksWell(page)
  await page.getByRole('radio', { name: /^前台标签机/ }).check()
  here.printer.pullAfter(before + 1)
  await button(page, '开始打印').click()
  const away = page.getByText('打印机连不上，连上后会自动继续')
  await see(printed(page, '1 / 3 张标签'), away)
  await button(page, '暂停').click()
  await see(page.getByText('打完这一张后暂停'))
  await here.printer.plug()
  await see(page.getByText('已暂停', { exact: true }), printed(page, '2 / 3 张标签'))
  await button(page, '停止').click()
  await button(page, '停止打印').click()
  await see(page.getByText('已停止', { exact: true }))
  await button(page, '把没打的放回表格').click()
  const copies = page.getByLabel('第 1 行份数')
  await eventually(() => copies.inputValue(), '1')
  await copies.fill('2')
  await here.printer.pull()
  await button(page, '开始打印').click()
  await see(printed(page, '0 / 2 张标签'), away)
  await looksWell(page)
  await button(page, '停止').click()
  await button(page, '停止打印').click()
  await see(page.getByText('已停止', { exact: true }))
  await button(page, '把没打的放回表格').click()
  await eventually(() => copies.inputValue(), '2')
  await here.printer.plug()
  await page.getByRole('radio', { name: /^打印到文件夹/ }).check()
  await button(page, '开始打印').click()
  await see(page.getByText('全部打完'))
  assert.equal(here.printer.jobs.length, before + 2)
  assert.equal(here.desk.printed().length, 2)
})

exhaustive(
  'on A4 labels lie from the place on that was chosen, and cells come from a spreadsheet by paste',
  ['kit/print/batch/sheet.test.ts', 'kit/print/batch/batch-rows.test.ts', 'test/print/sheets.test.ts'],
  async () => {
    const page = await here.office.openAs('10001', BATCH, { viewport: DESKTOP })
    await chooseTemplate(page)
    await page.getByLabel('第 1 行商品名称').focus()
    const copied = JSON.stringify(`绿茶\t${TEA}\t3.50\t2\r\n咖啡\t${COFFEE}\t12\t1\r\n`)
    await page.evaluate(`{
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', ${copied})
    const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    document.activeElement.dispatchEvent(paste)
  }`)
    await see(page.getByText('2 行，3 张标签'))
    await page.getByRole('radio', { name: /^A4 纸，下载 PDF/ }).check()
    await see(page.getByText('每张 4 列 × 8 行，共 32 格；从第 1 格开始'))
    await page.getByRole('radio', { name: '第 1 格', exact: true }).focus()
    for (const key of ['ArrowDown', 'ArrowRight', 'ArrowLeft']) await page.keyboard.press(key)
    await see(
      page.getByText('每张 4 列 × 8 行，共 32 格；从第 5 格开始'),
      page.getByText('2 行，3 张标签，1 张 A4'),
    )
    await looksWell(page)
    const [file] = await Promise.all([page.waitForEvent('download'), button(page, '下载 PDF').click()])
    await see(page.getByText('全部打完'))
    assert.deepEqual(await codesOn(await file.path(), 9), ['', '', '', '', TEA, TEA, COFFEE, '', ''])
    await button(page, '打印下一批').click()
  },
)

/** A shop of the simulator that sells three pages of what has barcodes. */
async function market(): Promise<{ id: number; name: string }> {
  const rows = await here.office.sql<{ id: string; name: string }>(
    `select id, shop_name as name from merchants where status = 'normal' and id % 3 = 0 and id % 8 <> 5 order by id`,
  )
  const found = rows.find(
    ({ id }) => (here.office.outside?.simulators.pos.books.countOf(Number(id), 'products') ?? 0) > 60,
  )
  assert.ok(found)
  return { id: Number(found.id), name: found.name }
}

exhaustive(
  'goods of a shop are chosen across searches and pages, and those that scan are printed',
  ['kit/print/batch/goods.test.ts', 'features/print/label-batches/server-goods.test.ts'],
  async () => {
    const shop = await market()
    const page = await here.office.openAs('10001', BATCH, { viewport: DESKTOP })
    await chooseTemplate(page)
    const opener = button(page, '从店铺商品选择')
    await opener.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: '从店铺商品选择' })
    await looksWell(page)
    here.office.outside?.simulators.pos.control.faults.push({
      ...{ match: 'goods', times: 1, effect: { kind: 'status', status: 503 } },
    })
    await dialog.getByRole('combobox', { name: '店铺' }).fill(String(shop.id))
    await see(page.getByTitle(`${shop.name}（${shop.id}）`, { exact: true }))
    await page.keyboard.press('Enter')
    await see(dialog.getByRole('alert').getByText('收银系统没有应答，请稍后再试'))
    await looksWell(page)
    await dialog.getByRole('button', { name: '重试' }).click()
    await see(dialog.getByText(/^共 \d+ 种商品$/))

    const search = dialog.getByRole('textbox', { name: '搜索：名称 / 货号 / 条码' })
    const chosen = dialog.getByRole('region', { name: '批量操作' })
    for (const [number, count] of [
      ['M00002', 1],
      ['M00011', 2],
    ] as const) {
      await search.fill(number)
      await search.press('Enter')
      await rowOf(dialog, number).getByRole('checkbox').focus()
      await page.keyboard.press('Space')
      await see(chosen.getByText(`已选 ${count} 项`))
    }
    await search.fill('没有这样的商品')
    await search.press('Enter')
    await see(dialog.getByText('没有匹配的商品'))
    await search.press('Escape')
    await dialog.getByRole('button', { name: '下一页' }).click()
    await see(dialog.getByText(/^2 \/ \d+$/))
    const wholePage = dialog.getByRole('checkbox', { name: '选择本页' })
    await wholePage.check()
    await see(chosen.getByText('已选 22 项'))
    await wholePage.uncheck()
    await see(chosen.getByText('已选 2 项'))
    await looksWell(page)

    await button(page, '查看已选').click()
    await chosen.getByLabel('每种份数').fill('x')
    await see(dialog.getByText('2 种商品的份数不是 1 到 999 的整数'))
    await chosen.getByLabel('每种份数').fill('2')
    await page.setViewportSize(PHONE)
    await looksWell(page)
    await page.setViewportSize(DESKTOP)
    await rowOf(dialog, 'M00011').getByRole('textbox').fill('1')
    await button(page, '加入 2 行').click()
    await gone(dialog)
    await see(page.locator('button:focus').getByText('从店铺商品选择'))

    const cell = (row: number, name: string) => page.getByLabel(`第 ${row} 行${name}`, { exact: true })
    await eventually(() => cell(1, '份数').inputValue(), '2')
    const code = await cell(1, '条码').inputValue()
    assert.match(code, /^69\d{11}$/)
    assert.match(await cell(1, '零售价').inputValue(), /^\d+\.\d\d$/)
    await see(page.getByText('1 行有误：'))
    await page.getByRole('radio', { name: '跳过' }).check()
    await page.getByRole('radio', { name: /^A4 纸，下载 PDF/ }).check()
    await page.getByRole('radio', { name: '第 1 格', exact: true }).click()
    const [file] = await Promise.all([page.waitForEvent('download'), button(page, '下载 PDF').click()])
    await see(page.getByText('全部打完'))
    assert.deepEqual(await codesOn(await file.path(), 3), [code, code, ''])
    await button(page, '打印下一批').click()

    // The shop is remembered.
    await opener.click()
    await see(dialog.getByText(/^共 \d+ 种商品$/))
    await page.keyboard.press('Escape')
    await gone(dialog)
  },
)
