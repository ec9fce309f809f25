// An owner gives a program a key, sees what it does, changes it for another and ends it.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type BrowserOffice, eventually, LAYER, openBrowserOffice, see, toast } from '../browser.ts'
import { flaws, lookWide } from '../looks.ts'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice()
})
afterEach(() => office.closePages())
after(() => office.stop())

const PAGE = '/admin/account/apiKeys'
const dialog = (page: Page) => page.getByRole('dialog')
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

/** As a program does, without any cookie. */
async function statusOf(token: string): Promise<number> {
  const answer = await fetch(`${office.app.services.baseUrl()}/api/merchants`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return answer.status
}

/** What is shown this once. */
async function givenToken(page: Page): Promise<string> {
  const text = await dialog(page).locator('[data-part=token]').innerText()
  assert.match(text, /^pok_[\w-]{43}$/)
  await page.getByRole('button', { name: '我已保存' }).click()
  return text
}

async function more(page: Page, name: string, action: string): Promise<void> {
  await rowOf(page, name).getByRole('button', { name: /更多/ }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

test('an owner makes a key that reads shops, sees its calls, rotates it and ends it', async () => {
  const page = await office.openAs('20001', PAGE)
  await page.getByRole('button', { name: '新建密钥' }).click()
  const form = dialog(page)
  await form.getByRole('button', { name: '生成密钥' }).click()
  await see(form.getByText('请输入密钥名称'), form.getByText('请选择至少一项权限'))
  await form.getByLabel('密钥名称').fill('进销存')
  await form.getByLabel('允许的地址').fill('127.0.0.0/8\nnowhere')
  await form.getByRole('checkbox', { name: '我的商户', exact: true }).check()
  assert.equal(await form.getByRole('checkbox', { name: '编辑角色', exact: true }).count(), 0)
  assert.deepEqual(await flaws(page, LAYER), [])
  await lookWide(page)
  await form.getByRole('button', { name: '生成密钥' }).click()
  await see(form.getByText('地址须为 IP 或网段'))
  await form.getByLabel('允许的地址').fill('127.0.0.0/8')
  await form.getByRole('button', { name: '生成密钥' }).click()
  const token = await givenToken(page)
  await see(
    rowOf(page, '进销存').getByText(`…${token.slice(-4)}`),
    rowOf(page, '进销存').getByText('从未使用'),
  )
  assert.equal(await page.getByText(token).count(), 0)

  assert.equal(await statusOf(token), 200)
  await page.reload()
  await see(rowOf(page, '进销存').getByText('127.0.0.1'))
  await more(page, '进销存', '操作记录')
  await see(dialog(page).getByText('接口读取'), dialog(page).getByText('GET /api/merchants'))
  await page.keyboard.press('Escape')

  await rowOf(page, '进销存').getByRole('button', { name: '轮换' }).click()
  await page.getByRole('button', { name: '生成新密钥' }).click()
  const next = await givenToken(page)
  assert.deepEqual([await statusOf(token), await statusOf(next)], [200, 200])
  await see(rowOf(page, '进销存').getByText(/^旧密钥至/))
  await more(page, '进销存', '停用旧密钥')
  await page.getByRole('alertdialog').getByRole('button', { name: '停用旧密钥' }).click()
  await see(toast(page, '旧密钥已停用'))
  await eventually(() => statusOf(token), 401)
  assert.equal(await statusOf(next), 200)

  await more(page, '进销存', '撤销')
  await page.getByRole('alertdialog').getByRole('button', { name: '撤销密钥' }).click()
  await see(rowOf(page, '进销存').getByText('已撤销'))
  await eventually(() => statusOf(next), 401)
})
