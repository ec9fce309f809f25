// What stands around every page: menu, tabs, way up and back, palette, keys, looks, and a phone's bar.
import { useLocation } from '@tanstack/react-router'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { pageAt } from '#kit/declare/pages.ts'
import { show } from '#test/components/show.tsx'
import { type MenuItem, PagesContext } from '../client/session.ts'
import { Link } from '../controls/Link.tsx'
import { useLeaveGuard } from '../form/leave.ts'
import { chooseTheme } from '../theme/theme-mode.ts'
import { Shell } from './Shell.tsx'
import type { Finder, ShellPage } from './shell-props.ts'
import { useTabName } from './tab-name.ts'

const [HOME, LIST, DETAILS, RENEWALS, BALANCE, EXPORTS, STAFF] = [
  '/admin/index',
  '/admin/merchant/myMerchant',
  '/admin/merchant/merchantDetails',
  '/admin/merchant/renewals',
  '/admin/detail/personalDetails',
  '/admin/account/exports',
  '/admin/operations/staff',
]
const PAGES: readonly ShellPage[] = [
  { path: HOME, title: '首页' },
  { path: LIST, title: '我的商户', group: '商户管理' },
  { path: DETAILS, title: '商户详情', group: '商户管理', under: LIST },
  { path: RENEWALS, title: '续费工作台', group: '商户管理' },
  { path: BALANCE, title: '余额变动', group: '结算中心', words: ['代币'] },
  { path: EXPORTS, title: '导出任务', group: '账户管理' },
  { path: STAFF, title: '人员' },
  ...Array.from({ length: 12 }, (_, at) => ({ path: `/admin/more/${at}`, title: `其他${at}` })),
]
const GUARDED = PAGES.map(({ path, title }) => ({
  path,
  title,
  permission: path === STAFF ? 'staff.list' : 'session',
}))
const leaf = (path: string): MenuItem => {
  const { title } = pageAt(PAGES, path) as ShellPage
  return { key: path, name: title, path, children: [] }
}
const group = (name: string, ...paths: string[]): MenuItem => ({
  ...{ key: name, name, path: '' },
  children: paths.map(leaf),
})
const [KEYS, HOOKS] = ['/admin/more/10', '/admin/more/11']
const SHARED: MenuItem = { key: '接口', name: '接口', path: KEYS, children: [KEYS, HOOKS].map(leaf) }
const ACCOUNT = group('账户管理', EXPORTS)
const MENU = [
  leaf(HOME),
  group('商户管理', LIST, RENEWALS),
  group('结算中心', BALANCE),
  { ...ACCOUNT, children: [...ACCOUNT.children, SHARED] },
]

const SHOPS: Finder = {
  name: '商户',
  hint: '商户ID',
  ask: async text =>
    ['海岸茶饮', '海岸面馆']
      .map((label, at) => ({
        key: `shop-${at}`,
        label,
        hint: `${at + 7}`,
        href: `${DETAILS}?user_id=${at + 7}`,
      }))
      .filter(({ label }) => label.includes(text)),
}
const run = vi.fn()
const signOut = vi.fn()
let finders: Finder[] = [SHOPS]

const TYPED = `${DETAILS}?user_id=80`
const DRAWN = `${DETAILS}?user_id=90`

function Page() {
  const { pathname, searchStr } = useLocation()
  useLeaveGuard(() => pathname + searchStr === TYPED, { draws: pathname + searchStr === DRAWN })
  useTabName(pathname === DETAILS && searchStr !== '' ? '海岸茶饮' : undefined)
  return (
    <>
      <h1>{pageAt(PAGES, pathname)?.title}</h1>
      <input aria-label="备注" />
      <Link to="/admin/account/exports">别处</Link>
    </>
  )
}

