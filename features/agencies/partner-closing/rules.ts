// Owns how a partner ends: what stands in the way, what becomes of what it holds, and the states of its closing (docs/decisions/0029).
// Must never read a clock or a database.
import type { AgentStatus } from '#features/office/agents/rules.ts'
import type { Machine } from '#kit/declare/machine.ts'
import { countText } from '#kit/money.ts'
import { lengthOf } from '#kit/words/cleaned.ts'

/** stuck: some shops could not be moved, or something new stands in the way; each has its reason. */
export const CLOSING_STATES = {
  running: '转移中',
  paused: '已暂停',
  stuck: '有商户未转移',
  done: '已完成',
} as const
export type ClosingState = keyof typeof CLOSING_STATES
export const CLOSING_STEPS = {
  pause: { from: ['running'], to: 'paused', by: ['partnerClosing.manage'] },
  resume: { from: ['paused'], to: 'running', by: ['partnerClosing.manage'] },
  stick: { from: ['running'], to: 'stuck', by: ['program'] },
  retry: { from: ['stuck'], to: 'running', by: ['partnerClosing.manage'] },
  finish: { from: ['running'], to: 'done', by: ['program'] },
} as const satisfies Machine<ClosingState>
export type ClosingStep = keyof typeof CLOSING_STEPS

/** What becomes of tokens and SMS credit that the partner holds. */
export const BALANCE_CHOICES = { refund: '收回，线下退款', move: '转给接收方' } as const
export type BalanceChoice = keyof typeof BALANCE_CHOICES

/** Shops of one transaction: what a kill may undo, and how long others may wait for the counters of both agents. */
export const SHOPS_AT_ONCE = 100
export const LIMITS = { reason: 50, failuresShown: 200 } as const
/** What its people read while its shops are moved. */
export const SUSPENDED_FOR = '正在办理停止合作'
/** What whoever sent a campaign reads of why it ends. */
export const CAMPAIGNS_END_FOR = '因停止合作取消'

export const CLOSING_REFUSALS = {
  PARTNER_REQUIRED: '请选择要停止合作的合作伙伴',
  PARTNER_VENDOR: '厂商不能停止合作',
  CLOSED_ALREADY: '该合作伙伴已停用',
  CLOSING_ALREADY: '该合作伙伴正在办理停止合作',
  TAKER_REQUIRED: '请选择接收商户的合作伙伴',
  TAKER_SAME: '接收方不能是该合作伙伴自己',
  TAKER_INACTIVE: '接收方已暂停或停用，请重新选择',
  TAKER_CLOSING: '接收方正在办理停止合作，请重新选择',
  BALANCES_REQUIRED: '请选择余额的处理方式',
  REASON_REQUIRED: '请输入停止合作的原因',
  REASON_TOO_LONG: `停止合作的原因不得超过${LIMITS.reason}字`,
  BLOCKED: '仍有事项未处理，请先处理后再办理',
  STEP_NOT_NOW: '当前状态不能进行该操作，请刷新后查看',
} as const
export type ClosingRefusal = keyof typeof CLOSING_REFUSALS

/** What the partner has that has to be dealt with before; each a number of things. */
export type Hindrances = {
  children: number
  undos: number
  renewals: number
  closings: number
}
export type Block = { key: keyof Hindrances; message: string }

const BLOCK_WORDS: Record<keyof Hindrances, (count: number) => string> = {
  children: count => `名下有${countText(count, '家')}下级代理商，请先调整上级`,
  undos: count => `有${countText(count, '笔')}撤销申请待审批`,
  renewals: count => `有${countText(count, '笔')}在线续费已付款未完成，请先完成或退款`,
  closings: count => `正在接收${countText(count, '家')}合作伙伴的商户，请等待完成`,
}

/** What stands in the way, in words. */
export function blocksOf(found: Hindrances): Block[] {
  return (Object.keys(BLOCK_WORDS) as (keyof Hindrances)[])
    .filter(key => found[key] > 0)
    .map(key => ({ key, message: BLOCK_WORDS[key](found[key]) }))
}

type Partner = { id: number; status: AgentStatus; isVendor: boolean; isClosing: boolean }
type Taker = { id: number; status: AgentStatus; isClosing: boolean }

/** Why this partner cannot be closed at all, or null. */
export function refusePartner(partner: Partner | null): ClosingRefusal | null {
  if (!partner) return 'PARTNER_REQUIRED'
  if (partner.isVendor) return 'PARTNER_VENDOR'
  if (partner.status === 'closed') return 'CLOSED_ALREADY'
  return partner.isClosing ? 'CLOSING_ALREADY' : null
}

/** Why the shops cannot go there, or null. */
export function refuseTaker(partnerId: number, taker: Taker | null): ClosingRefusal | null {
  if (!taker) return 'TAKER_REQUIRED'
  if (taker.id === partnerId) return 'TAKER_SAME'
  if (taker.isClosing) return 'TAKER_CLOSING'
  return taker.status === 'active' ? null : 'TAKER_INACTIVE'
}

export function refuseReason(reason: string): ClosingRefusal | null {
  const length = lengthOf(reason)
  if (length === 0) return 'REASON_REQUIRED'
  return length > LIMITS.reason ? 'REASON_TOO_LONG' : null
}

/** Whether this step can be taken now. */
export function refuseStep(state: ClosingState, step: ClosingStep): ClosingRefusal | null {
  const { from }: { from: readonly ClosingState[] } = CLOSING_STEPS[step]
  return from.includes(state) ? null : 'STEP_NOT_NOW'
}

/** Shops that were moved, of all, in whole percent; 100 only once all are. */
export function percentOf({ moved, shops }: { moved: number; shops: number }): number {
  return moved >= shops ? 100 : Math.floor((moved / shops) * 100)
}
