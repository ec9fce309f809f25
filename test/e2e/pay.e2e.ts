// Money from outside, as a person would: QR codes that a phone reads, the cashier, the simulators' phone page, and the
// operator's view of it (D1 §2, §4; D2 §2 screen 11).
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import jsqr from 'jsqr'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { formatCents, formatCount } from '#kit/money.ts'
import { addDays, formatDay } from '#kit/time.ts'
import {
  axeFindings,
  type BrowserOffice,
  eventually,
  fact,
  gone,
  openBrowserOffice,
  PHONE,
  see,
  sidewaysScroll,
  toast,
} from './browser.ts'

const RECHARGE = '/admin/account/msgRecharge'
const MANAGE = '/admin/operations/payments'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice({ outside: true })
})
afterEach(() => office.closePages())
after(() => office.stop())

async function balance(owner: 'agent' | 'merchant', id: number | string, asset: 'token' | 'sms') {
  const [account] = await office.sql<{ balance: string }>(
    'select balance from ledger_accounts where owner_kind = $1 and owner_id = $2 and asset = $3',
    [owner, id, asset],
  )
  return Number(account?.balance ?? 0)
}

type Intent = { id: string; token: string; status: string; amount_fen: string; order_no: string }

async function newestIntent(): Promise<Intent> {
  const [intent] = await office.sql<Intent>('select * from payment_intents order by created_at desc limit 1')
  return intent ?? assert.fail('there is no payment')
}

async function intents(): Promise<number> {
  const [row] = await office.sql<{ n: number }>('select count(*)::int as n from payment_intents')
  return row?.n ?? 0
}

/** What a phone's camera would read from the screen. */
async function read(code: Locator): Promise<string> {
  await see(code)
  const { data, info } = await sharp(await code.screenshot())
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const found = jsqr.default(new Uint8ClampedArray(data), info.width, info.height)
  return found?.data ?? assert.fail('no phone could read this code')
}

const panel = (page: Page) => page.getByRole('region', { name: '扫码支付' })
const code = (scope: Page | Locator) => scope.getByRole('img', { name: /扫码支付|付款码$/ })

/** Chooses a package, whose QR comes by itself; answers the address that it holds. */
async function choosePackage(page: Page, name: RegExp): Promise<string> {
  await page.getByRole('radio', { name }).check()
  await see(panel(page).getByText(/^等待支付，订单将在 \d+:\d\d 后失效$/))
  return read(code(panel(page)))
}

/** Both codes of the cashier, opened by a browser that is neither WeChat's nor Alipay's. */
async function codesOf(address: string): Promise<{ cashier: Page; wechat: string; alipay: string }> {
  const cashier = await office.open({ viewport: PHONE })
  await cashier.goto(address)
  const codes = await Promise.all(
    ['微信', '支付宝'].map(name => read(code(cashier.getByRole('region', { name: `${name}付款码` })))),
  )
  return { cashier, wechat: codes[0] ?? '', alipay: codes[1] ?? '' }
}

/** The phone that has scanned this code. */
async function phoneWith(scanned: string): Promise<Page> {
  const phone = await office.open({ viewport: PHONE })
  await phone.goto(`${office.outside?.simulators.phoneUrl}?code=${encodeURIComponent(scanned)}`)
  return phone
}

async function pay(scanned: string, press = '支付', answer = '支付成功'): Promise<void> {
  const phone = await phoneWith(scanned)
  await phone.getByRole('button', { name: press, exact: true }).click()
  await see(phone.getByRole('status').getByText(answer))
}

