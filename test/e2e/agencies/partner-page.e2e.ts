// The page of a partner: what is counted leads to its lists, staff write notes and keep papers, a partner is put under another.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { DEMO_AGENTS } from '#features/office/access/demo.ts'
import { exhaustive } from '../../lane.ts'
import { PDF } from '../../make-papers.ts'
import {
  axeFindings,
  type BrowserOffice,
  DESKTOP,
  eventually,
  gone,
  openBrowserOffice,
  PHONE,
  rowOf,
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

const LIST = '/admin/operations/agents'
const PAGE = `${LIST}/${DEMO_AGENTS.first}`
const nameOf = async (id: number) =>
  (await office.sql<{ name: string }>('select company_name as name from agents where id = $1', [id]))[0]
    ?.name ?? ''
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })
const TABS = ['概况', '商户', '订单', '账目', '人员', '登录记录', '备注', '操作日志', '资料']

test('the list leads to the page; each tab shows something; a note and a paper are kept; numbers lead to the whole lists', async () => {
  const company = await nameOf(DEMO_AGENTS.first)
  const page = await office.openAs('10001', LIST)
  await page.getByRole('link', { name: company, exact: true }).first().click()
  await page.waitForURL(`**${PAGE}`)
  await see(page.getByRole('heading', { level: 1, name: new RegExp(company) }))
  for (const name of TABS) {
    await tab(page, name).click()
    const panel = page.getByRole('tabpanel', { name })
    await see(panel.getByRole('heading', { level: 2 }))
    assert.deepEqual(await axeFindings(page), [], name)
  }

  await tab(page, '备注').click()
  const note = page.getByRole('textbox', { name: '新备注' })
  await page.getByRole('button', { name: '记录备注' }).click()
  await see(page.getByText('请输入备注', { exact: true }))
  await note.fill('客户希望下季度增加培训。')
  await page.getByRole('button', { name: '记录备注' }).click()
  await see(toast(page, '已记录'))
  await see(page.getByRole('listitem').filter({ hasText: '客户希望下季度增加培训。' }))
  await eventually(() => note.inputValue(), '')

  await tab(page, '资料').click()
  await page.getByRole('button', { name: '上传资料' }).click()
  const dialog = page.getByRole('dialog', { name: '上传资料' })
  await dialog.getByLabel('选择资料文件').setInputFiles({
    name: '说明.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('x'),
  })
  await see(dialog.getByText('文件格式须为 jpg、jpeg、png 或 pdf'))
  await dialog.getByLabel('选择资料文件').setInputFiles({
    name: '2026合作合同.pdf',
    mimeType: 'application/pdf',
    buffer: PDF,
  })
  await see(dialog.getByText('已上传：2026合作合同.pdf'))
  assert.equal(await dialog.getByRole('textbox', { name: '资料名称' }).inputValue(), '2026合作合同')
  assert.deepEqual(await axeFindings(page), [])
  await dialog.getByRole('button', { name: '保存资料' }).click()
  const line = page.getByRole('listitem').filter({ hasText: '合同：2026合作合同' })
  await see(toast(page, '资料已保存'), line)
  const saving = page.waitForEvent('download')
  await line.getByRole('link', { name: '下载' }).click()
  assert.match((await saving).suggestedFilename(), /2026合作合同\.pdf$/)
  await line.getByRole('button', { name: /^移除/ }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: '移除资料' }).click()
  await see(toast(page, '已移除'))
  await gone(line)

  for (const name of ['资料', '订单']) {
    await page.setViewportSize(DESKTOP)
    await tab(page, name).click()
    await see(page.getByRole('tabpanel', { name }).getByRole('heading', { level: 2 }))
    await page.setViewportSize(PHONE)
    assert.equal(await sidewaysScroll(page), 0, name)
  }
  await page.setViewportSize(DESKTOP)
  await tab(page, '商户').click()
  await page.getByRole('link', { name: /^全部 \d+/ }).click()
  await page.waitForURL(`**/admin/merchant/myMerchant?agentId=${DEMO_AGENTS.first}`)
  await see(page.getByText(`代理商：${company}`))
})

