// A partner sells a shop its first version: form, price, confirm, wallet (D1 §2, §4, §5; D2 §9).
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { formatCents, parseCents } from '#kit/money.ts'
import { exhaustive } from '../../lane.ts'
import { connectSms } from '../../silent-sms.ts'
import { choose, chooseDivision, fillForm } from '../add-form.ts'
import {
  type BrowserOffice,
  eventually,
  fact,
  gone,
  menuLink,
  openBrowserOffice,
  see,
  toast,
} from '../browser.ts'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice()
})
afterEach(() => office.closePages())
after(() => office.stop())

const ADD = '/admin/merchant/addUser'

async function openForm(account: string): Promise<Page> {
  const page = await office.openAs(account, ADD)
  await see(page.getByRole('radiogroup', { name: '软件版本' }), wallet(page))
  return page
}

function price(page: Page): Locator {
  return page.getByRole('complementary', { name: '价格' })
}

function wallet(page: Page): Locator {
  return page.getByRole('link', { name: /^余额 [\d,.]+ 代币$/ })
}

/** The header's balance in 1/100 token. */
async function walletCents(page: Page): Promise<number> {
  const text = await wallet(page).innerText()
  return parseCents(text.replace(/[^\d,.]/g, '')) ?? assert.fail(`no balance in ${text}`)
}

async function next(page: Page): Promise<void> {
  await page.getByRole('button', { name: '下一步' }).click()
}

function confirmDialog(page: Page): Locator {
  return page.getByRole('dialog', { name: '确认新增商户' })
}

async function shopsWith(account: string): Promise<number> {
  const [row] = await office.sql<{ n: number }>(
    'select count(*)::int as n from merchants where account = $1',
    [account],
  )
  return row?.n ?? 0
}

/** Leaves an agent with so many cents. */
async function drainWallet(agentId: number, leftCents: number): Promise<void> {
  const [account] = await office.sql<{ balance: string }>(
    `select balance from ledger_accounts where owner_kind = 'agent' and owner_id = $1 and asset = 'token'`,
    [agentId],
  )
  const movement = {
    kind: 'credit',
    asset: 'token',
    amount: Number(account?.balance) - leftCents,
    from: { kind: 'agent', id: agentId },
    to: { kind: 'vendor', book: 'issued' },
    document: '0'.repeat(22),
    payMethod: 'gift',
    agentId,
    actorId: 1,
    actorName: '测试',
    description: '余额清空',
    remark: '',
  }
  await office.sql('select ledger_post($1::jsonb)', [JSON.stringify([movement])])
}

