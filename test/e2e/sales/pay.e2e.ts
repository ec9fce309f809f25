// Money from outside, as a person would: QR codes that a phone reads, the cashier, the simulators' phone page, and the
// operator's view of it (D1 §2, §4; D2 §2 screen 11).
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import type { CreditedAsset } from '#features/money/ledger/rules.ts'
import { formatCount } from '#kit/money.ts'
import { addDays, formatDay } from '#kit/time.ts'
import { SIMULATED_CHANNELS } from '#providers/simulators.ts'
import { exhaustive } from '../../lane.ts'
import {
  axeFindings,
  type BrowserOffice,
  eventually,
  fact,
  gone,
  openBrowserOffice,
  PHONE,
  SMALL_PHONE,
  see,
  sidewaysScroll,
  someRow,
  toast,
} from '../browser.ts'
import { balanceIn, code, codesOf, intents, newestIntent, pay, phoneWith, read } from '../paying.ts'

const RECHARGE = '/admin/account/msgRecharge'
const MANAGE = '/admin/operations/payments'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice({ outside: true })
})
afterEach(() => office.closePages())
after(() => office.stop())

const balance = (owner: 'agent' | 'merchant', id: number | string, asset: CreditedAsset) =>
  balanceIn(office, owner, id, asset)
const panel = (page: Page) => page.getByRole('region', { name: '扫码支付' })

/** Chooses a package, whose QR comes by itself; answers the address that it holds. */
async function choosePackage(page: Page, name: RegExp): Promise<string> {
  await page.getByRole('radio', { name }).check()
  await see(panel(page).getByText(/^等待支付，订单将在 \d+:\d\d 后失效$/))
  return read(code(panel(page)))
}

/** The dialog of a payment, opened from the list. */
async function details(id: string): Promise<{ page: Page; dialog: Locator }> {
  const page = await office.openAs('10001', `${MANAGE}?search=${id}`)
  await page.getByRole('button', { name: id.slice(-8) }).click()
  const dialog = page.getByRole('dialog', { name: '支付单详情' })
  await see(dialog.getByText(id, { exact: true }))
  return { page, dialog }
}

