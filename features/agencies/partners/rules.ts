// Owns what the operator takes a partner on with, what is refused of it, and how long an invitation holds. Pure.
// Must never read a clock or a database.
import { LIMITS as LEDGER_LIMITS } from '#features/money/ledger/rules.ts'
import { type AccountFormat, AGENT_STEPS, type AgentStatus } from '#features/office/agents/rules.ts'
import { nextState } from '#kit/declare/machine.ts'
import { formatCount } from '#kit/money.ts'
import type { PayChannelName } from '#kit/ports/channels.ts'
import { cleanAccount, cleanPhone, lengthOf } from '#kit/words/cleaned.ts'
import { isMainlandMobile } from '#kit/words/phone.ts'
import { isPlainText } from '#kit/words/plain-text.ts'

export const LIMITS = { companyName: 40, contactName: 20, ownerName: 8, reason: 50 } as const
/** Partners stand under partners, and those under the vendor: at most so many, one below the other. */
const LEVELS_MAX = 3

/** Which account numbers its shops may have (D1 §5). */
export const ACCOUNT_FORMAT_WORDS = {
  standard: '标准：手机号',
  long: '6 至 9 位数字',
  any: '4 至 11 位数字',
} as const satisfies Record<AccountFormat, string>

export const PARTNER_REFUSALS = {
  COMPANY_REQUIRED: '请输入公司名称',
  COMPANY_TOO_LONG: `公司名称不得超过${LIMITS.companyName}字`,
  COMPANY_SYMBOLS: '公司名称请勿输入特殊字符',
  COMPANY_TAKEN: '该公司已是合作伙伴',
  LEVEL_UNKNOWN: '请选择等级',
  PARENT_UNKNOWN: '请选择上级',
  PARENT_VENDOR: '厂商不能作为上级，请留空',
  PARENT_CLOSED: '上级已停用，请选择其他上级',
  PARENT_SUSPENDED: '上级已暂停，请选择其他上级',
  PARENT_DEPTH: `合作伙伴最多${LEVELS_MAX}级，请选择其他上级`,
  PARENT_LOOP: '上级不能是自己或自己的下级',
  REGION_UNKNOWN: '请选择省市区',
  CONTACT_REQUIRED: '请输入联系人',
  CONTACT_SYMBOLS: '联系人请勿输入特殊字符',
  CONTACT_TOO_LONG: `联系人不得超过${LIMITS.contactName}字`,
  MOBILE_FORMAT: '请输入正确的手机号',
  METHOD_UNKNOWN: '支付方式不存在，请重新选择',
  CONTRACT_ORDER: '合同结束日期不能早于开始日期',
  FLAG_OPERATOR: '只有运营商可以设置厂商员工',
  OWNER_LOGIN_REQUIRED: '请输入登录账号',
  OWNER_LOGIN_FORMAT: '登录账号格式错误',
  OWNER_LOGIN_TAKEN: '账号已存在',
  OWNER_NAME_REQUIRED: '请输入姓名',
  OWNER_NAME_SYMBOLS: '姓名请勿输入特殊字符',
  OWNER_NAME_TOO_LONG: `姓名不得超过${LIMITS.ownerName}字`,
  OWNER_MOBILE_FORMAT: '请输入正确的手机号',
  TOKENS_FORMAT: '数额格式错误',
  TOKENS_TOO_LARGE: `开户代币不得超过${formatCount(LEDGER_LIMITS.creditMax.token / 1_000_000)}万`,
} as const
export type PartnerRefusal = keyof typeof PARTNER_REFUSALS

export const SUSPENSION_REFUSALS = {
  SUSPENDED_ALREADY: '该合作伙伴不是正常状态，不能暂停',
  NOT_SUSPENDED: '该合作伙伴没有暂停',
  SUSPEND_VENDOR: '厂商自己的公司不能暂停',
  SUSPEND_REASON_REQUIRED: '请输入暂停原因，对方会看到',
  SUSPEND_REASON_TOO_LONG: `暂停原因不得超过${LIMITS.reason}字`,
} as const
export type SuspensionRefusal = keyof typeof SUSPENSION_REFUSALS

type Standing = { status: AgentStatus; isOperator: boolean; isVendorStaff: boolean }

/** Why this agency is not suspended, or null. */
export function refuseSuspension({ status, isOperator, isVendorStaff }: Standing): SuspensionRefusal | null {
  if (isOperator || isVendorStaff) return 'SUSPEND_VENDOR'
  return nextState(AGENT_STEPS, status, 'suspend') === null ? 'SUSPENDED_ALREADY' : null
}

export function refuseResuming(status: AgentStatus): SuspensionRefusal | null {
  return nextState(AGENT_STEPS, status, 'resume') === null ? 'NOT_SUSPENDED' : null
}

