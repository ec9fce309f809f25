// What is missing, wherever tokens or SMS credit can be: a QR for exactly that, paid on the phone, and what was begun goes on
// by itself, once. Prices are odd, so that each amount is rounded up to a fen.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import type { Asset } from '#features/ledger/rules.ts'
import { RECHARGE_ITEM } from '#features/prices/rules.ts'
import { formatCents, formatCount, parseCents } from '#kit/money.ts'
import { writePrice } from '../make-purchases.ts'
import {
  type BrowserOffice,
  eventually,
  fact,
  gone,
  openBrowserOffice,
  rowOf,
  see,
  toast,
} from './browser.ts'
import { balanceIn, code, intents, leave, newestIntent, payAt, read } from './paying.ts'

const [TOKEN_FEN, HUNDRED_SMS_FEN] = [97, 333]

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice({ outside: true })
  for (const price of [['token', TOKEN_FEN] as const, ['smsHundred', HUNDRED_SMS_FEN] as const])
    await writePrice(office.sql, { book: 'recharge', item: RECHARGE_ITEM, part: price[0], cents: price[1] })
  // How many shops of the demo have no service yet, and last, depends on its day.
  await office.sql(
    `with freed as (delete from merchant_services where merchant_id in (select id from merchants where agent_id = 102))
       update merchants set expires_at = now() + interval '1 year' where agent_id = 102 and expires_at <= now()`,
  )
})
afterEach(async () => {
  await office.closePages()
  await office.verifyLedger()
})
after(() => office.stop())

const held = (agentId: number, asset: Asset) => balanceIn(office, 'agent', agentId, asset)
const words = (asset: Asset, missing: number) =>
  asset === 'sms' ? `${formatCount(missing)} 条短信` : `${formatCents(missing)} 代币`
const offered = (scope: Page | Locator, asset: Asset, missing: number) =>
  scope.getByRole('button', { name: `扫码补足 ${words(asset, missing)}`, exact: true })
const payDialog = (page: Page) => page.getByRole('dialog', { name: /^补足(短信|代币)$/ })

/** Presses the offer, sees what it costs, and answers where its QR leads. */
async function openQr(page: Page, scope: Page | Locator, asset: Asset, missing: number): Promise<string> {
  await offered(scope, asset, missing).click()
  const fen = Math.ceil((missing * (asset === 'sms' ? HUNDRED_SMS_FEN : TOKEN_FEN)) / 100)
  await see(payDialog(page).getByText(`¥${formatCents(fen)}`, { exact: true }))
  return read(code(payDialog(page)))
}

async function payMissing(page: Page, scope: Page | Locator, asset: Asset, missing: number): Promise<void> {
  await payAt(office, await openQr(page, scope, asset, missing))
  await gone(payDialog(page))
}

async function total(scope: Page | Locator): Promise<number> {
  const sum = fact(scope, '合计（代币）')
  await see(sum)
  return parseCents((await sum.innerText()).replaceAll(',', '')) ?? assert.fail('no sum')
}

/** A shop of the agent that no other test has had, and that has no service yet. */
const used: string[] = []
async function shopOf(agentId: number): Promise<string> {
  const [shop] = await office.sql<{ id: string }>(
    `select id from merchants where agent_id = $1 and status = 'normal' and version_id = 12 and store_kind = 'head'
       and expires_at > now() and not id = any($2)
       and not exists (select from merchant_services s where s.merchant_id = merchants.id) order by id limit 1`,
    [agentId, used],
  )
  used.push(shop?.id ?? assert.fail('no shop is left'))
  return used.at(-1) as string
}

async function ordersOf(table: 'version_orders' | 'service_orders', merchantId: string): Promise<number> {
  const paid = table === 'version_orders' ? `and status = 'paid'` : ''
  const [row] = await office.sql<{ n: number }>(
    `select count(*)::int as n from ${table} where merchant_id = $1 ${paid} and created_at > now() - interval '1 hour'`,
    [merchantId],
  )
  return row?.n ?? 0
}

const plus = (page: Page, name: string) => page.getByRole('button', { name: `增加 ${name}` })
const serviceSum = (page: Page) => page.getByRole('complementary', { name: '购买清单' })

