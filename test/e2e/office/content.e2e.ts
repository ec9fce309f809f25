// What staff tell partners and what partners tell the vendor, in the browser (D1 §2).
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { exhaustive } from '../../lane.ts'
import {
  axeFindings,
  type BrowserOffice,
  eventually,
  gone,
  openBrowserOffice,
  PHONE,
  see,
  toast,
} from '../browser.ts'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice()
})
afterEach(() => office.closePages())
after(() => office.stop())

const carousel = (page: Page) => page.getByRole('region', { name: '推荐' })
const shownCard = (page: Page) => carousel(page).locator('li:not([inert]) b').innerText()

/** From the list of notices. */
async function putHardwareFirst(staff: Page): Promise<void> {
  await staff.goto('/admin/operations/content')
  await staff.getByRole('button', { name: '调整顺序' }).click()
  const dialog = staff.getByRole('dialog', { name: '调整轮播图顺序' })
  await dialog.getByRole('button', { name: '上移 硬件商城' }).click()
  await dialog.getByRole('button', { name: '上移 硬件商城' }).click()
  await dialog.getByRole('button', { name: '保存顺序' }).click()
  await see(toast(staff, '顺序已保存'))
}

/** By itself, and for whoever stops it. */
async function turnsAndStands(partner: Page): Promise<void> {
  await see(carousel(partner).getByRole('button', { name: '暂停播放' }))
  await eventually(() => shownCard(partner), '续费工作台上线')
  await partner.clock.install()
  await carousel(partner).getByRole('button', { name: '暂停播放' }).click()
  const still = await shownCard(partner)
  await partner.clock.runFor(60_000)
  assert.equal(await shownCard(partner), still)
}

test('a notice is written beside a carousel that is put in order, both are read by a partner, and it is gone once it is disabled', async () => {
  const staff = await office.openAs('10090', '/admin/operations/content')
  await staff.getByRole('button', { name: '系统公告', exact: true }).click()
  await staff.getByRole('button', { name: '新增系统公告' }).click()
  const form = staff.getByRole('dialog', { name: '新增系统公告' })
  await form.getByRole('button', { name: '保存' }).click()
  await see(form.getByText('请输入标题'))
  await form.getByRole('textbox', { name: '标题' }).fill('国庆期间客服安排')
  await form
    .getByRole('textbox', { name: '正文' })
    .fill('10 月 1 日至 3 日客服时间为 9 点至 18 点。\n\n其余时间照常。')
  await form.getByRole('textbox', { name: '链接' }).fill('https://example.com')
  await form.getByRole('button', { name: '保存' }).click()
  await see(form.getByText(/链接须为本系统页面/))
  await form.getByRole('textbox', { name: '链接' }).fill('/admin/account/personalData')
  await form.getByRole('button', { name: '保存' }).click()
  await see(toast(staff, '新增成功'), staff.getByRole('cell', { name: '国庆期间客服安排' }))

  await putHardwareFirst(staff)

  const partner = await office.openAs('20001', '/admin/index')
  await see(carousel(partner).getByRole('button', { name: '自动播放' }))
  assert.equal(await shownCard(partner), '硬件商城')
  await carousel(partner).getByRole('button', { name: '第 3 张：短信充值扫码即到' }).click()
  await eventually(() => shownCard(partner), '短信充值扫码即到')
  await partner.getByRole('button', { name: /国庆期间客服安排/ }).click()
  const article = partner.getByRole('dialog', { name: '国庆期间客服安排' })
  await see(article.getByText('其余时间照常。'), article.getByRole('link', { name: '前往相关页面' }))
  assert.deepEqual(await axeFindings(partner), [])

  await staff.getByRole('button', { name: '系统公告', exact: true }).click()
  await staff
    .getByRole('row', { name: /国庆期间客服安排/ })
    .getByRole('button', { name: '停用' })
    .click()
  await staff.getByRole('alertdialog').getByRole('button', { name: '停用' }).click()
  await see(toast(staff, '已停用'))
  await partner.emulateMedia({ reducedMotion: 'no-preference' })
  await partner.reload()
  await see(partner.getByRole('button', { name: /订单撤销期限提醒/ }))
  await gone(partner.getByRole('button', { name: /国庆期间客服安排/ }))
  await turnsAndStands(partner)
})

