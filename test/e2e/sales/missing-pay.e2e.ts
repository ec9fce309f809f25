// What is missing, wherever tokens or SMS credit can be: a QR for exactly that, paid on the phone, and what was begun goes on
// by itself, once. Prices are odd, so that each amount is rounded up to a fen.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import type { CreditedAsset } from '#features/money/ledger/rules.ts'
import { RECHARGE_ITEM } from '#features/office/prices/rules.ts'
import { formatCents, formatCount, parseCents } from '#kit/money.ts'
import { exhaustive } from '../../lane.ts'
import { writePrice } from '../../make-purchases.ts'
import { type BrowserOffice, fact, gone, openBrowserOffice, see, toast } from '../browser.ts'
import { balanceIn, code, leave, payAt, read } from '../paying.ts'

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

const held = (agentId: number, asset: CreditedAsset) => balanceIn(office, 'agent', agentId, asset)
const words = (asset: CreditedAsset, missing: number) =>
  asset === 'sms' ? `${formatCount(missing)} 条短信` : `${formatCents(missing)} 代币`
const offered = (scope: Page | Locator, asset: CreditedAsset, missing: number) =>
  scope.getByRole('button', { name: `扫码补足 ${words(asset, missing)}`, exact: true })
const payDialog = (page: Page) => page.getByRole('dialog', { name: /^补足(短信|代币)$/ })

/** Presses the offer, sees what it costs, and answers where its QR leads. */
async function openQr(
  page: Page,
  scope: Page | Locator,
  asset: CreditedAsset,
  missing: number,
): Promise<string> {
  await offered(scope, asset, missing).click()
  const fen = Math.ceil((missing * (asset === 'sms' ? HUNDRED_SMS_FEN : TOKEN_FEN)) / 100)
  await see(payDialog(page).getByText(`¥${formatCents(fen)}`, { exact: true }))
  return read(code(payDialog(page)))
}

async function payMissing(
  page: Page,
  scope: Page | Locator,
  asset: CreditedAsset,
  missing: number,
): Promise<void> {
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

describe('what is missing is paid exactly, and goes on by itself, once:', () => {
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

  exhaustive(
    'a gift of SMS; also where the credit was spent after the dialog had been opened',
    ['features/sales/payments/MissingPay-places.test.tsx', 'features/sales/sms/server-gift.test.ts'],
    async () => {
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
    },
  )
})

exhaustive(
  'hardware: to the checkout; somebody else spends what was paid, and what is missing then is offered anew',
  [
    'features/sales/payments/MissingPay-places.test.tsx',
    'features/sales/payments/MissingPay.test.tsx',
    'features/sales/hardware/server-order.test.ts',
  ],
  async () => {
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
  },
)

describe('meanwhile', () => {
  exhaustive(
    'somebody else spent it before the confirm arrived: the rest is offered, nothing is lost',
    ['features/sales/payments/MissingPay.test.tsx', 'features/sales/purchases/server.test.ts'],
    async () => {
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
    },
  )
})
