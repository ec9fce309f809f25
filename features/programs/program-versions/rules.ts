// Owns which template a mini program's code comes from, what is declared for it, what must stand before an audit, the states of an audit, how
// often one may be withdrawn, and what can be done when (D2 §4, §9). Must never read a clock or a database.

import type { ProgramType } from '#features/programs/program-applications/rules.ts'
import type { FlowState } from '#features/programs/program-flow/rules.ts'
import { type Machine, nextState } from '#kit/declare/machine.ts'
import { cleanLine, cleanLines, lengthOf } from '#kit/words/cleaned.ts'

export const AUDIT_STATES = {
  reviewing: '审核中',
  delayed: '审核延后',
  refused: '审核未通过',
  withdrawn: '已撤回',
  passed: '审核通过',
  released: '已发布',
} as const
export type AuditState = keyof typeof AUDIT_STATES
export const AUDIT_STATE_KEYS = Object.keys(AUDIT_STATES) as [AuditState, ...AuditState[]]

export const AUDIT_STEPS = {
  delay: { from: ['reviewing'], to: 'delayed', by: ['provider'] },
  pass: { from: ['reviewing', 'delayed'], to: 'passed', by: ['provider'] },
  refuse: { from: ['reviewing', 'delayed'], to: 'refused', by: ['provider'] },
  withdraw: { from: ['reviewing', 'delayed'], to: 'withdrawn', by: ['provider'] },
  release: { from: ['passed'], to: 'released', by: ['provider'] },
} as const satisfies Machine<AuditState>
export type AuditStep = keyof typeof AUDIT_STEPS
export const auditTakes = (state: AuditState, step: AuditStep) =>
  nextState<AuditState, AuditStep>(AUDIT_STEPS, state, step) !== null
export const isOpen = (state: AuditState | null) => state === 'reviewing' || state === 'delayed'

/** By what the platform says of an audit; null: nothing has changed. */
export const STEP_OF_ANSWER = {
  passed: 'pass',
  refused: 'refuse',
  withdrawn: 'withdraw',
  delayed: 'delay',
  reviewing: null,
} as const satisfies Record<string, AuditStep | null>

/** What is asked of the platform, one at a time for a mini program. */
export const DEEDS = {
  read: '读取版本信息',
  commit: '设置代码',
  domains: '设置服务器域名',
  privacy: '设置隐私保护指引',
  submit: '提交代码审核',
  withdraw: '撤回审核',
  speedUp: '加急审核',
  release: '发布',
  rollBack: '回退版本',
} as const
export type Deed = keyof typeof DEEDS
export const DEED_KEYS = Object.keys(DEEDS) as [Deed, ...Deed[]]

/** What the vendor's templates are tagged with in their description. */
export const TEMPLATE_TAGS = ['minApp', 'order', 'scan', 'education'] as const
export type TemplateTag = (typeof TEMPLATE_TAGS)[number]

/** D2 §9; null: no template is documented for this kind. */
export function templateTagOf(type: ProgramType | null): TemplateTag | null {
  switch (type) {
    case 'scanOrder':
      return 'order'
    case 'scanBuy':
      return 'scan'
    case 'artTraining':
      return 'education'
    case 'boardGames':
      return null
    default:
      return 'minApp'
  }
}

/** Those of a tag, the newest first. */
export const templatesFor = <T extends { templateId: number; description: string; createdAt: string }>(
  templates: readonly T[],
  tag: TemplateTag | null,
): T[] =>
  templates
    .filter(({ description }) => description.split(/[\s,，;；]+/).includes(tag ?? ''))
    .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt) || b.templateId - a.templateId)

