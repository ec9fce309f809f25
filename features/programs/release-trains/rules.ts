// Owns the release of one version to many mini programs, wave by wave: which can go along, what is asked next for each, when it halts by itself, how
// many audits it may ask for, and how refusals are put together. Must never read a clock or a database.
import type { ProgramType } from '#features/programs/program-applications/rules.ts'
import type { FlowState } from '#features/programs/program-flow/rules.ts'
import {
  type AuditState,
  CHECKS,
  type Check,
  type Deed,
  isOpen,
  type Known,
  maySetCode,
  refuseFeedback,
  type TemplateTag,
  templateTagOf,
  VERSION_REFUSALS,
} from '#features/programs/program-versions/rules.ts'
import { type Machine, nextState } from '#kit/declare/machine.ts'
import { cleanLine, lengthOf } from '#kit/words/cleaned.ts'

export const TRAIN_STATES = {
  running: '进行中',
  paused: '已暂停',
  halted: '自动停止',
  finished: '已完成',
  stopped: '已终止',
} as const
export type TrainState = keyof typeof TRAIN_STATES
export const TRAIN_STATE_KEYS = Object.keys(TRAIN_STATES) as [TrainState, ...TrainState[]]

export const TRAIN_STEPS = {
  pause: { from: ['running'], to: 'paused', by: ['releaseTrains.run'] },
  halt: { from: ['running'], to: 'halted', by: ['program'] },
  resume: { from: ['paused', 'halted'], to: 'running', by: ['releaseTrains.run'] },
  stop: { from: ['running', 'paused', 'halted'], to: 'stopped', by: ['releaseTrains.run'] },
  finish: { from: ['running'], to: 'finished', by: ['program'] },
  /** Refused ones are handed in again. */
  reopen: { from: ['finished'], to: 'running', by: ['releaseTrains.run'] },
} as const satisfies Machine<TrainState>
export type TrainStep = keyof typeof TRAIN_STEPS
export const trainTakes = (state: TrainState, step: TrainStep) =>
  nextState<TrainState, TrainStep>(TRAIN_STEPS, state, step) !== null

/** Where the mini program of one shop stands in its train. */
export const TRAIN_SHOP_STATES = {
  waiting: '等待中',
  committing: '设置代码中',
  ready: '待提交审核',
  submitting: '提交审核中',
  inAudit: '审核中',
  passed: '待发布',
  releasing: '发布中',
  released: '已发布',
  refused: '审核未通过',
  failed: '未完成',
  skipped: '已跳过',
  left: '未处理',
  toRollBack: '待回退',
  rollingBack: '回退中',
  rolledBack: '已回退',
} as const
export type TrainShopState = keyof typeof TRAIN_SHOP_STATES
export const TRAIN_SHOP_STATE_KEYS = Object.keys(TRAIN_SHOP_STATES) as [TrainShopState, ...TrainShopState[]]

const UNDER_WAY = ['waiting', 'committing', 'ready', 'submitting', 'inAudit', 'passed', 'releasing'] as const

