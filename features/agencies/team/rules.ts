// Owns who of an agency may change whom and grant what, and what a role and a person look like (D3 §3, §5, §6).
// Must never read a clock or a database.
import { type DataScope, HOME_NODE_ID } from '#features/office/access/rules.ts'
import type { PermissionNode } from '#kit/declare/permission.ts'
import { cleanAccount, cleanPhone, lengthOf } from '#kit/words/cleaned.ts'
import { isPassword } from '#kit/words/password.ts'
import { isMainlandMobile } from '#kit/words/phone.ts'
import { isPlainText } from '#kit/words/plain-text.ts'

export const LIMITS = {
  roleName: 8,
  roleRemark: 20,
  name: 8,
  loginName: 11,
  password: 64,
  wechat: 40,
  remark: 50,
} as const

/** Which of the agency's shops a person sees. */
export const DATA_SCOPES = { all: '全部商户', own: '仅本人负责的商户' } as const satisfies Record<
  DataScope,
  string
>

export const ROLE_REFUSALS = {
  ROLE_NAME_REQUIRED: '请输入角色名称',
  ROLE_NAME_TOO_LONG: `角色名称不得超过${LIMITS.roleName}字`,
  ROLE_NAME_SYMBOLS: '请勿输入特殊字符',
  ROLE_REMARK_TOO_LONG: `角色描述不得超过${LIMITS.roleRemark}字`,
  ROLE_REMARK_SYMBOLS: '请勿输入特殊字符',
  ROLE_NAME_TAKEN: '角色名称已存在',
  ROLE_HELD: '该角色还有员工使用，请先为他们更换角色',
  ROLE_OWN: '不能停用或删除自己的角色',
  ROLE_BEYOND: '该角色的权限多于您的权限，只能由负责人操作',
  GRANT_BEYOND: '不能授予自己没有的权限',
} as const
export type RoleRefusal = keyof typeof ROLE_REFUSALS

export const STAFF_REFUSALS = {
  LOGIN_NAME_REQUIRED: '请输入登录账号',
  LOGIN_NAME_FORMAT: '登录账号格式错误',
  LOGIN_NAME_TAKEN: '账号已存在',
  NAME_REQUIRED: '请输入姓名',
  NAME_TOO_LONG: `姓名不得超过${LIMITS.name}字`,
  NAME_SYMBOLS: '请勿输入特殊字符',
  PASSWORD_REQUIRED: '请输入密码',
  PASSWORD_FORMAT: '密码格式错误',
  ROLE_REQUIRED: '请选择用户角色',
  LABEL_UNKNOWN: '请选择可用的称谓',
  ROLE_UNKNOWN: '该角色不存在，请重新选择',
  ROLE_DISABLED: '该角色已停用，请选择其他角色',
  ROLE_GRANT: '该角色的权限多于您的权限，请选择其他角色',
  MOBILE_REQUIRED: '请输入手机号',
  MOBILE_FORMAT: '请输入正确的手机号',
  WECHAT_TOO_LONG: `微信号不得超过${LIMITS.wechat}字`,
  REMARK_TOO_LONG: `备注不得超过${LIMITS.remark}字`,
  PORTRAIT_UNKNOWN: '头像不存在，请重新上传',
  OWNER_ONLY: '负责人的账号只能由负责人修改',
  STAFF_BEYOND: '该员工的权限多于您的权限，只能由负责人操作',
  SELF_ENDED: '不能停用或删除自己的账号',
  SELF_ROLE: '不能更换自己的角色',
  SELF_SECURED: '请在个人资料中管理自己的密码和登录设备',
  LAST_OWNER: '至少保留一位负责人，不能停用或删除',
  OWNER_ROLE: '负责人拥有全部权限，不需要角色',
  OWNER_SCOPE: '负责人可以看到全部商户，不能限制',
  SCOPE_BEYOND: '您只能看到本人负责的商户，不能授予全部商户',
  SUCCESSOR_REQUIRED: '请选择由谁接手商户',
  SUCCESSOR_UNKNOWN: '请选择同事接手，该员工不存在或已停用',
  PASSWORD_SAME: '新密码与账号相同，容易被猜到',
} as const
export type StaffRefusal = keyof typeof STAFF_REFUSALS