/** What is used of a person by the platform's keys, and what for. */
export const PRIVACY_USES: Readonly<Record<string, { label: string; purpose: string }>> = {
  UserInfo: { label: '微信昵称与头像', purpose: '用于展示会员资料' },
  Location: { label: '位置信息', purpose: '用于查找附近门店与计算配送距离' },
  Address: { label: '收货地址', purpose: '用于配送商品' },
  Invoice: { label: '发票信息', purpose: '用于开具发票' },
  PhoneNumber: { label: '手机号', purpose: '用于注册会员与联系取餐、配送' },
  Contact: { label: '通讯录', purpose: '用于填写收货人' },
  Record: { label: '麦克风', purpose: '用于语音搜索' },
  Album: { label: '选中的照片或视频', purpose: '用于上传评价与售后图片' },
  AlbumWriteOnly: { label: '相册（仅写入）', purpose: '用于保存海报与小程序码' },
  Camera: { label: '摄像头', purpose: '用于扫描桌码与商品条码' },
  BlueTooth: { label: '蓝牙', purpose: '用于连接门店设备' },
  DeviceInfo: { label: '设备信息', purpose: '用于保障交易安全' },
  EXOrderInfo: { label: '订单信息', purpose: '用于查询与处理订单' },
  EXUserPublishContent: { label: '发布的内容', purpose: '用于展示评价' },
  Clipboard: { label: '剪切板', purpose: '用于复制订单号与券码' },
}

/** The declaration of what the code uses; `unknown`: keys for which nobody has said what they are used for. */
export function declarationOf(used: readonly string[]): {
  uses: { key: string; purpose: string }[]
  unknown: string[]
} {
  const isKnown = (key: string) => Object.hasOwn(PRIVACY_USES, key)
  return {
    uses: used.filter(isKnown).map(key => ({ key, purpose: PRIVACY_USES[key]?.purpose ?? '' })),
    unknown: used.filter(key => !isKnown(key)),
  }
}

type ProgramDomains = Readonly<Record<'request' | 'socket' | 'upload' | 'download', string[]>>

/** Where the code calls: our own public address, which the platform wants with TLS. */
export function domainsWanted(baseUrl: string): ProgramDomains {
  const { host } = new URL(baseUrl)
  const one = [`https://${host}`]
  return { request: one, socket: [`wss://${host}`], upload: one, download: one }
}
const PARTS = ['request', 'socket', 'upload', 'download'] as const
export const lacksDomains = (standing: ProgramDomains, wanted: ProgramDomains) =>
  PARTS.some(part => wanted[part].some(domain => !standing[part].includes(domain)))
/** What stands stays: the owner may have set more. */
export function domainsWith(standing: ProgramDomains, wanted: ProgramDomains): ProgramDomains {
  const both = PARTS.map(part => [part, [...new Set([...standing[part], ...wanted[part]])]])
  return Object.fromEntries(both) as ProgramDomains
}

export type KnownPrivacy = {
  state: 'none' | 'checking' | 'done'
  withoutLeave: readonly string[]
  withoutDeclaration: readonly string[]
}
type StandingVersion = { version: string; description: string; at: string }
/** What stands at the platform, as it was read last, in the words of its port. */
export type Known = {
  info: { nickName: { value: string }; headImage: { url: string }; signature: { value: string } }
  /** That an audit may name. */
  categories: readonly {
    firstId: number
    firstName: string
    secondId: number
    secondName: string
    thirdId: number | null
    thirdName: string | null
  }[]
  domains: ProgramDomains
  privacy: KnownPrivacy
  trial: StandingVersion | null
  live: StandingVersion | null
  /** Before the live one, which it can go back to. */
  releases: readonly (Pick<StandingVersion, 'version' | 'description'> & {
    appVersion: number
    committedAt: string | null
  })[]
  quota: { left: number; limit: number; speedUpsLeft: number; speedUpLimit: number }
}

const versionText = (one: Pick<StandingVersion, 'version' | 'description'> | null) =>
  one === null ? '' : [one.version, one.description].filter(part => part !== '').join(' ')
/** With their descriptions: what users have, and what is set and not released; empty where there is none. */
export function versionsOf({ live, trial }: Pick<Known, 'live' | 'trial'>) {
  const isNew = trial !== null && trial.version !== live?.version
  return { liveVersion: versionText(live), newVersion: isNew ? versionText(trial) : '' }
}