async function chooseService(shop: string): Promise<Page> {
  const page = await office.openAs('20002', `/admin/merchant/addedServices?user_id=${shop}`)
  await plus(page, '微商城 年数').click()
  return page
}

/** A version for ever, priced and not paid. */
async function quoteVersion(shop: string): Promise<{ page: Page; dialog: Locator }> {
  const page = await office.openAs('20002', `/admin/merchant/versionUpdata?user_id=${shop}`)
  await page.getByRole('radio', { name: /^永久版/ }).check()
  await page.getByRole('textbox', { name: '订购数量' }).fill('2')
  await page.getByRole('button', { name: '下一步' }).click()
  const dialog = page.getByRole('dialog', { name: '确认购买' })
  await see(dialog)
  return { page, dialog }
}

test('the way out of a shortfall is what the dialog offers, and its QR stands inside it', async () => {
  await leave(office, 102, 'token', 10_001)
  const { page, dialog } = await quoteVersion(await shopOf(102))
  const offer = offered(dialog, 'token', (await total(dialog)) - 10_001)
  await see(offer)
  assert.equal(await offer.getAttribute('data-kind'), 'primary')
  await gone(dialog.getByRole('button', { name: '确认购买' }))
  await offer.click()
  await see(code(payDialog(page)))
  await gone(dialog.getByText('账户余额不足，还差'))
  assert.equal(await page.locator('dialog[open]').count(), 1)
})

