// The pages without an account: what they offer besides their form, and the background that moves behind it (D3 §9).
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { DEMO_PASSWORD } from '#features/office/access/sample.ts'
import { exhaustive } from '../../lane.ts'
import { codeOf, stepWithRoom } from '../../make-factors.ts'
import { solvePuzzle } from '../../puzzle.ts'
import { connectSms } from '../../silent-sms.ts'
import {
  axeFindings,
  type BrowserOffice,
  DESKTOP,
  eventually,
  menuLink,
  openBrowserOffice,
  PHONE,
  ready,
  see,
  sidewaysScroll,
  someRow,
  toast,
} from '../browser.ts'
import { flaws, lookWide } from '../looks.ts'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice()
  connectSms(office)
})
afterEach(() => office.closePages())
after(() => office.stop())

/** Whether anything is drawn behind the page. */
const isDrawn = (page: Page) =>
  page.evaluate<boolean>(`(() => {
    const canvas = document.querySelector('canvas')
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
    return data.some(value => value > 0)
  })()`)

/** Opens the page as for somebody who likes motion; says which files it asked for, and when the form was there. */
async function moving(path: string, { phone = false, calm = false } = {}) {
  const page = await office.open(phone ? { viewport: PHONE } : {})
  await page.emulateMedia({ reducedMotion: calm ? 'reduce' : 'no-preference' })
  const asked: string[] = []
  page.on('request', request => asked.push(new URL(request.url()).pathname))
  await page.goto(path)
  await see(page.getByRole('button', { name: /^(登录|提交咨询)$/ }))
  return { page, drawing: () => asked.filter(name => /\/draw-/.test(name)) }
}

/** For who likes motion; the code that draws it is not even asked for on a phone, nor by who wants calm. */
async function drawsOnce(path: string): Promise<void> {
  const { page, drawing } = await moving(path)
  await eventually(() => isDrawn(page), true)
  assert.equal(drawing().length, 1)
  assert.deepEqual(await axeFindings(page), [])
  for (const options of [{ phone: true }, { calm: true }]) {
    const still = await moving(path, options)
    await ready(still.page)
    assert.deepEqual(still.drawing(), [])
    assert.equal(await still.page.locator('canvas').isVisible(), false)
  }
}

describe('the background', () => {
  test('is drawn once the form of the login stands, and its words are still read', () => drawsOnce('/login'))
  exhaustive('is drawn so behind the consultation, too', ['test/e2e/agencies/login.e2e.ts'], () =>
    drawsOnce('/consult'),
  )

  test('fills the screen, below the note of demo data and without it', async () => {
    const page = await office.open()
    await page.goto('/login')
    const ends = async () => {
      const box = await page.getByRole('main').boundingBox()
      return box && box.y + box.height
    }
    assert.equal(await ends(), page.viewportSize()?.height)
    await page.evaluate(`document.querySelector('aside').remove()`)
    assert.equal(await ends(), page.viewportSize()?.height)
  })
})

