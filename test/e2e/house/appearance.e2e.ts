// The login and every kind of layer in both themes and sizes, measured: accessibility and width. Pages are walked in `pages.e2e.ts`.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { exhaustive } from '../../lane.ts'
import { type BrowserOffice, LAYER, openBrowserOffice, rowOf, see, someRow, visit } from '../browser.ts'
import { flaws as flawsOf, lookWide } from '../looks.ts'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice()
})
after(() => office.stop())

const LIST = '/admin/merchant/myMerchant'
const DESK = '/admin/merchant/renewals?window=90'

/** What is wrong with the layers that are open, or with what the page shows where none is. */
async function flaws(page: Page): Promise<string[]> {
  return flawsOf(page, (await page.locator(LAYER).count()) > 0 ? LAYER : 'main')
}

/** A shop of 20001. */
async function shopId(): Promise<string> {
  const [shop] = await office.sql<{ id: string }>(
    `select id from merchants m where agent_id = 101 and status = 'normal'
       and not exists (select from merchant_services s where s.merchant_id = m.id) order by id desc limit 1`,
  )
  return shop?.id ?? assert.fail('no shop')
}

/** Its row, alone on its list. */
async function shopRow(page: Page) {
  const id = await shopId()
  await visit(page, `${LIST}?search=${id}`, '我的商户')
  return rowOf(page, id)
}

