// A shop's identity data in the browser: papers are uploaded, read and corrected, handed in, refused with a reason, handed in again and
// verified, by an agent and the vendor's staff (D1 §2 "Verification data dialog", D2 §2 screen 5).
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { solvePuzzle } from '#test/puzzle.ts'
import {
  axeFindings,
  type BrowserOffice,
  eventually,
  fact,
  gone,
  openBrowserOffice,
  PHONE,
  see,
  sidewaysScroll,
  toast,
} from '../browser.ts'

let office: BrowserOffice
let shop: number
before(async () => {
  office = await openBrowserOffice({ outside: true })
  const [row] = await office.sql<{ id: string }>(
    `update merchants set verification_status = 'unverified', verification_refusal = '' where id = (select m.id from merchants m
       where m.agent_id = 101 and m.status = 'normal' and not exists (select from documents d where d.merchant_id = m.id) order by m.id limit 1)
     returning id`,
  )
  shop = Number(row?.id)
})
afterEach(() => office.closePages())
after(() => office.stop())

/** What the reader will see in the next pictures. */
async function readerSees(...papers: object[]): Promise<void> {
  const { baseUrl } = office.outside?.simulators.settings.tencentOcr ?? assert.fail('no simulators')
  const answer = await fetch(`${baseUrl}/__sim/next`, { method: 'POST', body: JSON.stringify(papers) })
  assert.equal(answer.status, 200)
}

/** Read where the service sent it: the program forgets a code once it is taken. */
async function codeOnPhone(phone: string): Promise<string> {
  const { baseUrl } = office.outside?.simulators.settings.aliyun ?? assert.fail('no simulators')
  let code: string | undefined
  await eventually(async () => {
    const answer = await fetch(`${baseUrl}/__sim/inbox.json?phone=${phone}`)
    const { messages } = (await answer.json()) as { messages: { text: string }[] }
    code = /\b\d{6}\b/.exec(messages[0]?.text ?? '')?.[0]
    return code !== undefined
  }, true)
  return code as string
}

async function upload(form: Locator, label: string, background: string): Promise<void> {
  const buffer = await sharp({ create: { width: 1_000, height: 640, channels: 3, background } })
    .png()
    .toBuffer()
  await form
    .getByLabel(label, { exact: true })
    .setInputFiles({ name: 'paper.png', mimeType: 'image/png', buffer })
}

async function openForm(page: Page): Promise<Locator> {
  await page.goto(`/admin/merchant/merchantDetails?user_id=${shop}`)
  await fact(page, '认证状态').getByRole('button', { name: '实名资料' }).click()
  const form = page.getByRole('dialog', { name: /^实名资料/ })
  await see(form.getByText('未认证').or(form.getByText('认证失败')).first())
  return form
}

const box = (form: Locator, name: string | RegExp) => form.getByRole('textbox', { name })
const LICENCE = { number: '9144030071526726XG', name: '深圳市海边书店有限公司', person: '张三' }
const CARD = { number: '11010519491231002X', name: '李四' }