describe('help', () => {
  test('who forgot the password makes a new one with a code to the phone; the line to call is always there', async () => {
    const page = await office.open()
    await page.goto('/login')
    await see(page.getByText('服务热线 400-000-0000', { exact: true }))
    await page.getByLabel('账号', { exact: true }).fill('2000103')
    await page.getByRole('button', { name: '忘记密码？' }).click()
    await see(page.getByRole('heading', { name: '找回密码' }), page.getByText(/员工账号请联系本公司的主账号/))
    assert.equal(await field(page, '账号').inputValue(), '2000103')
    await page.getByRole('button', { name: '获取验证码' }).click()
    const held = Promise.withResolvers<void>()
    await page.route('**/api/password/codes', async route => {
      await held.promise
      await route.continue()
    })
    const sent = page.waitForRequest('**/api/password/codes')
    await solvePuzzle(office, page)
    await sent
    await field(page, '新密码').click()
    held.resolve()
    await see(page.getByText(/如果账号存在，验证码已发送到它登记的手机号/))
    assert.equal(await page.locator(':focus').getAttribute('autocomplete'), 'new-password')
    await field(page, '验证码').fill(await codeFor('2000103'))
    await field(page, '新密码').fill(NEW_PASSWORD)
    await field(page, '再次输入新密码').fill(`${NEW_PASSWORD}!`)
    await page.getByRole('button', { name: '重设密码' }).click()
    await see(page.getByText('两次密码不一致'))
    assert.deepEqual(await flaws(page, 'main'), [])
    await lookWide(page)
    await field(page, '再次输入新密码').fill(NEW_PASSWORD)
    await page.getByRole('button', { name: '重设密码' }).click()
    await see(page.getByText('密码已重设，请用新密码登录'))
    assert.deepEqual(await axeFindings(page), [])
    await page.getByLabel('密码', { exact: true }).fill(NEW_PASSWORD)
    await page.getByRole('button', { name: '登录', exact: true }).click()
    await see(toast(page, '欢迎回来'))
  })

  exhaustive(
    'on a phone the forgotten password has its form too, and the way back',
    ['test/e2e/agencies/login.e2e.ts', 'features/agencies/sign-in/rules.test.ts'],
    async () => {
      const page = await office.open({ viewport: PHONE })
      await page.goto('/login')
      await page.getByRole('button', { name: '忘记密码？' }).click()
      await see(page.getByRole('heading', { name: '找回密码' }))
      await page.getByRole('button', { name: '获取验证码' }).click()
      await see(page.getByText('请输入账号'))
      assert.deepEqual(await axeFindings(page), [])
      assert.equal(await sidewaysScroll(page), 0)
      await page.getByRole('button', { name: '返回登录' }).click()
      await see(page.getByRole('button', { name: '登录', exact: true }))
    },
  )

  exhaustive('in the demo one chooses who to be', ['app/page.test.ts'], async () => {
    const page = await office.open()
    await page.goto('/login')
    const people = page.getByRole('region', { name: '演示身份' }).getByRole('button')
    await see(people)
    assert.ok((await people.count()) >= 4)
    await page.getByRole('button', { name: /^代理商\s*20001$/ }).click()
    await see(toast(page, '欢迎回来'))
    assert.equal((await (await page.request.get('/api/session')).json()).loginName, '20001')
  })
})

const NEW_PASSWORD = 'Rz7-mopado-41'

/** A field that must be filled. */
const field = (page: Page, name: string) => page.getByLabel(`${name}*`, { exact: true })

/** The code in the last message to the phone of an account. */
async function codeFor(loginName: string): Promise<string> {
  const read = () =>
    office.sql<{ text: string }>(
      `select text from outbox_messages where kind = 'account-code'
         and phone = (select mobile from accounts where login_name = $1) order by id desc limit 1`,
      [loginName],
    )
  await eventually(async () => (await read()).length, 1)
  const [message] = await read()
  return /\b\d{6}\b/.exec(message?.text ?? '')?.[0] ?? assert.fail('no code was sent')
}

/** Fills the form of another password and sends it. */
async function changePassword(page: Page, oldPassword: string, newPassword: string, again = newPassword) {
  await field(page, '原密码').fill(oldPassword)
  await field(page, '新密码').fill(newPassword)
  await field(page, '再次输入新密码').fill(again)
  await page.getByRole('button', { name: '修改密码', exact: true }).click()
}

