// The merchant list in the browser: search, filter, sort, pages, edit in place, copy, export, keyboard (D1 §2, §5, §9).
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import readXlsxFile from 'read-excel-file/node'
import { exhaustive, sampled } from '../../lane.ts'
import {
  type BrowserOffice,
  eventually,
  gone,
  menuLink,
  openBrowserOffice,
  ready,
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

async function openList(query = ''): Promise<Page> {
  const page = await office.openAs('20001', LIST + query)
  await see(rows(page))
  return page
}

/** The rows below the head. */
function rows(page: Page): Locator {
  return page.getByRole('table', { name: '我的商户' }).locator('tbody').getByRole('row')
}

async function shownIds(page: Page): Promise<number[]> {
  const texts = await rows(page).locator('td[data-fixed=start]').filter({ hasText: ' · ' }).allInnerTexts()
  return texts.map(text => Number.parseInt(text.split('\n')[1] ?? '', 10))
}

/** Ids of the agent's shops that meet a condition, the latest first unless told otherwise. */
async function idsWhere(condition = 'true', order = 'registered_at desc, id desc'): Promise<number[]> {
  const found = await office.sql<{ id: string }>(
    `select id from merchants where agent_id = 101 and ${condition} order by ${order}`,
  )
  return found.map(row => Number(row.id))
}

async function showColumn(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: '列设置' }).click()
  const box = page.getByRole('checkbox', { name, exact: true })
  if (!(await box.isChecked())) await box.click()
  await page.getByRole('button', { name: '完成' }).click()
}

async function seeIds(page: Page, ids: number[]): Promise<void> {
  await eventually(() => shownIds(page), ids.slice(0, 10))
  await see(page.getByText(`共 ${ids.length} 条`, { exact: true }))
}

async function openFilters(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^高级筛选/ }).click()
  await see(page.getByRole('combobox', { name: '店铺状态' }))
}

async function filter(page: Page, name: string, choice: string): Promise<void> {
  await page.getByRole('combobox', { name }).click()
  await page.getByTitle(choice, { exact: true }).click()
}

function query(page: Page): string {
  return decodeURIComponent(new URL(page.url()).search)
}

describe('finding', () => {
  exhaustive(
    'one box finds by ID, shop, merchant, account and referrer',
    ['features/shops/merchants/server-list.test.ts', 'web/list/ListAddress.test.tsx'],
    async () => {
      const [shop] = await office.sql<
        Record<'id' | 'shop_name' | 'person_name' | 'account' | 'referrer', string>
      >(`select * from merchants where agent_id = 101 and referrer <> '' order by id desc limit 1`)
      assert.ok(shop)
      const page = await openList()
      const box = page.getByRole('textbox', { name: /^搜索：/ })
      for (const column of ['id', 'shop_name', 'person_name', 'account', 'referrer'] as const) {
        const text = String(shop[column])
        await box.fill(text)
        await eventually(async () => query(page), `?search=${text}`)
        const ids = await idsWhere(`search_text like '%${text}%'`)
        assert.ok(ids.length > 0 && ids.length < 120)
        await seeIds(page, ids)
      }
      await box.fill('没有这样的店')
      await see(page.getByText('没有符合条件的记录'))
      await page.getByRole('button', { name: '清除条件' }).click()
      await seeIds(page, await idsWhere())
    },
  )

  exhaustive(
    'filters stand in the address, survive a reload, and are taken out one by one',
    ['features/shops/merchants/server-list.test.ts', 'web/list/ListAddress.test.tsx'],
    async () => {
      const page = await openList('?page=3')
      await openFilters(page)
      await filter(page, '店铺状态', '已禁用')
      await eventually(async () => query(page), '?status=disabled')
      const disabled = await idsWhere(`status = 'disabled'`)
      await seeIds(page, disabled)
      await filter(page, '软件版本', '高级版')
      await eventually(async () => query(page), '?status=disabled&versionId=12')
      const both = await idsWhere(`status = 'disabled' and version_id = 12`)
      assert.ok(both.length > 0 && both.length < disabled.length)
      await seeIds(page, both)
      await page.reload()
      await see(page.getByText('状态：已禁用'), page.getByText('版本：高级版'))
      await seeIds(page, both)
      await page.goBack()
      await eventually(async () => query(page), '?status=disabled')
      await seeIds(page, disabled)
      await page.getByRole('button', { name: '移除条件 状态' }).click()
      await eventually(async () => query(page), '')
      await seeIds(page, await idsWhere())
    },
  )

  exhaustive(
    'dates by preset, last login and store kind filter as the database does',
    ['features/shops/merchants/server-list.test.ts', 'kit/day-presets.test.ts', 'kit/declare/list.test.ts'],
    async () => {
      const page = await openList()
      await openFilters(page)
      await page.getByRole('textbox', { name: '注册时间' }).first().click()
      await page.getByText('近 365 天', { exact: true }).click()
      await see(
        page.getByRole('list', { name: '已选条件' }).getByText(/^注册：\d{4}-\d\d-\d\d 至 \d{4}-\d\d-\d\d$/),
      )
      const since = `registered_at >= date_trunc('day', now() at time zone 'Asia/Shanghai' - interval '364 days') at time zone 'Asia/Shanghai'`
      const recent = await idsWhere(since)
      assert.ok(recent.length > 10 && recent.length < 120)
      await seeIds(page, recent)
      await filter(page, '最近登录', '30 天未登录')
      const today = `date_trunc('day', now() at time zone 'Asia/Shanghai') at time zone 'Asia/Shanghai'`
      const quiet = await idsWhere(
        `${since} and (last_login_at is null or last_login_at < ${today} - interval '29 days')`,
      )
      assert.ok(quiet.length > 0 && quiet.length < recent.length)
      await seeIds(page, quiet)
      await page.getByRole('button', { name: '清除全部' }).click()
      await seeIds(page, await idsWhere())
      await filter(page, '门店类型', '分店')
      const branches = await idsWhere(`store_kind = 'branch'`)
      assert.ok(branches.length > 0)
      await seeIds(page, branches)
    },
  )

  exhaustive(
    'a head sorts by its column: newest, oldest, not at all',
    ['features/shops/merchants/server-list.test.ts', 'web/list/ListAddress.test.tsx'],
    async () => {
      const page = await openList()
      const head = page.getByRole('columnheader', { name: '到期时间' })
      await head.getByRole('button').click()
      await eventually(async () => query(page), '?sort=expiresAt&order=desc')
      assert.equal(await head.getAttribute('aria-sort'), 'descending')
      await seeIds(page, await idsWhere('true', 'expires_at desc, id desc'))
      await head.getByRole('button').click()
      await seeIds(page, await idsWhere('true', 'expires_at asc, id asc'))
      assert.equal(await head.getAttribute('aria-sort'), 'ascending')
      await head.getByRole('button').click()
      await eventually(async () => query(page), '')
      await seeIds(page, await idsWhere())
    },
  )
})

