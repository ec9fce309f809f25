// The operator sets next month's price, discounts and a campaign; partners see them from their moment on.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { comeTrue } from '../../come-true.ts'
import { exhaustive } from '../../lane.ts'
import { type BrowserOffice, gone, openBrowserOffice, see, toast } from '../browser.ts'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice()
})
afterEach(() => office.closePages())
after(() => office.stop())

const PRICES = '/admin/operations/prices'

/** The page where a shop of the first agent buys versions. */
async function purchasePage(): Promise<Page> {
  const [shop] = await office.sql<{ id: string }>(
    `select id from merchants where agent_id = 101 and status = 'normal' and version_id = 12 and store_kind = 'head'
       and expires_at > now() and shops_bought = 1 order by id limit 1`,
  )
  return office.openAs('20001', `/admin/merchant/versionUpdata?user_id=${shop?.id ?? assert.fail('no shop')}`)
}

async function openRow(page: Page, name: string, action: string): Promise<void> {
  const row = page.getByRole('row', { name })
  await row.getByRole('button', { name: action, exact: true }).click()
}

exhaustive(
  'next month’s price is set with a preview, shown as the next one, and in force from its moment on',
  ['test/e2e/house/from-nothing.e2e.ts', 'features/office/prices/desk/server.test.ts'],
  async () => {
    const page = await office.openAs('10001', `${PRICES}?book=version&search=连锁版`)
    await openRow(page, '连锁版', '调价')
    const dialog = page.getByRole('dialog', { name: '调价：连锁版 按年' })
    await dialog.getByRole('textbox', { name: '新价格' }).fill('418')
    await dialog.getByText('指定时间').first().click()
    await see(
      dialog.getByRole('region', { name: '影响' }),
      dialog.getByRole('row', { name: /银牌代理 \d+ 238\.80 250\.80/ }),
    )
    await dialog.getByRole('button', { name: '设置新价格' }).click()
    await see(page.locator('[data-part=toasts]').getByText(/^将于 .* 生效$/))
    await gone(dialog)
    await see(page.getByRole('cell', { name: '418.00' }), page.getByRole('cell', { name: '398.00' }))
    const before = await purchasePage()
    await see(before.getByText('398.00').first())
    await before.close()
    await comeTrue(office, 'version', 3)
    const buyer = await purchasePage()
    await see(buyer.getByText('418.00').first())
    await gone(buyer.getByText('398.00'))
  },
)

test('a price that has not begun is withdrawn; a campaign is seen by its name and the old price where it is bought, and ends early', async () => {
  const page = await office.openAs('10001', `${PRICES}?book=version&search=高级版`)
  await page.getByRole('button', { name: '高级版', exact: true }).first().click()
  const drawer = page.getByRole('dialog', { name: '价格历史：高级版' })
  const coming = drawer.getByRole('listitem').filter({ hasText: '未生效' })
  await see(coming.filter({ hasText: '328.00' }))
  await coming.getByRole('button', { name: '撤回' }).click()
  await page
    .getByRole('alertdialog', { name: '撤回这个价格？' })
    .getByRole('button', { name: '撤回' })
    .click()
  await see(
    toast(page, '已撤回'),
    drawer.getByRole('listitem').filter({ hasText: '328.00' }).getByText('已撤回'),
  )

  await page.goto('/admin/operations/price-campaigns')
  await page.getByRole('button', { name: '新增促销' }).click()
  const adding = page.getByRole('dialog', { name: '新增促销' })
  await adding.getByRole('textbox', { name: '促销名称' }).fill('周年庆')
  await adding.getByRole('textbox', { name: '折扣' }).fill('9')
  await adding.getByRole('button', { name: '新增促销' }).click()
  await see(toast(page, '新增成功'), page.getByRole('row', { name: /周年庆.*进行中/ }))
  const buyer = await purchasePage()
  await see(buyer.getByText('周年庆').first())
  await buyer.close()
  await openRow(page, '周年庆', '结束')
  await page.getByRole('alertdialog').getByRole('button', { name: '结束促销' }).click()
  await see(toast(page, '促销已结束'), page.getByRole('row', { name: /周年庆.*已结束/ }))
})
