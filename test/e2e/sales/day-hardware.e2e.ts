// Hardware from the cart to the counter: ordered by a partner, sent by the operator, received (D2 §2 screen 13, §3, §4).
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { DELIVERY_STATUSES } from '#features/sales/hardware/rules.ts'
import { formatCents } from '#kit/money.ts'
import { exhaustive } from '../../lane.ts'
import { type BrowserOffice, eventually, fact, gone, openBrowserOffice, see, toast } from '../browser.ts'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice()
})
afterEach(() => office.closePages())
after(() => office.stop())

const SHOP = '/admin/index/hardwareShop'
const ORDERS = '/admin/order/hardwareOrder'

async function balance(): Promise<number> {
  const [account] = await office.sql<{ balance: string }>(
    `select balance from ledger_accounts where owner_kind = 'agent' and owner_id = 101 and asset = 'token'`,
  )
  return Number(account?.balance)
}

async function stockOf(name: string): Promise<number> {
  const [product] = await office.sql<{ stock: number }>(
    'select stock from hardware_products where name = $1',
    [name],
  )
  return product?.stock ?? assert.fail('no such product')
}

type Order = {
  order_no: string
  delivery_status: string
  carrier: string
  tracking_no: string
  contact_name: string
}

async function lastOrder(): Promise<Order> {
  const [order] = await office.sql<Order>(
    'select * from hardware_orders where agent_id = 101 order by id desc limit 1',
  )
  return order ?? assert.fail('no order')
}

function good(page: Page, name: string): Locator {
  return page.getByRole('list', { name: '商品' }).getByRole('listitem').filter({ hasText: name })
}

function cart(page: Page): Locator {
  return page.getByRole('complementary', { name: '购物车' })
}

function row(page: Page): Locator {
  return page.getByRole('table').locator('tbody').getByRole('row')
}

async function openOrder(login: string, orderNo: string): Promise<Page> {
  const page = await office.openAs(login, `${ORDERS}?search=${orderNo}`)
  await see(page.getByText('共 1 条', { exact: true }), row(page))
  return page
}

