// Emptying a table of a shop's data: asked for with the shop's name, watched, approved by a second person of the staff above 1,000 rows,
// brought back, and found in the list of all.
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
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
  sidewaysScroll,
  toast,
} from '../browser.ts'

const TOOL = '/admin/tool/clearTable'
const LIST = '/admin/tool/clearings'

let office: BrowserOffice
let shop: { id: number; name: string }
before(async () => {
  office = await openBrowserOffice({ outside: true })
})
beforeEach(async () => {
  const [row] = await office.sql<{ id: string; shop_name: string }>(
    `select id, shop_name from merchants m where status = 'normal' and not exists (select 1 from table_clearings c where c.merchant_id = m.id)
     order by id limit 1`,
  )
  assert.ok(row)
  shop = { id: Number(row.id), name: row.shop_name }
})
afterEach(() => office.closePages())
after(() => office.stop())

const drawer = (page: Page) => page.getByRole('dialog', { name: '清空数据', exact: true })

async function askFor(page: Page, table: string, button: RegExp): Promise<void> {
  await page.getByRole('button', { name: `清空${table}` }).click()
  const dialog = page.getByRole('dialog', { name: `清空「${shop.name}」的${table}？` })
  await see(dialog.getByText('备份保留 30 天，期间可以恢复；之后不能找回'))
  await dialog.getByRole('button', { name: button }).click()
  await see(dialog.getByText('请输入店铺名称', { exact: true }))
  const name = dialog.getByRole('textbox', { name: /输入店铺名称/ })
  await name.fill(shop.name.slice(1))
  await dialog.getByRole('textbox', { name: '操作原因' }).fill('店主要求清空')
  await dialog.getByRole('button', { name: button }).click()
  await see(dialog.getByText('店铺名称不一致，请完整输入店铺名称'))
  await name.fill(shop.name)
  assert.deepEqual(await axeFindings(page), [])
  await dialog.getByRole('button', { name: button }).click()
}

/** What was emptied, from its drawer. */
async function bringBack(page: Page, table: string): Promise<void> {
  await drawer(page).getByRole('button', { name: '恢复数据' }).click()
  const back = page.getByRole('dialog', { name: `恢复「${shop.name}」的${table}？` })
  await back.getByRole('button', { name: '恢复数据' }).click()
  await see(back.getByText('请输入恢复原因'))
  await back.getByRole('textbox', { name: '恢复原因' }).fill('店主要求找回')
  await back.getByRole('button', { name: '恢复数据' }).click()
  await see(toast(page, '已提交，正在恢复'), drawer(page).getByText('已恢复', { exact: true }).first())
}

/** The shop's timeline has both. */
async function seeTimeline(page: Page): Promise<void> {
  await page.goto(`${office.url}/admin/merchant/merchantDetails?user_id=${shop.id}`)
  await page.getByText('商户动态', { exact: true }).click()
  await see(page.getByText('恢复数据').first(), page.getByText('清空数据').first())
}

exhaustive(
  'a table is found by the shop’s name, emptied while one looks on, and brought back',
  ['test/e2e/care/clear-table.e2e.ts', 'features/care/table-clearing/server.test.ts'],
  async () => {
    const page = await office.openAs('10090', TOOL)
    await page.getByRole('textbox', { name: '商户' }).fill(String(shop.id))
    await page.getByRole('button', { name: '查找' }).click()
    const tables = page.getByRole('region', { name: '收银系统中的数据' })
    await see(
      tables.getByRole('heading', { name: '会员' }),
      tables.getByRole('heading', { name: '储值记录' }),
      page.getByText('还没有清空过该店铺的数据'),
    )
    assert.deepEqual(await axeFindings(page), [])
    await askFor(page, '会员', /备份并清空会员/)
    await see(toast(page, '已提交，正在备份'), drawer(page).getByText('已清空', { exact: true }).first())
    await see(drawer(page).getByText(/^备份完成，共 .*校验值/), drawer(page).getByText('店主要求清空'))
    assert.deepEqual(await axeFindings(page), [])
    await bringBack(page, '会员')
    await drawer(page).getByRole('button', { name: '关闭', exact: true }).click()
    await gone(drawer(page))
    await see(page.getByRole('region', { name: '该店铺的清空记录' }).getByText('已恢复'))
    await seeTimeline(page)
  },
)

