// The demand tracker in the browser (D3 §2, §5, §8): list, form with pictures, log, board, and what hostile texts come to.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { RICH_ATTRIBUTES, RICH_TAGS } from '#kit/words/rich.ts'
import { HOSTILE } from '#server/texts/hostile.ts'
import { exhaustive, sampled } from '../../lane.ts'
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

const demandId = async (title: string) => {
  const [row] = await office.sql<{ id: string }>('select id from demands where title = $1', [title])
  return Number(row?.id)
}

test('a demand is written with a picture, is found, and its log says what changed and who was named', async () => {
  const page = await office.openAs('10090', '/admin/demand')
  await page.getByRole('link', { name: '新增需求' }).click()
  await see(page.getByRole('heading', { name: '新增需求' }))
  await page.getByRole('button', { name: '保存' }).click()
  await see(
    ...[
      '请输入任务标题',
      '请输入正确的店铺id',
      '请输入负责人',
      '请输入优先级',
      '请输入任务类型',
      '请输入客户端',
    ].map(text => page.getByText(text, { exact: true })),
    page.getByText('请输入行业类型', { exact: true }),
  )
  await page.getByRole('textbox', { name: '任务标题' }).fill('需'.repeat(31))
  await page.getByRole('textbox', { name: '路径' }).fill('收银/扫码')
  await see(page.getByText('请输入不多于30个字的标题'))
  await page.getByRole('textbox', { name: '任务标题' }).fill('扫码枪连扫会漏')
  await page.getByRole('textbox', { name: '店铺ID' }).fill('99999999')
  await see(page.getByText('请输入正确的店铺id'))
  const [shop] = await office.sql<{ id: string; shop_name: string }>(
    'select id, shop_name from merchants limit 1',
  )
  await page.getByRole('textbox', { name: '店铺ID' }).fill(String(shop?.id))
  await see(page.getByText(String(shop?.shop_name)))
  const [owner] = await office.sql<{ name: string }>(`select name from accounts where login_name = '10001'`)
  await choose(page, page, '负责人', String(owner?.name))
  await choose(page, page, '优先级', '主要')
  await choose(page, page, '任务类型', 'Bug')
  await choose(page, page, '客户端', '安卓手持')
  const editor = page.getByRole('textbox', { name: '备注' })
  await editor.click()
  await page.keyboard.type('连扫三次会漏一次')
  const png = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#c33' } })
    .png()
    .toBuffer()
  await page
    .getByLabel('选择要插入的图片')
    .setInputFiles({ name: '截图.png', mimeType: 'image/png', buffer: png })
  await see(editor.locator('img'))
  await page
    .getByLabel('选择要插入的图片')
    .setInputFiles({ name: '坏.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
  await see(page.getByText(/图片插入失败/))
  assert.deepEqual(await axeFindings(page), [])
  await page.getByRole('button', { name: '保存' }).click()
  await see(toast(page, '操作成功'), page.getByRole('heading', { name: '需求管理' }))

  await page.getByPlaceholder('店铺ID / 任务标题 / 路径 / 备注').fill('扫码枪')
  await page.keyboard.press('Enter')
  const row = page.getByRole('row', { name: /扫码枪连扫会漏/ })
  await see(row)
  await row.getByRole('button', { name: '查看' }).click()
  await see(page.getByRole('heading', { name: '需求详情' }), page.getByText(/^提交人/))
  await see(page.getByRole('textbox', { name: '备注' }).locator('img'))
  await choose(page, page, '进度', '开发中')
  await page.getByRole('button', { name: '保存' }).click()
  await see(toast(page, '操作成功'))

  await page
    .getByRole('row', { name: /扫码枪连扫会漏/ })
    .getByRole('button', { name: '日志' })
    .click()
  const drawer = page.getByRole('dialog', { name: '需求日志' })
  await see(drawer.getByText('修改了需求'), drawer.getByText('已反馈'), drawer.getByText('开发中'))
  await drawer.getByRole('textbox', { name: '评论' }).fill('请看一下 @')
  await drawer.getByRole('button', { name: `@${owner?.name}` }).click()
  await drawer.getByRole('button', { name: '发表评论' }).click()
  await see(toast(page, '已评论'), drawer.getByText(`请看一下 @${owner?.name}`))
  const id = await demandId('扫码枪连扫会漏')
  await eventually(
    async () =>
      (
        await office.sql<{ n: number }>(
          `select count(*)::int as n from notices where args ->> 'demandId' = $1 and title like '%提到了您'`,
          [String(id)],
        )
      )[0]?.n,
    1,
  )
  assert.deepEqual(await axeFindings(page), [])
})

exhaustive(
  'the progress line filters, rows are changed together, and a deleted one comes back',
  ['features/support/demands/server.test.ts', 'test/e2e/support/demands.e2e.ts'],
  async () => {
    const page = await office.openAs('10090', '/admin/demand')
    const progress = page.getByRole('navigation', { name: '按进度筛选' })
    await progress.getByRole('button', { name: /待排期/ }).click()
    await see(page.getByRole('row', { name: /会员储值支持按门店限制/ }))
    await gone(page.getByRole('row', { name: /小票打印偶尔缺最后一行/ }))
    await page
      .getByRole('row', { name: /会员储值/ })
      .getByRole('checkbox')
      .check()
    await page
      .getByRole('row', { name: /新员工培训/ })
      .getByRole('checkbox')
      .check()
    await page.getByRole('button', { name: '批量修改' }).click()
    const dialog = page.getByRole('dialog', { name: '批量修改 2 个需求' })
    await dialog.getByRole('button', { name: '修改 2 个' }).click()
    await see(dialog.getByText('请至少选择一项要修改的内容'))
    await choose(page, dialog, '进度', '测试中')
    await dialog.getByRole('button', { name: '修改 2 个' }).click()
    await see(toast(page, '操作成功'))
    await gone(page.getByRole('row', { name: /会员储值/ }))
    await progress.getByRole('button', { name: /测试中/ }).click()
    const row = page.getByRole('row', { name: /新员工培训/ })
    await row.getByRole('button', { name: '删除' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: '删除需求' }).click()
    await see(toast(page, '删除成功'))
    await gone(row)
    await page.goto('/admin/demand?deleted=true')
    await page
      .getByRole('row', { name: /新员工培训/ })
      .getByRole('button', { name: '恢复' })
      .click()
    await see(toast(page, '恢复成功'))
    await gone(page.getByRole('row', { name: /新员工培训/ }))
  },
)

test('a card is moved on the board by dragging, by keys and by its menu', async () => {
  const page = await office.openAs('10001', '/admin/demand/board')
  const column = (name: string) => page.getByRole('region', { name, exact: true })
  const card = (name: string) => page.getByRole('article').filter({ hasText: name })
  await card('盘点单导出带条码').dragTo(column('开发中'))
  await see(column('开发中').getByRole('link', { name: '盘点单导出带条码' }))
  await eventually(
    async () =>
      (await office.sql<{ status: string }>(`select status from demands where title = '盘点单导出带条码'`))[0]
        ?.status,
    'developing',
  )
  await page.getByRole('link', { name: '盘点单导出带条码' }).focus()
  await page.keyboard.press('Shift+ArrowRight')
  await see(column('测试中').getByRole('link', { name: '盘点单导出带条码' }))
  await page.getByRole('button', { name: '移动：盘点单导出带条码' }).click()
  await page.getByRole('menuitemradio', { name: '暂缓' }).click()
  await see(column('暂缓').getByRole('link', { name: '盘点单导出带条码' }))
  assert.deepEqual(await axeFindings(page), [])
})

exhaustive(
  'what a partner wrote becomes a demand, and going online tells its agent',
  [
    'features/support/demands/server.test.ts',
    'features/support/demands/server-links.test.ts',
    'test/e2e/support/thread-demand.e2e.ts',
  ],
  async () => {
    const staff = await office.openAs('10001', '/admin/operations/feedback')
    const [wish] = await office.sql<{ content: string }>(
      'select content from feedback_messages order by created_at desc, id desc limit 1',
    )
    await rowOf(staff, wish?.content ?? '')
      .getByRole('button', { name: '转为需求' })
      .click()
    await see(staff.getByText(/来自代理商反馈/))
    const [shop] = await office.sql<{ id: string }>(
      `select id from merchants where agent_id = (select agent_id from accounts where login_name = '20001') limit 1`,
    )
    await staff.getByRole('textbox', { name: '任务标题' }).fill('反馈变需求')
    await staff.getByRole('textbox', { name: '店铺ID' }).fill(String(shop?.id))
    await staff.getByRole('combobox', { name: '负责人' }).click()
    await staff.locator('.ant-select-item-option').filter({ visible: true }).first().click()
    await choose(staff, staff, '优先级', '一般')
    await choose(staff, staff, '任务类型', '优化')
    await choose(staff, staff, '客户端', 'PC 网页版')
    await staff.getByRole('button', { name: '保存' }).click()
    await see(toast(staff, '操作成功'))
    const id = await demandId('反馈变需求')
    await staff.goto(`/admin/demandForm?id=${id}`)
    const side = staff.getByRole('complementary', { name: '需求的来源与关联' })
    await see(side.getByText(/代理商反馈/))
    await choose(staff, staff, '进度', '已上线')
    await staff.getByRole('button', { name: '保存' }).click()
    await see(toast(staff, '操作成功'))
    const told = await office.sql<{ body: string }>(
      `select body from notices where args ->> 'demandId' = $1 and title = '您反馈的需求已上线'`,
      [String(id)],
    )
    assert.ok(told.length >= 2, JSON.stringify(told))
  },
)

test('hostile texts do nothing where they are shown and where they are edited, whatever the database holds', async () => {
  const hostile = sampled(HOSTILE, 6)
  const [shop] = await office.sql<{ id: string }>('select id from merchants limit 1')
  const kept = (
    await office.sql<{ id: string }>(
      `insert into demands (title, merchant_id, owner_id, priority, type, client, industry_id, status, description, oldest_asked_at, weight_rank,
         created_by, created_by_name, created_at, deleted_at)
       select name, $1, (select id from accounts where login_name = '10090'), 'normal', 'bug', 'pcWeb', 2, 'feedbacked', html, now(), 0, 1, '测试', now(), now()
       from unnest($2::text[], $3::text[]) as t (name, html) returning id`,
      [shop?.id, hostile.map(([name]) => name), hostile.map(([, html]) => html.replaceAll('\u0000', ''))],
    )
  ).map(row => Number(row.id))
  // In a session of its own: what cleans them parses them in a document of no page, and the browser says of that too what it would block.
  const here = await office.openAs('10090', '/admin/demand')
  const storageState = await here.context().storageState()
  const apart = await here
    .context()
    .browser()
    ?.newContext({ baseURL: office.url, storageState, locale: 'zh-CN' })
  const page = (await apart?.newPage()) ?? assert.fail('no browser')
  const foreign: string[] = []
  page.on('request', request => {
    if (!request.url().startsWith(office.url) && !request.url().startsWith('data:'))
      foreign.push(request.url())
  })
  await page.goto('/admin/demand')
  await see(page.getByRole('heading', { name: '需求管理' }))
  for (const [at, id] of kept.entries()) {
    await goTo(page, `/admin/demandForm?id=${id}`)
    const name = hostile[at]?.[0] ?? ''
    await see(page.getByRole('heading', { name, exact: true }))
    const shown = page.locator('[data-part="rich-text"]')
    await see(shown.getByText('好').first())
    assert.deepEqual(await strangeIn(shown), [], name)
  }
  await office.sql('update demands set deleted_at = null where id = any($1)', [kept])
  await page.reload()
  for (const [at, id] of kept.entries()) {
    await goTo(page, `/admin/demandForm?id=${id}`)
    const name = hostile[at]?.[0] ?? ''
    await eventually(() => page.getByRole('textbox', { name: '任务标题' }).inputValue(), name)
    const typed = page.getByRole('textbox', { name: '备注' })
    await see(typed.getByText('好').first())
    assert.deepEqual(await strangeIn(typed), [], name)
  }
  assert.equal(await page.evaluate(() => (globalThis as { hacked?: unknown }).hacked), undefined)
  assert.deepEqual(foreign, [])
  await apart?.close()
  await office.sql('delete from demands where id = any($1)', [kept])
})

/** As a link of the page leads there: without loading it anew. */
async function goTo(page: Page, path: string): Promise<void> {
  const address = JSON.stringify(path)
  await page.evaluate(`history.pushState({}, '', ${address}); dispatchEvent(new Event('popstate'))`)
}

/** Elements and attributes below it that are not on the list; what an editor and a shown link add of their own is known. */
function strangeIn(box: Locator): Promise<string[]> {
  return box.evaluate(
    (node, { tags, attributes }) =>
      [...node.querySelectorAll('*')].flatMap(element => {
        const tag = element.tagName.toLowerCase()
        const known = [...(attributes[tag] ?? []), 'target', 'rel', 'class', 'contenteditable', 'draggable']
        return [
          ...(tags.includes(tag) ? [] : [tag]),
          ...[...element.attributes].flatMap(({ name, value }) => {
            if (!known.includes(name)) return [`${tag} ${name}`]
            if (name === 'class' && !value.startsWith('ProseMirror')) return [`${tag} class ${value}`]
            if (name === 'href' && !/^(?:https?:\/\/|\/admin\/)/.test(value)) return [`${tag} ${value}`]
            return name === 'src' && !/^\/api\/files\/[0-9a-f-]{36}$/.test(value) ? [`${tag} ${value}`] : []
          }),
        ]
      }),
    { tags: [...RICH_TAGS] as string[], attributes: RICH_ATTRIBUTES as unknown as Record<string, string[]> },
  )
}

exhaustive(
  'a demand and its log fit a phone and pass axe',
  ['test/e2e/house/pages.e2e.ts', 'test/e2e/support/demands.e2e.ts'],
  async () => {
    const page = await office.openAs('10090', '/admin/demandForm?id=1', { viewport: PHONE })
    assert.equal(await sidewaysScroll(page), 0)
    assert.deepEqual(await axeFindings(page), [])
    await page.getByRole('button', { name: '日志与评论' }).click()
    await see(page.getByRole('dialog', { name: '需求日志' }).getByText('新建了需求'))
  },
)
