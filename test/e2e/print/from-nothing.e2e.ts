// As a new user would: a price tag is made from nothing by mouse, and again by keys alone; what does not scan is told before it is
// published; it is printed by the desk's program to a folder and to a printer, byte for byte the same. A receipt is made of five groups
// and printed on rolls and on A4.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { umOfMm } from '#kit/print/units.ts'
import { joinedRaster, readEscpos } from '#test/print/escpos-reader.ts'
import { asWords, readByZbar, readByZxing, readPdf, renderZpl, shown } from '#test/print/readers.ts'
import { exhaustive } from '../../lane.ts'
import { button, openDeskOffice, pair } from '../at-desk.ts'
import { eventually, gone, see, toast } from '../browser.ts'

const LABELS = '/admin/template/labelPrintList'
const RECEIPTS = '/admin/template/ticketGroup'

const here = openDeskOffice(port => {
  const folder = (id: string, name: string, language: string) => ({
    ...{ way: 'file', id, name, language },
    folder: 'printed',
  })
  const front = { way: 'tcp', id: 'front', name: '前台标签机', language: 'zpl', host: '127.0.0.1', port }
  const targets = [
    folder('labels', '标签文件夹', 'zpl'),
    front,
    { ...front, id: 'till', name: '收银小票机', language: 'escpos' },
    folder('receipts', '小票文件夹', 'escpos'),
    folder('papers', '文档文件夹', 'pdf'),
  ]
  return { more: { targets, stallMs: 60_000 } }
})

const board = (page: Page) => page.getByRole('application', { name: '标签画布' })
const layers = (page: Page, count: number) => page.getByRole('tab', { name: `图层 ${count}`, exact: true })
const property = (page: Page, name: string) =>
  page.getByRole('complementary', { name: '属性' }).getByLabel(new RegExp(`^${name}`))
const card = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })

const fileOf = (language: string, name: string): Buffer => {
  const folder = join(here.desk.dir, 'printed')
  const found = readdirSync(folder).filter(one => one.startsWith(name) && one.endsWith(`.${language}`))
  assert.equal(found.length, 1, `${found} of ${readdirSync(folder)}`)
  return readFileSync(join(folder, found[0] ?? ''))
}

/** What came out of both is one label of 80 by 40, with the codes that two readers read. */
async function assertPrinted(name: string, codes: readonly string[]): Promise<void> {
  const bytes = fileOf('zpl', name)
  // The printer has what lies in the folder.
  await eventually(async () => here.printer.jobs.at(-1)?.equals(bytes), true)
  const bitmap = await renderZpl(bytes, { width: umOfMm(80), height: umOfMm(40), dots: 8 })
  assert.deepEqual([bitmap.width, bitmap.height], [640, 320])
  assert.deepEqual(asWords(await readByZxing(shown(bitmap))), codes)
  assert.deepEqual(asWords(await readByZbar(shown(bitmap))), codes)
}

async function drag(page: Page, from: Locator, to: [number, number]): Promise<void> {
  const box = await from.boundingBox()
  assert.ok(box)
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(to[0], to[1], { steps: 6 })
  await page.mouse.up()
}

