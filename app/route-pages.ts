// The pages by path (D1 §2, D3 §2): title, permission, source file and place. Read by the router and by the server's HTML.
// Must stay plain data: the server reads it too.

export type RoutePage = {
  path: `/admin/${string}`
  title: string
  /** Key of the permission tree; `session` for every account. */
  permission: string
  /** Source file with the page as its default export. */
  file: `${'features' | 'app'}/${string}.tsx`
  /** First part of the breadcrumb. */
  group?: string
  /** The page that this one is reached from; it stays marked in the menu. */
  under?: string
  /** The list that the page shows first; its request is sent together with the code. */
  list?: `/api/${string}`
}

export const ROUTE_PAGES: readonly RoutePage[] = [
  { path: '/admin/index', title: '首页', permission: 'home', file: 'features/dashboard/HomePage.tsx' },
  {
    path: '/admin/merchant/myMerchant',
    title: '我的商户',
    permission: 'merchants.list',
    file: 'features/merchants/MyMerchantsPage.tsx',
    group: '商户管理',
    list: '/api/merchants',
  },
  {
    path: '/admin/merchant/addUser',
    title: '新增商户',
    permission: 'merchants.add',
    file: 'features/merchants/AddMerchantPage.tsx',
    group: '商户管理',
  },
  {
    path: '/admin/merchant/overdueMerchants',
    title: '过期商户',
    permission: 'merchants.overdue',
    file: 'features/merchants/OverdueMerchantsPage.tsx',
    group: '商户管理',
    list: '/api/merchants/overdue',
  },
  {
    path: '/admin/merchant/merchantDetails',
    title: '商户详情',
    permission: 'merchants.details',
    file: 'features/merchants/MerchantDetailsPage.tsx',
    group: '商户管理',
    under: '/admin/merchant/myMerchant',
  },
  {
    path: '/admin/detail/personalDetails',
    title: '余额变动',
    permission: 'ledger.changes',
    file: 'features/ledger/BalanceChangesPage.tsx',
    group: '结算中心',
    list: '/api/wallet/changes',
  },
  {
    path: '/admin/operations/agents',
    title: '代理商',
    permission: 'agents.list',
    file: 'features/agents/AgentsPage.tsx',
    group: '运营管理',
    list: '/api/agents',
  },
  {
    path: '/admin/account/personalData',
    title: '个人资料',
    permission: 'account.profile',
    file: 'features/access/ProfilePage.tsx',
    group: '账户管理',
  },
]

export const HOME_PATH = '/admin/index'
export const LOGIN_PATH = '/login'

/** Groups lead to their first page (D3 §2). */
export const REDIRECTS: Readonly<Record<string, string>> = {
  '/admin': HOME_PATH,
  '/admin/merchant': '/admin/merchant/myMerchant',
  '/admin/detail': '/admin/detail/personalDetails',
  '/admin/account': '/admin/account/personalData',
  '/admin/operations': '/admin/operations/agents',
}

/** The page at a path, after redirects; null when there is none. */
export function pageAt(pathname: string): RoutePage | null {
  const plain = pathname.replace(/\/+$/, '')
  const path = REDIRECTS[plain] ?? plain
  return ROUTE_PAGES.find(page => page.path === path) ?? null
}