describe('topping up SMS credit', () => {
  test('a chosen package shows a code that a phone reads, is paid there, and the balance rises without a reload', async () => {
    const before = await balance('agent', 101, 'sms')
    const page = await office.openAs('20001', RECHARGE)
    await see(page.getByText(`当前短信余额 ${formatCount(before)} 条`))
    const address = await choosePackage(page, /^10,500 条/)
    const intent = await newestIntent()
    assert.deepEqual([address, intent.amount_fen], [`${office.url}/c/${intent.token}`, '50000'])
    const { cashier, wechat } = await codesOf(address)
    await see(cashier.getByRole('heading', { name: '¥500.00' }), cashier.getByText('短信充值 10,500条'))
    assert.match(wechat, /^weixin:\/\/wxpay\/bizpayurl\?pr=/)
    assert.deepEqual([await axeFindings(cashier), await sidewaysScroll(cashier)], [[], 0])
    await pay(wechat)
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
    await office.verifyLedger()
  })

  test('a number of one’s own is required, and costs what a hundred pieces cost', async () => {
    const page = await office.openAs('20001', RECHARGE)
    const before = await intents()
    await page.getByRole('radio', { name: /^自定义条数/ }).check()
    await page.getByRole('button', { name: '扫码支付' }).click()
    await see(page.getByRole('alert').getByText('请输入充值数量', { exact: true }))
    assert.equal(await intents(), before)
    await page.getByRole('textbox', { name: '充值数量' }).fill('150')
    await see(page.getByText('150 条短信，应付 ¥7.50'))
    await page.keyboard.press('Enter')
    await see(panel(page).getByText('¥7.50', { exact: true }))
    assert.deepEqual([await intents(), (await newestIntent()).amount_fen], [before + 1, '750'])
  })

  test('after 30 seconds the code is drawn anew for the same payment', async () => {
    const page = await office.open()
    await page.clock.install()
    await page.request.post('/api/session', {
      headers: { 'x-requested-with': 'partner-office' },
      data: { loginName: '20001', password: 'demo2026' },
    })
    await page.goto(RECHARGE)
    const address = await choosePackage(page, /^22,000 条/)
    const intent = await newestIntent()
    const before = await intents()
    const drawn = page.waitForResponse(answer => answer.url().endsWith(`/payments/${intent.id}/refresh`))
    await page.clock.runFor(29_000)
    await page.clock.runFor(2_000)
    assert.equal((await drawn).status(), 200)
    assert.equal(await read(code(panel(page))), address)
    assert.equal(await intents(), before)
  })

  test('an order that is over says so and can be made again; what is paid late still counts', async () => {
    const page = await office.openAs('20001', RECHARGE)
    const before = await balance('agent', 101, 'sms')
    const address = await choosePackage(page, /^10,500 条/)
    const { cashier, alipay } = await codesOf(address)
    const late = await newestIntent()
    await office.sql(`update payment_intents set expires_at = now() where id = $1`, [late.id])
    await see(panel(page).getByText('您的订单已过期失效', { exact: true }))
    await see(cashier.getByRole('heading', { name: '订单已失效' }))
    await panel(page).getByRole('button', { name: '重新下单' }).click()
    await see(panel(page).getByText(/^等待支付/))
    assert.notEqual(await read(code(panel(page))), address)

    await pay(alipay, '迟到支付', '迟到的支付已完成')
    await see(page.getByText(`当前短信余额 ${formatCount(before + 10_500)} 条`))
    await see(page.getByRole('article').getByText('短信充值 10,500条，支付宝支付 500.00 元，已到账'))
    await eventually(
      () => office.sql('select status from payment_intents where id = $1', [late.id]),
      [{ status: 'paid' }],
    )
    await office.verifyLedger()
  })

  test('inside WeChat it is paid in place, once, and inside Alipay its own page opens', async () => {
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
  })
})

