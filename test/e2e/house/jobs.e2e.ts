// What people do all day, and how many presses it may cost: a press, a typed text or a key is one. Where clicks are said, those of the
// mouse alone.

import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { exhaustive } from '../../lane.ts'
import { codeOf } from '../../make-factors.ts'
import {
  type BrowserOffice,
  eventually,
  openBrowserOffice,
  type PageOptions,
  PHONE,
  rowOf,
  see,
  someRow,
  toast,
} from '../browser.ts'
import { code, leave, payAt, read } from '../paying.ts'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice({ outside: true })
  await leave(office, 101, 'token', 90_000_000)
})
afterEach(() => office.closePages())
after(() => office.stop())

/** Hands that count. */
class Hands {
  presses = 0
  /** Of these those of the mouse. */
  clicks = 0
  readonly page: Page
  constructor(page: Page) {
    this.page = page
  }
  async press(target: Locator, options: Parameters<Locator['click']>[0] = {}): Promise<void> {
    await target.first().click(options)
    this.presses += 1
    this.clicks += 1
  }
  async type(field: Locator, text: string): Promise<void> {
    await field.fill(text)
    this.presses += 1
  }
  async key(name: string): Promise<void> {
    await this.page.keyboard.press(name)
    this.presses += 1
  }
  /** Through a group of the menu that shows its pages under the mouse. */
  async goTo(group: string, title: string): Promise<void> {
    await this.page.getByRole('button', { name: group, exact: true }).hover()
    await this.press(
      this.page.getByRole('list', { name: group }).getByRole('link', { name: title, exact: true }),
    )
    await see(this.page.getByRole('heading', { name: title, level: 1 }))
  }
}

type Job = { as: string; most: number; options?: PageOptions }

async function from({ as, most, options }: Job, work: (hands: Hands, page: Page) => Promise<void>) {
  const page = await office.openAs(as, '/admin/index', options)
  await see(page.getByRole('heading', { level: 1 }))
  const hands = new Hands(page)
  await work(hands, page)
  assert.ok(hands.presses <= most, `${hands.presses} presses`)
}

const button = (scope: Page | Locator, name: string | RegExp) =>
  scope.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) })
const rows = (page: Page) => page.getByRole('table').locator('tbody').getByRole('row')

type Shop = { id: string; shop_name: string }
async function shopOf(agentId: number): Promise<Shop> {
  const [shop] = await office.sql<Shop>(
    `select * from merchants where agent_id = $1 and status = 'normal' and store_kind = 'head'
       and expires_at > now() + interval '60 days' order by id limit 1`,
    [agentId],
  )
  return shop ?? assert.fail('no shop')
}

/** The number of an order that the acting account can undo. */
async function undoableOf(page: Page): Promise<string> {
  const answer = await page.request.get('/api/settlement/bills?size=100')
  const { rows } = (await answer.json()) as { rows: { orderNo: string; undo: { refusal: string | null } }[] }
  return rows.find(({ undo }) => undo.refusal === null)?.orderNo ?? assert.fail('no order can be undone')
}

