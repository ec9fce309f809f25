// A work order in two browsers: a partner asks with a picture, the vendor's staff take it up, ask back, finish it; the partner is not
// satisfied, rates it in the end, and closes it. Each page hears of the other by itself.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { exhaustive } from '../../lane.ts'
import {
  axeFindings,
  type BrowserOffice,
  eventually,
  fact,
  gone,
  openBrowserOffice,
  PHONE,
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

const picture = async (name: string) => ({
  name,
  mimeType: 'image/png',
  buffer: await sharp({ create: { width: 320, height: 200, channels: 3, background: '#c33' } })
    .png()
    .toBuffer(),
})
const drawer = (page: Page) => page.getByRole('dialog', { name: /^工单 \d+$/ })
const press = (page: Page, name: string) => drawer(page).getByRole('button', { name, exact: true }).click()
const state = (page: Page, text: string) => drawer(page).locator('header').getByText(text, { exact: true })

/** Stands in the conversation. */
const said = (page: Page, text: string) => drawer(page).getByRole('region', { name: '对话' }).getByText(text)

async function say(page: Page, text: string): Promise<void> {
  await drawer(page).getByRole('textbox', { name: '回复内容' }).fill(text)
  await press(page, '发送回复')
  await see(toast(page, '已回复'), said(page, text))
}

test('a partner asks for something, and both follow it to its end', async () => {
  const agent = await office.openAs('20001', '/admin/help/workOrder')
  await see(agent.getByRole('navigation', { name: '按状态筛选' }).getByRole('button', { name: '全部 13' }))
  await agent.getByRole('button', { name: '新建工单' }).click()
  const form = agent.getByRole('dialog', { name: '新建工单' })
  await form.getByRole('button', { name: '提交工单' }).click()
  await see(
    form.getByText('请选择工单类型').last(),
    form.getByText('请输入标题'),
    form.getByText('请输入问题描述'),
  )
  assert.deepEqual(await axeFindings(agent), [])
  await form.getByRole('combobox', { name: '工单类型' }).click()
  await agent.getByTitle('硬件设备').click()
  await form.getByRole('radio', { name: '特急' }).check()
  await see(form.getByText('厂商会在 4 小时内处理'))
  await form.getByRole('textbox', { name: '标题' }).fill('电子秤读数不准')
  await form.getByRole('textbox', { name: '问题描述' }).fill('称重比实际多 50 克，校准后仍然如此')
  await form.getByRole('combobox', { name: '相关店铺' }).fill('10000003')
  await agent.getByTitle(/（10000003）$/).click()
  await form.getByLabel('添加图片').setInputFiles(await picture('电子秤.png'))
  await see(form.getByRole('img', { name: '待发送的图片 1' }))
  await form.getByRole('button', { name: '提交工单' }).click()
  await see(toast(agent, '工单已提交'), state(agent, '待受理'), fact(agent, '负责人').getByText('未分配'))
  await see(drawer(agent).getByRole('img'), fact(agent, '店铺').getByText(/10000003/))
  assert.deepEqual(await axeFindings(agent), [])

  const staff = await office.openAs('10090', '/admin/help/workOrderList')
  const row = staff.getByRole('row', { name: /电子秤读数不准/ })
  await see(row.getByText('特急'))
  // What is overdue stands first.
  const [first] = await staff.locator('tbody tr').allInnerTexts()
  assert.match(first ?? '', /已逾期/)
  await row.getByRole('button', { name: '查看' }).click()
  await press(staff, '受理')
  await see(toast(staff, '已更新状态'), state(staff, '已受理'), state(agent, '已受理'))
  await see(fact(agent, '负责人').getByText('袁娜'))
  await press(staff, '开始处理')
  await see(state(agent, '处理中'))

  await press(staff, '分配')
  const assigning = staff.getByRole('dialog', { name: '分配工单' })
  await assigning.getByRole('combobox', { name: '负责人' }).click()
  const colleague = staff.locator('.ant-select-item-option').filter({ hasNotText: '袁娜' }).first()
  const name = await colleague.innerText()
  await colleague.click()
  assert.deepEqual(await axeFindings(staff), [])
  await assigning.getByRole('button', { name: '保存' }).click()
  await see(toast(staff, '已分配'), fact(agent, '负责人').getByText(name))

  await press(staff, '请代理商补充')
  const asking = staff.getByRole('dialog', { name: '请代理商补充' })
  await asking.getByRole('button', { name: '请代理商补充' }).click()
  await see(asking.getByText('请输入需要补充的内容'))
  await asking.getByRole('textbox', { name: '需要补充什么' }).fill('请拍一下秤底部的铭牌')
  await asking.getByRole('button', { name: '请代理商补充' }).click()
  await see(state(agent, '待代理商补充'), said(agent, '请拍一下秤底部的铭牌'))
  assert.equal(await fact(agent, '截止时间').count(), 0)

  await drawer(agent).getByRole('textbox', { name: '回复内容' }).pressSequentially('铭牌')
  await see(drawer(staff).getByText(/正在回复…/))
  await say(agent, '铭牌见附件')
  await see(state(staff, '处理中'), said(staff, '铭牌见附件'))

  await drawer(staff).getByRole('radio', { name: '内部备注' }).check()
  await drawer(staff).getByRole('textbox', { name: '内部备注' }).fill('这批秤要召回')
  await press(staff, '保存备注')
  await see(toast(staff, '已保存备注'), said(staff, '这批秤要召回'))

  await press(staff, '截止时间')
  const due = staff.getByRole('dialog', { name: '修改截止时间' })
  await see(due.getByRole('button', { name: '保存' }))
  assert.deepEqual(await axeFindings(staff), [])
  await due.getByRole('button', { name: '取消' }).click()

  await press(staff, '完成')
  const finishing = staff.getByRole('dialog', { name: '完成' })
  await finishing.getByRole('textbox', { name: '处理结果' }).fill('已远程校准')
  await finishing.getByRole('button', { name: '完成' }).click()
  await see(state(agent, '已完成'), said(agent, '已远程校准'))
  assert.ok(!(await drawer(agent).innerText()).includes('召回'), 'a note is shown to the partner')

  await press(agent, '重新打开')
  const reopening = agent.getByRole('dialog', { name: '重新打开工单' })
  await reopening.getByRole('textbox', { name: '哪里没有解决' }).fill('还是多 20 克')
  await reopening.getByRole('button', { name: '重新打开' }).click()
  await see(toast(agent, '工单已重新打开'), state(staff, '处理中'), said(staff, '还是多 20 克'))
  await press(staff, '完成')
  await finishing.getByRole('button', { name: '完成' }).click()
  await see(state(agent, '已完成'))

  await press(agent, '评价')
  const rating = agent.getByRole('dialog', { name: '评价工单' })
  await rating.getByRole('button', { name: '提交评价' }).click()
  await see(rating.getByText('请选择满意度'))
  await rating.getByRole('radio', { name: '4 分 满意' }).check()
  await rating.getByRole('textbox', { name: '评价' }).fill('第二次解决了')
  assert.deepEqual(await axeFindings(agent), [])
  await rating.getByRole('button', { name: '提交评价' }).click()
  await see(fact(staff, '满意度').getByText('4 分 满意：第二次解决了'))
  assert.match(
    (await drawer(agent).getByRole('button', { name: '重新打开' }).getAttribute('data-tip')) ?? '',
    /已评价满意/,
  )

  await drawer(agent)
    .getByText(/^处理记录（\d+）$/)
    .click()
  await see(drawer(agent).getByRole('list', { name: '处理记录' }).getByText('重新打开了工单'))
  assert.deepEqual(await axeFindings(agent), [])
  await press(agent, '关闭工单')
  await agent.getByRole('alertdialog').getByRole('button', { name: '关闭工单' }).click()
  await see(state(staff, '已关闭'), drawer(agent).getByText('该工单已关闭，不能再回复'))
  await gone(drawer(agent).getByRole('textbox', { name: '回复内容' }))
  await see(drawer(staff).getByText('该工单已关闭，不能再回复，可以留下内部备注'))
})

exhaustive(
  'of two of the staff at once the second is told who was first, and keeps what was typed',
  ['features/support/work-orders/server-vendor.test.ts', 'web/talk/MessageForm.test.tsx'],
  async () => {
    const [row] = await office.sql<{ id: string; title: string }>(
      `select id, title from work_orders where state = 'working' order by id limit 1`,
    )
    assert.ok(row)
    const page = await office.openAs('10090', `/admin/help/workOrderList?workOrder=${row.id}`)
    await drawer(page).getByRole('textbox', { name: '回复内容' }).fill('正在核对')
    await office.sql(
      `update work_orders set revision = revision + 1, changed_by_name = '李涛梓' where id = $1`,
      [row.id],
    )
    await press(page, '发送回复')
    await see(drawer(page).getByText('已由李涛梓回复，请查看后再发送'))
    assert.equal(await drawer(page).getByRole('textbox', { name: '回复内容' }).inputValue(), '正在核对')
    await eventually(async () => {
      await press(page, '发送回复')
      return toast(page, '已回复').count()
    }, 1)
  },
)

exhaustive(
  'a new one is taken back by its author',
  ['features/support/work-orders/rules.test.ts', 'features/support/work-orders/server.test.ts'],
  async () => {
    const [row] = await office.sql<{ id: string; title: string }>(
      `select id, title from work_orders where state = 'new' and agent_id = 101 order by id limit 1`,
    )
    assert.ok(row)
    const page = await office.openAs('20001', `/admin/help/workOrder?workOrder=${row.id}`)
    await press(page, '删除工单')
    const question = page.getByRole('alertdialog')
    await see(question.getByText(`删除工单「${row.title}」？`))
    await question.getByRole('button', { name: '删除工单' }).click()
    await see(toast(page, '工单已删除'))
    await gone(drawer(page), page.getByRole('row', { name: new RegExp(row.title) }))
  },
)

exhaustive(
  'on a phone it fits',
  ['test/e2e/house/pages.e2e.ts', 'test/e2e/house/appearance.e2e.ts'],
  async () => {
    const page = await office.openAs('20001', '/admin/help/workOrder', { viewport: PHONE })
    await see(page.getByRole('button', { name: '客显屏不显示付款码' }))
    // By a key: the notice of what was answered before may come meanwhile, as a line that moves what is under a pointer.
    await page.getByRole('button', { name: '客显屏不显示付款码' }).press('Enter')
    await see(drawer(page).getByText('请升级到最新版本后再看一下，升级包已推送到该店。'))
    assert.equal(await sidewaysScroll(page), 0)
    assert.deepEqual(await axeFindings(page), [])
    await drawer(page).getByRole('button', { name: '关闭', exact: true }).click()
    await page.getByRole('button', { name: '新建工单' }).click()
    const form = page.getByRole('dialog', { name: '新建工单' })
    await see(form.getByRole('button', { name: '提交工单' }))
    assert.equal(await sidewaysScroll(page), 0)
    assert.deepEqual(await axeFindings(page), [])
  },
)
