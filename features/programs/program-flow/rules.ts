// Owns where a shop's mini program stands on its way from an approved application to its release, by the documents' numbers, what comes next, whose
// turn it is, what is refused and when the platform is asked again (D2 §4, §5; D3 §3). Must never read a clock or a database.
import {
  type BrokenField,
  brokenTexts,
  type FlowNumbers,
  STEP_REFUSALS,
} from '#features/programs/program-applications/rules.ts'
import { type Machine, nextState } from '#kit/declare/machine.ts'
import { cleanLines, lengthOf } from '#kit/words/cleaned.ts'

export const FLOW_STATES = {
  review: '资料审核中',
  toCreate: '待创建',
  creating: '创建提交中',
  faceCheck: '等待法人核身',
  creationRefused: '创建未通过',
  toAuthorize: '等待客户授权',
  toTakeOver: '等待客户授权',
  authorized: '待核实授权',
  profile: '待提交资料',
  code: '待设置代码',
  inAudit: '代码审核中',
  released: '已完成',
} as const
export type FlowState = keyof typeof FLOW_STATES
export const FLOW_STATE_KEYS = Object.keys(FLOW_STATES) as [FlowState, ...FlowState[]]

/**
 * Every transition of D2 §4. Creating is what lies between a press and the platform's answer, and a refused creation what the platform said no to:
 * to the documents both are the step in which they happen.
 */
export const FLOW_STEPS = {
  /** Of the application: staff have reviewed it. */
  review: { from: ['review'], to: 'toCreate', by: ['programApplications.decide'] },
  create: { from: ['toCreate', 'creationRefused'], to: 'creating', by: ['programFlow.edit'] },
  accept: { from: ['creating'], to: 'faceCheck', by: ['provider'] },
  refuse: { from: ['creating', 'faceCheck'], to: 'creationRefused', by: ['provider'] },
  /** One that was said to be lost may have been created after all. */
  finish: { from: ['creating', 'faceCheck', 'creationRefused'], to: 'toAuthorize', by: ['provider'] },
  authorize: { from: ['toAuthorize', 'toTakeOver'], to: 'authorized', by: ['provider'] },
  verify: { from: ['authorized'], to: 'profile', by: ['provider'] },
  passProfile: { from: ['profile'], to: 'code', by: ['provider'] },
  submitAudit: { from: ['code'], to: 'inAudit', by: ['program'] },
  returnAudit: { from: ['inAudit'], to: 'code', by: ['provider'] },
  release: { from: ['inAudit'], to: 'released', by: ['provider'] },
  upgrade: { from: ['released'], to: 'code', by: ['program'] },
} as const satisfies Machine<FlowState>
export type FlowStep = keyof typeof FLOW_STEPS

export const takes = (state: FlowState, step: FlowStep) =>
  nextState<FlowState, FlowStep>(FLOW_STEPS, state, step) !== null

/** The documents' numbers of a state; `isTakenOver`: it was there before, which they number 9. */
export function numbersOf(state: FlowState, isTakenOver: boolean): FlowNumbers {
  const known = isTakenOver ? 9 : 2
  switch (state) {
    case 'review':
      return { flowStatus: 1, flowStep: 1, submitStatus: 0 }
    case 'toCreate':
    case 'creating':
      return { flowStatus: 1, flowStep: 2, submitStatus: 0 }
    case 'faceCheck':
    case 'creationRefused':
      return { flowStatus: 1, flowStep: 3, submitStatus: 0 }
    case 'toAuthorize':
      return { flowStatus: known, flowStep: 5, submitStatus: 0 }
    case 'toTakeOver':
      return { flowStatus: 9, flowStep: 99, submitStatus: 0 }
    case 'authorized':
      return { flowStatus: known, flowStep: 6, submitStatus: 0 }
    case 'profile':
      return { flowStatus: known, flowStep: 6, submitStatus: 1 }
    case 'code':
      return { flowStatus: known, flowStep: 6, submitStatus: 10 }
    case 'inAudit':
      return { flowStatus: known, flowStep: 6, submitStatus: 11 }
    case 'released':
      return { flowStatus: known, flowStep: 6, submitStatus: 12 }
  }
}