export const TRAIN_SHOP_STEPS = {
  commit: { from: ['waiting'], to: 'committing', by: ['program'] },
  /** Its version has passed already, and was not released. */
  regain: { from: ['waiting'], to: 'passed', by: ['program'] },
  code: { from: ['committing'], to: 'ready', by: ['provider'] },
  submit: { from: ['ready'], to: 'submitting', by: ['program'] },
  /** The month's audits have run out meanwhile. */
  defer: { from: ['submitting'], to: 'ready', by: ['provider'] },
  enter: { from: ['submitting'], to: 'inAudit', by: ['provider'] },
  pass: { from: ['inAudit'], to: 'passed', by: ['provider'] },
  refuse: { from: ['inAudit'], to: 'refused', by: ['provider'] },
  release: { from: ['passed'], to: 'releasing', by: ['program'] },
  publish: { from: ['inAudit', 'passed', 'releasing'], to: 'released', by: ['provider'] },
  fail: {
    from: ['committing', 'ready', 'submitting', 'passed', 'releasing'],
    to: 'failed',
    by: ['provider'],
  },
  skip: { from: UNDER_WAY, to: 'skipped', by: ['program'] },
  leave: { from: UNDER_WAY, to: 'left', by: ['releaseTrains.run'] },
  correct: { from: ['refused', 'failed'], to: 'waiting', by: ['releaseTrains.run'] },
  takeBack: { from: ['released'], to: 'toRollBack', by: ['releaseTrains.run'] },
  rollBack: { from: ['toRollBack'], to: 'rollingBack', by: ['program'] },
  goBack: { from: ['rollingBack'], to: 'rolledBack', by: ['provider'] },
  /** It cannot be rolled back, and stays released. */
  keep: { from: ['toRollBack', 'rollingBack'], to: 'released', by: ['provider'] },
} as const satisfies Machine<TrainShopState>
export type TrainShopStep = keyof typeof TRAIN_SHOP_STEPS
export const trainShopTakes = (state: TrainShopState, step: TrainShopStep) =>
  nextState<TrainShopState, TrainShopStep>(TRAIN_SHOP_STEPS, state, step) !== null

/** Nothing more happens to them by themselves. */
export const ENDED = ['released', 'refused', 'failed', 'skipped', 'left', 'rolledBack'] as const
const IS_ENDED: ReadonlySet<TrainShopState> = new Set(ENDED)
export const isEnded = (state: TrainShopState) => IS_ENDED.has(state)
/** Of how many of an agent's it came to what, in the order of these states. */
export function endText(counts: Partial<Record<TrainShopState, number>>): string {
  return ENDED.filter(state => (counts[state] ?? 0) > 0)
    .map(state => `${TRAIN_SHOP_STATES[state]} ${counts[state]} 家`)
    .join('，')
}
/** What goes on while the train stands still, too. */
export const GOING_BACK = ['toRollBack', 'rollingBack'] as const

/** Why a mini program cannot go along. */
export const BARS = {
  GONE: '小程序申请已删除或未通过审核',
  DISABLED: '商户已停用',
  OTHER_KIND: '小程序类别使用其他模板',
  NOT_READY: '还没有完成授权与资料',
  NOT_AUTHORIZED: '客户的授权已失效',
  ELSEWHERE: '已在另一个分批发布中',
  ALREADY: '线上已是该版本',
  IN_AUDIT: '有正在审核的版本',
  TO_RELEASE: '有审核通过但未发布的版本',
  PROFILE: '名称、头像、简介或类目没有通过审核',
} as const
export type Bar = keyof typeof BARS
export const BAR_KEYS = Object.keys(BARS) as [Bar, ...Bar[]]

/** The mini program as the office knows it. */
export type Standing = {
  /** Its application was deleted, or is not approved. */
  isGone: boolean
  isShopDisabled: boolean
  isAuthorized: boolean
  programType: ProgramType | null
  flowState: FlowState
  /** What is asked of the platform right now; empty: nothing. */
  deed: Deed | ''
  /** What the platform, or why it could not be asked, said last. */
  message: string
  /** How it stands is read again by itself. */
  isReadDue: boolean
  /** Of the code that was set; empty: none. */
  version: string
  templateId: number | null
  known: Pick<Known, 'live' | 'releases'> | null
  /** Of the pre-flight; none: nothing is known. */
  checks: readonly Check[]
  /** That counts now. */
  audit: { auditId: number; version: string; state: AuditState; reason: string } | null
  /** It is under way in another train. */
  isElsewhere: boolean
}

const PROFILE_CHECKS: readonly string[] = ['name', 'headImage', 'intro', 'category']

