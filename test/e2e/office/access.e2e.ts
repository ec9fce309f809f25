// Login, logout, menus and guarded pages in the browser (D1 §2, §5, §6).
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { DEMO_PASSWORD } from '#features/office/access/sample.ts'
import { VIEW_ONLY } from '#kit/declare/view-only.ts'
import { exhaustive } from '../../lane.ts'
import {
  type BrowserOffice,
  eventually,
  gone,
  menuLink,
  menuNames,
  openBrowserOffice,
  ready,
  rowOf,
  see,
  toast,
} from '../browser.ts'

const LIST = '/admin/merchant/myMerchant'
const ENDED = '登录已失效，请重新登录'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice()
})
afterEach(() => office.closePages())
after(() => office.stop())

async function login(page: Page, name: string, password: string): Promise<void> {
  await page.getByLabel('账号').fill(name)
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.getByRole('button', { name: '登录', exact: true }).click()
}

async function seeRefused(page: Page): Promise<void> {
  await see(page.getByRole('heading', { name: '您没有操作权限!' }))
  assert.equal(await page.getByRole('table').count(), 0)
}

describe('login', () => {
  exhaustive(
    'a wrong password is refused, trimmed text is accepted and greeted',
    ['test/e2e/office/access.e2e.ts', 'features/agencies/sign-in/server.test.ts'],
    async () => {
      const page = await office.open()
      await page.goto('/')
      await see(page.getByText('演示数据', { exact: true }))
      assert.equal(new URL(page.url()).pathname, '/login')
      assert.equal(await page.title(), '合作伙伴后台')
      await login(page, '20001', 'wrong2026')
      await see(page.getByRole('alert').getByText('账号或密码错误'))
      assert.equal(new URL(page.url()).pathname, '/login')
      await login(page, '  20001 ', `  ${DEMO_PASSWORD} `)
      await see(toast(page, '欢迎回来'))
      assert.equal(new URL(page.url()).pathname, '/admin/index')
      await eventually(() => page.title(), '首页 · 合作伙伴后台')
      await page.reload()
      await see(await menuLink(page, '我的商户'))
      assert.equal(await toast(page, '欢迎回来').count(), 0)
    },
  )

  exhaustive(
    'what is missing is asked for at its field',
    ['test/e2e/office/access.e2e.ts', 'features/agencies/sign-in/rules.test.ts'],
    async () => {
      const page = await office.open()
      await page.goto('/login')
      await login(page, '   ', '')
      await see(page.getByRole('alert').getByText('请输入账号'))
      assert.equal(await page.getByLabel('账号').getAttribute('aria-invalid'), 'true')
      await login(page, '20001', '')
      await see(page.getByRole('alert').getByText('请输入密码'))
    },
  )

  test('a signed-out address leads to the login, which says what is wrong, and back to it with its filter; logging out asks first', async () => {
    const page = await office.open()
    const wanted = `${LIST}?status=disabled&size=20`
    await page.goto(wanted)
    await page.waitForURL(url => url.pathname === '/login')
    const from = () => new URL(page.url()).searchParams.get('from')
    assert.equal(from(), wanted)
    await login(page, '   ', '')
    await see(page.getByRole('alert').getByText('请输入账号'))
    assert.equal(await page.getByLabel('账号').getAttribute('aria-invalid'), 'true')
    await login(page, '20001', 'wrong2026')
    await see(page.getByRole('alert').getByText('账号或密码错误'))
    assert.equal(from(), wanted)
    await login(page, '  20001 ', `  ${DEMO_PASSWORD} `)
    await see(toast(page, '欢迎回来'))
    await see(page.getByRole('heading', { name: '我的商户' }), page.getByText('状态：已禁用'))
    assert.equal(page.url(), office.url + wanted)
    const account = await page.getByRole('button', { name: /^账户 / }).getAttribute('aria-label')
    const [, name] = /^账户 (.+)$/.exec(account ?? '') ?? []
    assert.equal(await page.locator('[data-text]').getAttribute('data-text'), `${name} 0001`)

    // Nobody is told that the session ended, even where the answer is lost.
    await page.route('**/api/session', async route => {
      if (route.request().method() !== 'DELETE') return route.continue()
      await route.fetch()
      await route.abort()
    })
    await page.getByRole('button', { name: /^账户 / }).click()
    await page.getByRole('menuitem', { name: '退出登录' }).click()
    await page
      .getByRole('alertdialog', { name: '退出登录？' })
      .getByRole('button', { name: '退出登录' })
      .click()
    await see(page.getByRole('button', { name: '登录', exact: true }))
    assert.equal((await page.request.get('/api/session')).status(), 401)
    await page.goto('/admin/index')
    await see(page.getByRole('button', { name: '登录', exact: true }))
    assert.equal(await page.getByText(ENDED).count(), 0)
  })

  exhaustive(
    'an address of another site is not followed after the login',
    ['features/agencies/sign-in/rules.test.ts'],
    async () => {
      const page = await office.open()
      await page.goto('/login?from=https://example.com/admin/index')
      await login(page, '20001', DEMO_PASSWORD)
      await see(toast(page, '欢迎回来'))
      assert.equal(page.url(), `${office.url}/admin/index`)
    },
  )

  exhaustive(
    'logging out asks first, then ends the session',
    ['test/e2e/office/access.e2e.ts', 'features/agencies/sign-in/server.test.ts'],
    async () => {
      const page = await office.open()
      await page.goto('/login')
      await login(page, '20001', DEMO_PASSWORD)
      await see(toast(page, '欢迎回来'))
      const signOut = async () => {
        await page.getByRole('button', { name: /^账户 / }).click()
        await page.getByRole('menuitem', { name: '退出登录' }).click()
        await see(page.getByRole('alertdialog', { name: '退出登录？' }))
      }
      await signOut()
      await page.getByRole('button', { name: '取消' }).click()
      await gone(page.getByRole('alertdialog'))
      assert.equal((await page.request.get('/api/session')).status(), 200)
      await signOut()
      await page.getByRole('alertdialog').getByRole('button', { name: '退出登录' }).click()
      await see(page.getByRole('button', { name: '登录', exact: true }))
      assert.equal((await page.request.get('/api/session')).status(), 401)
      assert.equal(await page.getByText(ENDED).count(), 0)
      await page.goto('/admin/index')
      await see(page.getByRole('button', { name: '登录', exact: true }))
      assert.equal(await page.getByText(ENDED).count(), 0)
    },
  )

  test('a session ended elsewhere leads to the login, which says so and leads back, in each of one’s tabs', async () => {
    const page = await office.openAs('20001', '/login', { unused: true })
    // Here the next request tells; of the socket's way see notices.e2e.ts.
    await page.context().routeWebSocket(/realtime/, () => undefined)
    await page.goto(LIST)
    const other = await page.context().newPage()
    await other.goto(`${LIST}?status=disabled`)
    // What the header asks after the rows would be refused before the next page of them.
    for (const tab of [page, other]) await ready(tab)
    await see(other.getByText('状态：已禁用'))
    await office.sql(
      `delete from sessions where account_id = (select id from accounts where login_name = '20001')`,
    )
    await page.getByRole('button', { name: '下一页' }).click()
    await see(page.getByText(ENDED))
    assert.equal(new URL(page.url()).searchParams.get('from'), `${LIST}?page=2`)
    await other.reload()
    await see(other.getByText(ENDED))
    await login(page, '20001', DEMO_PASSWORD)
    await see(page.getByRole('heading', { name: '我的商户' }), page.locator('tbody tr'))
    assert.equal(page.url(), `${office.url}${LIST}?page=2`)
    await other.reload()
    await see(other.getByRole('heading', { name: '我的商户' }), other.getByText('状态：已禁用'))
  })
})