describe('what is missing', () => {
  test('for a version is paid exactly, and the purchase goes on by itself', async () => {
    const before = await balance('agent', 102, 'token')
    const [shop] = await office.sql<{ id: string; shops_bought: number }>(
      `select id, shops_bought from merchants where agent_id = 102 and status = 'normal' and version_id = 12
         and store_kind = 'head' order by id limit 1`,
    )
    const page = await office.openAs('20002', `/admin/merchant/versionUpdata?user_id=${shop?.id}`)
    await page.getByRole('radio', { name: /^永久版/ }).check()
    const one = 138_600
    const many = Math.floor(before / one) + 1
    await page.getByRole('textbox', { name: '订购数量' }).fill(String(many))
    await page.getByRole('button', { name: '下一步' }).click()
    const dialog = page.getByRole('dialog', { name: '确认购买' })
    const missing = one * many - before
    await dialog.getByRole('button', { name: `扫码补足 ${formatCents(missing)} 代币` }).click()
    const paying = page.getByRole('dialog', { name: '补足代币' })
    await see(paying.getByText(`¥${formatCents(missing)}`, { exact: true }))
    const { alipay } = await codesOf(await read(code(paying)))
    await pay(alipay)
    await see(toast(page, '购买成功！'))
    await gone(paying, dialog)
    assert.equal(await balance('agent', 102, 'token'), 0)
    const [now] = await office.sql('select version_id, shops_bought from merchants where id = $1', [shop?.id])
    assert.equal(Number(now?.shops_bought), many)
    await office.verifyLedger()
  })

  test('for a gift of SMS is paid exactly, and the gift goes on by itself', async () => {
    const before = await balance('agent', 103, 'sms')
    const [shop] = await office.sql<{ id: string; shop_name: string }>(
      `select id, shop_name from merchants where agent_id = 103 and status = 'normal' order by id limit 1`,
    )
    const held = await balance('merchant', shop?.id ?? '', 'sms')
    const page = await office.openAs('20003', `/admin/merchant/merchantDetails?user_id=${shop?.id}`)
    await page.getByRole('button', { name: '赠送短信' }).click()
    const gift = page.getByRole('dialog', { name: `赠送短信：${shop?.shop_name}` })
    await see(gift.getByText(`${formatCount(before)} 条`, { exact: true }))
    await gift.getByRole('textbox', { name: '赠送条数' }).fill(String(before + 40))
    await gift.getByRole('button', { name: '扫码补足 40 条短信' }).click()
    const paying = page.getByRole('dialog', { name: '补足短信' })
    // Closed and opened again it is another order; the first one stays payable.
    await see(paying.getByText('¥2.00', { exact: true }))
    await page.keyboard.press('Escape')
    await gone(paying)
    await gift.getByRole('button', { name: '扫码补足 40 条短信' }).click()
    const { wechat } = await codesOf(await read(code(paying)))
    await pay(wechat)
    const question = page.getByRole('alertdialog', { name: `赠送 ${formatCount(before + 40)} 条短信？` })
    await question.getByRole('button', { name: '确认赠送' }).click()
    await see(toast(page, '赠送成功'))
    assert.deepEqual(
      [await balance('agent', 103, 'sms'), await balance('merchant', shop?.id ?? '', 'sms')],
      [0, held + before + 40],
    )
    await office.verifyLedger()
  })
})