/** Null: it can go along, or its turn comes once what is asked now has ended. */
export function barOf(
  standing: Standing,
  { tag, version }: { tag: TemplateTag; version: string },
): Bar | null {
  const { flowState, audit, known, checks } = standing
  if (standing.isGone) return 'GONE'
  if (standing.isShopDisabled) return 'DISABLED'
  if (templateTagOf(standing.programType) !== tag) return 'OTHER_KIND'
  if (flowState !== 'inAudit' && !maySetCode(flowState)) return 'NOT_READY'
  if (!standing.isAuthorized) return 'NOT_AUTHORIZED'
  if (standing.isElsewhere) return 'ELSEWHERE'
  if (flowState === 'inAudit') return audit?.state === 'passed' ? 'TO_RELEASE' : 'IN_AUDIT'
  if (flowState === 'released' && known?.live?.version === version) return 'ALREADY'
  return checks.some(({ key, isGreen }) => !isGreen && PROFILE_CHECKS.includes(key)) ? 'PROFILE' : null
}

/** The row of a shop in a train, as far as its next move asks for it. */
export type TrainShop = {
  state: TrainShopState
  templateId: number
  version: string
  /** The audit that was handed in for it last; null: none. */
  auditId: number | null
  /** The version that it goes back to; empty: none. */
  backTo: string
}

export type Ask = 'commit' | 'submit' | 'release' | 'rollBack'
export type Move =
  | { kind: 'wait' }
  /** To be asked of `program-versions`; the step has the same name. */
  | { kind: 'ask'; ask: Ask }
  | { kind: 'take'; step: TrainShopStep; reason: string; auditId?: number; version?: string }

const WAIT: Move = { kind: 'wait' }
const ask = (ask: Ask): Move => ({ kind: 'ask', ask })
const take = (step: TrainShopStep, reason = '', more: { auditId?: number; version?: string } = {}): Move => ({
  ...{ kind: 'take', step, reason },
  ...more,
})

export const TRAIN_SHOP_REASONS = {
  OTHERS: '已由他人办理，不再由分批发布处理',
  WITHDRAWN: '审核已由他人撤回',
  NO_ANSWER: '没有办成，请重新提交',
  NO_REASON: '微信没有说明原因',
  NO_RELEASE_BEFORE: '没有可以回退的版本',
  OTHER_LIVE: '线上已是其他版本，不再回退',
} as const
const WHY = TRAIN_SHOP_REASONS

/** What comes next for one. While something is asked of the platform for it, by whomever, it waits. `isRunning`: of its train. */
export function moveOf(
  shop: TrainShop,
  standing: Standing,
  train: { tag: TemplateTag; isRunning: boolean },
): Move {
  if (standing.deed !== '' && standing.deed !== 'read') return WAIT
  const asked = (one: Ask) => (train.isRunning ? ask(one) : WAIT)
  const { audit, message } = standing
  const own = audit !== null && audit.auditId === shop.auditId ? audit : null
  switch (shop.state) {
    case 'waiting': {
      if (!train.isRunning) return WAIT
      if (own?.state === 'passed' && standing.flowState === 'inAudit') return take('regain')
      const bar = barOf(standing, { tag: train.tag, version: shop.version })
      return bar === null ? ask('commit') : take('skip', BARS[bar])
    }
    case 'committing':
      if (message !== '') return take('fail', message)
      if (standing.flowState !== 'code') return take('skip', WHY.OTHERS)
      return standing.templateId === shop.templateId
        ? take('code', '', { version: standing.version })
        : take('fail', WHY.NO_ANSWER)
    case 'ready':
      return readyMove(shop, standing, asked('submit'))
    case 'submitting':
      if (audit !== null && own === null && audit.version === shop.version)
        return take('enter', '', { auditId: audit.auditId })
      if (message === VERSION_REFUSALS.NO_AUDIT_LEFT) return take('defer')
      return take('fail', message || WHY.NO_ANSWER)
    case 'inAudit':
      return own === null ? take('skip', WHY.OTHERS) : auditMove(own)
    case 'passed':
      if (own === null || (own.state !== 'passed' && own.state !== 'released'))
        return take('skip', WHY.OTHERS)
      return own.state === 'released' ? take('publish') : asked('release')
    case 'releasing':
      if (own === null) return take('skip', WHY.OTHERS)
      return own.state === 'released' ? take('publish') : take('fail', message || WHY.NO_ANSWER)
    case 'toRollBack':
      return backMove(shop, standing)
    case 'rollingBack':
      if (message !== '') return take('keep', message)
      if (standing.known?.live?.version === shop.backTo) return take('goBack')
      return standing.isReadDue ? WAIT : take('keep', WHY.NO_ANSWER)
    default:
      return WAIT
  }
}

