// What people without an account see, and the puzzle before a code: pointer, keys, mistakes, both themes, phone (D1 §2, §7).
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { DEMO_PASSWORD } from '#features/office/access/sample.ts'
import { exhaustive } from '../../lane.ts'
import { dragPiece, placeOfPiece, solvePuzzle } from '../../puzzle.ts'
import { connectSms } from '../../silent-sms.ts'
import {
  axeFindings,
  type BrowserOffice,
  eventually,
  gone,
  LAYER,
  openBrowserOffice,
  type PageOptions,
  PHONE,
  see,
  sidewaysScroll,
  toast,
} from '../browser.ts'
import { flaws, lookWide } from '../looks.ts'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice()
  connectSms(office)
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
  test('says what is missing at its field, keeps what was typed when the puzzle is closed, and takes a request after it; staff see and mark it', async () => {
    const page = await openForm()
    await press(page)
    await see(page.getByText('请输入您的称呼'))
    await fill(page, '1380000')
    await press(page)
    await see(page.getByText('请输入正确的11位手机号码'))
    await page.getByRole('textbox', { name: '手机号码' }).fill('13700001111')
    await press(page)
    await see(puzzleOf(page).getByRole('slider'))
    assert.deepEqual(await flaws(page, LAYER), [])
    await lookWide(page)
    await page.keyboard.press('Escape')
    await gone(puzzleOf(page))
    assert.equal(await page.getByRole('textbox', { name: '您的称呼' }).inputValue(), '林女士')
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

  exhaustive(
    'keeps what was typed when the puzzle is closed, and refuses the same number too soon',
    ['test/e2e/agencies/public.e2e.ts', 'features/office/captcha/server.test.ts'],
    async () => {
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
    },
  )

  for (const [name, options] of [
    ['on a desktop', {}],
    ['on a desktop in the dark', { dark: true }],
    ['on a phone', { viewport: PHONE }],
    ['on a phone in the dark', { viewport: PHONE, dark: true }],
  ] as const)
    exhaustive(
      `${name} is accessible with its puzzle open and scrolls one way`,
      ['test/e2e/agencies/public.e2e.ts'],
      async () => {
        const page = await openForm(options)
        await press(page)
        await see(page.getByText('请输入您的称呼'))
        assert.deepEqual(await axeFindings(page), [])
        await fill(page, '13700003333')
        await press(page)
        await see(puzzleOf(page).getByRole('slider'))
        assert.deepEqual(await axeFindings(page), [])
        assert.equal(await sidewaysScroll(page), 0)
      },
    )
})

describe('the puzzle', () => {
  exhaustive(
    'is another one after a miss, and after 换一张',
    ['features/office/captcha/CaptchaDialog.test.tsx', 'features/office/captcha/server.test.ts'],
    async () => {
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
    },
  )

  exhaustive(
    'is solved by keys alone',
    ['features/office/captcha/CaptchaDialog.test.tsx', 'features/office/captcha/rules.test.ts'],
    async () => {
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
      // Held as long as a finger does: no hand presses all at once.
      for (const [i, key] of presses.entries()) await page.keyboard.press(key, { delay: 20 + (i % 4) * 8 })
      assert.ok(Math.abs(Number(await slider.getAttribute('aria-valuenow')) - x) <= 1)
      await page.keyboard.press('Enter')
      await gone(puzzleOf(page))
      await see(page.getByRole('heading', { name: '已收到您的咨询' }))
    },
  )

  exhaustive(
    'stands before a code over its form, closes alone, and tells how long to wait',
    ['test/e2e/care/messages.e2e.ts', 'features/office/captcha/server.test.ts'],
    async () => {
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
    },
  )
})