describe('pages', () => {
  exhaustive(
    'a turn of the page keeps the old rows until the new ones are there',
    ['web/list/ListAddress.test.tsx'],
    async () => {
      const page = await openList()
      const ids = await idsWhere()
      const held = Promise.withResolvers<void>()
      await page.route('**/api/merchants?*page=2*', async route => {
        await held.promise
        await route.continue()
      })
      await page.getByRole('button', { name: '下一页' }).click()
      await eventually(async () => query(page), '?page=2')
      await see(page.locator('section[aria-labelledby=list-title] > [aria-busy=true]'))
      assert.deepEqual(await shownIds(page), ids.slice(0, 10))
      assert.equal(await page.getByRole('status', { name: '加载中' }).count(), 0)
      held.resolve()
      await eventually(() => shownIds(page), ids.slice(10, 20))
      await page.goBack()
      await eventually(() => shownIds(page), ids.slice(0, 10))
    },
  )

  exhaustive(
    'sizes and the jumper lead to what they say',
    ['web/list/ListAddress.test.tsx', 'features/shops/merchants/server-list.test.ts'],
    async () => {
      const page = await openList()
      const ids = await idsWhere()
      await page.getByRole('combobox', { name: '每页条数' }).selectOption('20')
      await eventually(async () => query(page), '?size=20')
      await eventually(() => shownIds(page), ids.slice(0, 20))
      await page.getByRole('textbox', { name: '前往页码' }).fill('6')
      await page.keyboard.press('Enter')
      await eventually(async () => query(page), '?size=20&page=6')
      await eventually(() => shownIds(page), ids.slice(100, 120))
      assert.equal(await page.getByRole('button', { name: '下一页' }).isDisabled(), true)
      await page.getByRole('textbox', { name: '前往页码' }).fill('99')
      await page.keyboard.press('Enter')
      await eventually(async () => query(page), '?size=20&page=6')
      await page.reload()
      await eventually(() => shownIds(page), ids.slice(100, 120))
    },
  )

  exhaustive(
    'a list that cannot be loaded says so and is tried again',
    ['web/list/ListAddress.test.tsx'],
    async () => {
      const page = await office.openAs('20001', '/admin/index')
      await see(page.getByRole('heading', { level: 1 }))
      await page.route('**/api/merchants?*size=10*', route => route.abort())
      await (await menuLink(page, '我的商户')).click()
      await see(page.getByText('列表没有加载出来'), toast(page, '服务器繁忙，请稍后再试'))
      await page.unroute('**/api/merchants?*size=10*')
      await page.getByRole('button', { name: '重试' }).click()
      await see(rows(page))
    },
  )

  exhaustive(
    'a condition in the address that means nothing is taken out, since another try would not help',
    ['web/list/ListAddress.test.tsx'],
    async () => {
      const page = await office.openAs('20001', `${LIST}?status=nonsense&page=x`)
      await page.getByRole('button', { name: '清除条件' }).click()
      await see(rows(page))
      assert.equal(query(page), '')
    },
  )
})

