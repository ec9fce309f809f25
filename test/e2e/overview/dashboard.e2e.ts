// The start page's numbers and charts (D1 §2 dashboard): each is what its list counts, and each part stands for itself.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import {
  type DutyKey,
  MORNING_DUTIES,
  TILE_LISTS,
  TILES,
  type Tile,
} from '#features/overview/dashboard/rules.ts'
import { addDays, formatDay } from '#kit/time.ts'
import { exhaustive } from '../../lane.ts'
import {
  axeFindings,
  type BrowserOffice,
  eventually,
  fact,
  gone,
  openBrowserOffice,
  PHONE,
  ready,
  see,
  sidewaysScroll,
  visit,
} from '../browser.ts'

const HOME = '/admin/index'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice()
})
afterEach(() => office.closePages())
after(() => office.stop())

const link = (page: Page, tile: Tile, day: '今日' | '昨日' = '今日'): Locator =>
  page.getByRole('link', { name: new RegExp(`^${day}${TILE_LISTS[tile].name} [\\d,]+ .，查看列表$`) })
const counted = async (page: Page, tile: Tile, day: '今日' | '昨日' = '今日') =>
  Number((await link(page, tile, day).innerText()).replaceAll(',', ''))
const chart = (page: Page, name: string) => page.getByRole('figure', { name })

/** The charts are asked for once they are nearly in sight. */
const toCharts = (page: Page) => page.getByRole('region', { name: '经营趋势' }).scrollIntoViewIfNeeded()

async function totalOf(page: Page): Promise<number> {
  const text = await page
    .getByText(/^共 [\d,]+ 条$/)
    .first()
    .innerText()
  return Number(text.replace(/\D/g, ''))
}

/** A shop of the agent buys an SMS package, as its agent would. */
async function buySms(page: Page): Promise<void> {
  const [shop] = await office.sql<{ id: string }>(
    `select id from merchants where agent_id = 101 and status = 'normal' order by id limit 1`,
  )
  const path = `/api/merchants/${shop?.id}/sms-packages`
  const { rows } = (await (await page.request.get(path)).json()) as {
    rows: { id: number; totalCents: number }[]
  }
  const [offer] = rows
  const answer = await page.request.post(path, {
    headers: { 'x-requested-with': 'partner-office', 'idempotency-key': randomUUID() },
    data: { packageId: offer?.id, totalCents: offer?.totalCents, remark: '' },
  })
  assert.equal(answer.status(), 200)
}

const todo = (page: Page) => page.getByRole('region', { name: '今天要做' })

test('what the start page of a partner counts opens the list of exactly that', async () => {
  await office.sql(
    `update merchants set expires_at = now() + interval '3 days' where id in (
       select id from merchants where agent_id = 101 and status = 'normal' and expires_at > now() order by id limit 2)`,
  )
  const page = await office.openAs('20001', HOME)
  await see(link(page, 'sms'))
  const before = await counted(page, 'sms')
  await buySms(page)
  await buySms(page)
  await page.reload()
  await see(link(page, 'sms'))
  assert.equal(await counted(page, 'sms'), before + 2)
  const by = before + 2 - (await counted(page, 'sms', '昨日'))
  await see(page.getByText(by > 0 ? `比昨日多 ${by}` : '与昨日持平', { exact: true }))
  await link(page, 'sms').click()
  await page.waitForURL(`**${TILE_LISTS.sms.path}?**`)
  await eventually(() => totalOf(page), before + 2)

  await visit(page, HOME, '首页')
  const duty = todo(page).getByRole('link', { name: MORNING_DUTIES.expiring.name })
  const waiting = /(\d+) 家/.exec(await duty.innerText())?.[1]
  await duty.click()
  await page.waitForURL(`**${MORNING_DUTIES.expiring.path}?**`)
  await eventually(() => page.getByRole('table').locator('tbody').getByRole('row').count(), Number(waiting))

  await visit(page, HOME, '首页')
  const shown = page.locator('dl > div').filter({ hasText: '本月毛利（元）' }).getByRole('link')
  await see(shown)
  const profit = await shown.innerText()
  await shown.click()
  await page.waitForURL('**/admin/detail/margins?**')
  await see(page.getByText(`毛利 ${profit} 元`))

  await visit(page, HOME, '首页')
  await page.getByRole('link', { name: '查看短信变动' }).click()
  await page.waitForURL('**/admin/detail/merchantMsgChanges')

  const [most] = await office.sql<{ day: string; shops: string }>(
    `select day::text, registered as shops from merchant_days where agent_id = 101 and day > $1 and registered > 0
     order by registered desc, day limit 1`,
    [addDays(formatDay(new Date()), -30)],
  )
  assert.ok(most)
  await visit(page, HOME, '首页')
  await toCharts(page)
  const shops = chart(page, '近30天新增商户')
  await see(shops.locator('canvas'))
  assert.equal(await page.getByRole('figure').count(), 5)
  await shops.getByRole('button', { name: '看表格' }).click()
  const row = shops.getByRole('row').filter({ hasText: most.day.slice(5) })
  assert.equal(await row.getByRole('button').innerText(), most.shops)
  await row.getByRole('button').click()
  await page.waitForURL(`**${TILE_LISTS.merchants.path}?**`)
  await eventually(() => totalOf(page), Number(most.shops))
  assert.equal(new URL(page.url()).search, `?registeredFrom=${most.day}&registeredTo=${most.day}`)

  await visit(page, HOME, '首页')
  await page.getByRole('main').getByRole('link', { name: '新增商户', exact: true }).click()
  await page.waitForURL('**/admin/merchant/addUser')
})

