// From a stranger to a partner at work: the public form, the operator's desk, the invitation, the first sign-in.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { solvePuzzle } from '../../puzzle.ts'
import { connectSms } from '../../silent-sms.ts'
import { axeFindings, type BrowserOffice, openBrowserOffice, see, toast } from '../browser.ts'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice()
  connectSms(office)
})
afterEach(() => office.closePages())
after(() => office.stop())

const COMPANY = '杭州临江智慧零售有限公司'
const MOBILE = '13712340001'
const PASSWORD = 'Kmb-4471-quelle'
const textOf = async (kind: string, pattern: RegExp) => {
  const [row] = await office.sql<{ text: string }>(
    'select text from outbox_messages where phone = $1 and kind = $2 order by id desc limit 1',
    [MOBILE, kind],
  )
  return pattern.exec(row?.text ?? '')?.[1] ?? assert.fail(`no ${kind}: ${row?.text}`)
}

test('a company applies, becomes a partner by one step, sets its password and signs in', async () => {
  const stranger = await office.open()
  await stranger.goto('/partner/apply')
  const typed = {
    公司名称: COMPANY,
    联系人: '周临江',
    手机号码: MOBILE,
    经营业务: '便利店收银，杭州三百家门店',
  }
  for (const [name, text] of Object.entries(typed))
    await stranger.getByRole('textbox', { name, exact: false }).first().fill(text)
  for (const [level, name] of [
    ['省份', '浙江省'],
    ['城市', '杭州市'],
    ['区县', '余杭区'],
  ] as const)
    await stranger.getByRole('combobox', { name: level }).selectOption({ label: name })
  await stranger.getByRole('button', { name: '获取验证码' }).click()
  await solvePuzzle(office, stranger)
  await see(stranger.getByText('验证码已发送，10分钟内有效'))
  await stranger.getByRole('textbox', { name: '验证码' }).fill(await textOf('account-code', /\b(\d{6})\b/))
  await stranger.getByRole('button', { name: '提交申请' }).click()
  await see(stranger.getByRole('heading', { name: '申请已提交' }))

  const page = await office.openAs('10001', '/admin/operations/applications?state=new')
  await page.getByRole('row').getByRole('button', { name: COMPANY }).click()
  const drawer = page.getByRole('dialog', { name: '合作申请' })
  await drawer.getByRole('button', { name: '成为合作伙伴' }).click()
  const form = page.getByRole('dialog', { name: '新增合作伙伴' })
  assert.equal(await form.getByRole('textbox', { name: '公司名称' }).inputValue(), COMPANY)
  await form.getByRole('combobox', { name: '等级' }).click()
  await page.getByTitle(/^普通代理/).click()
  await form.getByRole('button', { name: '新增并邀请' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: '新增并邀请' }).click()
  await see(toast(page, '新增成功'))
  const told = page.getByRole('dialog', { name: '新增成功' })
  await told.getByRole('button', { name: '完成' }).click()
  const [agent] = await office.sql<{ id: string }>('select id from agents where company_name = $1', [COMPANY])
  assert.ok(agent)
  await page.goto(`/admin/operations/agents/${agent.id}`)
  await see(page.getByText('负责人尚未设置密码：邀请待接受'))

  const token = await textOf('invitation', /\/invite\/([\w-]+)/)
  const owner = await office.open()
  await owner.goto(`/invite/${token}`)
  await see(owner.getByRole('heading', { name: '设置登录密码' }), owner.getByText(COMPANY))
  assert.deepEqual(await axeFindings(owner), [])
  await owner.locator('input[autocomplete=new-password]').first().fill(PASSWORD)
  await owner.locator('input[autocomplete=new-password]').last().fill(PASSWORD)
  await owner.getByRole('button', { name: '设置密码' }).click()
  await see(owner.getByText('密码已设置'))
  await owner.getByRole('link', { name: '去登录' }).click()
  await owner.getByRole('textbox', { name: '账号' }).fill(MOBILE)
  await owner.locator('input[autocomplete=current-password]').fill(PASSWORD)
  await owner.getByRole('button', { name: '登录', exact: true }).click()
  await owner.waitForURL('**/admin/**')
  await see(owner.getByRole('navigation', { name: '主菜单' }))

  await page.reload()
  await see(page.getByRole('tab', { name: '登录记录' }))
  await page.getByRole('tab', { name: '登录记录' }).click()
  await see(page.getByRole('listitem').filter({ hasText: '登录成功' }))
  // The address let somebody in once.
  const again = await office.open()
  await again.goto(`/invite/${token}`)
  await see(again.getByText('邀请链接已使用，请直接登录'))
})
