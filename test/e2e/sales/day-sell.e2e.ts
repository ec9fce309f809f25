// A partner sells to a shop it has: another version, value-added services, SMS packages (D1 §4, §6, §8; D2 §2.2, §4, §8).
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { formatCents } from '#kit/money.ts'
import { addMonths, formatDay, formatInstant } from '#kit/time.ts'
import { exhaustive } from '../../lane.ts'
import { type BrowserOffice, eventually, fact, gone, openBrowserOffice, see, toast } from '../browser.ts'

const DAY_MS = 86_400_000

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice()
})
afterEach(() => office.closePages())
after(() => office.stop())

const LIST = '/admin/merchant/myMerchant'

type Shop = {
  id: string
  shop_name: string
  version_id: number
  shops_bought: number
  expires_at: Date
  revision: number
}

/** A shop with 高级版 in use that has bought nothing since it opened and that no other test has changed. */
async function untouchedShop(agentId = 101): Promise<Shop> {
  const [shop] = await office.sql<Shop>(
    `select * from merchants where agent_id = $1 and status = 'normal' and revision = 1 and store_kind = 'head'
       and version_id = 12 and expires_at > now() + interval '30 days'
       and not exists (select 1 from version_order_effects e where e.merchant_id = merchants.id)
       and not exists (select 1 from service_orders o where o.merchant_id = merchants.id)
       and not exists (select 1 from ledger_accounts a where a.owner_kind = 'merchant' and a.owner_id = merchants.id)
     order by id limit 1`,
    [agentId],
  )
  return shop ?? assert.fail('no shop is left')
}

async function saved(id: string): Promise<Shop> {
  const [shop] = await office.sql<Shop>('select * from merchants where id = $1', [id])
  return shop ?? assert.fail('the shop is gone')
}

async function balance(owner: 'agent' | 'merchant', id: number | string, asset: 'token' | 'sms') {
  const [account] = await office.sql<{ balance: string }>(
    'select balance from ledger_accounts where owner_kind = $1 and owner_id = $2 and asset = $3',
    [owner, id, asset],
  )
  return Number(account?.balance ?? 0)
}

async function paidOrders(id: string): Promise<{ sales_type: string; purchase_code: number | null }[]> {
  return office.sql(
    `select sales_type, purchase_code from version_orders where merchant_id = $1 and status = 'paid' order by id`,
    [id],
  )
}

async function seeWallet(page: Page, cents: number): Promise<void> {
  await see(page.getByRole('link', { name: `余额 ${formatCents(cents)} 代币` }))
}

function facts(scope: Locator, ...names: string[]): Promise<string[]> {
  return Promise.all(names.map(name => fact(scope, name).first().innerText()))
}