describe('what is missing is paid exactly, and goes on by itself, once:', () => {
  test('a version', async () => {
    await leave(office, 102, 'token', 10_001)
    const shop = await shopOf(102)
    const { page, dialog } = await quoteVersion(shop)
    await payMissing(page, dialog, 'token', (await total(dialog)) - 10_001)
    await see(toast(page, '购买成功！'))
    await gone(dialog)
    assert.deepEqual([await held(102, 'token'), await ordersOf('version_orders', shop)], [0, 1])
  })

  test('a new merchant, for whom tokens and SMS credit are missing', async () => {
    await leave(office, 102, 'token', 777)
    await leave(office, 102, 'sms', 3)
    const page = await office.openAs('20002', '/admin/merchant/addUser')
    await page.getByRole('radio', { name: /^高级版/ }).check()
    await page.getByRole('radio', { name: '按年', exact: true }).check()
    await page.getByRole('combobox', { name: '行业类型' }).click()
    await page.getByTitle('餐饮美食', { exact: true }).click()
    for (const [name, value] of [
      ['店铺简称', '南山面馆'],
      ['店铺名称', '南山面馆总店'],
      ['商户姓名', '李小明'],
      ['账号', '13900007001'],
      ['短信条数', '50'],
    ] as const)
      await page.getByRole('textbox', { name }).fill(value)
    await page.getByLabel(/^密码/).fill('secret-2026')
    await page.getByRole('combobox', { name: '省市区' }).click()
    for (const name of ['广东省', '深圳市', '南山区'])
      await page
        .getByRole('menuitemcheckbox')
        .and(page.getByTitle(name, { exact: true }))
        .click()
    await page.getByRole('button', { name: '下一步' }).click()
    const dialog = page.getByRole('dialog', { name: '确认新增商户' })
    await payMissing(page, dialog, 'token', (await total(dialog)) - 777)
    await payMissing(page, dialog, 'sms', 47)
    await see(toast(page, '新增成功'))
    assert.deepEqual([await held(102, 'token'), await held(102, 'sms')], [0, 0])
    const added = await office.sql(`select 1 from merchants where account = '13900007001'`)
    assert.equal(added.length, 1)
  })

  test('value-added services, from their list to the question', async () => {
    await leave(office, 102, 'token', 1)
    const shop = await shopOf(102)
    const page = await chooseService(shop)
    await payMissing(page, serviceSum(page), 'token', (await total(serviceSum(page))) - 1)
    const dialog = page.getByRole('dialog', { name: '确认购买增值服务' })
    await dialog.getByRole('button', { name: '确认购买' }).click()
    await see(toast(page, '购买成功'))
    assert.deepEqual([await held(102, 'token'), await ordersOf('service_orders', shop)], [0, 1])
  })

  test('the renewal of many shops', async () => {
    await leave(office, 101, 'token', 5_003)
    const page = await office.openAs('20001', '/admin/merchant/renewals?window=90')
    await page.getByRole('checkbox', { name: '选择本页' }).check()
    await page.getByRole('button', { name: '批量续费' }).click()
    await page.getByRole('dialog').getByRole('button', { name: '下一步' }).click()
    const dialog = page.getByRole('dialog', { name: '确认批量续费' })
    await payMissing(page, dialog, 'token', (await total(dialog)) - 5_003)
    await see(toast(page, '购买成功！'), page.getByRole('dialog', { name: '续费结果' }))
    assert.equal(await held(101, 'token'), 0)
  })

  test('an SMS package', async () => {
    await leave(office, 102, 'token', 33)
    const shop = await shopOf(102)
    const page = await office.openAs('20002', `/admin/merchant/merchantDetails?user_id=${shop}`)
    await page.getByRole('main').getByRole('button', { name: '短信', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: '购买短信包' })
    await dialog.getByRole('radio', { name: /^500 条/ }).check()
    const before = await balanceIn(office, 'merchant', shop, 'sms')
    await payMissing(page, dialog, 'token', (await total(dialog)) - 33)
    await page.getByRole('alertdialog').getByRole('button', { name: '确认购买' }).click()
    await see(toast(page, '购买成功'))
    assert.deepEqual(
      [await held(102, 'token'), await balanceIn(office, 'merchant', shop, 'sms')],
      [0, before + 500],
    )
  })

  test('a gift of SMS; also where the credit was spent after the dialog had been opened', async () => {
    await leave(office, 103, 'sms', 60)
    const [shop] = await office.sql<{ id: string }>(
      `select id from merchants where agent_id = 103 and status = 'normal' order by id limit 1`,
    )
    const before = await balanceIn(office, 'merchant', shop?.id ?? '', 'sms')
    const page = await office.openAs('20003', `/admin/merchant/merchantDetails?user_id=${shop?.id}`)
    await page.getByRole('button', { name: '赠送短信' }).click()
    const gift = page.getByRole('dialog', { name: /^赠送短信：/ })
    await see(gift.getByText('60 条', { exact: true }))
    await leave(office, 103, 'sms', 7)
    await gift.getByRole('textbox', { name: '赠送条数' }).fill('60')
    await page.keyboard.press('Enter')
    const question = page.getByRole('alertdialog')
    await question.getByRole('button', { name: '确认赠送' }).click()
    await payMissing(page, gift, 'sms', 53)
    await question.getByRole('button', { name: '确认赠送' }).click()
    await see(toast(page, '赠送成功'))
    assert.equal(await held(103, 'sms'), 0)
    assert.equal(await balanceIn(office, 'merchant', shop?.id ?? '', 'sms'), before + 60)
  })

  test('a message to many shops', async () => {
    await leave(office, 103, 'sms', 1)
    const page = await office.openAs('20003', '/admin/merchant/messageEditing')
    await page.getByRole('button', { name: '新建群发' }).first().click()
    const drawer = page.getByRole('dialog', { name: '新建群发' })
    await drawer.getByRole('textbox', { name: '任务名称' }).fill('年末续费')
    await drawer.getByRole('combobox', { name: '短信模板' }).click()
    await drawer.getByTitle('续费优惠').click()
    await drawer.getByRole('textbox', { name: /优惠内容/ }).fill('九折')
    await see(fact(drawer, '还差'))
    const missing = Number.parseInt(await fact(drawer, '还差').innerText(), 10)
    await payMissing(page, drawer, 'sms', missing)
    await page.getByRole('alertdialog').getByRole('button', { name: '确认发送' }).click()
    await see(toast(page, '已提交发送'))
    await eventually(() => held(103, 'sms'), 0)
    const sent = await office.sql(`select 1 from outbox_messages where kind = 'campaign' and agent_id = 103`)
    assert.equal(sent.length, missing + 1)
  })

  test('failed messages that are sent again; not by staff, whose own credit would not help', async () => {
    await leave(office, 101, 'sms', 1)
    const resend = async (login: string) => {
      const page = await office.openAs(
        login,
        '/admin/merchant/smsSendLog?status=failed&kind=campaign&agentId=101',
      )
      await page.getByRole('checkbox', { name: '选择本页' }).check()
      await page.getByRole('region', { name: '批量操作' }).getByRole('button', { name: /^重发/ }).click()
      const dialog = page.getByRole('dialog', { name: '重发短信' })
      await dialog.getByRole('button', { name: /^重发 \d+ 条$/ }).click()
      await see(dialog.getByRole('alert').getByText('充值失败，短信余额不足'))
      return { page, dialog, offer: dialog.getByRole('button', { name: /^扫码补足/ }) }
    }
    assert.equal(await (await resend('10001')).offer.count(), 0)
    const { page, dialog, offer } = await resend('20001')
    await see(offer)
    const missing = Number.parseInt((await offer.innerText()).replace(/\D+/, ''), 10)
    await payMissing(page, dialog, 'sms', missing)
    await see(page.getByRole('dialog', { name: '重发结果' }).getByText(/条已加入发件箱/))
  })

  test('tokens for an agent below', async () => {
    await leave(office, 101, 'token', 1_001)
    const before = await held(103, 'token')
    const page = await office.openAs('20001', '/admin/detail/subAgents')
    const [agent] = await office.sql<{ name: string }>(
      'select company_name as name from agents where id = 103',
    )
    await rowOf(page, agent?.name ?? '')
      .getByRole('button', { name: '划拨' })
      .click()
    const dialog = page.getByRole('dialog', { name: /^划拨给/ })
    await dialog.getByRole('textbox', { name: '划拨数额' }).fill('50')
    await payMissing(page, dialog, 'token', 3_999)
    await page.getByRole('alertdialog').getByRole('button', { name: '确认划拨' }).click()
    await see(toast(page, '划拨成功'))
    assert.deepEqual([await held(101, 'token'), await held(103, 'token')], [0, before + 5_000])
  })
})