exhaustive(
  'the contract that ends soon is found, and so are the others',
  ['features/agencies/partners/desk/server-list.test.ts'],
  async () => {
    const page = await office.openAs('10001', `${LIST}?ending=true`)
    const company = await nameOf(DEMO_AGENTS.other)
    await see(page.getByRole('link', { name: company, exact: true }), page.getByText('合同：合同即将到期'))
    await page.goto(`${LIST}?regionCode=44`)
    await see(
      page.getByText('地区：广东省'),
      page.getByRole('link', { name: await nameOf(DEMO_AGENTS.first) }),
    )
  },
)

exhaustive(
  'a partner is suspended and resumed on its page',
  ['features/agencies/partners/server-suspension.test.ts', 'test/e2e/house/from-nothing.e2e.ts'],
  async () => {
    const page = await office.openAs('10001', `${LIST}/${DEMO_AGENTS.below}`)
    const menu = async (name: string) => {
      await page.getByRole('button', { name: '更多操作' }).click()
      await page.getByRole('menuitem', { name, exact: true }).click()
    }
    await menu('暂停')
    const dialog = page.getByRole('dialog', { name: /^暂停：/ })
    await dialog.getByRole('textbox', { name: '原因' }).fill('合同款逾期')
    await dialog.getByRole('button', { name: '暂停' }).click()
    await see(page.getByText(/已暂停：合同款逾期/))
    const parent = await office.openAs('20001', '/admin/detail/subAgents')
    await see(parent.getByRole('row').filter({ hasText: '已暂停' }))
    await menu('恢复')
    await gone(page.getByText(/已暂停：合同款逾期/))
  },
)

test('the tree is opened a level at a time, and another parent is shown before it is saved', async () => {
  const [first, below] = [await nameOf(DEMO_AGENTS.first), await nameOf(DEMO_AGENTS.below)]
  const other = await nameOf(DEMO_AGENTS.other)
  const page = await office.openAs('10001', '/admin/operations/agentTree')
  await page.getByRole('button', { name: `${first} 的下级` }).click()
  const branch = rowOf(page.getByRole('listitem').filter({ hasText: first }), below)
  await see(branch)
  assert.deepEqual(await axeFindings(page), [])
  await branch.getByRole('button', { name: '调整上级' }).click()
  const dialog = page.getByRole('dialog', { name: `调整上级：${below}` })
  await see(dialog.getByText(`${first}（${DEMO_AGENTS.first}）`))
  const picker = dialog.getByRole('combobox', { name: '新的上级' })
  await picker.fill(String(DEMO_AGENTS.below))
  await page.getByTitle(`${below}（${DEMO_AGENTS.below}）`, { exact: true }).click()
  await see(dialog.getByText('上级不能是自己或自己的下级').first())
  await picker.fill(String(DEMO_AGENTS.other))
  await page.getByTitle(`${other}（${DEMO_AGENTS.other}）`, { exact: true }).click()
  await see(dialog.getByText(`新上级 ${other}`), dialog.getByText(`原上级 ${first}`))
  await dialog.getByRole('button', { name: '调整上级' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: '调整上级' }).click()
  await see(toast(page, '上级已调整，已通知相关各方'))
  await see(page.getByRole('button', { name: `${other} 的下级` }))
})

exhaustive(
  'an open invitation is revoked, and its address lets nobody in any more',
  ['features/agencies/partners/server.test.ts'],
  async () => {
    const page = await office.openAs('10001', `${LIST}?search=107`)
    await rowOf(page.getByRole('table'), '107').getByRole('button', { name: '更多操作' }).click()
    await page.getByRole('menuitem', { name: '撤销邀请' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: '撤销邀请' }).click()
    await see(page.locator('[data-part=toasts]').getByText(/已撤销对/))
    const [row] = await office.sql<{ revoked: boolean }>(
      'select revoked_at is not null as revoked from partner_invitations where agent_id = 107 order by id desc limit 1',
    )
    assert.equal(row?.revoked, true)
  },
)

exhaustive(
  'an agency does not see the page, whose tabs a phone shows without scrolling sideways',
  [
    'features/agencies/partners/desk/server.test.ts',
    'test/permissions.test.ts',
    'test/e2e/agencies/partner-page.e2e.ts',
  ],
  async () => {
    const agent = await office.openAs('20001', PAGE)
    await see(agent.getByText('您没有操作权限!'))
    for (const path of [`${PAGE}?tab=orders`, `${PAGE}?tab=papers`]) {
      const page = await office.openAs('10001', path, { viewport: PHONE, dark: true })
      await see(page.getByRole('heading', { level: 1 }))
      assert.equal(await sidewaysScroll(page), 0, path)
    }
  },
)
