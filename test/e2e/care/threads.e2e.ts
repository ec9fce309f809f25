// Feedback in three browsers: a shop writes from its point of sale with a picture, its agent answers and passes on, the vendor's staff
// answer and end it, and the shop rates it.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { startDemoPos } from '#app/demo-pos.ts'
import type { Pos } from '#providers/pos/program.ts'
import { exhaustive } from '../../lane.ts'
import {
  axeFindings,
  type BrowserOffice,
  eventually,
  fact,
  openBrowserOffice,
  PHONE,
  see,
  sidewaysScroll,
  toast,
} from '../browser.ts'

let office: BrowserOffice
let pos: Pos
let shop: { id: string; shop_name: string }
before(async () => {
  office = await openBrowserOffice({ outside: true })
  const started = await startDemoPos(office.app.services, office.url)
  assert.ok(started)
  pos = started
  await pos.copy.caughtUp()
  const [row] = await office.sql<{ id: string; shop_name: string }>(
    `select id, shop_name from merchants where agent_id = 101 and status = 'normal' and store_kind = 'head'
       and not exists (select from threads t where t.merchant_id = merchants.id) order by id limit 1`,
  )
  assert.ok(row)
  shop = row
})
afterEach(() => office.closePages())
after(async () => {
  await pos?.stop()
  await office.stop()
})

async function openPos(path: string, phone = false): Promise<Page> {
  const page = await office.open(phone ? { viewport: PHONE } : {})
  await page.goto(`${pos.url}${path}`)
  return page
}

const picture = async (name: string) => ({
  name,
  mimeType: 'image/png',
  buffer: await sharp({ create: { width: 320, height: 200, channels: 3, background: '#c33' } })
    .png()
    .toBuffer(),
})

/** Loads the page until it says so. */
async function says(page: Page, text: string): Promise<void> {
  await eventually(async () => {
    await page.reload()
    return (await page.locator('main').innerText()).includes(text)
  }, true)
}

const drawer = (page: Page) => page.getByRole('dialog', { name: '商户反馈' })

async function open(page: Page, title: string) {
  await page
    .getByRole('row', { name: new RegExp(title) })
    .getByRole('button', { name: '回复' })
    .click()
  const opened = drawer(page)
  await see(opened.getByRole('heading', { name: title }))
  return opened
}

async function answer(page: Page, text: string): Promise<void> {
  await drawer(page).getByRole('textbox', { name: '回复内容' }).fill(text)
  await drawer(page).getByRole('button', { name: '发送回复' }).click()
  await see(toast(page, '已回复'), drawer(page).getByText(text))
}

