// What every list gains: columns, saved views, chosen rows, and files in the background (D3 §9).
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import readXlsxFile from 'read-excel-file/node'
import { exhaustive } from '../../lane.ts'
import {
  axeFindings,
  type BrowserOffice,
  eventually,
  gone,
  openBrowserOffice,
  PHONE,
  see,
  toast,
} from '../browser.ts'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice({ exports: true })
  await office.sql('delete from saved_views')
})
afterEach(() => office.closePages())
after(() => office.stop())

const LIST = '/admin/merchant/myMerchant'

async function openList(query = '', loginName = '20001', options = {}): Promise<Page> {
  const page = await office.openAs(loginName, LIST + query, options)
  await see(page.getByRole('heading', { name: '我的商户' }))
  return page
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const heads = (page: Page): Locator => page.getByRole('columnheader')
const headTexts = (page: Page) => heads(page).allInnerTexts()

async function headAt(page: Page, name: string): Promise<number> {
  return (await headTexts(page)).indexOf(name)
}

async function noFindings(page: Page): Promise<void> {
  assert.deepEqual(await axeFindings(page), [])
}

describe('columns', () => {
  test('columns are hidden, moved and widened, kept for the account, and written into the file; the edge of a head is dragged', async () => {
    const page = await openList()
    await button(page, '列设置').click()
    await noFindings(page)
    const box = page.getByRole('checkbox', { name: '姓名 / 账号' })
    await box.click()
    await eventually(() => box.isChecked(), false)
    await button(page, '上移 到期时间').click()
    await page.getByLabel('到期时间 列宽').fill('200')
    await page.getByLabel('到期时间 列宽').press('Enter')
    assert.equal(await page.getByRole('checkbox', { name: /^店铺/ }).getAttribute('aria-disabled'), 'true')
    const saved = page.waitForResponse(answer => answer.request().method() === 'PUT')
    await button(page, '完成').click()
    await saved
    const arranged = async (shown: Page) => {
      await eventually(() => headAt(shown, '姓名 / 账号'), -1)
      assert.deepEqual((await headTexts(shown)).slice(1, 4), ['店铺', '到期时间', '版本 / 行业'])
      assert.equal((await heads(shown).nth(2).boundingBox())?.width, 200)
    }
    await arranged(page)
    await arranged(await openList())
    const other = await openList('', '20002')
    await eventually(
      async () => (await headAt(other, '姓名 / 账号')) > 0,
      true,
      'another account keeps its own',
    )
    const downloading = page.waitForEvent('download')
    await page.getByRole('link', { name: '导出' }).click()
    const [sheet] = await readXlsxFile(await (await downloading).path())
    const names = (sheet?.data[0] ?? []) as string[]
    assert.deepEqual(names.slice(0, 5), ['店铺名称', '商户ID', '门店类型', '到期时间', '软件版本'])
    assert.ok(!names.includes('商户姓名'))
    await button(page, '列设置').click()
    await button(page, '恢复默认').click()
    await button(page, '完成').click()
    await eventually(async () => (await headTexts(page))[2], '姓名 / 账号')

    const [head, next] = [heads(page).nth(1), heads(page).nth(3)]
    const before = (await next.boundingBox())?.width
    const edge = await head.boundingBox()
    assert.ok(edge && before)
    await page.mouse.move(edge.x + edge.width - 3, edge.y + 10)
    await page.mouse.down()
    await page.mouse.move(edge.x + edge.width + 57, edge.y + 10, { steps: 4 })
    await page.mouse.up()
    await eventually(
      async () => Math.round((await head.boundingBox())?.width ?? 0),
      Math.round(edge.width + 60),
    )
    assert.equal((await next.boundingBox())?.width, before, 'no other column moves')
  })

  exhaustive(
    'another number of rows, once chosen, stays, also without the address',
    ['web/list/useListParams.test.tsx'],
    async () => {
      const page = await openList()
      await page.getByRole('combobox', { name: '每页条数' }).selectOption('20')
      await eventually(() => page.locator('tbody').getByRole('row').count(), 20)
      assert.match(page.url(), /size=20/)
      const asked = page.waitForRequest(request => request.url().includes('/api/merchants?'))
      await page.goto('/admin/merchant/myMerchant')
      assert.match((await asked).url(), /size=20/)
      await page.getByRole('button', { name: '第 2 页' }).click()
      await page.waitForURL('**/*page=2*')
      assert.match(page.url(), /size=20/, 'a link to this page shows others the same rows')
      await page.goto('/admin/merchant/myMerchant?page=2')
      await eventually(() => page.locator('tbody').getByRole('row').count(), 10)
      await page.goto('/admin/merchant/myMerchant')
      await eventually(() => page.locator('tbody').getByRole('row').count(), 20)
      await page.getByRole('combobox', { name: '每页条数' }).selectOption('10')
      await eventually(() => page.locator('tbody').getByRole('row').count(), 10)
    },
  )
})

describe('views', () => {
  test('what is filtered and sorted is saved, shared with a sub-user, applied, renamed and deleted', async () => {
    const page = await openList('?status=normal&sort=expiresAt&order=asc')
    await button(page, '视图').click()
    await page.getByRole('menuitem', { name: '保存当前视图…' }).click()
    await button(page, '保存').click()
    await see(page.getByText('请输入视图名称'))
    await noFindings(page)
    await page.getByLabel('名称').fill('正常将到期')
    await page.getByRole('checkbox', { name: /^共享/ }).check()
    await button(page, '保存').click()
    await see(toast(page, '视图已保存'))
    const fresh = await openList('?search=%E5%BA%97&page=2')
    await button(fresh, '视图').click()
    await fresh.getByRole('menuitemradio', { name: /^正常将到期/ }).click()
    await eventually(
      async () => [...new URL(fresh.url()).searchParams].map(pair => pair.join('=')).sort(),
      ['order=asc', 'sort=expiresAt', 'status=normal'],
    )
    await button(fresh, '视图 正常将到期').click()
    await fresh.getByRole('menuitem', { name: '管理视图…' }).click()
    await noFindings(fresh)
    await fresh.getByLabel('视图名称 正常将到期').fill('将到期')
    await fresh.getByLabel('视图名称 正常将到期').press('Enter')
    await see(toast(fresh, '已重命名'))
    await fresh.getByRole('dialog').getByRole('button', { name: '删除' }).click()
    await button(fresh, '删除视图').click()
    await see(toast(fresh, '视图已删除'))
    assert.deepEqual(await office.sql('select id from saved_views'), [])
  })
})

describe('chosen rows', () => {
  test('rows are chosen by mouse, Shift and space bar, and stay so over pages, also on a phone', async () => {
    const page = await openList('', '10001')
    const picked = (count: number) =>
      see(page.getByRole('region', { name: '批量操作' }).getByText(`已选 ${count} 项`))
    const pick = page.getByRole('checkbox', { name: /^选择 / })
    // With Shift all rows from the last one are chosen, or taken out.
    await pick.nth(5).click()
    await pick.nth(1).click({ modifiers: ['Shift'] })
    await picked(5)
    assert.deepEqual([await pick.nth(0).isChecked(), await pick.nth(6).isChecked()], [false, false])
    await pick.nth(2).click()
    await pick.nth(5).click({ modifiers: ['Shift'] })
    await picked(1)
    await page.getByRole('row').nth(1).focus()
    await page.keyboard.press('Space')
    await picked(2)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    await picked(1)
    await button(page, '第 2 页').click()
    await see(page.getByRole('button', { name: '第 2 页' }).and(page.locator('[aria-current]')))
    await page.getByRole('checkbox', { name: '选择本页' }).check()
    await picked(11)
    await noFindings(page)
    await button(page, '清空').click()
    await gone(page.getByText(/^已选/))
    const phone = await openList('', '10001', { viewport: PHONE })
    await phone.getByRole('checkbox', { name: '选择本页' }).check()
    await see(phone.getByText('已选 10 项'))
    await gone(phone.getByRole('main').getByRole('button', { name: '新增商户' }))
    // The last card clear of the bar: what lies half below it is no target.
    await phone.getByRole('button', { name: '更多操作' }).last().scrollIntoViewIfNeeded()
    await noFindings(phone)
  })
})

describe('files in the background', () => {
  test('a list longer than the operator has set is exported in the background, and its file offered when it is ready', async () => {
    await office.sql('delete from export_jobs')
    const operator = await office.signIn('10001')
    const set = await operator.request.put('/api/reference/settings/export-direct-rows', {
      headers: { 'x-requested-with': 'partner-office' },
      data: { seen: 20_000, value: 100 },
    })
    assert.equal(set.status(), 200)
    const page = await openList()
    await page.getByRole('button', { name: '导出', exact: true }).click()
    await button(page, '开始导出').click()
    await see(page.getByText('商户已导出'))
    const downloading = page.waitForEvent('download')
    await page.getByRole('link', { name: '下载文件' }).click()
    const [sheet] = await readXlsxFile(await (await downloading).path())
    const shops = await office.sql(`select id from merchants where agent_id = 101`)
    assert.equal(sheet?.data.length, shops.length + 1)
    await button(page, /^导出任务/).click()
    await see(page.getByRole('dialog').getByText('已完成'))
    await noFindings(page)
    await page.getByRole('link', { name: '查看全部' }).click()
    await see(page.getByRole('heading', { name: '导出任务' }))
    await see(page.getByRole('cell', { name: '已完成' }))
    await noFindings(page)
  })
})
