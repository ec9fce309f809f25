// A shop's details in the browser: reading, editing, locks, enabling and disabling, expired shops (D1 §2–§4; D2 §5, §6).
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { formatCount } from '#kit/money.ts'
import { formatInstant } from '#kit/time.ts'
import { exhaustive } from '../../lane.ts'
import {
  type BrowserOffice,
  eventually,
  fact,
  gone,
  openBrowserOffice,
  rowOf,
  SMALL_PHONE,
  see,
  toast,
} from '../browser.ts'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice()
})
afterEach(() => office.closePages())
after(() => office.stop())

type Shop = {
  id: string
  shop_name: string
  short_name: string
  account: string
  registered_at: Date
  revision: number
}

/** A shop of 20001 that no other test has changed. */
async function untouchedShop(): Promise<Shop> {
  const [shop] = await office.sql<Shop>(
    `select * from merchants where agent_id = 101 and status = 'normal' and revision = 1 order by id limit 1`,
  )
  return shop ?? assert.fail('no shop is left')
}

async function saved(id: string): Promise<Record<string, unknown>> {
  const [row] = await office.sql('select * from merchants where id = $1', [id])
  return row ?? assert.fail('the shop is gone')
}

async function openDetails(account: string, id: string): Promise<Page> {
  return office.openAs(account, `/admin/merchant/merchantDetails?user_id=${id}`)
}

async function openEdit(account: string, id: string): Promise<Page> {
  const page = await openDetails(account, id)
  await page.getByRole('button', { name: '编辑', exact: true }).click()
  await see(field(page, '店铺名称'))
  return page
}

function field(page: Page, name: string): Locator {
  return page.getByRole('textbox', { name, exact: true })
}

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: '保存', exact: true }).click()
}