test('papers are read into empty fields, what was typed is not overwritten; a code proves the phone, and the data are handed in', async () => {
  const page = await office.openAs('20001', '/admin/index')
  let form = await openForm(page)
  await form.getByRole('button', { name: '提交审核' }).click()
  await see(form.getByText('请填入必填项').first())
  assert.deepEqual(await axeFindings(page), [])
  assert.equal(await box(form, '责任人身份证号').isDisabled(), true)

  await box(form, '法定代表人').fill('王五')
  await readerSees({ problem: 'blurred' }, { text: LICENCE })
  await upload(form, '营业执照', '#eeddcc')
  await see(form.getByText('图片模糊，请重新拍摄清晰的原件，也可手工填写'))
  assert.equal(await box(form, '企业名称').inputValue(), '')
  await upload(form, '营业执照', '#ddeecc')
  await see(form.getByText('腾讯云已识别'))
  assert.equal(await box(form, '企业名称').inputValue(), LICENCE.name)
  assert.equal(await box(form, '统一社会信用代码').inputValue(), LICENCE.number)
  assert.equal(await box(form, '法定代表人').inputValue(), '王五')
  await see(form.getByText('证件上识别为 张三'), form.getByText('手工填写，与识别不同'))
  await form.getByRole('button', { name: '采用识别的法定代表人' }).click()
  assert.equal(await box(form, '法定代表人').inputValue(), '张三')
  await gone(form.getByText('证件上识别为'))

  await readerSees({ kind: 'back' }, { text: CARD }, { problem: 'copy' })
  await upload(form, '身份证人像面', '#ccddee')
  await see(form.getByText('证件正反面传反了，请上传另一面'))
  await upload(form, '身份证人像面', '#ccddff')
  await see(form.getByText('腾讯云已识别').nth(1))
  assert.equal(await box(form, '责任人身份证号').inputValue(), CARD.number)
  assert.equal(await box(form, '责任人姓名').inputValue(), CARD.name)
  await upload(form, '身份证国徽面', '#ccffee')
  await see(form.getByText('疑似复印件或翻拍，请上传原件照片'))
  await form.getByRole('button', { name: '保存草稿' }).click()
  await see(toast(page, '草稿已保存'))
  await page.reload()
  form = await openForm(page)
  await see(form.getByText('110105********002X'))
  assert.equal(await box(form, '企业名称').inputValue(), LICENCE.name)

  const send = () => form.getByRole('button', { name: /获取/ })
  await see(send())
  assert.equal(await send().getAttribute('aria-disabled'), 'true')
  await box(form, '责任人手机号').fill('13900001234')
  await send().click()
  await solvePuzzle(office, page)
  await see(toast(page, '验证码已发送至 139****1234'), form.getByText(/秒后重新获取/))
  await box(form, '短信签名').fill('海边书店')
  await box(form, '手机验证码').fill(await codeOnPhone('13900001234'))
  await form.getByRole('button', { name: '保存草稿' }).click()
  await see(toast(page, '草稿已保存'))
  await page.reload()
  form = await openForm(page)
  await see(form.getByText(/秒后重新获取/), form.getByText('该手机号已核实，无需再次验证'))
  await form.getByRole('button', { name: '提交审核' }).click()
  await box(form, /^身份证国徽面：疑似复印件/).fill('原件在总部')
  assert.deepEqual(await axeFindings(page), [])
  await form.getByRole('button', { name: '提交审核' }).click()
  await see(toast(page, '已提交审核，24 小时内给出结果'))
  await see(fact(page, '认证状态').getByText('审核中'))
})

async function review(page: Page): Promise<Locator> {
  await page.goto(`/admin/merchant/verification?state=reviewing&search=${shop}`)
  await page.getByRole('button', { name: '审核', exact: true }).click()
  const drawer = page.getByRole('dialog', { name: '实名审核' })
  await see(drawer.getByRole('heading', { name: LICENCE.name }), drawer.getByText('提交人说明：原件在总部'))
  return drawer
}

test('staff compare papers and values, refuse with a reason; the agent corrects, and it is verified', async () => {
  const staff = await office.openAs('10090', '/admin/index')
  const drawer = await review(staff)
  await see(drawer.getByText('识别（把握').first(), drawer.getByText('已用验证码核实'))
  await drawer.getByRole('button', { name: '显示完整号码' }).click()
  await see(drawer.getByText(CARD.number))
  assert.deepEqual(await axeFindings(staff), [])
  await drawer.getByRole('button', { name: '驳回' }).click()
  const reject = staff.getByRole('dialog', { name: /驳回/ })
  await reject.getByRole('button', { name: '驳回', exact: true }).click()
  await see(reject.getByText('请选择或填写驳回原因'))
  await reject.getByRole('button', { name: '上传的不是原件' }).click()
  await reject.getByRole('button', { name: '驳回', exact: true }).click()
  await see(toast(staff, '已驳回'))

  const page = await office.openAs('20001', '/admin/index', { viewport: PHONE })
  const form = await openForm(page)
  await see(form.getByText('上传的不是原件'), form.getByText('请上传证件原件照片，复印件和翻拍不能使用'))
  assert.equal(await sidewaysScroll(page), 0)
  assert.deepEqual(await axeFindings(page), [])
  await readerSees({ kind: 'back' })
  await upload(form, '身份证国徽面', '#aaffee')
  await gone(form.getByText('疑似复印件或翻拍，请上传原件照片', { exact: true }))
  await form.getByRole('button', { name: '提交审核' }).click()
  await see(fact(page, '认证状态').getByText('审核中'))

  await staff.goto(`/admin/merchant/verification?state=reviewing&search=${shop}`)
  await staff.getByRole('button', { name: '审核', exact: true }).click()
  await staff.getByRole('dialog', { name: '实名审核' }).getByRole('button', { name: '通过认证' }).click()
  await see(toast(staff, '已通过认证'))
  await page.reload()
  await see(fact(page, '认证状态').getByText('已认证'))
  const [log] = await office.sql<{ titles: string[] }>(
    `select array_agg(title order by id) as titles from operation_logs where merchant_id = $1 and title like '%实名资料'`,
    [shop],
  )
  assert.deepEqual(log?.titles.slice(-4), ['驳回实名资料', '保存实名资料', '提交实名资料', '通过实名资料'])
})