describe('what an account sees', () => {
  exhaustive(
    'an agent sees its menu and its watermark',
    ['app/menu.test.ts', 'features/office/access/server.test.ts', 'test/e2e/office/access.e2e.ts'],
    async () => {
      const page = await office.openAs('20001', '/admin/index')
      await see(await menuLink(page, '我的商户'))
      const menu = [
        '首页 待办 我的商户 新增商户 续费工作台 过期商户 下级商户 批量导入 证件资料',
        '支付申请 收单进件 押金 开通进度 小程序 版本订单 增值订单 硬件 在线续费订单',
        '短信群发 短信发送记录 短信余量预测 短信订单 账单明细 余额变动 下级代理 毛利 充值',
        '商户反馈 我的工单 帮助中心 下载中心',
        '个人资料 登录与安全 消息中心 导出任务 支付设置 员工与角色 操作日志 接口与回调',
      ]
      assert.equal((await menuNames(page)).join(' '), menu.join(' '))
      const account = await page.getByRole('button', { name: /^账户 / }).getAttribute('aria-label')
      const [, name] = /^账户 (.+)$/.exec(account ?? '') ?? []
      assert.equal(await page.locator('[data-text]').getAttribute('data-text'), `${name} 0001`)
    },
  )

  exhaustive(
    'a sub-user sees what its role holds, and is refused what it does not',
    ['features/office/access/rules.test.ts', 'test/permissions.test.ts', 'test/e2e/office/access.e2e.ts'],
    async () => {
      const page = await office.openAs('2000101', '/admin/index')
      await see(await menuLink(page, '余额变动'))
      assert.deepEqual(await menuNames(page), [
        '首页',
        '待办',
        '余额变动',
        '帮助中心',
        '下载中心',
        '个人资料',
        '登录与安全',
        '修改密码',
        '消息中心',
        '导出任务',
      ])
      assert.match((await page.locator('[data-text]').getAttribute('data-text')) ?? '', /\S 0101$/)
      assert.equal(await page.getByRole('button', { name: /^过期商户/ }).count(), 0)
      for (const path of [
        '/admin/merchant/myMerchant',
        '/admin/merchant/addUser',
        '/admin/merchant/overdueMerchants',
      ]) {
        await page.goto(path)
        await seeRefused(page)
      }
      for (const path of ['/api/merchants?page=1&size=10', '/api/merchants/overdue?page=1&size=10'])
        assert.equal((await page.request.get(path)).status(), 403, path)
    },
  )

  test('an owner makes a role and a person, who sees that menu, is refused another page, loses a right while a page is open and is told', async () => {
    const owner = await office.openAs('20001', '/admin/account/roleControl')
    await owner.getByRole('button', { name: '新增角色' }).click()
    await owner.getByRole('dialog').getByLabel('角色名称').fill('门店客服')
    await owner.getByRole('button', { name: '保存，下一步设置权限' }).click()
    for (const right of ['我的商户', '余额变动', '个人资料'])
      await owner.getByRole('checkbox', { name: right, exact: true }).check()
    await owner.getByRole('button', { name: '保存权限' }).click()
    await see(toast(owner, '权限已保存：新增 3 项，收回 0 项'))
    await owner.goto('/admin/account/userControl')
    await owner.getByRole('button', { name: '新增员工' }).click()
    const form = owner.getByRole('dialog')
    await form.getByLabel('登录账号').fill('20002')
    await see(form.getByText('账号已存在'))
    await form.getByLabel('登录账号').fill('2000188')
    await form.getByLabel('姓名').fill('小白')
    await form.getByLabel('手机号').fill('13800001188')
    await form.getByLabel(/^密码/).fill('white-2027')
    await form.getByRole('combobox').first().click()
    await owner.getByTitle('门店客服').click()
    await form.getByRole('button', { name: '保存' }).click()
    await see(owner.getByRole('row').filter({ hasText: '2000188' }))

    const person = await office.open()
    await person.goto('/login')
    await login(person, '2000188', 'white-2027')
    await person.getByLabel('原密码').fill('white-2027')
    await person.getByLabel(/^新密码/).fill('snow-and-rain-27')
    await person.getByLabel(/^再次输入新密码/).fill('snow-and-rain-27')
    await person.getByRole('button', { name: '修改密码' }).click()
    await see(await menuLink(person, '我的商户'))
    const names = await menuNames(person)
    for (const name of ['首页', '我的商户', '余额变动', '个人资料']) assert.ok(names.includes(name), name)
    for (const name of ['版本订单', '新增商户', '员工管理']) assert.ok(!names.includes(name), name)
    await person.goto('/admin/merchant/addUser')
    await seeRefused(person)
    const [{ id } = { id: '' }] = await office.sql<{ id: string }>(
      `select id from accounts where login_name = '2000188'`,
    )
    const isConnected = async () => office.app.services.connected().includes(Number(id))
    // The page before must be gone, or it would be the one that hears.
    await person.goto('about:blank')
    await eventually(isConnected, false)
    await person.goto(LIST)
    await see(person.locator('tbody tr'))
    await eventually(isConnected, true)

    await owner.goto('/admin/account/roleControl')
    const row = owner.getByRole('row').filter({ hasText: '门店客服' })
    await row.getByRole('button', { name: '设置权限' }).click()
    await owner.getByRole('checkbox', { name: '我的商户', exact: true }).uncheck()
    await owner.getByRole('button', { name: '保存权限' }).click()
    await see(
      person.getByText('已收回：我的商户'),
      person.getByText('管理员刚刚收回了您的“我的商户”权限，菜单已更新；没有提交的内容不会保存'),
    )
    assert.ok(!(await menuNames(person)).includes('我的商户'))
    await row.getByRole('button', { name: '更多操作' }).click()
    await owner.getByRole('menuitem', { name: '删除' }).click()
    await see(owner.getByRole('dialog').getByText('小白'))
  })

  exhaustive(
    'the operator sees the operations menu; an agent is refused it',
    ['app/menu.test.ts', 'test/permissions.test.ts'],
    async () => {
      const operator = await office.openAs('10001', '/admin/index')
      await see(operator.getByRole('button', { name: '伙伴管理' }), await menuLink(operator, '代理商'))
      await (await menuLink(operator, '代理商')).click()
      await see(operator.getByRole('heading', { name: '代理商' }), operator.locator('tbody tr'))
      const agent = await office.openAs('20001', '/admin/operations/agents')
      await seeRefused(agent)
      assert.equal((await agent.request.get('/api/agents?page=1&size=10')).status(), 403)
    },
  )

  exhaustive('an unknown address says so and leads home', ['test/e2e/house/every-page.e2e.ts'], async () => {
    const page = await office.openAs('20001', '/admin/nowhere')
    await see(page.getByRole('heading', { name: '页面不存在' }))
    await eventually(() => page.title(), '页面不存在 · 合作伙伴后台')
    await page.getByRole('button', { name: '回到首页' }).click()
    await page.waitForURL('**/admin/index')
  })

  exhaustive(
    'one’s other logins can be ended',
    ['test/e2e/agencies/login.e2e.ts', 'features/office/access/server.test.ts'],
    async () => {
      const page = await office.openAs('20002', '/admin/account/security')
      const other = await office.openAs('20002', '/admin/index', { elsewhere: true })
      await see(await menuLink(other, '我的商户'))
      await page.reload()
      await see(page.getByText('当前设备'))
      await page.getByRole('button', { name: /^下线/ }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: '下线' }).click()
      await see(toast(page, '已下线'))
      assert.equal((await other.request.get('/api/session')).status(), 401)
      assert.equal((await page.request.get('/api/session')).status(), 200)
    },
  )
})

