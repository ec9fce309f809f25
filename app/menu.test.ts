import assert from 'node:assert/strict'
import test from 'node:test'
import { PERMISSION_NODES } from './joined.ts'
import { MENU_ORDER, menuOf } from './menu.ts'
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

test('nobody has more than nine groups, and SMS are one', () => {
  const menu = menuOf(ROUTE_PAGES, { shown: all, isStaff: true })
  const groups = menu.filter(({ children }) => children.length > 0)
  assert.ok(groups.length <= 9)
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

test('a role shows what it names and the pages of everyone, without groups where they are few', () => {
  const shown = ['/admin/index', '/admin/detail/personalDetails'].map(path => ({ path, children: [] }))
  assert.deepEqual(names(menuOf(ROUTE_PAGES, { shown, isStaff: false })), [
    '首页',
    '待办',
    '余额变动',
    '帮助中心',
    '下载中心',
    '修改密码',
    '登录与安全',
    '消息中心',
    '导出任务',
  ])
})
