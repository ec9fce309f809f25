// The code of a shop's mini program in the browser: what is red is mended before it is handed in, an audit is refused with a screenshot, corrected,
// passed and released, the code of the released version is read from the screen, and a wrong release is rolled back (D2 §2 21, §4).
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { platformOf } from '#features/programs/platform/server-platform.ts'
import type { Outside } from '../../outside.ts'
import {
  axeFindings,
  type BrowserOffice,
  eventually,
  openBrowserOffice,
  PHONE,
  see,
  sidewaysScroll,
  toast,
} from '../browser.ts'
import { read } from '../paying.ts'

type Account = {
  appid: string
  audits: { id: number; status: number }[]
  releases: { version: string }[]
  /** Place in `releases`. */
  live: number
}
let office: BrowserOffice
let outside: Outside
let id: string
let account: Account

async function simulate<T>(path: string, body: object): Promise<T> {
  const { baseUrl } = outside.simulators.settings.wechatOpen
  const answer = await fetch(`${baseUrl}/__sim/${path}`, { method: 'POST', body: JSON.stringify(body) })
  assert.ok(answer.ok, path)
  return (await answer.json()) as T
}
async function standing(): Promise<Account> {
  const { baseUrl } = outside.simulators.settings.wechatOpen
  const { accounts } = (await (await fetch(`${baseUrl}/__sim/accounts`)).json()) as { accounts: Account[] }
  return accounts.find(({ appid }) => appid === account.appid) ?? assert.fail('no account')
}

before(async () => {
  office = await openBrowserOffice({ outside: true })
  outside = office.outside ?? assert.fail('no simulators')
  const { services } = office.app
  outside.simulators.setProgramEventsUrl(`${office.url}/callbacks/wechat-open`)
  // Its ticket has come: nothing is asked without one.
  await simulate('settle', {})
  const [row] = await office.sql<{ id: string }>(
    `select f.application_id as id from program_flows f join program_audits a on a.application_id = f.application_id
     where f.agent_id = 101 and a.state = 'refused' and a.is_current`,
  )
  id = row?.id ?? assert.fail('no refused version')
  account = await simulate<Account>('accounts', { principalName: '上海示例餐饮有限公司', nick: '湘味小厨' })
  // Its owner authorises, and its data stand.
  const platform = platformOf(services) ?? assert.fail('no platform')
  const page = await platform.authorizeUrl(`${office.url}/admin/schedule/AppletFlow`, 'screen')
  const form = new URLSearchParams({ appid: account.appid })
  for (const scope of [17, 18, 19, 25, 30, 37, 40, 49]) form.append('scope', String(scope))
  const back = await fetch(page, { method: 'POST', body: form, redirect: 'manual' })
  const code = new URL(back.headers.get('location') ?? '').searchParams.get('auth_code')
  await platform.authorize(code ?? assert.fail('no code'))
  const program = platform.of(account.appid)
  const square = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#2f7d5b' } })
    .png()
    .toBuffer()
  await program.setHeadImage(await program.uploadPicture(square))
  await program.setSignature('在线点餐，到店自取')
  const offered = await program.offeredCategories()
  const second = offered.find(({ level, papers }) => level === 2 && papers.length === 0)
  await program.addCategories([{ first: second?.parent ?? 0, second: second?.id ?? 0, papers: [] }])
  await simulate('clock', { moveMs: 60_000 })
  await simulate('settle', {})
  for (const table of ['program_flows', 'program_codes', 'program_audits'])
    await office.sql(`update ${table} set appid = $2 where application_id = $1`, [id, account.appid])
})
afterEach(() => office.closePages())
after(() => office.stop())

const board = (page: Page) => page.getByRole('region', { name: '版本管理' })
const open = (options = {}) => office.openAs('20001', `/admin/schedule/AppletFlow?id=${id}`, options)
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
/** What is asked of the platform next is asked at once, until nothing more is and the page can do this. */
async function comes(page: Page, name: string): Promise<void> {
  const button = board(page).getByRole('button', { name, disabled: false })
  await eventually(async () => {
    await office.sql(
      `update program_codes set next_at = now() - interval '1 second' where next_at > now() and claim = ''`,
    )
    const asking = await office.sql(`select from program_codes where application_id = $1 and deed <> ''`, [
      id,
    ])
    return asking.length === 0 && (await button.isVisible())
  }, true)
}
async function setCode(page: Page, button: string): Promise<void> {
  await press(page, button)
  await press(page, '使用 2.1.0')
  await see(toast(page, '正在设置代码'))
  // The check of its privacy, and what is declared behind it.
  await comes(page, '自检并提交审核')
}
async function handIn(page: Page, feedback: string): Promise<void> {
  await press(page, '自检并提交审核')
  await page.getByRole('textbox', { name: '给审核人员的说明' }).fill(feedback)
  await press(page, '提交审核')
  await comes(page, '撤回审核')
}
async function decide(verdict: 'pass' | 'refuse', reason = ''): Promise<void> {
  const auditId = (await standing()).audits.at(-1)?.id
  await simulate('decide', { auditId, verdict, reason })
}
async function release(page: Page): Promise<void> {
  await press(page, '发布')
  await page.getByRole('alertdialog').getByRole('button', { name: '发布' }).click()
  await see(toast(page, '正在发布'))
  await comes(page, '升级')
}

test('an audit is refused with a screenshot, corrected and released, and its code is read from the screen', async () => {
  const page = await open()
  await setCode(page, '重新设置代码')
  await handIn(page, '首次提交')
  await decide('refuse', '首页缺少经营许可信息')
  await see(board(page).getByText(/：首页缺少经营许可信息/))
  const refused = board(page).getByRole('listitem').filter({ hasText: '首页缺少经营许可信息' })
  await refused.getByRole('button', { name: '查看截图' }).click()
  const shot = page.getByRole('img', { name: '审核截图 1' })
  await see(shot)
  assert.equal(await shot.evaluate(image => Reflect.get(image, 'naturalWidth') > 0), true)
  await page.keyboard.press('Escape')
  await setCode(page, '重新设置代码')
  await handIn(page, '已补充经营许可信息')
  await decide('pass')
  await comes(page, '发布')
  await release(page)
  await press(page, '小程序码')
  const text = await read(page.getByRole('img', { name: '小程序码' }))
  assert.match(text, new RegExp(`${account.appid}~~live~~2\\.1\\.0`))
})

test('a wrong release is rolled back, on a phone', async () => {
  const page = await open(PHONE)
  await setCode(page, '升级')
  await handIn(page, '')
  await decide('pass')
  await comes(page, '发布')
  await release(page)
  assert.equal(await sidewaysScroll(page), 0)
  assert.deepEqual(await axeFindings(page), [])
  await press(page, '回退版本')
  await see(page.getByText(/回退后不能再次回退/))
  await press(page, '回退到 2.1.0')
  await see(toast(page, '正在回退'))
  await see(page.getByText(/已回退到版本 2.1.0/))
  const { live, releases } = await standing()
  assert.deepEqual([live, releases.length], [0, 2])
})
