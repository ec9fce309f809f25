// A shop's request: asked for on its details, decided by staff with keys, in the drawer and many at once, and seen by its agent.
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import type { Page } from 'playwright-core'
import { exhaustive } from '../../lane.ts'
import {
  axeFindings,
  type BrowserOffice,
  gone,
  openBrowserOffice,
  PHONE,
  see,
  sidewaysScroll,
  toast,
} from '../browser.ts'

const SIGNATURES = '/admin/merchant/smsManage'
const NAMES = '/admin/merchant/storeName'
const TITLES = '/admin/merchant/appellationManage'
const PENDING = '?state=pending&sort=createdAt&order=asc'

let office: BrowserOffice
let shops: { id: number; name: string }[]
before(async () => {
  office = await openBrowserOffice()
  const rows = await office.sql<{ id: string; shop_name: string }>(
    `select id, shop_name from merchants where agent_id = 101 and status = 'normal' and store_kind = 'head' order by id limit 4`,
  )
  shops = rows.map(({ id, shop_name }) => ({ id: Number(id), name: shop_name }))
})
beforeEach(() => office.sql('delete from approval_requests'))
afterEach(() => office.closePages())
after(() => office.stop())

/** A request of each of these shops, the first one oldest. */
async function wait(kind: string, contents: string[]): Promise<void> {
  for (const [at, content] of contents.entries())
    await office.sql(
      `insert into approval_requests (agent_id, merchant_id, kind, content, content_before, shop_name, state, created_by, created_by_name, created_at)
       values (101, $1, $2, $3, '', $4, 'pending', 0, '陈经理', now() - make_interval(hours => $5))`,
      [shops[at]?.id, kind, content, shops[at]?.name, 30 - at],
    )
}
const stateOf = async (content: string) =>
  (
    await office.sql<{ state: string }>('select state from approval_requests where content = $1', [content])
  )[0]?.state
const row = (page: Page, content: string) => page.getByRole('row', { name: new RegExp(content) })

test('an agent asks on the details of a shop, takes it back, asks anew, sees what became of it, and asks for a signature in place', async () => {
  const [shop] = shops
  const details = `/admin/merchant/merchantDetails?user_id=${shop?.id}`
  const page = await office.openAs('20001', details)
  const part = page.getByRole('region', { name: '审批申请' })
  await part.getByRole('button', { name: '申请修改会员称谓' }).click()
  const dialog = page.getByRole('dialog', { name: '申请修改会员称谓' })
  await dialog.getByRole('button', { name: '提交申请' }).click()
  await see(dialog.getByText('请输入会员称谓'))
  await dialog.getByRole('textbox', { name: '新的会员称谓' }).fill('贵宾')
  assert.deepEqual(await axeFindings(page), [])
  await dialog.getByRole('button', { name: '提交申请' }).click()
  await see(toast(page, '已提交，24 小时内给出结果'), part.getByText('待审批'))
  await part.getByRole('button', { name: '撤回会员称谓申请' }).click()
  await see(toast(page, '已撤回'), part.getByText('已撤回'))
  await part.getByRole('button', { name: '申请修改会员称谓' }).click()
  await dialog.getByRole('textbox', { name: '新的会员称谓' }).fill('街坊')
  await dialog.getByRole('button', { name: '提交申请' }).click()
  await see(part.getByText('街坊'))
  const staff = await office.openAs('10090', `${TITLES}${PENDING}`)
  await row(staff, '街坊').getByRole('button', { name: '通过', exact: true }).click()
  await see(toast(staff, '已通过'))
  await staff.close()
  await page.reload()
  await see(part.getByText('街坊').first())
  await part.getByRole('button', { name: '申请记录（2）' }).click()
  await see(part.getByText('已通过'), part.getByText('贵宾'))
  const [kept] = await office.sql<{ member_title: string }>(
    'select member_title from merchants where id = $1',
    [shop?.id],
  )
  assert.equal(kept?.member_title, '街坊')

  // A signature is asked for where it stands.
  await page
    .getByRole('article')
    .getByRole('button', { name: /^编辑短信签名/ })
    .click()
  await page.getByRole('textbox', { name: /^短信签名/ }).fill('【老张】')
  await page.keyboard.press('Enter')
  await see(toast(page, '短信签名只能用汉字、字母和数字，不含括号和空格'))
  await page.getByRole('textbox', { name: /^短信签名/ }).fill('老张总店')
  await page.keyboard.press('Enter')
  await see(toast(page, '已提交审批，通过后生效'), part.getByText('老张总店'))
})