describe('what is to be done today', () => {
  for (const [who, login] of [
    ['a partner', '20001'],
    ['the operator', '10001'],
  ] as const)
    exhaustive(
      `each thing that waits for ${who} opens the list of exactly its rows`,
      ['features/overview/dashboard/server-todo.test.ts', 'features/overview/dashboard/HomePage.test.tsx'],
      async () => {
        await office.sql(
          `update merchants set expires_at = now() + interval '3 days' where id in (
           select id from merchants where agent_id = 101 and status = 'normal' and expires_at > now() order by id limit 2)`,
        )
        const page = await office.openAs(login, HOME)
        await see(todo(page).getByRole('listitem'))
        const { items } = (await (await page.request.get('/api/dashboard/todo')).json()) as {
          items: { key: DutyKey; count: number }[]
        }
        assert.ok(items.length > 1)
        for (const { key, count } of items) {
          await page.goto(HOME)
          await todo(page).getByRole('link', { name: MORNING_DUTIES[key].name }).click()
          await page.waitForURL(`**${MORNING_DUTIES[key].path}?**`)
          const rows = page.getByRole('table').locator('tbody').getByRole('row')
          await see(rows)
          if (key === 'expiring') assert.equal(await rows.count(), count)
          else await eventually(() => totalOf(page), count, key)
        }
      },
    )

  exhaustive(
    'a morning with nothing to do says so kindly',
    ['features/overview/dashboard/HomePage.test.tsx'],
    async () => {
      const page = await office.openAs('20003', HOME)
      await page.route('**/api/dashboard/todo', route =>
        route.fulfill({ json: { today: '2026-03-01', isFresh: false, items: [] } }),
      )
      await page.route('**/api/inbox/count', route => route.fulfill({ json: { waiting: 0, capped: false } }))
      await page.goto('/admin/account/personalData')
      await page.goto(HOME)
      await see(todo(page).getByText('都处理好了，今天没有等您办的事'))
    },
  )
})

exhaustive(
  'a card of the carousel is for who may open its page, and the line can be closed',
  ['features/overview/dashboard/HomePage.test.tsx'],
  async () => {
    const sub = await office.openAs('2000101', HOME)
    await see(sub.getByRole('region', { name: '系统公告' }).getByRole('button').first())
    assert.equal(await sub.getByRole('region', { name: '推荐' }).getByText('硬件商城').count(), 0)
    const page = await office.openAs('20001', HOME)
    const line = page.getByRole('region', { name: '推荐' })
    await line.getByRole('button', { name: '不再显示' }).click()
    await gone(line)
    await page.reload()
    await see(link(page, 'sms'))
    await gone(line)
  },
)