export const CHECKS = {
  name: '名称',
  headImage: '头像',
  intro: '简介',
  category: '类目',
  code: '代码',
  privacy: '隐私保护指引',
  domains: '服务器域名',
} as const
export type CheckKey = keyof typeof CHECKS
/** Which button mends it: the flow's data, the code, the declaration, the domains, or reading again. */
export type Mend = 'profile' | 'code' | 'privacy' | 'domains' | 'read'
export type Check = { key: CheckKey; isGreen: boolean; words: string; mend: Mend | null }

/** What an audit would be refused for, before it costs one (D2 §8's words). `version`: of the code that was committed; empty: none. */
export function preflightOf(known: Known, version: string, wanted: ProgramDomains): Check[] {
  const { info, categories, domains, privacy, trial } = known
  const one = (key: CheckKey, isGreen: boolean, words: string, wrong: string, mend: Mend): Check => ({
    ...{ key, isGreen, words: isGreen ? words : wrong, mend: isGreen ? null : mend },
  })
  const hasCode = version !== '' && trial !== null
  return [
    one('name', info.nickName.value !== '', info.nickName.value, '名称在审核中或者没有审核通过', 'profile'),
    one('headImage', info.headImage.url !== '', '已设置', '头像没有提交审核或没有审核通过', 'profile'),
    one(
      'intro',
      info.signature.value !== '',
      info.signature.value,
      '简介没有提交审核或没有审核通过',
      'profile',
    ),
    one(
      'category',
      categories.length > 0,
      categories.map(({ firstName, secondName }) => `${firstName} / ${secondName}`).join('、'),
      '类目没有提交审核或者没有审核通过',
      'profile',
    ),
    one(
      'code',
      hasCode && trial.version === version,
      `体验版 ${version}`,
      hasCode ? `体验版是 ${trial.version}，不是设置的 ${version}` : '还没有设置小程序代码',
      'code',
    ),
    one('privacy', privacyTrouble(privacy) === null, '已声明', ...(privacyTrouble(privacy) ?? SOUND)),
    one('domains', !lacksDomains(domains, wanted), '已设置', '缺少小程序要访问的服务器域名', 'domains'),
  ]
}

const SOUND: [string, Mend] = ['', 'read']
const named = (keys: readonly string[]) => keys.map(key => PRIVACY_USES[key]?.label ?? key).join('、')
function privacyTrouble({ state, withoutLeave, withoutDeclaration }: KnownPrivacy): [string, Mend] | null {
  if (state === 'none') return ['设置代码后才能检测', 'code']
  if (state === 'checking') return ['微信正在检测代码使用的隐私接口，请稍后再查看', 'read']
  if (withoutDeclaration.length > 0) return [`没有声明：${named(withoutDeclaration)}`, 'privacy']
  if (withoutLeave.length > 0) return [`没有接口权限：${named(withoutLeave)}，请联系平台管理员申请`, 'read']
  return null
}

/** Null: all is green. */
export function redText(checks: readonly Check[]): string | null {
  const red = checks.filter(({ isGreen }) => !isGreen)
  if (red.length === 0) return null
  return `自检未通过：${red.map(({ key, words }) => `${CHECKS[key]}（${words}）`).join('；')}`
}

export const LIMITS = {
  withdrawalsADay: 5,
  withdrawalsAMonth: 10,
  feedback: 200,
  wechatLeast: 2,
  wechat: 50,
  screenshots: 5,
  /** Rounds that are claimed at once. */
  atOnce: 10,
  claimSeconds: 120,
  lookSeconds: 5,
} as const