describe('from the start page', () => {
  exhaustive('a shop is found', ['web/shell/Shell.test.tsx', 'app/palette.test.tsx'], () =>
    from({ as: '20001', most: 3 }, async (hands, page) => {
      const { shop_name } = await shopOf(101)
      await hands.key('Control+k')
      await hands.type(page.getByRole('dialog').getByRole('combobox'), shop_name)
      await see(page.getByRole('option', { name: shop_name }))
      await hands.key('Enter')
      await see(page.getByRole('heading', { name: shop_name }))
    }),
  )

  test('five of the shops that end next month are renewed', async () => {
    await office.sql(`update merchants set expires_at = expires_at + interval '9 years' where agent_id = 101`)
    await office.sql(
      `update merchants set expires_at = (date_trunc('month', now() at time zone 'Asia/Shanghai')
         + interval '1 month 10 days') at time zone 'Asia/Shanghai'
       where id in (select id from merchants where agent_id = 101 and version_id = 12 and store_kind = 'head'
         and status = 'normal' order by id limit 8)`,
    )
    const renewals = async () =>
      (await office.sql(`select 1 from version_orders where created_at > now() - interval '1 minute'`)).length
    await from({ as: '20001', most: 6 }, async (hands, page) => {
      await hands.goTo('商户管理', '续费工作台')
      await hands.press(button(page.getByRole('navigation', { name: '到期范围' }), /^下月/))
      await page.waitForURL('**window=nextMonth*')
      await eventually(() => rows(page).count(), 8)
      const boxes = await rows(page).getByRole('checkbox').all()
      await hands.press(boxes[0] ?? assert.fail('no row'))
      await hands.press(boxes[4] ?? assert.fail('no fifth row'), { modifiers: ['Shift'] })
      await hands.press(button(page, '批量续费'))
      const dialog = page.getByRole('dialog', { name: '批量续费（5 家）' })
      await see(dialog.getByText('合计（代币）'))
      await hands.press(button(dialog, /^确认/))
      await see(toast(page, '购买成功！'))
    })
    assert.equal(await renewals(), 5)
  })

  test('a shop is sold, and what is missing is paid by QR', async () => {
    await leave(office, 102, 'token', 777)
    await leave(office, 102, 'sms', 100)
    await from({ as: '20002', most: 14 }, async (hands, page) => {
      await hands.press(page.getByRole('main').getByRole('link', { name: '新增商户', exact: true }))
      await hands.press(page.getByRole('radio', { name: /^高级版/ }))
      await hands.press(page.getByRole('radio', { name: '按年', exact: true }))
      await hands.press(page.getByRole('combobox', { name: '行业类型' }))
      await hands.press(page.getByTitle('餐饮美食', { exact: true }))
      for (const [name, text] of [
        ['店铺简称', '南山面馆'],
        ['店铺名称', '南山面馆总店'],
        ['商户姓名', '李小明'],
        ['账号', '13900007001'],
      ] as const)
        await hands.type(page.getByRole('textbox', { name }), text)
      await hands.type(page.getByLabel(/^密码/), 'secret-2026')
      await hands.press(page.getByRole('combobox', { name: '省市区' }))
      await hands.press(page.getByRole('menuitemcheckbox').last())
      await hands.press(button(page, '下一步'))
      const dialog = page.getByRole('dialog', { name: '确认新增商户' })
      await hands.press(button(dialog, /^扫码补足/))
      await payAt(office, await read(code(page.getByRole('dialog').last())))
      await see(toast(page, '新增成功'))
    })
  })

  exhaustive('a message is sent to all shops', ['test/e2e/care/campaign.e2e.ts'], async () => {
    await leave(office, 102, 'sms', 100_000)
    await from({ as: '20002', most: 8 }, async (hands, page) => {
      await hands.goTo('短信', '短信群发')
      await hands.press(button(page, '新建群发'))
      const drawer = page.getByRole('dialog', { name: '新建群发' })
      await hands.type(drawer.getByRole('textbox', { name: '任务名称' }), '双十二续费')
      await hands.press(drawer.getByRole('combobox', { name: '短信模板' }))
      await hands.press(drawer.getByTitle('续费优惠'))
      await hands.type(drawer.getByRole('textbox', { name: /优惠内容/ }), '买一年送两个月')
      await hands.press(button(drawer, '发送'))
      await hands.press(button(page.getByRole('alertdialog'), '确认发送'))
      await see(toast(page, '已提交发送'))
    })
  })

  exhaustive('a late order is undone', ['test/e2e/sales/day-settle.e2e.ts'], async () => {
    const [order] = await office.sql<{ order_no: string }>(
      `select order_no from version_orders where agent_id = 101 and status = 'paid' and sales_type <> 'new'
         and paid_at > now() - interval '14 days' order by paid_at desc limit 1`,
    )
    assert.ok(order)
    await from({ as: '20001', most: 4 }, async (hands, page) => {
      await hands.goTo('结算中心', '账单明细')
      const row = rows(page).filter({ hasText: order.order_no.slice(-8) })
      await hands.press(button(row, '撤销'))
      const dialog = page.getByRole('dialog')
      await hands.type(dialog.getByRole('textbox'), '客户开错了')
      await hands.press(button(dialog, /^(确认)?撤销/))
      await eventually(
        () => office.sql('select status from version_orders where order_no = $1', [order.order_no]),
        [{ status: 'recycled' }],
      )
    })
  })

  exhaustive(
    'this month’s orders are a file',
    ['features/sales/orders/server.test.ts', 'test/e2e/house/install.e2e.ts'],
    () =>
      from({ as: '20001', most: 5 }, async (hands, page) => {
        await hands.goTo('订单管理', '版本订单')
        await hands.press(button(page, '高级筛选'))
        await hands.press(page.getByRole('textbox', { name: '支付时间' }))
        await hands.press(page.getByText('本月', { exact: true }))
        await page.waitForURL('**paidFrom=*')
        const file = page.waitForEvent('download')
        await hands.press(page.getByRole('link', { name: '导出', exact: true }))
        await file
      }),
  )

  exhaustive(
    'why the balance fell is told by the order and the person',
    ['features/sales/order-details/server.test.ts', 'test/e2e/money/wallet.e2e.ts'],
    () =>
      from({ as: '20001', most: 2 }, async (hands, page) => {
        await hands.press(page.getByRole('banner').getByRole('link', { name: /^余额/ }))
        const renewed = rows(page).filter({ hasText: '续费' })
        await hands.press(renewed.getByRole('cell').getByRole('button'))
        await see(page.getByRole('dialog').getByText('操作人'))
      }),
  )

  exhaustive('tokens are bought by QR', ['test/e2e/sales/pay.e2e.ts'], () =>
    from({ as: '20001', most: 3 }, async (hands, page) => {
      await hands.press(page.getByRole('banner').getByRole('link', { name: '充值' }))
      await hands.type(page.getByRole('textbox', { name: /^充值代币/ }), '1000')
      await hands.press(button(page, '扫码支付'))
      await see(code(page))
    }),
  )

  exhaustive(
    'on a phone a shop is found, called and renewed',
    ['test/e2e/house/phone.e2e.ts', 'web/shell/Shell.test.tsx'],
    () =>
      from({ as: '20001', most: 7, options: { viewport: PHONE } }, async (hands, page) => {
        const { shop_name } = await shopOf(101)
        await hands.press(button(page, /搜索/))
        await hands.type(page.getByRole('dialog').getByRole('combobox'), shop_name)
        await hands.press(page.getByRole('option', { name: shop_name }))
        await hands.press(page.getByRole('link', { name: '拨打', exact: true }))
        await hands.press(button(page, '续费'))
        await hands.press(button(page, '下一步'))
        await hands.press(button(page.getByRole('dialog'), /^确认/))
        await see(toast(page, '购买成功！'))
      }),
  )

  test('staff extend a shop that they know by its name: three clicks, the rest is typed', () =>
    from({ as: '10090', most: 6 }, async (hands, page) => {
      const { shop_name } = await shopOf(102)
      await hands.key('Control+k')
      await hands.type(page.getByRole('dialog').getByRole('combobox'), shop_name)
      await see(page.getByRole('option', { name: shop_name }))
      await hands.key('Enter')
      await see(page.getByRole('heading', { name: shop_name }))
      const before = hands.clicks
      await hands.press(button(page.getByRole('main'), '售后工具'))
      await hands.press(page.getByRole('menuitem', { name: '延期' }))
      const dialog = page.getByRole('dialog', { name: `延期「${shop_name}」` })
      await dialog.getByRole('textbox', { name: '延期天数' }).fill('30')
      await dialog.getByRole('textbox', { name: '操作原因' }).fill('系统故障补偿')
      await hands.press(button(dialog, '延期'))
      await see(toast(page, '延期成功'))
      assert.equal(hands.clicks - before, 3)
    }))

  test('yesterday’s order is undone: three clicks, the reason is typed', async () => {
    await from({ as: '20002', most: 4 }, async (hands, page) => {
      const orderNo = await undoableOf(page)
      await office.sql(
        `update version_orders set created_at = now() - interval '1 day', paid_at = now() - interval '1 day' where order_no = $1`,
        [orderNo],
      )
      await hands.goTo('订单管理', '版本订单')
      await hands.press(button(rowOf(page, orderNo.slice(-8)), '撤销'))
      const dialog = page.getByRole('dialog', { name: '撤销订单' })
      await hands.type(dialog.getByRole('textbox'), '客户开错了')
      await hands.press(button(dialog, '撤销订单'))
      await eventually(
        () => office.sql('select status from version_orders where order_no = $1', [orderNo]),
        [{ status: 'recycled' }],
      )
      assert.equal(hands.clicks, 3)
    })
  })

  test('who extended a shop yesterday is told by two clicks', async () => {
    const { id, shop_name } = await shopOf(103)
    const staff = await office.signIn('10090')
    const found = await (await staff.request.get(`/api/tools/extend/shop?search=${id}`)).json()
    const { name } = await (await staff.request.get('/api/session')).json()
    const answer = await staff.request.post('/api/tools/extend', {
      headers: { 'x-requested-with': 'partner-office', 'idempotency-key': crypto.randomUUID() },
      data: { id: Number(id), revision: found.shop.revision, days: 30, reason: '系统故障补偿' },
    })
    assert.ok(answer.ok(), await answer.text())
    await from({ as: '10001', most: 2 }, async (hands, page) => {
      // The log takes nothing that happened before its last line: the day after is seen from the page.
      await page.clock.setFixedTime(Date.now() + 86_400_000)
      await hands.goTo('账户管理', '操作日志')
      await hands.press(button(page.getByRole('main'), '昨天'))
      await page.waitForURL('**from=*')
      await see(rowOf(page, shop_name).filter({ hasText: '账户延期' }).filter({ hasText: name }))
    })
  })

  test('a second factor is set up by two clicks: its code is typed, its recovery codes are seen', async () => {
    await from({ as: '20003', most: 7 }, async (hands, page) => {
      await hands.key('Control+k')
      await hands.type(page.getByRole('dialog').getByRole('combobox'), '二次验证')
      await see(page.getByRole('option', { name: '登录与安全' }))
      await hands.key('Enter')
      await see(page.getByRole('heading', { name: '登录与安全', level: 1 }))
      await hands.press(button(page.getByRole('region', { name: '二次验证' }), '设置'))
      const dialog = page.getByRole('dialog', { name: '设置验证器' })
      const secret = (await dialog.locator('code').innerText()).replaceAll(' ', '')
      await hands.type(dialog.getByLabel('验证码'), codeOf(secret))
      await hands.key('Enter')
      await see(page.getByRole('list', { name: '恢复码' }))
      await hands.press(button(page, '我已保存'))
      await see(page.getByRole('region', { name: '二次验证' }).getByText('已设置'))
      assert.equal(hands.clicks, 2)
    })
  })

  test('a partner is taken on in four steps: eight fields are typed', async () => {
    const company = '深圳市南山启程科技有限公司'
    await from({ as: '10001', most: 13 }, async (hands, page) => {
      await hands.goTo('伙伴管理', '代理商')
      await hands.press(button(page, '新增合作伙伴'))
      const form = page.getByRole('dialog', { name: '新增合作伙伴' })
      for (const [name, text] of [
        ['公司名称', company],
        ['联系人', '陈经理'],
        ['联系手机', '13710000009'],
        ['登录账号', '700009'],
        ['负责人姓名', '陈经理'],
        ['负责人手机', '13710000009'],
      ] as const)
        await hands.type(form.getByRole('textbox', { name }), text)
      await form.getByRole('combobox', { name: '等级' }).focus()
      await hands.key('ArrowDown')
      await hands.key('Enter')
      await hands.press(button(form, '新增并邀请'))
      await hands.press(button(page.getByRole('alertdialog'), '新增并邀请'))
      await see(page.getByRole('dialog', { name: '新增成功' }).getByRole('img', { name: '邀请链接二维码' }))
      assert.equal(hands.clicks, 4)
    })
    assert.equal((await office.sql('select 1 from agents where company_name = $1', [company])).length, 1)
  })

  test('five requests in a row are decided, a click each and one to begin', async () => {
    await office.sql(
      `insert into approval_requests (agent_id, merchant_id, kind, content, content_before, shop_name, state, created_by, created_by_name, created_at)
       select agent_id, id, 'memberTitle', '贵宾' || id, '', shop_name, 'pending', 0, '王小明', now() - interval '400 days'
       from merchants where agent_id = 102 and status = 'normal' order by id limit 5`,
    )
    const open = async () =>
      (await office.sql(`select 1 from approval_requests where content like '贵宾%' and state = 'pending'`))
        .length
    assert.equal(await open(), 5)
    const page = await office.openAs('10090', `/admin/inbox?kind=${encodeURIComponent('审批会员称谓')}`)
    await see(rowOf(page, '贵宾'))
    const hands = new Hands(page)
    await hands.press(someRow(page, '贵宾').getByRole('button', { name: '处理' }))
    const drawer = page.getByRole('dialog', { name: '会员称谓申请' })
    const asked = drawer.getByRole('heading', { name: /^贵宾/ })
    for (let left = 5; left > 0; left--) {
      const now = await asked.innerText()
      await hands.press(button(drawer, '通过'))
      await eventually(open, left - 1)
      // The next one comes by itself.
      if (left > 1) await eventually(async () => (await asked.innerText()) !== now, true)
    }
    assert.ok(hands.clicks <= 6, `${hands.clicks} clicks`)
  })
})