describe('the add form', () => {
  exhaustive(
    'broken rules are shown in the documents’ order, the first one gets the cursor',
    [
      'features/shops/merchants/rules.test.ts',
      'features/sales/selling/server-add-refusals.test.ts',
      'web/form/Form.test.tsx',
    ],
    async () => {
      const page = await openForm('20001')
      const field = (name: string) => page.getByRole('textbox', { name })
      const steps: [message: string, control: Locator, mend: () => Promise<void>][] = [
        [
          '请选择软件版本',
          page.getByRole('radio').first(),
          () => page.getByRole('radio', { name: /^高级版/ }).check(),
        ],
        [
          '请选择购买时限',
          page.getByRole('radio', { name: '按年', exact: true }),
          () => page.getByRole('radio', { name: '按年', exact: true }).check(),
        ],
        [
          '请选择行业类型',
          page.getByRole('combobox', { name: '行业类型' }),
          () => choose(page, '行业类型', '餐饮美食'),
        ],
        ['请输入店铺简称', field('店铺简称'), () => field('店铺简称').fill('老字号牛肉面馆总店')],
        ['店铺简称长度不得超过8字符', field('店铺简称'), () => field('店铺简称').fill('面馆@#')],
        ['店铺简称请勿输入特殊字符', field('店铺简称'), () => field('店铺简称').fill('南山面馆')],
        ['请输入店铺名称', field('店铺名称'), () => field('店铺名称').fill('店'.repeat(31))],
        ['店铺名称长度不得超过30字符', field('店铺名称'), () => field('店铺名称').fill('店'.repeat(30))],
        ['请输入商户姓名', field('商户姓名'), () => field('商户姓名').fill('李'.repeat(21))],
        ['商户姓名长度不得超过20个字符', field('商户姓名'), () => field('商户姓名').fill('李小明')],
        ['账号格式不对', field('账号'), () => field('账号').fill('13912345678')],
        ['密码格式错误', page.getByLabel(/^密码/), () => page.getByLabel(/^密码/).fill('secret-2026')],
      ]
      await field('账号').fill('2391234567')
      await page.getByLabel(/^密码/).fill('12345')
      await page.getByRole('textbox', { name: '短信条数' }).fill('十条')
      for (const [message, control, mend] of steps) {
        await next(page)
        await see(page.getByText(message, { exact: true }))
        await eventually(
          () => control.evaluate(node => node === node.ownerDocument.activeElement),
          true,
          message,
        )
        await mend()
        await gone(page.getByText(message, { exact: true }))
      }
      await next(page)
      await see(page.getByText('短信条数只能输入数字'), page.getByText('请选择省市区'))
      await page.getByRole('textbox', { name: '短信条数' }).fill('')
      await chooseDivision(page, ['广东省', '深圳市', '南山区'])
      await next(page)
      await see(confirmDialog(page))
    },
  )

  exhaustive(
    'the price is built up line by line, by shops, by branches and for lifetime',
    [
      'features/shops/versions/rules.test.ts',
      'features/office/prices/rules.test.ts',
      'test/e2e/sales/sell.e2e.ts',
    ],
    async () => {
      const page = await openForm('20001')
      const lines = async (...names: string[]) =>
        Promise.all(names.map(name => fact(price(page), name).innerText()))
      const balance = await walletCents(page)
      await page.getByRole('radio', { name: /^高级版/ }).check()
      await page.getByRole('radio', { name: '按年', exact: true }).check()
      await page.getByRole('radio', { name: '2 年', exact: true }).check()
      await eventually(
        () => lines('软件版本', '单价', '年数', '店铺数', '原价', '折扣', '合计（代币）'),
        ['高级版', '298.00 / 年', '× 2', '× 1', '596.00', '6 折', '357.60'],
      )
      assert.deepEqual(await lines('当前余额', '购买后余额'), [
        formatCents(balance),
        formatCents(balance - 35_760),
      ])
      await page.getByRole('spinbutton', { name: '订购数量' }).fill('3')
      await eventually(() => lines('店铺数', '合计（代币）'), ['× 3', '1,072.80'])
      await page.getByRole('radio', { name: '按月', exact: true }).check()
      await page.getByRole('radio', { name: '6 个月', exact: true }).check()
      await eventually(() => lines('单价', '月数', '合计（代币）'), ['50.00 / 月', '× 6', '540.00'])
      await page.getByRole('radio', { name: /^连锁版/ }).check()
      await page.getByRole('radio', { name: '2 年', exact: true }).check()
      await page.getByRole('spinbutton', { name: '分店数量' }).fill('2')
      await eventually(
        () => lines('单价', '年数', '店铺数（总店 + 2 分店）', '合计（代币）'),
        ['398.00 / 年', '× 2', '× 3', '1,432.80'],
      )
      await page.getByRole('radio', { name: /^永久版/ }).check()
      await eventually(() => lines('单价', '店铺数', '合计（代币）'), ['1,980.00 / 个店', '× 3', '3,564.00'])
    },
  )

  exhaustive(
    'what was typed is not left without a question',
    ['web/form/Form.test.tsx', 'test/e2e/sales/sell.e2e.ts'],
    async () => {
      const page = await openForm('20001')
      await page.getByRole('textbox', { name: '店铺名称' }).fill('海边茶餐厅')
      await (await menuLink(page, '我的商户')).click()
      await page
        .getByRole('alertdialog', { name: '内容尚未保存' })
        .getByRole('button', { name: '继续填写' })
        .click()
      await gone(page.getByRole('alertdialog'))
      assert.equal(await page.getByRole('textbox', { name: '店铺名称' }).inputValue(), '海边茶餐厅')
      await (await menuLink(page, '我的商户')).click()
      await page.getByRole('alertdialog').getByRole('button', { name: '放弃修改' }).click()
      await see(page.getByRole('heading', { name: '我的商户' }))
    },
  )
})

