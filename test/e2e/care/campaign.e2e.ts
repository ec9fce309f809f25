// A message to many shops in the browser: written, previewed, counted, sent against the simulators, found in the log, and
// what failed sent again (messageEditing and smsManageError, D3 §2; D2 §2, screen 8).
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { formatCount } from '#kit/money.ts'
import { exhaustive } from '../../lane.ts'
import {
  axeFindings,
  type BrowserOffice,
  eventually,
  fact,
  gone,
  LAYER,
  openBrowserOffice,
  PHONE,
  see,
  sidewaysScroll,
  someRow,
  toast,
} from '../browser.ts'
import { flaws, lookWide } from '../looks.ts'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice({ outside: true })
})
afterEach(() => office.closePages())
after(() => office.stop())

const EDITING = '/admin/merchant/messageEditing'

async function reachable(agentId: number): Promise<number> {
  const [row] = await office.sql<{ count: number }>(
    `select count(*)::int as count from merchants where agent_id = $1 and status = 'normal'`,
    [agentId],
  )
  return row?.count ?? assert.fail('no shops')
}

/** The drawer of a new campaign, with a text that offers something. */
async function compose(page: Page, name: string, offer = '买一年送两个月'): Promise<Locator> {
  await page.getByRole('button', { name: '新建群发' }).first().click()
  const drawer = page.getByRole('dialog', { name: '新建群发' })
  await drawer.getByRole('textbox', { name: '任务名称' }).fill(name)
  await drawer.getByRole('combobox', { name: '短信模板' }).click()
  await drawer.getByTitle('续费优惠').click()
  await drawer.getByRole('textbox', { name: /优惠内容/ }).fill(offer)
  return drawer
}

