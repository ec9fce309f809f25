// The page on which an agency gives the accounts that it is paid on itself: allowed by the operator, typed, checked by
// the service, switched on, and never shown again; and who is not allowed is told whom to ask.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { formatDay } from '#kit/time.ts'
import { exhaustive } from '../../lane.ts'
import {
  axeFindings,
  type BrowserOffice,
  fact,
  gone,
  openBrowserOffice,
  PHONE,
  pressWhere,
  see,
  sidewaysScroll,
  toast,
} from '../browser.ts'

const PAGE = '/admin/account/settingPayFor'
const OWNER = '20003'
const AGENT = 103
const WARNING = '暂未开通在线收款，请联系厂商'
const SECRETS = ['商户私钥', 'APIv3 密钥', 'AppSecret']

let office: BrowserOffice
let own: Record<'wechat' | 'alipay', Record<string, string>>
before(async () => {
  office = await openBrowserOffice({ outside: true })
  assert.ok(office.outside)
  own = office.outside.simulators.own
})
afterEach(() => office.closePages())
after(() => office.stop())

const account = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
/** A field by its label, which is marked where it is required. */
const field = (form: Locator, label: string) => form.getByLabel(new RegExp(`^${label}\\*?$`))
const button = (scope: Page | Locator, name: string) => scope.getByRole('button', { name, exact: true })

async function fill(form: Locator, values: Record<string, string | undefined>): Promise<void> {
  for (const [label, value] of Object.entries(values)) await field(form, label).fill(value ?? '')
}

/** What of the page, and of everything that it was answered, holds a part of what is secret. */
async function leaks(page: Page, answered: readonly string[]): Promise<string[]> {
  const typed = await page
    .locator('input, textarea')
    .evaluateAll(boxes => boxes.map(box => ('value' in box ? String(box.value) : '')))
  const shown = [await page.content(), ...typed, ...answered].join('\n')
  const { privateKey = '', apiV3Key = '', appSecret = '' } = own.wechat
  return [privateKey.split('\n')[1] ?? '', apiV3Key, appSecret].filter(
    secret => secret === '' || shown.includes(secret),
  )
}

exhaustive(
  'an agency that is not allowed reads whom to ask, and can save nothing',
  ['features/money/payment-settings/server.test.ts', 'test/e2e/money/payment-settings.e2e.ts'],
  async () => {
    const page = await office.openAs(OWNER, PAGE)
    await see(page.getByRole('alert').getByText(WARNING, { exact: true }))
    for (const name of ['设置微信', '设置支付宝', '设置密钥'])
      assert.equal(await button(page, name).getAttribute('aria-disabled'), 'true', name)
    await pressWhere(button(page, '设置微信'))
    assert.equal(await page.getByRole('dialog').count(), 0)
    assert.deepEqual(await axeFindings(page), [])
    assert.deepEqual(await office.sql('select 1 from payment_settings where agent_id = $1', [AGENT]), [])
  },
)

