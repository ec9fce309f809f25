// In a shop, on a phone: the bar at the thumb, what is one's own, sheets, and a renewal in four taps.

import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { exhaustive, sampled } from '../../lane.ts'
import {
  type BrowserOffice,
  gone,
  openBrowserOffice,
  PHONE,
  pressWhere,
  ready,
  rowOf,
  SMALL_PHONE,
  see,
  toast,
} from '../browser.ts'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice()
})
afterEach(() => office.closePages())
after(() => office.stop())

const LIST = '/admin/merchant/myMerchant'

const bar = (page: Page) => page.getByRole('navigation', { name: '常用' })
const own = (page: Page) => page.getByRole('dialog', { name: '我的' })

describe('the bar', () => {
  test('leads to six places with room for a thumb, marks where one is, and pages put their own above it', async () => {
    for (const viewport of sampled([SMALL_PHONE, PHONE], 1)) {
      const page = await office.openAs('20001', LIST, { viewport })
      await see(bar(page))
      const places = bar(page).locator('a, button')
      assert.deepEqual(
        (await places.allInnerTexts()).map(text => text.split('\n')[0]),
        [...['首页', '待办', '商户', '续费', '消息', '我的']],
      )
      for (const place of await places.all()) {
        const box = await place.boundingBox()
        assert.ok(box && Math.min(box.width, box.height) >= 44 && box.y + box.height <= viewport.height)
      }
      assert.equal(await bar(page).locator('[aria-current=page]').innerText(), '商户')
      const add = await page.getByRole('main').getByRole('button', { name: '新增商户' }).boundingBox()
      const edge = await bar(page).boundingBox()
      assert.ok(add && edge && add.y + add.height <= edge.y)
      await bar(page).getByRole('link', { name: '续费' }).click()
      await see(page.getByRole('heading', { name: '续费工作台' }))
      assert.equal(await bar(page).locator('[aria-current=page]').innerText(), '续费')
      await office.closePages()
    }
  })

  test('shows a sub-user the places of its role alone', async () => {
    const page = await office.openAs('2000101', '/admin/index', { viewport: PHONE })
    await see(bar(page))
    assert.deepEqual(
      (await bar(page).locator('a, button').allInnerTexts()).map(text => text.split('\n')[0]),
      ['首页', '待办', '消息', '我的'],
    )
  })
})

describe('what is one’s own', () => {
  exhaustive(
    'says who one is and what one has, leads to topping up, and closes with the page it leads to',
    ['web/shell/Shell.test.tsx'],
    async () => {
      const page = await office.openAs('20001', LIST, { viewport: PHONE })
      const { companyName } = await page.request.get('/api/session').then(answer => answer.json())
      await bar(page).getByRole('button', { name: '我的' }).click()
      await see(own(page).getByText(companyName), own(page).getByText('余额（代币）'))
      await own(page).getByRole('link', { name: '充值' }).click()
      await see(page.getByRole('heading', { name: '充值' }))
      await gone(own(page))
      await bar(page).getByRole('button', { name: '我的' }).click()
      await own(page).getByRole('button', { name: '个人资料' }).click()
      await see(page.getByRole('heading', { name: '个人资料' }))
      await gone(own(page))
    },
  )

  exhaustive('changes the look, and asks before one signs out', ['web/shell/Shell.test.tsx'], async () => {
    const page = await office.openAs('20001', LIST, { viewport: PHONE })
    await bar(page).getByRole('button', { name: '我的' }).click()
    await own(page).getByText('深色', { exact: true }).click()
    assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark')
    await own(page).getByRole('button', { name: '退出登录' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: '退出登录' }).click()
    await page.waitForURL('**/login')
  })
})