describe('one’s own password', () => {
  exhaustive(
    'is changed where its rules are said; other sessions end, one’s own goes on',
    [
      'features/agencies/sign-in/server-passwords.test.ts',
      'features/agencies/sign-in/rules.test.ts',
      'test/e2e/office/access.e2e.ts',
    ],
    async () => {
      const other = await office.openAs('20004', '/admin/index')
      const page = await office.openAs('20004', '/admin/index')
      await (await menuLink(page, '登录与安全')).click()
      await page
        .getByRole('navigation', { name: '登录与安全' })
        .getByRole('link', { name: '修改密码' })
        .click()
      await see(page.getByRole('heading', { name: '修改密码' }))
      for (const [message, old, fresh, again] of [
        ['密码不能为空', '', '', ''],
        ['新密码不能为空', DEMO_PASSWORD, '', ''],
        ['密码格式错误', DEMO_PASSWORD, 'a b c d e', ''],
        ['新旧密码重复', DEMO_PASSWORD, DEMO_PASSWORD, DEMO_PASSWORD],
        ['两次密码不一致', DEMO_PASSWORD, NEW_PASSWORD, 'other'],
        ['该密码很容易被猜到，请换一个', DEMO_PASSWORD, 'abc123', 'abc123'],
        ['原密码错误', 'wrong-2026', NEW_PASSWORD, NEW_PASSWORD],
      ] as const) {
        await changePassword(page, old, fresh, again)
        await see(page.getByText(message, { exact: true }))
      }
      const meter = page.getByRole('status').filter({ hasText: '密码强度' })
      await see(meter.getByText(/很强/))
      await field(page, '新密码').fill('qwerty')
      await see(meter.getByText(/很弱，容易被猜到/))
      assert.deepEqual(await axeFindings(page), [])
      await changePassword(page, DEMO_PASSWORD, NEW_PASSWORD)
      await see(toast(page, '密码已修改'), page.getByRole('heading', { name: '登录与安全' }))
      await see(page.getByRole('list', { name: '登录记录' }).getByText('修改密码', { exact: true }))
      // It is sent away without asking for anything.
      await see(other.getByText('登录已失效，请重新登录'))
    },
  )

  test('another device is sent away from the page of one’s own', async () => {
    const other = await office.openAs('2000101', '/admin/index', { elsewhere: true })
    const page = await office.openAs('2000101', '/admin/account/security')
    const logins = page.getByRole('region', { name: '登录设备' })
    await see(logins.getByText('当前设备'))
    await logins.getByRole('button', { name: /^下线 / }).click()
    await page.getByRole('button', { name: '下线', exact: true }).last().click()
    await see(toast(page, '已下线'))
    await eventually(() => logins.getByRole('listitem').count(), 1)
    assert.deepEqual(await axeFindings(page), [])
    await see(other.getByText('登录已失效，请重新登录'))
  })

  exhaustive(
    'one that somebody else has made is changed before anything else is shown',
    ['features/agencies/sign-in/server-passwords.test.ts', 'test/e2e/office/access.e2e.ts'],
    async () => {
      await office.sql(`update accounts set must_change_password = true where login_name = '2000102'`)
      for (const viewport of [PHONE, DESKTOP]) {
        const page = await office.openAs('2000102', '/admin/index', { viewport })
        await see(page.getByRole('heading', { name: '先修改密码' }))
        assert.equal(await page.getByRole('navigation').count(), 0)
        assert.deepEqual(await axeFindings(page), [])
        assert.equal(await sidewaysScroll(page), 0)
        if (viewport === PHONE) continue
        await changePassword(page, DEMO_PASSWORD, NEW_PASSWORD)
        await see(await menuLink(page, '我的商户'))
      }
    },
  )
})

/** A key of this browser's own, which says yes by itself. */
async function withKey(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable')
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  })
}

/** Keys are made for a name, not for an address by number. */
const named = (path: string) => `${office.url.replace('127.0.0.1', 'localhost')}${path}`

async function signIn(page: Page, loginName: string): Promise<void> {
  await page.goto(named('/login'))
  await page.getByLabel('账号', { exact: true }).fill(loginName)
  await page.getByLabel('密码', { exact: true }).fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: '登录', exact: true }).click()
}

async function signOut(page: Page): Promise<void> {
  await page.evaluate('localStorage.clear()')
  // Away from the product first: an open page that asks without its session leaves for the sign-in by itself.
  await page.goto('about:blank')
  await page.context().clearCookies()
}