function Office() {
  const [starred, setStarred] = useState<readonly string[]>([])
  return (
    <Shell
      pages={PAGES}
      homePath={HOME}
      menu={MENU}
      favourites={{ paths: starred, set: setStarred }}
      menuIcons={{}}
      waiting={{ [HOME]: 3 }}
      helpOf={() => null}
      tools={null}
      loadPalette={async () => ({
        finders,
        actions: [{ key: 'act', label: '切换到深色', hint: '外观', words: ['夜间'], run }],
      })}
      onNear={() => undefined}
      ownPages={[{ path: EXPORTS, title: '导出任务' }]}
      accountPages={[{ path: EXPORTS, title: '导出任务' }]}
      places={[
        { path: HOME, name: '首页', icon: null },
        { path: LIST, name: '商户', icon: null },
        { path: RENEWALS, name: '续费', icon: null, count: 4, counted: '家' },
      ]}
      balance={<p>余额（代币）</p>}
      onSignOut={signOut}
      onEndView={() => undefined}
      notices={null}
    >
      <Page />
    </Shell>
  )
}

const open = (at: string, permissions: string[] = []) =>
  show(
    <PagesContext value={GUARDED}>
      <Office />
    </PagesContext>,
    { at, session: { demo: false }, may: permissions },
  )
const openAnew = (at = location.pathname + location.search) => {
  cleanup()
  return open(at)
}
const heading = (name: string) => screen.findByRole('heading', { level: 1, name })
const button = (name: string | RegExp) => screen.getByRole('button', { name })
const menu = () => within(screen.getByRole('navigation', { name: '主菜单' }))
const entries = () =>
  menu()
    .getAllByRole('link')
    .map(({ textContent }) => textContent)
const expanded = () =>
  menu()
    .getAllByRole('button', { expanded: true })
    .map(({ textContent }) => textContent)
const here = () => location.pathname + location.search

beforeEach(() => {
  finders = [SHOPS]
  run.mockClear()
  signOut.mockClear()
})
afterEach(() => chooseTheme('system'))

test('the menu folds to icons and stays folded, until one of its groups is opened', async () => {
  const person = open(LIST)
  await heading('我的商户')
  expect(entries()).toEqual(['首页', '我的商户', '续费工作台'])
  await person.click(button('收起菜单'))
  expect(entries()).toEqual(['首页'])
  const again = openAnew()
  await heading('我的商户')
  expect(entries()).toEqual(['首页'])
  await again.click(menu().getByRole('button', { name: '结算中心' }))
  expect(entries()).toEqual(['首页', '我的商户', '续费工作台', '余额变动'])
  expect(button('收起菜单')).toBeTruthy()
  expect(menu().getByRole('link', { name: '我的商户' }).getAttribute('aria-current')).toBe('page')
})

test('one group is open, that of the page; another page opens its own in place of it', async () => {
  const person = open(EXPORTS)
  await heading('导出任务')
  expect(expanded()).toEqual(['账户管理'])
  await person.click(menu().getByRole('button', { name: '结算中心' }))
  expect(expanded()).toEqual(['结算中心', '账户管理'])
  await person.click(menu().getByRole('link', { name: '余额变动' }))
  await heading('余额变动')
  expect(expanded()).toEqual(['结算中心'])
})

test('a closed group shows its pages beside it while the mouse is there', async () => {
  const person = open(HOME)
  await heading('首页')
  const closed = menu().getByRole('button', { name: '账户管理' })
  fireEvent.pointerMove(closed, { pointerType: 'mouse', movementX: 1 })
  const beside = await screen.findByRole('list', { name: '账户管理' })
  expect(closed.getAttribute('aria-expanded')).toBe('false')
  await person.click(within(beside).getByRole('link', { name: '导出任务' }))
  await heading('导出任务')
  expect(screen.queryByRole('list', { name: '账户管理' })).toBeNull()
})

test('the menu is searched by a part of a name, by first letters and by other words', async () => {
  const person = open(HOME)
  await heading('首页')
  const box = menu().getByRole('textbox', { name: '搜索菜单' })
  for (const [typed, found] of [
    ['变动', '余额变动'],
    ['xfgzt', '续费工作台'],
    ['代币', '余额变动'],
  ] as const) {
    await person.clear(box)
    await person.type(box, typed)
    await waitFor(() => expect(entries()).toEqual([found]))
  }
  await person.clear(box)
  await person.type(box, '没有')
  expect(menu().getByText('没有匹配的菜单')).toBeTruthy()
  await person.keyboard('{Escape}')
  expect(entries()).toEqual(['首页'])
})

