// A shop from near: its details on a phone and at a desk, what a purchase leaves behind, who was refused and why, and who did what
// to it in the operation log (D3 §2, §6).
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { exhaustive } from '../../lane.ts'
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
} from '../browser.ts'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice()
})
afterEach(() => office.closePages())
after(() => office.stop())

type Shop = { id: string; account: string; shop_name: string }
async function shopThat(fits: string): Promise<Shop> {
  const [shop] = await office.sql<Shop>(
    `select id, account, shop_name from merchants where agent_id = 101 and status = 'normal' and ${fits} order by id limit 1`,
  )
  return shop ?? assert.fail(`no shop ${fits}`)
}
const DATED = `version_id = 12 and store_kind = 'head' and expires_at > now() + interval '40 days'`
const detailsOf = (page: Page) => page.getByRole('article')

describe('the details of a shop', () => {
  test('begin on a phone with the days that are left and what can be done at once, big enough for a thumb', async () => {
    const shop = await shopThat(DATED)
    const path = `/admin/merchant/merchantDetails?user_id=${shop.id}`
    const page = await office.openAs('20001', path, { viewport: PHONE })
    await see(detailsOf(page).getByText(/^剩 [\d,]+ 天$/))
    for (const name of ['拨打', '续费', '短信', '地图', '分享']) {
      const control = detailsOf(page)
        .locator('button, a')
        .filter({ hasText: new RegExp(`^${name}$`) })
      const box = await control.boundingBox()
      assert.ok(box && box.width >= 44 && box.height >= 44 && box.y < PHONE.height / 2, name)
    }
    const account = fact(page, '账号').getByRole('link', { name: shop.account })
    for (const link of [account, detailsOf(page).getByRole('link', { name: '拨打', exact: true })])
      assert.equal(await link.getAttribute('href'), `tel:${shop.account}`)
    const map = detailsOf(page).getByRole('link', { name: '地图' })
    const address = await fact(page, '地址').innerText()
    assert.equal(await map.getAttribute('href'), `geo:0,0?q=${encodeURIComponent(address)}`)
    await detailsOf(page).getByRole('button', { name: '分享' }).click()
    await see(toast(page, '复制成功'))
    const card = await page.evaluate<string>('navigator.clipboard.readText()')
    assert.ok(card.startsWith(shop.shop_name) && card.includes(shop.account) && card.includes(address), card)
    assert.equal(await sidewaysScroll(page), 0)
    assert.deepEqual(await axeFindings(page), [])
  })

  exhaustive('at a desk copy a number instead of calling it', ['test/e2e/shops/shop.e2e.ts'], async () => {
    const shop = await shopThat(DATED)
    const page = await office.openAs('20001', `/admin/merchant/merchantDetails?user_id=${shop.id}`)
    assert.equal(await detailsOf(page).getByRole('link', { name: shop.account }).count(), 0)
    await detailsOf(page).getByRole('button', { name: '复制电话' }).click()
    await see(toast(page, '复制成功'))
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), shop.account)
    await page.evaluate(`navigator.clipboard.writeText('')`)
    await fact(page, '账号').getByText(shop.account).dblclick()
    await eventually(() => page.evaluate('navigator.clipboard.readText()'), shop.account)
  })

  exhaustive(
    'lead to what it was handed over with, without a password',
    ['features/care/shop-access/server-handover.test.ts', 'test/e2e/sales/sell.e2e.ts'],
    async () => {
      const shop = await shopThat(DATED)
      const page = await office.openAs('20001', `/admin/merchant/merchantDetails?user_id=${shop.id}`)
      await detailsOf(page).getByRole('link', { name: '开店资料' }).click()
      const handed = page.getByRole('region', { name: '开店资料' })
      await see(fact(handed, '账号').getByText(shop.account), fact(handed, '密码').getByText(/^不保存/))
      assert.equal(await fact(handed, '初始密码').count(), 0)
      assert.deepEqual(await axeFindings(page), [])
    },
  )
})

exhaustive(
  'on a phone a shop whose number was typed is called in one tap, and renewed in four',
  ['test/e2e/house/jobs.e2e.ts', 'test/e2e/house/phone.e2e.ts'],
  async () => {
    const shop = await shopThat(DATED)
    const page = await office.openAs('20001', '/admin/merchant/myMerchant', { viewport: PHONE })
    await page.getByRole('textbox', { name: /^搜索：商户ID/ }).fill(shop.account)
    const card = page.locator('[data-part=cards] > li').filter({ hasText: shop.account })
    const call = card.getByRole('link', { name: '拨打电话' })
    assert.equal(await call.getAttribute('href'), `tel:${shop.account}`)
    let taps = 0
    const tap = async (target: Locator) => {
      await target.click()
      taps += 1
    }
    await tap(card.getByRole('button', { name: shop.shop_name }))
    const drawer = page.getByRole('dialog', { name: '商户详情' })
    await see(drawer.getByRole('link', { name: '拨打' }))
    await tap(drawer.getByRole('button', { name: '续费' }))
    await tap(page.getByRole('button', { name: '下一步' }))
    await tap(page.getByRole('dialog', { name: '确认购买' }).getByRole('button', { name: '确认购买' }))
    await see(toast(page, '购买成功！'))
    assert.equal(taps, 4)
  },
)