exhaustive(
  'by mouse: a price tag from nothing to a folder and to a printer',
  ['test/e2e/print/labels.e2e.ts', 'test/e2e/print/from-nothing.e2e.ts'],
  async () => {
    const page = await here.office.openAs('10001', LABELS)
    await page.getByRole('link', { name: '新建模板' }).click()
    await see(board(page))
    await page.getByRole('textbox', { name: '模板名称' }).fill('鼠标价签')
    await button(page, '条码').click()
    await see(layers(page, 1), page.getByText('条码：条码四周留白不足'))
    const canvas = await board(page).boundingBox()
    assert.ok(canvas)
    await drag(page, button(page, '商品名称'), [canvas.x + 300, canvas.y + 90])
    await see(layers(page, 2))
    // A name as long as shops enter them runs out: seen before it is published.
    await button(page, '数据最长时还有 1 个问题').click()
    await see(
      page.getByRole('radio', { name: '最长', checked: true }),
      page.getByText('商品名称：文字超出标签'),
    )
    await page.getByText('换行', { exact: true }).click()
    await gone(page.getByText('商品名称：文字超出标签'))
    await button(page, '保存').click()
    await see(toast(page, '保存成功'), card(page, '鼠标价签'))

    // It is not published as it is: the question names what is wrong.
    await button(page, '鼠标价签的更多操作').click()
    await page.getByRole('menuitem', { name: '发布' }).click()
    const publish = page.getByRole('dialog', { name: '发布：鼠标价签' })
    await see(publish.getByText('有 1 个问题未解决'), publish.getByText(/^条码：条码四周留白不足/))
    await button(publish, '发布').click()
    await see(publish.getByText(/修改后再发布，或填写仍要发布的原因$/))
    await button(publish, '取消').click()
    await gone(publish)

    await card(page, '鼠标价签').getByRole('link', { name: '编辑鼠标价签' }).click()
    await see(page.getByText('条码：条码四周留白不足'))
    await button(page, '条码：条码四周留白不足').click()
    const bars = page.locator('[data-item] path').first()
    const from = await bars.boundingBox()
    assert.ok(from)
    await drag(page, bars, [from.x + from.width / 2 + 90, from.y + from.height / 2 + 150])
    await see(page.getByText('1 个条码均可扫描'))
    await button(page, '保存').click()
    await see(toast(page, '编辑成功'), card(page, '鼠标价签'))
    await button(page, '鼠标价签的更多操作').click()
    await page.getByRole('menuitem', { name: '发布' }).click()
    await see(publish.getByRole('radio', { name: '全部店铺', checked: true }))
    await gone(publish.getByText(/个问题未解决/))
    await button(publish, '发布').click()
    await see(toast(page, '已发布为版本 1'), card(page, '鼠标价签').getByText('已发布 v1'))

    await card(page, '鼠标价签').getByRole('link', { name: '编辑鼠标价签' }).click()
    await button(page, '试打').click()
    const dialog = page.getByRole('dialog', { name: '打印标签' })
    await see(dialog.getByText('未配对'))
    await pair(dialog, here.desk)
    await see(dialog.getByText('已连接'))
    for (const target of ['标签文件夹', '前台标签机']) {
      if (target !== '标签文件夹') await button(page, '试打').click()
      await dialog.getByRole('radio', { name: new RegExp(`^${target}`) }).check()
      await button(dialog, '打印').click()
      await gone(dialog)
      await see(toast(page, '打印完成').last())
    }
    await assertPrinted('鼠标价签', ['ean13 6901234567892'])
  },
)

const hasFocus = (target: Locator) =>
  target.evaluate(node => node === node.ownerDocument.activeElement).catch(() => false)

/** Tab, or with Shift, until it has the focus; so many stops at most. */
async function tabTo(page: Page, target: Locator, most: number, key = 'Tab'): Promise<void> {
  await see(target)
  for (let stops = 0; stops < most; stops += 1) {
    await page.keyboard.press(key)
    if (await hasFocus(target)) return
  }
  const at = await page.evaluate<string>('document.activeElement.outerHTML.slice(0, 200)')
  assert.fail(`${target} is not reached within ${most} stops; the focus is on ${at}`)
}
const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}