describe('a campaign', () => {
  test('is written, previewed like on a phone, kept as a draft, confirmed with its cost, sent and watched', async () => {
    const shops = await reachable(102)
    const page = await office.openAs('20002', EDITING)
    const drawer = await compose(page, '双十二续费')
    await see(drawer.locator('blockquote').getByText(/现在续费可享买一年送两个月/))
    await eventually(() => fact(drawer, '可发送商户').innerText(), `${shops} 家`)
    assert.deepEqual(await flaws(page, LAYER), [])
    await lookWide(page)
    const question = page.getByRole('alertdialog')
    await page.keyboard.press('Escape')
    await question.getByRole('button', { name: '继续填写' }).click()
    await drawer.getByRole('button', { name: '保存草稿' }).click()
    await see(toast(page, '已保存草稿'))
    const draft = page.getByRole('dialog', { name: '群发详情' })
    await draft.getByRole('button', { name: '发送', exact: true }).click()
    await see(question.getByText(`向 ${shops} 家商户发送短信？`), question.getByText(/发出的短信不能收回/))
    await question.getByRole('button', { name: '确认发送' }).click()
    await see(toast(page, '已提交发送'))
    await gone(draft)
    // Nobody reloads the page: the row moves by itself.
    const row = page.getByRole('row', { name: /双十二续费/ })
    await see(row.getByText('已完成', { exact: true }))
    const [sent] = await office.sql<{ messages: number; shops: number }>(
      `select count(*)::int as messages, count(distinct merchant_id)::int as shops from outbox_messages
       where kind = 'campaign' and agent_id = 102 and created_at > now() - interval '1 hour'`,
    )
    assert.deepEqual(sent, { messages: shops, shops })
    await row.getByRole('button', { name: '双十二续费' }).click()
    const facts = page.getByRole('dialog', { name: '群发详情' })
    await see(fact(facts, '已生成短信').getByText(`${formatCount(shops)} 家商户`))
    await page.goto('/admin/merchant/smsSendLog')
    await see(page.getByRole('row', { name: /短信群发/ }))
    await office.verifyLedger()
  })

  exhaustive(
    'is told all that is wrong at its fields at once, the first of them focused, and loses nothing',
    ['features/care/campaigns/CampaignEditor.test.tsx', 'features/care/campaigns/rules.test.ts'],
    async () => {
      const page = await office.openAs('20001', EDITING)
      const drawer = await compose(page, '', '')
      const field = (name: string) => drawer.getByRole('textbox', { name })
      for (const name of ['任务名称', '优惠内容'])
        assert.equal(await field(name).getAttribute('aria-required'), 'true')
      await see(
        ...['任务名称', '短信模板', '优惠内容'].map(text =>
          drawer.locator('label', { hasText: text }).getByText('*', { exact: true }),
        ),
      )
      await drawer.getByRole('combobox', { name: '门店类型' }).click()
      await drawer.getByTitle('总店').click()
      await drawer.getByRole('button', { name: '发送', exact: true }).click()
      const missing = [drawer.getByText('请输入任务名称'), drawer.getByText('请输入该项内容')] as const
      await see(...missing)
      await see(field('任务名称').and(page.locator(':focus')))
      assert.deepEqual(await axeFindings(page), [])
      await field('任务名称').fill('年末问候')
      await gone(missing[0])
      await see(missing[1])

      // A draft may be unfinished, but what is in it must be allowed.
      await field('任务名称').fill('')
      await field('优惠内容').fill('详见 https://a.cn')
      await drawer.getByRole('button', { name: '保存草稿' }).click()
      await see(missing[0], drawer.getByText('内容不能包含链接、换行或【】'))
      assert.equal(await field('优惠内容').inputValue(), '详见 https://a.cn')
      await see(drawer.getByTitle('总店'))
    },
  )

  exhaustive(
    'is not held back by what was written for another template',
    ['features/care/campaigns/CampaignEditor.test.tsx', 'features/care/campaigns/rules.test.ts'],
    async () => {
      const page = await office.openAs('20001', EDITING)
      const drawer = await compose(page, '换模板', 'https://a.cn')
      await drawer.getByRole('combobox', { name: '短信模板' }).click()
      await drawer.getByTitle('节日问候').click()
      await drawer.getByRole('button', { name: '保存草稿' }).click()
      await see(toast(page, '已保存草稿'))
    },
  )

  exhaustive(
    'keeps what is typed while it is being saved',
    ['features/care/campaigns/CampaignEditor.test.tsx'],
    async () => {
      const page = await office.openAs('20001', EDITING)
      const drawer = await compose(page, '边存边写', '九折')
      const { promise: held, resolve: goOn } = Promise.withResolvers<void>()
      await page.route('**/api/campaigns', async route => {
        await held
        await route.continue()
      })
      await drawer.getByRole('button', { name: '保存草稿' }).click()
      const name = drawer.getByRole('textbox', { name: '任务名称' })
      await name.fill('边存边写，写完了')
      goOn()
      await see(toast(page, '已保存草稿'))
      assert.equal(await name.inputValue(), '边存边写，写完了')
      await page.keyboard.press('Escape')
      await page.getByRole('alertdialog').getByRole('button', { name: '继续填写' }).click()
      await drawer.getByRole('button', { name: '保存草稿' }).click()
      await eventually(
        async () => await office.sql(`select name from campaigns where name like '边存边写%'`),
        [{ name: '边存边写，写完了' }],
      )
    },
  )

  exhaustive(
    'is kept as a draft, asked about before it is left, and thrown away',
    ['test/e2e/care/campaign.e2e.ts', 'test/every-change.test.ts'],
    async () => {
      const page = await office.openAs('20001', EDITING)
      const drawer = await compose(page, '年末问候', '')
      await drawer.getByRole('textbox', { name: /推荐人包含/ }).fill('老店')
      await page.keyboard.press('Escape')
      const question = page.getByRole('alertdialog')
      await question.getByRole('button', { name: '继续填写' }).click()
      await drawer.getByRole('button', { name: '保存草稿' }).click()
      await see(toast(page, '已保存草稿'))
      await page.goto(EDITING)
      const row = page.getByRole('row', { name: /年末问候/ })
      await see(row.getByText('草稿', { exact: true }))
      await row.getByRole('button', { name: '删除' }).click()
      await question.getByRole('button', { name: '删除草稿' }).click()
      await gone(row)
    },
  )

  exhaustive(
    'can be given a time, and be cancelled before it',
    ['features/care/campaigns/server.test.ts', 'features/care/campaigns/rules.test.ts'],
    async () => {
      const page = await office.openAs('20001', EDITING)
      const drawer = await compose(page, '定时续费')
      await drawer.getByText('定时发送', { exact: true }).first().click()
      const time = drawer.getByRole('textbox', { name: '计划时间' })
      await time.click()
      await drawer.getByText('一周后 9 点').click()
      assert.match(await time.inputValue(), / 09:00$/)
      await time.click()
      await drawer.getByText('明天 9 点').click()
      await drawer.getByRole('button', { name: '定时发送' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: '确认定时发送' }).click()
      await see(toast(page, '已定时发送'))
      const row = page.getByRole('row', { name: /定时续费/ })
      await see(row.getByText('待发送', { exact: true }))
      await row.getByRole('button', { name: '取消' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: '取消群发' }).click()
      await see(row.getByText('已取消', { exact: true }))
    },
  )

  exhaustive(
    'that costs more than there is cannot be sent, and offers exactly what is missing',
    ['features/sales/payments/MissingPay-places.test.tsx', 'features/care/campaigns/server.test.ts'],
    async () => {
      const shops = await reachable(103)
      await office.sql(
        `select ledger_post(jsonb_build_array(jsonb_build_object('kind', 'sms-gift', 'asset', 'sms', 'amount',
           (select balance - 1 from ledger_accounts where owner_kind = 'agent' and owner_id = 103 and asset = 'sms'),
         'from', jsonb_build_object('kind', 'agent', 'id', 103), 'to', jsonb_build_object('kind', 'vendor', 'book', 'sms-supplier'),
         'document', 'E2E-SHORT', 'payMethod', 'gift', 'agentId', 103, 'actorId', 1, 'actorName', '测试', 'description', '测试')))`,
      )
      const page = await office.openAs('20003', EDITING)
      const drawer = await compose(page, '余额不够', '九折')
      await eventually(() => fact(drawer, '还差').innerText(), `${shops - 1} 条`)
      const send = drawer.getByRole('button', { name: '发送', exact: true })
      assert.equal(await send.getAttribute('data-tip'), '短信余额不足，请充值后再发送')
      await see(drawer.getByRole('button', { name: `扫码补足 ${shops - 1} 条短信` }))
    },
  )

  exhaustive(
    'of whom a search over all agents says too little is told so at that field',
    ['features/shops/merchants/server-list.test.ts'],
    async () => {
      const page = await office.openAs('10001', EDITING)
      const drawer = await compose(page, '查得太宽', '九折')
      await drawer.getByRole('textbox', { name: /推荐人包含/ }).fill('店')
      await drawer.getByRole('button', { name: '发送', exact: true }).click()
      await see(drawer.locator('[id$=-note]').getByText('搜索全部代理商时请至少输入2个字'))
    },
  )

  exhaustive('fits a phone', ['test/e2e/care/campaign.e2e.ts'], async () => {
    const page = await office.openAs('20001', EDITING, { viewport: PHONE, dark: true })
    await compose(page, '手机上写')
    assert.equal(await sidewaysScroll(page), 0)
    assert.deepEqual(await axeFindings(page), [])
  })
})

