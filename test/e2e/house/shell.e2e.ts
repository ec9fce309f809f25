// What stands around every page: breadcrumb, palette, theme, dialogs, and all of it on a phone (D1 §2).

import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { exhaustive } from '../../lane.ts'
import {
  type BrowserOffice,
  eventually,
  gone,
  menuEntry,
  menuLink,
  openBrowserOffice,
  PHONE,
  SMALL_PHONE,
  see,
  sidewaysScroll,
  toast,
} from '../browser.ts'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice()
})
afterEach(() => office.closePages())
after(() => office.stop())

const LIST = '/admin/merchant/myMerchant'

async function theFirstShop(): Promise<{ id: string; shop_name: string; account: string }> {
  const [shop] = await office.sql<{ id: string; shop_name: string; account: string }>(
    'select id, shop_name, account from merchants where agent_id = 101 order by id limit 1',
  )
  return shop ?? assert.fail('no shop')
}

describe('finding one’s way', () => {
  exhaustive(
    'the breadcrumb says where one is and leads up; back leads back',
    ['web/shell/Shell.test.tsx'],
    async () => {
      const { id } = await theFirstShop()
      const page = await office.openAs('20001', `/admin/merchant/merchantDetails?user_id=${id}`)
      const crumbs = page.getByRole('navigation', { name: '当前位置' })
      await see(crumbs)
      assert.deepEqual(await crumbs.getByRole('listitem').allInnerTexts(), [
        '商户管理',
        '我的商户',
        '商户详情',
      ])
      assert.equal(await page.getByRole('button', { name: '返回' }).getAttribute('aria-disabled'), 'true')
      await crumbs.getByRole('link', { name: '我的商户' }).click()
      await see(page.getByRole('heading', { name: '我的商户' }))
      assert.deepEqual(await crumbs.getByRole('listitem').allInnerTexts(), ['商户管理', '我的商户'])
      await page.getByRole('button', { name: '返回' }).click()
      await see(page.getByRole('heading', { name: '商户详情' }))
      assert.equal(new URL(page.url()).search, `?user_id=${id}`)
    },
  )

  exhaustive(
    'the palette finds a merchant and a page by keyboard',
    ['web/shell/Shell.test.tsx', 'app/palette.test.tsx'],
    async () => {
      const shop = await theFirstShop()
      const page = await office.openAs('20001', '/admin/index')
      await see(await menuLink(page, '我的商户'))
      await page.keyboard.press('Control+k')
      const palette = page.getByRole('dialog', { name: '全局搜索' })
      await palette.getByRole('combobox').fill(shop.account)
      const option = palette.getByRole('option', { name: shop.shop_name })
      await see(option)
      assert.equal(await option.getAttribute('aria-selected'), 'true')
      await page.keyboard.press('Enter')
      await see(page.getByRole('heading', { name: shop.shop_name }))
      await gone(palette)
      await page.keyboard.press('Control+k')
      await palette.getByRole('combobox').fill('没有这样的东西')
      await see(palette.getByText('没有匹配的结果'))
      await page.keyboard.press('Escape')
      await gone(palette)
    },
  )

  exhaustive(
    'the palette closes with the page it leads to, however it was opened',
    ['web/shell/Shell.test.tsx'],
    async () => {
      const page = await office.openAs('20001', '/admin/index')
      await page.getByRole('button', { name: '全局搜索' }).click()
      const palette = page.getByRole('dialog', { name: '全局搜索' })
      await palette.getByRole('combobox').fill('余额')
      await see(palette.getByRole('option', { name: '余额变动' }))
      await page.keyboard.press('Enter')
      await see(page.getByRole('heading', { name: '余额变动' }))
      assert.equal(await palette.count(), 0)
    },
  )

  exhaustive(
    'the palette knows other words for a page, and the first letters of its name',
    ['web/shell/Shell.test.tsx'],
    async () => {
      const page = await office.openAs('20001', '/admin/index')
      await page.getByRole('button', { name: '全局搜索' }).click()
      const palette = page.getByRole('dialog', { name: '全局搜索' })
      for (const [typed, title] of [
        ['消息编辑', '短信群发'],
        ['xfgzt', '续费工作台'],
        ['代币', '余额变动'],
      ] as const) {
        await palette.getByRole('combobox').fill(typed)
        await see(palette.getByRole('option', { name: title }))
      }
    },
  )

  exhaustive(
    'the palette offers a sub-user only the pages of its role',
    ['web/shell/Shell.test.tsx', 'app/menu.test.ts'],
    async () => {
      const page = await office.openAs('2000101', '/admin/index')
      await see(await menuLink(page, '余额变动'))
      await page.keyboard.press('Control+k')
      const palette = page.getByRole('dialog', { name: '全局搜索' })
      await see(palette.getByRole('option', { name: '余额变动' }))
      const pages = palette.getByRole('group', { name: '页面' }).getByRole('option')
      assert.deepEqual(await pages.locator('span').allInnerTexts(), [
        '首页',
        '待办',
        '余额变动',
        '帮助中心',
        '下载中心',
        '个人资料',
        '登录与安全',
        '修改密码',
        '消息中心',
        '导出任务',
      ])
    },
  )
})