function readyMove(shop: TrainShop, standing: Standing, next: Move): Move {
  const { isGone, isShopDisabled, isAuthorized, flowState, version, templateId, checks } = standing
  if (isGone) return take('skip', BARS.GONE)
  if (isShopDisabled) return take('skip', BARS.DISABLED)
  if (!isAuthorized) return take('skip', BARS.NOT_AUTHORIZED)
  if (flowState !== 'code' || version !== shop.version || templateId !== shop.templateId)
    return take('skip', WHY.OTHERS)
  const red = checks.filter(({ isGreen }) => !isGreen)
  // What has just been set is read a moment later.
  if (checks.length === 0 || red.length > 0)
    return standing.isReadDue ? WAIT : take('fail', redWords(red) || WHY.NO_ANSWER)
  return next
}

const redWords = (red: readonly Check[]) => red.map(({ key, words }) => `${CHECKS[key]}：${words}`).join('；')

function auditMove({ state, reason }: NonNullable<Standing['audit']>): Move {
  if (isOpen(state)) return WAIT
  if (state === 'passed') return take('pass')
  if (state === 'released') return take('publish')
  return state === 'refused' ? take('refuse', reason || WHY.NO_REASON) : take('skip', WHY.WITHDRAWN)
}

function backMove(shop: TrainShop, { known }: Standing): Move {
  if (known?.live?.version !== shop.version) return take('keep', WHY.OTHER_LIVE)
  return known.releases.length === 0 ? take('keep', WHY.NO_RELEASE_BEFORE) : ask('rollBack')
}

/** How many shops stand in each state. */
export type ShopCounts = Partial<Record<TrainShopState, number>>
const sum = (counts: ShopCounts, states: readonly TrainShopState[]) =>
  states.reduce((total, state) => total + (counts[state] ?? 0), 0)

const REFUSED = ['refused', 'failed'] as const
const JUDGED = [...REFUSED, 'passed', 'releasing', 'released', ...GOING_BACK, 'rolledBack'] as const
export type Judged = { judged: number; refused: number }
/** Of which the platform has said something. */
export const judgedOf = (counts: ShopCounts): Judged => ({
  judged: sum(counts, JUDGED),
  refused: sum(counts, REFUSED),
})
const ON_THE_WAY = ['committing', 'submitting', 'inAudit', 'releasing', ...GOING_BACK] as const
/** Those that the platform, or a roll-back, moves while the train stands still. */
export const movingOf = (counts: ShopCounts): number => sum(counts, ON_THE_WAY)

type Halting = { haltPercent: number; haltFrom: number; forgiven: Judged }
/** Why it halts; null: it goes on. `forgiven`: what was judged when somebody had it go on. */
export function haltText(now: Judged, { haltPercent, haltFrom, forgiven }: Halting): string | null {
  const judged = Math.max(now.judged - forgiven.judged, 0)
  const refused = Math.max(now.refused - forgiven.refused, 0)
  if (judged < haltFrom || refused * 100 <= judged * haltPercent) return null
  return `${judged} 家已有结果，其中 ${refused} 家未通过（${Math.round((refused / judged) * 100)}%），超过 ${haltPercent}%`
}

/**
 * Audits of the month that may still be asked for. `left`: as the platform said it last; what was handed in since, and what is being handed in,
 * may not be in it yet.
 */
export const auditsFree = (read: { left: number; handedInSince: number; underWay: number }): number =>
  Math.max(read.left - read.handedInSince - read.underWay, 0)