describe('own shops', () => {
  exhaustive(
    'who sees its own shops alone finds no colleague’s in list, palette and start page',
    ['test/own-shops.test.ts'],
    async () => {
      const [me] = await office.sql<{ id: string; own: number }>(
        `select a.id, (select count(*)::int from merchants m where m.manager_id = a.id) as own from accounts a where login_name = '2000102'`,
      )
      const [theirs] = await office.sql<{ account: string }>(
        `select account from merchants where agent_id = 101 and manager_id is distinct from $1 order by id limit 1`,
        [me?.id],
      )
      const account = theirs?.account ?? ''
      assert.ok(me && me.own > 0)
      const page = await office.openAs('2000102', LIST)
      await see(page.locator('tbody tr'))
      const list = (await (await page.request.get('/api/merchants?page=1&size=10')).json()) as {
        total: number
      }
      assert.equal(list.total, me.own)
      await page.goto(`${LIST}?search=${account}`)
      await see(page.getByText('没有符合条件的记录'))
      const owner = await office.openAs('20001', `${LIST}?search=${account}`)
      await see(owner.getByRole('table').getByText(account))
      await page.keyboard.press('Control+k')
      const palette = page.getByRole('dialog', { name: '全局搜索' })
      await palette.getByRole('combobox').fill(account)
      await see(palette.getByText('没有匹配的结果'))
      await page.goto('/admin/index')
      await see(await menuLink(page, '我的商户'))
      const asked = await page.request.get('/api/dashboard/todo')
      assert.equal(asked.status(), 200)
      const { items } = (await asked.json()) as { items: { key: string; count: number }[] }
      const desk = await page.request.get('/api/renewals?window=7&page=1&size=10')
      const { total } = (await desk.json()) as { total: number }
      assert.ok(total <= me.own)
      assert.equal(items.find(({ key }) => key === 'expiring')?.count ?? 0, total)
    },
  )
})