describe('theme', () => {
  const background = (page: Page) => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')

  test('dark is chosen, kept, and left to the system again', async () => {
    const page = await office.openAs('20001', '/admin/index')
    await see(await menuLink(page, '我的商户'))
    const light = await background(page)
    const choose = async (name: string) => {
      await page.getByRole('button', { name: '外观' }).click()
      await page.getByRole('menuitemradio', { name }).click()
    }
    await choose('深色')
    await eventually(async () => (await background(page)) !== light, true)
    const dark = await background(page)
    await page.reload()
    await see(await menuLink(page, '我的商户'))
    assert.equal(await background(page), dark)
    await choose('跟随系统')
    await eventually(() => background(page), light)
    await page.emulateMedia({ colorScheme: 'dark' })
    await eventually(() => background(page), dark)
  })
})

describe('a dialog', () => {
  const question = (page: Page) => page.getByRole('alertdialog', { name: '放弃已填写的内容？' })
  const open = async () => {
    const page = await office.openAs('20001', '/admin/index')
    await page.getByRole('button', { name: '意见反馈' }).click()
    const dialog = page.getByRole('dialog', { name: '意见反馈' })
    await see(dialog)
    return { page, dialog, box: dialog.getByRole('textbox') }
  }
  const clickBeside = (page: Page) => page.mouse.click(20, 450)

  exhaustive(
    'closes beside it and with Esc, but asks first once something was typed, as often as it is tried',
    ['web/form/Dialog.test.tsx'],
    async () => {
      const { page, dialog, box } = await open()
      await box.fill('打印机')
      for (const leave of [
        () => clickBeside(page),
        () => page.keyboard.press('Escape'),
        () => dialog.getByRole('button', { name: '关闭' }).click(),
      ]) {
        await leave()
        await see(question(page))
        await page.keyboard.press('Escape')
        await gone(question(page))
        assert.equal(await box.inputValue(), '打印机')
      }
      await box.fill('')
      await clickBeside(page)
      await gone(dialog)
    },
  )

  exhaustive(
    'text that is marked beyond its edge does not close it',
    ['web/form/Dialog.test.tsx'],
    async () => {
      const { page, dialog, box } = await open()
      const place = await box.boundingBox()
      assert.ok(place)
      await page.mouse.move(place.x + 40, place.y + 20)
      await page.mouse.down()
      await page.mouse.move(20, place.y + 20, { steps: 5 })
      await page.mouse.up()
      await see(dialog)
    },
  )

  exhaustive(
    'knows by itself that a name was typed; what holds at once is not asked about',
    ['web/form/Dialog.test.tsx', 'web/shell/Shell.test.tsx'],
    async () => {
      const page = await office.openAs('20001', LIST)
      const choose = async (name: string) => {
        await page.getByRole('button', { name: '视图' }).click()
        await page.getByRole('menuitem', { name }).click()
      }
      await choose('保存当前视图…')
      const dialog = page.getByRole('dialog', { name: '保存当前视图' })
      await dialog.getByLabel('名称').fill('本月到期')
      for (const leave of [
        () => clickBeside(page),
        () => page.keyboard.press('Escape'),
        () => dialog.getByRole('button', { name: '取消' }).click(),
      ]) {
        await leave()
        await see(question(page))
        await question(page).getByRole('button', { name: '继续填写' }).click()
        await gone(question(page))
      }
      await dialog.getByRole('button', { name: '取消' }).click()
      await question(page).getByRole('button', { name: '放弃' }).click()
      await gone(dialog)
      await page.keyboard.press('Control+k')
      const palette = page.getByRole('dialog', { name: '全局搜索' })
      await palette.getByRole('combobox').fill('余额')
      await page.keyboard.press('Escape')
      await gone(palette)
    },
  )
})

describe('without a network', () => {
  test('a change fails at once in words and is not sent when the network is back; rows stay', async () => {
    const { id } = await theFirstShop()
    const page = await office.openAs('20001', `/admin/merchant/merchantDetails?user_id=${id}`)
    const details = page.getByRole('article')
    await details.getByRole('button', { name: '禁用', exact: true }).click()
    const question = page.getByRole('alertdialog')
    await see(question)
    await page.context().setOffline(true)
    await question.getByRole('button', { name: '禁用', exact: true }).click()
    await see(toast(page, '服务器繁忙，请稍后再试'))
    await page.context().setOffline(false)
    await (await menuLink(page, '余额变动')).click()
    await see(page.getByRole('heading', { name: '余额变动' }))
    await see(page.getByRole('row').nth(1))
    const [shop] = await office.sql<{ status: string }>('select status from merchants where id = $1', [id])
    assert.equal(shop?.status, 'normal')
  })
})

