// The one list of what waits, in the browser: opened and decided over it, handed on, put off, and counted in the shell.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { exhaustive } from '../../lane.ts'
import {
  axeFindings,
  type BrowserOffice,
  eventually,
  gone,
  menuEntry,
  openBrowserOffice,
  PHONE,
  ready,
  rowOf,
  see,
  toast,
} from '../browser.ts'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice()
})
afterEach(() => office.closePages())
after(() => office.stop())

const PATH = '/admin/inbox'
const rows = (page: Page) => page.locator('tbody tr')
/** What one of those that wait is called. */
const someTitle = async (page: Page) => {
  await see(rows(page))
  const [title] = await rows(page).locator('td:nth-child(2)').allInnerTexts()
  return title?.split('\n')[0] ?? assert.fail('it has no title')
}
const kind = (page: Page, name: string) =>
  page.getByRole('group', { name: '事项类型' }).getByRole('button', { name: new RegExp(`^${name}`) })
const whose = (page: Page, name: string) =>
  page.getByRole('group', { name: '范围' }).getByRole('button', { name, exact: true })
const counted = async (page: Page) =>
  Number((await menuEntry(page, '待办').getAttribute('aria-description'))?.split(' ')[0] ?? '0')

test('a request is approved over the list and is gone from it, and the shell counts one less', async () => {
  const page = await office.openAs('10090', PATH)
  await see(rows(page))
  await eventually(async () => (await counted(page)) > 0, true)
  const waiting = await counted(page)
  await kind(page, '审批会员称谓').click()
  // Among the rows of all kinds there are some, too.
  const others = rows(page).filter({ hasNotText: '审批会员称谓' })
  await eventually(() => others.count(), 0)
  await see(rows(page))
  const before = await rows(page).count()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  const drawer = page.getByRole('dialog', { name: '会员称谓申请' })
  const asked = drawer.locator('header h3')
  const first = await asked.innerText()
  await drawer.getByRole('button', { name: '通过' }).click()
  // The next one opens by itself, where there is one.
  await eventually(async () => before === 1 || (await asked.innerText()) !== first, true)
  assert.deepEqual(await axeFindings(page), [])
  await page.keyboard.press('Escape')
  await eventually(() => rows(page).count(), before - 1)
  await eventually(() => counted(page), waiting - 1)
  // What was done is out of sight until it is asked for, and opens as it was decided.
  await whose(page, '已办理').click()
  await kind(page, '审批会员称谓').click()
  await see(rowOf(page, first))
  assert.deepEqual(await axeFindings(page), [])
  await rowOf(page, first).getByRole('button', { name: first }).click()
  await see(drawer.getByText('已通过'))
})

test('what is taken is one’s own, and what is put off is back once it is taken back', async () => {
  const page = await office.openAs('10001', `${PATH}?kind=${encodeURIComponent('回复反馈')}`)
  const title = await someTitle(page)
  await rowOf(page, title).getByRole('button', { name: '我来' }).click()
  await see(toast(page, '已由您负责'), rowOf(page, title).getByRole('button', { name: '放回' }))
  await whose(page, '我负责的').click()
  await eventually(() => rows(page).count(), 1)
  await see(rows(page).filter({ hasText: title }))
  await ready(page)
  await page.keyboard.press('j')
  await page.keyboard.press('s')
  const dialog = page.getByRole('dialog', { name: /^推迟「/ })
  await dialog.getByRole('textbox', { name: '推迟原因' }).fill('等对方回电')
  assert.deepEqual(await axeFindings(page), [])
  await dialog.getByRole('button', { name: '推迟', exact: true }).click()
  await gone(dialog)
  await whose(page, '已推迟').click()
  const put = rows(page).filter({ hasText: title })
  await see(put, put.getByText(/^推迟到 /))
  await office.sql(
    `update inbox_items set snoozed_until = now() - interval '1 second' where source = 'feedback.answer'`,
  )
  await whose(page, '待我处理').click()
  await see(rows(page).filter({ hasText: title }))
})

test('what a shop handed in and what it said are opened over the list', async () => {
  const staff = await office.openAs('10090', `${PATH}?kind=${encodeURIComponent('审核实名资料')}`)
  await see(rows(staff))
  await staff.keyboard.press('j')
  await staff.keyboard.press('Enter')
  await see(staff.getByRole('dialog', { name: '实名审核' }).getByRole('button', { name: '通过认证' }))
  await staff.keyboard.press('Escape')
  await kind(staff, '审核实名资料').click()
  await staff.getByRole('button', { name: /^更多 \d+ 类/ }).click()
  await staff.getByRole('menuitem', { name: /^评估新需求/ }).click()
  await see(kind(staff, '评估新需求'), rows(staff).filter({ hasText: '盘点单导出带条码' }))
  await rows(staff).filter({ hasText: '盘点单导出带条码' }).getByRole('button', { name: '处理' }).click()
  const demand = staff.getByRole('dialog', { name: '盘点单导出带条码' })
  assert.deepEqual(await axeFindings(staff), [])
  await demand.getByRole('radio', { name: '待排期', exact: true }).click()
  await demand.getByRole('button', { name: '保存' }).click()
  await see(toast(staff, '操作成功'))
  await gone(rows(staff).filter({ hasText: '盘点单导出带条码' }))

  const page = await office.openAs('20001', `${PATH}?kind=${encodeURIComponent('回复商户反馈')}`)
  const said = await someTitle(page)
  const waiting = await rows(page).count()
  await rowOf(page, said).getByRole('button', { name: '处理' }).click()
  const thread = page.getByRole('dialog', { name: '商户反馈' })
  await thread.getByRole('textbox', { name: '回复内容' }).fill('马上为您查看')
  await thread.getByRole('button', { name: '发送回复' }).click()
  await see(toast(page, '已回复'))
  await page.keyboard.press('Escape')
  await eventually(() => rows(page).count(), waiting - 1)
})

