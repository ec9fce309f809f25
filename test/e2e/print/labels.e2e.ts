// Label templates in the browser (D3 §2, §5, §8): seen as pictures, designed by mouse and by keys, proved, saved, copied, deleted.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { emptyLabel } from '#kit/print/label.ts'
import { defaultsOf, LABEL_ITEMS } from '#kit/print/label-items.ts'
import { umOfMm } from '#kit/print/units.ts'
import { exhaustive } from '../../lane.ts'
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
  // One verdict: the name runs out with the longest data.
  await see(page.getByText('数据最长时还有 1 个问题'), page.getByText('1 个问题', { exact: true }))
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

exhaustive(
  'by keys alone a tag is made, moved by tenths and dots, read aloud, and saved',
  ['test/e2e/print/from-nothing.e2e.ts', 'kit/print/edit/arithmetic.test.ts', 'kit/print/edit/draft.test.ts'],
  async () => {
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
  },
)

exhaustive(
  'on a phone a label is seen, proved and changed by its properties, and nothing is broken',
  ['test/e2e/house/pages.e2e.ts', 'test/e2e/print/labels.e2e.ts'],
  async () => {
    const page = await office.openAs('10001', LIST, { viewport: PHONE })
    await see(page.getByRole('img', { name: '商品价签 80×40的样子' }))
    assert.equal(await sidewaysScroll(page), 0)
    await page.getByRole('link', { name: '打开商品价签 80×40' }).click()
    await see(page.getByText('设计器适合在宽屏上使用'), page.getByText('1 个条码均可扫描'))
    assert.equal(await sidewaysScroll(page), 0)
    assert.deepEqual(await axeFindings(page), [])
    await save(page, '商品价签 大', '编辑成功')
  },
)

/** A template of three prices in a row, the last one out of step, on an open page. */
async function openRow(name: string): Promise<Page> {
  const [price] = LABEL_ITEMS.filter(({ key }) => key === 'retailPrice')
  assert.ok(price)
  const items = [2, 20.375, 60].map(left => ({
    ...{ ...defaultsOf(price, randomUUID()), fontSize: 6 },
    ...{ left: umOfMm(left), top: umOfMm(20) },
  }))
  const [made] = await office.sql<{ id: string }>(
    `insert into print_templates (kind, name, is_custom, content, created_by, created_by_name, created_at, updated_by_name, updated_at)
     select 'label', $1, false, $2, id, name, now(), name, now() from accounts where login_name = '10001' returning id`,
    [name, JSON.stringify({ ...emptyLabel(), width: umOfMm(90), height: umOfMm(40), items })],
  )
  const page = await office.openAs('10001', `${DESIGNER}?id=${made?.id}`)
  page.on('dialog', dialog => void dialog.accept())
  await see(layers(page, 3), page.locator('[data-item]').first())
  return page
}

const middleOf = async (page: Page, nth: number): Promise<[number, number]> => {
  const box = await page.locator('[data-item] > rect').nth(nth).boundingBox()
  assert.ok(box)
  return [box.x + box.width / 2, box.y + box.height / 2]
}
/** From line to line to the left, by keys. */
async function jumpTo(page: Page, left: string): Promise<void> {
  await board(page).focus()
  for (let jumps = 0; (await field(page, '左').inputValue()) !== left; jumps++) {
    assert.ok(jumps < 12, `no line at ${left}`)
    const before = await field(page, '左').inputValue()
    await page.keyboard.press('Control+ArrowLeft')
    await eventually(async () => (await field(page, '左').inputValue()) === before, false)
  }
}
const scrolled = (page: Page) => board(page).evaluate(({ scrollLeft, scrollTop }) => [scrollLeft, scrollTop])

/** Dots of ink that are seen there. */
async function inkAt(page: Page, clip: { x: number; y: number; width: number; height: number }) {
  const { data } = await sharp(await page.screenshot({ clip }))
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return data.reduce((ink, dot) => ink + (dot < 60 ? 1 : 0), 0)
}

