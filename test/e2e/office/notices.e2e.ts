// Notices as they come, in all tabs, after a restart, and in their centre (D1 §2, §4).
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type Notice, notify } from '#features/office/notices/server-notify.ts'
import { actAsSystem } from '#server/system.ts'
import { exhaustive, sampled } from '../../lane.ts'
import {
  axeFindings,
  type BrowserOffice,
  eventually,
  gone,
  openBrowserOffice,
  PHONE,
  ready,
  see,
  sidewaysScroll,
  toast,
} from '../browser.ts'

const LOGIN = '20001'

let office: BrowserOffice
let accountId: number
before(async () => {
  office = await openBrowserOffice()
  const [account] = await office.sql<{ id: string }>('select id from accounts where login_name = $1', [LOGIN])
  accountId = Number(account?.id)
})
beforeEach(async () => {
  await office.sql('delete from notices')
  await office.sql('delete from notice_preferences')
})
afterEach(async () => {
  await office.closePages()
  // A page that is gone must not be taken for the next one.
  await connected(0)
})
after(() => office.stop())

const tell = (title: string, more: Partial<Notice> = {}) =>
  actAsSystem(office.app.services, 'test', ctx =>
    notify(ctx, {
      topic: 'PaymentStatus_Notify',
      title,
      body: '短信充值 200 条已到账',
      link: '/admin/detail/personalDetails',
      accountIds: [accountId],
      ...more,
    } as Notice),
  )

const card = (page: Page, title: string) =>
  page.getByRole('region', { name: '新消息' }).getByRole('article').filter({ hasText: title })

const listed = (page: Page, title: string) =>
  page.locator('section[aria-labelledby=list-title]').getByRole('button', { name: title })

const unread = (page: Page, count: number) =>
  page.getByRole('button', { name: count === 0 ? '消息' : `消息，${count} 条未读`, exact: true })

/** Waits until the page's socket is there, so that what is told reaches it as it happens. */
const connected = (count: number) => eventually(async () => office.app.services.connected().length, count)

/** Resolves when the server has let the page's socket in: socket.io answers a connect packet with "40". */
const whenJoined = (page: Page) =>
  new Promise<void>(resolve =>
    page.on('websocket', socket =>
      socket.on('framereceived', ({ payload }) => {
        if (String(payload).startsWith('40')) resolve()
      }),
    ),
  )

const confirmed = () =>
  eventually(async () => (await office.sql('select 1 from notices where confirmed_at is null')).length, 0)

/** In the notice centre. */
async function choosesWhatToHear(page: Page): Promise<void> {
  await page.getByRole('button', { name: '消息设置' }).click()
  const dialog = page.getByRole('dialog', { name: '消息设置' })
  await dialog.getByRole('checkbox', { name: '支付结果' }).uncheck()
  await dialog.getByRole('textbox', { name: '短信余额低于' }).fill('0')
  await dialog.getByRole('button', { name: /保\s*存/ }).click()
  await see(dialog.getByText('请输入正确的数，须大于 0；不提醒请留空'))
  await dialog.getByRole('textbox', { name: '短信余额低于' }).fill('')
  await dialog.getByRole('textbox', { name: '商户到期前' }).fill('15')
  await dialog.getByRole('button', { name: /保\s*存/ }).click()
  await see(toast(page, '修改成功'))
  await page.getByRole('button', { name: '消息设置' }).click()
  await see(dialog)
  assert.equal(await dialog.getByRole('checkbox', { name: '支付结果' }).isChecked(), false)
  assert.equal(await dialog.getByRole('textbox', { name: '商户到期前' }).inputValue(), '15')
  assert.equal(await tell('不再提醒'), 0)
}

