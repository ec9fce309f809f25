// A shop renews itself on a phone: the agent writes its page and its price, hands the address over, the shop pays with a simulated
// phone, and the money is on both sides of the books; with tokens missing it waits and goes on by itself.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { addMonths, formatDay } from '#kit/time.ts'
import { SIMULATED_CHANNELS } from '#providers/simulators.ts'
import { exhaustive } from '../../lane.ts'
import { giveAccount } from '../../make-payments.ts'
import {
  axeFindings,
  type BrowserOffice,
  eventually,
  openBrowserOffice,
  PHONE,
  see,
  sidewaysScroll,
  toast,
} from '../browser.ts'
import { balanceIn, code, leave, payAt, read } from '../paying.ts'

const AGENT = 101
const EDITOR = '/admin/account/customization'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice({ outside: true })
  const { outside, app } = office
  assert.ok(outside)
  const owner = {
    query: async (text: string, values?: unknown[]) => ({ rows: await office.sql(text, values) }),
  }
  await office.sql('delete from online_renewals where state = $1', ['short'])
  await office.sql('update payment_settings set replaced_at = now(), enabled = false where agent_id = $1', [
    AGENT,
  ])
  for (const channel of SIMULATED_CHANNELS)
    await giveAccount({ outside, office: { app, owner } } as never, AGENT, channel)
})
afterEach(() => office.closePages())
after(() => office.stop())

type Shop = { id: string; name: string; expiresAt: string }

/** A shop of the agent that ends within a year, has no address yet and has never renewed by one. */
async function freshShop(): Promise<Shop> {
  const [shop] = await office.sql<{ id: string; shop_name: string; expires_at: Date }>(
    `select id, shop_name, expires_at from merchants m where agent_id = $1 and status = 'normal' and version_id = 12 and shops_bought = 1
       and store_kind = 'head' and expires_at > now() + interval '1 day' and not exists (select from shop_codes c where c.merchant_id = m.id)
       and not exists (select from online_renewals r where r.merchant_id = m.id)
     order by id limit 1`,
    [AGENT],
  )
  assert.ok(shop)
  return { id: shop.id, name: shop.shop_name, expiresAt: shop.expires_at.toISOString() }
}

/** The agent makes the address in the shop's details, and a phone reads it from there. */
async function addressOf(shop: Shop): Promise<string> {
  const page = await office.openAs('20001', `/admin/merchant/merchantDetails?user_id=${shop.id}`)
  await page.getByRole('button', { name: '查看链接' }).click()
  const dialog = page.getByRole('dialog', { name: `门店页面：${shop.name}` })
  await dialog.getByRole('button', { name: '生成链接' }).click()
  await see(toast(page, '链接已生成'))
  const address = await read(dialog.getByRole('img', { name: '门店页面二维码' }))
  assert.match(address, /\/s\/[\w-]{32}$/)
  assert.deepEqual(await axeFindings(page), [])
  await page.close()
  return address
}

/** At the shop, on a phone: a year is chosen and ordered; answers where its code leads. */
async function orderAt(page: Page, name: string): Promise<string> {
  await see(page.getByRole('heading', { name, level: 1 }))
  const renewing = page.getByRole('region', { name: '在线续费' })
  await renewing.getByRole('radio', { name: /高级版 1 年/ }).check()
  assert.deepEqual([await axeFindings(page), await sidewaysScroll(page)], [[], 0])
  await renewing.getByRole('button', { name: '立即续费 ¥358.00' }).click()
  await see(page.getByRole('heading', { name: '待支付 ¥358.00' }))
  return read(code(page))
}

const paidTo = (id: string) =>
  office.sql<{ payee: string; tokens: string; orders: number; state: string }>(
    `select i.payee_agent_id as payee, r.state, (select coalesce(sum(t.amount), 0) from ledger_transfers t where t.document = r.version_order_no) as tokens,
       (select count(*)::int from version_orders o where o.merchant_id = r.merchant_id and o.remark like '在线续费%') as orders
     from online_renewals r join payment_intents i on i.id = r.intent_id where r.merchant_id = $1 and r.paid_at is not null`,
    [id],
  )

