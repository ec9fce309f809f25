// Owns the words of the operation log: modules, what its rows are about, how they ended (D3 §2 Operation log, §3).
// Must never hold a secret's value or say what a change meant: the verb that made it notes that.
import { setting } from '#kit/declare/settings.ts'

/** Months older than that leave the log as archives. The law asks for six at least (网络安全法, article 21). */
export const KEPT_MONTHS = setting({
  key: 'operation-log-kept-months',
  group: '保留期限',
  label: '操作日志',
  unit: '个月',
  initial: 36,
  min: 6,
  max: 240,
  hint: '法律要求至少六个月',
})

/** So long archives are kept behind that; then they go, with all that is personal in them. */
export const ARCHIVED_MONTHS = setting({
  key: 'operation-log-archived-months',
  group: '保留期限',
  label: '操作日志的归档',
  unit: '个月',
  initial: 60,
  min: 1,
  max: 360,
  hint: '自移出操作日志起算',
})

/** Parts of the product as people know them, each with the first words of its operations' paths. */
const MODULES_BY_PATH = {
  session: [
    '登录与安全',
    ['session', 'sessions', 'login', 'password', 'security', 'factors', 'sign-in', 'passkeys'],
  ],
  merchants: [
    '商户',
    [
      'merchants',
      'approvals',
      'documents',
      'verification',
      'payment-applications',
      'application-refusals',
      'acquirer-onboardings',
      'acquiring-progress',
      'owner-papers',
      'shop-imports',
    ],
  ],
  programs: [
    '小程序',
    [
      'program-applications',
      'program-categories',
      'program-flow',
      'program-profile',
      'program-versions',
      'release-trains',
    ],
  ],
  orders: ['订单', ['orders', 'purchases', 'versions']],
  catalogue: [
    '版本与价格',
    [
      'catalogue',
      'prices',
      'price-reviews',
      'discounts',
      'agent-levels',
      'agent-level-changes',
      'price-campaigns',
    ],
  ],
  services: ['增值服务', ['services']],
  hardware: ['硬件', ['hardware']],
  sms: ['短信', ['sms', 'messages', 'campaigns']],
  payments: ['支付', ['payments', 'cashier', 'deposits']],
  settlement: ['结算', ['settlement', 'wallet', 'margins', 'insights']],
  renewals: ['续费跟进', ['renewals']],
  shopPages: ['门店首页', ['shop-pages']],
  pos: ['收银系统', ['v1']],
  tools: ['售后工具', ['tools']],
  team: [
    '角色与员工',
    [
      'roles',
      'staff',
      'team',
      'accounts',
      'view-as',
      'api-keys',
      'api-keys-tree',
      'compat-access',
      'webhooks',
      'webhook-deliveries',
    ],
  ],
  agents: [
    '代理商',
    ['agents', 'agent-profile', 'agency-exports', 'invitations', 'partner-applications', 'partner-closings'],
  ],
  content: [
    '内容与反馈',
    ['content', 'help', 'downloads', 'feedback', 'threads', 'consultations', 'demands', 'work-orders'],
  ],
  prints: ['打印模板', ['label-templates', 'label-batch-templates', 'receipt-templates', 'receipt-groups']],
  reference: ['基础数据', ['reference', 'regions']],
  settings: ['个人设置', ['views', 'columns', 'notices', 'dashboard', 'profile']],
  inbox: ['待办', ['inbox']],
  personErasures: ['个人信息', ['person-erasures']],
  setup: ['开始使用', ['setup']],
  files: ['文件', ['files', 'exports', 'operation-log']],
} as const satisfies Readonly<Record<string, readonly [label: string, paths: readonly string[]]>>
export type Module = keyof typeof MODULES_BY_PATH | 'other'

const OTHER = '其他'
export const MODULES = {
  ...(Object.fromEntries(
    Object.entries(MODULES_BY_PATH).map(([module, [label]]) => [module, label]),
  ) as Record<keyof typeof MODULES_BY_PATH, string>),
  other: OTHER,
}

const KNOWN: readonly (readonly [Module, readonly string[]])[] = Object.entries(MODULES_BY_PATH).map(
  ([module, [, paths]]) => [module as Module, paths] as const,
)

/** The module of an operation, by the first word of its path. */
export function moduleOf(path: string): Module {
  return KNOWN.find(([, paths]) => paths.includes(path))?.[0] ?? 'other'
}

/** The first words of the paths of a module's operations; of "other" those that are not meant. */
export function pathsOf(module: Module): { paths: readonly string[]; without: boolean } {
  const known = KNOWN.find(([key]) => key === module)
  return known
    ? { paths: known[1], without: false }
    : { paths: KNOWN.flatMap(([, paths]) => paths), without: true }
}

/** What has a history, by the kind that `ctx.object` names. */
export const OBJECT_KINDS = {
  merchant: '商户',
  order: '订单',
  batch: '批量续费',
  account: '员工账号',
  role: '角色',
  apiKey: '接口密钥',
  webhook: '回调地址',
  agent: '代理商',
  product: '硬件商品',
  version: '软件版本',
  setting: '设置',
  reference: '基础数据',
  content: '内容',
  help: '帮助文章',
  download: '下载文件',
  campaign: '短信群发',
  message: '短信',
  payment: '支付',
  callback: '支付通知',
  feedback: '反馈',
  thread: '商户反馈',
  consultation: '官网咨询',
  demand: '需求',
  workOrder: '工单',
  printTemplate: '打印模板',
  receiptGroup: '小票信息分组',
  approval: '审批申请',
  shopImport: '店铺导入',
  tableClearing: '数据清空',
  document: '证件资料',
  verification: '实名资料',
  paymentApplication: '支付申请',
  programApplication: '小程序申请',
  releaseTrain: '小程序分批发布',
  refusalCause: '驳回原因',
  deposit: '押金',
  acquirerOnboarding: '收单进件',
  application: '合作申请',
  erasure: '个人信息删除',
  view: '列表视图',
  file: '文件',
} as const
export type ObjectKind = keyof typeof OBJECT_KINDS

/** What people read leaves no row; what a program reads with an API key does. */
export const OUTCOMES = { done: '成功', refused: '未成功', read: '读取' } as const

export type Change = { name: string; before: string | null; after: string | null }

/** One change in a sentence, for lists and files. */
export function changeText({ name, before, after }: Change): string {
  const to = after || '空'
  return before === null ? `${name}：${to}` : `${name}：${before || '空'} → ${to}`
}

const SHOWN_CHARS = 160

/** What was changed, in a line of a list. */
export function summaryOf(changes: readonly Change[]): string {
  const text = changes.map(changeText).join('；')
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text
}