export const VERSION_REFUSALS = {
  NOT_NOW: '该小程序当前的进度不能进行此操作，请刷新后查看',
  NOT_AUTHORIZED: '客户的授权已失效，请先重新授权',
  BUSY: '正在等待微信答复，请稍后再操作',
  NOT_CONNECTED: '还没有连接微信第三方平台，请联系平台管理员',
  NO_TEMPLATE: '该类别没有对应的代码模板，请联系平台管理员',
  NOT_READY: '自检未通过，请先处理标红的项目',
  OTHER_AUDIT: '审核单已变化，请刷新后查看',
  WITHDRAWN_TODAY: `今天已撤回${LIMITS.withdrawalsADay}次，请明天再撤回`,
  WITHDRAWN_THIS_MONTH: `本月已撤回${LIMITS.withdrawalsAMonth}次，请等待审核结果`,
  NO_AUDIT_LEFT: '本月提交审核的次数已用完，请平台管理员购买或申请提审额度，或下月再提交',
  NO_SPEED_UP_LEFT: '加急次数已用完，请等待审核结果',
  SPED_UP_ALREADY: '该审核单已加急，请等待审核结果',
  NOT_PASSED: '审核状态未满足发布，请等待审核通过后再发布',
  NOT_A_RELEASE: '该版本不能回退，请刷新后查看',
  FEEDBACK_TOO_LONG: `给审核人员的说明不得超过${LIMITS.feedback}字`,
  WECHAT_REQUIRED: '请输入体验者的微信号',
  WECHAT_WRONG: '微信号不正确，请输入微信号或绑定的手机号，不是昵称',
  TESTER_GONE: '该体验者已不在名单中，请刷新后查看',
  PLATFORM_SILENT: '微信没有答复，请稍后重试',
  PLATFORM_REFUSED: '微信拒绝了请求',
} as const
export type VersionRefusal = keyof typeof VERSION_REFUSALS

export const refuseFeedback = (text: string): VersionRefusal | null =>
  lengthOf(cleanLines(text)) > LIMITS.feedback ? 'FEEDBACK_TOO_LONG' : null

/** What the platform finds a person by: a number of their own, or a mobile number. */
const WECHAT = /^[A-Za-z0-9][\w-]*$/
export function refuseWechat(typed: string): VersionRefusal | null {
  const wechat = cleanLine(typed)
  if (wechat === '') return 'WECHAT_REQUIRED'
  const isRight = WECHAT.test(wechat) && wechat.length >= LIMITS.wechatLeast && wechat.length <= LIMITS.wechat
  return isRight ? null : 'WECHAT_WRONG'
}

export type Withdrawals = { today: number; thisMonth: number }
export const refuseWithdrawal = ({ today, thisMonth }: Withdrawals): VersionRefusal | null =>
  thisMonth >= LIMITS.withdrawalsAMonth
    ? 'WITHDRAWN_THIS_MONTH'
    : today >= LIMITS.withdrawalsADay
      ? 'WITHDRAWN_TODAY'
      : null

/** In which of the flow's states code can be set; in the last it is an upgrade. */
export const maySetCode = (state: FlowState) => state === 'code' || state === 'released'
/** The board is shown from here on. */
export const hasBoard = (state: FlowState) => state === 'inAudit' || maySetCode(state)

/** What can be pressed; the rest is refused in words. */
export type May = Record<'setCode' | 'submit' | 'withdraw' | 'speedUp' | 'release' | 'rollBack', boolean>
export function mayOf(
  state: FlowState,
  audit: { state: AuditState; isSpedUp: boolean } | null,
  { hasCode, releases }: { hasCode: boolean; releases: number },
): May {
  const isInAudit = audit !== null && isOpen(audit.state)
  return {
    setCode: maySetCode(state),
    submit: state === 'code' && hasCode,
    withdraw: isInAudit,
    speedUp: isInAudit && audit.state === 'reviewing' && !audit.isSpedUp,
    release: audit?.state === 'passed',
    rollBack: releases > 0,
  }
}

/** Seconds until an audit that is open is asked about, where nothing is told. */
export const POLL_SECONDS = 10 * 60
export const PRIVACY_SECONDS = 5