describe('a notice', () => {
  test('arrives in two tabs and after a restart, above what is done with chosen rows; it is read in both when one follows it, and no page goes on without its session', async () => {
    const first = await office.openAs(LOGIN, '/admin/index')
    await connected(1)
    const second = await first.context().newPage()
    const joined = whenJoined(second)
    await second.goto('/admin/merchant/myMerchant')
    await joined
    await see(unread(first, 0), unread(second, 0))
    await second.getByRole('checkbox', { name: '选择本页' }).check()
    const bar = second.getByRole('region', { name: '批量操作' })
    await see(bar)
    await tell('支付成功')
    await see(card(first, '支付成功'), card(second, '支付成功'))
    await see(unread(first, 1), unread(second, 1))
    await confirmed()
    await ready(second)
    const [chosen, told] = [await bar.boundingBox(), await card(second, '支付成功').boundingBox()]
    assert.ok(chosen && told && told.y + told.height <= chosen.y, 'it covers no button')
    await card(first, '支付成功').getByRole('link', { name: '查看详情' }).click()
    await first.waitForURL('**/admin/detail/personalDetails')
    await gone(card(first, '支付成功'))
    await see(unread(first, 0), unread(second, 0))
    await card(second, '支付成功').getByRole('button', { name: '关闭消息：支付成功' }).click()
    await gone(card(second, '支付成功'))

    // What a page still fetches, a program that stops would refuse.
    await second.close()
    await ready(first)
    await office.restart(async () => {
      await office.sql(
        `select notify_accounts('trace-away-1', array[$1::bigint], null, null, null, 'Balance_Notify', '停机期间', '', '', '{}', null, null, null)`,
        [accountId],
      )
    })
    await see(card(first, '停机期间'))
    await tell('重启之后')
    await see(card(first, '重启之后'))
    await confirmed()

    await office.sql('delete from sessions')
    await first.waitForURL('**/login?from=**')
  })

  exhaustive(
    'makes room for newer ones, and says how many are hidden',
    ['features/office/notices/cards.test.ts', 'test/e2e/office/notices.e2e.ts'],
    async () => {
      const page = await office.openAs(LOGIN, '/admin/index')
      await connected(1)
      for (const title of ['第一条', '第二条', '第三条', '第四条', '第五条']) await tell(title)
      await see(card(page, '第五条'), page.getByRole('link', { name: '另有 2 条消息，查看全部' }))
      assert.equal(await page.getByRole('region', { name: '新消息' }).getByRole('article').count(), 3)
      await page.getByRole('link', { name: '另有 2 条消息，查看全部' }).click()
      await page.waitForURL('**/admin/account/notices')
      await see(listed(page, '第一条'))
    },
  )

  for (const dark of sampled([true, false], 1))
    test(`on a phone is a line that opens and covers nothing: ${dark ? 'dark' : 'light'}`, async () => {
      const page = await office.openAs(LOGIN, '/admin/merchant/myMerchant', { viewport: PHONE, dark })
      await connected(1)
      const body = '很长的内容'.repeat(30)
      await tell('早先的消息')
      await tell('一个名字很长的消息标题一个名字很长的消息标题一个', { body })
      const line = card(page, '一个名字很长')
      await see(line, page.getByRole('main').getByRole('button', { name: '新增商户' }))
      await ready(page)
      assert.equal(await page.getByRole('region', { name: '新消息' }).getByRole('article').count(), 1)
      const [strip, main] = [await line.boundingBox(), await page.getByRole('main').boundingBox()]
      assert.ok(strip && main && strip.height <= 48 && strip.y + strip.height <= main.y)
      const close = await line.getByRole('button', { name: /^关闭消息/ }).boundingBox()
      assert.ok(close && close.x + close.width <= PHONE.width)
      assert.equal(await line.getByText(body).count(), 0)
      await line.getByRole('button', { name: /^支付结果/ }).click()
      await see(line.getByText(body), line.getByRole('link', { name: '查看详情' }))
      await see(line.getByRole('link', { name: '另有 1 条消息，查看全部' }))
      assert.equal(await sidewaysScroll(page), 0)
      assert.deepEqual(await axeFindings(page), [])
      await line.getByRole('button', { name: /^关闭消息/ }).click()
      await see(card(page, '早先的消息'))
    })
})

describe('the panel of the top bar', () => {
  const tab = (page: Page, name: string) =>
    page.getByRole('dialog', { name: '提醒' }).getByRole('tab', { name, exact: true })

  test('shows the newest, opens what a notice is about, reads all by keyboard, and leads to where one says what to hear of', async () => {
    await tell('支付成功')
    await tell('没有关联页面', { link: undefined })
    await tell('第三条')
    const page = await office.openAs(LOGIN, '/admin/index')
    await unread(page, 3).click()
    await see(tab(page, '消息 3'))
    const rows = page.getByRole('dialog', { name: '提醒' }).getByRole('listitem')
    await eventually(() => rows.count(), 3)
    await rows.filter({ hasText: '没有关联页面' }).getByRole('button').click()
    await see(tab(page, '消息 2'))
    await rows.filter({ hasText: '支付成功' }).getByRole('button').click()
    await page.waitForURL('**/admin/detail/personalDetails')
    await gone(page.getByRole('dialog'))
    await unread(page, 1).click()
    await page.getByRole('button', { name: '全部标为已读' }).click()
    await see(unread(page, 0), tab(page, '消息'))
    await tab(page, '消息').press('ArrowLeft')
    await see(page.getByRole('list', { name: '最近过期的商户' }))
    await page.keyboard.press('Escape')
    await gone(page.getByRole('dialog'))
    await see(unread(page, 0).and(page.locator(':focus')))
    await unread(page, 0).click()
    await see(tab(page, '消息'))
    assert.equal(await page.getByRole('button', { name: '全部标为已读' }).count(), 0)
    await page.getByRole('dialog').getByRole('link', { name: '查看更多' }).click()
    await page.waitForURL('**/admin/account/notices')
    await choosesWhatToHear(page)
  })

  for (const dark of [false, true])
    exhaustive(
      `is a sheet on a phone, without a barrier: ${dark ? 'dark' : 'light'}`,
      ['test/e2e/house/appearance.e2e.ts'],
      async () => {
        await tell('支付成功')
        const page = await office.openAs(LOGIN, '/admin/index', { viewport: PHONE, dark })
        await unread(page, 1).click()
        const sheet = page.getByRole('dialog', { name: '提醒' })
        await see(sheet.getByRole('listitem'))
        await ready(page)
        const box = await sheet.boundingBox()
        assert.deepEqual([box?.width, box?.height], [PHONE.width, PHONE.height])
        assert.deepEqual(await axeFindings(page), [])
      },
    )
})

describe('the notice centre', () => {
  exhaustive(
    'filters, reads one and all, and follows a notice',
    ['features/office/notices/server.test.ts', 'test/e2e/office/notices.e2e.ts'],
    async () => {
      await tell('支付成功')
      await tell('群发完成', { topic: 'Campaign_Notify', link: undefined })
      const page = await office.openAs(LOGIN, '/admin/account/notices')
      await see(listed(page, '群发完成'), unread(page, 2))
      await page.getByRole('button', { name: '高级筛选' }).click()
      await page.getByRole('combobox', { name: '类型' }).click()
      await page.getByRole('option', { name: '支付结果' }).or(page.getByTitle('支付结果')).last().click()
      await gone(listed(page, '群发完成'))
      await listed(page, '支付成功').click()
      await page.waitForURL('**/admin/detail/personalDetails')
      await see(unread(page, 1))
      await page.goBack()
      await page.getByRole('button', { name: '全部标为已读' }).click()
      await see(toast(page, '已全部标为已读'), unread(page, 0))
    },
  )
})
