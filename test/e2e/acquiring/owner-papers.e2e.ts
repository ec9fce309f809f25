// The owner of a shop hands in papers by phone: a link from the shop's page, photographs, a break of the network, another phone, a signature;
// the agent takes it over (D3 §2 merchantImportH5).
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { solvePuzzle } from '#test/puzzle.ts'
import { connectSms } from '#test/silent-sms.ts'
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

let office: BrowserOffice
let shop: string
before(async () => {
  office = await openBrowserOffice()
  connectSms(office)
  const [row] = await office.sql<{ id: string }>(
    `select m.id from merchants m where m.agent_id = 101 and m.status = 'normal' and m.verification_status = 'unverified'
       and not exists (select from documents d where d.merchant_id = m.id)
       and not exists (select from verifications v where v.merchant_id = m.id) order by m.id limit 1`,
  )
  shop = row?.id ?? assert.fail('no shop')
})
afterEach(() => office.closePages())
after(() => office.stop())

const SHOTS = ['营业执照', '身份证人像面', '身份证国徽面', '开户许可证', '门头照片', '收银台照片', '店内照片']
const TEXTS = {
  企业名称: '深圳市南山区老张面馆',
  统一社会信用代码: '91350100M000100Y43',
  法定代表人: '张三',
  责任人姓名: '张三',
  责任人身份证号: '11010519491231002X',
  银行账号: '755912345678901',
  开户银行: '招商银行',
  支行名称: '招商银行深圳科技园支行',
  联系邮箱: 'zhang@example.com',
}

async function shoot(page: Page, label: string, at: number): Promise<void> {
  const background = { r: 30 * at, g: 200 - 20 * at, b: 120 }
  const buffer = await sharp({ create: { width: 1600, height: 1000, channels: 3, background } })
    .jpeg()
    .toBuffer()
  await page
    .getByLabel(`拍摄${label}`, { exact: true })
    .setInputFiles({ name: 'p.jpg', mimeType: 'image/jpeg', buffer })
}

/** The puzzle, the code that came, and in. */
async function code(page: Page): Promise<string> {
  // Nobody waits a minute here.
  await office.sql(
    `update verification_codes set created_at = created_at - interval '2 minutes' where merchant_id = $1`,
    [shop],
  )
  await page.getByRole('button', { name: '获取验证码' }).click()
  await solvePuzzle(office, page)
  await see(page.getByText(/验证码已发送/))
  const [sent] = await office.sql<{ text: string }>(
    `select text from outbox_messages where merchant_id = $1 and kind = 'shop-code' order by id desc limit 1`,
    [shop],
  )
  const typed = /\b\d{6}\b/.exec(sent?.text ?? '')?.[0] ?? ''
  await page.getByRole('textbox', { name: '验证码' }).fill(typed)
  return typed
}

test('an owner photographs, loses the network, goes on at another phone and signs; the agent takes it over', async () => {
  const desk = await office.openAs('20001', `/admin/merchant/merchantDetails?user_id=${shop}`)
  await desk.getByRole('button', { name: '店主资料', exact: true }).click()
  const drawer = desk.getByRole('dialog', { name: '店主资料' })
  await drawer.getByRole('button', { name: '生成链接' }).click()
  const address = drawer.getByText(/\/o\/[\w-]{32}$/)
  await see(address, drawer.getByRole('img', { name: '店主资料链接二维码' }))
  assert.deepEqual(await axeFindings(desk), [])
  const path = new URL((await address.textContent()) ?? '').pathname

  const first = await office.open({ viewport: PHONE })
  await first.goto(path)
  await first.getByRole('textbox', { name: '手机号' }).fill('13911110123')
  await code(first)
  await first.getByRole('button', { name: '开始填写' }).click()
  await see(first.getByRole('heading', { name: '营业执照' }))
  for (const [label, text] of Object.entries(TEXTS))
    await first.getByRole('textbox', { name: label }).fill(text)
  await first.getByRole('textbox', { name: '联系邮箱' }).blur()
  // The network breaks while a picture is on its way, and comes back.
  await first.context().setOffline(true)
  await shoot(first, '营业执照', 1)
  await see(first.getByText('网络中断，恢复后自动继续'))
  await first.context().setOffline(false)
  for (const [at, label] of SHOTS.entries()) {
    if (at > 0) await shoot(first, label, at + 1)
    await see(first.getByRole('button', { name: `重新拍摄${label}` }))
  }
  assert.equal(await sidewaysScroll(first), 0)
  assert.deepEqual(await axeFindings(first), [])
  await eventually(
    async () =>
      (await office.sql('select from owner_papers where merchant_id = $1 and email <> $2', [shop, '']))
        .length,
    1,
  )

  // The phone dies; another one goes on.
  await first.close()
  const second = await office.open({ viewport: PHONE })
  await second.goto(path)
  await see(second.getByRole('heading', { name: '继续填写' }))
  assert.equal(await second.getByText(TEXTS.企业名称).count(), 0)
  await code(second)
  await second.getByRole('button', { name: '继续', exact: true }).click()
  await see(second.getByRole('button', { name: '重新拍摄店内照片' }))
  await second.getByRole('button', { name: '下一步：核对并签名' }).click()
  await see(second.getByText(/本人确认：以下资料由本人提供/))
  const pad = second.getByRole('img', { name: /签名区/ })
  await pad.scrollIntoViewIfNeeded()
  const box = (await pad.boundingBox()) ?? assert.fail('no pad')
  await second.mouse.move(box.x + 40, box.y + 40)
  await second.mouse.down()
  await second.mouse.move(box.x + 160, box.y + 90, { steps: 5 })
  await second.mouse.up()
  await see(second.getByRole('img', { name: '已签名' }))
  await code(second)
  assert.deepEqual(await axeFindings(second), [])
  await second.getByRole('button', { name: '签名并提交' }).click()
  await see(second.getByRole('heading', { name: '资料已提交' }))

  await desk.reload()
  await desk.getByRole('button', { name: '店主资料', exact: true }).click()
  await see(drawer.getByText(TEXTS.企业名称, { exact: true }))
  assert.deepEqual(await axeFindings(desk), [])
  await drawer.getByRole('button', { name: '采用', exact: true }).click()
  await see(toast(desk, '已带入实名资料；已带入支付申请'))
  await second.reload()
  await see(second.getByRole('heading', { name: '资料已采用' }))
})
