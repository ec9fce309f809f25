// The help centre and downloads in the browser (D3 §2): read, searched, voted, opened by a page's question mark; written and offered by staff.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, afterEach, before, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { exhaustive } from '../../lane.ts'
import {
  axeFindings,
  type BrowserOffice,
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

async function choose(page: Page, scope: Page | Locator, label: string, option: string) {
  await scope.getByRole('combobox', { name: label }).click()
  await page
    .locator('.ant-select-item-option')
    .filter({ hasText: option })
    .filter({ visible: true })
    .first()
    .click()
}

test('an agent reads by tabs, searches all of it, votes, and is told what to do where nothing is found', async () => {
  const page = await office.openAs('20001', '/admin/help/problem')
  await see(
    page.getByRole('heading', { name: '帮助中心' }),
    page.getByRole('heading', { name: '商户与版本' }),
  )
  await page.getByRole('tab', { name: '常见问题' }).click()
  await see(page.getByRole('button', { name: /短信发送失败的常见原因/ }))
  assert.match(page.url(), /activeName=commonality/)
  await page.goto('/admin/help/problem?activeName=commonality')
  await see(page.getByRole('tab', { name: '常见问题', selected: true }))

  const box = page.getByPlaceholder('搜索全部帮助')
  await box.fill('撤销 15 天')
  await page.keyboard.press('Enter')
  const found = page.getByRole('button', { name: /撤销买错的订单/ })
  await see(found, found.locator('mark').first())
  await found.click()
  await see(page.getByRole('heading', { name: '撤销买错的订单' }), page.getByText(/最后修改/))
  await see(page.getByRole('navigation', { name: '相关文章' }))
  await page.getByRole('button', { name: '没用' }).click()
  await see(toast(page, '感谢您的评价'))
  await page.getByRole('textbox', { name: /哪里没有说清楚/ }).fill('缺少截图')
  await page.getByRole('button', { name: '提交补充' }).click()
  await eventually(
    async () =>
      (await office.sql<{ comment: string }>(`select comment from help_votes where comment = '缺少截图'`))
        .length,
    1,
  )
  assert.deepEqual(await axeFindings(page), [])
  await page.getByRole('button', { name: '返回搜索结果' }).click()
  await see(found)
  await box.fill('火星基地')
  await page.keyboard.press('Enter')
  await see(page.getByText('没有找到与「火星基地」有关的帮助'), page.getByText(/写下您的问题/))
  await page.getByRole('button', { name: '意见反馈' }).click()
  await see(page.getByRole('dialog', { name: '意见反馈' }))
})

exhaustive(
  'a question mark beside the page’s name opens its article over the page, by the keyboard too',
  ['features/support/help/server.test.ts', 'test/e2e/support/help.e2e.ts'],
  async () => {
    const page = await office.openAs('20001', '/admin/detail/billingDetails')
    const mark = page.getByRole('button', { name: '本页帮助' })
    await see(mark)
    await mark.focus()
    await page.keyboard.press('Enter')
    const drawer = page.getByRole('dialog', { name: '本页帮助' })
    await see(drawer.getByRole('heading', { name: '撤销买错的订单' }), drawer.getByText(/须从最后一笔开始/))
    assert.match(page.url(), /billingDetails/)
    assert.deepEqual(await axeFindings(page), [])
    await page.keyboard.press('Escape')
    await gone(drawer)
    assert.ok(await mark.evaluate(button => button.matches(':focus')))
    await mark.click()
    await drawer.getByRole('link', { name: '在帮助中心打开' }).click()
    await see(
      page.getByRole('heading', { name: '帮助中心' }),
      page.getByRole('heading', { name: '撤销买错的订单' }),
    )
    await gone(drawer)
    await page.goto('/admin/help/downloads')
    await see(page.getByRole('heading', { name: '下载中心' }))
    assert.equal(await mark.count(), 0)
  },
)

test('staff write an article for a page, publish it, and an agent finds it there; a release note is new until read', async () => {
  const staff = await office.openAs('10090', '/admin/help/articles')
  await staff.getByRole('link', { name: '新增文章' }).click()
  await see(staff.getByRole('heading', { name: '新增帮助' }))
  await staff.getByRole('button', { name: '保存并发布' }).click()
  await see(staff.getByText('请输入标题', { exact: true }))
  await choose(staff, staff, '分类', '账号与安全')
  await staff.getByRole('textbox', { name: '标题' }).fill('怎样看消息')
  await staff.getByRole('textbox', { name: '正文' }).click()
  await staff.keyboard.type('点右上角的铃铛')
  await staff.getByRole('combobox', { name: '对应页面' }).fill('消息中心')
  await choose(staff, staff, '对应页面', '消息中心')
  await see(staff.getByRole('button', { name: /移除.*消息中心/ }))
  assert.deepEqual(await axeFindings(staff), [])
  await staff.getByRole('button', { name: '保存草稿' }).click()
  await see(toast(staff, '保存成功'))
  const row = staff.getByRole('row', { name: /怎样看消息/ })
  await see(row.getByText('草稿'))
  const agent = await office.openAs('20002', '/admin/account/notices')
  await see(agent.getByRole('heading', { name: '消息中心' }))
  await row.getByRole('button', { name: '发布' }).click()
  await see(toast(staff, '已发布'), row.getByText('已发布'))
  await agent.reload()
  await agent.getByRole('button', { name: '本页帮助' }).click()
  await see(agent.getByRole('dialog').getByText('点右上角的铃铛'))

  await staff.goto('/admin/help/article')
  await choose(staff, staff, '栏目', '版本更新')
  await staff.getByRole('textbox', { name: '版本号' }).fill('2099.1')
  await staff.getByRole('textbox', { name: '更新日期' }).fill(new Date().toISOString().slice(0, 10))
  await staff.keyboard.press('Enter')
  await staff.getByRole('textbox', { name: '标题' }).fill('今天的更新')
  await staff.getByRole('textbox', { name: '正文' }).click()
  await staff.keyboard.type('新增：帮助中心')
  await staff.getByRole('button', { name: '保存并发布' }).click()
  await see(toast(staff, '已发布'))
  await agent.goto('/admin/help/problem')
  await agent.getByRole('tab', { name: '版本更新（1 条新）' }).click()
  const note = agent.getByRole('button', { name: /今天的更新/ })
  await see(note.getByText('新', { exact: true }), note.getByText('2099.1'))
  await note.click()
  await see(agent.getByText('新增：帮助中心'))
  await agent.getByRole('button', { name: '返回版本更新' }).click()
  await see(agent.getByRole('tab', { name: '版本更新', exact: true }))

  await staff.goto('/admin/help/articles?search=撤销买错')
  await staff
    .getByRole('row', { name: /撤销买错的订单/ })
    .getByRole('button', { name: '更多操作' })
    .click()
  await staff.getByRole('menuitem', { name: '评价' }).click()
  await see(staff.getByRole('dialog').getByText('审批要等多久没有写'))
  assert.deepEqual(await axeFindings(staff), [])
})

test('staff upload a file, an agent finds it marked as the latest and downloads it, and it is withdrawn', async () => {
  const staff = await office.openAs('10090', '/admin/help/files')
  await staff.getByRole('button', { name: '上传文件' }).click()
  const form = staff.getByRole('dialog', { name: '上传文件' })
  await form.getByRole('button', { name: '保存' }).click()
  await see(form.getByText('请选择适用系统', { exact: true }).last())
  await choose(staff, form, '适用系统', 'Windows')
  await form.getByRole('textbox', { name: '名称' }).fill('收银客户端')
  await form.getByRole('textbox', { name: '版本号' }).fill('5.10.0')
  await form.getByLabel('选择要上传的文件').setInputFiles({
    name: '收银客户端-5.10.0.bin',
    mimeType: 'application/octet-stream',
    buffer: Buffer.alloc(3_000_000, 7),
  })
  await see(form.getByText('收银客户端-5.10.0.bin（2.9 MB）'))
  assert.deepEqual(await axeFindings(staff), [])
  await form.getByRole('button', { name: '保存' }).click()
  await see(toast(staff, '新增成功'), staff.getByRole('row', { name: /5\.10\.0/ }))

  const agent = await office.openAs('20001', '/admin/help/downloads')
  const file = agent.getByRole('listitem').filter({ hasText: '5.10.0' })
  await see(file.getByText('最新'), file.getByText(/2\.9 MB/))
  assert.deepEqual(await axeFindings(agent), [])
  const [taken] = await Promise.all([
    agent.waitForEvent('download'),
    file.getByRole('link', { name: '下载 收银客户端 5.10.0' }).click(),
  ])
  assert.equal(taken.suggestedFilename(), '收银客户端-5.10.0.bin')
  assert.equal(readFileSync(await taken.path()).length, 3_000_000)
  await agent.reload()
  await see(file.getByText(/下载 1 次/))
  await agent.getByText('历史版本（3）').click()
  await see(rowOf(agent, '5.2.1'))

  await staff
    .getByRole('row', { name: /5\.10\.0/ })
    .getByRole('button', { name: '下架' })
    .click()
  await staff.getByRole('alertdialog').getByRole('button', { name: '下架' }).click()
  await see(toast(staff, '已下架'))
  await agent.reload()
  await see(rowOf(agent, '5.2.1').getByText('最新'))
  assert.equal(await file.count(), 0)
})

exhaustive(
  'on a phone an article fits and is large enough for a thumb',
  ['test/e2e/house/pages.e2e.ts'],
  async () => {
    const page = await office.openAs('20001', '/admin/help/problem?article=8', { viewport: PHONE })
    await see(page.getByRole('heading', { level: 1 }))
    assert.equal(await sidewaysScroll(page), 0)
    assert.deepEqual(await axeFindings(page), [])
  },
)
