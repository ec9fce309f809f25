// In npm test: test/e2e/office/arrange.e2e.ts, features/office/views/server.test.ts, features/overview/exports/server.test.ts.
// What people keep of a list: views shared with staff, and all its rows as a file made in the background (D3 §9).
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import readXlsxFile from 'read-excel-file/node'
import {
  type BrowserOffice,
  eventually,
  gone,
  menuLink,
  openBrowserOffice,
  ready,
  see,
  toast,
} from '../browser.ts'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice({ exports: true })
  await office.sql('delete from saved_views')
  await office.sql('delete from export_jobs')
})
afterEach(() => office.closePages())
after(() => office.stop())

const LIST = '/admin/merchant/myMerchant'

async function openList(login: string, query = ''): Promise<Page> {
  const page = await office.openAs(login, LIST + query)
  await see(page.locator('tbody tr'))
  return page
}

function views(page: Page): Locator {
  return page.getByRole('button', { name: /^视图/ })
}

async function choose(page: Page, entry: string | RegExp): Promise<void> {
  await views(page).click()
  await page.getByRole('menu').locator('[role^=menuitem]').filter({ hasText: entry }).click()
}

async function entriesOf(page: Page): Promise<string[]> {
  await views(page).click()
  await see(page.getByRole('menu').getByText('保存当前视图…'))
  await ready(page)
  const names = await page.getByRole('menu').locator('[role^=menuitem]').allInnerTexts()
  await page.keyboard.press('Escape')
  return names.map(name => name.replace(/\s+/g, ' ').trim())
}

describe('a view', () => {
  test('keeps what is filtered under a name that is there once, and brings it back', async () => {
    const page = await openList('20001', '?status=disabled')
    await choose(page, '保存当前视图…')
    const dialog = page.getByRole('dialog', { name: '保存当前视图' })
    const save = dialog.getByRole('button', { name: '保存', exact: true })
    await save.click()
    await see(dialog.getByText('请输入视图名称'))
    await dialog.getByRole('textbox', { name: '名称' }).fill('停用的店')
    await dialog.getByRole('checkbox', { name: '共享给本代理商的全部账号' }).check()
    await save.click()
    await see(toast(page, '视图已保存'))
    await gone(dialog)
    const [kept] = await office.sql<{ name: string; list: string; is_shared: boolean; params: object }>(
      'select name, list, is_shared, params from saved_views',
    )
    assert.deepEqual(kept, {
      name: '停用的店',
      list: 'merchants.list',
      is_shared: true,
      params: { status: 'disabled' },
    })
    await choose(page, '全部记录')
    await eventually(async () => new URL(page.url()).search, '')
    await choose(page, '停用的店')
    await see(page.getByText('状态：已禁用'))
    assert.equal(new URL(page.url()).search, '?status=disabled')
    await eventually(() => views(page).innerText(), '停用的店')
    await choose(page, '保存当前视图…')
    await dialog.getByRole('textbox', { name: '名称' }).fill(' 停用的店 ')
    await save.click()
    await see(dialog.getByText('已有同名视图，请换一个名称'))
  })

  test('that is shared is offered to the sub-user, who cannot change it, and to nobody else', async () => {
    await office.sql(
      `update roles set node_ids = node_ids || (select array_agg(id) from permission_nodes where key = 'merchants.list')
       where name = '财务'`,
    )
    const staff = await openList('2000101')
    await eventually(() => entriesOf(staff), ['全部记录', '停用的店 共享', '保存当前视图…'])
    await choose(staff, '停用的店')
    await see(staff.getByText('状态：已禁用'))
    await choose(staff, '全部记录')
    await choose(staff, '保存当前视图…')
    const share = staff.getByRole('checkbox', { name: '共享给本代理商的全部账号' })
    assert.equal(await share.getAttribute('aria-disabled'), 'true')
    const other = await openList('20002')
    await eventually(() => entriesOf(other), ['全部记录', '保存当前视图…'])
  })
})

