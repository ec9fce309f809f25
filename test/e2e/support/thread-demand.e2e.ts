// From what a shop says to what it gets: it writes from its point of sale with a picture, its agent answers and passes on, staff make a
// demand of it, the demand goes online, and the shop is told at the point of sale and rates it.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { startDemoPos } from '#app/demo-pos.ts'
import type { Pos } from '#providers/pos/program.ts'
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
    .getByRole('button', { name: /^(回复|查看)$/ })
    .click()
  await see(drawer(page).getByRole('heading', { name: title }))
}

async function choose(page: Page, scope: Page | Locator, label: string, option: string) {
  await scope.getByRole('combobox', { name: label }).click()
  await page
    .locator('.ant-select-item-option')
    .filter({ hasText: option })
    .filter({ visible: true })
    .first()
    .click()
}

const ofThread = (page: Page) => drawer(page).getByRole('region', { name: '需求' })
const ofDemand = (page: Page) => page.getByRole('complementary', { name: '需求的来源与关联' })

test('what a shop says becomes a demand, and once it is online the shop hears of it and rates it', async () => {
  const seen = await openPos(`/shops/${shop.id}`)
  await seen.getByRole('textbox', { name: '写反馈' }).fill('扫码枪连扫三次会漏一次')
  await seen.getByLabel('图片').setInputFiles({
    name: '扫码.png',
    mimeType: 'image/png',
    buffer: await sharp({ create: { width: 320, height: 200, channels: 3, background: '#c33' } })
      .png()
      .toBuffer(),
  })
  await seen.getByRole('button', { name: '提交反馈' }).click()
  await see(seen.getByText('反馈已提交'), seen.getByRole('img'))

  const agent = await office.openAs('20001', '/admin/help/feedback')
  await open(agent, '扫码枪连扫三次')
  assert.equal(await ofThread(agent).count(), 0, 'demands are shown to an agent')
  await drawer(agent).getByRole('textbox', { name: '回复内容' }).fill('已转给厂商评估')
  await drawer(agent).getByRole('button', { name: '发送回复' }).click()
  await see(toast(agent, '已回复'))
  await drawer(agent).getByRole('button', { name: '转交厂商' }).click()
  await agent
    .getByRole('dialog', { name: '转交厂商' })
    .getByRole('button', { name: '转交', exact: true })
    .click()
  await see(toast(agent, '已转交厂商'))
  await says(seen, '已转给厂商评估')

  const staff = await office.openAs('10090', '/admin/help/feedbackList')
  await open(staff, '扫码枪连扫三次')
  await see(ofThread(staff).getByRole('button', { name: '转为需求' }))
  assert.deepEqual(await axeFindings(staff), [])
  // What is typed in is text.
  await drawer(staff).getByRole('textbox', { name: '回复内容' }).press('d')
  await drawer(staff).getByRole('textbox', { name: '回复内容' }).press('Backspace')
  await drawer(staff).getByRole('heading', { name: '扫码枪连扫三次' }).click()
  await staff.keyboard.press('d')
  await see(
    staff.getByRole('heading', { name: '新增需求' }),
    staff.getByText(`来自商户反馈（${shop.shop_name} ${shop.id}`),
  )
  const editor = staff.getByRole('textbox', { name: '备注' })
  await see(editor.getByText('扫码枪连扫三次会漏一次'), editor.getByRole('img', { name: '反馈图片 1' }))
  assert.equal(await staff.getByRole('textbox', { name: '任务标题' }).inputValue(), '扫码枪连扫三次会漏一次')
  assert.equal(await staff.getByRole('textbox', { name: '店铺ID' }).inputValue(), shop.id)
  await choose(staff, staff, '客户端', '安卓手持')
  assert.deepEqual(await axeFindings(staff), [])
  await staff.getByRole('button', { name: '保存' }).click()
  await see(
    toast(staff, '操作成功'),
    ofThread(staff).getByRole('link', { name: /^#\d+ 扫码枪连扫三次会漏一次/ }),
  )
  await see(drawer(staff).getByText(/^已转为需求「扫码枪连扫三次会漏一次 \(\d+\)」/))
  assert.deepEqual(await axeFindings(staff), [])
  await see(drawer(agent).getByText(/^已转为需求「/))

  await ofThread(staff)
    .getByRole('link', { name: /扫码枪连扫三次/ })
    .click()
  await see(
    ofDemand(staff).getByRole('link', { name: '扫码枪连扫三次会漏一次' }),
    ofDemand(staff).getByText('店铺 1 家'),
    staff.getByRole('textbox', { name: '备注' }).locator('img'),
  )
  await choose(staff, staff, '进度', '已上线')
  await staff.getByRole('button', { name: '保存' }).click()
  await see(toast(staff, '操作成功'))

  await says(seen, '您反馈的「扫码枪连扫三次会漏一次」已上线')
  assert.ok(!(await seen.locator('main').innerText()).includes('已转为需求'), 'a note is shown to the shop')
  await see(drawer(agent).getByText('您反馈的「扫码枪连扫三次会漏一次」已上线', { exact: false }))
  await seen.getByRole('radio', { name: '满意', exact: true }).check()
  await seen.getByRole('radio', { name: '已解决' }).check()
  assert.deepEqual(await axeFindings(seen), [])
  await seen.getByRole('button', { name: '评价' }).click()
  await see(seen.getByText('感谢您的评价'), seen.getByText('评价：满意、已解决'))
  await see(fact(agent, '评价').getByText('满意 · 已解决'))
  const notices = await office.sql<{ n: number }>(
    `select count(*)::int as n from notices n join accounts a on a.id = n.account_id
     where n.title = '您反馈的需求已上线' and n.body like '「扫码枪连扫三次%' and a.login_name = '20001'`,
  )
  assert.equal(notices[0]?.n, 1)
})

exhaustive(
  'a thread is linked to a demand that there is, and taken off it',
  ['features/support/demands/server-links.test.ts', 'test/e2e/support/thread-demand.e2e.ts'],
  async () => {
    const staff = await office.openAs('10090', '/admin/help/feedbackList')
    await open(staff, '升级之后收银台点结账会闪退')
    await ofThread(staff).getByRole('button', { name: '关联已有需求' }).click()
    const dialog = staff.getByRole('dialog', { name: '关联已有需求' })
    await dialog.getByRole('button', { name: '关联需求' }).click()
    await see(dialog.getByText('请选择需求'))
    await choose(staff, dialog, '需求', '小票打印偶尔缺最后一行')
    assert.deepEqual(await axeFindings(staff), [])
    await dialog.getByRole('button', { name: '关联需求' }).click()
    const link = ofThread(staff).getByRole('link', { name: /小票打印偶尔缺最后一行/ })
    await see(toast(staff, '已关联'), link, drawer(staff).getByText(/^已关联需求「小票打印/))
    await ofThread(staff)
      .getByRole('button', { name: /^取消关联：小票打印/ })
      .click()
    await see(toast(staff, '已取消关联'), drawer(staff).getByText(/^已取消关联需求「小票打印/))
    await gone(link)
  },
)

exhaustive(
  'a merge is undone where the merged demand is shown',
  ['features/support/demands/server-links.test.ts'],
  async () => {
    const page = await office.openAs('10001', '/admin/demandForm?id=12')
    await see(page.getByText('已合并到'))
    await page.getByRole('button', { name: '撤销合并' }).click()
    await see(toast(page, '已撤销合并'), page.getByRole('heading', { name: '需求详情' }))
    await page.goto('/admin/demand')
    await see(page.getByRole('row', { name: /小票最后一行没打出来/ }))
  },
)

exhaustive(
  'on a phone a thread tells its demand and its source without sideways scroll',
  ['test/e2e/house/pages.e2e.ts', 'test/e2e/house/appearance.e2e.ts'],
  async () => {
    const page = await office.openAs('10090', '/admin/help/feedbackList', { viewport: PHONE })
    await see(page.getByText('商户反馈').first(), page.getByText('较早的反馈').first())
    await page.getByRole('button', { name: /能不能支持一个会员绑定/ }).click()
    await see(ofThread(page).getByRole('link', { name: /一个会员绑定两个手机号/ }))
    assert.equal(await sidewaysScroll(page), 0)
    assert.deepEqual(await axeFindings(page), [])
  },
)

exhaustive('the menu of staff has one entry for what shops say', ['app/menu.test.ts'], async () => {
  const page = await office.openAs('10090', '/admin/help/feedbackList')
  const menu = page.getByRole('navigation', { name: '主菜单' })
  await see(menu.getByRole('link', { name: '客户反馈列表' }))
  assert.equal(await menu.getByRole('link', { name: '商户反馈' }).count(), 0)
})
