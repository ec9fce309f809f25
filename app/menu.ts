// The menu (D1 §2): of the pages, those that the account's role shows, in groups that can be scanned.
import type { RoutePage } from '#kit/declare/pages.ts'

/** Groups, and pages that are entries of their own, as they stand below each other. */
export const MENU_ORDER = [
  '首页',
  '待办',
  '商户管理',
  '支付与小程序',
  '订单管理',
  '短信',
  '结算中心',
  '充值',
  '售后工具',
  '伙伴管理',
  '价格与资料',
  '需求管理',
  '帮助与反馈',
  '账户管理',
]

/** What the vendor's staff are there for stands first. */
const STAFF_ORDER = ['首页', '待办', '售后工具', '伙伴管理', '价格与资料', '需求管理']

/** Groups that are one for the vendor's staff, who have those of the business beside a partner's. */
const STAFF_GROUPS: Readonly<Record<string, string>> = { 订单管理: '订单与结算', 结算中心: '订单与结算' }

/** The pages under the groups that an account's menu has. */
export function groupedFor(pages: readonly RoutePage[], isStaff: boolean): readonly RoutePage[] {
  return isStaff
    ? pages.map(page => (page.group ? { ...page, group: STAFF_GROUPS[page.group] ?? page.group } : page))
    : pages
}

/** Groups of so few pages are no more than their names. */
const GROUPED_FROM = 11

type Shown = { path: string; children: readonly Shown[] }
/** An entry that pages share leads to the first of its `children`. */
type Item = { key: string; name: string; path: string; children: Item[] }

/** `shown` is what the role shows; a page that needs no permission is everyone's. */
export function menuOf(
  pages: readonly RoutePage[],
  { shown, isStaff }: { shown: readonly Shown[]; isStaff: boolean },
): Item[] {
  const paths = new Set(pathsIn(shown))
  const entries = pages
    .filter(page => page.order !== undefined && (page.permission === 'session' || paths.has(page.path)))
    .filter(page => !(isStaff && page.forPartners))
    .sort((a, b) => (a.order ?? 0) - (b.order ?? 0))
  const order = isStaff ? [...new Set([...STAFF_ORDER, ...MENU_ORDER])] : MENU_ORDER
  const items = order.flatMap(place => {
    const own = entries.find(page => page.group === undefined && page.title === place)
    if (own) return [itemOf(own)]
    const grouped = entries.filter(page => page.group === place)
    if (grouped.length === 0) return []
    const name = (isStaff && STAFF_GROUPS[place]) || place
    return entries.length < GROUPED_FROM
      ? grouped.map(itemOf)
      : [{ key: name, name, path: '', children: entriesOf(grouped) }]
  })
  return items.filter((item, at) => {
    const first = items.findIndex(({ key }) => key === item.key)
    if (first !== at) items[first]?.children.push(...item.children)
    return first === at
  })
}

/** Pages that share an entry are below it, unless only one of them is shown. */
function entriesOf(pages: readonly RoutePage[]): Item[] {
  const sharing = Map.groupBy(pages, ({ path, entry }) => entry ?? path)
  return [...sharing].flatMap(([name, [first, ...others]]) => {
    if (!first) return []
    const children = [first, ...others].map(itemOf)
    return others.length === 0
      ? children
      : [{ key: `${first.group} ${name}`, name, path: first.path, children }]
  })
}

function itemOf({ path, title }: RoutePage): Item {
  return { key: path, name: title, path, children: [] }
}

function pathsIn(shown: readonly Shown[]): string[] {
  return shown.flatMap(({ path, children }) => [path, ...pathsIn(children)])
}