test('work orders and feedback are done over the list, the next one following', async () => {
  await office.sql(
    `insert into feedback_messages (agent_id, account_id, created_by_name, content, state, created_at)
     select 101, id, name, '希望支持' || n, 'open', now() - interval '500 days' + n * interval '1 minute'
     from accounts, generate_series(1, 2) n where login_name = '20001'`,
  )
  const operator = await office.openAs('10001', `${PATH}?kind=${encodeURIComponent('回复反馈')}`)
  await rowOf(operator, '希望支持1').getByRole('button', { name: '处理' }).click()
  const feedback = operator.getByRole('dialog', { name: '回复反馈' })
  for (const said of ['希望支持1', '希望支持2']) {
    await see(feedback.getByText(said, { exact: true }))
    await feedback.getByRole('textbox', { name: '回复内容' }).fill('已经安排')
    await feedback.getByRole('button', { name: '发送回复' }).click()
    await gone(feedback.getByText(said, { exact: true }))
  }
  await eventually(
    () => office.sql(`select state from feedback_messages where content like '希望支持%' group by state`),
    [{ state: 'answered' }],
  )

  await office.sql(
    `insert into work_orders (agent_id, kind, title, urgency, state, created_by, created_by_name, due_at, pressing_at, last_at, created_at)
     select agent_id, kind, '排队的工单' || n, urgency, 'new', created_by, created_by_name, now() + interval '1 day',
       now() + interval '1 day', now(), now() - interval '500 days' + n * interval '1 minute'
     from (select * from work_orders order by id limit 1) w, generate_series(1, 2) n`,
  )
  const page = await office.openAs('10090', `${PATH}?kind=${encodeURIComponent('受理工单')}`)
  await rowOf(page, '排队的工单1').getByRole('button', { name: '处理' }).click()
  const order = page.getByRole('dialog', { name: /^工单 \d+$/ })
  for (const title of ['排队的工单1', '排队的工单2']) {
    await see(order.getByRole('heading', { name: title }))
    await order.getByRole('button', { name: '受理', exact: true }).click()
    await gone(order.getByRole('heading', { name: title }))
  }
  await eventually(
    () => office.sql(`select state from work_orders where title like '排队的工单%' group by state`),
    [{ state: 'accepted' }],
  )
})

exhaustive(
  'an agent sees papers that end, opens them over the list, and hands one on',
  [
    'features/overview/inbox/server.test.ts',
    'features/care/documents/server.test.ts',
    'test/e2e/overview/inbox.e2e.ts',
    'features/overview/inbox/AssignDialog.test.tsx',
  ],
  async () => {
    await office.sql(
      `insert into documents (agent_id, merchant_id, kind, sha256, state, expires_on, created_by, created_by_name, created_at)
     select agent_id, id, 'permit', 'e2e', 'current', shanghai_day(now()) + 9, 0, '王小明', now() from merchants
     where agent_id = 101 and status = 'normal' order by id limit 1`,
    )
    const page = await office.openAs('20001', `${PATH}?kind=${encodeURIComponent('证件到期')}`)
    await see(rows(page))
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    const papers = page.getByRole('dialog').getByRole('region', { name: '证件资料' })
    await see(papers.getByRole('button', { name: /^替换/ }).first())
    await page.keyboard.press('Escape')
    await page.keyboard.press('g')
    const dialog = page.getByRole('dialog', { name: /^指派「/ })
    await dialog.getByRole('combobox', { name: '负责人' }).click()
    const options = page.locator('.ant-select-item-option')
    await see(options.nth(1))
    assert.ok((await options.count()) > 1)
    await options.nth(1).click()
    await dialog.getByRole('button', { name: '指派', exact: true }).click()
    await gone(dialog)
  },
)

exhaustive(
  'on a phone it is cards, led to from the bar',
  ['test/e2e/house/pages.e2e.ts', 'test/e2e/house/phone.e2e.ts'],
  async () => {
    for (const name of ['10090', '20001']) {
      const page = await office.openAs(name, '/admin/index', { viewport: PHONE })
      await page.getByRole('navigation', { name: '常用' }).getByRole('link', { name: /^待办/ }).click()
      await see(page.getByRole('heading', { name: '待办' }), page.getByText('无人负责').first())
      await office.closePages()
    }
  },
)
