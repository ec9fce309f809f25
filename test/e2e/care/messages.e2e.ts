// A shop's phone and password, reminders, the outbox and the shops of sub-agents in the browser (D1 §2, §4; D2 §2, §5).
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { exhaustive } from '../../lane.ts'
import { solvePuzzle } from '../../puzzle.ts'
import { connectSms } from '../../silent-sms.ts'
import { type BrowserOffice, eventually, fact, gone, openBrowserOffice, see, toast } from '../browser.ts'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice()
})
afterEach(() => office.closePages())
after(() => office.stop())

type Shop = { id: string; shop_name: string; account: string }

async function untouchedShop(): Promise<Shop> {
  const [shop] = await office.sql<Shop>(
    `select * from merchants where agent_id = 101 and status = 'normal' and revision = 1 order by id limit 1`,
  )
  return shop ?? assert.fail('no shop is left')
}

async function codeSentTo(id: string): Promise<string> {
  const [message] = await office.sql<{ text: string }>(
    'select text from outbox_messages where merchant_id = $1 order by id desc limit 1',
    [id],
  )
  return /\b\d{6}\b/.exec(message?.text ?? '')?.[0] ?? assert.fail('no code')
}

/** The drawer over the list, with the dialog that its button opens. */
async function openFromDrawer(login: string, id: string, button: string): Promise<Page> {
  const page = await office.openAs(login, `/admin/merchant/myMerchant?user_id=${id}`)
  await page.getByRole('dialog', { name: '商户详情' }).getByRole('button', { name: button }).click()
  await see(page.getByRole('dialog', { name: button }))
  return page
}

describe('the phone and the password of a shop', () => {
  test('change: the phone with a code whose countdown stays after a reload; a made password is shown once, can be copied, and is in no message', async () => {
    connectSms(office)
    const shop = await untouchedShop()
    const page = await openFromDrawer('20001', shop.id, '修改手机号')
    const dialog = page.getByRole('dialog', { name: '修改手机号' })
    await dialog.getByRole('button', { name: '修改', exact: true }).click()
    await see(dialog.getByText('请输入手机验证码'), dialog.getByText('请输入手机号'))
    await dialog.getByRole('button', { name: '获取验证码' }).click()
    await solvePuzzle(office, page)
    await see(dialog.getByRole('button', { name: /^\d+ 秒后重新获取$/ }))
    await page.keyboard.press('Escape')
    await gone(dialog)
    await see(page.getByRole('dialog', { name: '商户详情' }))
    await page.reload()
    await page.getByRole('button', { name: '修改手机号' }).click()
    await see(dialog.getByRole('button', { name: /^\d+ 秒后重新获取$/ }))
    await dialog.getByRole('textbox', { name: '新手机号' }).fill('13911110001')
    await dialog.getByRole('textbox', { name: '手机验证码' }).fill('00000')
    await dialog.getByRole('button', { name: '修改', exact: true }).click()
    await see(dialog.getByText('验证码错误或已过期'))
    await dialog.getByRole('textbox', { name: '手机验证码' }).fill(await codeSentTo(shop.id))
    await dialog.getByRole('button', { name: '修改', exact: true }).click()
    await see(toast(page, '修改成功'))
    await gone(dialog)
    await eventually(async () => (await fact(page, '账号').innerText()).startsWith('13911110001'), true)

    await page.getByRole('dialog', { name: '商户详情' }).getByRole('button', { name: '重置密码' }).click()
    const renewing = page.getByRole('dialog', { name: '重置密码' })
    await renewing.getByRole('textbox', { name: '新密码' }).fill('123')
    await renewing.getByRole('button', { name: '重置', exact: true }).click()
    await see(renewing.getByText('密码格式错误'))
    await renewing.getByRole('button', { name: '生成密码' }).click()
    await renewing.getByRole('checkbox').check()
    await renewing.getByRole('button', { name: '重置', exact: true }).click()
    const shown = page.getByRole('dialog', { name: '密码已重置' })
    await see(shown)
    const password = await shown.locator('output').innerText()
    assert.match(password, /^[A-Za-z2-9]{10}$/)
    await shown.getByRole('button', { name: '复制密码' }).click()
    await see(toast(page, '复制成功'))
    assert.equal(await page.evaluate<string>('navigator.clipboard.readText()'), password)
    const sent = await office.sql<{ text: string }>(
      `select text from outbox_messages where merchant_id = $1 and kind = 'password-reset'`,
      [shop.id],
    )
    assert.equal(sent.length, 1)
    assert.ok(!sent[0]?.text.includes(password))
  })

  exhaustive(
    'changes without a code for vendor staff, and not to a number that is taken',
    ['features/care/shop-access/server-account.test.ts'],
    async () => {
      const shop = await untouchedShop()
      const [other] = await office.sql<Shop>(
        'select account from merchants where id <> $1 order by id limit 1',
        [shop.id],
      )
      const page = await openFromDrawer('10090', shop.id, '修改手机号')
      const dialog = page.getByRole('dialog', { name: '修改手机号' })
      assert.equal(await dialog.getByText('手机验证码').count(), 0)
      const phone = dialog.getByRole('textbox', { name: '新手机号' })
      await phone.fill(String(other?.account))
      await dialog.getByRole('button', { name: '修改', exact: true }).click()
      await see(dialog.getByText('账号已存在'))
      await phone.fill('13911110002')
      await dialog.getByRole('button', { name: '修改', exact: true }).click()
      await see(toast(page, '修改成功'))
    },
  )
})

