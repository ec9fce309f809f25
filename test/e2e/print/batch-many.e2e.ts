// Labels by the batch where there are many: a thousand rows at once, two pages of one browser, sheets on the printer of a queue.

import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { BATCH_LIMITS } from '#kit/print/batch/batch-rows.ts'
import { cellBox, gridOf, SHEET_SETUP } from '#kit/print/batch/sheet.ts'
import { wrongCheckDigit } from '#kit/print/codes.ts'
import { pictureOf } from '#kit/print/scanned.ts'
import { umOfMm } from '#kit/print/units.ts'
import { standInForCups } from '#test/print/cups.ts'
import { cutOut, readByZxing, readPdf, readTspl, renderZpl, shown } from '#test/print/readers.ts'
import { exhaustive } from '../../lane.ts'
import { BATCH, bring, button, chooseTemplate, looksWell, openDeskOffice, pair, printed } from '../at-desk.ts'
import { DESKTOP, eventually, gone, see } from '../browser.ts'

const LABEL = { width: umOfMm(40), height: umOfMm(30) }
const HEADS = ['品名', '条码', '售价', '份数']

const here = openDeskOffice(port => ({
  more: {
    targets: [
      { way: 'file', id: 'folder', name: '打印到文件夹', language: 'zpl', folder: 'printed' },
      { way: 'tcp', id: 'front', name: '前台标签机', language: 'tspl', host: '127.0.0.1', port },
      { way: 'cups', id: 'office', name: '办公室打印机', language: 'pdf', queue: 'Office' },
    ],
  },
}))

function codeAt(row: number): string {
  const body = `690${String(row).padStart(9, '0')}`
  return `${body}${wrongCheckDigit(`${body}0`) ?? 0}`
}

const read = async (picture: Parameters<typeof readByZxing>[0]) =>
  (await readByZxing(picture)).map(({ text }) => text).join()

async function openBatch(printer: string): Promise<Page> {
  const page = await here.office.openAs('10001', BATCH, { viewport: DESKTOP })
  await chooseTemplate(page)
  await pair(page, here.desk)
  await page.getByRole('radio', { name: new RegExp(`^${printer}`) }).check()
  return page
}