test('staff go through the list and its drawer by keys: approve, on to the next, reject with a reason of the catalogue', async () => {
  await wait('signature', ['老张面馆', '优惠通知', '小李茶铺', '阿明书屋'])
  const page = await office.openAs('10090', `${SIGNATURES}${PENDING}`)
  await see(row(page, '老张面馆'), page.getByText('J / K 下一条、上一条'))
  await page.keyboard.press('j')
  await see(page.locator('tr:focus', { hasText: '老张面馆' }))
  await page.keyboard.press('a')
  await see(toast(page, '已通过'))
  await gone(row(page, '老张面馆'))
  assert.equal(await stateOf('老张面馆'), 'approved')
  await see(page.locator('tr:focus', { hasText: '优惠通知' }))
  await page.keyboard.press('r')
  const dialog = page.getByRole('dialog', { name: '驳回短信签名「优惠通知」？' })
  await dialog.getByRole('button', { name: '驳回', exact: true }).click()
  await see(dialog.getByText('请选择或填写驳回原因'))
  await dialog.getByRole('button', { name: '签名过于宽泛，无法识别商户' }).click()
  assert.equal(
    await dialog.getByRole('textbox', { name: '给商户的建议' }).inputValue(),
    '请在签名中写明店铺名称',
  )
  assert.deepEqual(await axeFindings(page), [])
  await dialog.getByRole('button', { name: '驳回', exact: true }).click()
  await see(toast(page, '已驳回'))
  await gone(dialog, row(page, '优惠通知'))
  assert.equal(await stateOf('优惠通知'), 'rejected')

  // In the drawer, too, J leads to the next.
  await row(page, '小李茶铺').getByRole('button', { name: '更多操作' }).click()
  await page.getByRole('menuitem', { name: '查看' }).click()
  const drawer = page.getByRole('dialog', { name: '短信签名申请' })
  await see(drawer.getByRole('heading', { name: '小李茶铺' }), drawer.getByText('没有其他申请'))
  assert.deepEqual(await axeFindings(page), [])
  await page.keyboard.press('j')
  await see(drawer.getByRole('heading', { name: '阿明书屋' }))
  await page.keyboard.press('a')
  await see(drawer.getByText('已通过'))
  assert.equal(await stateOf('阿明书屋'), 'approved')
})

exhaustive(
  'many are decided together, and each row says what became of it',
  ['features/care/approvals/server.test.ts'],
  async () => {
    await wait('shopName', ['张记一店', '张记二店', '张记三店'])
    const page = await office.openAs('10090', `${NAMES}${PENDING}`)
    await see(row(page, '张记一店'))
    await page.getByRole('checkbox', { name: '选择本页' }).check()
    // A colleague is quicker with one of them.
    await office.sql(
      `update approval_requests set state = 'rejected', handled_by_name = '李四', handled_at = now() where content = '张记二店'`,
    )
    await page.getByRole('button', { name: '批量通过' }).click()
    await page.getByRole('button', { name: '通过 3 条' }).click()
    const results = page.getByRole('dialog', { name: '处理结果' })
    await see(results.getByText('2 条已通过'), results.getByText('已由李四处理（已驳回）'))
    assert.deepEqual(await axeFindings(page), [])
    await page.keyboard.press('Escape')
    await gone(results, row(page, '张记一店'))
    const names = await office.sql<{ shop_name: string }>(
      'select shop_name from merchants where id = any ($1) order by id',
      [shops.slice(0, 3).map(({ id }) => id)],
    )
    assert.deepEqual(
      names.map(({ shop_name }) => shop_name),
      ['张记一店', shops[1]?.name, '张记三店'],
    )
  },
)

exhaustive(
  'the start page leads to what waits longest, with what was promised',
  ['features/care/approvals/server.test.ts', 'features/overview/dashboard/server-todo.test.ts'],
  async () => {
    await wait('signature', ['老张面馆', '小李茶铺'])
    const page = await office.openAs('10090', '/admin/index')
    await page.getByRole('link', { name: /审批：短信签名.*2 条.*最久 1 天，超过 24 小时/ }).click()
    await see(row(page, '老张面馆'))
    assert.equal(new URL(page.url()).search, PENDING)
  },
)

for (const path of [SIGNATURES, NAMES, TITLES])
  exhaustive(`on a phone ${path} is cards that fit`, ['test/e2e/house/pages.e2e.ts'], async () => {
    await wait({ [SIGNATURES]: 'signature', [NAMES]: 'shopName', [TITLES]: 'memberTitle' }[path] ?? '', [
      '老张面馆',
    ])
    const page = await office.openAs('10090', path, { viewport: PHONE })
    await see(page.getByText('老张面馆').first())
    assert.equal(await sidewaysScroll(page), 0)
  })