export function refuseSuspensionReason(reason: string): SuspensionRefusal | null {
  if (reason.trim() === '') return 'SUSPEND_REASON_REQUIRED'
  return lengthOf(reason) > LIMITS.reason ? 'SUSPEND_REASON_TOO_LONG' : null
}

export type Channels = Readonly<Record<PayChannelName, boolean | null>>
/** What the operator says of a partner; days as YYYY-MM-DD, null: none. */
export type Terms = {
  companyName: string
  levelId: number | null
  parentId: number | null
  districtCode: string
  contactName: string
  mobile: string
  accountFormat: AccountFormat
  isVendorStaff: boolean
  hasFullMenu: boolean
  payEnabled: boolean
  contractFrom: string | null
  contractTo: string | null
}
export type OwnerForm = { ownerLoginName: string; ownerName: string; ownerMobile: string }
export type Broken = { field: string; code: PartnerRefusal }

/** Broken rules of a partner's terms, in the order of the form. */
export function brokenTerms(terms: Terms): Broken[] {
  const broken: Broken[] = []
  const company = refuseCompany(terms.companyName)
  if (company) broken.push({ field: 'companyName', code: company })
  if (terms.levelId === null) broken.push({ field: 'levelId', code: 'LEVEL_UNKNOWN' })
  if (lengthOf(terms.contactName) === 0) broken.push({ field: 'contactName', code: 'CONTACT_REQUIRED' })
  else if (lengthOf(terms.contactName) > LIMITS.contactName)
    broken.push({ field: 'contactName', code: 'CONTACT_TOO_LONG' })
  else if (!isPlainText(terms.contactName)) broken.push({ field: 'contactName', code: 'CONTACT_SYMBOLS' })
  if (!isMainlandMobile(cleanPhone(terms.mobile))) broken.push({ field: 'mobile', code: 'MOBILE_FORMAT' })
  const { contractFrom: from, contractTo: to } = terms
  if (from !== null && to !== null && to < from) broken.push({ field: 'contractTo', code: 'CONTRACT_ORDER' })
  return broken
}

function refuseCompany(name: string): PartnerRefusal | null {
  if (lengthOf(name) === 0) return 'COMPANY_REQUIRED'
  if (lengthOf(name) > LIMITS.companyName) return 'COMPANY_TOO_LONG'
  return isPlainText(name.trim()) ? null : 'COMPANY_SYMBOLS'
}

/** Broken rules of the first account. */
export function brokenOwner(owner: OwnerForm): Broken[] {
  const broken: Broken[] = []
  const loginName = cleanAccount(owner.ownerLoginName)
  if (loginName === '') broken.push({ field: 'ownerLoginName', code: 'OWNER_LOGIN_REQUIRED' })
  else if (!/^\d{4,11}$/.test(loginName)) broken.push({ field: 'ownerLoginName', code: 'OWNER_LOGIN_FORMAT' })
  if (lengthOf(owner.ownerName) === 0) broken.push({ field: 'ownerName', code: 'OWNER_NAME_REQUIRED' })
  else if (lengthOf(owner.ownerName) > LIMITS.ownerName)
    broken.push({ field: 'ownerName', code: 'OWNER_NAME_TOO_LONG' })
  else if (!isPlainText(owner.ownerName)) broken.push({ field: 'ownerName', code: 'OWNER_NAME_SYMBOLS' })
  if (!isMainlandMobile(cleanPhone(owner.ownerMobile)))
    broken.push({ field: 'ownerMobile', code: 'OWNER_MOBILE_FORMAT' })
  return broken
}

/** In 1/100; 0: none. */
export function refuseTokens(tokenCents: number): PartnerRefusal | null {
  if (!Number.isSafeInteger(tokenCents) || tokenCents < 0) return 'TOKENS_FORMAT'
  return tokenCents > LEDGER_LIMITS.creditMax.token ? 'TOKENS_TOO_LARGE' : null
}

type Parent = {
  id: number
  status: AgentStatus
  isVendor: boolean
  parentId: number | null
  grandparentId: number | null
}

/** Why nobody, or not this partner, stands under that one. `self`: who is there already, with the levels below it. */
export function refuseParent(
  parent: Parent | undefined,
  self: { id: number; depthBelow: number } | null = null,
): PartnerRefusal | null {
  if (!parent) return 'PARENT_UNKNOWN'
  const line = [parent.id, parent.parentId, parent.grandparentId]
  if (self !== null && line.includes(self.id)) return 'PARENT_LOOP'
  if (parent.isVendor) return 'PARENT_VENDOR'
  if (parent.status !== 'active') return parent.status === 'closed' ? 'PARENT_CLOSED' : 'PARENT_SUSPENDED'
  const levelsAbove = line.filter(id => id !== null).length
  return levelsAbove + 1 + (self?.depthBelow ?? 0) > LEVELS_MAX ? 'PARENT_DEPTH' : null
}