test('hardware: to the checkout; somebody else spends what was paid, and what is missing then is offered anew', async () => {
  await leave(office, 101, 'token', 800)
  const page = await office.openAs('20001', '/admin/index/hardwareShop')
  await page.getByRole('button', { name: '加入购物车 钱箱' }).click()
  const cart = page.getByRole('complementary', { name: '购物车' })
  const sum = await total(cart)
  await payMissing(page, cart, 'token', sum - 800)
  const dialog = page.getByRole('dialog', { name: '确认订单' })
  await dialog.getByRole('textbox', { name: '联系人' }).fill('周海燕')
  await dialog.getByRole('textbox', { name: '联系电话' }).fill('13812349876')
  await dialog.getByRole('textbox', { name: '详细地址' }).fill('科苑路15号3楼')
  await leave(office, 101, 'token', 55)
  await dialog.getByRole('button', { name: '确认购买' }).click()
  await payMissing(page, dialog, 'token', sum - 55)
  await see(toast(page, '购买成功'))
  const bought = await office.sql(`select 1 from hardware_orders where contact_name = '周海燕'`)
  assert.deepEqual([await held(101, 'token'), bought.length], [0, 1])
})

describe('meanwhile', () => {
  test('the dialog was closed: the same order is shown again; paid while it is closed it counts, and waits for a press', async () => {
    await leave(office, 102, 'token', 20)
    const shop = await shopOf(102)
    const { page, dialog } = await quoteVersion(shop)
    const missing = (await total(dialog)) - 20
    const address = await openQr(page, dialog, 'token', missing)
    const before = await intents(office)
    await page.keyboard.press('Escape')
    await gone(payDialog(page))
    assert.equal(await openQr(page, dialog, 'token', missing), address)
    assert.equal(await intents(office), before)
    await page.keyboard.press('Escape')
    await gone(payDialog(page))
    await payAt(office, address, 'alipay')
    await see(toast(page, '支付成功，可以继续购买'))
    await gone(dialog.getByRole('button', { name: /^扫码补足/ }))
    assert.equal(await ordersOf('version_orders', shop), 0)
    await dialog.getByRole('button', { name: '确认购买' }).click()
    await see(toast(page, '购买成功！'))
    assert.deepEqual([await held(102, 'token'), await ordersOf('version_orders', shop)], [0, 1])
  })

  test('an order that ended is not shown again', async () => {
    await leave(office, 102, 'token', 21)
    const { page, dialog } = await quoteVersion(await shopOf(102))
    const missing = (await total(dialog)) - 21
    const address = await openQr(page, dialog, 'token', missing)
    await page.keyboard.press('Escape')
    const { id } = await newestIntent(office)
    await office.sql('update payment_intents set expires_at = now() where id = $1', [id])
    assert.notEqual(await openQr(page, dialog, 'token', missing), address)
  })

  test('the price went up while what was missing was paid: it is bought at the price that was shown', async () => {
    await leave(office, 102, 'token', 30)
    const shop = await shopOf(102)
    const { page, dialog } = await quoteVersion(shop)
    const old = await total(dialog)
    const address = await openQr(page, dialog, 'token', old - 30)
    await writePrice(office.sql, { book: 'version', item: 1, part: 'lifetime', cents: 199_000 })
    await payAt(office, address)
    await see(toast(page, '购买成功！'))
    assert.deepEqual([await held(102, 'token'), await ordersOf('version_orders', shop)], [0, 1])
  })

  test('somebody else spent it before the confirm arrived: the rest is offered, nothing is lost', async () => {
    await leave(office, 102, 'token', 40)
    const shop = await shopOf(102)
    const { page, dialog } = await quoteVersion(shop)
    const sum = await total(dialog)
    await page.route(
      '**/api/purchases',
      async route => {
        await leave(office, 102, 'token', 500)
        await route.continue()
      },
      { times: 1 },
    )
    await payMissing(page, dialog, 'token', sum - 40)
    await see(toast(page, '账户余额不足'))
    await payMissing(page, dialog, 'token', sum - 500)
    await see(toast(page, '购买成功！'))
    assert.deepEqual([await held(102, 'token'), await ordersOf('version_orders', shop)], [0, 1])
  })

  test('somebody else spent it before the balance was read: the page says so, and nothing goes on by itself later', async () => {
    await leave(office, 102, 'token', 50)
    const shop = await shopOf(102)
    const page = await chooseService(shop)
    await plus(page, '操作员账号 数量').click()
    const sum = await total(serviceSum(page))
    const address = await openQr(page, serviceSum(page), 'token', sum - 50)
    await page.route('**/payments/*/result', async route => {
      const answer = await route.fetch()
      if ((await answer.json()).action === 1) await leave(office, 102, 'token', sum - 60)
      await route.fulfill({ response: answer })
    })
    await payAt(office, address)
    await see(toast(page, '支付已到账，但余额有变动，仍然不足，请再次补足'))
    await see(offered(serviceSum(page), 'token', 60))
    await page.getByRole('button', { name: '减少 操作员账号 数量' }).click()
    await gone(offered(serviceSum(page), 'token', 60))
    await see(fact(serviceSum(page), '购买后余额'))
    assert.equal(await page.getByRole('dialog').count(), 0)
    assert.equal(await ordersOf('service_orders', shop), 0)
  })

  test('two tabs pay for the same: it is bought once, and the other payment stays in the wallet', async () => {
    await leave(office, 102, 'token', 0)
    const shop = await shopOf(102)
    const tabs = [await chooseService(shop), await chooseService(shop)] as const
    const sum = await total(serviceSum(tabs[0]))
    const addresses = [
      await openQr(tabs[0], serviceSum(tabs[0]), 'token', sum),
      await openQr(tabs[1], serviceSum(tabs[1]), 'token', sum),
    ] as const
    assert.notEqual(addresses[0], addresses[1])
    await payAt(office, addresses[0])
    await tabs[0].getByRole('dialog').getByRole('button', { name: '确认购买' }).click()
    await see(toast(tabs[0], '购买成功'))
    await payAt(office, addresses[1])
    await gone(payDialog(tabs[1]))
    await eventually(() => held(102, 'token'), sum)
    await see(tabs[1].getByText('已开通', { exact: true }))
    assert.equal(await ordersOf('service_orders', shop), 1)
  })
})