/** An action of the listed order, in its row or folded into its menu. */
async function act(page: Page, action: string): Promise<void> {
  const shown = row(page).getByRole('button', { name: action, exact: true })
  if (await shown.count()) return shown.click()
  await row(page).getByRole('button', { name: '更多操作' }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

/** Puts two products into the cart and opens the checkout. */
async function fillCart(page: Page): Promise<Locator> {
  await see(good(page, '钱箱'))
  await page.getByRole('button', { name: '加入购物车 钱箱' }).click()
  await page.getByRole('button', { name: '加入购物车 标签打印机' }).click()
  await good(page, '钱箱').getByRole('button', { name: '增加 钱箱' }).click()
  await eventually(() => fact(cart(page), '合计（代币）').innerText(), '804.00')
  await cart(page).getByRole('button', { name: '去结算' }).click()
  const dialog = page.getByRole('dialog', { name: '确认订单' })
  await see(dialog.getByRole('textbox', { name: '联系人' }))
  return dialog
}

describe('an order of hardware', () => {
  const TOTAL = 16_800 * 2 + 46_800

  test('is paid once from the cart, sent with carrier and number, received, and complete', async () => {
    const before = await balance()
    const stock = { box: await stockOf('钱箱'), printer: await stockOf('标签打印机') }
    const page = await office.openAs('20001', SHOP)
    const dialog = await fillCart(page)
    await dialog.getByRole('textbox', { name: '联系人' }).fill('')
    const buy = dialog.getByRole('button', { name: '确认购买' })
    await buy.click()
    await see(dialog.getByText('请输入联系人'))
    await dialog.getByRole('textbox', { name: '联系人' }).fill('周海燕')
    await dialog.getByRole('textbox', { name: '联系电话' }).fill('12345')
    await buy.click()
    await see(dialog.getByText('请输入正确的手机号'))
    await dialog.getByRole('textbox', { name: '联系电话' }).fill('13812349876')
    await dialog.getByRole('textbox', { name: '详细地址' }).fill('科苑路15号3楼')
    assert.deepEqual(
      await Promise.all(['合计（代币）', '购买后余额'].map(name => fact(dialog, name).innerText())),
      [formatCents(TOTAL), formatCents(before - TOTAL)],
    )
    await buy.dblclick()
    await see(toast(page, '购买成功'))
    await page.waitForURL(url => url.pathname === ORDERS)
    const order = await lastOrder()
    const opened = page.getByRole('dialog', { name: '订单详情' })
    await see(opened.getByText(order.order_no), opened.getByText('待发货'), opened.getByText('周海燕'))
    assert.equal(await balance(), before - TOTAL)
    assert.deepEqual([await stockOf('钱箱'), await stockOf('标签打印机')], [stock.box - 2, stock.printer - 1])
    const [placed] = await office.sql<{ n: number }>(
      `select count(*)::int as n from hardware_orders where contact_name = '周海燕'`,
    )
    assert.equal(placed?.n, 1)
    await page.goto(SHOP)
    await see(cart(page).getByText('选择商品加入购物车，在这里结算'))

    const operator = await openOrder('10001', order.order_no)
    await act(operator, '发货')
    const shipping = operator.getByRole('dialog', { name: /^发货：订单/ })
    const ship = shipping.getByRole('button', { name: /^发\s?货$/ })
    await ship.click()
    await see(shipping.getByText('请输入物流公司'))
    await shipping.getByRole('combobox', { name: '物流公司' }).fill('顺丰速运')
    await shipping.getByRole('textbox', { name: '物流单号' }).fill('单号一')
    await ship.click()
    await see(shipping.getByText('物流单号只能是字母、数字和横线，最多40位'))
    await shipping.getByRole('textbox', { name: '物流单号' }).fill('SF2026000123')
    await ship.click()
    await see(toast(operator, '发货成功'), row(operator).getByText('已发货'))
    const sent = await lastOrder()
    assert.deepEqual(
      [sent.delivery_status, sent.carrier, sent.tracking_no],
      ['shipped', '顺丰速运', 'SF2026000123'],
    )

    const agent = await openOrder('20001', order.order_no)
    await see(row(agent).getByText('顺丰速运 SF2026000123'))
    await act(agent, '确认收货')
    await agent.getByRole('alertdialog').getByRole('button', { name: '确认收货' }).dblclick()
    await see(toast(agent, '确认收货成功'), row(agent).getByText('已收货'))
    assert.equal((await lastOrder()).delivery_status, 'received')

    await operator.getByRole('button', { name: '刷新', exact: true }).click()
    await see(row(operator).getByText('已收货'))
    await act(operator, '交易完成')
    await operator.getByRole('alertdialog').getByRole('button', { name: '交易完成' }).click()
    await see(toast(operator, '操作成功'), row(operator).getByText('交易完成'))
    assert.equal((await lastOrder()).delivery_status, 'complete')
    await office.verifyLedger()
  })

  exhaustive(
    'is taken back by the partner before it is sent, with tokens and stock',
    ['features/sales/hardware/server-steps.test.ts', 'features/sales/hardware/rules.test.ts'],
    async () => {
      const before = await balance()
      const stock = await stockOf('钱箱')
      const page = await office.openAs('20001', SHOP)
      const dialog = await fillCart(page)
      await dialog.getByRole('textbox', { name: '联系人' }).fill('取消的人')
      await dialog.getByRole('button', { name: '确认购买' }).click()
      await see(toast(page, '购买成功'))
      const { order_no } = await lastOrder()
      const list = await openOrder('20001', order_no)
      await act(list, '取消订单')
      const asked = list.getByRole('dialog', { name: /^取消订单：/ })
      const submit = asked.getByRole('button', { name: '取消订单' })
      await submit.click()
      await see(asked.getByText('请输入原因'))
      await asked.getByRole('textbox', { name: '取消原因' }).fill('型号选错')
      await submit.dblclick()
      await see(toast(list, '订单已取消，代币已退回'))
      await gone(asked)
      await see(row(list).getByText('已取消'))
      assert.deepEqual([await balance(), await stockOf('钱箱')], [before, stock])
      assert.equal((await lastOrder()).delivery_status, 'cancelled')
      await office.verifyLedger()
    },
  )
})

exhaustive(
  'each of the seven states has its name and is filtered by',
  [
    'features/sales/hardware/server-list.test.ts',
    'features/sales/hardware/rules.test.ts',
    'test/e2e/house/every-page.e2e.ts',
  ],
  async () => {
    const orders = await office.sql<{ id: string }>(
      'select id from hardware_orders where agent_id = 101 order by id limit 7',
    )
    const states = Object.entries(DELIVERY_STATUSES)
    assert.deepEqual(
      states.map(([, name]) => name),
      ['待付款', '待发货', '已发货', '已收货', '已退货', '已取消', '交易完成'],
    )
    for (const [i, [state]] of states.entries())
      await office.sql('update hardware_orders set delivery_status = $2 where id = $1', [
        orders[i]?.id,
        state,
      ])
    const page = await office.openAs('20001', ORDERS)
    for (const [state, name] of states) {
      const [counted] = await office.sql<{ n: number }>(
        'select count(*)::int as n from hardware_orders where agent_id = 101 and delivery_status = $1',
        [state],
      )
      await page.goto(`${ORDERS}?status=${state}&size=100`)
      await see(page.getByText(`发货状态：${name}`), page.getByText(`共 ${counted?.n} 条`, { exact: true }))
      assert.equal(await row(page).getByText(name, { exact: true }).count(), counted?.n)
    }
  },
)