test('above 1,000 rows a second person decides, and whoever asked cannot; what was emptied is brought back', async () => {
  const page = await office.openAs('10090', `${TOOL}?search=${shop.id}`)
  await askFor(page, '销售单', /提交审批/)
  await see(toast(page, '已提交，等待第二人审批'))
  const mine = drawer(page).getByRole('button', { name: '同意清空' })
  assert.equal(await mine.getAttribute('aria-disabled'), 'true')
  await drawer(page).getByRole('button', { name: '关闭', exact: true }).click()
  const again = page.getByRole('button', { name: '清空销售单' })
  await see(page.getByRole('button', { name: '待第二人审批，查看进度' }))
  assert.equal(await again.getAttribute('aria-disabled'), 'true')

  const second = await office.openAs('10001', '/admin/inbox?kind=审批清空数据')
  await second
    .getByRole('row', { name: new RegExp(shop.name) })
    .getByText(/^清空销售单/)
    .click()
  await see(drawer(second).getByText('店主要求清空'))
  assert.deepEqual(await axeFindings(second), [])
  await drawer(second).getByRole('button', { name: '同意清空' }).click()
  await second.getByRole('alertdialog').getByRole('button', { name: '同意清空' }).click()
  // The next case follows.
  await gone(drawer(second).getByText('店主要求清空'))
  const clearings = `select state from table_clearings where merchant_id = $1 order by id desc limit 1`
  await eventually(
    async () => (await office.sql<{ state: string }>(clearings, [shop.id]))[0]?.state,
    'emptied',
  )

  await page.goto(`${office.url}${LIST}?shop=${shop.id}`)
  const row = page.getByRole('row', { name: new RegExp(`${shop.name}.*销售单`) })
  await see(row.getByText('已清空'))
  assert.deepEqual(await axeFindings(page), [])
  await row.getByRole('button', { name: '查看' }).click()
  await see(drawer(page).getByText('第二人', { exact: true }))
  assert.match(page.url(), /[?&]id=\d+/)
  await bringBack(page, '销售单')
  await seeTimeline(page)
})

exhaustive(
  'a request is refused with a reason, on a phone too',
  ['features/care/table-clearing/server.test.ts', 'test/e2e/house/pages.e2e.ts'],
  async () => {
    const [made] = await office.sql<{ id: string }>(
      `insert into table_clearings (agent_id, merchant_id, shop_name, table_key, table_name, state, rows, reason, asked_by, asked_by_name, asked_at,
       waiting_since, look_at)
     select agent_id, id, shop_name, 'sales', '销售单', 'waiting', 1600, '培训数据', 0, '李四', now(), now(), now() from merchants where id = $1 returning id`,
      [shop.id],
    )
    const page = await office.openAs('10090', `${LIST}?shop=${shop.id}&id=${made?.id}`, { viewport: PHONE })
    await drawer(page).getByRole('button', { name: '驳回' }).click()
    const dialog = page.getByRole('dialog', { name: `驳回清空「${shop.name}」的销售单？` })
    await dialog.getByRole('textbox', { name: '驳回原因' }).fill('须店主书面确认')
    await dialog.getByRole('button', { name: '驳回' }).click()
    await see(toast(page, '已驳回'), drawer(page).getByText('已驳回', { exact: true }).first())
    assert.equal(await sidewaysScroll(page), 0)
    assert.deepEqual(await axeFindings(page), [])
    await page.goto(`${office.url}${TOOL}?search=${shop.id}`)
    await see(page.getByRole('region', { name: '收银系统中的数据' }).getByText('会员'))
    assert.equal(await sidewaysScroll(page), 0)
    assert.deepEqual(await axeFindings(page), [])
  },
)

exhaustive(
  'a partner has neither page nor menu entry',
  ['features/care/table-clearing/server.test.ts', 'test/permissions.test.ts'],
  async () => {
    const page = await office.openAs('20001', TOOL)
    await see(page.getByText('您没有操作权限'))
  },
)
