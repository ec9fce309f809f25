// The pages without an account: what they offer besides their form, and the background that moves behind it (D3 §9).
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  axeFindings,
  type BrowserOffice,
  eventually,
  openBrowserOffice,
  PHONE,
  see,
  sidewaysScroll,
  toast,
} from './browser.ts'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice()
})
afterEach(() => office.closePages())
after(() => office.stop())

const PLACES = ['/login', '/consult']

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

describe('the background', () => {
  for (const path of PLACES)
    test(`${path} draws it once the form stands, and its words are still read`, async () => {
      const { page, drawing } = await moving(path)
      await eventually(() => isDrawn(page), true)
      assert.equal(drawing().length, 1)
      assert.deepEqual(await axeFindings(page), [])
    })

  for (const [who, options] of [
    ['on a phone', { phone: true }],
    ['for who wants calm', { calm: true }],
  ] as const)
    test(`${who} there is none, nor its code`, async () => {
      for (const path of PLACES) {
        const { page, drawing } = await moving(path, options)
        await page.waitForLoadState('networkidle')
        assert.deepEqual(drawing(), [])
        assert.equal(await page.locator('canvas').isVisible(), false)
      }
    })
})

describe('help', () => {
  test('who forgot the password is told whom to ask; the line to call is always there', async () => {
    for (const viewport of [undefined, PHONE]) {
      const page = await office.open(viewport ? { viewport } : {})
      await page.goto('/login')
      await see(page.getByText('服务热线 400-000-0000', { exact: true }))
      const hint = page.getByText(/员工账号请联系本公司的主账号/)
      assert.equal(await hint.isVisible(), false)
      await page.getByRole('button', { name: '忘记密码？' }).click()
      await see(hint)
      assert.deepEqual(await axeFindings(page), [])
      assert.equal(await sidewaysScroll(page), 0)
    }
  })

  test('in the demo one chooses who to be', async () => {
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