describe('details', () => {
  exhaustive(
    'every fact is shown, with 启用 and 禁用 as the state allows',
    ['features/shops/merchants/server.test.ts', 'test/e2e/shops/look-after.e2e.ts'],
    async () => {
      const { id } = await untouchedShop()
      await office.sql(
        `update merchants set shop_phone = '0755-26680001', source = 'backOffice', referrer = '王推荐', remark = '老客户', signature = '老字号',
         last_login_at = null, verification_status = 'failed', verification_refusal = '营业执照不清晰',
         payment_method_id = 0, manager_id = (select id from accounts where login_name = '20001'), revision = 2
       where id = $1`,
        [id],
      )
      const [shop] = await office.sql<Record<string, string>>(
        `select merchants.*, coalesce((select balance from ledger_accounts where owner_kind = 'merchant'
         and owner_id = merchants.id and asset = 'sms'), 0) as sms, versions.name as version, industries.name as industry, accounts.name as manager
       from merchants join versions on versions.id = version_id join industries on industries.id = industry_id
         join accounts on accounts.id = manager_id where merchants.id = $1`,
        [id],
      )
      assert.ok(shop)
      const page = await openDetails('20001', id)
      const details = page.getByRole('article')
      await see(details.getByRole('heading', { name: shop.shop_name, level: 2 }))
      const facts: Record<string, string | RegExp> = {
        '商户 ID': id,
        门店类型: '总店',
        店铺名称: String(shop.shop_name),
        店铺简称: String(shop.short_name),
        会员称谓: '—',
        商户姓名: String(shop.person_name),
        店铺电话: '0755-26680001',
        行业类型: String(shop.industry),
        状态: '正常',
        地址: new RegExp(`${shop.address}$`),
        账号: new RegExp(`^${shop.account}\\s*已用 \\d+ 天\\s*修改手机号$`),
        密码: /^已设置\s*重置密码$/,
        门店页面: '查看链接',
        软件版本: String(shop.version),
        购买店铺数: `${shop.shops_bought} 家`,
        注册时间: formatInstant(String(new Date(String(shop.registered_at)).toISOString())),
        到期时间: shop.expires_at ? formatInstant(new Date(shop.expires_at)) : '永久',
        最近登录: '从未登录',
        短信余额: new RegExp(`^${formatCount(Number(shop.sms))} 条\\s*回收短信\\s*赠送短信$`),
        短信签名: '老字号',
        认证状态: /^认证失败/,
        回收需验证码: '不需要',
        未通过原因: '营业执照不清晰',
        支付方式: '默认支付',
        支付开通: /^未开通/,
        押金: /./,
        推荐人: '王推荐',
        '客户经理/客服': String(shop.manager),
        来源: '后台开通',
        备注: '老客户',
      }
      for (const [name, expected] of Object.entries(facts)) {
        const text = (await fact(details, name).innerText()).trim()
        if (expected instanceof RegExp) assert.match(text, expected, name)
        else assert.equal(text, expected, name)
      }
      assert.deepEqual(await details.locator('dt').allInnerTexts(), Object.keys(facts))
      assert.equal(await page.title(), '商户详情 · 合作伙伴后台')
    },
  )

  exhaustive(
    'another agent’s shop does not exist, nor does an address without one',
    [
      'features/shops/merchants/server.test.ts',
      'test/tenancy.test.ts',
      'features/shops/merchants/ShopAddress.test.tsx',
    ],
    async () => {
      const { id } = await untouchedShop()
      const page = await openDetails('20002', id)
      await see(page.getByRole('alert').getByText('数据不存在或已被删除'))
      assert.equal(await page.getByRole('article').count(), 0)
      await page.goto('/admin/merchant/merchantDetails')
      await see(page.getByText('地址中没有商户 ID，请从我的商户打开'))
    },
  )

  exhaustive(
    'SMS credit is given to a shop and taken back, from dialogs that open while their figures load',
    [
      'features/sales/sms/server.test.ts',
      'features/sales/sms/server-gift.test.ts',
      'features/sales/payments/MissingPay-places.test.tsx',
    ],
    async () => {
      const { id } = await untouchedShop()
      const page = await openDetails('20001', id)
      const credit = fact(page, '短信余额')
      const held = async () => Number((await credit.innerText()).split(' ')[0]?.replaceAll(',', ''))
      await see(credit)
      const before = await held()
      const [giving, taking] = ['赠送短信', '回收短信'].map(name => page.getByRole('dialog', { name }))
      assert.ok(giving && taking)
      await page.getByRole('button', { name: '赠送短信' }).click()
      await giving.getByRole('textbox', { name: '赠送条数' }).fill('8')
      await giving.getByRole('button', { name: /^赠\s*送$/ }).click()
      await page.getByRole('button', { name: '确认赠送' }).click()
      await see(toast(page, '赠送成功'))
      await eventually(held, before + 8)
      await page.getByRole('button', { name: '回收短信' }).click()
      await taking.getByRole('textbox', { name: '回收条数' }).fill(String(before + 9))
      await taking.getByRole('button', { name: /^回\s*收$/ }).click()
      await see(taking.getByText('回收条数不得超过商户短信余额'))
      await taking.getByRole('textbox', { name: '回收条数' }).fill('8')
      await taking.getByRole('button', { name: /^回\s*收$/ }).click()
      await page.getByRole('button', { name: '确认回收' }).click()
      await see(toast(page, '回收成功'))
      await eventually(held, before)
      await office.verifyLedger()
    },
  )

  exhaustive(
    'disabling names the shop, stops all that needs an enabled one, and is undone by enabling',
    ['features/shops/merchants/server.test.ts', 'test/e2e/shops/look-after.e2e.ts'],
    async () => {
      const { id, shop_name } = await untouchedShop()
      const page = await openDetails('20001', id)
      const details = page.getByRole('article')
      await details.getByRole('button', { name: '禁用', exact: true }).click()
      const question = page.getByRole('alertdialog', { name: `禁用「${shop_name}」？` })
      await see(question)
      await question.getByRole('button', { name: '取消' }).click()
      await gone(question)
      assert.equal((await saved(id)).status, 'normal')
      await details.getByRole('button', { name: '禁用', exact: true }).click()
      await question.getByRole('button', { name: '禁用', exact: true }).click()
      await see(toast(page, '禁用成功'))
      await eventually(() => fact(details, '状态').innerText(), '已禁用')
      const edit = details.getByRole('button', { name: '编辑', exact: true })
      assert.equal(await edit.getAttribute('aria-disabled'), 'true')
      await edit.hover()
      await see(page.getByRole('tooltip').getByText('请启用后再进行操作'))
      await edit.dispatchEvent('click')
      assert.equal(await page.getByRole('button', { name: '保存', exact: true }).count(), 0)
      await details.getByRole('button', { name: '启用', exact: true }).click()
      await page
        .getByRole('alertdialog', { name: `启用「${shop_name}」？` })
        .getByRole('button', { name: '启用' })
        .click()
      await see(toast(page, '启用成功'))
      await eventually(() => fact(details, '状态').innerText(), '正常')
      assert.equal((await saved(id)).status, 'normal')
    },
  )

  exhaustive(
    'a shop that was disabled elsewhere since is not edited',
    ['features/shops/merchants/server.test.ts'],
    async () => {
      const { id, revision } = await untouchedShop()
      const page = await openEdit('20001', id)
      await office.sql(`update merchants set status = 'disabled' where id = $1`, [id])
      await field(page, '店铺名称').fill('停业小吃店')
      await save(page)
      await see(toast(page, '请启用后再进行操作'))
      assert.equal((await saved(id)).revision, revision)
    },
  )
})