test('what is pulled is seen where the pointer is and nowhere else, and so once it is put down', async () => {
  const page = await openRow('飘着')
  const [old, from] = [await boxOf(page, '[data-item] > rect'), await middleOf(page, 0)]
  const place = { ...old, x: old.x + 120, y: old.y + 60 }
  const ink = await inkAt(page, old)
  assert.ok(ink > 50 && (await inkAt(page, place)) === 0, `${ink}`)
  await page.keyboard.down('Alt')
  await page.mouse.move(...from)
  await page.mouse.down()
  await page.mouse.move(from[0] + 120, from[1] + 60, { steps: 4 })
  const isMoved = async () => {
    const [left, there] = [await inkAt(page, old), await inkAt(page, place)]
    return left === 0 && Math.abs(there - ink) < ink / 4
  }
  await eventually(isMoved, true)
  await page.mouse.up()
  await page.keyboard.up('Alt')
  await eventually(isMoved, true)
  await gone(page.locator('[data-pulling], [data-away]'))
})

exhaustive(
  'equal gaps and own guides draw what is pulled and what is moved by keys',
  ['kit/print/edit/gaps.test.ts', 'kit/print/edit/arithmetic.test.ts'],
  async () => {
    const page = await openRow('等距')
    const from = await middleOf(page, 2)
    const [first, second] = [await middleOf(page, 0), await middleOf(page, 1)]
    const pitch = second[0] - first[0]
    const to: [number, number] = [second[0] + pitch + 4, from[1]]
    await page.mouse.move(...from)
    await page.mouse.down()
    await page.mouse.move((from[0] + to[0]) / 2, from[1], { steps: 3 })
    await page.mouse.move(...to)
    // Both gaps, with how much is free.
    await see(page.locator('canvas[data-gaps="2"]'))
    await page.mouse.up()
    await eventually(inField(page, '左'), '38.75')
    await gone(page.locator('canvas[data-gaps="2"]'))
    await page.keyboard.press('Control+z')
    await eventually(inField(page, '左'), '60')
    await jumpTo(page, '38.75')
    await see(page.getByText(/间距相等 .+ 毫米$/))

    const canvas = await board(page).boundingBox()
    assert.ok(canvas)
    const guides = page.getByRole('separator', { name: /参考线/ })
    await drag(page, [canvas.x + 8, canvas.y + 200], [canvas.x + 300, canvas.y + 200])
    await see(page.getByRole('separator', { name: /^竖参考线/ }), page.getByText(/^已添加竖参考线/))
    const stands = await guides.boundingBox()
    assert.ok(stands)
    await drag(page, [stands.x + stands.width / 2, canvas.y + 200], [canvas.x + 8, canvas.y + 200])
    await gone(guides)
    await page.getByRole('button', { name: '参考线', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: '参考线' })
    await dialog.getByRole('textbox', { name: '距左边' }).fill('33.3')
    await dialog.getByRole('button', { name: '添加' }).click()
    await see(dialog.getByText('竖参考线 33.3 毫米'))
    await dialog.getByText('关闭', { exact: true }).click()
    await gone(dialog)
    await jumpTo(page, '33.3')
    await page.reload()
    const guide = page.getByRole('separator', { name: '竖参考线 33.3 毫米' })
    await see(guide)
    await guide.focus()
    await page.keyboard.press('Shift+ArrowRight')
    await see(page.getByRole('separator', { name: '竖参考线 34.3 毫米' }))
    assert.deepEqual(await axeFindings(page), [])
    await page.keyboard.press('Delete')
    await gone(guides)
  },
)

