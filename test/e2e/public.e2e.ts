// What people without an account see, and the puzzle before a code: pointer, keys, mistakes, both themes, phone (D1 §2, §7).
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { dragPiece, placeOfPiece, solvePuzzle } from '../puzzle.ts'
import {
  axeFindings,
  type BrowserOffice,
  eventually,
  gone,
  openBrowserOffice,
  type PageOptions,
  PHONE,
  see,
  sidewaysScroll,
  steady,
  toast,
} from './browser.ts'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice()
})
afterEach(async () => {
  await office.closePages()
  await office.sql('delete from captcha_passes')
})
after(() => office.stop())

async function openForm(options?: PageOptions): Promise<Page> {
  const page = await office.open(options)
  await page.goto('/consult')
  await see(page.getByRole('heading', { name: '预约咨询' }))
  return page
}

async function fill(page: Page, mobile: string): Promise<void> {
  await page.getByRole('textbox', { name: '您的称呼' }).fill('林女士')
  await page.getByRole('textbox', { name: '手机号码' }).fill(mobile)
  await page.getByRole('textbox', { name: '想了解什么' }).fill('两家面馆，想看演示')
}
const press = (page: Page) => page.getByRole('button', { name: '提交咨询' }).click()
const puzzleOf = (page: Page) => page.getByRole('dialog', { name: '安全验证' })
const alertOf = (page: Page) => puzzleOf(page).getByRole('alert')

describe('the consultation form', () => {
  test('says what is missing at its field, and takes a request after the puzzle; staff see it and mark it', async () => {
    const page = await openForm()
    await press(page)
    await see(page.getByText('请输入您的称呼'))
    await fill(page, '1380000')
    await press(page)
    await see(page.getByText('请输入正确的11位手机号码'))
    await page.getByRole('textbox', { name: '手机号码' }).fill('13700001111')
    await press(page)
    await solvePuzzle(office, page)
    await see(page.getByRole('heading', { name: '已收到您的咨询' }), page.getByText('13700001111'))

    const desk = await office.openAs('10090', '/admin/index')
    await desk.getByRole('button', { name: /待联系的官网咨询 \d+ 条/ }).click()
    const dialog = desk.getByRole('dialog', { name: '官网咨询' })
    await see(dialog.getByRole('cell', { name: '林女士', exact: true }))
    assert.equal(await dialog.getByRole('row').count(), 11)
    await dialog.getByRole('button', { name: '标记已联系：林女士' }).click()
    await see(toast(desk, '已标记联系'), dialog.getByRole('button', { name: '撤销标记：林女士' }))
    await dialog.getByRole('link', { name: '查看全部' }).click()
    await see(desk.getByRole('heading', { name: '官网咨询', exact: true }), desk.getByText('13700001111'))
    const [kept] = await office.sql<{ contacted: boolean }>(
      `select contacted from consultations where mobile = '13700001111'`,
    )
    assert.equal(kept?.contacted, true)
  })

  test('keeps what was typed when the puzzle is closed, and refuses the same number too soon', async () => {
    const page = await openForm()
    await fill(page, '13700002222')
    await press(page)
    await see(puzzleOf(page).getByRole('slider'))
    await page.keyboard.press('Escape')
    await gone(puzzleOf(page))
    assert.equal(await page.getByRole('textbox', { name: '您的称呼' }).inputValue(), '林女士')
    await press(page)
    await solvePuzzle(office, page)
    await see(page.getByRole('heading', { name: '已收到您的咨询' }))
    await page.getByRole('button', { name: '再次咨询' }).click()
    await fill(page, '13700002222')
    await press(page)
    await see(page.getByText('操作过于频繁，请稍后再试'))
    await gone(puzzleOf(page))
  })

  for (const [name, options] of [
    ['on a desktop', {}],
    ['on a desktop in the dark', { dark: true }],
    ['on a phone', { viewport: PHONE }],
    ['on a phone in the dark', { viewport: PHONE, dark: true }],
  ] as const)
    test(`${name} is accessible with its puzzle open and scrolls one way`, async () => {
      const page = await openForm(options)
      await press(page)
      await see(page.getByText('请输入您的称呼'))
      assert.deepEqual(await axeFindings(page), [])
      await fill(page, '13700003333')
      await press(page)
      await see(puzzleOf(page).getByRole('slider'))
      await steady(page)
      assert.deepEqual(await axeFindings(page), [])
      assert.equal(await sidewaysScroll(page), 0)
    })
})

describe('the puzzle', () => {
  test('is another one after a miss, and after 换一张', async () => {
    const page = await openForm()
    await fill(page, '13700004444')
    await press(page)
    await see(puzzleOf(page).getByRole('slider'))
    const picture = () => puzzleOf(page).getByAltText('有缺口的图片').getAttribute('src')
    const first = await picture()
    await dragPiece(page, (await placeOfPiece(office)) - 40)
    await see(alertOf(page).getByText('拼图没有对准，请再试一次'))
    await eventually(async () => (await picture()) !== first, true)
    const second = await picture()
    await puzzleOf(page).getByRole('button', { name: '换一张' }).click()
    await eventually(async () => (await picture()) !== second, true)
    await solvePuzzle(office, page)
    await see(page.getByRole('heading', { name: '已收到您的咨询' }))
  })

  test('is solved by keys alone', async () => {
    const page = await openForm({ viewport: PHONE })
    await fill(page, '13700005555')
    await press(page)
    const slider = puzzleOf(page).getByRole('slider', { name: '拼图滑块' })
    await slider.focus()
    const x = await placeOfPiece(office)
    const presses = [
      ...Array(Math.floor(x / 10)).fill('Shift+ArrowRight'),
      ...Array(Math.round((x % 10) / 2)).fill('ArrowRight'),
    ]
    for (const [i, key] of presses.entries()) {
      await page.keyboard.press(key)
      await page.waitForTimeout(20 + (i % 4) * 8)
    }
    assert.ok(Math.abs(Number(await slider.getAttribute('aria-valuenow')) - x) <= 1)
    await page.keyboard.press('Enter')
    await gone(puzzleOf(page))
    await see(page.getByRole('heading', { name: '已收到您的咨询' }))
  })

  test('stands before a code over its form, closes alone, and tells how long to wait', async () => {
    const [shop] = await office.sql<{ id: string }>(
      `select id from merchants where agent_id = 101 and status = 'normal' order by id desc limit 1`,
    )
    const page = await office.openAs('20001', `/admin/merchant/myMerchant?user_id=${shop?.id}`)
    await page.getByRole('dialog', { name: '商户详情' }).getByRole('button', { name: '修改手机号' }).click()
    const form = page.getByRole('dialog', { name: '修改手机号' })
    await form.getByRole('textbox', { name: '新手机号' }).fill('13911110009')
    await form.getByRole('button', { name: '获取验证码' }).click()
    await see(puzzleOf(page).getByRole('slider'))
    await page.keyboard.press('Escape')
    await gone(puzzleOf(page))
    await see(form)
    assert.equal(await form.getByRole('textbox', { name: '新手机号' }).inputValue(), '13911110009')
    await form.getByRole('button', { name: '获取验证码' }).click()
    await solvePuzzle(office, page)
    await see(form.getByRole('button', { name: /^\d+ 秒后重新获取$/ }))
    const sent = await office.sql(
      `select id from outbox_messages where merchant_id = $1 and kind = 'phone-code' and created_at > now() - interval '5 minutes'`,
      [shop?.id],
    )
    assert.equal(sent.length, 1)
  })
})