test('failed messages are sent again in one go; those that cannot be say why', async () => {
  const page = await office.openAs('20001', '/admin/merchant/smsSendLog?status=delivered')
  await page.getByRole('checkbox', { name: '选择本页' }).check()
  const bulk = page.getByRole('region', { name: '批量操作' })
  assert.equal(await bulk.getByRole('button', { name: '重发' }).getAttribute('data-tip'), '未选择可重发短信')
  await page.goto('/admin/merchant/smsSendLog?status=failed')
  await page.getByRole('checkbox', { name: '选择本页' }).check()
  const resend = bulk.getByRole('button', { name: /^重发 \d+ 条$/ })
  const name = await resend.innerText()
  await resend.click()
  await page.getByRole('dialog', { name: '重发短信' }).getByRole('button', { name, exact: true }).click()
  const count = /\d+/.exec(name)?.[0]
  await see(page.getByRole('dialog', { name: '重发结果' }).getByText(`${count} 条已加入发件箱`))
  await page.getByRole('button', { name: '完成' }).click()
  await see(page.getByRole('row').getByText('已重发'))
})

exhaustive(
  'staff say what became of a message that nobody could tell about',
  ['features/shops/messages/desk/server-log.test.ts', 'features/shops/messages/rules.test.ts'],
  async () => {
    const page = await office.openAs('10090', '/admin/merchant/smsManageError')
    await page
      .getByRole('list', { name: '异常原因' })
      .getByRole('button', { name: /待确认/ })
      .click()
    await someRow(page.getByRole('table'), '待确认').getByRole('button', { name: '处理' }).click()
    const dialog = page.getByRole('dialog', { name: '处理待确认短信' })
    await dialog.getByRole('button', { name: '保存结果' }).click()
    await see(dialog.getByText('请输入处理说明'))
    await dialog.getByRole('textbox', { name: '处理说明' }).fill('服务商确认未送达')
    await dialog.getByRole('button', { name: '保存结果' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: '标记为发送失败' }).click()
    await see(toast(page, '已处理，退回 1 条'))
    await office.verifyLedger()
  },
)