describe('the counts of today', () => {
  for (const [who, login] of [
    ['an agent', '20001'],
    ['the operator', '10001'],
  ] as const)
    exhaustive(
      `each tile of ${who} opens its list, whose total it is`,
      ['features/overview/dashboard/server.test.ts', 'features/overview/dashboard/HomePage.test.tsx'],
      async () => {
        const page = await office.openAs(login, HOME)
        if (login === '20001') await buySms(page)
        for (const tile of TILES)
          for (const day of ['今日', '昨日'] as const) {
            await page.goto(HOME)
            await see(link(page, tile, day))
            const count = await counted(page, tile, day)
            await link(page, tile, day).click()
            await page.waitForURL(`**${TILE_LISTS[tile].path}?**`)
            if (count === 0) await see(page.getByText('没有符合条件的记录'))
            else {
              await see(page.getByText(/^共 [\d,]+ 条$/))
              await eventually(() => totalOf(page), count, `${day}${TILE_LISTS[tile].name}`)
            }
          }
      },
    )
})

exhaustive(
  'the SMS balance opens the changes that led to it',
  ['features/sales/sms/server-gift.test.ts', 'test/e2e/overview/dashboard.e2e.ts'],
  async () => {
    const page = await office.openAs('20001', HOME)
    const shown = fact(page, '短信余额（条）').first()
    await eventually(async () => (await shown.innerText()) === '—', false, 'it is there')
    const balance = await shown.innerText()
    await page.getByRole('link', { name: '查看短信变动' }).click()
    await page.waitForURL('**/admin/detail/merchantMsgChanges')
    await see(page.getByRole('heading', { name: '商户短信变动' }))
    const rows = page.getByRole('table').locator('tbody').getByRole('row')
    await see(rows)
    const heads = await page.getByRole('columnheader').allInnerTexts()
    const after = heads.findIndex(name => name.startsWith('变动后'))
    const [latest] = await rows.locator(`td:nth-child(${after + 1})`).allInnerTexts()
    assert.equal(latest, balance)
  },
)

describe('the charts', () => {
  exhaustive(
    'five of them, drawn without motion where none is wanted; one without numbers says so',
    ['features/overview/dashboard/HomePage.test.tsx', 'test/e2e/overview/dashboard.e2e.ts'],
    async () => {
      await office.sql(`delete from sms_days where agent_id = 101`)
      const page = await office.openAs('20001', HOME)
      await toCharts(page)
      for (const name of ['近30天销售额', '近30天新增商户', '未来30天到期商户'])
        await see(chart(page, name).locator('canvas'))
      await see(chart(page, '近30天短信使用').getByText('近30天没有发送短信'), chart(page, '近30天短信充值'))
      await ready(page)
      assert.equal(await page.getByRole('figure').count(), 5)
      const shot = () => chart(page, '近30天销售额').locator('canvas').screenshot()
      assert.deepEqual(await shot(), await shot())
    },
  )

  exhaustive(
    'segments and yuan are shown in their own units',
    ['features/overview/dashboard/server.test.ts', 'test/e2e/overview/dashboard.e2e.ts'],
    async () => {
      const today = formatDay(new Date())
      await office.sql(
        `insert into sms_days (payer, payer_id, day, agent_id, messages, segments) values ('agent', 101, $1, 101, 8, 12)
       on conflict (payer, payer_id, day) do update set segments = 12`,
        [today],
      )
      const page = await office.openAs('20001', HOME)
      await toCharts(page)
      const used = chart(page, '近30天短信使用（条）')
      await used.getByRole('button', { name: '看表格' }).click()
      const row = used.getByRole('row').filter({ hasText: today.slice(5) })
      assert.equal(await row.getByRole('cell').innerText(), '12')
      await row.getByRole('button').click()
      await page.waitForURL(`**/admin/merchant/smsSendLog?from=${today}&to=${today}`)
    },
  )
})