describe('an agency under its own name', () => {
  const PROFILE = '/admin/account/personalData'

  test('its owner gives it a logo and a domain, and whoever opens that domain sees whose it is and signs in there', async () => {
    const page = await office.openAs('20001', PROFILE)
    await page.getByRole('button', { name: '修改公司资料' }).click()
    const dialog = page.getByRole('dialog', { name: '修改公司资料' })
    const domain = dialog.getByRole('textbox', { name: '域名' })
    await domain.fill('www')
    await see(dialog.getByText('.localhost', { exact: true }))
    await dialog.getByRole('button', { name: '保存' }).click()
    await see(dialog.getByText('该域名为系统保留，请换一个'))
    await domain.fill('XinYuan-2')
    await see(dialog.getByText('可以使用'))
    const picture = await sharp({ create: { width: 520, height: 140, channels: 3, background: '#0e7c66' } })
      .png()
      .toBuffer()
    await dialog
      .getByLabel('公司标志')
      .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: picture })
    await see(dialog.getByRole('button', { name: '移除图片' }))
    await dialog.getByRole('button', { name: '保存' }).click()
    await gone(dialog)
    await see(page.getByText('xinyuan-2.localhost'), page.getByText('决定折扣，由厂商调整'))
    const [agent] = await office.sql<{ logo: string; name: string }>(
      'select logo_id as logo, company_name as name from agents where id = 101',
    )
    assert.ok(agent)
    await see(page.locator(`nav img[src="/api/files/${agent.logo}"]`))
    assert.deepEqual(await axeFindings(page), [])

    const at = (label: string) => office.url.replace('127.0.0.1', `${label}.localhost`)
    const visitor = await office.open({ dark: true })
    await visitor.goto(`${at('xinyuan-2')}/login`)
    await see(visitor.getByText(agent.name))
    const logo = visitor.locator(`img[src="/api/files/${agent.logo}"]`)
    await eventually(() => logo.evaluate<number, { naturalWidth: number }>(image => image.naturalWidth), 520)
    assert.equal(await visitor.getByRole('button', { name: '使用通行密钥登录' }).count(), 0)
    assert.deepEqual(await axeFindings(visitor), [])
    await visitor.getByLabel('账号').fill('2000101')
    await visitor.getByLabel('密码', { exact: true }).fill(DEMO_PASSWORD)
    await visitor.getByRole('button', { name: '登录', exact: true }).click()
    await see(
      visitor.getByRole('heading', { name: '首页' }).or(visitor.getByRole('navigation', { name: '主菜单' })),
    )
    assert.equal(new URL(visitor.url()).hostname, 'xinyuan-2.localhost')

    const stranger = await office.open()
    await stranger.goto(`${at('nobody-here')}/login`)
    await see(stranger.getByRole('heading', { name: '合作伙伴后台' }))
    assert.equal(await stranger.locator('main img').count(), 0)
    await stranger.goto(`${office.url}/login`)
    assert.equal(await stranger.locator('main img').count(), 0)
  })

  exhaustive(
    'the number of an account is changed on a phone with a code to each',
    ['features/agencies/agent-profile/server.test.ts', 'features/agencies/agent-profile/rules.test.ts'],
    async () => {
      const page = await office.openAs('20001', PROFILE, { viewport: PHONE })
      await page.getByRole('button', { name: '更换手机号' }).click()
      const dialog = page.getByRole('dialog', { name: '更换手机号' })
      const codeTo = async (name: string, phone: string) => {
        await dialog.getByRole('button', { name: `获取验证码：${name}` }).click()
        await solvePuzzle(office, page)
        await see(dialog.getByRole('button', { name: new RegExp(`秒后重新获取：${name}`) }))
        const [sent] = await office.sql<{ text: string }>(
          `select text from outbox_messages where phone = $1 and kind = 'account-code' order by id desc limit 1`,
          [phone],
        )
        return /\b\d{6}\b/.exec(sent?.text ?? '')?.[0] ?? ''
      }
      const codes = dialog.getByPlaceholder('6 位数字')
      await codes.first().fill(await codeTo('原手机', '13900000001'))
      await dialog.getByRole('textbox', { name: '新手机号' }).fill('13900000001')
      await dialog.getByRole('button', { name: '获取验证码：新手机' }).click()
      await solvePuzzle(office, page)
      await see(dialog.getByText('新手机号与原手机号相同'))
      await dialog.getByRole('textbox', { name: '新手机号' }).fill('13900005555')
      await office.sql('delete from captcha_passes')
      await codes.last().fill(await codeTo('新手机', '13900005555'))
      assert.equal(await sidewaysScroll(page), 0)
      await dialog.getByRole('button', { name: '更换', exact: true }).click()
      await gone(dialog)
      await see(toast(page, '手机号已更换为 139****5555'))
      await eventually(() => page.locator('dd').filter({ hasText: '139****5555' }).count(), 2)
    },
  )
})

describe('a shop’s own page', () => {
  test('lets the shop in with a code to its phone, for more; an address that was replaced opens nothing', async () => {
    const address = 'S'.repeat(32)
    const [shop] = await office.sql<{ id: string; shop_name: string }>(
      `select id, shop_name from merchants where agent_id = 101 and status = 'normal' and version_id = 12 order by id limit 1`,
    )
    assert.ok(shop)
    await office.sql('update shop_codes set revoked_at = now() where merchant_id = $1', [shop.id])
    await office.sql(
      `insert into shop_codes (agent_id, merchant_id, code, created_by, created_by_name, created_at) values (101, $1, $2, 0, '测试', now())`,
      [shop.id, address],
    )
    const page = await office.open({ viewport: PHONE })
    await page.goto(`/s/${address}`)
    await see(page.getByRole('heading', { name: shop.shop_name, level: 1 }))
    assert.deepEqual([await axeFindings(page), await sidewaysScroll(page)], [[], 0])
    await page.getByRole('button', { name: '登录查看' }).click()
    await page.getByRole('button', { name: '登录', exact: true }).click()
    await see(page.getByText('请输入手机验证码', { exact: true }))
    await page.getByRole('button', { name: '获取验证码' }).click()
    await solvePuzzle(office, page)
    await see(page.getByText('验证码已发送到门店登记的手机号，10分钟内有效'))
    const [sent] = await office.sql<{ text: string }>(
      'select text from outbox_messages where merchant_id = $1 order by id desc limit 1',
      [shop.id],
    )
    await page.getByRole('textbox', { name: '验证码' }).fill(/\b\d{6}\b/.exec(sent?.text ?? '')?.[0] ?? '')
    await page.getByRole('button', { name: '登录', exact: true }).click()
    await see(
      page.getByRole('heading', { name: '版本订单' }),
      page.getByRole('heading', { name: '续费收据' }),
    )
    assert.deepEqual([await axeFindings(page), await sidewaysScroll(page)], [[], 0])
    await office.sql('update shop_codes set revoked_at = now() where merchant_id = $1', [shop.id])
    await page.reload()
    await see(page.getByRole('heading', { name: '链接无效' }))
  })
})