exhaustive(
  'the forecast names the shops that run out this week, and a package or a gift is one step away',
  ['features/shops/messages/desk/server-forecast.test.ts', 'features/shops/messages/desk/rules.test.ts'],
  async () => {
    const page = await office.openAs('20001', '/admin/merchant/smsForecast')
    await see(page.getByRole('row').getByText('本周将用尽'))
    await page.getByRole('button', { name: /本周将用尽/ }).click()
    const drying = page.getByRole('row').getByText('本周将用尽')
    await eventually(async () => (await page.getByRole('row').count()) === (await drying.count()) + 1, true)
    await someRow(page.getByRole('table'), '本周将用尽').getByRole('button', { name: '赠送' }).click()
    await see(page.getByRole('dialog', { name: /赠送短信/ }))
  },
)

/** Heads of columns that the column of actions, or the table's edge, stands half over. */
function cutColumns(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const edgeOf = (selector, side) => document.querySelector(selector)?.getBoundingClientRect()[side]
    const edge = edgeOf('th[data-fixed=end]', 'left') ?? edgeOf('div:has(> table)', 'right')
    return [...document.querySelectorAll('table th:not([data-fixed=end])')]
      .filter(head => {
        const { left, right } = head.getBoundingClientRect()
        return left < edge - 1 && right > edge + 1
      })
      .map(head => head.textContent)
  })()`)
}

exhaustive(
  'on a usual screen no column is half hidden by the actions or the edge',
  ['test/e2e/house/pages.e2e.ts'],
  async () => {
    const lists = [
      ['20001', '/admin/merchant/smsSendLog'],
      ['10001', '/admin/merchant/smsSendLog'],
      ['10001', '/admin/merchant/smsManageError'],
      ['10001', '/admin/operations/outbox'],
      ['10001', '/admin/merchant/smsForecast'],
      ['20001', EDITING],
      ['10001', EDITING],
      ['10001', '/admin/operations/content'],
      ['10001', '/admin/operations/consultations'],
    ] as const
    for (const [login, path] of lists) {
      const page = await office.openAs(login, path)
      await see(page.locator('tbody tr'))
      assert.deepEqual(await cutColumns(page), [], `${login} ${path}`)
      await office.closePages()
    }
  },
)
