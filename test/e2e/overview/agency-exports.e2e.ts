// The operator has everything of an agency made into one archive, takes it along with its certificate, and the agency reads that it was made.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type BrowserOffice, LAYER, openBrowserOffice, ready, rowOf, see, toast } from '../browser.ts'
import { flaws, lookWide } from '../looks.ts'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice({ exports: true })
})
afterEach(() => office.closePages())
after(() => office.stop())

async function saved(page: Page, row: ReturnType<typeof rowOf>, action: string): Promise<Buffer> {
  const saving = page.waitForEvent('download')
  await row.getByRole('button', { name: action }).click()
  return readFileSync(await (await saving).path())
}

test('an operator hands an agency its data over: a look at what there is, a reason, an archive, a certificate', async () => {
  const page = await office.openAs('10001', '/admin/operations/closings')
  await page.getByRole('link', { name: '数据移交', exact: true }).click()
  await ready(page)
  await page.getByRole('button', { name: '移交数据' }).click()
  const form = page.getByRole('dialog', { name: '移交数据' })
  await form.getByRole('button', { name: '开始生成' }).click()
  await see(form.getByText('请选择代理商'), form.getByText('请输入移交原因'))
  await form.getByRole('combobox', { name: '代理商' }).click()
  await page
    .getByTitle(/（103）$/)
    .filter({ visible: true })
    .click()
  await see(form.getByRole('region', { name: '压缩包内容' }).getByText(/条记录/))
  assert.deepEqual(await flaws(page, LAYER), [])
  await lookWide(page)
  await form.getByLabel('移交原因').fill('合作到期，不再续签')
  await form.getByRole('button', { name: '开始生成' }).click()
  await see(toast(page, '已开始，生成后可在列表中下载'))
  const row = rowOf(page, '合作到期，不再续签')
  await see(row.getByText('可下载'))
  assert.deepEqual(await flaws(page, 'main'), [])
  await lookWide(page)
  assert.equal((await saved(page, row, '下载')).subarray(0, 2).toString(), 'PK')
  assert.equal((await saved(page, row, '证明')).subarray(0, 5).toString(), '%PDF-')
})