describe('the second factor', () => {
  test('a passkey is added, signs in by itself, and is asked for before money moves', async () => {
    const page = await office.open()
    await withKey(page)
    await signIn(page, '10001')
    await see(toast(page, '欢迎回来'))
    await page.goto(named('/admin/account/security'))
    const ways = page.getByRole('region', { name: '二次验证' })
    await ways.getByRole('button', { name: '添加' }).click()
    await page.getByLabel('名称').fill('办公室电脑')
    await page.getByRole('button', { name: '添加', exact: true }).last().click()
    await see(page.getByRole('list', { name: '恢复码' }))
    assert.deepEqual(await axeFindings(page), [])
    await page.getByRole('button', { name: '我已保存' }).click()
    await see(ways.getByText('办公室电脑'))
    assert.deepEqual(await axeFindings(page), [])
    await ways.getByRole('button', { name: '重命名 办公室电脑' }).click()
    await page.getByLabel('名称').fill('家里的电脑')
    await page.getByRole('button', { name: '保存', exact: true }).click()
    await see(ways.getByText('家里的电脑'))
    await signOut(page)
    await page.goto(named('/login'))
    await page.getByRole('button', { name: '使用通行密钥登录' }).click()
    await see(toast(page, '欢迎回来'))
    await office.sql('delete from factor_proofs')
    await page.goto(named('/admin/operations/agents'))
    await someRow(page.getByRole('table'), '充值').getByRole('button', { name: '充值' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('数额').fill('88')
    await dialog.getByRole('textbox', { name: '充值原因' }).fill('预付')
    await dialog.getByRole('button', { name: '充值', exact: true }).click()
    await page.getByRole('button', { name: '确认充值' }).click()
    const asked = page.getByText('此操作需要确认是您本人')
    await see(asked)
    assert.deepEqual(await axeFindings(page), [])
    await page.getByRole('button', { name: '使用通行密钥' }).click()
    await eventually(
      async () =>
        (
          await office.sql(
            `select 1 from operation_logs where title = '代理商充值' and created_at > now() - interval '1 minute'`,
          )
        ).length,
      1,
    )
  })

  test('an app’s code, or a recovery code, is asked for after the password', async () => {
    const page = await office.open()
    await signIn(page, '20002')
    await see(toast(page, '欢迎回来'))
    await page.goto(named('/admin/account/security'))
    await see(page.getByRole('heading', { name: '登录设备' }))
    await office.sql('delete from factor_proofs')
    await page.getByRole('button', { name: '设置', exact: true }).click()
    await see(page.getByText('此操作需要确认是您本人'))
    assert.deepEqual(await axeFindings(page), [])
    await field(page, '登录密码').fill('wrong-1')
    await page.getByRole('button', { name: '验证并继续' }).click()
    await see(page.getByText('密码错误', { exact: true }))
    await field(page, '登录密码').fill(DEMO_PASSWORD)
    await page.getByRole('button', { name: '验证并继续' }).click()
    const dialog = page.getByRole('dialog')
    const secret = (await dialog.locator('code').innerText()).replaceAll(' ', '')
    assert.deepEqual(await axeFindings(page), [])
    await stepWithRoom()
    await dialog.getByLabel('验证码').fill(codeOf(secret, -1))
    await dialog.getByRole('button', { name: '确认设置' }).click()
    await see(page.getByRole('list', { name: '恢复码' }))
    const codes = await page.getByRole('list', { name: '恢复码' }).getByRole('listitem').allInnerTexts()
    assert.equal(codes.length, 10)
    await page.getByRole('button', { name: '我已保存' }).click()
    for (const [label, code] of [
      ['验证器中的 6 位验证码', codeOf(secret)],
      ['恢复码', codes[0] ?? ''],
    ] as const) {
      await signOut(page)
      await signIn(page, '20002')
      await see(page.getByRole('heading', { name: '二次验证' }))
      if (label === '恢复码') await page.getByRole('button', { name: '使用恢复码' }).click()
      assert.deepEqual(await axeFindings(page), [])
      await page.getByLabel(label).fill(code)
      await page.getByRole('button', { name: '登录', exact: true }).click()
      await see(toast(page, '欢迎回来'))
    }
  })

  exhaustive(
    'who must have one and let the days of grace pass finds nothing else',
    ['features/office/factors/server.test.ts', 'test/step-up.test.ts'],
    async () => {
      await office.sql(
        `insert into factor_rules (agent_id, kind, since, grace_days) values (1, 'owners', now(), 5)`,
      )
      try {
        await office.sql(
          `update accounts set created_at = now() - interval '400 days' where login_name = '20003'`,
        )
        const page = await office.openAs('20003', '/admin/index')
        await see(page.getByText(/您的账号须设置二次验证/))
        assert.deepEqual(await axeFindings(page), [])
        await office.sql(`update factor_rules set since = now() - interval '6 days'`)
        const refused = page.getByRole('heading', { name: '请先设置二次验证' })
        // The program knows a rule for a moment without asking.
        await eventually(async () => {
          await page.reload()
          await ready(page)
          return refused.isVisible()
        }, true)
        assert.deepEqual(await axeFindings(page), [])
        assert.equal(await page.getByRole('navigation').count(), 0)
        await page.getByRole('button', { name: '设置', exact: true }).click()
        const dialog = page.getByRole('dialog')
        const secret = (await dialog.locator('code').innerText()).replaceAll(' ', '')
        await dialog.getByLabel('验证码').fill(codeOf(secret))
        await dialog.getByRole('button', { name: '确认设置' }).click()
        await page.getByRole('button', { name: '我已保存' }).click()
        await see(await menuLink(page, '我的商户'))
      } finally {
        await office.sql('delete from factor_rules')
      }
    },
  )
})