describe('topping up SMS credit', () => {
  test('a chosen package shows a code that a phone reads, is paid there, and the balance rises without a reload; the operator returns it', async () => {
    const before = await balance('agent', 101, 'sms')
    const page = await office.openAs('20001', RECHARGE)
    await see(page.getByText(`当前短信余额 ${formatCount(before)} 条`))
    const address = await choosePackage(page, /^10,500 条/)
    const intent = await newestIntent(office)
    assert.deepEqual([address, intent.amount_fen], [`${office.url}/c/${intent.token}`, '50000'])
    const { cashier, wechat } = await codesOf(office, address)
    await see(cashier.getByRole('heading', { name: '¥500.00' }), cashier.getByText('短信充值 10,500条'))
    assert.match(wechat, /^weixin:\/\/wxpay\/bizpayurl\?pr=/)
    assert.deepEqual([await axeFindings(cashier), await sidewaysScroll(cashier)], [[], 0])
    await pay(office, wechat)
    await see(toast(page, '支付成功'), panel(page).getByText('短信充值 10,500条已到账'))
    await see(page.getByText(`当前短信余额 ${formatCount(before + 10_500)} 条`))
    await see(cashier.getByRole('heading', { name: '支付成功' }))
    assert.deepEqual(await axeFindings(page), [])
    await panel(page).getByRole('button', { name: '继续充值' }).click()
    await gone(panel(page))
    await page.goto('/admin/order/msgOrder')
    const row = page.getByRole('row').filter({ hasText: intent.order_no.slice(-8) })
    await see(row.getByText('已完成'), row.getByText('微信'), row.getByText('500.00 元'))
    assert.equal(await balance('agent', 101, 'sms'), before + 10_500)

    const { page: desk, dialog } = await details(intent.id)
    await dialog.getByRole('button', { name: '退款', exact: true }).click()
    const form = desk.getByRole('dialog', { name: '退款', exact: true })
    await form.getByRole('textbox').fill('充错账号')
    await form.getByRole('button', { name: '退款', exact: true }).click()
    await desk.getByRole('alertdialog').getByRole('button', { name: '确认退款' }).click()
    await see(toast(desk, '退款已提交'))
    const refunds = dialog.getByRole('region', { name: '退款' })
    await see(refunds.getByText('人工退款：充错账号'), refunds.getByText('已退款'))
    assert.equal(await balance('agent', 101, 'sms'), before)
    await office.verifyLedger()
  })

  exhaustive(
    'a number of one’s own is required, and costs what a hundred pieces cost',
    ['features/sales/payments/desk/RechargePage.test.tsx', 'features/sales/payments/server.test.ts'],
    async () => {
      const page = await office.openAs('20001', RECHARGE)
      const before = await intents(office)
      await page.getByRole('radio', { name: /^自定义条数/ }).check()
      await page.getByRole('button', { name: '扫码支付' }).click()
      await see(page.getByRole('alert').getByText('请输入充值数量', { exact: true }))
      assert.equal(await intents(office), before)
      await page.getByRole('textbox', { name: '充值数量' }).fill('150')
      await see(page.getByText('150 条短信，应付 ¥7.50'))
      await page.keyboard.press('Enter')
      await see(panel(page).getByText('¥7.50', { exact: true }))
      assert.deepEqual([await intents(office), (await newestIntent(office)).amount_fen], [before + 1, '750'])
    },
  )

  exhaustive(
    'after 30 seconds the code is drawn anew for the same payment',
    ['features/sales/payments/desk/RechargePage.test.tsx', 'features/sales/payments/server.test.ts'],
    async () => {
      const page = await office.open({ unused: true })
      await page.clock.install()
      await page.request.post('/api/session', {
        headers: { 'x-requested-with': 'partner-office' },
        data: { loginName: '20001', password: 'demo2026' },
      })
      await page.goto(RECHARGE)
      const address = await choosePackage(page, /^22,000 条/)
      const intent = await newestIntent(office)
      const before = await intents(office)
      const drawn = page.waitForResponse(answer => answer.url().endsWith(`/payments/${intent.id}/refresh`))
      await page.clock.runFor(29_000)
      await page.clock.runFor(2_000)
      assert.equal((await drawn).status(), 200)
      assert.equal(await read(code(panel(page))), address)
      assert.equal(await intents(office), before)
    },
  )

  exhaustive(
    'an order that is over says so and can be made again; what is paid late still counts',
    ['features/sales/payments/desk/RechargePage.test.tsx', 'features/sales/payments/server.test.ts'],
    async () => {
      const page = await office.openAs('20001', RECHARGE)
      const before = await balance('agent', 101, 'sms')
      const address = await choosePackage(page, /^10,500 条/)
      const { cashier, alipay } = await codesOf(office, address)
      const late = await newestIntent(office)
      await office.sql(`update payment_intents set expires_at = now() where id = $1`, [late.id])
      await see(panel(page).getByText('您的订单已过期失效', { exact: true }))
      await see(cashier.getByRole('heading', { name: '订单已失效' }))
      await panel(page).getByRole('button', { name: '重新下单' }).click()
      await see(panel(page).getByText(/^等待支付/))
      assert.notEqual(await read(code(panel(page))), address)

      await pay(office, alipay, '迟到支付', '迟到的支付已完成')
      await see(page.getByText(`当前短信余额 ${formatCount(before + 10_500)} 条`))
      await see(page.getByRole('article').getByText('短信充值 10,500条，支付宝支付 500.00 元，已到账'))
      await eventually(
        () => office.sql('select status from payment_intents where id = $1', [late.id]),
        [{ status: 'paid' }],
      )
      await office.verifyLedger()
    },
  )

  exhaustive(
    'inside WeChat it is paid in place, once, and inside Alipay its own page opens',
    ['features/sales/payments/CashierPage.test.tsx', 'features/sales/payments/server-callbacks.test.ts'],
    async () => {
      const page = await office.openAs('20001', RECHARGE)
      const address = await choosePackage(page, /^46,000 条/)
      const browser = page.context().browser() ?? assert.fail('no browser')
      const inside = async (userAgent: string) => {
        const context = await browser.newContext({ userAgent, viewport: PHONE })
        return context.newPage()
      }
      const wechat = await inside('Mozilla/5.0 (Linux; Android 14) Mobile MicroMessenger/8.0.50')
      await wechat.addInitScript(`globalThis.invoked = [];
      globalThis.WeixinJSBridge = { invoke: (name, parameters) => globalThis.invoked.push([name, parameters]) }`)
      await wechat.goto(address)
      await see(wechat.getByText('请在微信中完成支付'))
      // Its state is asked for again and again; the payment is asked for once.
      await wechat.waitForResponse(answer => answer.url().includes('/api/cashier/'))
      const invoked = await wechat.evaluate<[string, Record<string, string>][]>('globalThis.invoked')
      assert.equal(invoked.length, 1)
      const [name, parameters] = invoked[0] ?? assert.fail('nothing was invoked')
      assert.equal(name, 'getBrandWCPayRequest')
      assert.deepEqual(Object.keys(parameters).sort(), [
        'appId',
        'nonceStr',
        'package',
        'paySign',
        'signType',
        'timeStamp',
      ])
      assert.match(parameters.package ?? '', /^prepay_id=/)
      const alipay = await inside('Mozilla/5.0 (Linux; Android 14) Mobile AlipayClient/10.5')
      await alipay.route('https://qr.alipay.com/**', route => route.fulfill({ body: 'Alipay' }))
      await alipay.goto(address)
      await alipay.waitForURL(/^https:\/\/qr\.alipay\.com\//)
      await Promise.all([wechat, alipay].map(one => one.context().close()))
    },
  )
})

describe('the operator', () => {
  exhaustive(
    'sees that of two payments one was returned, and returns the other with a reason',
    [
      'features/sales/payments/server.test.ts',
      'features/sales/payments/desk/server-manage.test.ts',
      'test/e2e/sales/pay.e2e.ts',
    ],
    async () => {
      const before = await balance('agent', 101, 'sms')
      const page = await office.openAs('20001', RECHARGE)
      const address = await choosePackage(page, /^22,000 条/)
      const intent = await newestIntent(office)
      const { wechat, alipay } = await codesOf(office, address)
      const phones = await Promise.all([wechat, alipay].map(scanned => phoneWith(office, scanned)))
      // Whichever is heard of first has the other channel closed: both are to be paid by then.
      const rule = { match: '*', times: 1, effect: { kind: 'callback-delay', ms: 3_000 } }
      for (const { url } of [office.outside?.simulators.wechat, office.outside?.simulators.alipay].flatMap(
        one => one ?? [],
      ))
        await fetch(`${url}/__sim/faults`, { method: 'POST', body: JSON.stringify(rule) })
      await Promise.all(
        phones.map(async phone => {
          await phone.getByRole('button', { name: '支付', exact: true }).click()
          await see(phone.getByRole('status').getByText('支付成功'))
        }),
      )
      await see(toast(page, '支付成功'))
      await eventually(
        () =>
          office.sql(
            `select reason, r.status from payment_refunds r join payment_attempts a on a.id = r.attempt_id where intent_id = $1`,
            [intent.id],
          ),
        [{ reason: 'second', status: 'done' }],
      )
      // With the twentieth that the demo's campaign gives beside it.
      assert.equal(await balance('agent', 101, 'sms'), before + 22_000 + 1_100)

      const { page: desk, dialog } = await details(intent.id)
      const refunds = dialog.getByRole('region', { name: '退款' })
      await see(refunds.getByText('重复支付'), refunds.getByText('已退款'))
      await dialog.getByRole('button', { name: '重新查询' }).click()
      await see(desk.locator('[data-part=toasts]').getByText(/^已向支付渠道查询|没有可查询的渠道订单$/))
      await dialog.getByRole('button', { name: '退款', exact: true }).click()
      const form = desk.getByRole('dialog', { name: '退款', exact: true })
      await form.getByRole('button', { name: '退款', exact: true }).click()
      await see(form.getByText('请输入退款原因', { exact: true }))
      await form.getByRole('textbox').fill('付给了别家')
      await form.getByRole('button', { name: '退款', exact: true }).click()
      await desk.getByRole('alertdialog').getByRole('button', { name: '确认退款' }).click()
      await see(toast(desk, '退款已提交'))
      await see(refunds.getByText('人工退款：付给了别家'))
      await eventually(() => refunds.getByText('已退款').count(), 2)
      assert.equal(await balance('agent', 101, 'sms'), before)
      await desk.goto(`${MANAGE}?view=refunds`)
      await see(desk.getByRole('cell', { name: '人工退款' }))
      await desk.getByRole('row', { name: '付给了别家' }).getByRole('button', { name: '支付单' }).click()
      await see(dialog.getByText(intent.id, { exact: true }))
      await office.verifyLedger()
    },
  )

  exhaustive(
    'has a callback that fitted nothing looked at again',
    ['features/sales/payments/server-callbacks.test.ts'],
    async () => {
      const [event] = await office.sql<{ out_trade_no: string }>(
        `update provider_events set status = 'unmatched' where id = (select max(id) from provider_events
         where content ->> 'kind' = 'payment') returning out_trade_no`,
      )
      const page = await office.openAs('10001', `${MANAGE}?view=events&status=unmatched`)
      const row = page.getByRole('row').filter({ hasText: event?.out_trade_no })
      await see(row.getByText('未匹配'), row.getByText('没有对应的支付单'))
      await row.getByRole('button', { name: '重新处理' }).click()
      await see(toast(page, '已重新处理，结果稍后显示'))
      await gone(row)
      await page.goto(`${MANAGE}?view=events&search=${event?.out_trade_no}`)
      await see(row.getByText('已处理'))
      // The channel told of it more than once.
      await someRow(page, event?.out_trade_no ?? '')
        .getByRole('button', { name: '重新处理' })
        .hover()
      await see(page.getByRole('tooltip').getByText('该通知已处理，无需重试'))
    },
  )

  exhaustive(
    'compares yesterday with a bill that has a payment more, and notes what it was',
    ['features/sales/payments/desk/server-manage.test.ts'],
    async () => {
      const { simulators } = office.outside ?? assert.fail('no simulators')
      const day = addDays(formatDay(new Date()), -1)
      const added = { outTradeNo: '2026010100000000000099W', change: 'add', amountFen: 12_345, day }
      await fetch(`${simulators.wechat.url}/__sim/bill`, { method: 'POST', body: JSON.stringify(added) })
      const page = await office.openAs('10001', `${MANAGE}?view=bills`)
      await page.getByRole('button', { name: '发起对账' }).click()
      await page.getByRole('dialog', { name: '发起对账' }).getByRole('button', { name: '对账' }).click()
      const compared = page
        .getByRole('row')
        .filter({ has: page.getByRole('cell', { name: `${day} 微信`, exact: true }) })
      await see(compared.getByText('已完成'))
      await eventually(
        () =>
          office.sql('select bill_fen from payment_differences where out_trade_no = $1', [added.outTradeNo]),
        [{ bill_fen: '12345' }],
      )
      await compared.getByRole('link', { name: /笔未处理$/ }).click()
      const row = page.getByRole('row').filter({ hasText: added.outTradeNo })
      await see(row.getByText('渠道有、本方无'), row.getByText('123.45'), row.getByText('未处理'))
      await row.getByRole('button', { name: '处理' }).click()
      const form = page.getByRole('dialog', { name: `处理差异：${added.outTradeNo}` })
      await form.getByRole('textbox').fill('渠道测试单，已与渠道核对')
      await form.getByRole('button', { name: '标记已处理' }).click()
      await see(toast(page, '已处理'), row.getByText(/^渠道测试单，已与渠道核对（.+）$/))
      assert.deepEqual(await axeFindings(page), [])
    },
  )

  exhaustive(
    'a channel that is switched off for an agent is not offered to it any more',
    ['features/sales/payments/desk/server-manage.test.ts', 'features/sales/payments/server.test.ts'],
    async () => {
      const desk = await office.openAs('10001', `${MANAGE}?view=settings`)
      await desk.getByRole('button', { name: '为代理商单独设置' }).click()
      const form = desk.getByRole('dialog', { name: '为代理商单独设置渠道' })
      await form.getByRole('combobox', { name: '代理商' }).fill('101')
      await desk.getByTitle(/（101）$/).click()
      await form.getByRole('combobox', { name: '支付宝' }).click()
      await desk.getByTitle('关闭', { exact: true }).click()
      await form.getByRole('button', { name: '保存' }).click()
      await see(desk.getByRole('region', { name: '单独设置的代理商' }).getByText(/（101）$/))
      // Of more than two the others are off, too.
      const more = SIMULATED_CHANNELS.filter(name => name !== 'wechat' && name !== 'alipay')
      await office.sql(
        'update agent_pay_channels set enabled = false where agent_id = 101 and channel = any($1)',
        [more],
      )
      const page = await office.openAs('20001', RECHARGE)
      await page.getByRole('radio', { name: /^10,500 条/ }).check()
      await see(panel(page).getByText('请用微信扫码支付'))
      // One channel alone: its own code, without a cashier between.
      assert.match(await read(code(panel(page))), /^weixin:\/\//)
      await pay(office, await read(code(panel(page))))
      await see(toast(page, '支付成功'))
    },
  )
})

exhaustive('the pages fit a phone', ['test/e2e/house/pages.e2e.ts'], async () => {
  const page = await office.openAs('20001', RECHARGE, { viewport: PHONE, dark: true })
  await page.getByRole('radio', { name: /^10,500 条/ }).check()
  await see(code(panel(page)))
  assert.deepEqual([await axeFindings(page), await sidewaysScroll(page)], [[], 0])
  const desk = await office.openAs('10001', MANAGE, { viewport: PHONE })
  await desk.getByRole('list').getByRole('button').first().click()
  const dialog = desk.getByRole('dialog', { name: '支付单详情' })
  await see(fact(dialog, '支付单号'))
  assert.deepEqual([await axeFindings(desk), await sidewaysScroll(desk)], [[], 0])
})

test('on a phone all views can be reached, and those that do not fit fade into the edge', async () => {
  const fading = (page: Page) =>
    views(page).evaluate(strip => ['before', 'after'].filter(end => strip.hasAttribute(`data-${end}`)))
  const desk = await office.openAs('10001', MANAGE, { viewport: PHONE })
  await see(views(desk).getByRole('link', { name: '价格与渠道' }))
  await expectInside(desk, '价格与渠道')
  assert.deepEqual(await fading(desk), [], 'all fit')
  await desk.setViewportSize(SMALL_PHONE)
  await eventually(() => fading(desk), ['after'])
  await views(desk).getByRole('link', { name: '对账差异' }).click()
  await views(desk).getByRole('link', { name: '价格与渠道' }).click()
  await eventually(() => fading(desk), ['before'])
  await expectInside(desk, '价格与渠道')
  assert.equal(await sidewaysScroll(desk), 0)
})

const views = (page: Page) => page.getByRole('navigation', { name: '支付管理' })

/** The whole name lies on the screen. */
async function expectInside(page: Page, name: string): Promise<void> {
  const box = await views(page).getByRole('link', { name }).boundingBox()
  const width = page.viewportSize()?.width ?? 0
  assert.ok(
    box && box.x >= 0 && box.x + box.width <= width,
    `${name} at ${box?.x} to ${box && box.x + box.width}`,
  )
}
