// The operator edits what everybody chooses from, sets a limit, and carries the configuration as a file.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { placeholder } from '#kit/words/placeholders.ts'
import { exhaustive } from '../../lane.ts'
import {
  axeFindings,
  type BrowserOffice,
  eventually,
  gone,
  LAYER,
  openBrowserOffice,
  PHONE,
  see,
  sidewaysScroll,
  toast,
} from '../browser.ts'
import { flaws } from '../looks.ts'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice()
})
afterEach(() => office.closePages())
after(() => office.stop())

const PAGE = '/admin/operations/reference'
const line = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })
const more = async (page: Page, name: string, action: string) => {
  await line(page, name).getByRole('button', { name: '更多操作' }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

test('an industry is added and renamed; one in use is not deleted, and retires; a limit is changed; a text is read as it will be sent', async () => {
  const page = await office.openAs('10001', `${PAGE}?table=industries`)
  await page.getByRole('button', { name: '新增行业' }).click()
  const form = page.getByRole('dialog', { name: '新增行业' })
  await form.getByRole('button', { name: '保存' }).click()
  await see(form.getByText('请输入行业名称'))
  await form.getByRole('textbox', { name: '行业名称' }).fill('宠物用品')
  await form.getByRole('button', { name: '保存' }).click()
  await see(toast(page, '新增成功'), line(page, '宠物用品'))
  await page.getByRole('button', { name: '编辑 宠物用品' }).click()
  await page.getByRole('textbox', { name: '行业名称' }).fill('宠物服务')
  await page.getByRole('dialog').getByRole('button', { name: '保存' }).click()
  await see(toast(page, '修改成功'), line(page, '宠物服务'))

  await more(page, '餐饮美食', '删除')
  const removal = page.getByRole('dialog', { name: '删除「餐饮美食」？' })
  await see(removal.getByText(/商户 \d+ 家正在使用，不能删除，可以停用/).first())
  await removal.getByRole('button', { name: '删除' }).click()
  await see(removal.getByRole('alert').getByText(/不能删除/))
  await removal.getByRole('button', { name: '取消' }).click()

  await more(page, '餐饮美食', '停用')
  const end = page.getByRole('dialog', { name: '停用「餐饮美食」？' })
  await see(end.getByText(/停用后不再供新的选择/))
  await end.getByRole('button', { name: '停用' }).click()
  await see(toast(page, '已停用'), line(page, '餐饮美食').getByText('已停用'))
  assert.deepEqual(await axeFindings(page), [])

  await page.goto(`${PAGE}?table=settings`)
  await page.getByRole('button', { name: '修改撤销期限' }).click()
  const setting = page.getByRole('dialog', { name: '修改撤销期限' })
  await setting.getByRole('textbox', { name: '撤销期限' }).fill('400')
  await setting.getByRole('button', { name: '保存' }).click()
  await see(setting.getByText('撤销期限须在 1 到 90 天之间'))
  await setting.getByRole('textbox', { name: '撤销期限' }).fill('12')
  await setting.getByRole('button', { name: '保存' }).click()
  await see(toast(page, '已保存，几秒内生效'), line(page, '撤销期限').getByText('12 天'))
  const partner = await office.signIn('20001')
  const answer = await partner.request.get('/api/settlement/bills?size=100')
  assert.ok((await answer.text()).includes('订单支付已超过12天，不能撤销'))

  await page.goto(`${PAGE}?table=sms-templates`)
  await page.getByRole('button', { name: '编辑 续费提醒', exact: true }).click()
  const text = page.getByRole('dialog', { name: '编辑短信模板：续费提醒' })
  const read = text.getByRole('figure', { name: '预览' })
  await see(read.getByText('尊敬的商户「【店铺名称】」，您使用的【版本】'))
  await text.getByRole('textbox', { name: '正文' }).fill(`贵店${placeholder('shop')}`)
  await see(read.getByText('贵店【店铺名称】'))
  assert.deepEqual(await flaws(page, LAYER), [])
})

exhaustive(
  'the configuration is saved as a file, checked and brought in',
  ['features/office/reference-data/server-configuration.test.ts', 'test/configuration.test.ts'],
  async () => {
    const page = await office.openAs('10001', `${PAGE}?table=configuration`)
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: '导出配置' }).click()
    const path = await (await saving).path()
    await page.getByLabel('选择配置文件').setInputFiles({
      name: 'same.json',
      mimeType: 'application/json',
      buffer: readFileSync(path),
    })
    await see(page.getByText('与本系统的配置相同', { exact: true }))
    const file = JSON.parse(readFileSync(path, 'utf8'))
    file.tables.reasons.push({ id: 900, kind: 'undo', name: '试用不满意', position: 900, retiredAt: null })
    const changed = `${path}.json`
    writeFileSync(changed, JSON.stringify(file))
    await page.getByLabel('选择配置文件').setInputFiles(changed)
    await see(page.getByText('新增 1 项：试用不满意（900）'))
    assert.deepEqual(await axeFindings(page), [])
    await page.getByRole('button', { name: '导入', exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: '导入' }).click()
    await see(toast(page, '配置已导入'))
    await gone(page.getByText('新增 1 项：试用不满意（900）'))
    await eventually(
      async () => (await office.sql('select 1 from reasons where id = 900')).length,
      1,
      'the reason is there',
    )
  },
)

exhaustive(
  'the tables stand on a phone',
  ['test/e2e/office/reference.e2e.ts', 'features/office/reference-data/server.test.ts'],
  async () => {
    const page = await office.openAs('10001', `${PAGE}?table=payment-methods`, { viewport: PHONE })
    await page.getByRole('button', { name: '编辑 机构收单' }).click()
    await see(page.getByRole('dialog').getByRole('textbox', { name: '字段名 3' }))
    assert.equal(await sidewaysScroll(page), 0)
  },
)