export const MOVE_REFUSALS = {
  PARENT_SAME: '上级没有变化',
  MOVED_CLOSED: '已停用的合作伙伴不能调整上级',
  MOVED_VENDOR: '厂商自己的公司没有上级',
} as const
export type MoveRefusal = keyof typeof MOVE_REFUSALS

/** Why an agent stays where it is, whatever the other parent; null where it may move. */
export function refuseMoving(
  { status, isOperator, isVendorStaff, parentId }: Standing & { parentId: number | null },
  wanted: number | null,
): MoveRefusal | null {
  if (isOperator || isVendorStaff) return 'MOVED_VENDOR'
  if (status === 'closed') return 'MOVED_CLOSED'
  return parentId === wanted ? 'PARENT_SAME' : null
}

export type Move = {
  companyName: string
  /** Null: right under the vendor. */
  before: string | null
  after: string | null
  shops: number
  /** Right under the one that moves, and theirs below them. */
  children: number
}
export type MoveEffect = { whom: string; effect: string }

/** What another parent changes for whom, in words: who stands above sees those right below, and nobody below those. */
export function effectsOfMove({ companyName, before, after, shops, children }: Move): MoveEffect[] {
  const seen = `「${companyName}」的余额、商户数和 ${shops} 家商户`
  return [
    ...(before === null
      ? []
      : [{ whom: `原上级 ${before}`, effect: `不再看到${seen}，也不能再向其划拨代币；以前的划拨记录保留` }]),
    ...(after === null
      ? [{ whom: '厂商', effect: `「${companyName}」成为厂商直属，没有其他合作伙伴看到它` }]
      : [{ whom: `新上级 ${after}`, effect: `可以看到${seen}（商户仅供查看），并向其划拨代币` }]),
    { whom: companyName, effect: '等级、折扣、价格、余额、商户和对商户的售价都不变' },
    ...(children === 0
      ? []
      : [{ whom: `下级 ${children} 家`, effect: `随「${companyName}」一起调整，仍只由各自的上级看到` }]),
  ]
}

export const INVITATION_HOURS = 72
export const INVITE_PREFIX = '/invite/'

/** Who opens the address of an invitation is told one of these and no more. */
export const INVITATION_REFUSALS = {
  INVITATION_UNKNOWN: '邀请链接无效，请检查链接是否完整',
  INVITATION_EXPIRED: '邀请链接已过期，请联系厂商重新发送',
  INVITATION_USED: '邀请链接已使用，请直接登录',
  INVITATION_REVOKED: '邀请已撤回或已被新的邀请替换，请使用最新的链接',
} as const
export type InvitationRefusal = keyof typeof INVITATION_REFUSALS

export const INVITATION_STATES = {
  open: '待接受',
  accepted: '已接受',
  expired: '已过期',
  revoked: '已撤回',
} as const
export type InvitationState = keyof typeof INVITATION_STATES
export const INVITATION_STATE_KEYS = Object.keys(INVITATION_STATES) as InvitationState[]

type Invitation = { expiresAt: string; acceptedAt: string | null; revokedAt: string | null }

export function invitationState(invitation: Invitation, nowMs: number): InvitationState {
  if (invitation.acceptedAt !== null) return 'accepted'
  if (invitation.revokedAt !== null) return 'revoked'
  return Date.parse(invitation.expiresAt) <= nowMs ? 'expired' : 'open'
}

const UNUSABLE: Record<InvitationState, InvitationRefusal | null> = {
  open: null,
  accepted: 'INVITATION_USED',
  expired: 'INVITATION_EXPIRED',
  revoked: 'INVITATION_REVOKED',
}

/** Why nobody is let in by this invitation. */
export function refuseInvitation(
  invitation: Invitation | undefined,
  nowMs: number,
): InvitationRefusal | null {
  return invitation ? UNUSABLE[invitationState(invitation, nowMs)] : 'INVITATION_UNKNOWN'
}

export const INVITING_REFUSALS = {
  OWNER_HERE: '负责人已设置密码，无需再邀请',
  NOTHING_OPEN: '没有待接受的邀请',
  INVITED_TOO_SOON: '刚刚邀请过，请1分钟后再试',
  OWNER_AWAY: '负责人还没有设置密码，请使用邀请链接',
  RESET_VENDOR: '厂商自己的账号不能用链接重设密码，请在员工管理中办理',
  LINK_OTHERS: '链接只给发出邀请的人看，请重发邀请，用自己的链接',
} as const
export const INVITE_AGAIN_SECONDS = 60
