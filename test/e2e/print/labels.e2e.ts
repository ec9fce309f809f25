// Label templates in the browser (D3 §2, §5, §8): seen as pictures, designed by mouse and by keys, proved, saved, copied, deleted.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  axeFindings,
  type BrowserOffice,
  eventually,
  gone,
  openBrowserOffice,
  PHONE,
  see,
  sidewaysScroll,
  toast,
} from '../browser.ts'

const LIST = '/admin/template/labelPrintList'
const DESIGNER = '/admin/template/labelPrinting'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice()
})
afterEach(() => office.closePages())
after(() => office.stop())

const board = (page: Page) => page.getByRole('application', { name: '标签画布' })
const entry = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const layers = (page: Page, count: number) => page.getByRole('tab', { name: `图层 ${count}`, exact: true })
const field = (page: Page, name: string) =>
  page.getByRole('complementary', { name: '属性' }).getByLabel(new RegExp(`^${name}`))
const inField = (page: Page, name: string) => () => field(page, name).inputValue()

async function save(page: Page, name: string, said: string): Promise<void> {
  await page.getByRole('textbox', { name: '模板名称' }).fill(name)
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await see(toast(page, said))
  await page.waitForURL(url => url.pathname === LIST)
  await see(page.getByRole('heading', { name, exact: true }))
}

async function drag(page: Page, from: [number, number], to: [number, number]): Promise<void> {
  await page.mouse.move(...from)
  await page.mouse.down()
  await page.mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, { steps: 3 })
  await page.mouse.move(...to, { steps: 3 })
  await page.mouse.up()
}

const boxOf = async (page: Page, selector: string) => {
  const box = await page.locator(selector).first().boundingBox()
  assert.ok(box, selector)
  return box
}

test('by mouse a price tag is made from nothing, undone after a reload, saved, copied and deleted', async () => {
  const page = await office.openAs('10001', LIST)
  // Leaving with unsaved changes is asked; a reload keeps them.
  page.on('dialog', dialog => void dialog.accept())
  await see(page.getByRole('img', { name: '商品价签 80×40的样子' }))
  assert.deepEqual(await axeFindings(page), [])
  await page.getByRole('link', { name: '新建模板' }).click()
  await see(board(page))
  await entry(page, '条码').click()
  await see(layers(page, 1), page.getByText('条码：条码四周留白不足'))
  const palette = await entry(page, '商品名称').boundingBox()
  const canvas = await board(page).boundingBox()
  assert.ok(palette && canvas)
  await drag(page, [palette.x + 20, palette.y + 10], [canvas.x + 300, canvas.y + 90])
  await see(layers(page, 2))
  const bars = await boxOf(page, '[data-item] path')
  const middle: [number, number] = [bars.x + bars.width / 2, bars.y + bars.height / 2]
  await drag(page, middle, [middle[0] + 60, middle[1] + 120])
  await eventually(async () => Number(await field(page, '左').inputValue()) > 6, true)
  await see(page.getByText('1 个条码均可扫描'))
  await drag(page, [canvas.x + 30, canvas.y + 30], [canvas.x + 640, canvas.y + 340])
  await see(page.getByRole('heading', { name: '已选择 2 项' }))
  await page.getByRole('button', { name: '左对齐' }).click()
  const lined = await field(page, '左').inputValue()
  await page.waitForFunction("sessionStorage.getItem('label-steps:new:0') !== null")
  await page.reload()
  await see(page.getByText('已恢复上次未保存的修改'), layers(page, 2))
  await page.getByRole('button', { name: '撤销' }).click()
  await see(layers(page, 2))
  await page.getByRole('button', { name: '重做' }).click()
  assert.deepEqual(await axeFindings(page), [])
  await page.getByRole('tab', { name: '图层 2' }).click()
  await page
    .getByRole('list', { name: '图层，上面的在前' })
    .getByRole('button', { name: '条码', exact: true })
    .click()
  await eventually(inField(page, '左'), lined)
  await board(page).focus()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await see(page.getByText('请输入模板名称'))
  await save(page, '走查价签', '保存成功')
  await page.getByRole('button', { name: '复制走查价签', exact: true }).click()
  await see(toast(page, '复制成功'), page.getByRole('heading', { name: '走查价签 副本' }))
  const remove = page.getByRole('button', { name: '删除走查价签 副本' })
  await remove.click()
  await see(page.getByText('此操作将删除该模板, 是否继续?'))
  await page.getByRole('button', { name: '取消', exact: true }).click()
  await see(toast(page, '已取消删除'))
  await remove.click()
  await page.getByRole('alertdialog').getByRole('button', { name: '删除', exact: true }).click()
  await see(toast(page, '删除成功'))
  await gone(page.getByRole('heading', { name: '走查价签 副本' }))
})

test('by keys alone a tag is made, moved by tenths and dots, read aloud, and saved', async () => {
  const page = await office.openAs('10001', DESIGNER)
  await see(board(page))
  await entry(page, '零售价').focus()
  await page.keyboard.press('Enter')
  await see(layers(page, 1))
  await page.keyboard.press('ArrowRight')
  await eventually(inField(page, '左'), '1.1')
  await see(page.getByText(/^零售价，左 .+ 毫米/))
  await page.keyboard.press('Alt+ArrowRight')
  await eventually(inField(page, '左'), '1.23')
  await page.keyboard.press('Shift+ArrowDown')
  await eventually(inField(page, '上'), '2')
  await page.keyboard.press('Control+c')
  await page.keyboard.press('Control+v')
  await see(layers(page, 2))
  await page.keyboard.press('Delete')
  await see(layers(page, 1))
  await page.keyboard.press('Control+z')
  await see(layers(page, 2))
  await page.keyboard.press('Control+z')
  await see(layers(page, 1))
  await page.keyboard.press('PageDown')
  await see(page.getByText(/^已选择零售价/))
  // Below the edge it is warned of before a save drops it.
  await field(page, '上').fill('45')
  await see(page.getByText('1 个元素在标签下边缘之外，保存时会被去掉。'))
  await field(page, '上').fill('5')
  await gone(page.getByText('1 个元素在标签下边缘之外，保存时会被去掉。'))
  await board(page).focus()
  await page.keyboard.press('Escape')
  await page.getByRole('textbox', { name: '模板名称' }).focus()
  await page.keyboard.type('键盘价签')
  await page.getByRole('button', { name: '保存', exact: true }).focus()
  await page.keyboard.press('Enter')
  await see(toast(page, '保存成功'))
  await page.waitForURL(url => url.pathname === LIST)
})

test('on a phone a label is seen, proved and changed by its properties, and nothing is broken', async () => {
  const page = await office.openAs('10001', LIST, { viewport: PHONE })
  await see(page.getByRole('img', { name: '商品价签 80×40的样子' }))
  assert.equal(await sidewaysScroll(page), 0)
  await page.getByRole('link', { name: '打开商品价签 80×40' }).click()
  await see(page.getByText('设计器适合在宽屏上使用'), page.getByText('1 个条码均可扫描'))
  assert.equal(await sidewaysScroll(page), 0)
  assert.deepEqual(await axeFindings(page), [])
  await save(page, '商品价签 大', '编辑成功')
})