/** By what was submitted, once it was authorised; of the documents' 2 and 9 nothing sets them, and they read as 10. */
const SUBMITTED: Readonly<Record<number, FlowState>> = {
  1: 'profile',
  2: 'code',
  9: 'code',
  10: 'code',
  11: 'inAudit',
  12: 'released',
}

/** The named state of the documents' numbers; null: no such state is documented. */
export function stateOf({ flowStatus, flowStep, submitStatus }: FlowNumbers): FlowState | null {
  if (flowStatus === 1)
    return submitStatus !== 0
      ? null
      : (({ 1: 'review', 2: 'toCreate', 3: 'faceCheck' } as const)[flowStep] ?? null)
  if (flowStatus !== 2 && flowStatus !== 9) return null
  if (submitStatus === 0) {
    if (flowStep === 99) return flowStatus === 9 ? 'toTakeOver' : null
    return ({ 5: 'toAuthorize', 6: 'authorized' } as const)[flowStep] ?? null
  }
  return flowStep === 5 ? null : (SUBMITTED[submitStatus] ?? null)
}

/** Whose turn it is. */
export const TURNS = {
  staff: '平台审核人员',
  agent: '代理商',
  owner: '客户',
  platform: '微信',
} as const
export type Turn = keyof typeof TURNS

/** What comes next, and what it waits for. `action` null: nothing can be pressed, it goes on by itself or elsewhere. */
export type NextStep = {
  action: 'create' | 'look' | 'authorize' | 'verify' | null
  label: string
  waits: string
  /** Null: nobody's, nothing is waited for. */
  turn: Turn | null
}

const NEXT: Readonly<Record<FlowState, NextStep>> = {
  review: { action: null, label: '审核资料', waits: '等待平台人工审核小程序资料', turn: 'staff' },
  toCreate: { action: 'create', label: '立即创建', waits: '资料已审核，可以向微信提交创建', turn: 'agent' },
  creating: { action: 'look', label: '查看创建状态', waits: '正在向微信提交创建', turn: 'platform' },
  faceCheck: {
    action: 'look',
    label: '查看创建状态',
    waits: '请法人在24小时内打开微信消息，完成人脸核身',
    turn: 'owner',
  },
  creationRefused: {
    action: 'create',
    label: '重新创建',
    waits: '请按原因核对资料后重新创建',
    turn: 'agent',
  },
  toAuthorize: {
    action: 'authorize',
    label: '去授权',
    waits: '小程序已创建，等待客户的管理员扫码授权',
    turn: 'owner',
  },
  toTakeOver: { action: 'authorize', label: '去授权', waits: '等待客户的管理员扫码授权', turn: 'owner' },
  authorized: {
    action: 'verify',
    label: '核实授权信息',
    waits: '客户已授权，请核实权限与主体',
    turn: 'agent',
  },
  profile: {
    action: 'verify',
    label: '核实资料',
    waits: '请提交名称、头像、简介与类目，等待微信审核通过',
    turn: 'agent',
  },
  code: {
    action: null,
    label: '设置代码',
    waits: '请在版本管理中设置代码，自检通过后提交审核',
    turn: 'agent',
  },
  inAudit: { action: null, label: '查看审核结果', waits: '等待微信审核代码', turn: 'platform' },
  released: { action: null, label: '已完成', waits: '小程序已发布', turn: null },
}

/** The one step that comes next. `isLost`: what was authorised is so no longer, which comes before anything else. */
export function nextStepOf(state: FlowState, isLost: boolean): NextStep {
  return isLost
    ? {
        action: 'authorize',
        label: '重新授权',
        waits: '授权已失效，请客户的管理员重新扫码授权',
        turn: 'owner',
      }
    : NEXT[state]
}

/** An owner may authorise once more whenever there is a mini program (D2 §4). */
export const mayAuthorize = (state: FlowState) =>
  takes(state, 'authorize') || ['authorized', 'profile', 'code', 'inAudit', 'released'].includes(state)
/** What stands at the platform can be read again. */
export const mayLook = (state: FlowState, isAuthorized: boolean) =>
  state === 'creating' || state === 'faceCheck' || (isAuthorized && mayAuthorize(state))