describe('a shop that renews itself', () => {
  test('pays its agent on the phone page, and the books of both say so', async () => {
    const shop = await freshShop()
    const address = await addressOf(shop)
    const before = await balanceIn(office, 'agent', AGENT, 'token')
    const page = await office.open({ viewport: PHONE })
    await page.goto(address)
    const cashier = await orderAt(page, shop.name)
    // A reload does not lose the order that is open.
    await page.reload()
    await see(page.getByRole('heading', { name: '待支付 ¥358.00' }))
    await payAt(office, cashier)
    await see(page.getByRole('heading', { name: '续费成功' }))
    const end = formatDay(addMonths(shop.expiresAt, 12).toISOString())
    await see(page.getByText(`高级版 1 年，有效期至 ${end}`))
    await see(page.getByRole('region', { name: '门店信息' }).getByText(end))
    assert.deepEqual([await axeFindings(page), await sidewaysScroll(page)], [[], 0])
    const [paid, ...others] = await paidTo(shop.id)
    assert.deepEqual(others, [])
    assert.deepEqual([Number(paid?.payee), paid?.state, paid?.orders], [AGENT, 'renewed', 1])
    assert.ok(Number(paid?.tokens) > 0)
    assert.equal(await balanceIn(office, 'agent', AGENT, 'token'), before - Number(paid?.tokens))
    await office.verifyLedger()
    const desk = await office.openAs('20001', `/admin/order/onlineRenewals?search=${shop.id}`)
    const row = desk.getByRole('row').filter({ hasText: shop.name })
    await see(row.getByText('已续费'), row.getByText('358.00'))
  })

  exhaustive(
    'waits where its agent’s tokens are missing, and goes on by itself after the top-up',
    ['features/sales/shop-pages/server-renewal.test.ts', 'features/sales/shop-pages/rules.test.ts'],
    async () => {
      const shop = await freshShop()
      const address = await addressOf(shop)
      await leave(office, AGENT, 'token', 100)
      const page = await office.open({ viewport: PHONE })
      await page.goto(address)
      await payAt(office, await orderAt(page, shop.name), 'alipay')
      await see(page.getByRole('heading', { name: '已付款，等待代理商开通' }))
      // Also for whoever opens the page anew.
      const other = await office.open({ viewport: PHONE })
      await other.goto(address)
      await see(other.getByRole('heading', { name: '已付款，等待代理商开通' }))
      const desk = await office.openAs('20001', '/admin/order/onlineRenewals?state=short')
      await see(desk.getByRole('row').filter({ hasText: shop.name }).getByText('已支付，待充值'))
      await eventually(
        async () =>
          (
            await office.sql(
              `select 1 from notices where title = '在线续费待充值' and args ->> 'merchantId' = $1`,
              [shop.id],
            )
          ).length > 0,
        true,
      )
      await leave(office, AGENT, 'token', 5_000_000)
      await see(page.getByRole('heading', { name: '续费成功' }))
      const [paid] = await paidTo(shop.id)
      assert.deepEqual([paid?.state, paid?.orders], ['renewed', 1])
      assert.equal(await balanceIn(office, 'agent', AGENT, 'token'), 5_000_000 - Number(paid?.tokens))
      await office.verifyLedger()
    },
  )
})

describe('the page of an agent’s shops', () => {
  test('asks for manager and hotline, shows what is typed at both sizes, is published and put back', async () => {
    const shop = await freshShop()
    const address = await addressOf(shop)
    const page = await office.openAs('20001', EDITOR)
    const manager = page.getByRole('group', { name: '服务经理' }).getByRole('textbox', { name: '服务经理' })
    const preview = page.getByRole('region', { name: '预览' })
    await manager.fill('')
    await page.getByRole('button', { name: '发布', exact: true }).click()
    await see(page.getByText('请输入服务经理', { exact: true }))
    await manager.fill('林经理 全天在线')
    await page.getByRole('group', { name: '服务热线' }).getByRole('textbox', { name: '热线号码' }).fill('')
    await page.getByRole('button', { name: '发布', exact: true }).click()
    await see(page.getByText('请输入服务热线', { exact: true }))
    await page.getByRole('textbox', { name: '热线号码' }).fill('400-888-6666')
    await see(preview.getByText('林经理 全天在线'))
    await page.getByText('电脑', { exact: true }).click()
    await see(preview.getByText('400-888-6666'))
    assert.deepEqual(await axeFindings(page), [])
    await page.getByRole('button', { name: '发布', exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: '发布' }).click()
    await see(toast(page, '已发布第 3 版'))
    const seen = await office.open({ viewport: PHONE })
    await seen.goto(address)
    await see(seen.getByText('林经理 全天在线'), seen.getByRole('link', { name: /服务热线\s*400-888-6666/ }))
    await page.getByRole('button', { name: '历史版本' }).click()
    const versions = page.getByRole('dialog', { name: '历史版本' })
    await versions.getByRole('button', { name: /第 2 版/ }).click()
    await versions.getByRole('button', { name: '恢复此版本' }).click()
    await page.getByRole('button', { name: '恢复并发布' }).click()
    await see(toast(page, '已恢复第 2 版，发布为第 4 版'))
    await seen.reload()
    await see(seen.getByText('陈经理 工作日 9:00-18:00'))
  })
})