test('the canvas is zoomed where the pointer is and moved by space and by the middle button; data and a picture lie below', async () => {
  const page = await openRow('画布')
  const at = await middleOf(page, 0)
  await page.mouse.move(...at)
  await page.keyboard.down('Control')
  for (let turns = 0; turns < 6; turns++) await page.mouse.wheel(0, -100)
  await page.keyboard.up('Control')
  const near = async () => {
    const now = await middleOf(page, 0)
    return Math.hypot(now[0] - at[0], now[1] - at[1]) < 12
  }
  await eventually(async () => (await scrolled(page)).some(one => one > 0) && (await near()), true)
  const canvas = await board(page).boundingBox()
  assert.ok(canvas)
  const empty: [number, number] = [canvas.x + 400, canvas.y + 60]
  const before = await scrolled(page)
  await board(page).focus()
  await page.keyboard.down(' ')
  await drag(page, empty, [empty[0] - 50, empty[1] + 20])
  await page.keyboard.up(' ')
  const moved = before.map((one, axis) => one + (axis === 0 ? 50 : -20))
  await eventually(async () => (await scrolled(page)).map(Math.round).join(), moved.map(Math.round).join())
  await page.mouse.move(...empty)
  await page.mouse.down({ button: 'middle' })
  await page.mouse.move(empty[0] + 50, empty[1] - 20, { steps: 3 })
  await page.mouse.up({ button: 'middle' })
  await eventually(async () => (await scrolled(page)).map(Math.round).join(), before.map(Math.round).join())

  await page.getByRole('button', { name: '用店铺资料' }).click()
  const shop = page.getByRole('dialog', { name: '用店铺资料预览' })
  await shop.getByRole('textbox', { name: '商户ID' }).fill('99999999')
  await page.keyboard.press('Enter')
  await see(shop.getByText('没有这个商户ID'))
  const [known] = await office.sql<{ id: string }>('select id from merchants order by id limit 1')
  await shop.getByRole('textbox', { name: '商户ID' }).fill(String(known?.id))
  await shop.getByRole('button', { name: '使用' }).click()
  await see(page.getByRole('button', { name: `不用店铺 ${known?.id}` }))

  const picture = sharp({ create: { width: 90, height: 40, channels: 3, background: '#0e7c66' } })
  await page
    .locator('#label-background')
    .setInputFiles({ name: 'under.png', mimeType: 'image/png', buffer: await picture.png().toBuffer() })
  await see(page.locator('svg image'))
  await save(page, '有底图', '编辑成功')
  await page.getByRole('link', { name: '打开有底图' }).click()
  await see(page.locator('svg image'))
})

test('from the designer a draft is published, an old version comes back, and nobody overwrites another unseen', async () => {
  const page = await openRow('版本')
  const name = page.getByRole('textbox', { name: '模板名称' })
  const publish = async (number: number) => {
    await page.getByRole('button', { name: '发布', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: '发布：' })
    await dialog.getByRole('button', { name: '发布', exact: true }).click()
    await see(toast(page, `已发布为版本 ${number}`))
    await gone(dialog)
  }
  await publish(1)
  await name.fill('版本二')
  await page.getByRole('button', { name: '发布', exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: '保存并发布' }).click()
  await see(toast(page, '编辑成功'), page.getByRole('dialog', { name: '发布：版本二' }))
  await page.getByRole('dialog').getByRole('button', { name: '发布', exact: true }).click()
  await see(toast(page, '已发布为版本 2'))
  await gone(page.getByRole('dialog'))
  // What is not saved is told of before a restored version takes its place, and can be undone to.
  await entry(page, '条码').click()
  await see(layers(page, 4))
  await page.getByRole('button', { name: '历史版本' }).click()
  const history = page.getByRole('dialog', { name: '历史：版本二' })
  await history.getByRole('button', { name: /^版本 1/ }).click()
  await history.getByRole('button', { name: '恢复为草稿' }).click()
  await see(page.getByText(/未保存的修改将丢失/))
  await page.getByRole('alertdialog').getByRole('button', { name: '恢复为草稿' }).click()
  await see(toast(page, '版本 1 已恢复为草稿'), layers(page, 3))
  await page.getByRole('button', { name: '撤销' }).click()
  await see(layers(page, 4))
  await page.getByRole('button', { name: '重做' }).click()
  await see(layers(page, 3))

  const id = new URL(page.url()).searchParams.get('id')
  const another = (called: string) =>
    office.sql(
      `update print_templates set revision = revision + 1, name = $2, updated_by_name = '另一人' where id = $1`,
      [id, called],
    )
  await another('别人的')
  await name.fill('我的')
  await page.getByRole('button', { name: '保存', exact: true }).click()
  const stale = page.getByRole('dialog', { name: '该模板已被他人修改' })
  await see(stale.getByText(/^另一人 已于/), stale.getByText('对方版本'), stale.getByText('我的版本'))
  await stale.getByRole('button', { name: '以我的覆盖' }).click()
  await see(toast(page, '编辑成功'))
  await gone(stale)
  await page.getByRole('button', { name: '撤销' }).click()
  await eventually(() => name.inputValue(), '别人的')
  await another('又是别人的')
  await name.fill('还是我的')
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await stale.getByRole('button', { name: '放弃我的修改' }).click()
  await gone(stale)
  await eventually(() => name.inputValue(), '又是别人的')
  await page.getByRole('button', { name: '撤销' }).click()
  await eventually(() => name.inputValue(), '还是我的')
  await save(page, '终于我的', '编辑成功')
})