/** What the platform told, as far as it moves a flow. `at`: by the platform's clock, in whole seconds; `message`: a refusal in our words. */
export type FlowTold =
  | { kind: 'registered'; isDone: boolean; at: string; message: string }
  | { kind: 'authorized' | 'authorizationChanged' | 'unauthorized' }
/** `isFound`: whose mini program it is is known, or the code to ask for it is there. */
export type ToldStanding = {
  state: FlowState
  handedInAt: string | null
  message: string
  isFound: boolean
}
/** Where the end of a registration may still change something. */
export const REGISTERING: readonly FlowState[] = ['creating', 'faceCheck', 'creationRefused', 'toAuthorize']

/**
 * What becomes of a flow by what was told, twice, late and out of order as it comes. Of a registration's end alone it is taken as told, where it is
 * of the try that was handed in last; of all else it is asked how it stands. Null: nothing.
 */
export function toldMove(flow: ToldStanding, told: FlowTold): 'ask' | 'finish' | 'refuse' | null {
  if (told.kind !== 'registered') return 'ask'
  if (!REGISTERING.includes(flow.state)) return null
  const handedIn = Math.floor(Date.parse(flow.handedInAt ?? '') / 1_000) * 1_000
  if (!(Date.parse(told.at) >= handedIn)) return null
  if (told.isDone) return flow.isFound ? null : 'finish'
  const isKnown = flow.state === 'creationRefused' && flow.message === told.message
  return flow.state === 'toAuthorize' || isKnown ? null : 'refuse'
}

/** Where the documents count it among those in progress (11) or completed (12). */
export const PROGRESS = { running: '进行中', completed: '已完成' } as const

/** What the platform's numbers allow, and what does not work without. */
export const SCOPES = [
  { id: 17, label: '帐号管理与小程序码', without: '不能生成小程序码', isNeeded: true },
  { id: 18, label: '开发管理与数据分析', without: '不能设置代码、提交审核与发布', isNeeded: true },
  { id: 19, label: '客服消息管理', without: '不能代收发客服消息', isNeeded: false },
  { id: 25, label: '开放平台帐号管理', without: '不能绑定开放平台，会员不能跨应用识别', isNeeded: false },
  { id: 30, label: '基本信息设置', without: '不能读取与修改名称、头像、简介与类目', isNeeded: true },
  { id: 37, label: '附近的小程序', without: '不能添加附近的门店地点', isNeeded: false },
  { id: 40, label: '插件管理', without: '不能添加小程序插件', isNeeded: false },
  { id: 49, label: '云开发管理', without: '不能使用云开发', isNeeded: false },
] as const

export type ScopeStanding = {
  id: number
  label: string
  without: string
  isNeeded: boolean
  isGiven: boolean
}
export const scopesOf = (given: readonly number[]): ScopeStanding[] =>
  SCOPES.map(scope => ({ ...scope, isGiven: given.includes(scope.id) }))

/** Why the flow cannot go on with what was authorised; null: it can. */
export function lackingText(given: readonly number[]): string | null {
  const lacking = SCOPES.filter(({ id, isNeeded }) => isNeeded && !given.includes(id))
  if (lacking.length === 0) return null
  return `核实信息失败：缺少权限${lacking.map(({ label, without }) => `「${label}」（${without}）`).join('、')}，请客户重新授权并勾选全部权限`
}

/** What a program must show of itself before code is set in it; `hasCategory`: one that was passed. */
export type Profile = { name: string; headImage: string; intro: string; hasCategory: boolean }

/** In the documents' words (D2 §4, §8), whatever is not set or not passed; null: all is there. */
export function missingText({ name, headImage, intro, hasCategory }: Profile): string | null {
  const missing = [
    headImage === '' && '头像没有提交审核或没有审核通过',
    intro === '' && '简介没有提交审核或没有审核通过',
    !hasCategory && '类目没有提交审核或者没有审核通过',
    name === '' && '名称在审核中或者没有审核通过',
  ].filter(text => text !== false)
  if (missing.length === 0) return null
  return `腾讯资料核实失败：${missing.length === 4 ? '腾讯所有资料都没有审核' : missing.join('；')}`
}