describe('its parts', () => {
  exhaustive(
    'charts that fail say so in their place and leave the rest alone; another try brings them',
    ['features/overview/dashboard/HomePage.test.tsx'],
    async () => {
      const page = await office.openAs('20001', '/admin/account/personalData')
      await page.route('**/api/dashboard/charts', route => route.abort())
      await page.goto(HOME)
      const trends = page.getByRole('region', { name: '经营趋势' })
      await toCharts(page)
      await see(trends.getByRole('alert'), link(page, 'merchants'))
      await page.unroute('**/api/dashboard/charts')
      await trends.getByRole('button', { name: '重试' }).click()
      await see(chart(page, '近30天销售额'))
      await gone(trends.getByRole('alert'))
    },
  )

  test('a sub-user sees what its role holds and no more; one that holds the figures alone is led nowhere', async () => {
    const page = await office.openAs('2000101', HOME)
    await see(
      page.getByText('余额（代币）', { exact: true }),
      page.getByText('短信余额（条）', { exact: true }),
    )
    assert.equal(await page.getByRole('link', { name: '查看短信变动' }).count(), 0)
    assert.equal(await page.getByRole('region', { name: '今日经营' }).count(), 0)
    assert.equal(await page.getByRole('region', { name: '经营趋势' }).count(), 0)
    assert.equal(await page.getByRole('main').getByRole('link', { name: '新增商户' }).count(), 0)
    await office.sql(`update roles set node_ids = '{27,272}' where name = '财务'`)
    await page.reload()
    const today = page.getByRole('region', { name: '今日经营' })
    await see(
      today.getByText('今日软件订单（笔）'),
      page.getByText('您的角色还没有可用的页面，请联系管理员开通'),
    )
    await toCharts(page)
    await see(chart(page, '近30天销售额'))
    assert.equal(await today.getByRole('link').count(), 0)
    await chart(page, '近30天销售额').getByRole('button', { name: '看表格' }).click()
    assert.equal(await chart(page, '近30天销售额').getByRole('cell').getByRole('button').count(), 0)
  })

  exhaustive(
    'the header’s button leads to the form for a new shop',
    ['test/e2e/overview/dashboard.e2e.ts'],
    async () => {
      const page = await office.openAs('20001', HOME)
      await page.getByRole('main').getByRole('link', { name: '新增商户', exact: true }).click()
      await page.waitForURL('**/admin/merchant/addUser')
    },
  )
})

exhaustive(
  'on a phone everything stands in one column, big enough to touch, in both themes',
  ['test/e2e/house/pages.e2e.ts'],
  async () => {
    for (const dark of [false, true]) {
      const page = await office.openAs('20001', HOME, { viewport: PHONE, dark })
      await see(link(page, 'services'))
      await page.getByRole('region', { name: '经营趋势' }).scrollIntoViewIfNeeded()
      await see(chart(page, '近30天销售额').locator('canvas'))
      assert.equal(await sidewaysScroll(page), 0)
      assert.deepEqual(await axeFindings(page), [])
      const button = await page
        .getByRole('main')
        .getByRole('link', { name: '新增商户', exact: true })
        .boundingBox()
      assert.ok(button && button.height >= 44, `the main button is ${button?.height} px high`)
    }
  },
)

describe('margin', () => {
  test('a price for all shops is set, wrong ones are told at their field, and the list has it', async () => {
    const page = await office.openAs('20002', '/admin/detail/margins?view=prices')
    await see(page.getByText('还没有设置售价'))
    await page.getByRole('button', { name: '设置售价' }).click()
    const dialog = page.getByRole('dialog', { name: '设置售价' })
    await dialog.getByRole('button', { name: '保存' }).click()
    await see(dialog.getByText('请输入至少一项售价'))
    await dialog.getByRole('combobox', { name: '软件版本' }).click()
    await page.getByTitle('高级版', { exact: true }).click()
    await dialog.getByRole('textbox', { name: '每年售价' }).fill('0')
    await dialog.getByRole('button', { name: '保存' }).click()
    await see(dialog.getByText('请输入大于0、不超过1,000万的售价，最多两位小数'))
    assert.deepEqual(await axeFindings(page), [])
    await dialog.getByRole('textbox', { name: '每年售价' }).fill('398')
    await dialog.getByRole('button', { name: '保存' }).click()
    await see(page.getByRole('cell', { name: '398.00' }), page.getByRole('cell', { name: '所有商户' }))
  })
})
