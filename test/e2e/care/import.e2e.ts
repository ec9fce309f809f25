// A partner brings its shops in a spreadsheet: uploads it, mends what is wrong, rehearses, imports, and takes all of it back.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Cells } from '#features/care/shop-import/rules.ts'
import { sampleCells, sampleCsv } from '#features/care/shop-import/sample.ts'
import { workOnImports } from '#features/care/shop-import/server-work.ts'
import { exhaustive } from '../../lane.ts'
import {
  axeFindings,
  type BrowserOffice,
  DESKTOP,
  openBrowserOffice,
  PHONE,
  rowOf,
  see,
  sidewaysScroll,
  toast,
} from '../browser.ts'

const LIST = '/admin/merchant/merchantImport'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice()
})
afterEach(() => office.closePages())
after(() => office.stop())

let accounts = 0
const nextAccount = () => `168${String(++accounts).padStart(8, '0')}`
const looksWell = async (page: Page) =>
  assert.deepEqual([await axeFindings(page), await sidewaysScroll(page)], [[], 0])

async function upload(page: Page, lines: readonly Cells[]): Promise<void> {
  await page.getByRole('button', { name: '上传表格' }).click()
  const dialog = page.getByRole('dialog', { name: '上传店铺表格' })
  await see(dialog)
  await looksWell(page)
  await dialog.getByRole('button', { name: '上传并检查' }).click()
  await see(dialog.getByText('请选择表格文件'))
  const buffer = Buffer.from(sampleCsv(lines))
  await dialog.getByLabel('表格').setInputFiles({ name: '旧系统.csv', mimeType: 'text/csv', buffer })
  await dialog.getByRole('button', { name: '上传并检查' }).click()
  await see(page.getByRole('heading', { name: '旧系统.csv' }))
}

async function work(): Promise<void> {
  while (await workOnImports(office.app.services));
}

describe('shops from a file', () => {
  test('at a desk: mended for all and in place, rehearsed, imported and taken back', async () => {
    const page = await office.openAs('20001', LIST, { viewport: DESKTOP })
    const wide = [...nextAccount()].map(digit => String.fromCharCode(digit.charCodeAt(0) + 0xfee0)).join('')
    await upload(page, [
      sampleCells(nextAccount(), { sms: '1' }),
      sampleCells(wide),
      sampleCells(nextAccount(), { province: '广东' }),
      sampleCells('没有'),
    ])
    const start = page.getByRole('button', { name: '预演并导入' })
    await see(page.getByText('有误 2'))
    await looksWell(page)
    await page.getByRole('button', { name: '补全省、市、区 1 行' }).click()
    await see(page.getByText('有误 1'))
    await page.getByRole('button', { name: /第 5 行账号：没有/ }).click()
    const cell = page.getByRole('textbox', { name: '第 5 行账号' })
    await cell.fill(nextAccount())
    await cell.press('Enter')
    await page.getByText('可导入 4').waitFor()
    await start.click()
    const dialog = page.getByRole('dialog', { name: '预演' })
    await see(dialog.getByText('尚未写入任何内容'))
    await looksWell(page)
    await dialog.getByRole('button', { name: '开始导入 4 家' }).click()
    await see(toast(page, '已开始导入，可以离开此页'))
    await work()
    await see(page.getByText('已完成'), page.getByRole('row', { name: /^5 已导入/ }))
    await looksWell(page)
    const [made] = await office.sql<{ shops: number }>(
      `select count(*)::int as shops from merchants where account like '168%' and status = 'normal'`,
    )
    assert.equal(made?.shops, 4)
    await page.getByRole('button', { name: '整批撤回' }).click()
    const question = page.getByRole('dialog', { name: /整批撤回/ })
    await question.getByRole('button', { name: '整批撤回' }).click()
    await see(question.getByText('请输入撤回原因'))
    await question.getByLabel('撤回原因').fill('表格拿错了')
    await question.getByRole('button', { name: '整批撤回' }).click()
    await see(toast(page, '已开始撤回'))
    await work()
    await see(page.getByText('已撤回').first(), page.getByRole('row', { name: /^5 已撤回/ }))
    await looksWell(page)
    await office.verifyLedger()
  })

  exhaustive(
    'on a phone: a line is mended in a sheet',
    ['test/e2e/care/import.e2e.ts', 'features/care/shop-import/server.test.ts'],
    async () => {
      const page = await office.openAs('20001', LIST, { viewport: PHONE })
      await looksWell(page)
      await upload(page, [sampleCells('没有'), sampleCells(nextAccount())])
      await looksWell(page)
      await rowOf(page, '没有').getByRole('button', { name: '修改' }).click()
      const dialog = page.getByRole('dialog', { name: '第 2 行' })
      await see(dialog.getByText('账号格式不对'))
      await looksWell(page)
      await dialog.getByLabel('账号').fill(nextAccount())
      await dialog.getByRole('button', { name: '保存' }).click()
      await see(page.getByText('可导入 2'))
      await page.getByRole('button', { name: /列与默认值/ }).click()
      await see(page.getByRole('dialog', { name: '列与默认值' }))
      await looksWell(page)
    },
  )

  exhaustive(
    'what is no table is refused where it was chosen',
    ['features/care/shop-import/server-read.test.ts', 'web/form/Form.test.tsx'],
    async () => {
      const page = await office.openAs('20001', LIST)
      await page.getByRole('button', { name: '上传表格' }).click()
      const dialog = page.getByRole('dialog', { name: '上传店铺表格' })
      const buffer = Buffer.from('89504e470d0a1a0a0000000d', 'hex')
      await dialog.getByLabel('表格').setInputFiles({ name: '图.xlsx', mimeType: 'image/png', buffer })
      await dialog.getByRole('button', { name: '上传并检查' }).click()
      await see(dialog.getByText('该文件不是表格，请选择 Excel、WPS 表格或 CSV 文件'))
    },
  )
})