test('by keys alone: a price tag from nothing to a folder and to a printer', async () => {
  const page = await here.office.openAs('10001', LABELS)
  await see(page.getByRole('list', { name: '标签模板' }))
  await tabTo(page, page.getByRole('link', { name: '跳到内容' }), 2)
  await press(page, 'Enter')
  await tabTo(page, page.getByRole('link', { name: '新建模板' }), 1)
  await press(page, 'Enter')
  await see(board(page))

  await tabTo(page, button(page, '商品名称'), 4)
  await press(page, 'Enter')
  await see(layers(page, 1))
  await eventually(() => hasFocus(board(page)), true)
  await press(page, 'ArrowRight', 'Shift+ArrowRight')
  await tabTo(page, page.getByRole('radio', { name: '不处理' }), 16)
  await press(page, 'ArrowRight')
  await see(page.getByRole('radio', { name: '换行', checked: true }))
  await tabTo(page, button(page, '条码'), 24, 'Shift+Tab')
  await press(page, 'End', 'Enter')
  await see(layers(page, 2))
  await eventually(() => hasFocus(board(page)), true)
  // A millimetre at a time, to where nothing is beside it.
  for (let at = 0; at < 4; at += 1) await press(page, 'Shift+ArrowRight', 'Shift+ArrowDown')

  // A code that is too fine for a scanner, and what would help.
  await tabTo(page, property(page, '边长'), 40)
  await press(page, 'Control+a')
  await page.keyboard.type('6')
  await see(page.getByText('二维码：二维码太细，扫描枪读不出'), page.getByText('1 个问题'))
  await see(page.getByText(/二维码边长至少 [\d.]+ 毫米/))
  await press(page, 'Control+a')
  await page.keyboard.type('22')
  await gone(page.getByText('二维码：二维码太细，扫描枪读不出'))
  // Without a name it is not saved: the field is where one types on.
  await press(page, 'Control+s')
  await see(page.getByText('请输入模板名称'))
  await eventually(() => hasFocus(page.getByRole('textbox', { name: '模板名称' })), true)
  await page.keyboard.type('键盘价签')
  await press(page, 'Control+s')
  await see(toast(page, '保存成功'), card(page, '键盘价签'))

  await tabTo(page, button(page, '键盘价签的更多操作'), 14)
  await press(page, 'Enter')
  await eventually(() => hasFocus(page.getByRole('menuitem', { name: '发布' })), true)
  await press(page, 'Enter')
  const publish = page.getByRole('dialog', { name: '发布：键盘价签' })
  await see(publish.getByRole('radio', { name: '全部店铺', checked: true }))
  await tabTo(page, button(publish, '发布'), 8)
  await press(page, 'Enter')
  await see(toast(page, '已发布为版本 1'), card(page, '键盘价签').getByText('已发布 v1'))
  await gone(publish)

  await tabTo(page, page.getByRole('link', { name: '编辑键盘价签' }), 14, 'Shift+Tab')
  await press(page, 'Enter')
  await see(board(page), page.getByText('1 个二维码均可扫描'))
  await press(page, 'Control+p')
  const dialog = page.getByRole('dialog', { name: '打印标签' })
  await see(dialog.getByText('未配对'))
  await tabTo(page, dialog.getByLabel('配对码', { exact: true }), 4)
  await page.keyboard.type(here.desk.pairingCode())
  await press(page, 'Enter')
  await see(dialog.getByText('已连接'))
  const way = (name: string) => dialog.getByRole('radio', { name: new RegExp(`^${name}`) })
  await tabTo(page, way('标签文件夹'), 4)
  await tabTo(page, button(dialog, '打印'), 6)
  await press(page, 'Enter')
  await gone(dialog)
  await see(toast(page, '打印完成'))
  await press(page, 'Control+p')
  await tabTo(page, way('标签文件夹'), 4)
  await press(page, 'ArrowDown')
  await see(dialog.getByRole('radio', { name: /^前台标签机/, checked: true }))
  await tabTo(page, button(dialog, '打印'), 6)
  await press(page, 'Enter')
  await gone(dialog)
  await assertPrinted('键盘价签', ['qrcode https://mall.example.com/shop/10086?goods=6901234567892'])
})

/** Its name, the kind of its block, what it always shows, and what a receipt then says. */
const GROUPS = [
  ['抬头', '基本信息', ['店铺名称'], '晨光便利店（人民路店）'],
  ['明细', '商品信息', ['小计'], '全麦吐司面包'],
  ['收款', '支付信息', ['应收', '实收'], '34.12'],
  ['会员', '客户信息', ['客户', '会员卡号'], '李女士'],
  ['签字', '签名信息', ['客户签名'], '客户签名'],
] as const

async function makeGroup(page: Page, [name, section, items]: (typeof GROUPS)[number]): Promise<void> {
  await page.getByRole('link', { name: '新增分组' }).click()
  await page.getByRole('textbox', { name: '分组名称' }).fill(name)
  await page.getByRole('combobox', { name: '板块类型' }).click()
  await page.getByTitle(section, { exact: true }).last().click()
  await page.getByRole('textbox', { name: '分组标签' }).fill('走查')
  for (const item of items) await page.getByRole('checkbox', { name: item, exact: true }).check()
  await button(page, '保存').click()
  await see(page.getByRole('heading', { level: 1, name: '小票信息分组' }))
  await see(page.getByRole('list', { name: '小票信息分组' }).getByText(name))
}