exhaustive(
  'a thousand rows are judged and begun at once, each label once, and the page goes on answering',
  ['test/e2e/print/batch.e2e.ts', 'kit/print/batch/batch-rows.test.ts', 'kit/print/batch/run.test.ts'],
  async () => {
    const page = await openBatch('打印到文件夹')
    const rows = Array.from({ length: BATCH_LIMITS.rows }, (_, at) => at + 1)
    await bring(page, [HEADS, ...rows.map(row => [`商品${row}`, codeAt(row), `${row}.50`, '1'])])
    // Written while all are looked at.
    await page.getByLabel('第 1 行商品名称').fill('第一种')
    await see(page.getByText('1,000 行，1,000 张标签'))
    await gone(page.locator('[data-tip="正在检查每一行"]'))
    await button(page, '开始打印').click()
    await see(page.getByText(/^已打印 \d\d+ \/ 1,000 张标签/))
    await button(page, '暂停').click()
    await see(page.getByText('已暂停', { exact: true }))
    await button(page, '继续').click()
    await see(page.getByText(/^已打印 (1[5-9]|[2-9]\d)\d \/ 1,000 张标签/))
    await button(page, '停止').click()
    await button(page, '停止打印').click()
    await see(page.getByText('已停止', { exact: true }))
    const count = Number(/\d+/.exec(await page.getByText(/^已打印 \d+ \//).innerText()))

    const places = readdirSync(join(here.desk.dir, 'printed'))
      .toSorted()
      .map(name => Number(/第_(\d+)_行/.exec(name)?.[1]))
    assert.deepEqual(
      places.toSorted((a, b) => a - b),
      rows.slice(0, count),
    )
    const labels = new Map(here.desk.printed().map((bytes, at) => [places[at], bytes]))
    for (const row of [1, 75, count]) {
      const bitmap = await renderZpl(labels.get(row) ?? Buffer.of(), { ...LABEL, dots: 8 })
      assert.equal(await read(shown(bitmap)), codeAt(row))
    }
    await button(page, '把没打的放回表格').click()
    await see(page.getByText(`${rows.length - count} 行，${rows.length - count} 张标签`))
  },
)

test('of two pages with one batch the second says that the first prints it, and goes on when that one is closed', async () => {
  const page = await openBatch('前台标签机')
  await bring(page, [HEADS, ...[1, 2, 3].map(row => [`商品${row}`, codeAt(row), '1.00', '1'])])
  here.printer.pullAfter(1)
  await button(page, '开始打印').click()
  await see(printed(page, '1 / 3 张标签'), page.getByText('打印机连不上，连上后会自动继续'))
  const other = await page.context().newPage()
  await other.goto(BATCH)
  await see(other.getByText('另一个页面正在打印'), printed(other, '1 / 3 张标签'))
  await see(other.getByText('那个页面关闭后，可以在这里继续'))
  await gone(button(other, '继续'), button(other, '停止'))
  await looksWell(other)

  await page.close()
  await see(other.getByText('已暂停', { exact: true }), button(other, '继续'))
  await here.printer.plug()
  // The one that was under way is printed by the program alone.
  await eventually(async () => here.printer.jobs.length, 2)
  await button(other, '继续').click()
  await see(other.getByText('全部打完'), printed(other, '3 / 3 张标签'))
  const codes = here.printer.jobs.map(bytes => read(pictureOf(readTspl(bytes).bitmap)))
  assert.deepEqual(await Promise.all(codes), [1, 2, 3].map(codeAt))
})

exhaustive(
  'sheets go one by one to the printer of a queue, from the place on that was chosen',
  ['test/print/sheets.test.ts', 'bridge/devices.test.ts'],
  async () => {
    const cups = standInForCups(here.desk.dir)
    try {
      const page = await openBatch('办公室打印机')
      await bring(page, [HEADS, ['绿茶', codeAt(1), '3.50', '40'], ['咖啡', codeAt(2), '12', '30']])
      await page.getByRole('radio', { name: '第 1 格', exact: true }).focus()
      for (const key of ['ArrowDown', 'ArrowRight', 'ArrowLeft']) await page.keyboard.press(key)
      await see(page.getByText('2 行，70 张标签，3 张 A4'))
      cups.put('printer Office disabled since Thu Nov 26 21:18:55 2026 -\n\tPaused\n')
      await button(page, '开始打印').click()
      await see(page.getByText('打印机连不上，连上后会自动继续'))
      cups.put('printer Office is idle.  enabled since Thu Nov 26 21:18:24 2026\n')
      await see(page.getByText('全部打完'), printed(page, '3 / 3 张 A4（70 张标签）'))
      const jobs = cups.jobs()
      assert.deepEqual(
        jobs.map(({ words }) => words),
        [1, 2, 3].map(sheet => `-d\nOffice\n-t\n条码小标签 40×30 ${sheet}\n`),
      )
      const grid = gridOf(LABEL, SHEET_SETUP)
      const found: string[][] = []
      for (const [sheet, cells] of [
        [0, [3, 4, 31]],
        [1, [11, 12]],
        [2, [9, 10]],
      ] as const) {
        const [paper, ...more] = await readPdf(jobs[sheet]?.bytes ?? Buffer.of(), 8)
        assert.ok(paper && more.length === 0)
        const reads = cells.map(cell => read(pictureOf(cutOut(paper.bitmap, cellBox(grid, cell), 8))))
        found.push(await Promise.all(reads))
      }
      const [tea, coffee] = [codeAt(1), codeAt(2)]
      assert.deepEqual(found, [
        ['', tea, tea],
        [tea, coffee],
        [coffee, ''],
      ])
    } finally {
      cups.end()
    }
  },
)