test('the operator allows it; WeChat Pay is typed, told what is wrong by the service, put right and switched on', async () => {
  const page = await office.openAs(OWNER, PAGE)
  await see(page.getByRole('alert').getByText(WARNING, { exact: true }))
  assert.equal(await button(page, '设置微信').getAttribute('aria-disabled'), 'true')
  const desk = await office.openAs('10001', `/admin/operations/agents?search=${AGENT}`)
  const row = desk.getByRole('row').filter({ hasText: String(AGENT) })
  await row.getByRole('button', { name: '更多操作' }).click()
  await desk.getByRole('menuitem', { name: '开收款' }).click()
  await see(desk.locator('[data-part=toasts]').getByText(/^已开通在线收款/))

  const answered: string[] = []
  // Read before the page is told: a body is gone once its page was loaded anew or closed.
  await page.route('**/api/**', async route => {
    const answer = await route.fetch()
    answered.push(await answer.text())
    await route.fulfill({ response: answer })
  })
  await page.reload()
  const wechat = account(page, '微信')
  await see(wechat.getByText('还没有设置'))
  await button(page, '设置微信').click()
  const form = page.getByRole('dialog', { name: '微信支付设置' })
  await button(form, '保存').click()
  await see(form.getByText('请输入AppID', { exact: true }), form.getByText('请输入商户私钥', { exact: true }))
  assert.deepEqual(await axeFindings(page), [])
  await fill(form, {
    AppID: own.wechat.appid,
    商户号: own.wechat.mchid,
    商户证书序列号: own.wechat.serial,
    商户私钥: own.wechat.privateKey,
    'APIv3 密钥': 'Z'.repeat(32),
    微信支付公钥ID: own.wechat.publicKeyId,
    微信支付公钥: own.wechat.publicKey,
    AppSecret: own.wechat.appSecret,
  })
  await button(form, '保存').click()
  await see(toast(page, '已保存，请检测后启用'), wechat.getByText('尚未检测，检测正确后才能启用'))
  const on = wechat.getByRole('switch')
  assert.equal(await on.getAttribute('aria-disabled'), 'true')
  await button(wechat, '检测').click()
  await see(wechat.getByText('检测有误'), wechat.getByText('APIv3 密钥不正确：无法解密微信支付返回的证书'))
  assert.equal(await on.getAttribute('aria-disabled'), 'true')

  // What is left empty stays: the right key alone is typed.
  await button(wechat, '修改').click()
  await see(form)
  for (const label of SECRETS) assert.equal(await field(form, label).inputValue(), '', label)
  await fill(form, { 'APIv3 密钥': own.wechat.apiV3Key })
  await button(form, '保存').click()
  await see(wechat.getByText('需重新检测'))
  await button(wechat, '检测').click()
  await see(wechat.getByText('检测正确'), wechat.getByText('商户号、证书、密钥与 AppID 均正确'))
  await on.click()
  await see(toast(page, '已启用微信收款'), wechat.getByText('收款中'))
  assert.deepEqual(await axeFindings(page), [])

  await page.reload()
  const [{ name = '' } = {}] = await office.sql<{ name: string }>(
    'select name from accounts where login_name = $1',
    [OWNER],
  )
  for (const label of SECRETS) {
    const shown = await fact(wechat, label).innerText()
    assert.match(shown, /^已设置/)
    assert.ok(shown.includes(formatDay(new Date())) && shown.includes(name), shown)
  }
  assert.equal(await fact(wechat, '商户号').innerText(), own.wechat.mchid)
  await button(wechat, '修改').click()
  await see(form)
  await page.unrouteAll({ behavior: 'wait' })
  const { mchid } = own.wechat
  assert.ok(mchid && answered.some(text => text.includes(mchid)))
  assert.deepEqual(await leaks(page, answered), [])
})

exhaustive(
  'Alipay is checked and switched on, and the page holds on a phone in both themes',
  [
    'features/money/payment-settings/server.test.ts',
    'features/sales/payments/desk/server-own.test.ts',
    'test/e2e/house/pages.e2e.ts',
  ],
  async () => {
    await office.sql('update agents set pay_enabled = true where id = $1', [AGENT])
    const page = await office.openAs(OWNER, PAGE)
    const alipay = account(page, '支付宝')
    await button(page, '设置支付宝').click()
    const form = page.getByRole('dialog', { name: '支付宝支付设置' })
    await fill(form, {
      应用ID: own.alipay.appId,
      商户PID: own.alipay.sellerId,
      应用私钥: own.alipay.privateKey,
      支付宝公钥: own.alipay.alipayPublicKey,
    })
    await button(form, '保存').click()
    await gone(form)
    await button(alipay, '检测').click()
    await see(alipay.getByText('检测正确'))
    await alipay.getByRole('switch').click()
    await see(toast(page, '已启用支付宝收款'))
    for (const dark of [false, true]) {
      const phone = await office.openAs(OWNER, PAGE, { viewport: PHONE, dark })
      await see(account(phone, '支付宝').getByText('收款中'))
      assert.deepEqual([await axeFindings(phone), await sidewaysScroll(phone)], [[], 0])
    }
    const wide = await office.openAs(OWNER, PAGE, { dark: true })
    await see(account(wide, '支付宝').getByText('收款中'))
    assert.deepEqual(await axeFindings(wide, { colours: true }), [])
  },
)