describe('editing', () => {
  test('rules are judged in the documents’ order, then the change is saved and shown; it is disabled and enabled', async () => {
    const { id } = await untouchedShop()
    const before = await saved(id)
    const page = await openEdit('20001', id)
    assert.equal(
      await page.getByRole('button', { name: '保存', exact: true }).getAttribute('aria-disabled'),
      'true',
    )
    await field(page, '店铺简称').fill('老字号牛肉面馆总店')
    await field(page, '店铺名称').fill('面馆<1>')
    await field(page, '商户姓名').fill('')
    await page.getByLabel('密码', { exact: true }).fill('123')
    await field(page, '店铺电话').fill('12')
    const steps: [message: string, control: Locator, text: string][] = [
      ['店铺简称长度不得超过8字符', field(page, '店铺简称'), '江边面馆'],
      ['店铺名称请勿输入特殊字符', field(page, '店铺名称'), '江边牛肉面馆'],
      ['请输入商户姓名', field(page, '商户姓名'), '赵海'],
      ['密码格式错误', page.getByLabel('密码', { exact: true }), ''],
      ['请输入正确的店铺电话', field(page, '店铺电话'), '0571-88880001'],
    ]
    for (const [message, control, text] of steps) {
      await save(page)
      await see(page.getByText(message, { exact: true }))
      await eventually(
        () => control.evaluate(node => node === node.ownerDocument.activeElement),
        true,
        message,
      )
      assert.equal(await control.getAttribute('aria-invalid'), 'true')
      await control.fill(text)
      await gone(page.getByText(message, { exact: true }))
    }
    await save(page)
    await see(toast(page, '修改成功'))
    const details = page.getByRole('article')
    await eventually(() => fact(details, '店铺名称').innerText(), '江边牛肉面馆')
    const names = ['店铺简称', '商户姓名', '店铺电话']
    assert.deepEqual(await Promise.all(names.map(name => fact(details, name).innerText())), [
      '江边面馆',
      '赵海',
      '0571-88880001',
    ])
    const { shop_name, password_hash } = await saved(id)
    assert.deepEqual([shop_name, password_hash], ['江边牛肉面馆', before.password_hash])
    const press = async (name: '禁用' | '启用', becomes: string) => {
      await details.getByRole('button', { name, exact: true }).click()
      const question = page.getByRole('alertdialog', { name: `${name}「江边牛肉面馆」？` })
      await question.getByRole('button', { name, exact: true }).click()
      await see(toast(page, `${name}成功`))
      await eventually(() => fact(details, '状态').innerText(), becomes)
    }
    await press('禁用', '已禁用')
    const edit = details.getByRole('button', { name: '编辑', exact: true })
    assert.equal(await edit.getAttribute('aria-disabled'), 'true')
    await press('启用', '正常')
  })

  test('a second tab that is out of date is refused, and keeps what was typed', async () => {
    const { id } = await untouchedShop()
    const first = await openEdit('20001', id)
    const second = await openEdit('20001', id)
    await field(first, '店铺名称').fill('先保存的店')
    await field(first, '商户姓名').fill('先来')
    await save(first)
    await see(toast(first, '修改成功'))
    await field(second, '商户姓名').fill('后到')
    await save(second)
    const note = second.getByRole('alert').filter({ hasText: '数据已被他人修改，请刷新后重试' })
    await see(note)
    assert.equal((await saved(id)).person_name, '先来')
    await note.getByRole('button', { name: '刷新，保留已填写的内容' }).click()
    await see(second.getByText('已刷新，您填写的内容已保留。商户姓名也被他人修改，保存后以您填写的为准。'))
    assert.equal(await field(second, '店铺名称').inputValue(), '先保存的店')
    assert.equal(await field(second, '商户姓名').inputValue(), '后到')
    await save(second)
    await see(toast(second, '修改成功'))
    const { shop_name, person_name } = await saved(id)
    assert.deepEqual([shop_name, person_name], ['先保存的店', '后到'])
  })

  exhaustive(
    'what only the operator may change is locked for an agent and saved for the operator',
    ['features/shops/merchants/rules.test.ts', 'features/shops/merchants/server.test.ts'],
    async () => {
      const { id } = await untouchedShop()
      const agent = await openEdit('20001', id)
      const controls = (page: Page) => [
        field(page, '账号'),
        page.getByRole('combobox', { name: '软件版本' }),
        page.getByRole('combobox', { name: '门店类型' }),
        field(page, '注册时间'),
        field(page, '到期时间'),
      ]
      const disabled = (page: Page) => Promise.all(controls(page).map(control => control.isDisabled()))
      assert.deepEqual(await disabled(agent), [true, true, true, true, true])
      assert.equal(await field(agent, '推荐人').isDisabled(), false)
      const operator = await openEdit('10001', id)
      assert.deepEqual(await disabled(operator), [false, false, false, false, false])
      await operator.getByRole('combobox', { name: '门店类型' }).click()
      await operator.getByTitle('分店', { exact: true }).click()
      await save(operator)
      await see(toast(operator, '修改成功'))
      await eventually(() => fact(operator.getByRole('article'), '门店类型').innerText(), '分店')
      await see(operator.getByRole('article').getByText('深圳鑫源信息技术有限公司（101）'))
    },
  )

  exhaustive('unsaved changes are not left without a question', ['web/form/Form.test.tsx'], async () => {
    const { id, shop_name } = await untouchedShop()
    const page = await openEdit('20001', id)
    await field(page, '店铺名称').fill('没有保存的店')
    await page.getByRole('button', { name: '取消' }).click()
    await page
      .getByRole('alertdialog', { name: '内容尚未保存' })
      .getByRole('button', { name: '放弃修改' })
      .click()
    await eventually(() => fact(page.getByRole('article'), '店铺名称').innerText(), shop_name)
  })
})

