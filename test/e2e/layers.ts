// Every layer that a page opens by its own buttons, judged for accessibility in the light and in the dark: dialogs, drawers and menus, and what
// those open in turn. Layers alike in their elements are looked at once, on whichever page they were met first.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { ROUTE_PAGES } from '#app/route-pages.ts'
import { sampled } from '../lane.ts'
import { axeFindings, type BrowserOffice, openBrowserOffice, ready, visit } from './browser.ts'
import { lookWide } from './looks.ts'

/** Leads elsewhere, takes something along, or ends what is open. */
const LEFT_ALONE = /^(退出登录|关闭.*|取消|×|跳到.*|刷新|导出.*|打印|全屏|紧凑行距|标准行距|上一页|下一页)$/
const BUTTONS_MOST = 24
const INNER_MOST = 12
/** Bars of lists are one piece of code: what they open is met on some lists. */
const OF_LISTS = /^(视图.*|列设置|高级筛选|更多筛选|筛选.*)$/
const LISTS_SEEN = 3
const LAYERS_LEAST = 40
const LOOKED = '[data-look]'

/** In a page: the layer in front, or the page's own content. */
const SCOPE = `(() => {
  const layers = document.querySelectorAll('dialog[open], :popover-open:not([data-part=toasts])')
  return layers[layers.length - 1] ?? document.querySelector('main')
})()`
const BUTTONS = `[...${SCOPE}.querySelectorAll('button, [role=menuitem], summary')].filter(one => one.checkVisibility() && !one.disabled)`
const NAME = `(one => (one.ariaLabel || one.textContent).trim())`

const labelsOf = (page: Page) => page.evaluate<string[]>(`${BUTTONS}.map(${NAME})`)
const layersOpen = (page: Page) =>
  page.evaluate<number>(
    `document.querySelectorAll('dialog[open], :popover-open:not([data-part=toasts])').length`,
  )

/** Resolves once the page is drawn and ready; whether there was such a button. */
async function press(page: Page, label: string): Promise<boolean> {
  const wasThere = await page.evaluate<boolean>(
    `(async () => {
      const button = ${BUTTONS}.find(one => ${NAME}(one) === ${JSON.stringify(label)})
      button?.click()
      for (let frames = 0; frames < 3; frames++) await new Promise(requestAnimationFrame)
      return button !== undefined
    })()`,
  )
  await ready(page)
  return wasThere
}

/** What it is made of, and what it is called without its numbers; null where the page's own content is in front. */
const layerKind = (page: Page) =>
  page.evaluate<string | null>(
    `(scope => scope.tagName === 'MAIN' ? null : [
      (scope.ariaLabel ?? scope.querySelector('h1, h2, h3')?.textContent ?? '').replace(/\\d+/g, '#'),
      ...new Set([...scope.querySelectorAll('*')].map(one => one.tagName + (one.role ?? ''))),
    ].join())(${SCOPE})`,
  )

/** Numbers and names of rows aside, what a button is for. */
const purposeOf = (label: string) =>
  label.replace(/\d+/g, '#').replace(/^(详情|更多操作|选择|查看|编辑) .*/, '$1')

function worthPressing(labels: readonly string[], isListSeen: boolean, most: number): string[] {
  const byPurpose = new Map(labels.map(label => [purposeOf(label), label]))
  return [...byPurpose]
    .filter(
      ([purpose]) => purpose !== '' && !LEFT_ALONE.test(purpose) && (isListSeen || !OF_LISTS.test(purpose)),
    )
    .map(([, label]) => label)
    .slice(0, most)
}

/** Looks at all layers of the pages that this account opens. */
export function testLayers(login: string): void {
  let office: BrowserOffice
  before(async () => {
    office = await openBrowserOffice()
  })
  after(() => office.stop())

  test(`${login} opens no layer that somebody cannot use`, async t => {
    const page = await office.openAs(login, '/admin/index')
    await lookWide(page)
    const session = await page.request.get('/api/session')
    const { permissions } = (await session.json()) as { permissions: string[] }
    const looked = new Set<string>()
    /** What is wrong with the layer in front; null where there is none, or one alike was looked at. */
    const look = async (): Promise<string[] | null> => {
      const kind = await layerKind(page)
      if (kind === null || looked.has(kind)) return null
      looked.add(kind)
      await page.evaluate(`${SCOPE}.dataset.look = ''`)
      const light = await axeFindings(page, { within: LOOKED })
      await page.emulateMedia({ colorScheme: 'dark' })
      const dark = await axeFindings(page, { within: LOOKED, colours: true })
      await page.emulateMedia({ colorScheme: 'light' })
      await page.evaluate(`${SCOPE}.removeAttribute('data-look')`)
      return [...light, ...dark.map(finding => `dark: ${finding}`)]
    }
    const routes = ROUTE_PAGES.filter(
      ({ path, permission }) =>
        !path.includes('$') && (permission === 'session' || permissions.includes(permission)),
    )
    const listsSeen = sampled(
      routes.filter(({ list }) => list),
      LISTS_SEEN,
      false,
    )
    for (const route of routes)
      await t.test(`${route.title} (${route.path})`, async () => {
        const found: string[] = []
        const open = () => visit(page, `${route.path}?look=${Math.random()}`, route.title)
        await open()
        for (const label of worthPressing(await labelsOf(page), listsSeen.includes(route), BUTTONS_MOST)) {
          if ((await layersOpen(page)) > 0 || !new URL(page.url()).pathname.startsWith(route.path))
            await open()
          if (!(await press(page, label)) || (await layersOpen(page)) === 0) continue
          const flaws = await look()
          if (flaws === null) continue
          found.push(...flaws.map(flaw => `${label}: ${flaw}`))
          for (const inner of worthPressing(await labelsOf(page), false, INNER_MOST)) {
            const before = await layersOpen(page)
            if (!(await press(page, inner)) || (await layersOpen(page)) <= before) break
            found.push(...((await look()) ?? []).map(flaw => `${label} > ${inner}: ${flaw}`))
            await page.keyboard.press('Escape')
          }
        }
        assert.deepEqual(found, [])
      })
    assert.ok(looked.size > LAYERS_LEAST, `${looked.size} layers`)
    await office.closePages()
  })
}