test('pages that share an entry lead to each other over their title; the entry is marked, and search finds each', async () => {
  const person = open(KEYS)
  await heading('其他10')
  expect(entries()).toEqual(['首页', '导出任务', '接口'])
  const beside = () => within(screen.getByRole('navigation', { name: '接口' }))
  expect(beside().getByRole('link', { name: '其他10' }).getAttribute('aria-current')).toBe('page')
  await person.click(beside().getByRole('link', { name: '其他11' }))
  await heading('其他11')
  expect(beside().getByRole('link', { name: '其他11' }).getAttribute('aria-current')).toBe('page')
  expect(menu().getByRole('link', { name: '接口' }).getAttribute('aria-current')).toBe('page')
  await person.type(menu().getByRole('textbox', { name: '搜索菜单' }), '其他11')
  await waitFor(() => expect(entries()).toEqual(['其他11']))
  await person.click(menu().getByRole('link', { name: '其他11' }))
  await person.click(menu().getByRole('textbox', { name: '搜索菜单' }))
  await person.keyboard('{Escape}')
  await person.click(menu().getByRole('link', { name: '导出任务' }))
  await heading('导出任务')
  expect(screen.queryByRole('navigation', { name: '接口' })).toBeNull()
})

test('a page with a star stands first, and the last ones are at hand', async () => {
  const person = open(LIST)
  await heading('我的商户')
  await person.click(menu().getByRole('button', { name: '收藏 我的商户' }))
  expect(entries()).toEqual(['首页', '我的商户', '我的商户', '续费工作台'])
  await person.click(menu().getByRole('link', { name: '续费工作台' }))
  await heading('续费工作台')
  await person.click(menu().getByRole('button', { name: '最近访问' }))
  expect(entries().at(-1)).toBe('我的商户')
  await person.click(menu().getAllByRole('button', { name: '取消收藏 我的商户' })[0] as HTMLElement)
  expect(menu().queryByRole('button', { name: '收藏' })).toBeNull()
})

