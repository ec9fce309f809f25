// A partner opens the door for an old program, which comes in until the operator closes its call and the partner the door.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { compatClient } from '#test/compat/client.ts'
import { type BrowserOffice, LAYER, openBrowserOffice, rowOf, see, toast } from '../browser.ts'
import { flaws, lookWide } from '../looks.ts'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice()
})
afterEach(() => office.closePages())
after(() => office.stop())

test('an owner opens it with the password, a program signs in, the operator sees and closes a call, the owner shuts the door', async () => {
  const client = compatClient(office.app.services.baseUrl())
  assert.equal((await client.signIn('20001', 'demo2026')).ok, false)
  const page = await office.openAs('20001', '/admin/account/security')
  await page.getByRole('button', { name: '开通旧接口' }).click()
  const dialog = page.getByRole('dialog')
  assert.deepEqual(await flaws(page, LAYER), [])
  await dialog.getByLabel('登录密码').fill('demo2026')
  await dialog.getByRole('button', { name: '开通', exact: true }).click()
  await see(toast(page, '已开通旧接口'), page.getByText(/已开通，有效至 \d{4}-\d\d-\d\d/))
  await lookWide(page)

  assert.equal((await client.signIn('20001', 'demo2026')).ok, true)
  assert.equal((await client.get('/UserInfo/GetPTSMSPackage')).ok, true)

  const operator = await office.openAs('10001', '/admin/account/compatUses')
  await rowOf(operator, 'GetPTSMSPackage').getByRole('button', { name: '停用接口' }).click()
  await operator.getByRole('button', { name: '停用', exact: true }).click()
  await see(rowOf(operator, 'GetPTSMSPackage').getByText('已停用'))
  assert.equal((await client.get('/UserInfo/GetPTSMSPackage')).error, '此接口已停用，请联系管理员')
  assert.equal((await client.get('/UserInfo/PTGetUserList')).ok, true)

  await page.getByRole('button', { name: '关闭旧接口' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: '关闭旧接口' }).click()
  await see(toast(page, '已关闭旧接口'))
  assert.equal((await client.get('/UserInfo/PTGetUserList')).error, '登录已失效，请重新登录')
})