/** Chooses what a row of the merchant list offers for sale. */
async function sell(page: Page, id: string, action: string): Promise<void> {
  const row = page.getByRole('row').filter({ has: page.getByRole('cell', { name: id }) })
  await see(row)
  const shown = row.getByRole('button', { name: action, exact: true })
  if (await shown.count()) return shown.click()
  await row.getByRole('button', { name: '更多操作' }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

async function openSale(login: string, id: string, action: string): Promise<Page> {
  const page = await office.openAs(login, `${LIST}?search=${id}`)
  await sell(page, id, action)
  return page
}

describe('another version', () => {
  async function chooseChain(page: Page): Promise<void> {
    await page.getByRole('radio', { name: /^连锁版/ }).check()
    await page.getByRole('radio', { name: '按年', exact: true }).check()
    await page.getByRole('textbox', { name: '订购数量' }).fill('3')
  }

  test('shows expiry, version and shops before and after; cancelled nothing moves, confirmed twice it is paid once', async () => {
    const shop = await untouchedShop()
    const before = await balance('agent', 101, 'token')
    const page = await openSale('20001', shop.id, '续费/升级')
    await see(page.getByRole('heading', { name: '版本购买' }), page.getByText(shop.shop_name).first())
    const { searchParams } = new URL(page.url())
    assert.deepEqual(
      ['user_id', 'isStore'].map(name => searchParams.get(name)),
      [shop.id, 'false'],
    )
    await chooseChain(page)
    const price = page.getByRole('complementary', { name: '价格' })
    await eventually(
      () => facts(price, '软件版本', '单价', '店铺数', '合计（代币）'),
      ['连锁版', '398.00 / 年', '× 3', '716.40'],
    )
    // From now, as many days of the rest as its price pays of the dearer version for three shops, and the year behind them.
    const restDays = Math.floor((shop.expires_at.getTime() - Date.now()) / DAY_MS)
    const days = Math.floor((restDays * 29_800 * shop.shops_bought) / (39_800 * 3))
    const ends = addMonths(new Date(Date.now() + days * DAY_MS), 12)
    const change = `${formatInstant(shop.expires_at)} → 变为 ${formatDay(ends)}`
    const changes = async (scope: Locator) => {
      const section = scope.getByRole('region', { name: '购买前后' })
      const texts = await Promise.all(
        ['到期', '版本'].map(name => section.locator(`dt:text-is("${name}") + dd`).innerText()),
      )
      const words = texts.map(text =>
        text.replace(/\s+/g, ' ').replace('→ 变为', '→ 变为 ').replace(/ +/g, ' '),
      )
      // The moment of the day is that of the purchase.
      return [words[0]?.slice(0, change.length), words[1]]
    }
    await eventually(() => changes(price), [change, '高级版 → 变为 连锁版'])
    await page.getByRole('button', { name: '下一步' }).click()
    const dialog = page.getByRole('dialog', { name: '确认购买' })
    await eventually(() => changes(dialog), [change, '高级版 → 变为 连锁版'])
    await see(dialog.getByText('3 家', { exact: true }))
    assert.deepEqual(await facts(dialog, '合计（代币）', '购买前余额', '购买后余额'), [
      '716.40',
      formatCents(before),
      formatCents(before - 71_640),
    ])
    await dialog.getByRole('button', { name: '取消' }).click()
    await see(toast(page, '已取消购买'))
    await gone(dialog)
    assert.equal(await balance('agent', 101, 'token'), before)
    assert.equal((await saved(shop.id)).version_id, 12)

    await page.getByRole('button', { name: '下一步' }).click()
    await dialog.getByRole('button', { name: '确认购买' }).dblclick()
    await see(toast(page, '购买成功！'))
    await page.waitForURL(url => url.pathname === LIST)
    await see(page.getByRole('heading', { name: '我的商户' }))
    await seeWallet(page, before - 71_640)
    assert.equal(await balance('agent', 101, 'token'), before - 71_640)
    const now = await saved(shop.id)
    assert.deepEqual([now.version_id, now.shops_bought], [3, 3])
    assert.ok(Math.abs(now.expires_at.getTime() - ends.getTime()) < 300_000, 'the term that was shown')
    assert.deepEqual((await paidOrders(shop.id)).slice(1), [{ sales_type: 'upgrade', purchase_code: 4 }])
    await page.getByRole('textbox', { name: /^搜索：/ }).fill(shop.id)
    const row = page.getByRole('row').filter({ has: page.getByRole('cell', { name: shop.id }) })
    await see(row.getByText('连锁版'), row.getByText(formatInstant(now.expires_at)))
    await office.verifyLedger()
  })

  exhaustive(
    'what is missing is shown before the confirm, and when another tab has spent the tokens since',
    [
      'features/sales/purchases/server.test.ts',
      'features/sales/payments/MissingPay-places.test.tsx',
      'features/sales/payments/MissingPay.test.tsx',
    ],
    async () => {
      const mine = await untouchedShop(102)
      const before = await balance('agent', 102, 'token')
      const page = await openSale('20002', mine.id, '续费/升级')
      const permanent = page.getByRole('radio', { name: /^永久版/ })
      await permanent.check()
      const shops = page.getByRole('textbox', { name: '订购数量' })
      const price = page.getByRole('complementary', { name: '价格' })
      const dialog = page.getByRole('dialog', { name: '确认购买' })
      const confirm = dialog.getByRole('button', { name: '确认购买' })
      const one = 138_600
      const many = Math.floor(before / one)
      await shops.fill(String(many + 1))
      const missing = formatCents(one * (many + 1) - before)
      await eventually(() => fact(price, '账户余额不足，还差').innerText(), missing)
      await page.getByRole('button', { name: '下一步' }).click()
      await eventually(() => fact(dialog, '账户余额不足，还差').innerText(), missing)
      // The way out stands in its place.
      await see(dialog.getByRole('button', { name: `扫码补足 ${missing} 代币` }))
      await gone(confirm)
      await dialog.getByRole('button', { name: '取消' }).click()
      await shops.fill(String(many))
      await page.getByRole('button', { name: '下一步' }).click()
      await see(fact(dialog, '购买后余额'))

      const [other] = await office.sql<Shop>(
        `select * from merchants where agent_id = 102 and status = 'normal' and version_id = 12 and store_kind = 'head'
         and id <> $1 order by id limit 1`,
        [mine.id],
      )
      // The documents' other address of the same page.
      const tab = await office.openAs('20002', `/admin/merchant/versionUpdata?user_id=${other?.id}`)
      await tab.getByRole('radio', { name: /^永久版/ }).check()
      await tab.getByRole('button', { name: '下一步' }).click()
      await tab.getByRole('dialog').getByRole('button', { name: '确认购买' }).click()
      await see(toast(tab, '购买成功！'))

      await confirm.click()
      await see(toast(page, '账户余额不足'))
      await eventually(
        () => fact(dialog, '账户余额不足，还差').innerText(),
        formatCents(one * (many + 1) - before),
      )
      await gone(confirm)
      assert.equal(await balance('agent', 102, 'token'), before - one)
      assert.equal((await saved(mine.id)).version_id, 12)
      assert.equal((await paidOrders(mine.id)).length, 1)
      await office.verifyLedger()
    },
  )
})

describe('value-added services', () => {
  const plus = (page: Page, name: string) => page.getByRole('button', { name: `增加 ${name}` })

  test('are bought once; what runs cannot be bought again, here and in a tab that is out of date', async () => {
    const shop = await untouchedShop()
    const before = await balance('agent', 101, 'token')
    const page = await openSale('20001', shop.id, '增值服务')
    await see(page.getByRole('heading', { name: '增值服务' }), page.getByText(shop.shop_name).first())
    const late = await office.openAs('20001', `/admin/merchant/addedServices?user_id=${shop.id}`)
    await plus(late, '微商城 年数').click()
    await plus(page, '微商城 年数').click()
    await plus(page, '操作员账号 数量').click()
    await plus(page, '操作员账号 数量').click()
    const sum = page.getByRole('complementary', { name: '购买清单' })
    await eventually(
      () => facts(sum, '微商城 × 1 年', '操作员账号 × 2 个', '原价', '折扣', '合计（代币）'),
      ['598.00', '200.00', '798.00', '6 折', '478.80'],
    )
    await sum.getByRole('button', { name: '购买' }).click()
    const dialog = page.getByRole('dialog', { name: '确认购买增值服务' })
    assert.deepEqual(await facts(dialog, '合计（代币）', '购买后余额'), [
      '478.80',
      formatCents(before - 47_880),
    ])
    await dialog.getByRole('button', { name: '确认购买' }).dblclick()
    await see(toast(page, '购买成功'))
    await seeWallet(page, before - 47_880)
    await see(page.getByText('已购操作员 2 个'))
    const service = page.getByRole('listitem').filter({ has: plus(page, '微商城 年数') })
    await see(service.getByText('已开通', { exact: true }))
    assert.equal(await plus(page, '微商城 年数').getAttribute('aria-disabled'), 'true')
    await plus(page, '微商城 年数').hover()
    await see(page.getByRole('tooltip').getByText('服务已开通，请勿重复购买'))

    await late.getByRole('button', { name: '购买', exact: true }).click()
    await late.getByRole('dialog').getByRole('button', { name: '确认购买' }).click()
    await see(toast(late, '服务已开通，请勿重复购买'))
    assert.equal(await balance('agent', 101, 'token'), before - 47_880)
    const held = await office.sql(
      'select service_id, quantity from merchant_services where merchant_id = $1 order by service_id',
      [shop.id],
    )
    assert.deepEqual(held, [
      { service_id: 11, quantity: 2 },
      { service_id: 41, quantity: 1 },
    ])
    await page.goto(`/admin/order/appreciationOrder?search=${shop.id}`)
    await see(page.getByText('共 2 条', { exact: true }))
    const row = page.getByRole('row').filter({ hasText: '微商城' })
    await see(row.getByText('已完成'), row.getByText('358.80'))
    await office.verifyLedger()
  })

  exhaustive(
    'a branch buys no operators, whatever its address says',
    ['features/sales/services/rules.test.ts', 'features/sales/services/server.test.ts'],
    async () => {
      const [branch] = await office.sql<Shop>(
        `select * from merchants where agent_id = 101 and store_kind = 'branch' order by id limit 1`,
      )
      const page = await office.openAs(
        '20001',
        `/admin/merchant/addedServices?user_id=${branch?.id}&isStore=false`,
      )
      await see(page.getByText('分店不允许购买操作员').first())
      for (const name of ['操作员账号 数量', '移动端操作员 数量'])
        assert.equal(await plus(page, name).getAttribute('aria-disabled'), 'true')
      await plus(page, '操作员账号 数量').hover()
      await see(page.getByRole('tooltip').getByText('分店不允许购买操作员'))
      assert.equal(await plus(page, '微商城 年数').getAttribute('aria-disabled'), null)
      const answer = await page.request.post(`/api/merchants/${branch?.id}/services`, {
        headers: { 'x-requested-with': 'partner-office', 'idempotency-key': crypto.randomUUID() },
        data: {
          items: [{ serviceId: 11, quantity: 1, years: 1 }],
          remark: '',
          totalCents: 6_000,
        },
      })
      assert.deepEqual([answer.ok(), (await answer.json()).message], [false, '分店不允许购买操作员'])
    },
  )
})

exhaustive(
  'an SMS package grows the shop’s credit and is listed',
  [
    'features/sales/sms/server.test.ts',
    'features/sales/sms/desk/server-orders.test.ts',
    'features/sales/payments/MissingPay-places.test.tsx',
  ],
  async () => {
    const shop = await untouchedShop()
    const before = await balance('agent', 101, 'token')
    const pieces = await balance('merchant', shop.id, 'sms')
    const page = await openSale('20001', shop.id, '短信')
    const dialog = page.getByRole('dialog', { name: '购买短信包' })
    const buy = dialog.getByRole('button', { name: '购买', exact: true })
    await see(dialog.getByText(`${shop.shop_name}（ID ${shop.id}）`))
    assert.equal(await buy.getAttribute('aria-disabled'), 'true')
    await dialog.getByRole('radio', { name: /^500 条/ }).check()
    await eventually(() => fact(dialog, '合计（代币）').innerText(), '27.00')
    await dialog.getByRole('textbox', { name: /^备注/ }).fill('开业通知')
    await buy.click()
    const question = page.getByRole('alertdialog', { name: `为「${shop.shop_name}」购买短信包500条？` })
    await see(question.getByText(/^将扣除 27\.00 代币/))
    await question.getByRole('button', { name: '确认购买' }).dblclick()
    await see(toast(page, '购买成功'))
    await gone(dialog)
    await seeWallet(page, before - 2_700)
    assert.equal(await balance('agent', 101, 'token'), before - 2_700)
    assert.equal(await balance('merchant', shop.id, 'sms'), pieces + 500)
    await page.goto(`/admin/merchant/merchantDetails?user_id=${shop.id}`)
    await eventually(
      async () =>
        (await fact(page.getByRole('article'), '短信余额').innerText()).startsWith(`${pieces + 500} 条`),
      true,
    )
    await page.goto(`/admin/order/msgOrder?search=${shop.id}`)
    await see(page.getByText('共 1 条', { exact: true }))
    const cells = await page.getByRole('table').locator('tbody').getByRole('cell').allInnerTexts()
    for (const cell of ['短信包500条', String(pieces), '500', String(pieces + 500), '27.00 代币', '开业通知'])
      assert.ok(cells.includes(cell), `${cell} in ${cells.join(' | ')}`)
    await office.verifyLedger()
  },
)
