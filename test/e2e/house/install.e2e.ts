// What a browser loads: the manifest and its icons, the page without a network, the weight of pages, and what is asked for first.

import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Page, Request } from 'playwright-core'
import { BUDGETS, filesOf } from '#scripts/page-weight.ts'
import { exhaustive } from '../../lane.ts'
import {
  axeFindings,
  type BrowserOffice,
  builtPages,
  eventually,
  openBrowserOffice,
  PHONE,
  ready,
  see,
} from '../browser.ts'

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

exhaustive(
  'the bars of the system follow the theme that was chosen in the product, also once it is loaded again',
  ['web/shell/Shell.test.tsx'],
  async () => {
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
  },
)

test('beside the worker a file is asked for once; without a network a page says so, and with one again it is there; nothing was kept', async () => {
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

describe('what is loaded', () => {
  /** Requests of a page, with the gzipped size of what they brought. */
  function record(page: Page): { sizes(): Promise<{ path: string; body: string; gzipBytes: number }[]> } {
    const requests: Request[] = []
    page.on('request', request => requests.push(request))
    return {
      async sizes() {
        const answers = await Promise.all(
          requests.map(async request => ({ request, response: await request.response() })),
        )
        return Promise.all(
          answers.map(async ({ request, response }) => {
            const body = (await response?.body()) ?? Buffer.alloc(0)
            return {
              path: new URL(request.url()).pathname,
              body: body.toString('utf8'),
              gzipBytes: gzipSync(body, { level: 9 }).length,
            }
          }),
        )
      },
    }
  }

  type Loaded = { path: string; gzipBytes: number }
  const isCode = (path: string) => /^\/assets\/.*\.(js|css)$/.test(path)
  /** No more of either than the page has: whoever adds a line to what each page loads sees it here. */
  const holds = (loaded: Loaded[], { mostKib, mostFiles }: { mostKib: number; mostFiles: number }) => {
    const files = loaded.filter(({ path }) => isCode(path))
    const kib = files.reduce((sum, { gzipBytes }) => sum + gzipBytes, 0) / 1_024
    assert.ok(files.length > 0 && kib <= mostKib, `${kib} KiB of code and styles, at most ${mostKib}`)
    assert.ok(files.length <= mostFiles, `${files.length} files, at most ${mostFiles}`)
  }
  const isAnt = ({ body }: { body: string }) => /antCls|cssinjs|ant-design/.test(body)

  test('the login needs little code and no component library, and names a manifest that can be installed, with icons of the sizes it says', async () => {
    const page = await office.open({ unused: true })
    const loaded = record(page)
    await page.goto('/login')
    await ready(page)
    const files = await loaded.sizes()
    assert.deepEqual(files.filter(isAnt), [])
    holds(files, BUDGETS.login)

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

  test('the first row of the list needs no more code and files than it did, compressed and immutable, without the library of its filters', async () => {
    const page = await office.signIn('20001', { unused: true })
    const loaded = record(page)
    const assets: (string | undefined)[][] = []
    page.on('response', response => {
      if (!/\/assets\/.*\.(js|css)$/.test(response.url())) return
      const { 'content-encoding': encoding, 'cache-control': cache } = response.headers()
      assets.push([encoding, cache])
    })
    await page.goto(LIST)
    await see(page.locator('tbody tr'))
    const files = await loaded.sizes()
    assert.deepEqual(files.filter(isAnt), [])
    // What follows its first row may come before it too, where the row is late.
    const needed = filesOf(await builtPages(), BUDGETS.list.sources).map(({ file, bytes }) => ({
      path: `/${file}`,
      gzipBytes: bytes,
    }))
    holds(needed, BUDGETS.list)
    const missing = needed.filter(({ path }) => isCode(path) && !files.some(one => one.path === path))
    assert.deepEqual(missing, [])
    assert.ok(assets.length > 0)
    for (const [encoding, cache] of assets) {
      assert.match(encoding ?? '', /^(br|gzip)$/)
      assert.match(cache ?? '', /immutable/)
    }
    await page.getByRole('button', { name: '高级筛选' }).click()
    await see(page.getByRole('combobox', { name: '店铺状态' }))
    assert.ok((await loaded.sizes()).some(isAnt), 'the mark of the component library is not found anywhere')
  })

  test('the list’s data is asked for before the code has come, once, with the address’s filter', async () => {
    const page = await office.openAs('20001', '/login')
    const asked: string[] = []
    const sent = Promise.withResolvers<void>()
    page.on('request', request => {
      const { pathname, search } = new URL(request.url())
      if (pathname !== '/api/merchants') return
      asked.push(search)
      sent.resolve()
    })
    // Only the first small script comes; the rest waits for the request that must not wait for it.
    await page.route(/\/assets\/(?!boot).*\.js$/, async route => {
      await sent.promise
      await route.continue()
    })
    await page.goto(`${LIST}?status=disabled`)
    await see(page.locator('tbody tr'), page.getByText('状态：已禁用'))
    assert.deepEqual(asked, ['?status=disabled&page=1&size=10'])
  })
})
