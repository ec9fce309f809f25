// A shop at its acquirers, in the browser: brought in by hand where no protocol is spoken; its number handed over to its point of sale and
// tried with one fen: a wrong key says so, the right one is green and brings the money back; what never comes back is seen to by two of
// staff; what a channel asks as a deposit is paid, held and given back (D3 §2, §7).
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { SURROUNDINGS } from '#app/providers.ts'
import { makeTianque } from '#providers/tianque/client.ts'
import { makeTianqueKeys } from '#providers/tianque/simulator.ts'
import type { Outside } from '../../outside.ts'
import { ANSWERED_WITHIN_MS } from '../../patience.ts'
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
import { payAt, read } from '../paying.ts'

let office: BrowserOffice
let outside: Outside
let onboarding: { id: string; merchant_id: string }
before(async () => {
  office = await openBrowserOffice({ outside: true })
  outside = office.outside ?? assert.fail('no simulators')
  const [row] = await office.sql<typeof onboarding>(
    `select id, merchant_id from acquirer_onboardings where channel = 'tianque' and state = 'sent'`,
  )
  onboarding = row ?? assert.fail('nothing was sent to the acquirer')
})
afterEach(() => office.closePages())
after(() => office.stop())

const open = (login: string, options = {}) =>
  office.openAs(login, `/admin/merchant/acquiring?id=${onboarding.id}`, options)
const tests = (page: Page) => page.getByRole('region', { name: '测试支付' })
/** What is asked of the acquirer next is asked at once. */
const hurry = () =>
  office.sql(
    `update acquirer_test_payments set next_at = now() - interval '1 second' where next_at is not null`,
  )

test('a wrong key says its reason, the right one brings one fen there and back', async () => {
  const page = await open('10090')
  await page.getByRole('button', { name: '填写商户编号' }).click()
  await page.getByRole('dialog', { name: '填写商户编号' }).getByRole('textbox').fill('399000000000123')
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await page.getByRole('button', { name: '交接收款配置' }).click()
  await see(page.getByRole('dialog', { name: '交接收款配置' }).getByText('399000000000123'))
  await page.getByRole('button', { name: '交接', exact: true }).click()
  const replaces = page.getByRole('button', { name: '替换并交接' })
  await see(replaces.or(toast(page, '已交接，收银系统随即生效')))
  if (await replaces.isVisible()) await replaces.click()
  await see(toast(page, '已交接，收银系统随即生效'))

  const { acquirers } = outside.providers
  const { tianque: settings } = outside.simulators.settings
  const surroundings = { ...SURROUNDINGS, timeoutMs: ANSWERED_WITHIN_MS }
  const privateKey = makeTianqueKeys().orgPrivateKey
  outside.providers.acquirers = { tianque: makeTianque({ ...settings, privateKey }, surroundings) }
  await tests(page).getByRole('button', { name: '测试支付' }).click()
  await see(tests(page).getByText('测试失败'), tests(page).getByText(/签名校验失败，请检查密钥/))

  outside.providers.acquirers = acquirers
  await tests(page).getByRole('button', { name: '测试支付' }).click()
  await see(tests(page).getByText('等待付款'), tests(page).getByText('请用手机扫码付款 0.01 元'))
  assert.deepEqual(await axeFindings(page), [])
  const [phone] = await Promise.all([
    page.context().waitForEvent('page'),
    tests(page).getByRole('link', { name: '用模拟手机支付' }).click(),
  ])
  await see(phone.getByText('¥0.01'))
  await phone.getByRole('button', { name: '支付', exact: true }).click()
  await see(phone.locator('#answer.good'))
  await hurry()
  await see(tests(page).getByText('测试通过'))
})

test('what never comes back is seen to by one of staff and looked at by another, on a phone, too', async () => {
  await office.sql(
    `insert into acquirer_test_payments (agent_id, merchant_id, onboarding_id, order_no, code, state, reason, started_by_name, created_at,
       expires_at, paid_at, tries, stuck_at)
     select agent_id, merchant_id, id, 'T-stuck', code, 'paid', '退款失败，请到渠道后台核对', '测试', now() - interval '2 days',
       now() - interval '2 days', now() - interval '2 days', 30, now() - interval '1 day' from acquirer_onboardings where id = $1`,
    [onboarding.id],
  )
  const first = await open('10090', { viewport: PHONE })
  await tests(first).getByRole('button', { name: '登记人工处理' }).click()
  await first
    .getByRole('dialog', { name: '登记人工处理' })
    .getByRole('textbox')
    .fill('已在渠道后台退回，流水号 8801')
  assert.deepEqual([await axeFindings(first), await sidewaysScroll(first)], [[], 0])
  await first
    .getByRole('dialog', { name: '登记人工处理' })
    .getByRole('button', { name: '登记', exact: true })
    .click()
  await see(tests(first).getByText(/已在渠道后台退回，流水号 8801/))
  const second = await open('10001')
  await tests(second).getByRole('button', { name: '复核通过' }).click()
  await second
    .getByRole('alertdialog', { name: '复核通过？' })
    .getByRole('button', { name: '复核通过' })
    .click()
  await see(toast(second, '已复核，这笔测试支付已了结'), tests(second).getByText('已人工处理'))
  await eventually(
    async () =>
      (
        await office.sql(
          `select from acquirer_test_payments where order_no = 'T-stuck' and state = 'settled'`,
        )
      ).length,
    1,
  )
})