describe('the operator', () => {
  /** The dialog of a payment, opened from the list. */
  async function details(id: string): Promise<{ page: Page; dialog: Locator }> {
    const page = await office.openAs('10001', `${MANAGE}?search=${id}`)
    await page.getByRole('button', { name: id.slice(-8) }).click()
    const dialog = page.getByRole('dialog', { name: '支付单详情' })
    await see(dialog.getByText(id, { exact: true }))
    return { page, dialog }
  }

  test('sees that of two payments one was returned, and returns the other with a reason', async () => {
    const before = await balance('agent', 101, 'sms')
    const page = await office.openAs('20001', RECHARGE)
    const address = await choosePackage(page, /^22,000 条/)
    const intent = await newestIntent()
    const { wechat, alipay } = await codesOf(address)
    const phones = await Promise.all([wechat, alipay].map(phoneWith))
    await Promise.all(
      phones.map(async phone => {
        await phone.getByRole('button', { name: '支付', exact: true }).click()
        await see(phone.getByRole('status').getByText('支付成功'))
      }),
    )
    await see(toast(page, '支付成功'))
    await eventually(
      () => office.sql('select reason, status from payment_refunds'),
      [{ reason: 'second', status: 'done' }],
    )
    assert.equal(await balance('agent', 101, 'sms'), before + 22_000)

    const { page: desk, dialog } = await details(intent.id)
    const refunds = dialog.getByRole('region', { name: '退款' })
    await see(refunds.getByText('重复支付'), refunds.getByText('已退款'))
    await dialog.getByRole('button', { name: '重新查询' }).click()
    await see(desk.locator('.toasts').getByText(/^已向支付渠道查询|没有可查询的渠道订单$/))
    await dialog.getByRole('button', { name: '退款', exact: true }).click()
    const form = desk.getByRole('dialog', { name: '退款', exact: true })
    await form.getByRole('button', { name: '退款' }).click()
    await see(form.getByText('请输入退款原因', { exact: true }))
    await form.getByRole('textbox').fill('充错账号')
    await form.getByRole('button', { name: '退款' }).click()
    await desk.getByRole('alertdialog').getByRole('button', { name: '确认退款' }).click()
    await see(toast(desk, '退款已提交'))
    await see(refunds.getByText('人工退款：充错账号'))
    await eventually(() => refunds.getByText('已退款').count(), 2)
    assert.equal(await balance('agent', 101, 'sms'), before)
    await desk.goto(`${MANAGE}?view=refunds`)
    await see(desk.getByRole('cell', { name: '人工退款' }))
    await office.verifyLedger()
  })

  test('has a callback that fitted nothing looked at again', async () => {
    const [event] = await office.sql<{ out_trade_no: string }>(
      `update provider_events set status = 'unmatched' where id = (select max(id) from provider_events
         where content ->> 'kind' = 'payment') returning out_trade_no`,
    )
    const page = await office.openAs('10001', `${MANAGE}?view=events&status=unmatched`)
    const row = page.getByRole('row').filter({ hasText: event?.out_trade_no })
    await see(row.getByText('未匹配'))
    await row.getByRole('button', { name: '重新处理' }).click()
    await see(toast(page, '已重新处理，结果稍后显示'))
    await gone(row)
    await page.goto(`${MANAGE}?view=events&search=${event?.out_trade_no}`)
    await see(row.getByText('已处理'))
    await row.first().getByRole('button', { name: '重新处理' }).hover({ force: true })
    await see(page.getByRole('tooltip').getByText('该通知已处理，无需重试'))
  })

  test('compares yesterday with a bill that has a payment more, and notes what it was', async () => {
    const { simulators } = office.outside ?? assert.fail('no simulators')
    const day = addDays(formatDay(new Date()), -1)
    const added = { outTradeNo: '2026010100000000000099W', change: 'add', amountFen: 12_345, day }
    await fetch(`${simulators.wechat.url}/__sim/bill`, { method: 'POST', body: JSON.stringify(added) })
    const page = await office.openAs('10001', `${MANAGE}?view=bills`)
    await page.getByRole('button', { name: '发起对账' }).click()
    await page.getByRole('dialog', { name: '发起对账' }).getByRole('button', { name: '对账' }).click()
    const compared = page.getByRole('row').filter({ hasText: day }).filter({ hasText: '微信' })
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
  })

  test('a channel that is switched off for an agent is not offered to it any more', async () => {
    const desk = await office.openAs('10001', `${MANAGE}?view=settings`)
    await desk.getByRole('button', { name: '为代理商单独设置' }).click()
    const form = desk.getByRole('dialog', { name: '为代理商单独设置渠道' })
    await form.getByRole('combobox', { name: '代理商' }).fill('101')
    await desk.getByTitle(/（101）$/).click()
    await form.getByRole('combobox', { name: '支付宝' }).click()
    await desk.getByTitle('关闭', { exact: true }).click()
    await form.getByRole('button', { name: '保存' }).click()
    await see(desk.getByRole('region', { name: '单独设置的代理商' }).getByText(/（101）$/))
    const page = await office.openAs('20001', RECHARGE)
    await page.getByRole('radio', { name: /^10,500 条/ }).check()
    await see(panel(page).getByText('请用微信扫码支付'))
    // One channel alone: its own code, without a cashier between.
    assert.match(await read(code(panel(page))), /^weixin:\/\//)
    await pay(await read(code(panel(page))))
    await see(toast(page, '支付成功'))
  })
})

test('the pages fit a phone', async () => {
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
