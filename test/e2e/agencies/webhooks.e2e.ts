// An owner names an address that is told of changes, tries it, and sees what was sent and answered.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { deliverWebhooks } from '#features/agencies/webhooks/server-deliver.ts'
import { sequenceChanges } from '#features/shops/pos-changes/server.ts'
import { openReceiver, type Receiver } from '../../changes/receiver.ts'
import { type BrowserOffice, openBrowserOffice, see, toast } from '../browser.ts'

let office: BrowserOffice
let receiver: Receiver
before(async () => {
  office = await openBrowserOffice()
  receiver = await openReceiver()
})
afterEach(() => office.closePages())
after(async () => {
  await receiver.stop()
  await office.stop()
})

const PAGE = '/admin/account/webhooks'
const dialog = (page: Page) => page.getByRole('dialog')
const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

async function more(page: Page, text: string, action: string): Promise<void> {
  const button = rowOf(page, text).getByRole('button', { name: action, exact: true })
  if ((await button.count()) > 0) return button.click()
  await rowOf(page, text).getByRole('button', { name: /更多/ }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

async function settle(): Promise<void> {
  while (await sequenceChanges(office.app.services));
  while (await deliverWebhooks(office.app.services));
}

test('an owner adds an address, keeps its secret, tries it and sends a delivery once more', async () => {
  const page = await office.openAs('20001', PAGE)
  await page.getByRole('button', { name: '新建接收地址' }).click()
  const form = dialog(page)
  await form.getByRole('button', { name: '新建并生成密钥' }).click()
  await see(form.getByText('请输入接收地址'))
  await form.getByLabel('接收地址').fill('https://10.0.0.1/hooks')
  await form.getByRole('button', { name: '新建并生成密钥' }).click()
  await see(form.getByText('接收地址须在公网上，不能是本机、内网或保留地址'))
  await form.getByLabel('接收地址').fill(receiver.url)
  await form.getByRole('button', { name: '新建并生成密钥' }).click()
  const secret = await dialog(page).locator('[data-part=secret]').innerText()
  assert.match(secret, /^whsec_/)
  receiver.secrets.push(secret)
  await page.getByRole('button', { name: '我已保存' }).click()
  await see(rowOf(page, receiver.url).getByText('全部事件'))
  assert.equal(await page.getByText(secret).count(), 0)

  await more(page, receiver.url, '发送测试')
  await see(toast(page, '测试事件已排队，请在投递记录中查看结果'))
  await settle()
  assert.deepEqual(
    receiver.messages.map(({ type }) => type),
    ['webhook.test'],
  )
  await more(page, receiver.url, '投递记录')
  const row = page.getByRole('row').filter({ hasText: '测试' })
  await see(row.getByText('已送达'), row.getByText('200'))
  await row.getByRole('button', { name: '查看' }).click()
  await see(dialog(page).getByText('"type":"webhook.test"'), dialog(page).getByText('ok', { exact: true }))
  await page.getByRole('button', { name: '关闭' }).last().click()
  await row.getByRole('button', { name: '重新投递' }).click()
  await see(toast(page, '已排队重新投递'))
  await settle()
  assert.equal(new Set(receiver.messages.map(({ id }) => id)).size, 1)
  assert.equal(receiver.messages.length, 2)
})