/** The documents' words (D2 §5). */
export const PERSONAL = '获取资料失败,当前为个人小程序，请联系客户使用企业小程序'
export const TAKEN_ALREADY = '授权失败：该小程序已用于另一家店铺，请客户选择正确的小程序重新授权'
export const OTHER_PROGRAM = '授权失败：客户授权的不是原来的小程序，请选择原来的小程序重新授权'
export const UNAUTHORIZED = '客户已取消授权'

export const REAL_NAMES = {
  confirmed: '已实名',
  pending: '实名审核中',
  failed: '实名未通过',
} as const
export type RealName = keyof typeof REAL_NAMES

/** What a new account needs before a release, beside what the platform reviews of it here. */
export const LAUNCH_STEPS = { verification: '微信认证', filing: 'ICP备案' } as const
export type LaunchStepKey = keyof typeof LAUNCH_STEPS
export const LAUNCH_STANDINGS = { done: '已完成', waiting: '待办理', unknown: '待核对' } as const
export type LaunchStanding = keyof typeof LAUNCH_STANDINGS
/** `waits`: what is to be done and where; empty once it is done. */
export type LaunchStep = { key: LaunchStepKey; standing: LaunchStanding; waits: string; turn: Turn }

type Identity = { isVerified: boolean; realName: RealName }

/** `info`: as it was read last. Of the filing the platform tells nothing here: what is released has it. */
export function launchStepsOf(info: Identity | null, state: FlowState): LaunchStep[] {
  const isReleased = state === 'released'
  return [
    { key: 'verification', ...verificationOf(info, isReleased) },
    {
      key: 'filing',
      ...(isReleased
        ? DONE
        : {
            standing: 'unknown',
            waits:
              '请客户的管理员在微信公众平台「设置 - 基本设置 - 小程序备案」提交备案，由微信初审、通信管理局审核，须法人或负责人配合人脸核验。平台读不到备案进度，请向客户核对',
            turn: 'owner',
          }),
    },
  ]
}

const DONE = { standing: 'done', waits: '', turn: 'owner' } as const
function verificationOf(info: Identity | null, isReleased: boolean): Omit<LaunchStep, 'key'> {
  if (info === null) return { standing: 'unknown', waits: '还没有读取，请点击重新读取', turn: 'agent' }
  if (info.isVerified) return DONE
  if (info.realName === 'pending')
    return { standing: 'waiting', waits: '主体实名正在由微信审核，通过后才能申请微信认证', turn: 'platform' }
  return {
    standing: 'waiting',
    waits: `${info.realName === 'failed' ? '主体实名未通过。' : ''}请客户的管理员在微信公众平台「设置 - 基本设置 - 微信认证」提交认证，${isReleased ? '未认证的小程序部分功能受限' : '认证通过后才能发布'}；完成后点击重新读取`,
    turn: 'owner',
  }
}

export const LIMITS = {
  remark: 200,
  authCode: 500,
  /** Rounds that are claimed at once. */
  atOnce: 10,
  claimSeconds: 120,
  linkMinutes: 120,
  /** Of the address that an owner is given. */
  ownerLinkHours: 72,
  /** Addresses that are nobody's, tried by one network. */
  ownerTries: 30,
  ownerTriesMinutes: 15,
  /** A round asks again by hand at most so often. */
  lookSeconds: 5,
  /** Of an answer that is kept. */
  answer: 1_000,
} as const

export const FLOW_REFUSALS = {
  DELETED_ALREADY: STEP_REFUSALS.DELETED_ALREADY,
  NOT_NOW: '该小程序当前的进度不能进行此操作，请刷新后查看',
  NOT_CONNECTED: '还没有连接微信第三方平台，请联系平台管理员',
  ALREADY_RUNNING: '该主体已有注册任务在执行，请等待结果后再创建',
  LINK_EXPIRED: '授权链接已失效，请重新点击去授权',
  REMARK_TOO_LONG: `备注不得超过${LIMITS.remark}字`,
  PLATFORM_SILENT: '微信没有答复，请稍后重试',
  PLATFORM_REFUSED: '授权失败',
} as const