exhaustive(
  'a time is picked and read by the clock of Shanghai wherever the browser is, and keeps its seconds',
  ['web/form/dates/InstantPicker.test.tsx'],
  async () => {
    const here = await office.openAs('10090', '/admin/index')
    const there = await here
      .context()
      .browser()
      ?.newContext({
        baseURL: office.url,
        storageState: await here.context().storageState(),
        timezoneId: 'America/New_York',
        locale: 'en-US',
      })
    const page = (await there?.newPage()) ?? assert.fail('no browser')
    await page.goto('/admin/operations/content?kind=notice')
    await page.getByRole('button', { name: '新增系统公告' }).click()
    const form = page.getByRole('dialog', { name: '新增系统公告' })
    await form.getByRole('textbox', { name: '标题' }).fill('明年的新版本')
    await form.getByRole('textbox', { name: '正文' }).fill('敬请期待')
    const time = form.getByRole('textbox', { name: '发布时间' })
    assert.equal(await time.getAttribute('aria-required'), 'true')
    await time.fill('2099-01-05 09:00')
    await form.getByRole('button', { name: '保存' }).click()
    await see(toast(page, '新增成功'))
    const read = () =>
      office.sql<{ at: string }>(
        `select published_at::text as at from content_items where title like '明年的新版本%' or title = '改了标题'`,
      )
    assert.deepEqual(await read(), [{ at: '2099-01-05 01:00:00+00' }])
    const row = page.getByRole('row', { name: /明年的新版本/ })
    await see(row.getByText('待发布'), row.getByText('2099-01-05 09:00:00'))

    await office.sql(
      `update content_items set published_at = '2099-01-05T01:00:07Z' where title = '明年的新版本'`,
    )
    await page.reload()
    await row.getByRole('button', { name: '编辑' }).click()
    const edit = page.getByRole('dialog', { name: '编辑系统公告' })
    assert.equal(await edit.getByRole('textbox', { name: '发布时间' }).inputValue(), '2099-01-05 09:00')
    await edit.getByRole('textbox', { name: '标题' }).fill('改了标题')
    await edit.getByRole('button', { name: '保存' }).click()
    await see(toast(page, '修改成功'))
    assert.deepEqual(await read(), [{ at: '2099-01-05 01:00:07+00' }])
    await there?.close()
  },
)

test('feedback goes to the operator, is answered once, and the answer is where the notice leads', async () => {
  const partner = await office.openAs('20002', '/admin/index', { viewport: PHONE, dark: true })
  await partner.getByRole('button', { name: '意见反馈' }).click()
  const dialog = partner.getByRole('dialog', { name: '意见反馈' })
  await dialog.getByRole('button', { name: '提交反馈' }).click()
  await see(dialog.getByText('请输入反馈内容'))
  await dialog.getByRole('textbox').fill('打印小票时希望能带上会员余额')
  await dialog.getByRole('button', { name: '提交反馈' }).click()
  await see(
    toast(partner, '反馈已提交，我们会尽快回复'),
    dialog.getByRole('listitem').getByText('打印小票时希望能带上会员余额'),
  )
  assert.deepEqual(await axeFindings(partner), [])

  const operator = await office.openAs('10001', '/admin/index')
  await operator.getByRole('button', { name: /^回复反馈：打印小票/ }).click()
  const answer = operator.getByRole('dialog', { name: '回复反馈' })
  await answer.getByRole('textbox', { name: '回复内容' }).fill('下个版本支持')
  await answer.getByRole('button', { name: '发送回复' }).click()
  await see(toast(operator, '已回复'), operator.getByRole('button', { name: /^查看反馈：打印小票/ }))

  const [notice] = await office.sql<{ link: string }>(
    `select link from notices where topic = 'FeedBackUserSendMsg' order by id desc limit 1`,
  )
  await partner.goto(notice?.link ?? assert.fail('nobody was told'))
  await see(partner.getByRole('dialog', { name: '意见反馈' }).getByText('下个版本支持'))
})