describe('rows', () => {
  const remarkOf = async (id: number) =>
    (
      await office.sql<{ remark: string; signature: string }>(
        'select remark, signature from merchants where id = $1',
        [id],
      )
    )[0]

  test('remark and signature are edited in place within their limits', async () => {
    const [id = 0] = await idsWhere(`status = 'normal'`)
    const page = await openList(`?search=${id}`)
    await showColumn(page, '短信签名')
    const row = rows(page).first()
    await row.getByRole('button', { name: /^编辑备注/ }).click()
    const remark = row.getByRole('textbox', { name: /^备注/ })
    await remark.fill('备'.repeat(51))
    await remark.press('Enter')
    await see(toast(page, '备注不得超过50字'), remark)
    await remark.fill('备'.repeat(50))
    await remark.press('Enter')
    await see(toast(page, '修改成功'), row.getByText('备'.repeat(50)))
    await eventually(async () => (await remarkOf(id))?.remark, '备'.repeat(50))
    await row.getByRole('button', { name: /^编辑备注/ }).click()
    await remark.fill('不要了')
    await remark.press('Escape')
    await see(row.getByText('备'.repeat(50)))
    await row.getByRole('button', { name: /^编辑短信签名/ }).click()
    const signature = row.getByRole('textbox', { name: /^短信签名/ })
    assert.equal(await signature.getAttribute('placeholder'), '请输入短信签名，限12个字')
    await signature.fill('签'.repeat(13))
    await signature.press('Enter')
    await see(toast(page, '请输入短信签名，限12个字'))
    await signature.fill('签'.repeat(12))
    await signature.press('Enter')
    await see(toast(page, '已提交审批，通过后生效'))
    assert.notEqual((await remarkOf(id))?.signature, '签'.repeat(12))
    assert.equal((await remarkOf(id))?.remark, '备'.repeat(50))
  })

  exhaustive(
    'the signature of a disabled shop is refused, before and after the page knows',
    ['features/shops/merchants/server.test.ts', 'features/shops/merchants/server-signature.test.ts'],
    async () => {
      const [disabled = 0] = await idsWhere(`status = 'disabled'`)
      const page = await openList(`?search=${disabled}`)
      await page.setViewportSize({ width: 1680, height: 900 })
      await showColumn(page, '短信签名')
      const edit = rows(page)
        .first()
        .getByRole('button', { name: /^编辑短信签名/ })
      await edit.dispatchEvent('click')
      assert.equal(await rows(page).first().getByRole('textbox').count(), 0)
      // Rows that are drawn anew take the tip away with them.
      await ready(page)
      await edit.hover()
      await see(page.getByRole('tooltip').getByText('请启用后再进行操作'))
      const [normal = 0] = await idsWhere(`status = 'normal' and signature = ''`)
      await page.getByRole('textbox', { name: /^搜索：/ }).fill(String(normal))
      await eventually(() => shownIds(page), [normal])
      await ready(page)
      await office.sql(`update merchants set status = 'disabled' where id = $1`, [normal])
      await rows(page)
        .first()
        .getByRole('button', { name: /^编辑短信签名/ })
        .click()
      await rows(page).first().getByRole('textbox').fill('新签名')
      await page.keyboard.press('Enter')
      await see(toast(page, '请启用后再进行操作'))
      await gone(rows(page).first().getByText('新签名'))
      assert.equal((await remarkOf(normal))?.signature, '')
    },
  )

  exhaustive('a double click copies the cell', ['web/list/ListAddress.test.tsx'], async () => {
    const page = await openList()
    const [id] = await idsWhere()
    const [shop] = await office.sql<{ account: string; shop_name: string }>(
      'select account, shop_name from merchants where id = $1',
      [id],
    )
    assert.ok(shop)
    await rows(page).first().getByText(shop.account).dblclick()
    await see(toast(page, '复制成功'))
    await eventually(() => page.evaluate<string>('navigator.clipboard.readText()'), shop.account)
    await rows(page).first().getByText(String(id), { exact: true }).dblclick()
    await eventually(() => page.evaluate<string>('navigator.clipboard.readText()'), String(id))
  })

  exhaustive(
    'the export holds what is filtered, in the list’s order',
    [
      'features/overview/exports/server.test.ts',
      'features/shops/merchants/server-list-pages.test.ts',
      'web/list/ListAddress.test.tsx',
    ],
    async () => {
      const page = await openList('?status=disabled&sort=expiresAt&order=asc')
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: '导出' }).click(),
      ])
      await see(toast(page, '开始导出，完成后由浏览器保存'))
      assert.equal(await download.failure(), null)
      assert.match(download.suggestedFilename(), /^商户.*\.xlsx$/)
      const [sheet] = await readXlsxFile(await download.path())
      const [head = [], ...body] = sheet?.data ?? []
      assert.deepEqual(head.slice(0, 3), ['店铺名称', '商户ID', '门店类型'])
      assert.deepEqual(
        body.map(cells => cells[1]),
        await idsWhere(`status = 'disabled'`, 'expires_at asc, id asc'),
      )
      const status = head.indexOf('状态')
      assert.deepEqual([...new Set(body.map(cells => cells[status]))], ['已禁用'])
    },
  )

  exhaustive(
    'the keyboard searches, moves between rows, opens and closes',
    ['test/e2e/house/keys.e2e.ts'],
    async () => {
      const page = await openList()
      const box = page.getByRole('textbox', { name: /^搜索：/ })
      const hasFocus = (locator: Locator) =>
        locator.evaluate(node => node === node.ownerDocument.activeElement)
      await page.keyboard.press('/')
      await eventually(() => hasFocus(box), true)
      assert.equal(await box.inputValue(), '')
      await page.keyboard.press('Escape')
      await eventually(() => hasFocus(box), false)
      await rows(page).first().focus()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowUp')
      await eventually(() => hasFocus(rows(page).nth(1)), true)
      const [, second] = await idsWhere()
      await page.keyboard.press('Enter')
      await see(page.getByRole('dialog', { name: '商户详情' }).getByText(`ID ${second}`))
      assert.equal(query(page), `?user_id=${second}`)
      await page.keyboard.press('Escape')
      await gone(page.getByRole('dialog'))
      await eventually(async () => query(page), '')
      await eventually(() => hasFocus(rows(page).nth(1)), true)
    },
  )
})

