import assert from 'node:assert/strict'
import test from 'node:test'
import { PERMISSION_NODES } from './joined.ts'
import { groupedFor, MENU_ORDER, menuOf } from './menu.ts'
import { ROUTE_PAGES } from './route-pages.ts'

const all = PERMISSION_NODES.map(({ path }) => ({ path, children: [] }))
const names = (items: readonly { name: string }[]) => items.map(({ name }) => name)

test('every page of the menu has its place, and no two the same', () => {
  const placed = ROUTE_PAGES.filter(({ order }) => order !== undefined)
  for (const { path, inMenu, key } of PERMISSION_NODES)
    if (inMenu && path !== '')
      assert.ok(
        placed.some(page => page.path === path),
        `${key} has no order`,
      )
  for (const { title, group } of placed) assert.ok(MENU_ORDER.includes(group ?? title), title)
  const places = placed.filter(({ group }) => group).map(({ group, order }) => `${group} ${order}`)
  assert.equal(new Set(places).size, places.length)
})

test('nobody has more than nine groups, none has more than eight entries, and SMS are one', () => {
  const menu = menuOf(ROUTE_PAGES, { shown: all, isStaff: true })
  const groups = menu.filter(({ children }) => children.length > 0)
  assert.ok(groups.length <= 9)
  for (const { name, children } of groups) assert.ok(children.length <= 8, name)
  assert.deepEqual(
    names(groups.flatMap(({ children }) => children)).filter(name => name.includes('短信')),
    names(groups.find(({ name }) => name === '短信')?.children ?? []),
  )
})

test('staff find their own tools first, a partner who holds some finds them after what is his', () => {
  const top = (isStaff: boolean) => names(menuOf(ROUTE_PAGES, { shown: all, isStaff }))
  assert.deepEqual(top(true).slice(0, 7), [
    '首页',
    '待办',
    '售后工具',
    '伙伴管理',
    '价格与资料',
    '需求管理',
    '商户管理',
  ])
  assert.deepEqual(top(false), MENU_ORDER)
})

test('pages that share an entry are below it, and one that is shown alone is an entry itself', () => {
  const partners = (shown: typeof all) =>
    menuOf(ROUTE_PAGES, { shown, isStaff: true }).find(({ name }) => name === '伙伴管理')?.children ?? []
  const figures = partners(all).find(({ name }) => name === '经营分析')?.children ?? []
  assert.deepEqual(names(figures), ['代理商排行', '留存', '收入', '资金'])
  const [first, only, ...others] = figures.map(({ path }) => path)
  assert.equal(partners(all).find(({ name }) => name === '经营分析')?.path, first)
  const alone = partners(all.filter(({ path }) => path !== first && !others.includes(path)))
  assert.deepEqual(alone.at(-1), { key: only, name: '留存', path: only, children: [] })
})

test('a shared entry stays within its group', () => {
  const groups = Map.groupBy(
    ROUTE_PAGES.filter(({ entry }) => entry !== undefined),
    ({ entry }) => entry,
  )
  for (const [entry, pages] of groups) assert.equal(new Set(pages.map(({ group }) => group)).size, 1, entry)
})

test('what shops say has one entry for the vendor’s staff', () => {
  const entries = menuOf(ROUTE_PAGES, { shown: all, isStaff: true }).flatMap(({ children }) => children)
  assert.deepEqual(
    names(entries).filter(name => ['商户反馈', '客户反馈列表'].includes(name)),
    ['客户反馈列表'],
  )
})

test('a role shows what it names and the pages of everyone, without groups where they are few', () => {
  const shown = ['/admin/index', '/admin/detail/personalDetails'].map(path => ({ path, children: [] }))
  assert.deepEqual(names(menuOf(ROUTE_PAGES, { shown, isStaff: false })), [
    '首页',
    '待办',
    '余额变动',
    '帮助中心',
    '下载中心',
    '登录与安全',
    '修改密码',
    '消息中心',
    '导出任务',
  ])
})

test('orders and what they are settled by are one group for staff, in the order of both', () => {
  const menu = menuOf(ROUTE_PAGES, { shown: all, isStaff: true })
  const joined = names(menu.find(({ name }) => name === '订单与结算')?.children ?? [])
  const partner = menuOf(ROUTE_PAGES, { shown: all, isStaff: false })
  const of = (group: string) => names(partner.find(({ name }) => name === group)?.children ?? [])
  assert.ok(of('订单管理').length > 0 && of('结算中心').length > 0)
  assert.deepEqual(joined, [...of('订单管理'), ...of('结算中心')])
  const path = ROUTE_PAGES.find(({ group }) => group === '结算中心')?.path
  assert.equal(groupedFor(ROUTE_PAGES, true).find(page => page.path === path)?.group, '订单与结算')
})