describe('an export in the background', () => {
  const MANY = 20_001
  /** What one transaction counts takes longer with each shop. */
  const AT_ONCE = 500

  /** Copies of one shop of 20002, so many that its list is no longer written straight to the browser. */
  async function makeMany(): Promise<number> {
    const columns = await office.sql<{ name: string }>(
      `select column_name as name from information_schema.columns
       where table_schema = 'public' and table_name = 'merchants' and is_generated = 'NEVER' order by ordinal_position`,
    )
    const values: Record<string, string> = {
      id: `nextval('merchant_ids')`,
      account: `'1699' || lpad(n::text, 7, '0')`,
      shop_name: `'批量门店' || n`,
    }
    const names = columns.map(({ name }) => name)
    const [one] = await office.sql<{ id: string }>(
      `select id from merchants where agent_id = 102 and store_kind = 'head' order by id limit 1`,
    )
    for (let from = 1; from <= MANY; from += AT_ONCE)
      await office.sql(
        `insert into merchants (${names.join(', ')})
         select ${names.map(name => values[name] ?? `one.${name}`).join(', ')}
         from merchants as one, generate_series($2::int, $3::int) as n where one.id = $1`,
        [one?.id, from, Math.min(from + AT_ONCE - 1, MANY)],
      )
    const [counted] = await office.sql<{ n: number }>(
      'select count(*)::int as n from merchants where agent_id = 102',
    )
    return counted?.n ?? 0
  }

  test('begins at the number of rows that the operator has set', async () => {
    await office.sql('delete from export_jobs')
    const page = await openList('20001')
    const [total = ''] = /[\d,]+/.exec(await page.getByText(/^共 [\d,]+ 条$/).innerText()) ?? []
    assert.ok(Number(total.replaceAll(',', '')) > 100, total)
    const file = page.waitForEvent('download')
    await page.getByRole('link', { name: '导出', exact: true }).click()
    await file

    const operator = await office.openAs('10001', '/admin/operations/reference?table=settings')
    await operator.getByRole('button', { name: '修改直接导出最多' }).click()
    const form = operator.getByRole('dialog', { name: '修改直接导出最多' })
    await form.getByRole('textbox', { name: '直接导出最多' }).fill('100')
    await form.getByRole('button', { name: '保存' }).click()
    await see(toast(operator, '已保存，几秒内生效'))

    await page.reload()
    await page.getByRole('button', { name: '导出', exact: true }).click()
    await see(page.getByRole('alertdialog', { name: '在后台导出？' }).getByText(`共 ${total} 条`))
    await page.goto(`${LIST}?status=disabled`)
    await see(page.getByRole('link', { name: '导出', exact: true }))
    await office.sql(`delete from office_settings where key = 'export-direct-rows'`)
  })

  test('is asked about, followed in the header, told of, and holds every row in the shown columns', async () => {
    const total = await makeMany()
    const page = await openList('20002')
    assert.equal(await page.getByRole('button', { name: /^导出任务/ }).count(), 0)
    await page.getByRole('button', { name: '导出', exact: true }).click()
    const question = page.getByRole('alertdialog', { name: '在后台导出？' })
    await see(question.getByText(`共 ${total.toLocaleString('en-US')} 条`))
    await question.getByRole('button', { name: '取消' }).click()
    assert.deepEqual(await office.sql('select 1 from export_jobs'), [])
    await page.getByRole('button', { name: '导出', exact: true }).click()
    await question.getByRole('button', { name: '开始导出' }).click()
    await see(toast(page, '已开始后台导出，可在右上角查看进度'))
    const sign = page.getByRole('button', { name: /^导出任务/ })
    await see(sign)
    // Other pages can be worked with meanwhile; the message follows.
    await (await menuLink(page, '余额变动')).click()
    await see(page.getByRole('heading', { name: '余额变动' }))
    const link = page.locator('[data-part=toasts]').getByRole('link', { name: '下载文件' })
    await link.waitFor({ state: 'visible', timeout: 60_000 })
    const [job] = await office.sql<{ state: string; rows_written: string; title: string }>(
      'select state, rows_written, title from export_jobs',
    )
    assert.deepEqual([job?.state, Number(job?.rows_written)], ['done', total])
    await sign.click()
    const panel = page.getByRole('dialog', { name: '导出任务' })
    await see(panel.getByText('已完成'))
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      panel.getByRole('link', { name: '下载' }).click(),
    ])
    assert.match(file.suggestedFilename(), /\.xlsx$/)
    const [sheet] = await readXlsxFile(await file.path())
    const [head = [], ...body] = sheet?.data ?? []
    assert.equal(body.length, total)
    const names = new Set(body.map(cells => cells[head.indexOf('店铺名称')]))
    assert.ok(names.has('批量门店1') && names.has(`批量门店${MANY}`))
    const agents = await office.sql<{ id: string }>('select id from merchants where agent_id <> 102')
    const ids = new Set(body.map(cells => String(cells[head.indexOf('ID')] ?? cells[head.indexOf('商户ID')])))
    assert.equal(ids.size, total)
    assert.deepEqual(
      agents.filter(({ id }) => ids.has(id)),
      [],
    )
    await panel.getByRole('link', { name: '查看全部' }).click()
    await see(page.getByRole('heading', { name: '导出任务' }), page.getByText('共 1 条', { exact: true }))
    const stranger = await office.openAs('20001', '/admin/account/exports')
    await see(stranger.getByText(/^没有导出任务/))
    const [row] = await office.sql<{ id: string }>('select id from export_jobs')
    assert.notEqual((await stranger.request.get(`/api/exports/${row?.id}/file`)).status(), 200)
  })
})