describe('the first rows', () => {
  /** What the page showed after each of its changes, each state once. */
  const WATCH = `
    globalThis.states = []
    new MutationObserver(() => {
      const state = Object.entries({
        menu: 'nav[aria-label=主菜单]',
        waiting: 'main [aria-label=加载中]',
        rows: 'main tbody tr',
      }).flatMap(([name, selector]) => (document.querySelector(selector) ? [name] : []))
      if (state.length > 0 && states.at(-1) !== state.join()) states.push(state.join())
    }).observe(document, { childList: true, subtree: true })`

  const LISTS: [path: string, asks: string, query: string][] = [
    [LIST, '/api/merchants', '?page=1&size=10'],
    ['/admin/merchant/renewals', '/api/renewals', '?window=30&page=1&size=10'],
    ['/admin/order/versionsOrder', '/api/orders', '?page=1&size=10'],
  ]
  for (const [path, asks, query] of sampled(LISTS, 1))
    test(`are drawn with the menu where their data came before the code: ${path}`, async () => {
      const page = await office.signIn('20001')
      const answered = Promise.withResolvers<void>()
      const asked: string[] = []
      const waited = new Set(['/api/session', asks])
      page.on('requestfinished', request => {
        const { pathname, search } = new URL(request.url())
        if (pathname === asks) asked.push(search)
        if (waited.delete(pathname) && waited.size === 0) answered.resolve()
      })
      await page.route(/\/assets\/(?!boot).*\.js$/, async route => {
        await answered.promise
        await route.continue()
      })
      await page.addInitScript(WATCH)
      await page.goto(path)
      await see(page.locator('main tbody tr'))
      assert.deepEqual(await page.evaluate('states'), ['menu,rows'])
      assert.deepEqual(asked, [query])
    })

  test('stay where they are when what is due with each manager comes after them', async () => {
    const page = await office.signIn('20001')
    const seen = Promise.withResolvers<void>()
    await page.route('**/api/renewals/counts*', async route => {
      await seen.promise
      await route.continue()
    })
    await page.goto('/admin/merchant/renewals')
    const table = page.getByRole('table', { name: '续费工作台' })
    await see(table)
    const before = await table.boundingBox()
    seen.resolve()
    await see(page.getByRole('button', { name: /家到期/ }))
    assert.deepEqual(await table.boundingBox(), before)
  })
})
