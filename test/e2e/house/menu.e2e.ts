// The side menu and the tabs of open pages (D1 §2).

import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { ROUTE_PAGES } from '#app/route-pages.ts'
import { exhaustive } from '../../lane.ts'
import {
  type BrowserOffice,
  eventually,
  gone,
  menuEntry,
  menuLink,
  openBrowserOffice,
  see,
  visit,
} from '../browser.ts'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice()
})
afterEach(() => office.closePages())
after(() => office.stop())

const LIST = '/admin/merchant/myMerchant'

function tabs(page: Page) {
  return page.getByRole('navigation', { name: '打开的页面' })
}

describe('menu', () => {
  exhaustive('it folds, and stays folded after a reload', ['web/shell/Shell.test.tsx'], async () => {
    const page = await office.openAs('20001', LIST)
    await page.getByRole('button', { name: '收起菜单' }).click()
    await gone(menuEntry(page, '我的商户'))
    await page.reload()
    await see(page.getByRole('button', { name: '展开菜单' }), menuEntry(page, '首页'))
    assert.equal(await menuEntry(page, '我的商户').count(), 0)
    await page.getByRole('button', { name: '结算中心' }).click()
    await see(page.getByRole('button', { name: '收起菜单' }), menuEntry(page, '余额变动'))
    assert.equal(await (await menuLink(page, '我的商户')).getAttribute('aria-current'), 'page')
  })

  exhaustive('it is searched by name', ['web/shell/Shell.test.tsx'], async () => {
    const page = await office.openAs('20001', '/admin/index')
    const box = page.getByRole('textbox', { name: '搜索菜单' })
    await box.fill('变动')
    await see(menuEntry(page, '余额变动'), menuEntry(page, '短信变动订单'))
    await box.fill('xfgzt')
    await gone(menuEntry(page, '余额变动'))
    await see(menuEntry(page, '续费工作台'))
    await box.fill('没有')
    await see(page.getByText('没有匹配的菜单'))
    await box.press('Escape')
    await see(menuEntry(page, '首页'))
    assert.equal(await menuEntry(page, '续费工作台').count(), 0)
  })

  test('only the group of the page is open, and its entry is in view', async () => {
    const page = await office.openAs('10001', '/admin/account/exports', {
      viewport: { width: 1440, height: 480 },
    })
    const groups = page.getByRole('navigation', { name: '主菜单' })
    await see(menuEntry(page, '导出任务'))
    assert.deepEqual(await groups.locator('[aria-expanded=true]').allInnerTexts(), ['账户管理'])
    const entry = await menuEntry(page, '导出任务').boundingBox()
    assert.ok(entry && entry.y + entry.height <= 480)
    await (await menuLink(page, '账单明细')).click()
    await see(page.getByRole('heading', { name: '账单明细' }))
    await eventually(() => groups.locator('[aria-expanded=true]').allInnerTexts(), ['订单与结算'])
    // A group's own address leads to its first page.
    await visit(page, '/admin/merchant', '我的商户')
  })

  exhaustive(
    'a closed group shows its pages beside it while the mouse is there, one press away',
    ['web/shell/Shell.test.tsx', 'test/e2e/house/jobs.e2e.ts'],
    async () => {
      const page = await office.openAs('20001', '/admin/index')
      const group = page.getByRole('button', { name: '账户管理', exact: true })
      await group.hover()
      const beside = page.getByRole('list', { name: '账户管理' })
      await see(beside)
      const box = await beside.boundingBox()
      assert.ok(box && box.y + box.height <= 900)
      assert.equal(await group.getAttribute('aria-expanded'), 'false')
      await beside.getByRole('link', { name: '导出任务' }).click()
      await see(page.getByRole('heading', { name: '导出任务' }))
      await gone(beside)
      await page.getByRole('button', { name: '收起菜单' }).click()
      await page.getByRole('button', { name: '结算中心', exact: true }).hover()
      await see(page.getByRole('list', { name: '结算中心' }).getByText('账单明细'))
      await page.getByRole('heading', { name: '导出任务' }).hover()
      await gone(page.getByRole('list', { name: '结算中心' }))
    },
  )

  exhaustive(
    'a page with a star stands first, for this account in every browser; the last ones are at hand',
    ['web/shell/Shell.test.tsx', 'features/office/views/server.test.ts'],
    async () => {
      const page = await office.openAs('20003', LIST)
      const star = (name: string) => page.getByRole('button', { name, exact: true })
      await menuEntry(page, '我的商户').hover()
      const saved = page.waitForResponse(answer => answer.url().includes('/api/columns/'))
      await star('收藏 我的商户').click()
      await see(
        page.getByRole('navigation', { name: '主菜单' }).getByRole('button', { name: '收藏', exact: true }),
      )
      assert.equal((await saved).status(), 200)
      await (await menuLink(page, '余额变动')).click()
      await see(page.getByRole('heading', { name: '余额变动' }))
      await page.getByRole('button', { name: '最近访问' }).click()
      assert.equal(await menuEntry(page, '我的商户').count(), 2)
      const other = await office.openAs('20003', '/admin/index')
      await menuEntry(other, '我的商户').click()
      await see(other.getByRole('heading', { name: '我的商户' }))
      const taken = other.waitForResponse(answer => answer.url().includes('/api/columns/'))
      await other.getByRole('button', { name: '取消收藏 我的商户' }).first().click()
      assert.equal((await taken).status(), 200)
      assert.equal(await menuEntry(other, '我的商户').count(), 1)
    },
  )

  exhaustive('a group’s address leads to its first page', ['test/e2e/house/menu.e2e.ts'], async () => {
    const page = await office.openAs('20001', '/admin/merchant')
    await see(page.getByRole('heading', { name: '我的商户' }))
    assert.equal(new URL(page.url()).pathname, LIST)
  })
})