test('a menu stays that the press opened which brought its button into sight, and goes when the page is scrolled on', async () => {
  const page = await office.openAs('20001', LIST, { viewport: { width: 1440, height: 400 } })
  const last = page.getByRole('table').getByRole('button', { name: '更多操作' }).last()
  await see(last)
  const framesLater = await page.evaluate<string>(`(async () => {
    const button = [...document.querySelectorAll('table [aria-label="更多操作"]')].at(-1)
    button.scrollIntoView({ block: 'center' })
    button.click()
    for (let shown = 0; shown < 5; shown++) await new Promise(requestAnimationFrame)
    return button.ariaExpanded
  })()`)
  assert.equal(framesLater, 'true')
  await see(page.getByRole('menuitem', { name: '禁用' }))
  // Over the rows: where they begin goes by what stands above them.
  const box = (await last.boundingBox()) ?? assert.fail('out of sight')
  await page.mouse.move(700, box.y)
  await page.mouse.wheel(0, -200)
  await gone(page.getByRole('menu'))
})

describe('a phone', () => {
  const SIZES = [SMALL_PHONE, PHONE]

  exhaustive(
    'the menu is a drawer that closes with the page it leads to',
    ['web/shell/Shell.test.tsx'],
    async () => {
      const page = await office.openAs('20001', LIST, { viewport: SMALL_PHONE })
      for (const [viewport, here, there] of [
        [SMALL_PHONE, '我的商户', '余额变动'],
        [PHONE, '余额变动', '我的商户'],
      ] as const) {
        await page.setViewportSize(viewport)
        await see(page.getByRole('heading', { name: here }))
        assert.equal(await menuEntry(page, there).isVisible(), false)
        await page.getByRole('button', { name: '展开菜单' }).click()
        await (await menuLink(page, there)).click()
        await see(page.getByRole('heading', { name: there }))
        await gone(menuEntry(page, there))
      }
    },
  )

  exhaustive(
    'shops are cards that open and carry their actions, with the main action at hand',
    ['test/e2e/house/phone.e2e.ts', 'test/e2e/house/pages.e2e.ts'],
    async () => {
      const page = await office.openAs('20001', LIST, { viewport: SMALL_PHONE })
      const cards = page
        .locator('[data-part=cards] > li')
        .filter({ has: page.getByRole('button', { name: '更多操作' }) })
      for (const viewport of SIZES) {
        await page.setViewportSize(viewport)
        await eventually(() => cards.count(), 10)
        assert.equal(await page.getByRole('table').count(), 0)
        const add = await page.getByRole('main').getByRole('button', { name: '新增商户' }).boundingBox()
        assert.ok(add && add.height >= 44 && add.y + add.height <= viewport.height)
        await cards.first().getByRole('button', { name: '更多操作' }).click()
        await see(page.getByRole('menuitem', { name: '禁用' }))
        await page.getByRole('menuitem', { name: '详情' }).click()
        const drawer = page.getByRole('dialog', { name: '商户详情' })
        await see(drawer.getByRole('heading', { level: 2 }))
        assert.equal((await drawer.boundingBox())?.width, viewport.width)
        assert.equal(await sidewaysScroll(page), 0)
        await drawer.getByRole('button', { name: '关闭' }).click()
        await gone(drawer)
      }
    },
  )

  test('the add form is one column with the total in sight', async () => {
    const page = await office.openAs('20001', '/admin/merchant/addUser', { viewport: SMALL_PHONE })
    await page.getByRole('radio', { name: /^永久版/ }).check()
    await see(page.getByText('合计 1,188.00 代币'))
    const names = ['店铺简称', '店铺名称', '商户姓名', '账号', '详细地址']
    const fields = [
      page.getByRole('spinbutton', { name: '订购数量' }),
      ...names.map(name => page.getByRole('textbox', { name })),
    ].map(field => page.locator('[data-part=field]').filter({ has: field }))
    for (const viewport of SIZES) {
      await page.setViewportSize(viewport)
      const boxes = await Promise.all(fields.map(field => field.boundingBox()))
      const tops = boxes.map(box => box?.y ?? 0)
      assert.equal(new Set(boxes.map(box => Math.round(box?.x ?? 0))).size, 1)
      assert.deepEqual(
        tops,
        [...new Set(tops)].sort((a, b) => a - b),
      )
      const next = await page.getByRole('button', { name: '下一步' }).boundingBox()
      assert.ok(next && next.height >= 44 && next.y + next.height <= viewport.height)
    }
  })
})

/** What the page is told where it tries, by name. */
const TRIES = `(() => {
  const said = deed => {
    try {
      deed()
      return 'done'
    } catch (error) {
      return error.name
    }
  }
  const element = document.createElement('div')
  return {
    markup: said(() => (element.innerHTML = '<img src="x" onerror="globalThis.broken = true">')),
    worker: said(() => new Worker('data:text/javascript,1')),
    script: said(() => (document.createElement('script').src = 'https://elsewhere.example/a.js')),
    emptied: said(() => (element.innerHTML = '')),
    inside: element.childNodes.length,
    broken: globalThis.broken === true,
  }
})()`

test('markup that nobody washed and scripts of elsewhere are refused by the browser', async () => {
  const page = await office.openAs('20001', LIST)
  assert.deepEqual(await page.evaluate(TRIES), {
    markup: 'TypeError',
    worker: 'TypeError',
    script: 'TypeError',
    emptied: 'done',
    inside: 0,
    broken: false,
  })
})