test('where no protocol is spoken staff bring it there by hand, and the point of sale has the number', async () => {
  const [row] = await office.sql<{ id: string; merchant_id: string }>(
    `select id, merchant_id from acquirer_onboardings where channel = 'xl' and approval_state = 'pending'`,
  )
  const { id, merchant_id: shop } = row ?? assert.fail('nothing waits to be decided')
  const page = await office.openAs('10090', `/admin/merchant/acquiring?id=${id}`)
  await page.getByRole('button', { name: '通过', exact: true }).click()
  await see(toast(page, '已通过'), page.getByRole('link', { name: '下载进件资料包' }))
  await page.getByRole('button', { name: '已送达渠道' }).click()
  await see(toast(page, '已登记送件'))
  await page.getByRole('button', { name: '填写商户编号' }).click()
  const number = page.getByRole('dialog', { name: '填写商户编号' })
  await number.getByRole('textbox').fill('XL20269001')
  await number.getByRole('button', { name: '保存', exact: true }).click()
  await page.getByRole('button', { name: '交接收款配置' }).click()
  const handOver = page.getByRole('dialog', { name: '交接收款配置' })
  await see(handOver.getByText('XL20269001'))
  await handOver.getByRole('button', { name: '交接', exact: true }).click()
  await see(handOver.getByText(/^请输入/).last())
  await handOver.locator('input').fill('key-of-this-shop')
  await handOver.getByRole('button', { name: '交接', exact: true }).click()
  const replaces = page.getByRole('button', { name: '替换并交接' })
  await see(replaces.or(toast(page, '已交接，收银系统随即生效')))
  if (await replaces.isVisible()) await replaces.click()
  await see(toast(page, '已交接，收银系统随即生效'))
  const [paid] = await office.sql<{ payment_config: Buffer }>(
    'select payment_config from merchants where id = $1',
    [shop],
  )
  const config = office.app.services.secrets.decrypt((paid ?? assert.fail('no shop')).payment_config)
  assert.ok(config.includes('XL20269001') && config.includes('key-of-this-shop'))
})

test('a deposit is paid by its code, held, and given back once another agrees', async () => {
  const staff = await office.openAs('10090', '/admin/tool/importDeposit')
  await staff.getByRole('button', { name: '收取押金' }).click()
  const ask = staff.getByRole('dialog', { name: '收取押金' })
  await ask.getByRole('combobox', { name: '店铺' }).fill(onboarding.merchant_id)
  await see(staff.getByTitle(new RegExp(`（${onboarding.merchant_id}）$`)))
  await staff.keyboard.press('Enter')
  await ask.getByLabel(/^押金用途/).fill('扫码机 2 台')
  await ask.getByLabel(/^押金金额/).fill('300')
  await ask.getByRole('button', { name: '收取', exact: true }).click()
  await staff.getByRole('button', { name: '确认收取' }).click()
  await see(staff.getByText('已生成付款码'))
  const address = await read(staff.getByRole('img', { name: '押金付款码' }))
  const shop = await office.open({ viewport: PHONE })
  await shop.goto(address)
  await see(shop.getByText('扫码机 2 台'), shop.getByText('¥300.00', { exact: true }))
  assert.deepEqual([await axeFindings(shop), await sidewaysScroll(shop)], [[], 0])
  await shop.getByRole('button', { name: /^去支付/ }).click()
  await shop.waitForURL(url => url.href !== address)
  await payAt(office, shop.url())
  const drawer = staff.getByRole('dialog', { name: '押金' })
  await see(drawer.getByText('商户支付 300.00 元'))

  await drawer.getByRole('button', { name: '退还或扣留' }).click()
  const request = staff.getByRole('dialog', { name: '退还或扣留押金' })
  await request.getByRole('textbox', { name: /金额/ }).fill('300')
  await request.getByRole('textbox', { name: /原因/ }).fill('设备已收回')
  await request.getByRole('button', { name: '提交审批' }).click()
  await staff.getByRole('button', { name: '确认提交' }).click()
  await see(toast(staff, '已提交，等待另一人审批'))
  const second = await office.openAs('10001', staff.url().replace(/^.*?(?=\/admin)/, ''))
  await second.getByRole('dialog', { name: '押金' }).getByRole('button', { name: '通过' }).click()
  await second.getByRole('alertdialog').getByRole('button', { name: '通过' }).click()
  await see(second.getByText(/已原路退回/))
  assert.deepEqual(await axeFindings(second), [])
})