export const ONE_PORTRAIT = '只能上传一张头像'

/** A broken rule and the form's field it belongs to. */
export type FieldRefusal<Code extends string> = { field: string; code: Code }

export type RoleForm = { name: string; remark: string }

/** Broken rules of a role's form in its order (D3 §5). */
export function brokenRole({ name, remark }: RoleForm): FieldRefusal<RoleRefusal>[] {
  const broken: FieldRefusal<RoleRefusal>[] = []
  if (lengthOf(name) === 0) broken.push({ field: 'name', code: 'ROLE_NAME_REQUIRED' })
  else if (lengthOf(name) > LIMITS.roleName) broken.push({ field: 'name', code: 'ROLE_NAME_TOO_LONG' })
  else if (!isPlainText(name)) broken.push({ field: 'name', code: 'ROLE_NAME_SYMBOLS' })
  if (lengthOf(remark) > LIMITS.roleRemark) broken.push({ field: 'remark', code: 'ROLE_REMARK_TOO_LONG' })
  else if (!isPlainText(remark)) broken.push({ field: 'remark', code: 'ROLE_REMARK_SYMBOLS' })
  return broken
}

export type StaffForm = {
  loginName: string
  name: string
  mobile: string
  roleId: number | null
  labelId: number | null
  wechat: string
  remark: string
}

/** Broken rules of a person's form in its order (D3 §5). An owner has no role. */
export function brokenStaff(
  form: StaffForm,
  { isOwner }: { isOwner: boolean },
): FieldRefusal<StaffRefusal>[] {
  const broken: FieldRefusal<StaffRefusal>[] = []
  const loginName = refuseLoginName(form.loginName)
  if (loginName) broken.push({ field: 'loginName', code: loginName })
  if (lengthOf(form.name) === 0) broken.push({ field: 'name', code: 'NAME_REQUIRED' })
  else if (lengthOf(form.name) > LIMITS.name) broken.push({ field: 'name', code: 'NAME_TOO_LONG' })
  else if (!isPlainText(form.name)) broken.push({ field: 'name', code: 'NAME_SYMBOLS' })
  if (form.mobile.trim() === '') broken.push({ field: 'mobile', code: 'MOBILE_REQUIRED' })
  else if (!isMainlandMobile(cleanPhone(form.mobile))) broken.push({ field: 'mobile', code: 'MOBILE_FORMAT' })
  if (form.roleId === null && !isOwner) broken.push({ field: 'roleId', code: 'ROLE_REQUIRED' })
  if (lengthOf(form.wechat) > LIMITS.wechat) broken.push({ field: 'wechat', code: 'WECHAT_TOO_LONG' })
  if (lengthOf(form.remark) > LIMITS.remark) broken.push({ field: 'remark', code: 'REMARK_TOO_LONG' })
  return broken
}

export function refuseLoginName(loginName: string): StaffRefusal | null {
  if (loginName.trim() === '') return 'LOGIN_NAME_REQUIRED'
  return /^\d{4,11}$/.test(cleanAccount(loginName)) ? null : 'LOGIN_NAME_FORMAT'
}

export function refuseNewPassword(password: string, loginName: string): StaffRefusal | null {
  if (password === '') return 'PASSWORD_REQUIRED'
  if (!isPassword(password)) return 'PASSWORD_FORMAT'
  return password === loginName.trim() ? 'PASSWORD_SAME' : null
}

/** Who acts. */
export type Me = { accountId: number; isOwner: boolean; roleId: number | null }
/** Whom it is done to; `isBeyond`: may do what the acting person may not. */
export type Target = { id: number; isOwner: boolean; isBeyond: boolean }
/** end: disabling or deleting; secure: password, sessions, second factor. */
export type StaffDeed = 'edit' | 'end' | 'secure'

/** Why this may not be done to that person, or null. Nobody gets more by changing others than they hold. */
export function refuseTouch(deed: StaffDeed, me: Omit<Me, 'roleId'>, target: Target): StaffRefusal | null {
  const isSelf = me.accountId === target.id
  if (isSelf && deed === 'end') return 'SELF_ENDED'
  if (isSelf && deed === 'secure') return 'SELF_SECURED'
  if (me.isOwner || isSelf) return null
  if (target.isOwner) return 'OWNER_ONLY'
  return target.isBeyond ? 'STAFF_BEYOND' : null
}

