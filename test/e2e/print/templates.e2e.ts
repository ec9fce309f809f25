// A template that is published: to some at first, compared with the one before, withdrawn, brought back; and who uses it.

import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
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
const NAME = '货架标签 70×35'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice()
})
afterEach(() => office.closePages())
after(() => office.stop())

async function open(page: Page, what: string) {
  const menu = page.getByRole('button', { name: `${NAME}的更多操作` })
  await menu.scrollIntoViewIfNeeded()
  await menu.press('Enter')
  await page.getByRole('menuitem', { name: what }).press('Enter')
}

test('a changed draft is published to one industry, compared, withdrawn with a reason and brought back', async () => {
  await office.sql(
    `update print_templates set content = jsonb_set(content, '{items}', (content->'items') - 0), revision = 2 where name = $1`,
    [NAME],
  )
  const page = await office.openAs('10001', LIST)
  const card = page.getByRole('listitem').filter({ hasText: NAME })
  await see(card.getByText('有修改未发布 v1'))

  await open(page, '发布')
  const publish = page.getByRole('dialog', { name: `发布：${NAME}` })
  await publish.getByRole('radio', { name: '部分行业或店铺' }).check()
  await publish.getByRole('button', { name: '发布', exact: true }).click()
  await see(publish.getByText('请选择至少一个行业或一家店铺'))
  await publish.getByRole('checkbox', { name: '餐饮美食' }).check()
  await see(publish.getByText('其余店铺继续使用版本 1。'))
  assert.deepEqual(await axeFindings(page, { colours: true }), [])
  await publish.getByRole('textbox', { name: '发布说明' }).fill('先给餐饮试用')
  await publish.getByRole('button', { name: '发布', exact: true }).click()
  await see(toast(page, '已发布为版本 2'), card.getByText('已发布 v2'))
  // It closes once what lies behind it is read again.
  await gone(publish)

  await open(page, '历史版本')
  const history = page.getByRole('dialog', { name: `历史：${NAME}` })
  await see(history.getByText('先给餐饮试用').first(), history.getByText('版本 2与草稿相同'))
  await history.getByRole('combobox', { name: '对照' }).selectOption('before')
  await see(history.getByText('红：只在版本 1'), history.getByText('蓝：只在版本 2'))
  assert.deepEqual(await axeFindings(page, { colours: true }), [])
  await history.getByRole('button', { name: '撤回版本 2' }).click()
  const withdrawal = page.getByRole('dialog', { name: '撤回版本 2' })
  await see(withdrawal.getByText('餐饮美食不再使用版本 2，改用版本 1。'))
  await withdrawal.getByRole('textbox', { name: '原因' }).fill('价格印小了')
  await withdrawal.getByRole('button', { name: '撤回', exact: true }).click()
  await see(toast(page, '版本 2 已撤回'), history.getByText('已撤回'))
  await history.getByRole('button', { name: /^版本 1/ }).click()
  await history.getByRole('button', { name: '恢复为草稿' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: '恢复为草稿' }).click()
  await see(toast(page, '版本 1 已恢复为草稿'), card.getByText('已发布 v1'))
  await gone(history)

  await open(page, '发布')
  await see(page.getByText('没有需要发布的修改'))
})

test('until the list behind it has been read again, the dialog goes on saying what it did', async () => {
  await office.sql(
    `update print_templates set content = jsonb_set(content, '{items}', (content->'items') - 0), revision = revision + 1 where name = $1`,
    [NAME],
  )
  const page = await office.openAs('10001', LIST)
  await open(page, '发布')
  const publish = page.getByRole('dialog', { name: `发布：${NAME}` })
  await see(publish.getByRole('textbox', { name: '发布说明' }))
  const held = Promise.withResolvers<void>()
  await page.route('**/api/label-templates?*', async route => {
    await held.promise
    await route.continue()
  })
  const reads = [/label-templates\/\d+$/, /label-templates\/\d+\/faults$/].map(address =>
    page.waitForResponse(answer => address.test(answer.url())),
  )
  await publish.getByRole('button', { name: '发布', exact: true }).click()
  await see(toast(page, '已发布为版本 3'))
  await Promise.all(reads)
  await see(publish)
  assert.equal(await page.getByRole('dialog').count(), 1)
  held.resolve()
  await gone(page.getByRole('dialog'))
})

exhaustive(
  'on a phone one sees which shops use it, and reads on',
  ['features/print/print-templates/server.test.ts'],
  async () => {
    const page = await office.openAs('10001', LIST, { viewport: PHONE })
    await open(page, '使用的店铺')
    const usage = page.getByRole('dialog', { name: `使用的店铺：${NAME}` })
    await see(usage.getByText(/^共 [\d,]+ 家店铺$/))
    const before = await usage.getByRole('listitem').count()
    await usage.getByRole('button', { name: '更多店铺' }).click()
    await eventually(async () => (await usage.getByRole('listitem').count()) > before, true)
    assert.deepEqual(await axeFindings(page, { colours: true }), [])
    assert.equal(await sidewaysScroll(page), 0)
    await usage.getByRole('button', { name: '关闭' }).click()
    await gone(usage)
  },
)
