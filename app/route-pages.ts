// The pages by path (D1 §2, D3 §2): title, permission, source file and place. Read by the router and by the server's HTML.
// Must stay plain data: the server reads it too.

export type EarlyRequest = { address: `/api/${string}`; permission: string }

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
  /** What the page asks for whatever its address says, sent together with the code. */
  early?: readonly EarlyRequest[]
}

export const ROUTE_PAGES: readonly RoutePage[] = [
  {
    path: '/admin/index',
    title: '首页',
    permission: 'home',
    file: 'features/dashboard/HomePage.tsx',
    early: [
      { address: '/api/dashboard/figures', permission: 'dashboard.figures' },
      { address: '/api/content/shown', permission: 'session' },
    ],
  },
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
    path: '/admin/merchant/versionUp1',
    title: '版本购买',
    permission: 'purchases.buy',
    file: 'features/purchases/PurchasePage.tsx',
    group: '商户管理',
    under: '/admin/merchant/myMerchant',
  },
  {
    path: '/admin/merchant/renewals',
    title: '续费工作台',
    permission: 'renewals.desk',
    file: 'features/renewals/RenewalDeskPage.tsx',
    group: '商户管理',
  },
  {
    path: '/admin/merchant/secondary',
    title: '下级商户',
    permission: 'merchants.secondary',
    file: 'features/merchants/SecondaryMerchantsPage.tsx',
    group: '商户管理',
    list: '/api/merchants/secondary',
  },
  {
    path: '/admin/merchant/source',
    title: '商户来源',
    permission: 'merchants.source',
    file: 'features/merchants/MerchantSourcePage.tsx',
    group: '商户管理',
    list: '/api/merchants/source',
  },
  {
    path: '/admin/merchant/addedServices',
    title: '增值服务',
    permission: 'services.buy',
    file: 'features/services/AddedServicesPage.tsx',
    group: '商户管理',
    under: '/admin/merchant/myMerchant',
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
    path: '/admin/detail/billingDetails',
    title: '账单明细',
    permission: 'settlement.bills',
    file: 'features/settlement/BillingDetailsPage.tsx',
    group: '结算中心',
    list: '/api/settlement/bills',
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
    path: '/admin/detail/statement',
    title: '月度对账单',
    permission: 'settlement.statement',
    file: 'features/settlement/StatementPage.tsx',
    group: '结算中心',
  },
  {
    path: '/admin/detail/subAgents',
    title: '下级代理',
    permission: 'settlement.subAgents',
    file: 'features/settlement/SubAgentsPage.tsx',
    group: '结算中心',
    list: '/api/settlement/sub-agents',
  },
  {
    path: '/admin/index/hardwareShop',
    title: '硬件商城',
    permission: 'hardware.shop',
    file: 'features/hardware/HardwareShopPage.tsx',
    group: '订单管理',
    list: '/api/hardware/products',
  },
  {
    path: '/admin/order/versionsOrder',
    title: '版本订单',
    permission: 'orders.list',
    file: 'features/orders/VersionOrdersPage.tsx',
    group: '订单管理',
    list: '/api/orders',
  },
  {
    path: '/admin/order/versionsOrderPrint',
    title: '打印版本订单',
    permission: 'orders.export',
    file: 'features/orders/VersionOrdersPrintPage.tsx',
    group: '订单管理',
    under: '/admin/order/versionsOrder',
  },
  {
    path: '/admin/order/appreciationOrder',
    title: '增值订单',
    permission: 'services.orders',
    file: 'features/services/ServiceOrdersPage.tsx',
    group: '订单管理',
    list: '/api/services/orders',
  },
  {
    path: '/admin/order/msgOrder',
    title: '短信订单',
    permission: 'sms.orders',
    file: 'features/sms/SmsOrdersPage.tsx',
    group: '订单管理',
    list: '/api/sms/orders',
  },
  {
    path: '/admin/order/hardwareOrder',
    title: '硬件订单',
    permission: 'hardware.orders',
    file: 'features/hardware/HardwareOrdersPage.tsx',
    group: '订单管理',
    list: '/api/hardware/orders',
  },
  {
    path: '/admin/tool/order',
    title: '取消订单',
    permission: 'aftersales.cancel',
    file: 'features/aftersales/CancelOrderPage.tsx',
    group: '售后工具',
  },
  {
    path: '/admin/tool/version',
    title: '连锁关联',
    permission: 'aftersales.chain',
    file: 'features/aftersales/ChainPage.tsx',
    group: '售后工具',
  },
  {
    path: '/admin/tool/merchantsToAdjust',
    title: '商户调整',
    permission: 'aftersales.adjust',
    file: 'features/aftersales/AdjustPage.tsx',
    group: '售后工具',
  },
  {
    path: '/admin/tool/delay',
    title: '账户延期',
    permission: 'aftersales.extend',
    file: 'features/aftersales/ExtendPage.tsx',
    group: '售后工具',
  },
  {
    path: '/admin/operations/hardware',
    title: '硬件商品',
    permission: 'hardware.manage',
    file: 'features/hardware/HardwareProductsPage.tsx',
    group: '运营管理',
    list: '/api/hardware/catalogue',
  },
  {
    path: '/admin/operations/outbox',
    title: '短信发件箱',
    permission: 'messages.outbox',
    file: 'features/messages/OutboxPage.tsx',
    group: '运营管理',
    list: '/api/messages/outbox',
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
    path: '/admin/merchant/messageEditing',
    title: '消息编辑',
    permission: 'campaigns.list',
    file: 'features/campaigns/MessageEditingPage.tsx',
    group: '商户管理',
    list: '/api/campaigns',
  },
  {
    path: '/admin/merchant/smsSendLog',
    title: '短信发送记录',
    permission: 'messages.log',
    file: 'features/messages/SendLogPage.tsx',
    group: '商户管理',
    list: '/api/messages/log',
  },
  {
    path: '/admin/merchant/smsForecast',
    title: '短信余量预测',
    permission: 'messages.forecast',
    file: 'features/messages/SmsForecastPage.tsx',
    group: '商户管理',
    list: '/api/messages/forecast',
  },
  {
    path: '/admin/merchant/smsManageError',
    title: '异常短信',
    permission: 'messages.abnormal',
    file: 'features/messages/AbnormalSmsPage.tsx',
    group: '商户管理',
    list: '/api/messages/abnormal',
  },
  {
    path: '/admin/order/msgChanges',
    title: '短信变动订单',
    permission: 'sms.changes',
    file: 'features/sms/SmsChangeOrdersPage.tsx',
    group: '订单管理',
    list: '/api/sms/changes',
  },
  {
    path: '/admin/detail/merchantMsgChanges',
    title: '商户短信变动',
    permission: 'sms.merchantChanges',
    file: 'features/sms/MerchantSmsChangesPage.tsx',
    group: '结算中心',
    list: '/api/sms/merchant-changes',
  },
  {
    path: '/admin/operations/payments',
    title: '支付管理',
    permission: 'payments.manage',
    file: 'features/payments/PaymentsPage.tsx',
    group: '运营管理',
  },
  {
    path: '/admin/operations/consultations',
    title: '官网咨询',
    permission: 'consultations.list',
    file: 'features/consultations/ConsultationsPage.tsx',
    group: '运营管理',
    list: '/api/consultations',
  },
  {
    path: '/admin/operations/content',
    title: '内容管理',
    permission: 'content.manage',
    file: 'features/content/ContentPage.tsx',
    group: '运营管理',
    list: '/api/content',
  },
  {
    path: '/admin/account/msgRecharge',
    title: '短信充值',
    permission: 'payments.sms',
    file: 'features/payments/RechargePage.tsx',
    group: '账户管理',
  },
  {
    path: '/admin/account/notices',
    title: '消息中心',
    permission: 'session',
    file: 'features/notices/NoticesPage.tsx',
    group: '账户管理',
    list: '/api/notices',
  },
  {
    path: '/admin/account/exports',
    title: '导出任务',
    permission: 'session',
    file: 'features/exports/ExportsPage.tsx',
    group: '账户管理',
    list: '/api/exports',
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

/** Pages for people without an account, by the start of their path; each loads without the shell. */
export const PUBLIC_PAGES = [
  { prefix: '/c/', title: '收银台', file: 'features/payments/CashierPage.tsx' },
  { prefix: '/consult', title: '产品咨询', file: 'features/consultations/ConsultPage.tsx' },
] as const

export function publicPageAt(pathname: string): (typeof PUBLIC_PAGES)[number] | null {
  return PUBLIC_PAGES.find(({ prefix }) => pathname.startsWith(prefix)) ?? null
}

/** Groups lead to their first page (D3 §2), one name of the purchase page to the other with its query (D2 §2). */
export const REDIRECTS: Readonly<Record<string, string>> = {
  '/admin': HOME_PATH,
  '/admin/merchant': '/admin/merchant/myMerchant',
  '/admin/account/merchantMsgChanges': '/admin/detail/merchantMsgChanges',
  '/admin/merchant/versionUpdata': '/admin/merchant/versionUp1',
  '/admin/order': '/admin/order/versionsOrder',
  '/admin/tool': '/admin/tool/order',
  '/admin/detail': '/admin/detail/billingDetails',
  '/admin/account': '/admin/account/personalData',
  '/admin/operations': '/admin/operations/agents',
}

/** The page at a path, after redirects; null when there is none. */
export function pageAt(pathname: string): RoutePage | null {
  const plain = pathname.replace(/\/+$/, '')
  const path = REDIRECTS[plain] ?? plain
  return ROUTE_PAGES.find(page => page.path === path) ?? null
}