/** Why this role may not be changed, or null; `ends`: it is disabled or deleted. */
export function refuseRole(
  me: Me,
  role: { id: number; isBeyond: boolean },
  { ends }: { ends: boolean },
): RoleRefusal | null {
  if (ends && me.roleId === role.id) return 'ROLE_OWN'
  return role.isBeyond && !me.isOwner ? 'ROLE_BEYOND' : null
}

/** Whether these nodes let one do what the holder of `permissions` may not. Nodes that are no more count for nothing. */
export function isBeyond(
  nodes: readonly Pick<PermissionNode, 'id' | 'key'>[],
  nodeIds: readonly number[],
  permissions: ReadonlySet<string>,
): boolean {
  const held = new Set(nodeIds)
  return nodes.some(node => node.id !== HOME_NODE_ID && held.has(node.id) && !permissions.has(node.key))
}

type TreeNode = Pick<PermissionNode, 'id' | 'parentId' | 'path'>

/** Pages and what is done on them; groups of the menu are no right of their own (D3 §6). */
export const isRight = ({ path }: Pick<PermissionNode, 'path'>) => path.startsWith('/')

/** What a role that was ticked so holds: the start page, the pages of its verbs, and no groups; in the order of their ids. */
export function closedNodes(nodes: readonly TreeNode[], ticked: readonly number[]): number[] {
  const byId = new Map(nodes.map(node => [node.id, node]))
  const held = new Set<number>([HOME_NODE_ID])
  for (const id of ticked)
    for (let node = byId.get(id); node; node = byId.get(node.parentId ?? 0))
      if (isRight(node)) held.add(node.id)
  return [...held].sort((a, b) => a - b)
}

/**
 * What is ticked after this node is ticked or cleared: a verb brings its page, a page that goes takes its verbs, a group stands for
 * all below it. The start page stays.
 */
export function ticked(
  nodes: readonly TreeNode[],
  held: ReadonlySet<number>,
  id: number,
  on: boolean,
): ReadonlySet<number> {
  const next = new Set(held)
  const node = nodes.find(one => one.id === id)
  const below = rightsBelow(nodes, id)
  if (on) for (const one of closedNodes(nodes, node && !isRight(node) ? below : [id])) next.add(one)
  else for (const one of [id, ...below]) if (one !== HOME_NODE_ID) next.delete(one)
  return next
}

/** Ids of the rights under a node, at any depth. */
export function rightsBelow(nodes: readonly TreeNode[], id: number): number[] {
  return nodes
    .filter(({ parentId }) => parentId === id)
    .flatMap(child => [...(isRight(child) ? [child.id] : []), ...rightsBelow(nodes, child.id)])
}

/** Titles of operations that are no verbs, as one says that somebody may do them. */
const AS_DEEDS: Readonly<Record<string, string>> = {
  以代理商身份查看: '用代理商的身份查看',
  以员工身份查看: '用员工的身份查看',
  二次验证要求: '修改二次验证要求',
  轮播图排序: '调整轮播图顺序',
  基础数据排序: '调整基础数据顺序',
  代理商充值: '为代理商充值',
  代理商在线收款: '启停代理商的在线收款',
  短信充值下单: '为短信充值下单',
  代币充值下单: '为代币充值下单',
  支付退款: '退回支付的款项',
  支付对账: '核对支付账目',
  账户延期: '延长账户期限',
  版本购买: '购买版本',
  版本购买报价: '查看版本购买报价',
  新增商户报价: '查看新增商户报价',
  批量续费报价: '查看批量续费报价',
  硬件发货: '为硬件订单发货',
  硬件退货: '为硬件订单退货',
  硬件交易完成: '完成硬件交易',
  硬件确认收货: '确认收到硬件',
  撤销审批设置: '设置撤销审批',
  下级划拨: '划拨给下级',
  在线续费退款: '退回在线续费',
  续费跟进: '记录续费跟进',
  申请人成为合作伙伴: '让申请人成为合作伙伴',
  商户回复反馈: '替商户回复反馈',
  商户评价反馈: '替商户评价反馈',
}

