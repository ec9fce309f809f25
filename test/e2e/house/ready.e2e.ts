// A page says that it is ready once nothing that it asked for is on its way: what every other test waits for.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { PUBLIC_PAGES } from '#app/route-pages.ts'
import { type BrowserOffice, eventually, openBrowserOffice, ready, rowOf, see, visit } from '../browser.ts'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice()
})
afterEach(() => office.closePages())
after(() => office.stop())

const readyAt = (page: Page) => page.locator('html').getAttribute('data-ready')

/** Long enough for a page to be drawn, and to say so too early. */
const drawn = (page: Page) =>
  page.evaluate(`(async () => {
    for (let frames = 0; frames < 20; frames++) await new Promise(requestAnimationFrame)
  })()`)

/** Holds back what is asked for at addresses like this; answers once it was asked for, and what lets it go on. */
async function holdBack(page: Page, address: RegExp) {
  const [asked, freed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route(address, async route => {
    asked.resolve()
    await freed.promise
    await route.continue()
  })
  return { asked: asked.promise, free: freed.resolve }
}

test('not while an answer is on its way, which the page is ready with', async () => {
  const page = await office.openAs('20001', '/admin/index')
  const list = await holdBack(page, /\/api\/merchants\?/)
  const visited = visit(page, '/admin/merchant/myMerchant', '我的商户')
  await list.asked
  await drawn(page)
  assert.equal(await readyAt(page), null)
  list.free()
  await visited
  assert.equal(await readyAt(page), '/admin/merchant/myMerchant')
  assert.ok((await page.locator('tbody tr').count()) > 0)
})

test('not at the address before it, from the moment that another is gone to', async () => {
  const page = await office.openAs('20001', '/admin/index')
  assert.equal(await readyAt(page), '/admin/index')
  const said = await page.evaluate(`(() => {
    history.pushState(null, '', '/admin/merchant/myMerchant?page=2')
    return document.documentElement.dataset.ready ?? null
  })()`)
  assert.equal(said, null)
  await ready(page)
  assert.equal(await readyAt(page), '/admin/merchant/myMerchant?page=2')
})

test('once for each page, however many questions follow from each other', async () => {
  const page = await office.open()
  await page.addInitScript(`
    globalThis.said = []
    new MutationObserver(() => {
      const { ready } = document.documentElement.dataset
      if (ready !== undefined) said.push(ready)
    }).observe(document, { subtree: true, attributeFilter: ['data-ready'] })
  `)
  const signedIn = await office.openAs('20001', '/admin/index')
  await page.context().addCookies(await signedIn.context().cookies())
  await page.goto('/admin/index')
  await ready(page)
  const visited = [
    ['/admin/merchant/renewals', '续费工作台'],
    ['/admin/merchant/addUser', '新增商户'],
    ['/admin/detail/statement', '月度对账单'],
  ] as const
  for (const [address, title] of visited) await visit(page, address, title)
  assert.deepEqual(await page.evaluate('said'), ['/admin/index', ...visited.map(([address]) => address)])
})

test('not while the code of a part of it is loaded', async () => {
  const page = await office.openAs('20001', '/admin/merchant/myMerchant')
  const drawer = await holdBack(page, /\/assets\/MerchantDrawer-/)
  const [shop] = await office.sql<{ id: string }>(
    'select id from merchants where agent_id = 101 order by id desc limit 1',
  )
  await rowOf(page, shop?.id ?? '')
    .getByRole('button', { name: '详情' })
    .click()
  await drawer.asked
  await drawn(page)
  assert.equal(await readyAt(page), null)
  drawer.free()
  await ready(page)
  assert.equal(await page.getByRole('dialog', { name: '商户详情' }).isVisible(), true)
})

test('not while a thread reads what was drawn, unless its page was left', async () => {
  const page = await office.openAs('10001', '/admin/index')
  const thread = await holdBack(page, /\/assets\/scan-worker-/)
  await page.goto('/admin/template/labelPrinting')
  await page.getByRole('button', { name: '条码', exact: true }).click()
  await thread.asked
  await drawn(page)
  assert.equal(await readyAt(page), null)
  await visit(page, '/admin/template/batch', '批量打印标签')
  thread.free()
})

test('not while a pause in typing is waited for', async () => {
  const page = await office.openAs('20001', '/admin/merchant/myMerchant')
  await page.getByRole('textbox', { name: /^搜索：/ }).fill('没有这家店')
  await ready(page)
  assert.equal(new URL(page.url()).searchParams.get('search'), '没有这家店')
  await see(page.getByText('没有符合条件的'))
})

test('also where nobody is signed in', async () => {
  const page = await office.open()
  for (const path of ['/login', ...PUBLIC_PAGES.map(({ prefix }) => prefix)]) {
    await page.goto(path)
    // Some look again and again, and are not ready in between.
    await eventually(() => readyAt(page), path)
    await eventually(() => page.getByRole('heading', { level: 1 }).isVisible(), true, path)
  }
})