describe('buying', () => {
  test('what was typed is not left without a question; a double click on confirm buys one shop, which wallet, list and balance changes show', async () => {
    connectSms(office)
    const page = await openForm('20001')
    const before = await walletCents(page)
    await fillForm(page, { account: '13911110001', shopName: '南山科技园牛肉面馆', term: '按年' })
    await page.getByRole('radio', { name: '2 年', exact: true }).check()
    await page.getByRole('textbox', { name: '短信条数' }).fill('100')
    await page.getByRole('textbox', { name: '推荐人' }).fill('王推荐')
    await page.getByRole('textbox', { name: '备注' }).fill('周末上门培训')
    await (await menuLink(page, '我的商户')).click()
    const leaving = page.getByRole('alertdialog', { name: '内容尚未保存' })
    await leaving.getByRole('button', { name: '继续填写' }).click()
    await gone(leaving)
    await choose(page, '支付方式', '官方直连')
    await next(page)
    await see(page.getByText('商户号不能为空'))
    await page.getByRole('textbox', { name: '商户号' }).fill('M20260001')
    await next(page)
    const dialog = confirmDialog(page)
    await see(dialog)
    const shown = ['店铺', '账号', '版本', '时限', '合计（代币）', '购买前余额', '购买后余额', '划转短信']
    assert.deepEqual(await Promise.all(shown.map(name => fact(dialog, name).innerText())), [
      '南山科技园牛肉面馆',
      '13911110001',
      '高级版，1 家店',
      '2 年',
      '357.60',
      formatCents(before),
      formatCents(before - 35_760),
      '100 条',
    ])
    assert.equal(await shopsWith('13911110001'), 0)
    await dialog.getByRole('button', { name: '确认购买' }).dblclick()
    await see(toast(page, '新增成功'))
    await page.waitForURL('**/admin/merchant/handOver?user_id=*')
    const handed = page.getByRole('region', { name: '开店资料' })
    await see(fact(handed, '初始密码').getByText('secret-2026'))
    await see(page.getByRole('img', { name: '商户登录二维码' }))
    await page.getByRole('button', { name: '复制全部' }).click()
    const copied = await page.evaluate<string>('navigator.clipboard.readText()')
    assert.match(
      copied,
      /^【南山科技园牛肉面馆】开店资料\n登录地址：https:.*\n账号：13911110001\n初始密码：secret-2026\n/,
    )
    await page.getByRole('button', { name: '发送至 13911110001' }).click()
    await see(toast(page, '已加入短信发件箱'), page.getByRole('button', { name: '已提交' }))
    await page.getByRole('navigation', { name: '下一步' }).getByRole('link').first().click()
    await see(page.getByRole('article').getByRole('heading', { name: '南山科技园牛肉面馆' }))
    await page.goBack()
    await see(fact(handed, '密码').getByText(/^不保存/))
    assert.equal(await handed.getByText('secret-2026').count(), 0)
    await page.getByRole('navigation', { name: '下一步' }).getByRole('link').first().click()
    assert.equal(await shopsWith('13911110001'), 1)
    await eventually(() => walletCents(page), before - 35_760)
    const details = page.getByRole('article')
    await see(fact(details, '短信余额').getByText('100 条'))
    const facts = ['店铺简称', '商户姓名', '行业类型', '软件版本', '推荐人', '支付方式', '商户号']
    assert.deepEqual(await Promise.all(facts.map(name => fact(details, name).innerText())), [
      '南山面馆',
      '李小明',
      '餐饮美食',
      '高级版',
      '王推荐',
      '官方直连',
      'M20260001',
    ])
    assert.match(await fact(details, '地址').innerText(), /^广东省深圳市南山区/)
    await (await menuLink(page, '我的商户')).click()
    await see(page.getByRole('table').getByRole('button', { name: '南山科技园牛肉面馆' }))
    await (await menuLink(page, '余额变动')).click()
    await see(page.getByRole('heading', { name: '余额变动' }))
    const change = page.getByRole('row').filter({ hasText: '南山科技园牛肉面馆' })
    await see(change)
    const cells = await change.getByRole('cell').allInnerTexts()
    const heads = await page.getByRole('columnheader').allInnerTexts()
    const cell = (name: string) => cells[heads.findIndex(head => head.startsWith(name))]
    assert.equal(cell('变动金额'), '−357.60')
    assert.equal(cell('变动前'), formatCents(before))
    assert.equal(cell('变动后'), formatCents(before - 35_760))
    assert.equal(cell('支付方式'), '余额')
  })

  exhaustive(
    'an account that is taken is refused at its field',
    ['features/sales/selling/server-add.test.ts', 'web/form/Form.test.tsx'],
    async () => {
      const [taken] = await office.sql<{ account: string }>(
        'select account from merchants where agent_id = 102 order by id limit 1',
      )
      const page = await openForm('20001')
      await fillForm(page, { account: taken?.account ?? '', shopName: '海边茶餐厅', term: '按年' })
      await next(page)
      await see(page.getByText('账号已存在', { exact: true }))
      const account = page.getByRole('textbox', { name: '账号' })
      assert.equal(await account.getAttribute('aria-invalid'), 'true')
      assert.equal(await account.evaluate(node => node === node.ownerDocument.activeElement), true)
      await gone(confirmDialog(page))
      await account.fill('13911110002')
      await gone(page.getByText('账号已存在', { exact: true }))
    },
  )

  exhaustive(
    'an answer that is lost on its way is asked for again, and buys one shop',
    [
      'features/sales/selling/server-add.test.ts',
      'web/form/Form.test.tsx',
      'features/sales/purchases/PurchaseLosses.test.tsx',
    ],
    async () => {
      const page = await openForm('20001')
      const before = await walletCents(page)
      let answered = 0
      await page.route('**/api/merchants', async route => {
        if (route.request().method() !== 'POST') return route.continue()
        const answer = await route.fetch()
        answered++
        assert.equal(answer.status(), 200)
        await (answered === 1 ? route.abort('connectionreset') : route.fulfill({ response: answer }))
      })
      await fillForm(page, { account: '13911110003', shopName: '不见不散咖啡馆', term: '按年' })
      await next(page)
      await confirmDialog(page).getByRole('button', { name: '确认购买' }).click()
      await see(page.getByText('没有收到服务器的答复。请重试，同一订单不会重复扣款。'))
      await see(toast(page, '服务器繁忙，请稍后再试'))
      await confirmDialog(page).getByRole('button', { name: '重试' }).click()
      await see(toast(page, '新增成功'), page.getByRole('heading', { name: '不见不散咖啡馆' }))
      assert.equal(answered, 2)
      assert.equal(await shopsWith('13911110003'), 1)
      await eventually(() => walletCents(page), before - 17_880)
    },
  )

  exhaustive(
    'tokens that ran out since are refused with the amount that is missing',
    ['features/sales/selling/server-add.test.ts', 'features/sales/payments/MissingPay-places.test.tsx'],
    async () => {
      const page = await openForm('20002')
      await fillForm(page, { account: '13911110004', shopName: '余额不足小吃店', version: '永久版' })
      await next(page)
      const dialog = confirmDialog(page)
      await see(dialog.getByText('购买后余额'))
      await drainWallet(102, 10_000)
      await dialog.getByRole('button', { name: '确认购买' }).click()
      await see(toast(page, '账户余额不足'))
      await eventually(() => fact(dialog, '账户余额不足，还差').innerText(), '1,286.00')
      await see(dialog.getByRole('button', { name: '扫码补足 1,286.00 代币' }))
      await gone(dialog.getByRole('button', { name: '确认购买' }))
      await dialog.getByRole('button', { name: '取消' }).click()
      await see(toast(page, '已取消购买'))
      assert.equal(await shopsWith('13911110004'), 0)
      assert.equal(await page.getByRole('textbox', { name: '店铺名称' }).inputValue(), '余额不足小吃店')
      await eventually(() => fact(price(page), '账户余额不足，还差').innerText(), '1,286.00')
    },
  )
})