describe('the operator', () => {
  test('reminds many at once, sees the text before and each result after, and finds it in the outbox', async () => {
    await office.sql(`delete from outbox_messages where kind = 'renewal-reminder'`)
    const page = await office.openAs('10001', '/admin/merchant/overdueMerchants')
    await page.getByRole('checkbox', { name: '选择本页' }).check()
    await page.getByRole('button', { name: '批量提醒' }).click()
    const question = page.getByRole('dialog', { name: '发送续费提醒' })
    await see(question.getByText(/^尊敬的商户「.+」，您使用的.+已于 .+ 到期/))
    await question.getByRole('button', { name: /^提醒 \d+ 家$/ }).click()
    const results = page.getByRole('dialog', { name: '续费提醒结果' })
    await see(results)
    const queued = await results.getByText('待发送', { exact: true }).count()
    assert.equal((await results.getByRole('row').count()) - 1, 10)
    const [kept] = await office.sql<{ total: number }>(
      `select count(*)::int as total from outbox_messages where kind = 'renewal-reminder'`,
    )
    assert.ok(queued > 0 && kept?.total === queued, `${queued} of ${kept?.total}`)
    await results.getByRole('button', { name: '完成' }).click()
    await gone(page.getByRole('button', { name: '批量提醒' }))
    await page.goto('/admin/operations/outbox?kind=renewal-reminder')
    await see(page.getByRole('row').getByText('待发送', { exact: true }))
    await see(page.getByText(`共 ${queued} 条`))
  })

  exhaustive('sees where shops came from', ['features/office/agents/desk/server-below.test.ts'], async () => {
    await office.sql(
      `update merchants set source = case when id in (select id from merchants order by id limit 2) then 'import' else 'backOffice' end`,
    )
    const page = await office.openAs('10001', '/admin/merchant/source?source=import')
    await see(page.getByText('共 2 条'))
    assert.equal(await page.getByRole('cell', { name: '批量导入' }).count(), 2)
  })
})

exhaustive(
  'an agent reads the shops of its sub-agents and can do nothing with them',
  ['features/office/agents/desk/server-below.test.ts'],
  async () => {
    const [below] = await office.sql<{ count: number }>(
      'select count(*)::int from merchants where agent_id in (select id from agents where parent_id = 101)',
    )
    const page = await office.openAs('20001', '/admin/merchant/secondary')
    await see(page.getByText(`共 ${below?.count} 条`))
    assert.equal(await page.getByRole('button', { name: '详情' }).count(), 0)
    assert.equal(await page.getByRole('columnheader', { name: '下级代理商' }).count(), 1)
    const lone = await office.openAs('20002', '/admin/merchant/secondary')
    await see(lone.getByText('下级代理商还没有商户'))
  },
)