const crumbs = () =>
  within(screen.getByRole('navigation', { name: '当前位置' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)

test('the breadcrumb says where one is and leads up; back leads back', async () => {
  const person = open(`${DETAILS}?user_id=7`)
  await heading('商户详情')
  expect(crumbs()).toEqual(['商户管理', '我的商户', '商户详情'])
  expect(button('返回').getAttribute('aria-disabled')).toBe('true')
  await person.click(
    within(screen.getByRole('navigation', { name: '当前位置' })).getByRole('link', { name: '我的商户' }),
  )
  await heading('我的商户')
  expect(crumbs()).toEqual(['商户管理', '我的商户'])
  await person.click(button('返回'))
  await heading('商户详情')
  expect(here()).toBe(`${DETAILS}?user_id=7`)
})

const tabs = () => within(screen.getByRole('navigation', { name: '打开的页面' }))
const tabNames = () =>
  tabs()
    .getAllByRole('link')
    .map(({ textContent }) => textContent)

test('a tab keeps the address of its list, also when all is loaded anew, and closing it leads to its neighbour', async () => {
  const person = open(`${LIST}?status=disabled`)
  await heading('我的商户')
  await person.click(screen.getByRole('link', { name: '别处' }))
  await heading('导出任务')
  const again = openAnew()
  await heading('导出任务')
  expect(tabNames()).toEqual(['首页', '我的商户', '导出任务'])
  await again.click(tabs().getByRole('link', { name: '我的商户' }))
  await heading('我的商户')
  expect(here()).toBe(`${LIST}?status=disabled`)
  expect(tabs().getByRole('link', { name: '我的商户' }).getAttribute('aria-current')).toBe('page')
  await again.click(button('关闭 我的商户'))
  await heading('导出任务')
  expect(tabNames()).toEqual(['首页', '导出任务'])
})

test('a page that the account may not open has no tab, nor one from before the right was taken', async () => {
  open(STAFF)
  await heading('人员')
  expect(tabNames()).toEqual(['首页'])
  cleanup()
  open(STAFF, ['staff.list'])
  await heading('人员')
  expect(tabNames()).toEqual(['首页', '人员'])
  openAnew(LIST)
  await heading('我的商户')
  expect(tabNames()).toEqual(['首页', '我的商户'])
  expect(sessionStorage.getItem('page-tabs')).not.toContain(STAFF)
})

test('the start page’s tab stays first, a tab carries the name of its shop, and ten besides are kept', async () => {
  open(`${DETAILS}?user_id=7`)
  await heading('商户详情')
  await waitFor(() => expect(tabNames()).toEqual(['首页', '商户详情 · 海岸茶饮']))
  for (let at = 0; at < 12; at++) {
    openAnew(`/admin/more/${at}`)
    await heading(`其他${at}`)
  }
  expect(tabNames()).toEqual(['首页', ...Array.from({ length: 10 }, (_, at) => `其他${at + 2}`)])
})

const palette = () => screen.queryByRole('dialog', { name: '全局搜索' })
const options = () => screen.queryAllByRole('option').map(one => one.querySelector('span')?.textContent)
const chosen = () => screen.getByRole('option', { selected: true }).querySelector('span')?.textContent

async function openPalette(at = HOME) {
  const person = open(at)
  await screen.findByRole('heading', { level: 1 })
  await person.keyboard('{Control>}k{/Control}')
  const box = await screen.findByRole('combobox', { name: '全局搜索' })
  const type = async (text: string) => {
    await person.clear(box)
    await person.type(box, text)
  }
  return { person, box, type }
}

test('the palette offers the pages of the menu alone, and is walked by arrows over all groups and around', async () => {
  const { person, box } = await openPalette()
  await waitFor(() =>
    expect(options()).toEqual([
      ...['首页', '我的商户', '续费工作台', '余额变动', '导出任务', '其他10', '其他11', '切换到深色'],
    ]),
  )
  expect(document.activeElement).toBe(box)
  expect(chosen()).toBe('首页')
  await person.keyboard('{ArrowUp}')
  expect(chosen()).toBe('切换到深色')
  expect(box.getAttribute('aria-activedescendant')).toBe(screen.getByRole('option', { selected: true }).id)
  await person.keyboard('{ArrowDown}{ArrowDown}')
  expect(chosen()).toBe('我的商户')
})

test('the palette finds a thing by keyboard, goes there and is gone; so it is when its button opened it', async () => {
  const { person, type } = await openPalette()
  await type('海岸')
  await waitFor(() => expect(options()).toEqual(['海岸茶饮', '海岸面馆']))
  await person.keyboard('{ArrowDown}{Enter}')
  await heading('商户详情')
  expect([here(), palette()]).toEqual([`${DETAILS}?user_id=8`, null])
  await person.click(button('全局搜索'))
  await person.type(await screen.findByRole('combobox', { name: '全局搜索' }), '余额')
  await waitFor(() => expect(chosen()).toBe('余额变动'))
  await person.keyboard('{Enter}')
  await heading('余额变动')
  expect(palette()).toBeNull()
})

test('the palette knows other words for a page and an action, and the first letters of their names', async () => {
  const { person, type } = await openPalette()
  for (const [typed, found] of [
    ['代币', '余额变动'],
    ['xfgzt', '续费工作台'],
    ['qhdss', '切换到深色'],
    ['夜间', '切换到深色'],
  ] as const) {
    await type(typed)
    await waitFor(() => expect(options()).toEqual([found]))
  }
  await person.keyboard('{Enter}')
  expect([run.mock.calls.length, palette()]).toEqual([1, null])
})

test('the palette says that nothing was found, that a search failed, and closes with what was typed without a question', async () => {
  const { person, type } = await openPalette()
  await type('没有这样的东西')
  await screen.findByText('没有匹配的结果')
  await person.keyboard('{Escape}')
  await waitFor(() => expect(palette()).toBeNull())
  finders = [{ ...SHOPS, ask: () => Promise.reject(new Error('no answer')) }]
  await person.click(button('全局搜索'))
  await person.type(await screen.findByRole('combobox', { name: '全局搜索' }), '余额')
  await screen.findByText('商户查询失败，请稍后再试')
  expect(options()).toEqual(['余额变动'])
})

test('an Enter that picks a Chinese word leads nowhere', async () => {
  const { box } = await openPalette()
  fireEvent.keyDown(box, { key: 'Enter', isComposing: true })
  expect([palette() === null, here()]).toEqual([false, HOME])
})

test('? lists the keys, but not where a text is typed', async () => {
  const person = open(LIST)
  await heading('我的商户')
  await person.type(screen.getByRole('textbox', { name: '备注' }), '?')
  expect(screen.queryByRole('dialog')).toBeNull()
  ;(document.activeElement as HTMLElement).blur()
  await person.keyboard('?')
  const dialog = await screen.findByRole('dialog', { name: '快捷键' })
  expect(within(dialog).getByText('搜索页面、商户和订单').previousSibling?.textContent).toBe('CtrlK')
  await person.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('Esc leads from a page back to the one that it was reached from, or up where there was none', async () => {
  const person = open(`${LIST}?page=2`)
  await heading('我的商户')
  history.pushState(null, '', `${DETAILS}?user_id=7`)
  await heading('商户详情')
  await person.keyboard('{Escape}')
  await heading('我的商户')
  const again = openAnew(`${DETAILS}?user_id=7`)
  await heading('商户详情')
  await again.keyboard('{Escape}')
  await heading('我的商户')
})

for (const [what, at] of [
  ['something was typed', TYPED],
  ['one draws', DRAWN],
] as const)
  test(`Esc leaves no page on which ${what}`, async () => {
    const person = open(at)
    await heading('商户详情')
    await person.keyboard('{Escape}')
    await heading('商户详情')
    expect([here(), screen.queryByRole('alertdialog')]).toEqual([at, null])
  })

test('the first stops of a page are the links past its menu', async () => {
  const person = open(LIST)
  await heading('我的商户')
  await person.tab()
  expect(document.activeElement?.textContent).toBe('跳到列表')
  await person.tab()
  expect(document.activeElement?.textContent).toBe('跳到内容')
})

const hasFocus = (name: string) => {
  const one = document.activeElement
  expect(one?.getAttribute('aria-label') ?? one?.textContent).toBe(name)
}
const inMenu = (name: string) => menu().getByRole('link', { name })

test('menu, header and tabs are one stop each', async () => {
  const person = open(LIST)
  await heading('我的商户')
  inMenu('我的商户').focus()
  const stops: unknown[] = []
  for (let at = 0; at < 3; at++) {
    await person.tab()
    stops.push(document.activeElement?.closest('nav, [role=toolbar]')?.getAttribute('aria-label'))
  }
  expect(stops).toEqual(['顶栏', '打开的页面', undefined])
})

test('arrows lead through the menu: down its entries, right into a group or to the star, left out again', async () => {
  const person = open(LIST)
  await heading('我的商户')
  inMenu('我的商户').focus()
  await person.keyboard('{ArrowRight}')
  hasFocus('收藏 我的商户')
  await person.keyboard('{ArrowLeft}')
  hasFocus('我的商户')
  await person.keyboard('{ArrowDown}')
  hasFocus('续费工作台')
  await person.keyboard('{ArrowLeft}')
  hasFocus('商户管理')
  await person.keyboard('{ArrowLeft}')
  expect(menu().queryByRole('link', { name: '我的商户' })).toBeNull()
  await person.keyboard('{ArrowDown}{ArrowRight}')
  expect(entries()).toEqual(['首页', '余额变动'])
  await person.keyboard('{End}')
  hasFocus('账户管理')
})

test('a tab is closed by its key, and the cursor is on the one beside it', async () => {
  open(LIST)
  await heading('我的商户')
  const person = openAnew(RENEWALS)
  await heading('续费工作台')
  tabs().getByRole('link', { name: '续费工作台' }).focus()
  await person.keyboard('{ArrowLeft}')
  hasFocus('我的商户')
  await person.keyboard('{Delete}')
  await waitFor(() => expect(tabNames()).toEqual(['首页', '续费工作台']))
  hasFocus('续费工作台')
  await person.keyboard('{ArrowLeft}{Delete}')
  expect(tabNames()).toEqual(['首页', '续费工作台'])
})

test('a look is chosen, remembered, told to the system’s bars, and left to the system again', async () => {
  for (const mode of ['light', 'dark']) {
    const meta = document.createElement('meta')
    meta.name = 'theme-color'
    meta.dataset.mode = mode
    document.head.append(meta)
  }
  const metas = [...document.head.querySelectorAll('meta')]
  const bars = () => metas.map(({ media }) => media)
  const person = open(HOME)
  await heading('首页')
  const choose = async (name: string) => {
    await person.click(button('外观'))
    await person.click(screen.getByRole('menuitemradio', { name }))
  }
  await choose('深色')
  expect([document.documentElement.dataset.theme, localStorage.getItem('theme')]).toEqual(['dark', 'dark'])
  expect(bars()).toEqual(['not all', 'all'])
  await person.click(button('外观'))
  expect(screen.getByRole('menuitemradio', { checked: true }).textContent).toBe('深色')
  await person.click(screen.getByRole('menuitemradio', { name: '跟随系统' }))
  expect([document.documentElement.dataset.theme, localStorage.getItem('theme')]).toEqual([undefined, null])
  expect(bars()).toEqual(['(prefers-color-scheme: light)', '(prefers-color-scheme: dark)'])
  for (const meta of metas) meta.remove()
})

const { happyDOM } = window as unknown as { happyDOM: { setViewport: (size: { width: number }) => void } }

async function onPhone(work: () => Promise<void>): Promise<void> {
  happyDOM.setViewport({ width: 390 })
  try {
    await work()
  } finally {
    cleanup()
    happyDOM.setViewport({ width: 1024 })
  }
}

const bar = () => within(screen.getByRole('navigation', { name: '常用' }))

test('on a phone a bar leads to its places and marks where one is', () =>
  onPhone(async () => {
    const person = open(`${DETAILS}?user_id=7`)
    await heading('商户详情')
    expect(
      bar()
        .getAllByRole('link')
        .map(({ textContent }) => textContent?.slice(0, 2)),
    ).toEqual([...['首页', '商户', '续费']])
    // Of what is reached from it, too.
    expect(bar().getByRole('link', { current: 'page' }).textContent).toBe('商户')
    await person.click(bar().getByRole('link', { name: '续费，4 家' }))
    await heading('续费工作台')
    expect(bar().getByRole('link', { current: 'page' }).getAttribute('aria-label')).toBe('续费，4 家')
  }))

test('on a phone what is one’s own says who one is, closes with the page it leads to, changes the look and leads out', () =>
  onPhone(async () => {
    const person = open(LIST)
    await heading('我的商户')
    await person.click(bar().getByRole('button', { name: '我的' }))
    const own = await screen.findByRole('dialog', { name: '我的' })
    for (const words of ['海岸科技', '周海燕 · 20001', '余额（代币）']) within(own).getByText(words)
    await person.click(within(own).getByRole('radio', { name: '深色' }))
    expect(document.documentElement.dataset.theme).toBe('dark')
    await person.click(within(own).getByRole('button', { name: '导出任务' }))
    await heading('导出任务')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await person.click(bar().getByRole('button', { name: '我的' }))
    await person.click(await screen.findByRole('button', { name: '退出登录' }))
    expect(signOut).toHaveBeenCalledOnce()
    expect(screen.queryByRole('dialog')).toBeNull()
  }))

test('on a phone the menu is a drawer that closes with the page it leads to', () =>
  onPhone(async () => {
    const person = open(LIST)
    await heading('我的商户')
    expect(screen.queryByRole('navigation', { name: '主菜单' })).toBeNull()
    await person.click(button('展开菜单'))
    await person.click(menu().getByRole('link', { name: '续费工作台' }))
    await heading('续费工作台')
    await waitFor(() => expect(screen.queryByRole('navigation', { name: '主菜单' })).toBeNull())
  }))