describe('before a shop is sold', () => {
  exhaustive(
    'another version than its branches have, it is said what becomes of them, and offered what all can have',
    [
      'features/sales/purchases/server-purchase.test.ts',
      'features/sales/purchases/rules.test.ts',
      'features/sales/purchases/PurchaseLosses.test.tsx',
    ],
    async () => {
      const head = await shopThat(
        `exists (select 1 from merchants b where b.head_id = merchants.id) and version_id = 3 and expires_at > now()`,
      )
      const page = await office.openAs('20001', `/admin/merchant/versionUp1?user_id=${head.id}`)
      await see(page.getByRole('radio', { name: /^续费总店/ }))
      const note = page.getByText(/不在此次购买内/)
      await gone(note)
      await page.getByRole('radio', { name: /^高级版/ }).check()
      const [branch] = await office.sql<{ shop_name: string }>(
        'select shop_name from merchants where head_id = $1 order by id limit 1',
        [head.id],
      )
      await see(note.filter({ hasText: branch?.shop_name }))
      await page.getByRole('button', { name: /总店和分店可一起续费$/ }).click()
      await gone(note)
      await see(page.getByRole('radio', { name: '续费全部店铺' }))
    },
  )

  exhaustive(
    'for ever, it is said what is lost; twelve months, that a year costs less',
    [
      'features/shops/versions/rules.test.ts',
      'features/sales/purchases/server-purchase.test.ts',
      'features/sales/purchases/PurchaseLosses.test.tsx',
    ],
    async () => {
      const shop = await shopThat(DATED)
      const page = await office.openAs('20001', `/admin/merchant/versionUp1?user_id=${shop.id}`)
      await page.getByRole('radio', { name: '按月', exact: true }).check()
      await page.getByRole('radio', { name: '12 个月', exact: true }).check()
      await see(page.getByText(/^12 个月每店 600.00 代币，按年每店只需 298.00 代币，到期时间相同。/))
      await page.getByRole('button', { name: '改为 1 年' }).click()
      assert.ok(await page.getByRole('radio', { name: '按年', exact: true }).isChecked())
      await page.getByRole('radio', { name: /^永久版/ }).check()
      await page.getByRole('button', { name: '下一步' }).click()
      const lost =
        /^当前版本剩余的 [\d,]+ 天（按现价约值 [\d.,]+ 代币）在更换为永久后作废，不退款，也不折抵价格。$/
      await see(page.getByRole('dialog', { name: '确认购买' }).getByText(lost))
    },
  )
})

exhaustive(
  'many shops renewed for twelve months: it is said that a year costs less, and of which versions',
  [
    'features/shops/versions/rules.test.ts',
    'features/sales/purchases/server-bulk.test.ts',
    'features/sales/purchases/PurchaseLosses.test.tsx',
  ],
  async () => {
    const page = await office.openAs('20001', '/admin/merchant/myMerchant?status=normal')
    await page.getByRole('checkbox', { name: '选择本页' }).check()
    await page.getByRole('button', { name: '批量续费' }).click()
    const dialog = page.getByRole('dialog', { name: /^批量续费/ })
    const hint = dialog.getByText(/按年每店只需/)
    await gone(hint.first())
    await dialog.getByRole('radio', { name: '按月', exact: true }).check()
    await dialog.getByRole('radio', { name: '12 个月', exact: true }).check()
    await see(hint.filter({ hasText: '12 个月每店 600.00 代币，按年每店只需 298.00 代币，到期时间相同。' }))
    assert.deepEqual(await axeFindings(page), [])
  },
)

exhaustive(
  'a page about a shop whose address names none says so, and leads to the shops',
  ['features/shops/merchants/ShopAddress.test.tsx'],
  async () => {
    const page = await office.openAs('20001', '/admin/index')
    for (const path of ['merchantDetails', 'versionUp1', 'addedServices', 'handOver']) {
      await page.goto(`/admin/merchant/${path}`)
      await see(page.getByRole('alert').getByText('地址中没有商户 ID，请从我的商户打开'))
      await page.getByRole('link', { name: '返回我的商户' }).click()
      await see(page.getByRole('heading', { name: '我的商户' }))
    }
  },
)

exhaustive(
  'the operator sees who was refused, and says why',
  ['features/shops/merchants/rules.test.ts', 'features/shops/merchants/server.test.ts'],
  async () => {
    const page = await office.openAs('10001', '/admin/merchant/myMerchant?verificationStatus=failed')
    const shop = await shopThat(`verification_status = 'verified'`)
    await see(page.getByRole('row').getByText('认证失败'))
    await page.goto(`/admin/merchant/merchantDetails?user_id=${shop.id}`)
    await page.getByRole('button', { name: '编辑', exact: true }).click()
    await page.getByRole('combobox', { name: '认证状态' }).click()
    await page.getByTitle('认证失败', { exact: true }).click()
    await page.getByRole('button', { name: '保存' }).click()
    await see(page.getByText('请输入认证失败原因', { exact: true }))
    await page.getByRole('textbox', { name: '认证失败原因' }).fill('营业执照照片不清晰')
    await page.getByRole('button', { name: '保存' }).click()
    await see(toast(page, '修改成功'), fact(page, '未通过原因').getByText('营业执照照片不清晰'))
  },
)