describe('looking through another’s account', () => {
  test('the operator looks through an agent’s, is refused a change, and comes back, also where it is over by itself', async () => {
    const agents = '/admin/operations/agents?search=深圳鑫源'
    const page = await office.openAs('10001', agents)
    const look = async () => {
      await rowOf(page, '深圳鑫源').getByRole('button', { name: '更多操作' }).click()
      await page.getByRole('menuitem', { name: '以其身份查看' }).click()
      const asked = page.getByRole('alertdialog', { name: '以「深圳鑫源信息技术有限公司」的身份查看？' })
      await asked.getByRole('button', { name: '开始查看' }).click()
    }
    await look()
    const banner = page.getByRole('complementary', { name: '以他人身份查看' })
    await see(banner.getByText('只读'))
    assert.equal(new URL(page.url()).pathname, '/admin/index')
    assert.ok(!(await menuNames(page)).includes('代理商'))
    const refused = await page.request.post('/api/feedback', {
      headers: { 'x-requested-with': 'partner-office' },
      data: { content: '试' },
    })
    assert.deepEqual([refused.status(), (await refused.json()).code], [403, 'VIEW_ONLY'])
    for (const [path, name] of [
      ['/admin/account/userControl', '新增员工'],
      ['/admin/account/userControl', '编辑'],
      [LIST, '导出'],
    ] as const) {
      if (!page.url().endsWith(path)) await page.goto(path)
      const button = page.getByRole('button', { name, exact: true }).first()
      await see(button)
      assert.equal(await button.getAttribute('aria-disabled'), 'true', name)
      assert.equal(await button.getAttribute('data-tip'), VIEW_ONLY)
    }
    await page.setViewportSize({ width: 390, height: 844 })
    await see(banner.getByRole('button', { name: '结束查看' }))
    await page.setViewportSize({ width: 1440, height: 900 })
    await banner.getByRole('button', { name: '结束查看' }).click()
    await gone(banner)
    await see(await menuLink(page, '代理商'))

    await page.goto(agents)
    await look()
    await see(banner)
    await office.sql('delete from sessions where viewed_by is not null')
    // A request that was under way may be answered first: the page then leads back before this arrives.
    await page.goto('/admin/account/notices').catch(error => {
      if (!String(error).includes('ERR_ABORTED')) throw error
    })
    await see(await menuLink(page, '代理商'))
    await gone(banner)
  })
})