export const deedText = (title: string): string => AS_DEEDS[title] ?? title

const may = (titles: readonly string[]) => `可以${[...new Set(titles)].map(deedText).join('、')}`

/** What a node lets one do, in a sentence made of the titles of its operations. */
export function sentenceOf(
  { name, path }: Pick<PermissionNode, 'name' | 'path'>,
  deeds: readonly string[],
): string {
  const others = deeds.filter(deed => deed !== name)
  const isPage = !path.includes('#') && !/^导出/.test(name)
  const opens = isPage
    ? `打开「${name}」`
    : /^查看/.test(name)
      ? name
      : /^读取/.test(name)
        ? may([name])
        : deeds.length === 0
          ? `查看${name}`
          : null
  if (others.length === 0) return opens ?? may([name])
  return opens ? `${opens}，${may(others)}` : may(deeds)
}

/** Where a new role can start from: the keys of its rights, of which it gets those that its maker holds. */
export const PRESETS = {
  manager: {
    name: '店长',
    text: '管商户、订单和短信，看账单和余额；不管员工，不划拨余额',
    keys: [
      ...['dashboard.figures', 'selling.add', 'merchants.list', 'merchants.details', 'merchants.edit'],
      ...['merchants.status', 'merchants.export', 'merchants.overdue', 'merchants.overdueExport'],
      ...['renewals.desk', 'renewals.mark', 'purchases.buy', 'purchases.bulk', 'services.buy'],
      ...['sms.buy', 'sms.gift', 'sms.recall', 'shopAccess.changePhone', 'shopAccess.resetPassword'],
      ...['shopAccess.handOver', 'agentDesk.secondary', 'campaigns.list', 'campaigns.send'],
      ...['messageDesk.log', 'messageDesk.resend', 'messageDesk.forecast', 'orders.list', 'orders.remark'],
      ...['orders.export', 'services.orders', 'services.export', 'smsDesk.orders', 'smsDesk.export'],
      ...['smsDesk.changes', 'smsDesk.merchantChanges', 'hardware.shop', 'hardware.orders'],
      ...['hardware.receive', 'settlement.bills', 'settlement.undo', 'ledger.changes', 'ledger.wallet'],
      ...['payments.sms', 'account.profile'],
    ],
  },
  sales: {
    name: '销售',
    text: '开店、续费和增值，跟进到期商户',
    keys: [
      ...['dashboard.figures', 'selling.add', 'merchants.list', 'merchants.details', 'merchants.edit'],
      ...['merchants.overdue', 'renewals.desk', 'renewals.mark', 'purchases.buy', 'services.buy', 'sms.buy'],
      ...['shopAccess.handOver', 'campaigns.list', 'messageDesk.forecast', 'orders.list', 'orders.remark'],
      ...['services.orders', 'smsDesk.orders', 'account.profile'],
    ],
  },
  service: {
    name: '客服',
    text: '查商户和订单，改资料，重置密码，重发短信；不花钱',
    keys: [
      ...['merchants.list', 'merchants.details', 'merchants.edit', 'merchants.overdue', 'renewals.desk'],
      ...['renewals.mark', 'shopAccess.changePhone', 'shopAccess.resetPassword', 'messageDesk.log'],
      ...['messageDesk.resend', 'messageDesk.forecast', 'orders.list', 'services.orders', 'smsDesk.orders'],
      ...['smsDesk.merchantChanges', 'hardware.orders', 'account.profile'],
    ],
  },
  finance: {
    name: '财务',
    text: '看账单、余额、订单和对账单，可导出，可充值',
    keys: [
      ...['ledger.changes', 'ledger.export', 'ledger.wallet', 'settlement.bills', 'settlement.export'],
      ...['settlement.statement', 'orders.list', 'orders.export', 'services.orders', 'services.export'],
      ...['smsDesk.orders', 'smsDesk.export', 'smsDesk.changes', 'smsDesk.changesExport', 'hardware.orders'],
      ...['hardware.export', 'payments.sms', 'payments.tokens', 'account.profile'],
    ],
  },
} as const satisfies Record<string, { name: string; text: string; keys: readonly string[] }>