export const LIMITS = {
  name: 40,
  shops: 5_000,
  waveSize: 500,
  haltPercent: 100,
  /** Steps of one round. */
  atOnce: 50,
  heldSeconds: 60,
  lookSeconds: 2,
  /** A reading of the quota may be as much older than the row that holds it. */
  readingSeconds: 120,
  samples: 5,
  groups: 50,
} as const

export const TRAIN_REFUSALS = {
  NAME_REQUIRED: '请输入任务名称',
  NAME_TOO_LONG: `任务名称不得超过${LIMITS.name}字`,
  WAVE_SIZE: `每批家数须为 1 到 ${LIMITS.waveSize}`,
  HALT_PERCENT: `停止比例须为 0 到 ${LIMITS.haltPercent}`,
  HALT_FROM: '起算家数须为 1 以上',
  FEEDBACK_TOO_LONG: VERSION_REFUSALS.FEEDBACK_TOO_LONG,
  NO_SHOPS: '没有可以发布的小程序，请调整筛选条件',
  TOO_MANY: `一次最多发布 ${LIMITS.shops} 家，请缩小范围`,
  SHOPS_CHANGED: '可以发布的小程序有变化，请重新确认',
  STEP_NOT_NOW: '该任务当前的状态不能进行此操作，请刷新后查看',
  WAVE_NOT_THERE: '该批没有已发布的小程序',
  GROUP_EMPTY: '没有可以重新提交的小程序，请刷新后查看',
  NOT_CONNECTED: VERSION_REFUSALS.NOT_CONNECTED,
  PLATFORM_SILENT: VERSION_REFUSALS.PLATFORM_SILENT,
  PLATFORM_REFUSED: VERSION_REFUSALS.PLATFORM_REFUSED,
} as const
export type TrainRefusal = keyof typeof TRAIN_REFUSALS

export type TrainForm = {
  name: string
  waveSize: number
  haltPercent: number
  haltFrom: number
  feedback: string
}
/** All that is wrong, in the form's order. */
export function brokenForm(form: TrainForm): { field: keyof TrainForm; code: TrainRefusal }[] {
  const name = cleanLine(form.name)
  const broken: [keyof TrainForm, TrainRefusal | null][] = [
    ['name', name === '' ? 'NAME_REQUIRED' : lengthOf(name) > LIMITS.name ? 'NAME_TOO_LONG' : null],
    ['waveSize', isWithin(form.waveSize, 1, LIMITS.waveSize) ? null : 'WAVE_SIZE'],
    ['haltPercent', isWithin(form.haltPercent, 0, LIMITS.haltPercent) ? null : 'HALT_PERCENT'],
    ['haltFrom', isWithin(form.haltFrom, 1, LIMITS.shops) ? null : 'HALT_FROM'],
    ['feedback', refuseFeedback(form.feedback) ? 'FEEDBACK_TOO_LONG' : null],
  ]
  return broken.flatMap(([field, code]) => (code ? [{ field, code }] : []))
}
const isWithin = (value: number, least: number, most: number) =>
  Number.isInteger(value) && value >= least && value <= most

const ENUMERATED = /(^|[\n;])\s*\(?\d{1,2}[.、)]/g

/** The same refusal of two mini programs reads the same: without numbers, their names, signs and spaces. */
export function reasonKeyOf(reason: string, names: readonly string[] = []): string {
  const bare = names
    .filter(name => name.length > 1)
    .toSorted((a, b) => b.length - a.length)
    .reduce((text, name) => text.replaceAll(name, ''), reason.normalize('NFKC').replace(ENUMERATED, ''))
  return bare
    .toLowerCase()
    .replace(/\d+/g, '#')
    .replace(/[\s\p{P}]/gu, match => (match === '#' ? match : ''))
    .slice(0, 200)
}

export const wavesOf = (shops: number, waveSize: number) => Math.ceil(shops / waveSize)
