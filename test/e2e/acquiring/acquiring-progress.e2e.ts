// The board of shops on their way to being paid, in the browser: its agent sees on a phone whose turn it is and follows the next step to
// where it is taken; staff remind a shop by SMS (issue 29 §4).
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { axeFindings, type BrowserOffice, openBrowserOffice, PHONE, see, sidewaysScroll } from '../browser.ts'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice({ outside: true })
})
afterEach(() => office.closePages())
after(() => office.stop())

type Row = { merchant_id: string; shop_name: string }
/** Of the demo's first agent. */
async function standing(step: string): Promise<Row> {
  const [row] = await office.sql<Row>(
    `select p.merchant_id, m.shop_name from acquiring_progress p join merchants m on m.id = p.merchant_id
       where p.agent_id = 101 and p.step = '${step}' order by p.since, p.id limit 1`,
  )
  return row ?? assert.fail(`no shop is at ${step}`)
}

test('an agent sees on a phone whose turn it is, and follows the next step to the form that waits for it', async () => {
  const shop = await standing('mending')
  const page = await office.openAs(
    '20001',
    `/admin/merchant/progress?turn=agent&channel=service&search=${shop.merchant_id}`,
    {
      viewport: PHONE,
    },
  )
  await see(page.getByText('已驳回待修改').first(), page.getByText('等服务商').first())
  assert.equal(await sidewaysScroll(page), 0)
  assert.deepEqual(await axeFindings(page), [])
  await page.getByRole('button', { name: shop.shop_name, exact: true }).click()
  await page.waitForURL(url => url.pathname === '/admin/schedule/submitPayment')
  await see(page.getByText(shop.shop_name, { exact: true }).first())
})

test('staff remind the shop that is to act, once', async () => {
  const shop = await standing('signing')
  const page = await office.openAs('10090', `/admin/merchant/progress?turn=shop&search=${shop.merchant_id}`)
  const row = page.getByRole('row', { name: shop.shop_name })
  await row.getByRole('button', { name: '短信提醒' }).click()
  const dialog = page.getByRole('alertdialog', { name: `短信提醒「${shop.shop_name}」？` })
  await see(dialog.getByText(/签约链接/))
  assert.deepEqual(await axeFindings(page), [])
  await dialog.getByRole('button', { name: '发送提醒' }).click()
  await see(page.locator('[data-part=toasts]').getByText(/^提醒短信已排队，将发往 1\d\d\*+\d+$/))
  await see(row.getByText(/待发送|发送中|已提交|已送达/))
  assert.ok(await row.getByRole('button', { name: '短信提醒' }).getAttribute('aria-disabled'))
  const messages = await office.sql(
    `select from outbox_messages where merchant_id = ${shop.merchant_id} and template = 'onboarding-sign'`,
  )
  assert.equal(messages.length, 1)
})