describe('sheets', () => {
  exhaustive(
    'filters stand in one at the bottom, which says how much they find',
    ['test/e2e/house/phone.e2e.ts'],
    async () => {
      const page = await office.openAs('20001', `${LIST}?status=disabled`, { viewport: PHONE })
      await page.getByRole('button', { name: /^高级筛选/ }).click()
      const sheet = page.getByRole('dialog', { name: '高级筛选' })
      await see(sheet.getByRole('combobox', { name: '店铺状态' }), sheet.getByText(/查看结果（\d+ 条）/))
      const box = await sheet.boundingBox()
      assert.equal(box && Math.round(box.y + box.height), PHONE.height)
      assert.equal(box?.width, PHONE.width)
      await sheet.getByRole('combobox', { name: '店铺状态' }).click()
      const choices = page.locator('.ant-select-dropdown:visible')
      await see(choices.getByTitle('已禁用', { exact: true }))
      await ready(page)
      const list = await choices.boundingBox()
      assert.equal(list && Math.round(list.y + list.height), PHONE.height)
      assert.equal(list?.width, PHONE.width)
      await choices.getByTitle('已禁用', { exact: true }).click()
      await gone(choices)
      await sheet.getByRole('button', { name: '清除全部' }).click()
      await gone(page.getByText('状态：已禁用'))
      await sheet.getByRole('button', { name: /^查看结果/ }).click()
      await gone(sheet)
    },
  )

  test('choices of more than a dozen stand in one with a search, whose place stays', async () => {
    const page = await office.openAs('10001', LIST, { viewport: PHONE })
    await page.getByRole('button', { name: /^高级筛选/ }).click()
    const region = page.getByRole('combobox', { name: '所在地区' })
    await region.click()
    const sheet = page.getByRole('dialog', { name: '所在地区' })
    const choices = sheet.getByRole('list').getByRole('button')
    await see(choices.nth(30))
    const box = await page.locator('dialog').boundingBox()
    assert.equal(box && Math.round(box.y + box.height), PHONE.height)
    await choices.getByText('广东省', { exact: true }).click()
    await sheet.getByRole('button', { name: '选择广东省' }).click()
    await gone(sheet)
    await see(region.getByText('广东省'))
    await region.click()
    const before = await sheet.getByRole('searchbox').boundingBox()
    await sheet.getByRole('searchbox').fill('南山')
    await choices.getByText('广东省 / 深圳市 / 南山区', { exact: true }).click()
    await see(region.getByText('广东省 / 深圳市 / 南山区'))
    await region.click()
    assert.deepEqual(await sheet.getByRole('searchbox').boundingBox(), before)
    await sheet.getByRole('button', { name: '清除选择' }).click()
    await see(region.getByText('全部'))
    await page.getByRole('combobox', { name: '代理商' }).click()
    const agents = page.getByRole('dialog', { name: '代理商' })
    await agents.getByRole('searchbox').fill('102')
    await agents.getByRole('button', { name: /（102）$/ }).click()
    await page.getByRole('button', { name: /^查看结果/ }).click()
    await page.waitForURL(/agentId=102/)
  })

  exhaustive('a row’s actions stand in one too', ['test/e2e/house/phone.e2e.ts'], async () => {
    const page = await office.openAs('20001', LIST, { viewport: PHONE })
    const [shop] = await office.sql<{ id: string }>(
      'select id from merchants where agent_id = 101 order by id desc limit 1',
    )
    await rowOf(page, shop?.id ?? '')
      .getByRole('button', { name: '更多操作' })
      .click()
    const box = await page.locator('[popover=auto]').boundingBox()
    assert.equal(box && Math.round(box.y + box.height), PHONE.height)
    assert.equal(box?.width, PHONE.width)
  })
})

test('a shop’s card opens where a thumb lands, has a way to call it, and its actions in a sheet', async () => {
  const [shop] = await office.sql<{ id: string }>(
    'select id from merchants where agent_id = 101 order by id desc limit 1',
  )
  const page = await office.openAs('20001', `${LIST}?search=${shop?.id}`, { viewport: PHONE })
  const card = rowOf(page.locator('[data-part=cards]'), shop?.id ?? assert.fail('no shop'))
  const call = await card.getByRole('link', { name: '拨打电话' }).boundingBox()
  assert.ok(call && Math.min(call.width, call.height) >= 44)
  await card.getByRole('button', { name: '更多操作' }).click()
  const actions = await page.locator('[popover=auto]').boundingBox()
  assert.deepEqual(actions && [Math.round(actions.y + actions.height), actions.width], [
    PHONE.height,
    PHONE.width,
  ])
  await page.keyboard.press('Escape')
  await gone(page.getByRole('menu'))
  // Beside the name and below it.
  await pressWhere(card.locator('dl > div').first())
  await see(page.getByRole('dialog', { name: '商户详情' }))
})

test('a shop whose term ends is found and renewed in four taps from the start page', async () => {
  const page = await office.openAs('20001', '/admin/index', { viewport: PHONE })
  let taps = 0
  const tap = async (target: ReturnType<Page['locator']>) => {
    await target.first().click()
    taps += 1
  }
  await tap(bar(page).getByRole('link', { name: '续费' }))
  await tap(page.locator('[data-part=cards]').getByRole('button', { name: '续费', exact: true }))
  await tap(page.getByRole('button', { name: '下一步' }))
  await tap(page.getByRole('dialog').getByRole('button', { name: /^确认/ }))
  await see(toast(page, '购买成功！'))
  assert.equal(taps, 4)
})