describe('expired shops', () => {
  test('the bell counts them, previews the latest five and leads to all', async () => {
    const expired = await office.sql<{ id: string; shop_name: string; account: string; expires_at: Date }>(
      `select id, shop_name, account, expires_at from merchants
       where agent_id = 101 and expires_at < now() order by expires_at desc, id desc`,
    )
    assert.ok(expired.length > 10)
    const page = await office.openAs('20001', '/admin/index')
    await page.getByRole('button', { name: `过期商户 ${expired.length} 家` }).click()
    const dialog = page.getByRole('dialog', { name: '提醒' })
    await see(dialog.getByRole('tab', { name: `过期商户 ${expired.length}` }))
    const previewed = dialog.getByRole('listitem')
    await eventually(() => previewed.count(), 5)
    assert.deepEqual(
      (await previewed.allInnerTexts()).map(text => text.split(/\n| · /)),
      expired
        .slice(0, 5)
        .map(shop => [
          shop.shop_name,
          shop.id,
          shop.account,
          ...formatInstant(shop.expires_at).split(' '),
          '续费',
        ]),
    )
    await dialog.getByRole('link', { name: '查看更多' }).click()
    await gone(dialog)
    await page.waitForURL('**/admin/merchant/overdueMerchants')
    await see(page.getByRole('heading', { name: '过期商户' }), page.getByText(`共 ${expired.length} 条`))
    const listed = page.getByRole('table').locator('tbody').getByRole('row')
    await eventually(
      async () => (await listed.allInnerTexts()).map(text => /\b\d{8}\b/.exec(text)?.[0]),
      expired.slice(0, 10).map(shop => shop.id),
    )
    await rowOf(page, expired[0]?.id ?? '')
      .getByRole('button', { name: expired[0]?.shop_name ?? '', exact: true })
      .click()
    await see(page.getByRole('dialog', { name: '商户详情' }).getByText(`ID ${expired[0]?.id}`))
  })

  exhaustive(
    'the bell opens a shop, and its renewal',
    ['features/care/renewals/OverdueInbox.test.tsx', 'test/e2e/shops/look-after.e2e.ts'],
    async () => {
      const [latest] = await office.sql<{ id: string; shop_name: string }>(
        `select id, shop_name from merchants where agent_id = 101 and expires_at < now()
       order by expires_at desc, id desc limit 1`,
      )
      assert.ok(latest)
      const page = await office.openAs('20001', '/admin/index')
      const bell = page.getByRole('button', { name: /^过期商户 \d+ 家$/ })
      await bell.click()
      const dialog = page.getByRole('dialog', { name: '提醒' })
      await dialog.getByRole('link', { name: `续费 ${latest.shop_name}` }).click()
      await page.waitForURL(`**/admin/merchant/versionUp1?user_id=${latest.id}&**`)
      await gone(dialog)
      await bell.click()
      await dialog.getByRole('link', { name: latest.id }).click()
      await page.waitForURL(`**/admin/merchant/merchantDetails?user_id=${latest.id}`)
    },
  )

  exhaustive(
    'on a small phone the bell says which shop expired when, in full',
    ['test/e2e/house/appearance.e2e.ts', 'test/e2e/shops/look-after.e2e.ts'],
    async () => {
      const [latest] = await office.sql<{ shop_name: string; expires_at: Date }>(
        `select shop_name, expires_at from merchants
       where agent_id = 101 and expires_at < now() order by expires_at desc, id desc limit 1`,
      )
      assert.ok(latest)
      const page = await office.openAs('20001', '/admin/index', { viewport: SMALL_PHONE })
      await page.getByRole('button', { name: /^过期商户 \d+ 家$/ }).click()
      const row = rowOf(page.getByRole('dialog', { name: '提醒' }), latest.shop_name)
      await see(row)
      const shown = (await row.innerText()).split(/\n| · /)
      assert.deepEqual(
        [shown[0], `${shown[3]} ${shown[4]}`],
        [latest.shop_name, formatInstant(latest.expires_at)],
      )
      const box = await row.getByRole('link', { name: /^续费/ }).boundingBox()
      assert.ok(box && box.x + box.width <= SMALL_PHONE.width)
      const sheet = await page.getByRole('dialog', { name: '提醒' }).boundingBox()
      assert.deepEqual([sheet?.width, sheet?.height], [SMALL_PHONE.width, SMALL_PHONE.height])
    },
  )
})