describe('tabs', () => {
  exhaustive(
    'a tab keeps its list’s state, and closing it leads to its neighbour',
    ['web/shell/Shell.test.tsx'],
    async () => {
      const page = await office.openAs('20001', `${LIST}?status=disabled`)
      await see(page.getByText('状态：已禁用'))
      await (await menuLink(page, '余额变动')).click()
      await see(page.getByRole('heading', { name: '余额变动' }))
      await page.reload()
      await tabs(page).getByRole('link', { name: '我的商户' }).click()
      await see(page.getByText('状态：已禁用'))
      assert.equal(new URL(page.url()).search, '?status=disabled')
      assert.equal(
        await tabs(page).getByRole('link', { name: '我的商户' }).getAttribute('aria-current'),
        'page',
      )
      await tabs(page).getByRole('button', { name: '关闭 我的商户' }).click()
      await see(page.getByRole('heading', { name: '余额变动' }))
      assert.deepEqual(await tabs(page).getByRole('link').allInnerTexts(), ['首页', '余额变动'])
    },
  )

  test('the start page’s tab stays first, a shop’s tabs carry its name, and what has no room is in a menu', async () => {
    const [shop] = await office.sql<{ id: string; shop_name: string }>(
      'select id, shop_name from merchants where agent_id = 101 order by id limit 1',
    )
    assert.ok(shop)
    const page = await office.openAs('20001', `/admin/merchant/merchantDetails?user_id=${shop.id}`, {
      viewport: { width: 900, height: 700 },
    })
    await see(tabs(page).getByRole('link', { name: `商户详情 · ${shop.shop_name}` }))
    // As if so many had been opened one after the other.
    const opened = ROUTE_PAGES.filter(({ order, under }) => order !== undefined && !under).slice(0, 14)
    const stored = JSON.stringify(opened.map(({ path }) => ({ path, href: path })))
    await page.evaluate(`sessionStorage.setItem('page-tabs', ${JSON.stringify(stored)})`)
    await page.reload()
    await see(page.getByRole('button', { name: '全部标签' }))
    const names = await tabs(page).getByRole('link').allInnerTexts()
    assert.equal(names[0], '首页')
    await tabs(page).getByRole('link', { name: '首页' }).click()
    await page.waitForURL('**/admin/index')
    await tabs(page).getByRole('button', { name: '全部标签' }).click()
    await page.getByRole('menuitem', { name: '关闭其他标签' }).click()
    await eventually(() => tabs(page).getByRole('link').allInnerTexts(), ['首页'])
  })
})
