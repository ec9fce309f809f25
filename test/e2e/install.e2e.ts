// Installing it: the manifest, its icons, and the page that is shown without a network.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { axeFindings, type BrowserOffice, eventually, openBrowserOffice, PHONE, see } from './browser.ts'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice()
})
afterEach(() => office.closePages())
after(() => office.stop())

const LIST = '/admin/merchant/myMerchant'

async function withWorker(path: string): Promise<Page> {
  const page = await office.openAs('20001', path, { viewport: PHONE, worker: true })
  await eventually(() => page.evaluate<boolean>('navigator.serviceWorker.controller !== null'), true)
  return page
}

test('a browser finds a manifest that it can install, with icons of the sizes that it names', async () => {
  const page = await office.open()
  await page.goto('/login')
  const answer = await page.request.get(
    (await page.locator('link[rel=manifest]').getAttribute('href')) ?? assert.fail('no manifest'),
  )
  assert.equal(answer.headers()['content-type'], 'application/manifest+json')
  const manifest = await answer.json()
  assert.equal(manifest.display, 'standalone')
  assert.ok(manifest.name && manifest.short_name && manifest.start_url.startsWith(manifest.scope))
  assert.ok(manifest.icons.some(({ purpose }: { purpose: string }) => purpose === 'maskable'))
  for (const { src, sizes, type } of manifest.icons) {
    const icon = await page.request.get(src)
    assert.equal(icon.headers()['content-type'], type)
    if (type !== 'image/png') continue
    const png = await icon.body()
    assert.equal(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`, sizes)
  }
  assert.equal(await page.locator('meta[name=theme-color]').count(), 2)
})

test('the bars of the system follow the theme that was chosen in the product, also once it is loaded again', async () => {
  const page = await office.openAs('20001', LIST, { viewport: PHONE })
  const colours = `[...document.querySelectorAll('meta[name=theme-color]')].filter(({ media }) => matchMedia(media).matches)
    .map(({ content }) => content)`
  const chosen = async (name: string) => {
    await page.getByRole('button', { name: '我的', exact: true }).click()
    const own = page.getByRole('dialog', { name: '我的' })
    await own.getByText(name, { exact: true }).click()
    await own.getByRole('button', { name: '关闭' }).click()
    const now = await page.evaluate(colours)
    await page.reload()
    await see(page.getByRole('heading', { level: 1 }))
    assert.deepEqual(await page.evaluate(colours), now)
    return now
  }
  const [dark, light, system] = [await chosen('深色'), await chosen('浅色'), await chosen('跟随系统')]
  assert.deepEqual([dark, light].flat().length, 2)
  assert.notDeepEqual(dark, light)
  assert.deepEqual(system, light)
})

test('without a network a page says so, and with one again it is there; nothing was kept', async () => {
  const page = await withWorker(LIST)
  await page.context().setOffline(true)
  await page.goto(`${LIST}?page=2`)
  await see(page.getByRole('heading', { name: '没有网络' }))
  assert.deepEqual(await axeFindings(page), [])
  assert.deepEqual(await page.evaluate('caches.keys()'), [])
  await page.context().setOffline(false)
  await page.getByRole('link', { name: '重新加载' }).click()
  await see(page.getByRole('heading', { name: '我的商户' }))
  assert.equal(new URL(page.url()).search, '?page=2')
})

test('a file is asked for once, beside the worker too', async () => {
  const page = await withWorker(LIST)
  const exports = async () => {
    const [row] = await office.sql<{ n: string }>(
      `select count(*) as n from operation_logs where title = '导出商户'`,
    )
    return Number(row?.n)
  }
  const before = await exports()
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: '导出' }).click()
  await (await download).path()
  assert.equal(await exports(), before + 1)
})