test('a shop writes with a picture, is answered by its agent and the vendor, and rates what came of it', async () => {
  const agent = await office.openAs('20001', '/admin/help/feedback')
  const seen = await openPos(`/shops/${shop.id}`)
  await seen.getByRole('textbox', { name: '写反馈' }).fill('钱箱弹不开了')
  await seen.getByLabel('图片').setInputFiles(await picture('钱箱.png'))
  assert.deepEqual(await axeFindings(seen), [])
  await seen.getByRole('button', { name: '提交反馈' }).click()
  await see(seen.getByText('反馈已提交'), seen.getByRole('heading', { name: '钱箱弹不开了 待回复' }))
  await eventually(
    () =>
      seen.getByRole('img').evaluate(image => (image as unknown as { naturalWidth: number }).naturalWidth),
    320,
  )
  assert.deepEqual(await axeFindings(seen), [])

  // The agent's page hears of it by itself.
  await open(agent, '钱箱弹不开了')
  await see(drawer(agent).getByRole('img'), fact(agent, '处理方').getByText('代理商 · 未分配'))
  assert.deepEqual(await axeFindings(agent), [])
  await says(seen, '已读')
  await drawer(agent).getByRole('button', { name: '发送回复' }).click()
  await see(drawer(agent).getByRole('alert').getByText('请输入反馈内容'))
  await drawer(agent).getByRole('button', { name: '常用回复' }).click()
  await agent.getByRole('menuitem', { name: '收到，处理中' }).click()
  await eventually(
    async () =>
      /您好，您的反馈已收到/.test(
        await drawer(agent).getByRole('textbox', { name: '回复内容' }).inputValue(),
      ),
    true,
  )
  await answer(agent, '请检查钱箱的连接线，拍张照给我们')
  await says(seen, '请检查钱箱的连接线')
  await seen.getByRole('textbox', { name: '继续回复' }).fill('线没有松')
  await seen.getByRole('button', { name: '发送', exact: true }).click()
  await see(seen.getByText('已发送'), drawer(agent).getByText('线没有松'))

  await drawer(agent).getByRole('button', { name: '转交厂商' }).click()
  const passing = agent.getByRole('dialog', { name: '转交厂商' })
  await passing.getByRole('textbox', { name: '说明' }).fill('可能是驱动问题')
  await passing.getByRole('button', { name: '转交', exact: true }).click()
  await see(toast(agent, '已转交厂商'), fact(agent, '处理方').getByText('厂商 · 未分配'))

  const staff = await office.openAs('10090', '/admin/help/feedbackList')
  await open(staff, '钱箱弹不开了')
  await see(drawer(staff).getByText('转交厂商：可能是驱动问题'))
  await drawer(staff).getByRole('textbox', { name: '回复内容' }).pressSequentially('升级')
  await see(drawer(agent).getByText('袁娜 正在回复…'))
  await drawer(staff)
    .getByLabel('添加图片')
    .setInputFiles(await picture('驱动.png'))
  await see(drawer(staff).getByRole('img', { name: '待发送的图片 1' }))
  await answer(staff, '升级驱动后再试，见图')
  await see(drawer(agent).getByText('升级驱动后再试，见图'))
  await says(seen, '升级驱动后再试')
  assert.ok(!(await seen.locator('main').innerText()).includes('驱动问题'), 'a note is shown to the shop')

  await drawer(staff).getByRole('button', { name: '关闭反馈' }).click()
  const question = staff.getByRole('alertdialog')
  await see(question.getByText('关闭后双方都不能再回复，商户会收到一次评价邀请。'))
  await question.getByRole('button', { name: '关闭反馈' }).click()
  await see(toast(staff, '已关闭'), drawer(staff).getByText('该反馈已关闭，不能再回复，可以留下内部备注'))
  assert.equal(await drawer(staff).getByRole('button', { name: '关闭反馈' }).count(), 0)
  assert.deepEqual(await axeFindings(staff), [])
  await says(seen, '反馈已关闭，不能再回复')
  await seen.getByRole('radio', { name: '满意', exact: true }).check()
  await seen.getByRole('radio', { name: '已解决' }).check()
  assert.deepEqual(await axeFindings(seen), [])
  await seen.getByRole('button', { name: '评价' }).click()
  await see(seen.getByText('感谢您的评价'), seen.getByText('评价：满意、已解决'))
  await see(fact(staff, '评价').getByText('满意 · 已解决'))
})

exhaustive(
  'of two who answer at once the second keeps the draft and is told who was first',
  ['features/care/threads/server.test.ts', 'features/care/threads/Composer.test.tsx'],
  async () => {
    const agentId = 101
    const [row] = await office.sql<{ id: string; title: string }>(
      `select id, title from threads where agent_id = $1 and state = 'awaiting' and kind = 'shop' and desk = 'agent' order by id limit 1`,
      [agentId],
    )
    assert.ok(row)
    const path = `/admin/help/feedback?thread=${row.id}`
    const page = await office.openAs('20001', path)
    await see(drawer(page).getByRole('heading', { name: row.title }))
    await drawer(page).getByRole('textbox', { name: '回复内容' }).fill('我来看看')
    await office.sql(
      `update threads set revision = revision + 1, replied_by_name = '李涛梓', state = 'replied' where id = $1`,
      [row.id],
    )
    await drawer(page).getByRole('button', { name: '发送回复' }).click()
    await see(drawer(page).getByText('已由李涛梓回复，请查看后再发送'))
    assert.equal(await drawer(page).getByRole('textbox', { name: '回复内容' }).inputValue(), '我来看看')
    await eventually(async () => {
      await drawer(page).getByRole('button', { name: '发送回复' }).click()
      return toast(page, '已回复').count()
    }, 1)
  },
)

exhaustive(
  'on a phone it fits, and older feedback stands among it',
  ['features/care/threads/server.test.ts', 'test/e2e/house/pages.e2e.ts'],
  async () => {
    const page = await office.openAs('20001', '/admin/help/feedback', { viewport: PHONE })
    await see(page.getByText(/短信签名审核一般要多久/).first())
    await page.getByRole('button', { name: /短信签名审核一般要多久/ }).click()
    const older = page.getByRole('dialog', { name: '较早的反馈' })
    await see(
      older.getByText('一般 1 至 3 个工作日，提交时附上营业执照会更快。'),
      older.getByText('较早的反馈只能回复一次'),
    )
    assert.equal(await sidewaysScroll(page), 0)
    assert.deepEqual(await axeFindings(page), [])
    const seen = await openPos(`/shops/${shop.id}`, true)
    await seen.getByRole('link', { name: '钱箱弹不开了' }).click()
    await see(seen.getByRole('heading', { name: '钱箱弹不开了 已关闭' }))
    assert.equal(await sidewaysScroll(seen), 0)
    assert.deepEqual(await axeFindings(seen), [])
  },
)
