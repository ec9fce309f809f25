// The office and a point-of-sale server beside it: what is sold, disabled and decided in the one is seen in the other.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startDemoPos } from '#app/demo-pos.ts'
import type { Pos } from '#providers/pos/program.ts'
import { exhaustive } from '../../lane.ts'
import type { Outside } from '../../outside.ts'
import { fillForm } from '../add-form.ts'
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
let shop: number
before(async () => {
  office = await openBrowserOffice({ outside: true, signatures: true })
  const started = await startDemoPos(office.app.services, office.url)
  assert.ok(started)
  pos = started
  await pos.copy.caughtUp()
  const [row] = await office.sql<{ id: string }>(
    `select m.id from merchants m join ledger_accounts a on a.owner_kind = 'merchant' and a.owner_id = m.id and a.asset = 'sms' and a.balance >= 10
     where m.agent_id = 101 and m.status = 'normal' and m.store_kind = 'head' order by m.id limit 1`,
  )
  assert.ok(row)
  shop = Number(row.id)
  await office.sql('delete from approval_requests')
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

/** Loads the page until it says so: what has changed comes by a webhook. */
async function says(page: Page, text: string): Promise<void> {
  await eventually(async () => {
    await page.reload()
    return (await page.locator('main').innerText()).includes(text)
  }, true)
}

async function ask(page: Page, name: string, content: string): Promise<void> {
  await page.getByRole('textbox', { name: `新的${name}` }).fill(content)
  await page.getByRole('button', { name: `申请${name}` }).click()
  await see(page.getByText('申请已提交'), page.getByText(`${name}：${content}`))
}

async function decide(list: string, content: string, act: '通过' | '驳回'): Promise<Page> {
  const staff = await office.openAs('10090', `/admin/merchant/${list}`)
  await staff
    .getByRole('row', { name: new RegExp(content) })
    .getByRole('button', { name: act, exact: true })
    .click()
  return staff
}

test('a shop that is sold appears in the POS, and signs in there', async () => {
  const seen = await openPos('/?q=13987650001')
  await see(seen.getByText('没有店铺'))
  assert.deepEqual(await axeFindings(seen), [])
  const page = await office.openAs('20001', '/admin/merchant/addUser')
  await fillForm(page, { account: '13987650001', shopName: '海边书店', term: '按年' })
  await page.getByRole('button', { name: '下一步' }).click()
  await page.getByRole('dialog', { name: '确认新增商户' }).getByRole('button', { name: '确认购买' }).click()
  await see(toast(page, '新增成功'))
  await says(seen, '海边书店')
  assert.deepEqual(await axeFindings(seen), [])
  await seen.goto(`${pos.url}/sign-in`)
  await seen.getByRole('textbox', { name: '账号' }).fill('13987650001')
  await seen.getByLabel('密码').fill('wrong-2026')
  await seen.getByRole('button', { name: '登录' }).click()
  await see(seen.getByRole('alert'))
  assert.deepEqual(await axeFindings(seen), [])
  await seen.getByRole('textbox', { name: '账号' }).fill('13987650001')
  await seen.getByLabel('密码').fill('secret-2026')
  await seen.getByRole('button', { name: '登录' }).click()
  await see(seen.getByRole('heading', { name: '海边书店 正常' }), fact(seen, '软件版本').getByText('高级版'))
  await see(fact(seen, '会员').getByText(/^\d+ 行$/))
  assert.deepEqual(await axeFindings(seen), [])
})

exhaustive(
  'a shop that is disabled is so in the POS, and may ask for nothing',
  ['features/agencies/pos/server-shops.test.ts', 'features/shops/pos-changes/server-told.test.ts'],
  async () => {
    const [row] = await office.sql<{ id: string }>(
      `select id from merchants where agent_id = 101 and status = 'normal' and store_kind = 'head' and id <> $1 order by id desc limit 1`,
      [shop],
    )
    const page = await openPos('/')
    const listed = page.locator(`a[href="/shops/${row?.id}"]`)
    await see(listed.getByText('正常'))
    const details = await office.openAs('20001', `/admin/merchant/merchantDetails?user_id=${row?.id}`)
    await details.getByRole('button', { name: '禁用', exact: true }).click()
    const question = details.getByRole('alertdialog')
    await question.getByRole('button', { name: '禁用', exact: true }).click()
    await eventually(async () => {
      await page.reload()
      return listed.getByText('已禁用').count()
    }, 1)
    await listed.click()
    await see(page.getByText('店铺已被禁用，不能收银、登录和发送短信，请联系服务商。'))
    assert.equal(await page.getByRole('button').count(), 0)
    assert.deepEqual(await axeFindings(page), [])
  },
)

exhaustive(
  'a store name is refused with a reason that the POS shows',
  ['features/care/approvals/server.test.ts'],
  async () => {
    const page = await openPos(`/shops/${shop}`)
    await ask(page, '店铺名称', '全国第一面馆')
    assert.deepEqual(await axeFindings(page), [])
    const staff = await decide('storeName', '全国第一面馆', '驳回')
    const dialog = staff.getByRole('dialog', { name: '驳回店铺名称「全国第一面馆」？' })
    await dialog.getByRole('textbox', { name: '驳回原因' }).fill('名称含有夸大用语')
    await dialog.getByRole('button', { name: '驳回', exact: true }).click()
    await see(toast(staff, '已驳回'))
    await page.reload()
    await see(page.getByText('已驳回'), page.getByText('原因：名称含有夸大用语'))
  },
)

test('a member title is taken back, asked for anew and approved', async () => {
  const page = await openPos(`/shops/${shop}`)
  // Words that no shop of the demo has, whichever of them has credit today.
  await ask(page, '会员称谓', '老主顾')
  await page.getByRole('button', { name: '撤回会员称谓申请' }).click()
  await see(page.getByRole('status').getByText('已撤回'))
  await ask(page, '会员称谓', '熟客')
  const staff = await decide('appellationManage', '熟客', '通过')
  await see(toast(staff, '已通过'))
  await page.reload()
  await see(fact(page, '会员称谓').getByText('熟客'))
  await page.setViewportSize(PHONE)
  assert.equal(await sidewaysScroll(page), 0)
  assert.deepEqual(await axeFindings(page), [])
})

exhaustive(
  'a signature is asked for, approved by staff and by the services, and stands before the next SMS to a member',
  ['features/care/approvals/server-services.test.ts', 'test/e2e/care/signature-review.e2e.ts'],
  async () => {
    const { aliyun, tencent } = (office.outside as Outside).simulators
    const page = await openPos(`/shops/${shop}`)
    await ask(page, '短信签名', '老张面馆')
    const staff = await decide('smsManage', '老张面馆', '通过')
    await see(toast(staff, '已提交短信服务商审核'))
    await says(page, '审核中')
    for (const { url } of [aliyun, tencent]) {
      const approval = { kind: 'signature', key: '老张面馆', approve: true }
      await fetch(`${url}/__sim/review`, { method: 'POST', body: JSON.stringify(approval) })
    }
    await staff.goto(`${office.url}/admin/merchant/smsManage?state=reviewing`)
    await staff
      .getByRole('row', { name: /老张面馆/ })
      .getByRole('button', { name: '老张面馆' })
      .click()
    await staff.getByRole('button', { name: '再次查询阿里云' }).click()
    await see(toast(staff, '已安排查询，稍后显示结果'))
    await eventually(async () => {
      await page.reload()
      return fact(page, '短信签名').innerText()
    }, '老张面馆（可用）')
    await page.getByText('会员通知', { exact: true }).click()
    const form = page.locator('details[open]')
    assert.deepEqual(await axeFindings(page), [])
    await form.getByRole('textbox', { name: '会员手机号' }).fill('13800001234')
    await form.getByRole('textbox').nth(1).fill('本周积分翻倍')
    await form.getByRole('button', { name: '发送' }).click()
    await see(page.getByRole('status').getByText('短信已提交发送'))
    const onPhone = async () => {
      const answer = await fetch(`${aliyun.url}/__sim/inbox.json?phone=13800001234`)
      const { messages } = (await answer.json()) as { messages: { text: string }[] }
      return messages.map(({ text }) => /^【.+?】/.exec(text)?.[0])
    }
    await eventually(onPhone, ['【老张面馆】'])
  },
)

exhaustive('on a phone a page of a shop fits', ['test/e2e/agencies/pos.e2e.ts'], async () => {
  const page = await openPos(`/shops/${shop}`, true)
  await see(page.getByRole('heading', { level: 1 }))
  assert.equal(await sidewaysScroll(page), 0)
  assert.deepEqual(await axeFindings(page), [])
  await page.goto(pos.url)
  await see(page.getByRole('heading', { name: '店铺' }))
  assert.equal(await sidewaysScroll(page), 0)
})
