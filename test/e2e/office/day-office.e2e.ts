// What a role opens, and the operator's tools on a shop: another provider, days for nothing (D2 screen 9; D3 §2, §6, §7).
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { ROUTE_PAGES } from '#app/route-pages.ts'
import { formatCents } from '#kit/money.ts'
import { formatInstant } from '#kit/time.ts'
import { exhaustive } from '../../lane.ts'
import { type BrowserOffice, menuLink, menuNames, openBrowserOffice, rowOf, see, toast } from '../browser.ts'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice()
})
afterEach(() => office.closePages())
after(() => office.stop())

function rows(page: Page): Locator {
  return page.getByRole('table').locator('tbody').getByRole('row')
}

describe('a sub-user', () => {
  const HELD = ['session', 'home', 'ledger.changes', 'account.profile']

  /** D3 §6: the operation log sends back to the start page with the warning; the others say it in their place. */
  async function seeRefused(page: Page, path: string): Promise<void> {
    await page.goto(path)
    if (ROUTE_PAGES.find(one => one.path === path)?.refusedTo === 'home') {
      await see(toast(page, '您没有操作权限!'))
      await page.waitForURL(url => url.pathname === '/admin/index')
      return
    }
    await see(page.getByRole('heading', { name: '您没有操作权限!' }))
    assert.equal(await page.getByRole('main').getByRole('table').count(), 0, path)
  }

  exhaustive(
    'is refused every page that its role does not hold, and what they ask for',
    ['test/permissions.test.ts', 'test/e2e/office/access.e2e.ts'],
    async () => {
      const page = await office.openAs('2000101', '/admin/index')
      await see(await menuLink(page, '余额变动'))
      assert.deepEqual(await menuNames(page), [
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
      for (const { path, permission, list } of ROUTE_PAGES) {
        if (HELD.includes(permission)) continue
        if (list) assert.equal((await page.request.get(`${list}?page=1&size=10`)).status(), 403, list)
        await seeRefused(page, path)
      }
    },
  )

  exhaustive(
    'sees exactly what its role was given, and none of the actions on it that were not',
    ['web/controls/Permit.test.tsx', 'features/office/access/rules.test.ts', 'test/permissions.test.ts'],
    async () => {
      const keys = ['renewals.desk', 'renewals.mark', 'smsDesk.orders', 'settlement.statement']
      await office.sql(
        `update roles set node_ids = node_ids || (select array_agg(id) from permission_nodes where key = any($1))
       where name = '财务'`,
        [keys],
      )
      const page = await office.openAs('2000101', '/admin/index')
      await see(await menuLink(page, '续费工作台'))
      assert.deepEqual(await menuNames(page), [
        '首页',
        '待办',
        '续费工作台',
        '短信订单',
        '月度对账单',
        '余额变动',
        '帮助中心',
        '下载中心',
        '个人资料',
        '登录与安全',
        '消息中心',
        '导出任务',
      ])
      await (await menuLink(page, '续费工作台')).click()
      await see(rows(page).getByRole('button', { name: '跟进', exact: true }))
      assert.equal(await page.getByRole('button', { name: '续费', exact: true }).count(), 0)
      assert.equal(await page.getByRole('checkbox', { name: '选择本页' }).count(), 0)
      const [some] = await rows(page).all()
      await some?.focus()
      await page.keyboard.press('n')
      assert.equal(new URL(page.url()).pathname, '/admin/merchant/renewals')
      await page.keyboard.press('m')
      await see(page.getByRole('dialog', { name: /^续费跟进：/ }))
      await page.goto('/admin/order/msgOrder')
      await see(page.getByRole('heading', { name: '短信订单' }))
      assert.equal(await page.getByRole('main').getByRole('link', { name: '导出' }).count(), 0)
      await page.goto('/admin/detail/statement')
      await see(page.getByRole('heading', { name: '月度对账单' }), page.getByText('核对一致'))
      const held = new Set([...HELD, ...keys])
      for (const { permission, list } of ROUTE_PAGES)
        if (list && !held.has(permission))
          assert.equal((await page.request.get(`${list}?page=1&size=10`)).status(), 403, list)
      await seeRefused(page, '/admin/order/versionsOrder')
    },
  )
})

type Shop = {
  id: string
  shop_name: string
  agent_id: string
  expires_at: Date
  revision: number
  manager_id: string | null
}

async function saved(id: string): Promise<Shop> {
  const [shop] = await office.sql<Shop>('select * from merchants where id = $1', [id])
  return shop ?? assert.fail('the shop is gone')
}

async function balances(): Promise<unknown[]> {
  return office.sql(
    `select owner_id, asset, balance from ledger_accounts where owner_kind = 'agent' order by owner_id, asset`,
  )
}

/** How many shops each agent has. */
async function shopCounts(): Promise<Record<string, number>> {
  const found = await office.sql<{ agent_id: string; n: number }>(
    'select agent_id, count(*)::int as n from merchants group by agent_id',
  )
  return Object.fromEntries(found.map(({ agent_id, n }) => [agent_id, n]))
}

async function find(scope: Locator | Page, text: string): Promise<void> {
  await scope.getByRole('textbox', { name: '商户' }).fill(text)
  await scope.getByRole('button', { name: '查找' }).click()
}

describe('the operator', () => {
  test('gives a shop to another provider after a preview, and moves nothing else', async () => {
    const [order] = await office.sql<{ merchant_id: string; order_no: string }>(
      `select merchant_id, order_no from version_orders where agent_id = 101 and sales_type = 'renew' and status = 'paid'
       order by paid_at desc limit 1`,
    )
    assert.ok(order)
    const shop = await saved(order.merchant_id)
    const [others, money] = [await shopCounts(), await balances()]
    const [company] = await office.sql<{ company_name: string }>(
      'select company_name from agents where id = 102',
    )
    const page = await office.openAs('10001', '/admin/tool/merchantsToAdjust')
    const tool = page.getByRole('region', { name: '服务商调整' })
    await find(tool, '  ')
    await see(tool.getByText('请输入查找商户'))
    await find(tool, '99999999')
    await see(tool.getByText('请输入正确的ID/账号'))
    await find(tool, shop.id)
    await see(tool.getByRole('heading', { name: shop.shop_name }))
    const submit = tool.getByRole('button', { name: '调整服务商', exact: true })
    await submit.click()
    await see(tool.getByText('请选择新服务商', { exact: true }).last())
    await tool.getByRole('combobox', { name: '新服务商' }).fill('102')
    await page.getByTitle(`${company?.company_name}（102）`, { exact: true }).click()
    const preview = tool.getByRole('table', { name: '调整预览' })
    await see(
      preview.getByText(`${company?.company_name}（102）`),
      preview
        .getByRole('row')
        .filter({ hasText: '代币余额' })
        .getByText(formatCents(await tokensOf(102))),
    )
    await submit.click()
    await see(tool.getByText('请输入操作原因'))
    await tool.getByRole('textbox', { name: '操作原因' }).fill('商户要求更换服务商')
    await submit.click()
    const question = page.getByRole('alertdialog', {
      name: `把「${shop.shop_name}」转到「${company?.company_name}」？`,
    })
    await question.getByRole('button', { name: '取消' }).click()
    assert.equal((await saved(shop.id)).agent_id, '101')
    await submit.click()
    await question.getByRole('button', { name: '确认调整' }).dblclick()
    await see(toast(page, '调整成功'))
    const moved = await saved(shop.id)
    assert.deepEqual(
      [moved.agent_id, moved.manager_id, moved.expires_at, moved.revision],
      ['102', null, shop.expires_at, shop.revision + 1],
    )
    assert.deepEqual(await shopCounts(), {
      ...others,
      101: (others[101] ?? 0) - 1,
      102: (others[102] ?? 0) + 1,
    })
    assert.deepEqual(await balances(), money)
    const action = rowOf(page.getByRole('region', { name: '最近操作' }), shop.shop_name)
    await see(action.getByText(shop.shop_name), action.getByText('原因：商户要求更换服务商'))

    const before = await office.openAs('20001', `/admin/merchant/merchantDetails?user_id=${shop.id}`)
    await see(before.getByRole('alert').getByText('数据不存在或已被删除'))
    await before.goto(`/admin/detail/billingDetails?search=${order.order_no}`)
    await see(rows(before).getByText('已转至其他服务商'))
    const undo = rows(before).getByRole('button', { name: '撤销', exact: true })
    assert.equal(await undo.getAttribute('data-tip'), '商户已转至其他服务商，不能撤销')
    const now = await office.openAs('20002', `/admin/merchant/myMerchant?search=${shop.id}`)
    await see(rows(now).getByText(shop.shop_name), now.getByText('共 1 条', { exact: true }))
    await office.verifyLedger()
  })

  exhaustive(
    'extends a shop that is known by its name, of several the one that is meant',
    ['test/e2e/house/jobs.e2e.ts', 'features/sales/aftersales/server.test.ts'],
    async () => {
      const [known] = await office.sql<Shop>(
        `select * from merchants where agent_id = 102 and status = 'normal' and expires_at > now() order by id limit 1`,
      )
      const shop = known ?? assert.fail('no shop')
      const page = await office.openAs('10090', '/admin/tool/delay')
      await find(page, shop.shop_name.slice(0, 3))
      await page
        .getByRole('list', { name: '同名商户' })
        .getByRole('button', { name: new RegExp(shop.id) })
        .click()
      await see(
        page.getByRole('heading', { name: shop.shop_name }),
        page.getByRole('button', { name: '延期' }),
      )
      await find(page, '没有这家店')
      await see(page.getByText('请输入正确的ID/账号'))
    },
  )

  exhaustive(
    'extends a term by days once; staff who looked before are told that it changed',
    ['test/e2e/house/jobs.e2e.ts', 'features/sales/aftersales/server.test.ts'],
    async () => {
      const [chosen] = await office.sql<Shop>(
        `select * from merchants where agent_id = 101 and status = 'normal' and expires_at > now() + interval '30 days'
       order by id desc limit 1`,
      )
      const shop = chosen ?? assert.fail('no shop')
      const money = await balances()
      const after = new Date(shop.expires_at.getTime() + 30 * 86_400_000)
      const path = `/admin/tool/delay?search=${shop.id}`
      const page = await office.openAs('10001', path)
      const late = await office.openAs('10090', path)
      await see(
        page.getByRole('heading', { name: shop.shop_name }),
        late.getByRole('heading', { name: shop.shop_name }),
      )
      const submit = page.getByRole('button', { name: '延期', exact: true })
      await page.getByRole('textbox', { name: '延期天数' }).fill('366')
      await submit.click()
      await see(page.getByText('延期天数须为1至365的整数'))
      await page.getByRole('button', { name: '30 天', exact: true }).click()
      const preview = page.getByRole('table', { name: '延期预览' })
      await see(preview.getByText(formatInstant(shop.expires_at)), preview.getByText(formatInstant(after)))
      await page.getByRole('textbox', { name: '操作原因' }).fill('系统故障补偿')
      await submit.click()
      await page.getByRole('alertdialog').getByRole('button', { name: '确认延期' }).dblclick()
      await see(toast(page, '延期成功'))
      assert.deepEqual((await saved(shop.id)).expires_at, after)
      await see(page.getByRole('region', { name: '商户' }).getByText(formatInstant(after)))
      await see(page.getByText('原因：系统故障补偿'))

      await late.getByRole('button', { name: '7 天', exact: true }).click()
      await late.getByRole('textbox', { name: '操作原因' }).fill('系统故障补偿')
      await late.getByRole('button', { name: '延期', exact: true }).click()
      await late.getByRole('alertdialog').getByRole('button', { name: '确认延期' }).click()
      await see(toast(late, '数据已被他人修改，请刷新后重试'))
      await see(late.getByRole('region', { name: '商户' }).getByText(formatInstant(after)))
      assert.deepEqual((await saved(shop.id)).expires_at, after)
      assert.deepEqual(await balances(), money)
      const agent = await office.openAs('20001', '/admin/tool/delay')
      await see(agent.getByRole('heading', { name: '您没有操作权限!' }))
    },
  )
})

async function tokensOf(agentId: number): Promise<number> {
  const [account] = await office.sql<{ balance: string }>(
    `select balance from ledger_accounts where owner_kind = 'agent' and owner_id = $1 and asset = 'token'`,
    [agentId],
  )
  return Number(account?.balance)
}