describe('the operation log', () => {
  const LOG = '/admin/account/operationLog'
  const rows = (page: Page) => page.getByRole('table').locator('tbody').getByRole('row')

  /** What an act changed, as it is read: name, before, after. */
  const changesOf = (scope: Locator) =>
    scope
      .getByRole('table')
      .locator('tbody tr')
      .evaluateAll(lines =>
        lines.map(line => [...line.children].map(cell => (cell as { textContent: string }).textContent)),
      )

  async function remark(page: Page, id: string, text: string): Promise<void> {
    const answer = await page.request.patch(`/api/merchants/${id}/remark`, {
      headers: { 'x-requested-with': 'partner-office' },
      data: { remark: text },
    })
    assert.ok(answer.ok(), await answer.text())
  }

  test('is searched, kept to days, and opened to name, before and after', async () => {
    const shop = await shopThat(DATED)
    const page = await office.openAs('20001', '/admin/index')
    await remark(page, shop.id, '老客户')
    await remark(page, shop.id, '老客户，转微信')
    await page.goto(LOG)
    await page
      .getByRole('textbox', { name: '搜索：操作人 / 操作 / 对象' })
      .fill(`${shop.shop_name} (${shop.id})`)
    const done = rows(page).filter({ hasText: '修改商户备注' })
    await see(done.getByText('备注：老客户 → 老客户，转微信'))
    await eventually(() => rows(page).filter({ hasNotText: shop.id }).count(), 0)
    const all = await rows(page).count()
    await page.getByRole('button', { name: /^高级筛选/ }).click()
    await page.getByRole('textbox', { name: '操作时间' }).first().click()
    await page
      .getByRole('listitem')
      .filter({ hasText: /^今天$/ })
      .click()
    const [today] = await office.sql<{ count: number }>(
      `select count(*)::int from operation_logs where merchant_id = $1 and created_at >= shanghai_day(now())::timestamp at time zone 'Asia/Shanghai'`,
      [shop.id],
    )
    await eventually(() => rows(page).count(), today?.count)
    assert.ok(Number(today?.count) < all)
    await done.filter({ hasText: '老客户，转微信' }).getByRole('button', { name: '修改商户备注' }).click()
    const opened = page.getByRole('dialog', { name: '操作详情' })
    await see(opened.getByText('127.0.0.1'), fact(opened, '请求编号'))
    assert.deepEqual(await changesOf(opened), [['备注', '老客户', '老客户，转微信']])
    assert.deepEqual(await axeFindings(page), [])
    await page.keyboard.press('Escape')
    await gone(opened)
  })

  test('stands beside a shop and an order, the latest first', async () => {
    const shop = await shopThat(DATED)
    const page = await office.openAs('20001', `/admin/merchant/merchantDetails?user_id=${shop.id}`)
    await detailsOf(page).getByRole('button', { name: '复制电话' }).click()
    await see(toast(page, '复制成功'))
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), shop.account)
    assert.equal(await detailsOf(page).getByRole('link', { name: shop.account }).count(), 0)
    await remark(page, shop.id, '约了周五')
    await detailsOf(page).getByRole('button', { name: '操作记录' }).click()
    const history = page.getByRole('dialog', { name: '操作记录' })
    await see(history.getByRole('listitem'))
    const [latest] = await history.getByRole('listitem').allInnerTexts()
    assert.match(latest ?? '', /约了周五/)
    await see(history.getByRole('article', { name: /^新增商户/ }))
    await history.getByText('来源', { exact: true }).first().click()
    await see(history.getByText('127.0.0.1'))
    assert.deepEqual(await axeFindings(page), [])
    const [order] = await office.sql<{ order_no: string }>(
      `select order_no from version_orders where merchant_id = $1 and sales_type = 'new'`,
      [shop.id],
    )
    const { order_no: no } = order ?? assert.fail('no order')
    await page.goto(`/admin/order/${no}`)
    await page.getByRole('button', { name: '操作记录' }).click()
    await eventually(() => changesOf(history).then(([first]) => first), ['订单号', no])
    assert.equal(await history.getByRole('listitem').count(), 1)
  })

  exhaustive(
    'is closed to a sub-user, who is sent to the start page with the reason',
    ['features/overview/operation-log/server.test.ts', 'test/permissions.test.ts'],
    async () => {
      const page = await office.openAs('2000101', LOG)
      await see(toast(page, '您没有操作权限!'))
      await page.waitForURL(url => url.pathname === '/admin/index')
      assert.equal((await page.request.get('/api/operation-log')).status(), 403)
    },
  )
})