test('a receipt of five groups, for rolls of 58 and 80 and for A4', async () => {
  const page = await here.office.openAs('10001', `${RECEIPTS}?tab=groups`)
  for (const group of GROUPS) await makeGroup(page, group)
  await page.getByRole('link', { name: '新小票样式' }).click()
  await page.getByRole('link', { name: '新增小票' }).click()
  // The list's search is named like the field of the form that takes its place.
  await see(page.getByRole('heading', { level: 1, name: '新增小票' }))
  await page.getByRole('textbox', { name: '模板名称' }).fill('走查小票')
  for (const sheet of ['小票模板', '210mm模板']) {
    await page.getByRole('tab', { name: sheet, exact: true }).click()
    await page.getByPlaceholder('分组标签').fill('走查')
    for (const [name] of GROUPS) await button(page, `添加${name}`).click()
    for (const [name] of GROUPS) await see(button(page, `板块：${name}`))
  }
  await button(page, '保存').click()
  const row = page.getByRole('row', { name: /走查小票/ })
  await see(toast(page, '保存成功'), row)
  await button(row, '发布')
    .or(row.getByRole('button', { name: /更多/ }))
    .first()
    .click()
  await page.getByRole('menuitem', { name: '发布' }).click()
  const publish = page.getByRole('dialog', { name: '发布：走查小票' })
  await button(publish, '发布').click()
  await see(toast(page, '已发布为版本 1'))
  await gone(publish)

  await row.getByRole('button', { name: /更多/ }).click()
  await page.getByRole('menuitem', { name: '打印设计' }).click()
  const dialog = page.getByRole('dialog', { name: '打印小票' })
  let isPaired = false
  const start = async (paper: string, target: string) => {
    await page.getByRole('radiogroup', { name: '测试打印的纸宽' }).getByText(paper, { exact: true }).click()
    await button(page, '测试打印').click()
    if (!isPaired) {
      await pair(dialog, here.desk)
      isPaired = true
    }
    await dialog.getByRole('radio', { name: new RegExp(`^${target}`) }).check()
    // A whole sheet is offered no roll.
    if (paper === 'A4') await gone(dialog.getByRole('radio', { name: /^收银小票机/ }))
    // Enter prints, and does not send the page's own form.
    if (paper === '58') await dialog.getByLabel('份数').press('Enter')
    else await button(dialog, '打印').click()
  }
  await start('80', '小票文件夹')
  await gone(dialog)
  const desks = await page.context().newPage()
  await desks.goto('/admin/template/printers')
  const card = desks.getByRole('listitem').filter({ hasText: '小票文件夹' })
  await card.getByText('文字（快）').click()
  await see(card.getByText(/^按文字发送/))
  await desks.close()
  await start('58', '小票文件夹')
  await gone(dialog)
  await start('A4', '文档文件夹')
  await gone(dialog)
  // What a receipt's printer does is told as a label's.
  here.printer.hold(true)
  await start('80', '收银小票机')
  await see(dialog.getByText('正在打印，请稍等......'))
  here.printer.hold(false)
  await gone(dialog)
  await eventually(async () => here.printer.jobs.at(-1)?.equals(fileOf('escpos', '走查小票_80mm')), true)
  await here.printer.pull()
  await start('80', '收银小票机')
  await see(dialog.getByText('打印机连不上，连上后会自动继续'))
  await button(dialog, '取消打印').click()
  await see(dialog.getByText('打印失败：已取消'), button(dialog, '仍要再打一次'))
  await here.printer.plug()
  await here.startProgram({ version: 0 })
  await see(dialog.getByText('请下载最新客户端'))
  await see(dialog.getByRole('radio', { name: /^下载 PDF/ }))

  const narrow = readEscpos(fileOf('escpos', '走查小票_58mm'))
  const rollWords = narrow.flatMap(one => (one.kind === 'text' ? [one.text] : [])).join('\n')
  const wide = readEscpos(fileOf('escpos', '走查小票_80mm'))
  assert.deepEqual([narrow.at(-1)?.kind, wide.at(-1)?.kind], ['cut', 'cut'])
  const raster = joinedRaster(wide)
  assert.equal(raster.width, 576)
  assert.ok(raster.rows.some(byte => byte !== 0))
  const [sheet, ...more] = await readPdf(fileOf('pdf', '走查小票_210mm'), 8)
  assert.deepEqual([Math.round(sheet?.widthMm ?? 0), Math.round(sheet?.heightMm ?? 0), more], [210, 297, []])
  for (const [, , , words] of GROUPS) {
    assert.ok(rollWords.includes(words), `${words} of ${rollWords}`)
    assert.ok(sheet?.text.replace(/\s/g, '').includes(words), `${words} of ${sheet?.text}`)
  }
})