/** Told to owners, who have no account. */
export const OWNER_REFUSALS = {
  LINK_USED: '链接不正确，或已经使用过，请向服务商索取新的链接',
  LINK_TOO_LATE: `链接已超过${LIMITS.ownerLinkHours}小时的有效期，请向服务商索取新的链接`,
  LINK_CLOSED: '现在不能授权，请联系服务商',
} as const

/** How it stands to the owner, in words about what comes next. */
export const OWNER_STANDINGS = {
  open: '等待授权',
  asking: '正在核实',
  failed: '授权未成功',
  done: '授权成功',
} as const
export type OwnerStanding = keyof typeof OWNER_STANDINGS

type Authorizing = {
  authCode: unknown
  nextAt: string | null
  claim: string
  isAuthorized: boolean
  message: string
  scopes: readonly number[]
}

/** Null: nothing has come back by this address yet. In words, since the owner's page has no other use for these rules. */
export function ownerStandingOf(flow: Authorizing | null) {
  const { standing, words } = toldToOwner(flow)
  return { standing, title: OWNER_STANDINGS[standing], words }
}

function toldToOwner(flow: Authorizing | null): { standing: OwnerStanding; words: string } {
  if (flow === null)
    return {
      standing: 'open',
      words:
        '请由小程序的管理员在手机微信中打开，点击授权并勾选全部权限。授权后由服务商完成资料、代码与审核。',
    }
  const { authCode, nextAt, claim, isAuthorized, message, scopes } = flow
  if (authCode !== null || (message === '' && (nextAt !== null || claim !== '' || !isAuthorized)))
    return { standing: 'asking', words: '已收到您的授权，正在向微信核实，通常在一分钟内完成。' }
  if (message !== '') return { standing: 'failed', words: ownerWords(message, scopes) }
  return {
    standing: 'done',
    words: '授权成功，您无需再操作。服务商将继续提交资料与代码审核，如需您本人确认，微信会发消息通知您。',
  }
}

function ownerWords(message: string, scopes: readonly number[]): string {
  if (message === PERSONAL) return '您授权的是个人小程序，请使用企业小程序重新授权。'
  if (message === TAKEN_ALREADY) return '您授权的小程序已用于另一家店铺，请选择正确的小程序重新授权。'
  if (message === OTHER_PROGRAM) return '您授权的不是原来的小程序，请选择原来的小程序重新授权。'
  if (message === UNAUTHORIZED) return '授权已取消，请重新授权。'
  if (message === lackingText(scopes)) {
    const lacking = SCOPES.filter(({ id, isNeeded }) => isNeeded && !scopes.includes(id))
    return `授权时缺少${lacking.map(({ label }) => `「${label}」`).join('、')}，请重新授权并勾选全部权限。`
  }
  return `${message}。请重新授权，仍不成功请联系服务商。`
}

export const refuseRemark = (remark: string): 'REMARK_TOO_LONG' | null =>
  lengthOf(cleanLines(remark)) > LIMITS.remark ? 'REMARK_TOO_LONG' : null

/** What `determineApplet` asks for (D3 §2). */
export type Registrant = {
  companyName: string
  companyCode: string
  legalPersonWechat: string
  legalPersonName: string
  servicePhone: string
}

const ASKED = ['companyName', 'companyCode', 'legalPersonWechat', 'legalPersonName', 'servicePhone']
/** What is wrong with it, as in the application's own form. */
export function brokenRegistrant(typed: Registrant, wechatKept: boolean): BrokenField[] {
  const form = { ...typed, programName: '', programType: null, intro: '' }
  return brokenTexts(form, wechatKept).filter(({ field }) => ASKED.includes(field))
}

const MINUTE = 60
/** Seconds until it is asked again; null: no more. `tries` of this round without an answer. */
export function secondsToNext(waits: 'answer' | 'face' | 'nothing', tries: number): number | null {
  if (waits === 'nothing') return null
  if (waits === 'face') return MINUTE
  return Math.min(5 * 2 ** Math.min(tries, 10), 30 * MINUTE)
}
