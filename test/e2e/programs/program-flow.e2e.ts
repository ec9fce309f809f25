// A shop's mini program in the browser until it is authorised: registered from its application, with a face check that fails once and a name that is
// not the licence's; and one that exists taken over on a phone, whose owner chooses a personal one, leaves out a scope, and then neither (D2 §2 21, 23, §4; D3 §2).
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Outside } from '../../outside.ts'
import {
  axeFindings,
  type BrowserOffice,
  openBrowserOffice,
  PHONE,
  see,
  sidewaysScroll,
  toast,
} from '../browser.ts'

let office: BrowserOffice
let outside: Outside
let simulator: string
before(async () => {
  office = await openBrowserOffice({ outside: true })
  outside = office.outside ?? assert.fail('no simulators')
  outside.simulators.setProgramEventsUrl(`${office.url}/callbacks/wechat-open`)
  simulator = `${outside.simulators.settings.wechatOpen.baseUrl}/__sim`
  // Its ticket has come: nothing is asked without one.
  await simulate('settle', {})
})
afterEach(() => office.closePages())
after(() => office.stop())

async function simulate(path: string, body: object): Promise<void> {
  const answer = await fetch(`${simulator}/${path}`, { method: 'POST', body: JSON.stringify(body) })
  assert.ok(answer.ok, path)
}
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const drawer = (page: Page) => page.getByRole('dialog', { name: '小程序进度' })
const take = (page: Page, step: string) =>
  drawer(page).getByRole('button', { name: step, exact: true }).click()
const next = (page: Page) => page.getByRole('region', { name: '下一步' })
async function seeStep(page: Page, state: string): Promise<void> {
  await see(next(page).getByText(state, { exact: true }))
}

async function applicationOf(where: string): Promise<string> {
  const [row] = await office.sql<{ id: string }>(
    `select id from program_applications where agent_id = 101 and deleted_at is null and state = 'approved' and ${where}
       and not exists (select from program_flows f where f.application_id = program_applications.id) order by id limit 1`,
  )
  return row?.id ?? assert.fail('no application')
}

/** The legal person before the camera, who passes in the end; what came of it is told before this resolves. */
async function faceCheck(...outcomes: ('人脸核身不通过' | '人脸核身通过')[]): Promise<void> {
  const camera = await office.open({ unused: true })
  await camera.goto(`${simulator}/face`)
  for (const outcome of outcomes) {
    await camera.getByRole('button', { name: outcome, exact: true }).click()
    await see(camera.getByRole('status'))
  }
  await simulate('clock', { moveMs: 60_000 })
  await simulate('settle', {})
}
const REGISTRANT = {
  营业执照名称: '深圳市老张餐饮有限公司',
  统一社会信用代码: '9144030071526726XG',
  法人姓名: '张三',
  法人微信号: 'zhangsan_88',
  客服电话: '0755-88886666',
}
async function handIn(page: Page): Promise<void> {
  for (const [label, text] of Object.entries(REGISTRANT))
    await page.getByRole('textbox', { name: label }).fill(text)
  await press(page, '提交创建')
  await page.getByRole('dialog', { name: '信息反馈' }).getByRole('button', { name: '确定' }).click()
  await seeStep(page, '等待法人核身')
}

test('one is registered from its application: its face check fails once, its names are refused once', async () => {
  const id = await applicationOf('flow_status = 1 and flow_step = 2')
  const page = await office.openAs('20001', `/admin/schedule/AppletFlow?id=${id}`)
  await take(page, '立即创建')
  assert.deepEqual(await axeFindings(page), [])
  await handIn(page)

  await simulate('registrations', { name: REGISTRANT.营业执照名称, status: 103 })
  await faceCheck('人脸核身不通过', '人脸核身通过')
  await seeStep(page, '创建未通过')
  await see(next(page).getByText(/企业法人姓名不一致。请按营业执照填写法人姓名/))
  await take(page, '重新创建')
  await see(page.getByRole('status').filter({ hasText: '企业法人姓名不一致' }))
  await handIn(page)

  await faceCheck('人脸核身通过')
  await seeStep(page, '待核实授权')
  await take(page, '核实授权信息')
  await seeStep(page, '待提交资料')
  assert.deepEqual(await axeFindings(page), [])
})

/** The owner's page at the platform, which leads back; `without` is left out. */
async function authorize(page: Page, name: RegExp, without?: string): Promise<void> {
  await page.getByRole('radio', { name }).check()
  if (without) await page.getByRole('checkbox', { name: without }).uncheck()
  await press(page, '授权')
}

test('one that exists is taken over on a phone: a personal one, one without a scope, and the right one', async () => {
  const id = await applicationOf(`kind = 'existing' and flow_status = 9`)
  await simulate('accounts', { principalName: '上海示例餐饮有限公司', nick: '湘味小厨' })
  const page = await office.openAs('20001', `/admin/schedule/AppletFlow?id=${id}`, { viewport: PHONE })
  await take(page, '去授权')
  await authorize(page, /个人小店/)
  await see(next(page).getByText('获取资料失败,当前为个人小程序，请联系客户使用企业小程序'))

  await take(page, '去授权')
  await authorize(page, /湘味小厨/, '开发管理与数据分析权限')
  await see(next(page).getByText(/缺少权限「开发管理与数据分析」（不能设置代码、提交审核与发布）/))
  const scopes = page.getByRole('region', { name: '授权列表' })
  await see(scopes.getByText('未授权'))
  assert.equal(await sidewaysScroll(page), 0)

  await take(page, '重新授权')
  await authorize(page, /湘味小厨/)
  await see(scopes.getByText('已授权'))
  await scopes.getByText('未授权').waitFor({ state: 'detached' })
  await take(page, '核实授权信息')
  await see(toast(page, '正在核实'))
  await seeStep(page, '待提交资料')
  assert.deepEqual(await axeFindings(page), [])
})