describe('no serious finding of axe, no sideways scroll on the login or with a layer open', () => {
  afterEach(() => office.closePages())
  test('login, at first and after a wrong password', async () => {
    const page = await office.open()
    await page.goto('/login')
    await see(page.getByText('演示数据', { exact: true }))
    assert.deepEqual(await flawsOf(page, 'html'), [])
    await lookWide(page)
    await page.getByLabel('账号').fill('20001')
    await page.getByLabel('密码', { exact: true }).fill('wrong2026')
    await page.keyboard.press('Enter')
    await see(page.getByRole('alert').getByText('账号或密码错误'))
    assert.deepEqual(await flaws(page), [])
  })

  type Layer = [name: string, path: string, open: (page: Page) => Promise<void>, login?: string]
  const layers: Layer[] = [
    [
      'the drawer, reading and editing',
      LIST,
      async page => {
        await (await shopRow(page)).getByRole('button', { name: '详情' }).click()
        await see(page.getByRole('dialog', { name: '商户详情' }).getByRole('heading', { level: 2 }))
        assert.deepEqual(await flaws(page), [])
        await lookWide(page)
        const edit = page.getByRole('dialog').getByRole('button', { name: '编辑', exact: true })
        if ((await edit.getAttribute('aria-disabled')) === 'true') assert.fail('the latest shop is disabled')
        await edit.click()
        await see(page.getByRole('textbox', { name: '店铺名称' }))
      },
    ],
    [
      'a question',
      '/admin/index',
      async page => {
        await page.getByRole('button', { name: /^账户 / }).click()
        await page.getByRole('menuitem', { name: '退出登录' }).click()
        await see(page.getByRole('alertdialog', { name: '退出登录？' }))
      },
    ],
    [
      'the filter panel, filtering',
      LIST,
      async page => {
        await page.getByRole('button', { name: /^高级筛选/ }).click()
        await page.getByRole('combobox', { name: '店铺状态' }).click()
        await page.getByTitle('已禁用', { exact: true }).click()
        await see(page.getByText('状态：已禁用'))
        await page.getByRole('heading', { level: 1 }).click()
      },
    ],
    [
      'the palette with what it found',
      '/admin/index',
      async page => {
        await page.getByRole('button', { name: '全局搜索' }).click()
        await page.getByRole('dialog').getByRole('combobox').fill('180')
        await see(page.getByRole('group', { name: '商户' }))
      },
    ],
    [
      'the bell’s panel',
      '/admin/index',
      async page => {
        await page.getByRole('button', { name: /^过期商户 \d+ 家$/ }).click()
        await see(page.getByRole('dialog', { name: '提醒' }).getByRole('listitem'))
      },
    ],
    [
      'the credit dialog with a broken rule',
      '/admin/operations/agents',
      async page => {
        await someRow(page.getByRole('table'), '充值').getByRole('button', { name: '充值' }).click()
        await page.getByRole('dialog').getByRole('button', { name: '充值', exact: true }).click()
        await see(page.getByRole('dialog').getByText('请输入大于0的数额'))
      },
    ],
    [
      'the add form with a price and broken rules',
      '/admin/merchant/addUser',
      async page => {
        await page.getByRole('radio', { name: /^永久版/ }).check()
        await page.getByRole('button', { name: '下一步' }).click()
        await see(page.getByText('请选择行业类型').last(), page.getByText('请输入账号', { exact: true }))
      },
    ],
    [
      'a page one may not see',
      '/admin/nowhere',
      async page => {
        await see(page.getByRole('heading', { name: '页面不存在' }))
      },
    ],
    [
      'the follow-up of a renewal, with a broken rule',
      DESK,
      async page => {
        await someRow(page.getByRole('table'), '未跟进')
          .getByRole('button', { name: '跟进', exact: true })
          .click()
        const dialog = page.getByRole('dialog', { name: /^续费跟进：/ })
        await dialog.getByText('已流失', { exact: true }).click()
        await dialog.getByRole('button', { name: '保存跟进' }).click()
        await see(dialog.getByText('请输入流失原因'))
      },
      '20001',
    ],
    [
      'the desk with its charts',
      DESK,
      async page => {
        await page.getByRole('button', { name: '查看趋势' }).click()
        await see(page.getByRole('button', { name: '收起趋势' }), page.locator('figure > [aria-hidden=true]'))
      },
      '20001',
    ],
    [
      'a bulk renewal, its price, terms and lines',
      DESK,
      async page => {
        await page.getByRole('checkbox', { name: '选择本页' }).check()
        await page.getByRole('button', { name: '批量续费' }).click()
        await see(page.getByRole('dialog', { name: /^批量续费/ }).getByText('合计（代币）'))
        assert.deepEqual(await flaws(page), [])
        await lookWide(page)
      },
      '20001',
    ],
    [
      'an undo before it is done, with a broken rule',
      '/admin/detail/billingDetails?salesType=renew',
      async page => {
        const [order] = await office.sql<{ order_no: string }>(
          `select order_no from version_orders where agent_id = 101 and sales_type = 'renew' and status = 'paid'
           order by id desc limit 1`,
        )
        await rowOf(page, (order?.order_no ?? '').slice(-8))
          .getByRole('button', { name: '撤销', exact: true })
          .click()
        const dialog = page.getByRole('dialog', { name: '撤销订单' })
        await dialog.getByRole('button', { name: '撤销订单' }).click()
        await see(dialog.getByText('请输入撤销原因'))
      },
      '20001',
    ],
    [
      'requests to undo',
      '/admin/detail/billingDetails?view=requests',
      async page => {
        await see(page.getByRole('heading', { name: '撤销申请' }))
      },
    ],
    [
      'the SMS packages of a shop, one chosen',
      LIST,
      async page => {
        await (await shopRow(page)).getByRole('button', { name: '更多操作' }).click()
        await page.getByRole('menuitem', { name: '短信', exact: true }).click()
        const dialog = page.getByRole('dialog', { name: '购买短信包' })
        await dialog.getByRole('radio', { name: /^500 条/ }).check()
        await see(dialog.getByText('购买后余额'))
      },
      '20001',
    ],
    [
      'the checkout of the hardware shop, with a broken rule',
      '/admin/index/hardwareShop',
      async page => {
        await page
          .getByRole('button', { name: /^加入购物车/ })
          .first()
          .click()
        await page.getByRole('button', { name: '去结算' }).click()
        const dialog = page.getByRole('dialog', { name: '确认订单' })
        await dialog.getByRole('textbox', { name: '联系人' }).fill('')
        await dialog.getByRole('button', { name: '确认购买' }).click()
        await see(dialog.getByText('请输入联系人'))
      },
      '20001',
    ],
    [
      'an order of hardware, and its shipping',
      '/admin/order/hardwareOrder?status=awaitingShipment',
      async page => {
        const row = someRow(page.getByRole('table'), '详情')
        await row.getByRole('button', { name: '详情', exact: true }).click()
        const order = page.getByRole('dialog', { name: '订单详情' })
        await see(order.getByRole('table'))
        assert.deepEqual(await flaws(page), [])
        await lookWide(page)
        await order.getByRole('button', { name: '发货', exact: true }).click()
        await see(page.getByRole('dialog', { name: /^发货/ }).getByRole('textbox', { name: '物流单号' }))
      },
    ],
    [
      'the confirm of another version',
      LIST,
      async page => {
        await page.goto(`/admin/merchant/versionUp1?user_id=${await shopId()}`)
        await page.getByRole('radio', { name: /^至尊版/ }).check()
        await page.getByRole('button', { name: '下一步' }).click()
        await see(page.getByRole('dialog', { name: '确认购买' }))
      },
      '20001',
    ],
    [
      'the confirm of services',
      LIST,
      async page => {
        await page.goto(`/admin/merchant/addedServices?user_id=${await shopId()}`)
        await page.getByRole('button', { name: '增加 微商城 年数' }).click()
        assert.deepEqual(await flaws(page), [])
        await lookWide(page)
        await page.getByRole('button', { name: '购买', exact: true }).click()
        await see(page.getByRole('dialog', { name: '确认购买增值服务' }))
      },
      '20001',
    ],
  ]
  /** Of each kind of layer one. */
  const STAYS = [
    'the drawer, reading and editing',
    'the palette with what it found',
    'the bell’s panel',
    'the follow-up of a renewal, with a broken rule',
    'a bulk renewal, its price, terms and lines',
  ]
  for (const [name, path, open, login = '10001'] of layers) {
    const look = async () => {
      const page = await office.openAs(login, path)
      await open(page)
      assert.deepEqual(await flaws(page), [])
    }
    if (STAYS.includes(name)) test(name, look)
    else
      exhaustive(
        name,
        ['test/e2e/house/appearance.e2e.ts', 'test/e2e/house/pages.e2e.ts', 'web/form/Form.test.tsx'],
        look,
      )
  }
})
